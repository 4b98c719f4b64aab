"""What a file holds before anything of it is written: its importer, its columns, its questions, its
bad rows."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from graders.core import discovery
from graders.core.contracts import FIGURES, Importer, Look
from graders.core.errors import InputError
from graders.core.records import BadRow, Question
from graders.importers.tables.encoding import BY_HAND, ENCODINGS
from graders.workflows.importing._write_rows import Tallied
from graders.workflows.scope.permissions import Scope, needs

#: Files above this are refused before anything is read, in bytes.
LARGEST_FILE = 2 * 1024**3


@needs("import")
def look_at(scope: Scope, path: Path, choices: Look | None = None) -> tuple[str, Look]:
    """The importer that fits a file best, and what it sees; nothing is written."""
    return see(path, choices)


def see(path: Path, choices: Look | None = None) -> tuple[str, Look]:
    """`look_at` for whoever has the file itself and no workspace yet: a wrong path is said before
    one is made."""
    importer = importer_of(path)
    return importer.name, importer.look(path, choices)


@needs("import")
def read_questions(scope: Scope, path: Path) -> tuple[list[Question], list[BadRow]]:
    """The questions of a file, each once, and its bad rows; nothing is written."""
    importer = importer_of(path)
    found: dict[str, Question] = {}
    bad: list[BadRow] = []
    for item in importer.read(path, importer.look(path)):
        if isinstance(item, BadRow):
            bad.append(item)
        elif isinstance(item.record, Question):
            found.setdefault(item.record.id, item.record)
    return list(found.values()), bad


def bad_rows(path: Path, look: Look) -> tuple[int, list[BadRow]]:
    """How many rows are bad in a file that cannot come in as its columns are, and the first of
    them: those that are bad whatever its verdicts, or its verdicts and figures, speak of."""
    importer, opinions = importer_of(path), ("verdict", "annotator")
    for roles in (opinions, (*opinions, *FIGURES)):
        plain = tuple(replace(c, role="metadata") if c.role in roles else c for c in look.columns)
        tallied = Tallied()
        try:
            for item in importer.read(path, replace(look, columns=plain)):
                if isinstance(item, BadRow):
                    tallied.refuse(item)
        except InputError:  # these columns are not what was wrong, or not all of it
            continue
        return tallied.bad, tallied.bad_rows
    return 0, []


def importer_of(path: Path) -> Importer:
    """The importer that fits a file or folder best; an error says what else could come in."""
    if not path.exists():
        raise InputError(
            str(path),
            found="no such file",
            expected="a file or folder to import",
            remedy="Check the path.",
        )
    if path.is_file() and path.stat().st_size > LARGEST_FILE:
        raise InputError(
            path.name,
            found=f"{path.stat().st_size / 1e9:.1f} GB",
            expected="at most 2 GB",
            remedy="Split the file.",
        )
    if path.is_file() and path.stat().st_size == 0:
        raise InputError(
            path.name,
            found="an empty file",
            expected="questions and answers",
            remedy="Choose the file that holds the rows.",
        )
    parts, failures = discovery.load_all("importers")
    made: list[Importer] = [part() for part in parts.values()]
    best = max(made, key=lambda importer: importer.fits(path), default=None)
    if best is None or not best.fits(path):
        raise InputError(
            path.name,
            found=f"a file of the type {path.suffix or '(none)'}",
            expected="one of " + ", ".join(endings()) + ", or a folder",
            remedy=" ".join(
                ["Save the table as CSV or XLSX.", *(failure.reason for failure in failures)]
            ),
        )
    return best


def endings() -> list[str]:
    """The endings of files that an importer takes, such as ``.csv``, in order."""
    parts, _ = discovery.load_all("importers")
    return sorted({ending for importer in parts.values() for ending in importer.suffixes if ending})


def encodings() -> list[str]:
    """The encodings of text files that can be chosen: those that are guessed, then the others."""
    return [*ENCODINGS, *BY_HAND]


def fingerprint_of(path: Path) -> str:
    """A hash of all bytes of a file or folder, as 32 hexadecimal digits."""
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:32]
