"""Text files of one case each: a prompt, a line that separates, the expected answer. A folder is a
category."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import ClassVar

from graders.core.contracts import Imported, Importer, Look, Placed
from graders.core.errors import CogradeError, InputError
from graders.core.records import BadRow, Question, TaskType
from graders.core.text import language_of
from graders.core.words import carried, error_parts
from graders.importers._tree import tree_of
from graders.importers.tables.cells import bad, flaw

say = carried(
    "txt_cases",
    {
        "not_utf8": "bytes that are no UTF-8",
        "mend_closed": "Check the permissions of the file.",
        "none.expected": "files with a prompt, a separating line and an expected answer",
        "none.found": "no text files",
        "none.remedy": "Choose the folder that holds the cases.",
        "none.where": "{file}",
        "readable_file": "a file that can be read",
        "large": "a file of more than 1 MB",
        "mend_separators": "Keep one such line, between prompt and answer.",
        "case": "a prompt and its answer",
        "save_utf8": "Save the file as UTF-8.",
        "one_separator": "one line {line}",
        "readable": "readable text",
        "separators": "{n:,} separating lines",
        "the_column": "the {column}",
        "no_separator": "no separating line",
        "shorten": "Shorten the file.",
        "mend_empty": "Write the {column}, or remove the file.",
    },
)


SEPARATOR = "=== separator ==="
#: Folders that hold no cases.
ASIDE = ("prompts",)
#: The largest file of a case, in bytes.
LARGEST = 1 << 20
#: Files that are looked into before a folder is taken for one without cases.
_TRIED = 50
_LINE = re.compile(r"[ \t]*={3,}[ \t]*(?:разделитель|separator)[ \t]*={3,}[ \t]*", re.IGNORECASE)
_ALIASES = {"code": "codegen", "summarisation": "summarization"}
_TASKS: dict[str, TaskType] = {
    "translation": "factual",
    "summarization": "factual",
    "codegen": "factual",
}


@dataclass(frozen=True)
class TxtCases(Importer):
    """Questions with one reference each from TXT files: prompt, ``=== separator ===`` (or ``===
    разделитель ===``), answer.

    Takes one file, a folder of files, or a folder of such folders, and either as a zip. The
    folder's name is the category (``code`` means ``codegen``; files at the top of a zip have its
    name), the question's id is category and file name; folders called ``prompts`` are left out.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Text files with a prompt, a line === separator ===, and the expected answer; "
        "a folder is a category."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".txt", ".zip", "")

    def fits(self, path: Path) -> int:
        """15 for a file with a separating line and for a folder or zip that holds one, else 0."""
        try:
            if _is_zip(path):
                return 15 if any(_separates(raw) for _, raw in islice(_packed(path), _TRIED)) else 0
        except CogradeError:
            return 0
        files = (
            [path]
            if path.is_file() and path.suffix.lower() == ".txt"
            else case_files(path)[:_TRIED]
            if path.is_dir()
            else []
        )
        return 15 if any(_separates(_head(file)) for file in files) else 0

    def look(self, path: Path, choices: Look | None = None) -> Look:
        """Files per category and the first prompts; nothing can be chosen. InputError where there
        is no text file."""
        places = (
            [(name, category) for name, category, _ in _packed_cases(path)]
            if _is_zip(path)
            else _places(path)
        )
        if not places:
            raise InputError(**error_parts("txt_cases.none", file=path.name))
        counts: dict[str, int] = {}
        for _, category in places:
            counts[category] = counts.get(category, 0) + 1
        first = [case for _, case in islice(_cases(path), 10) if isinstance(case, Question)]
        notes = ", ".join(
            f"{name or 'no category'}: {count} files" for name, count in counts.items()
        )
        return Look(
            layout="cases",
            encoding="utf-8",
            first_rows=tuple((q.id, q.text[:200]) for q in first),
            rows=len(places),
            notes=(f"{notes}.",),
        )

    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """A question with its reference per file; a file that is none is a bad row at the line that
        is wrong."""
        for name, case in _cases(path):
            yield case if isinstance(case, BadRow) else Placed(record=case, file=name, row=1)


def case_files(folder: Path) -> list[Path]:
    """The text files of a folder and of the folders in it, by name; hidden ones and those of
    `ASIDE` left out."""
    found = [
        *folder.glob("*.txt"),
        *(
            file
            for inner in folder.iterdir()
            if inner.is_dir() and _counts(inner)
            for file in inner.glob("*.txt")
        ),
    ]
    return sorted(file for file in found if file.is_file() and not file.name.startswith("."))


def category_name(name: str) -> str:
    """The name of a category as reports write it: ``code`` is ``codegen``."""
    lowered = name.strip().casefold()
    return _ALIASES.get(lowered, lowered)


def category_of(file: Path) -> str:
    """The category of a file: the name of its folder."""
    return category_name(file.absolute().parent.name)


def read_case(file: Path) -> Question | BadRow:
    """The case in a file, or what is wrong with it and at which line."""
    try:
        with file.open("rb") as stream:
            raw = stream.read(LARGEST + 1)
    except OSError as error:
        return bad(
            file.name,
            1,
            "",
            error.strerror or str(error),
            say("readable_file"),
            say("mend_closed"),
        )
    return _case_in(raw, file.name, category_of(file), file.stem)


def _case_in(raw: bytes, name: str, category: str, stem: str) -> Question | BadRow:
    """The case that the bytes of a file are, or what is wrong with them."""
    if len(raw) > LARGEST:
        return bad(name, 1, "", say("large"), say("case"), say("shorten"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        return bad(name, line, "", say("not_utf8"), "UTF-8", say("save_utf8"))
    return case_of(text, name, category, stem)


def case_of(text: str, name: str, category: str, stem: str) -> Question | BadRow:
    """The case that `text` writes, or what is wrong with it; `name` is what messages call it."""
    if problem := flaw(text):
        return bad(name, 1, "", problem[0], say("readable"), problem[1])
    lines = text.splitlines()
    places = [number for number, line in enumerate(lines) if _LINE.fullmatch(line)]
    if len(places) != 1:
        found = say("no_separator") if not places else say("separators", n=len(places))
        return bad(
            name,
            places[1] + 1 if places else max(len(lines), 1),
            "separator",
            found,
            say("one_separator", line=SEPARATOR),
            say("mend_separators"),
        )
    prompt, expected = (
        "\n".join(part).strip() for part in (lines[: places[0]], lines[places[0] + 1 :])
    )
    for column, part, row in (("prompt", prompt, 1), ("expected answer", expected, places[0] + 2)):
        if not part:
            return bad(
                name,
                row,
                column,
                "nothing",
                say("the_column", column=column),
                say("mend_empty", column=column),
            )
    # What the answer is written in decides how texts are cut; code says nothing about it, so its
    # prompt does.
    language = (
        language_of(prompt)
        if category == "codegen"
        else language_of(expected) or language_of(prompt)
    )
    task = _TASKS.get(category, "unknown")
    return Question(
        id=f"{category}/{stem}" if category else stem,
        text=prompt,
        category=category,
        task_type=task,
        language=language,
        references=(expected,),
        metadata={"file": name},
    )


def _places(path: Path) -> list[tuple[str, str]]:
    """(name, category) of the files of a folder, or of one file."""
    return [(file.name, category_of(file)) for file in _files(path)]


def _cases(path: Path) -> Iterator[tuple[str, Question | BadRow]]:
    """The cases of a file, folder or zip, each with the name of its file."""
    if not _is_zip(path):
        yield from ((file.name, read_case(file)) for file in _files(path))
        return
    for name, category, raw in _packed_cases(path):
        place = PurePosixPath(name)
        yield place.name, _case_in(raw, place.name, category, place.stem)


def _packed_cases(path: Path) -> Iterator[tuple[str, str, bytes]]:
    """(name, category, bytes) of the text files of a zip; those at its top have the zip's name as
    category."""
    for name, raw in _packed(path):
        yield name, category_name(name.rpartition("/")[0] or path.stem), raw


def _packed(path: Path) -> Iterator[tuple[str, bytes]]:
    """The text files of a zip and of the folders in it, without those of `ASIDE`. InputError for a
    zip that cannot be read."""
    tree = tree_of(path)
    with tree.opened() as read:
        for name in tree.names:
            folder = name.rpartition("/")[0]
            if (
                name.casefold().endswith(".txt")
                and "/" not in folder
                and folder.casefold() not in ASIDE
            ):
                yield name, read(name, LARGEST + 1)


def _is_zip(path: Path) -> bool:
    return path.is_file() and path.suffix.lower() == ".zip"


def _files(path: Path) -> list[Path]:
    return case_files(path) if path.is_dir() else [path]


def _counts(folder: Path) -> bool:
    return folder.name.casefold() not in ASIDE and not folder.name.startswith(".")


def _head(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(LARGEST)
    except OSError:
        return b""


def _separates(raw: bytes) -> bool:
    return any(_LINE.fullmatch(line) for line in raw.decode("utf-8-sig", "replace").splitlines())
