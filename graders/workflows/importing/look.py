"""What a file holds before anything of it is written: its importer, its columns, its questions, its
bad rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from graders.core import discovery
from graders.core.contracts import FIGURES, ImportedRow, ImportedVerdict, Importer, Look, Placed
from graders.core.errors import CogradeError, InputError
from graders.core.records import BadRow, Question
from graders.core.words import error_parts, say
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
    """`look_at` where there is no workspace yet: a wrong path is told before one is made."""
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


def records_of(importer: Importer, path: Path, look: Look) -> Iterator[Placed | BadRow]:
    """What the importer reads; its own failures become one sentence."""
    try:
        for item in importer.read(path, look):
            yield (
                _rule_verdict(item)
                if isinstance(item, Placed) and isinstance(item.record, ImportedRow)
                else item
            )
    except CogradeError:
        raise
    except Exception as error:  # an importer may come from a plug-in and fail in any way
        parts = error_parts(
            "importing.unreadable",
            file=path.name,
            error=f"{type(error).__name__}: {error}",
            importer=importer.name,
        )
        raise InputError(**parts) from error


def _rule_verdict(placed: Placed) -> Placed:
    """Verdicts of rules travel in a table of their own; here they are verdicts like all others."""
    row = placed.record
    if not (isinstance(row, ImportedRow) and row.table == "rules"):
        return placed
    f = row.fields
    verdict = ImportedVerdict(
        author=str(f.get("rule") or "rule"),
        author_kind="rule",
        question_id=str(f.get("question_id")),
        model=str(f.get("model")),
        criterion=str(f.get("criterion")),
        value=f.get("value"),
        fields=f,
        file=placed.file,
        row=placed.row,
    )
    return replace(placed, record=verdict)


def importer_of(path: Path) -> Importer:
    """The importer that fits a file or folder best; an error says what else could come in."""
    if not path.exists():
        raise InputError(**error_parts("importing.no_file", file=path))
    if path.is_file() and path.stat().st_size > LARGEST_FILE:
        size = path.stat().st_size / 1e9
        raise InputError(**error_parts("importing.too_large", file=path.name, size=size))
    if path.is_file() and path.stat().st_size == 0:
        raise InputError(**error_parts("importing.empty_file", file=path.name))
    parts, failures = discovery.load_all("importers")
    importers: list[Importer] = [part() for part in parts.values() if _may_fit(part, path)]
    best = max(importers, key=lambda importer: importer.fits(path), default=None)
    if best is None or not best.fits(path):
        raise InputError(
            **error_parts(
                "importing.no_importer",
                file=path.name,
                ending=path.suffix or say("importing.no_ending"),
                endings=", ".join(endings()),
                failures="".join(f" {failure.reason}" for failure in failures),
            )
        )
    return best


def _may_fit(importer: type[Importer], path: Path) -> bool:
    """Whether an importer takes files of this ending: others are not asked about a file."""
    return path.is_dir() or path.suffix.lower() in importer.suffixes


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
