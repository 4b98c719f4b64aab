"""A study as a folder or zip: a folder per question with a text file per model, and an index that
names the questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from graders.core.contracts import FIGURES, Column, Imported, Importer, Look, Placed
from graders.core.errors import CogradeError, InputError
from graders.core.records import Answer, BadRow, Question
from graders.core.words import carried, error_parts
from graders.importers._archive import TELLING
from graders.importers._study import (
    CATEGORY,
    FOLDER,
    FROM_FILES,
    Entry,
    Folder,
    Layout,
    entries,
    is_blank,
    layout_of,
    read_text,
)
from graders.importers._study_figures import Figures, read_figures
from graders.importers._tree import Reader, Tree, tree_of
from graders.importers.tables.cells import bad
from graders.importers.tables.contents import cell_text
from graders.importers.tables.looks import CELL_SHOWN, SHOWN, table_look
from graders.importers.tables.rows import Row, records
from graders.importers.tables.words import fold

say = carried(
    "study_folder",
    {
        "blank.one": "{n:,} of {answers:,} files of answers is blank.",
        "blank.other": "{n:,} of {answers:,} files of answers are blank.",
        "questions.one": "{n:,} question",
        "questions.other": "{n:,} questions",
        "answers.one": "{n:,} answer",
        "answers.other": "{n:,} answers",
        "models.one": "{n:,} model",
        "models.other": "{n:,} models",
        "holds": "{questions}, {answers} of {models}: {named}.",
        "link": "a link",
        "no_index.where": "{file}",
        "no_index.found": "folders ({folders}) without an index",
        "no_index.expected": (
            "a folder per question with a text file per model, and index.csv or a question.txt in "
            "each folder"
        ),
        "no_index.remedy": "Add index.csv with the columns folder and question.",
        "no_texts.where": "{file}",
        "no_texts.found": "no folder with text files",
        "no_texts.expected": (
            "a folder per question with a text file per model, and index.csv or a question.txt in "
            "each folder"
        ),
        "no_texts.remedy": "Add index.csv with the columns folder and question.",
        "missing": "{n:,} of {wanted:,} answers are missing.",
        "mend_link": "Copy here what it leads to.",
        "own_file": "a file or folder of its own",
    },
)


#: Headers that come from folders and files, and the role that each has.
_MADE = {
    FROM_FILES["question"]: "question",
    FROM_FILES["question_id"]: "question_id",
    FROM_FILES["reference"]: "reference",
}
#: Roles that make no sense in an index: answers are files.
_NOT_HERE = ("answer", "model", *FIGURES)


@dataclass(frozen=True)
class StudyFolder(Importer):
    """Questions from an index, answers from text files::

        study/ index.csv a row per question: folder, question, category, type, reference, must have,
          ... answers.csv where there are figures: folder, model, time to first token, seconds,
          tokens, cost, ... q01/ question.txt in place of a question in the index reference.txt one
          right answer; reference-2.txt a further one gpt-4o.txt the answer of gpt-4o: the file's
          name is the model's llama3.txt q02/ ...

    The index may be CSV, TSV, XLSX, JSON, JSONL or YAML; its headers are those of any table, in any
    language. Its column ``folder`` (else the id, else the number of the row) names the folder: its
    name, the end of its path, or its number. Without an index each folder has question.txt, or a
    table of one row (question.yaml, question.json) with the fields. A question's id is the index's,
    else the name of the folder; folders may lie in folders of categories. Files are .txt or .md in
    any encoding.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "A folder or zip with a folder per question, a text file per model in it, "
        "and an index of the questions."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".zip", "")

    def fits(self, path: Path) -> int:
        """12 for a folder or zip of such folders with an index or questions in them (25 where its
        index is called like a table of the exchange format), 2 for folders of text files alone
        (`look` then says what is missing), else 0."""
        if not path.is_dir() and path.suffix.lower() != ".zip":
            return 0
        try:
            names = tree_of(path).names
        except CogradeError:
            return 0
        found = layout_of(list(names))
        told = [name for name in TELLING if name in names]
        answered = any(folder.answers for folder in found.folders.values())
        if not found.folders or (told and not (told == [found.index] and answered)):
            return 0
        if not found.index and not _stated(found):
            return 2 if answered else 0
        return 25 if told else 12

    def look(self, path: Path, choices: Look | None = None) -> Look:
        """The questions as a table, with what was made of the columns of the index; models and gaps
        as notes.

        InputError where there is neither an index nor a question in a folder, or the index cannot
        be read.
        """
        tree = tree_of(path)
        found = _layout(tree, path)
        with tree.opened() as read:
            listed = [
                item
                for item in entries(read, found, choices.encoding if choices else "")
                if isinstance(item, Entry)
            ]
            blank = sum(
                is_blank(read, name)
                for entry in listed
                if entry.folder is not None
                for name in entry.folder.answers.values()
            )
        columns = _columns(listed, choices)
        rows = [[_cell(entry, column) for column in columns] for entry in listed[:SHOWN]]
        return Look(
            layout="study",
            encoding=choices.encoding if choices else "",
            columns=columns,
            first_rows=tuple(tuple(cell_text(cell)[:CELL_SHOWN] for cell in row) for row in rows),
            rows=len(listed),
            notes=_notes(found, listed, blank),
        )

    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """Each question with its answers after it, in the order of the index; bad rows and bad
        files at their places."""
        tree = tree_of(path)
        found = _layout(tree, path)
        with tree.opened() as read:
            yield from found.others
            figures, problems = read_figures(read, found, look.encoding)
            yield from problems
            listed: list[Entry] = []
            for item in entries(read, found, look.encoding):
                if isinstance(item, Entry):
                    listed.append(item)
                else:
                    yield item
            yield from _records(
                read,
                listed,
                _columns(listed, look),
                figures,
                look.encoding,
                found.index or path.name,
            )


def _stated(found: Layout) -> bool:
    return any(folder.question or folder.fields for folder in found.folders.values())


def _layout(tree: Tree, path: Path) -> Layout:
    found = layout_of(list(tree.names))
    found.others += [
        bad(name, 1, "", say("link"), say("own_file"), say("mend_link")) for name in tree.links
    ]
    if not found.folders or not (found.index or _stated(found)):
        some = ", ".join(list(found.folders)[:3])
        key = "no_index" if some else "no_texts"
        raise InputError(**error_parts(f"study_folder.{key}", file=path.name, folders=some))
    return found


def _notes(found: Layout, listed: list[Entry], blank: int) -> tuple[str, ...]:
    folders = [entry.folder for entry in listed if entry.folder is not None]
    answers, models = sum(len(folder.answers) for folder in folders), found.models
    named = ", ".join(models[:30]) + (", ..." if len(models) > 30 else "")
    notes = [
        say(
            "holds",
            questions=say("questions", n=len(listed)),
            answers=say("answers", n=answers - blank),
            models=say("models", n=len(models)),
            named=named,
        )
    ]
    if gaps := len(folders) * len(models) - answers:
        notes.append(say("missing", n=gaps, wanted=len(folders) * len(models)))
    if blank:
        notes.append(say("blank", n=blank, answers=answers))
    return tuple(notes)


# -- the index as a table


def _columns(listed: list[Entry], choices: Look | None) -> tuple[Column, ...]:
    """The columns of the index with their roles, then those that folders and files fill; `choices`
    of the same columns hold."""
    made = (*_MADE, CATEGORY)
    headers = list(
        dict.fromkeys(header for entry in listed for header in entry.cells if header not in made)
    )
    columns: list[Column] = []
    if headers:
        rows = [
            Row(0, headers),
            *(
                Row(n, [entry.cells.get(header, "") for header in headers])
                for n, entry in enumerate(listed, 1)
            ),
        ]
        for column in table_look(iter(rows), "index", Look(has_header=True)).columns[
            : len(headers)
        ]:
            away = column.role in _NOT_HERE or fold(column.header) in FOLDER
            columns.append(replace(column, role="metadata" if away else column.role, model=""))
    roles = {column.role for column in columns}
    for header, role in (*_MADE.items(), (CATEGORY, "category")):
        filled = any(cell_text(entry.cells.get(header, "")).strip() for entry in listed)
        if role == "reference" or role not in roles:
            columns += (
                [Column(index=len(columns), header=header, role=role)]
                if filled or role in ("question", "question_id")
                else []
            )
    if choices is not None and [c.header for c in choices.columns] == [c.header for c in columns]:
        return choices.columns
    return tuple(columns)


def _cell(entry: Entry, column: Column) -> Any:
    """The cell of a question; where the index leaves it empty, what its folder says."""
    cell = entry.cells.get(column.header, "")
    if not cell_text(cell).strip():
        made = next(
            (header for header, role in _MADE.items() if role == column.role != "reference"), ""
        )
        return entry.cells.get(made, "")
    return cell


def _records(
    read: Reader,
    listed: list[Entry],
    columns: tuple[Column, ...],
    figures: Figures,
    encoding: str,
    file: str,
) -> Iterator[Imported]:
    """The records of the questions' rows, and of the files of each after it."""
    # Rows of the index keep their numbers where they can, for messages name them; several may begin
    # in one line of JSON.
    by_number: dict[int, Entry] = {}
    for entry in listed:
        number = entry.row
        while number in by_number:
            number += 1
        by_number[number] = entry
    rows = [
        Row(number, [_cell(entry, column) for column in columns])
        for number, entry in by_number.items()
    ]
    for item in records(
        lambda: iter(rows), Look(layout="wide", columns=columns), file, Path(file).stem
    ):
        entry = by_number[item.row]
        placed: Imported = replace(item, file=entry.file, row=entry.row)
        yield placed
        if (
            isinstance(placed, Placed)
            and isinstance(placed.record, Question)
            and entry.folder is not None
        ):
            yield from _answers(read, placed.record.id, entry.folder, figures, encoding)


def _answers(
    read: Reader, question: str, folder: Folder, figures: Figures, encoding: str
) -> Iterator[Imported]:
    for model, name in sorted(folder.answers.items()):
        text = read_text(read, name, "answer", encoding)
        if isinstance(text, BadRow):
            yield text
            continue
        known = dict(figures.get((folder.name, model), {}))
        metadata = {"file": name, **known.pop("metadata", {})}
        yield Placed(
            record=Answer(question_id=question, model=model, text=text, metadata=metadata, **known),
            file=name,
            row=1,
        )
