"""What a study folder holds: folders of answers, and the row of the index that says what each was
asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.words import say
from graders.importers._study_tables import TABLES, Fields, read_table
from graders.importers._tree import Reader
from graders.importers.tables.cells import bad, clean_lines, flaw, quoted
from graders.importers.tables.contents import cell_text
from graders.importers.tables.encoding import ERRORS, guess_encoding
from graders.importers.tables.looks import binary_kind
from graders.importers.tables.words import fold, role_of

TEXTS = (".txt", ".md", ".markdown", ".text")
#: The largest text file, in bytes: 8 MB.
LARGEST = 8 * 1024 * 1024
#: Names (without ending) of the index, of the table of figures, of a question's own files.
INDEXES = ("index", "questions", "study", "вопросы", "индекс", "问题", "質問")
FIGURES = ("answers", "figures", "timing", "timings", "ответы")
QUESTION = ("question", "prompt", "вопрос", "问题", "質問")
OWN_FIELDS = ("question", "index", "meta", "info")
REFERENCE = re.compile(r"(reference|эталон|参考答案|参照)([ _-]?\d+)?")
#: Headers of the column that names a question's folder.
FOLDER = frozenset(
    (
        "folder",
        "directory",
        "dir",
        "path",
        "subfolder",
        "folder name",
        "папка",
        "каталог",
        "директория",
        "文件夹",
        "目录",
        "フォルダ",
        "フォルダー",
    )
)
#: Headers that the files of a folder fill in.
CATEGORY = "category of the folder"
FROM_FILES = {
    "question": "question.txt",
    "question_id": "name of the folder",
    "reference": "reference.txt",
}
#: A name that ends in a number: what stands before it, and the number.
_NUMBERED = re.compile(r"(.*?)[ _.-]*(\d{1,9})")


#: Bytes by which a file is seen to be blank.
_GLANCE = 64


@dataclass(slots=True)
class Folder:
    """The files of one question by their names: `answers` by model, its own texts and fields."""

    name: str
    answers: dict[str, str] = field(default_factory=dict)
    question: str = ""
    fields: str = ""
    references: list[str] = field(default_factory=list)

    @property
    def category(self) -> str:
        """The folder that it lies in; empty at the top."""
        parts = PurePosixPath(self.name).parts
        return parts[-2] if len(parts) > 1 else ""


@dataclass(slots=True)
class Layout:
    """Where things are: the index at the top, the table of figures, the folders, and files that are
    none of these."""

    index: str = ""
    figures: str = ""
    folders: dict[str, Folder] = field(default_factory=dict)
    others: list[BadRow] = field(default_factory=list)

    @property
    def models(self) -> list[str]:
        """All models, by name."""
        return sorted({model for folder in self.folders.values() for model in folder.answers})


@dataclass(frozen=True, slots=True)
class Entry:
    """One question: where it is stated, its cells, and its folder (None where there is none)."""

    file: str
    row: int
    cells: dict[str, Any]
    folder: Folder | None


def layout_of(names: Sequence[str]) -> Layout:
    """What each file is, by its name alone."""
    found = Layout()
    tables = [name for name in names if "/" not in name and _ending(name) in TABLES]
    found.figures = next((name for name in tables if _stem(name) in FIGURES), "")
    left = [name for name in tables if name != found.figures]
    found.index = next(
        (name for stem in INDEXES for name in left if _stem(name) == stem),
        left[0] if len(left) == 1 else "",
    )
    for name in names:
        if name in (found.index, found.figures):
            continue
        if "/" in name:
            _into(found, name)
        elif name in left:
            _other(
                found,
                name,
                say("importers.index.second"),
                say("importers.index.single"),
                say("importers.study.mend_index"),
            )
        elif not name.casefold().startswith(("readme", "license")):
            _other(
                found,
                name,
                say("importers.study.outside"),
                say("importers.study.index_and_folders"),
                say("importers.study.mend_outside"),
            )
    found.folders = {
        name: folder
        for name, folder in found.folders.items()
        if folder.answers or folder.question or folder.fields
    }
    return found


def _into(found: Layout, name: str) -> None:
    place, _, file = name.rpartition("/")
    folder = found.folders.setdefault(place, Folder(place))
    stem, ending = _stem(name), _ending(name)
    if ending in TABLES and stem in OWN_FIELDS and not folder.fields:
        folder.fields = name
    elif ending not in TEXTS:
        kind = (
            say("importers.study.other_type", ending=ending)
            if ending
            else say("importers.study.no_ending")
        )
        _other(
            found,
            name,
            kind,
            say("importers.study.text_file"),
            say("importers.study.mend_type"),
        )
    elif stem in QUESTION and not folder.question:
        folder.question = name
    elif REFERENCE.fullmatch(stem):
        folder.references.append(name)
    else:
        model = unicodedata.normalize("NFC", file[: len(file) - len(ending)]).strip()
        problem = flaw(model) or (
            None
            if model
            else (
                say("importers.study.no_name"),
                say("importers.study.mend_name"),
            )
        )
        if problem:
            _other(found, name, problem[0], say("importers.study.name_of_model"), problem[1])
        elif model in folder.answers:
            _other(
                found,
                name,
                say("importers.study.second_answer", model=quoted(model)),
                say("importers.study.file_once"),
                say("importers.study.mend_second"),
            )
        else:
            folder.answers[model] = name


def _other(found: Layout, name: str, what: str, expected: str, remedy: str) -> None:
    found.others.append(bad(_shown(name), 1, "", what, expected, remedy))


def _shown(name: str) -> str:
    return name.encode("utf-8", "replace").decode("utf-8")


def _stem(name: str) -> str:
    return unicodedata.normalize("NFC", PurePosixPath(name).stem).strip().casefold()


def _ending(name: str) -> str:
    return PurePosixPath(name).suffix.lower()


def is_blank(read: Reader, name: str) -> bool:
    """Whether a file is so short and empty that it holds no text; one that cannot be read is told
    elsewhere."""
    try:
        raw = read(name, _GLANCE + 1)
    except InputError:
        return False
    return len(raw) <= _GLANCE and not raw.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe")


def read_text(read: Reader, name: str, column: str, encoding: str = "") -> str | BadRow:
    """A text file's text, line ends as ``\\n``, without empty lines around it; a bad row where it
    holds none."""
    shown, what = (
        _shown(name),
        say("importers.study.question") if column == "question" else say("importers.study.answer"),
    )
    try:
        raw = read(name, LARGEST + 1)
    except InputError as error:
        return bad(shown, 1, column, error.found, error.expected, error.remedy)
    if len(raw) > LARGEST:
        return bad(
            shown,
            1,
            column,
            say("importers.study.too_large"),
            what,
            say("importers.study.shorten"),
        )
    if kind := binary_kind(raw):
        return bad(shown, 1, column, kind, what, say("importers.study.save_as_text"))
    text = (
        clean_lines(raw.decode(encoding or guess_encoding(raw).encoding, ERRORS))
        .lstrip("\ufeff")
        .strip("\n")
        .rstrip()
    )
    if problem := flaw(text):
        return bad(
            shown,
            text.count("\n", 0, max(text.find("\0"), 0)) + 1,
            column,
            problem[0],
            say("importers.rows.readable"),
            problem[1],
        )
    return (
        text
        if text.strip()
        else bad(
            shown,
            1,
            column,
            say("importers.study.empty"),
            what,
            say("importers.study.mend_empty"),
        )
    )


def entries(read: Reader, found: Layout, encoding: str = "") -> Iterator[Entry | BadRow]:
    """The questions in the order of the index, then those that their folders state; bad rows
    between them.

    InputError where the index cannot be read at all.
    """
    taken: dict[str, int] = {}
    rows = read_table(read, found.index, encoding) if found.index else []
    named = named_by([row.cells for row in rows if isinstance(row, Fields)])
    for number, row in enumerate(rows, 1):
        if isinstance(row, BadRow):
            yield row
            continue
        said = cell_text(row.cells.get(named, "")).strip() if named else str(number)
        folder = folder_of(found.folders, said)
        if folder is None:
            names = (
                say("importers.study.no_folder", folder=quoted(said))
                if named
                else say("importers.study.no_folder_number", number=number)
            )
            yield bad(
                row.file,
                row.row,
                named,
                names,
                say("importers.study.folder"),
                say("importers.study.mend_folder"),
            )
        elif folder.name in taken:
            what = say(
                "importers.study.folder_again",
                folder=quoted(folder.name),
                row=taken[folder.name],
            )
            yield bad(
                row.file,
                row.row,
                named,
                what,
                say("importers.study.folder_once"),
                say("importers.study.mend_folder_again"),
            )
            continue
        else:
            taken[folder.name] = row.row
        yield from _entry(read, row, folder, said, encoding)
    for folder in found.folders.values():
        if folder.name in taken:
            continue
        if folder.question or folder.fields:
            yield from _entry(
                read, Fields(folder.fields or folder.question, 1, {}), folder, folder.name, encoding
            )
        else:
            what = (
                say("importers.study.unnamed_folder", index=found.index)
                if found.index
                else say("importers.study.no_question")
            )
            remedy = say("importers.study.mend_no_question")
            yield bad(
                f"{_shown(folder.name)}/",
                1,
                "question",
                what,
                say("importers.study.question_somewhere"),
                remedy,
            )


def named_by(rows: Sequence[Mapping[str, Any]]) -> str:
    """The column that names the folders: one called so, else the id; empty where there is
    neither."""
    headers = list(dict.fromkeys(header for row in rows for header in row))
    ids = [
        (rank[1], header)
        for header in headers
        if (rank := role_of(header)) is not None and rank[0] == "question_id"
    ]
    return next(
        (header for header in headers if fold(header) in FOLDER), min(ids)[1] if ids else ""
    )


def folder_of(folders: Mapping[str, Folder], said: str) -> Folder | None:
    """The folder that a cell means: its name, the end of it, or the only one with that number."""
    name = unicodedata.normalize(
        "NFC", said.replace("\\", "/").removeprefix("./").strip("/ ")
    ).casefold()
    if not name:
        return None
    known = {
        unicodedata.normalize("NFC", place).casefold(): folder for place, folder in folders.items()
    }
    if name in known:
        return known[name]
    ends = [folder for place, folder in known.items() if place.endswith(f"/{name}")]
    if not ends and (said_number := _NUMBERED.fullmatch(name)):
        numbered = [
            (folder, found)
            for place, folder in known.items()
            if (found := _NUMBERED.fullmatch(place.rpartition("/")[2]))
        ]
        same = [
            (folder, found) for folder, found in numbered if int(found[2]) == int(said_number[2])
        ]
        ends = [folder for folder, found in same if said_number[1] in ("", found[1])]
    return ends[0] if len(ends) == 1 else None


def _entry(
    read: Reader, row: Fields, folder: Folder | None, said: str, encoding: str
) -> Iterator[Entry | BadRow]:
    """The question of a row, with what the files of its folder add to it; `said` is what the row
    calls the folder."""
    cells = {**row.cells, FROM_FILES["question_id"]: folder.name if folder is not None else said}
    if folder is not None:
        if folder.fields:
            try:
                own = read_table(read, folder.fields, encoding)
            except InputError as error:
                own = [bad(_shown(folder.fields), 1, "", error.found, error.expected, error.remedy)]
            yield from (item for item in own if isinstance(item, BadRow))
            first = next((item for item in own if isinstance(item, Fields)), None)
            cells = {
                **(first.cells if first else {}),
                **{name: cell for name, cell in cells.items() if cell_text(cell).strip()},
            }
        for header, name in (
            (FROM_FILES["question"], folder.question),
            *(
                (FROM_FILES["reference"], name)
                for name in sorted(folder.references, key=lambda name: (len(name), name))
            ),
        ):
            text = (
                read_text(
                    read, name, "question" if name == folder.question else "reference", encoding
                )
                if name
                else ""
            )
            if isinstance(text, BadRow):
                yield text
            elif text:
                cells[header] = (
                    [*cells.get(header, []), text] if header == FROM_FILES["reference"] else text
                )
        cells[CATEGORY] = folder.category
    yield Entry(_shown(row.file), row.row, cells, folder)
