"""The exchange format: a folder or zip with project, rubrics and one JSONL file per table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, ClassVar

from graders.core.contracts import Imported, ImportedRow, Importer, Look, Placed
from graders.core.errors import CogradeError
from graders.core.records import BadRow, Question
from graders.core.words import carried
from graders.importers._archive import TELLING, Members, members
from graders.importers._exchange import Line, Seen, record_of
from graders.importers.tables.cells import bad, flaw, quoted
from graders.importers.tables.objects import parse, reason

say = carried(
    "exchange",
    {
        "rubrics": "Rubrics: {names}.",
        "readable": "readable text",
        "short_text": "a short text",
        "shorter_lines": "shorter lines",
        "tables": "Tables: {names}.",
        "not_utf8": "bytes that are no UTF-8",
        "not_utf8_at": "bytes that are no UTF-8 at byte {byte}",
        "large_file": "a file of more than 64 MB",
        "long_line": "a line of more than 64 MB",
        "mend_bytes": "Mend the line, or save the file as UTF-8.",
        "mend_file": "Mend or remove the file.",
        "mend_line": "Mend or remove the line.",
        "object": "one JSON object",
        "named_fields": "one JSON object with named fields",
        "left_out": "Not part of the format and left out: {names}.",
        "save_utf8": "Save the file as UTF-8.",
        "shorten_file": "Shorten the file.",
        "shorten_line": "Shorten the texts in this line.",
        "missing": "There is no {name}.",
    },
)


#: Tables in the order in which they are read, so that what a row names was there before it; then
#: others by name. Pairs stand before the answers, because they say after how many of these they
#: came.
ORDER = (
    "people",
    "questions",
    "pairs",
    "answers",
    "human",
    "judge",
    "metrics",
    "routes",
    "screens",
    "assignments",
    "calls",
)
#: The longest name of a project, in characters.
LONGEST_NAME = 120
#: The longest line, in bytes: 64 MB.
LONGEST = 64 * 1024 * 1024


@dataclass(frozen=True)
class Exchange(Importer):
    """Everything of a project as Cograde itself writes it. Only a table's first fields are
    mandatory."""

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Cograde's own format: a folder or zip with questions.jsonl, answers.jsonl and, "
        "where there are any, verdicts."
    )
    suffixes: ClassVar[tuple[str, ...]] = (".zip", "")

    def fits(self, path: Path) -> int:
        """20 for a folder or zip with one of the format's files, 1 for any other zip or folder
        (`look` says what is wrong)."""
        if not path.is_dir() and path.suffix.lower() != ".zip":
            return 0
        try:
            members(path)
        except CogradeError:
            return 1
        return 20

    def look(self, path: Path, choices: Look | None = None) -> Look:
        """The tables that are there and the first questions; nothing can be chosen. InputError for
        what is no such set."""
        found = members(path)
        notes = [say("tables", names=", ".join(_tables(found)))] if _tables(found) else []
        rubrics = [name for name in found.files if name.startswith("rubrics/")]
        if rubrics:
            notes.append(say("rubrics", names=", ".join(sorted(rubrics))))
        if found.left_out:
            notes.append(say("left_out", names=", ".join(found.left_out[:10])))
        notes += [say("missing", name=name) for name in TELLING[:2] if name not in found.files]
        first = list(
            islice(
                (item.record for item in _table(found, "questions") if isinstance(item, Placed)), 10
            )
        )
        shown = tuple((q.id, q.text[:200]) for q in first if isinstance(q, Question))
        return Look(layout="exchange", encoding="utf-8", first_rows=shown, notes=tuple(notes))

    def project_name(self, path: Path) -> str:
        """The name that the project had where it was exported; empty where the set does not say one
        that fits."""
        found = members(path)
        made = _project(found) if "project.json" in found.files else None
        record = made.record if isinstance(made, Placed) else None
        name = record.fields.get("name") if isinstance(record, ImportedRow) else None
        fits = (
            isinstance(name, str)
            and name == name.strip()
            and 0 < len(name) <= LONGEST_NAME
            and name.isprintable()
        )
        return str(name) if fits else ""

    def read(self, path: Path, look: Look) -> Iterator[Imported]:
        """Project, rubrics, people, questions, pairs, answers, verdicts, metrics, routes, screens,
        assignments, calls, others."""
        found = members(path)
        if "project.json" in found.files:
            yield _project(found)
        for name in sorted(found.files):
            if name.startswith("rubrics/"):
                yield _rubric(found, name)
        for table in _tables(found):
            yield from _table(found, table)


def _tables(found: Members) -> list[str]:
    there = [name.removesuffix(".jsonl") for name in found.files if name.endswith(".jsonl")]
    return [table for table in ORDER if table in there] + sorted(set(there) - set(ORDER))


def _whole(found: Members, name: str) -> str | BadRow:
    """A small file as text."""
    with found.open(name) as stream:
        raw = stream.read(LONGEST + 1)
    if len(raw) > LONGEST:
        return bad(name, 1, "", say("large_file"), say("short_text"), say("shorten_file"))
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return bad(
            name,
            raw.count(b"\n", 0, error.start) + 1,
            "",
            say("not_utf8"),
            "UTF-8",
            say("save_utf8"),
        )
    problem = flaw(text)
    return bad(name, 1, "", problem[0], say("readable"), problem[1]) if problem else text


def _project(found: Members) -> Imported:
    text = _whole(found, "project.json")
    if isinstance(text, BadRow):
        return text
    try:
        fields = parse(text)
    except ValueError as error:
        return bad("project.json", 1, "", reason(error), say("object"), say("mend_file"))
    if not isinstance(fields, dict):
        return bad("project.json", 1, "", quoted(fields), say("object"), say("mend_file"))
    return Placed(
        record=ImportedRow(table="project", fields=fields, file="project.json", row=1),
        file="project.json",
        row=1,
    )


def _rubric(found: Members, name: str) -> Imported:
    text = _whole(found, name)
    if isinstance(text, BadRow):
        return text
    fields = {"file": name.removeprefix("rubrics/"), "text": text}
    return Placed(
        record=ImportedRow(table="rubric", fields=fields, file=name, row=1), file=name, row=1
    )


def _table(found: Members, table: str) -> Iterator[Imported]:
    file = f"{table}.jsonl"
    if file not in found.files:
        return
    seen: Seen = {}
    with found.open(file) as stream:
        for number, raw in _lines(stream):
            line = _line(file, number, raw)
            if line is None:
                continue
            record = line if isinstance(line, BadRow) else record_of(table, line, seen)
            yield (
                record
                if isinstance(record, BadRow)
                else Placed(record=record, file=file, row=number)
            )


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; one that is too long is cut after `LONGEST` + 1 bytes and the rest
    skipped."""
    number = 0
    while raw := stream.readline(LONGEST + 1):
        number += 1
        rest = raw
        while len(rest) > LONGEST and not rest.endswith(b"\n"):
            rest = stream.readline(LONGEST + 1)
        yield number, raw


def _line(file: str, number: int, raw: bytes) -> Line | BadRow | None:
    if len(raw) > LONGEST:
        return bad(
            file,
            number,
            "",
            say("long_line"),
            say("shorter_lines"),
            say("shorten_line"),
        )
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        if not text:
            return None
        fields = parse(text)
    except UnicodeDecodeError as error:
        found = say("not_utf8_at", byte=error.start + 1)
        return bad(file, number, "", found, "UTF-8", say("mend_bytes"))
    except ValueError as error:
        return bad(
            file,
            number,
            "",
            f"{reason(error)} in {quoted(text)}",
            say("object"),
            say("mend_line"),
        )
    if not isinstance(fields, dict):
        return bad(
            file,
            number,
            "",
            quoted(fields),
            say("named_fields"),
            say("mend_line"),
        )
    return Line(file, number, fields, escaped="\\u" in text)
