"""The results as a workbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from graders.core.contracts import Exporter, Snapshot
from graders.core.errors import InputError
from graders.core.rubric import Criterion, read_rubric
from graders.core.words import carried, error_parts
from graders.exporters.sheets.cells import clean, columns_of, plain
from graders.exporters.sheets.files import finished
from graders.exporters.sheets.scores import Scores
from graders.exporters.sheets.study import mean_of_parts

MAX_ROWS = 1_048_576

PENDING = "pending"
#: What of a checklist is there, from 0 to 1: a column before those of its entries.
SHARE = "share present"
_WIDTHS = {
    "question": 48,
    "answer": 70,
    "rationale": 48,
    "final_reason": 28,
    "suggestion_reason": 32,
    "route_reason": 32,
    "evidence": 36,
}
_RESULT_KEYS = (
    "question_id",
    "question",
    "category",
    "task_type",
    "language",
    "model",
    "answer_version",
)
_VERDICT_KEYS = (
    "author",
    "author_name",
    "author_kind",
    "question_id",
    "model",
    "answer_version",
    "criterion",
    "part",
    "value",
    "status",
    "reason",
    "confidence",
    "rationale",
    "evidence",
    "arm",
    "design",
    "probability",
    "action",
    "seconds",
    "created_at",
)

say = carried(
    "xlsx",
    {
        "too_many.where": "sheet {sheet}",
        "too_many.found": "{rows} rows",
        "too_many.expected": "fewer than {most}",
        "too_many.remedy": "Export as CSV or exchange format.",
        "about.what": "What",
        "about.is": "Grades of answers of language models, exported by Cograde",
        "about.rows": "rows of {table}",
        "legend.results": (
            "One row per question and model, one column per criterion with the final value, then "
            "seconds and text scores of the answer."
        ),
        "legend.seconds": "Columns that end in _seconds: how long the answer took, in seconds.",
        "legend.scores": (
            "{names}: measured of the answer's text, mostly against the reference; in the place of "
            "one that is missing stands the reason."
        ),
        "legend.cells": (
            "One row per question, model, criterion and part, with final value, suggestion and "
            "route."
        ),
        "legend.verdicts": (
            "Every verdict of people and judges; rows are only ever added, a later row may amend "
            "or retract one."
        ),
        "legend.ceilings": (
            "Only with authors' own texts: their mean under a criterion, and the models' mean on "
            "the same questions."
        ),
        "legend.pending": (
            "No final value yet: people have still to decide. Pending is not zero, and no mean "
            "includes it."
        ),
        "legend.share": (
            "Of a checklist (facts, required elements, claims): the mean of its entries, from 0 "
            "to 1; pending while one is."
        ),
        "legend.people": "The final value is the median or the majority of the verdicts by people.",
        "legend.adjudicated": "The final value was decided by adjudication.",
        "legend.automatic": (
            "The final value is the suggestion of rules and judges; no person has confirmed it."
        ),
    },
)


@dataclass(frozen=True)
class Xlsx(Exporter):
    """Sheets Results, Cells, Verdicts and About. Texts stay texts: no formula runs, no address
    becomes a link."""

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Excel workbook: results with seconds and text scores, cells and verdicts on a sheet each"
    )
    title: ClassVar[str] = "Excel workbook"
    suffix: ClassVar[str] = ".xlsx"

    def write(self, snapshot: Snapshot, target: Path) -> None:
        import xlsxwriter

        scores = Scores(snapshot)
        sheets = {
            "Results": _results(snapshot, scores),
            "Cells": _cells(snapshot),
            "Verdicts": _verdicts(snapshot),
        }
        reached: list[Mapping[str, Any]] = [
            {**row, "names": ", ".join(row["names"])} for row in snapshot.tables.get("ceilings", ())
        ]
        if reached:
            sheets["Ceilings"] = (["criterion", "author", "models", "questions", "names"], reached)
        for name, (_, rows) in sheets.items():
            if len(rows) >= MAX_ROWS:
                raise InputError(
                    **error_parts("xlsx.too_many", sheet=name, rows=len(rows), most=MAX_ROWS)
                )
        options = {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "strings_to_numbers": False,
        }
        with (
            finished(target) as temporary,
            temporary.open("wb") as out,
            xlsxwriter.Workbook(out, options) as book,
        ):
            head = book.add_format({"bold": True, "bg_color": "#E8EDF5", "bottom": 1})
            for name, (columns, rows) in sheets.items():
                _fill(book.add_worksheet(name), columns, rows, head)
            _about(book.add_worksheet("About"), snapshot, scores, head)


Sheet = tuple[list[str], list[Mapping[str, Any]]]


def _results(snapshot: Snapshot, scores: Scores) -> Sheet:
    """One row per question and model; a criterion with parts has a column per part, a checklist
    also the share that is present. Seconds and text scores of the answer stand last."""
    rows: dict[tuple[Any, ...], dict[str, Any]] = {}
    columns: dict[str, None] = {}
    lists = _checklists(snapshot)
    parts: dict[tuple[tuple[Any, ...], str], list[Mapping[str, Any]]] = {}
    for cell in scores.rows(snapshot):
        key = (cell.get("question_id"), cell.get("model"), cell.get("answer_version"))
        if key not in rows:
            rows[key] = {**scores.shown(cell), **{name: cell.get(name) for name in _RESULT_KEYS}}
        if "criterion" not in cell:
            continue
        name, part = str(cell["criterion"]), cell.get("part")
        if name in lists:
            columns.setdefault(f"{name}: {SHARE}")
            parts.setdefault((key, name), []).append(cell)
        column = f"{name}: {part}" if part else name
        columns.setdefault(column)
        rows[key][column] = _final(cell)
    for (key, name), cells in parts.items():
        rows[key][f"{name}: {SHARE}"] = mean_of_parts(cells, lists[name])
    return [*_RESULT_KEYS, *columns, *scores.columns], list(rows.values())


def _checklists(snapshot: Snapshot) -> dict[str, Criterion]:
    """By key, the criteria whose parts are a list: facts, required elements or claims."""
    rubrics = [read_rubric(text, f"rubric {name}") for name, text in snapshot.rubrics.items()]
    return {c.key: c for rubric in rubrics for c in rubric.criteria if c.elements}


def _final(cell: Mapping[str, Any]) -> Any:
    """The final value; ``pending``, or the reason why there is none."""
    if cell.get("final_source") == PENDING:
        return PENDING
    value = cell.get("final")
    return value if value is not None else cell.get("final_reason") or ""


def _cells(snapshot: Snapshot) -> Sheet:
    rows = list(snapshot.tables.get("cells", ()))
    return columns_of(rows), [{**row, "final": _final(row)} for row in rows]


def _verdicts(snapshot: Snapshot) -> Sheet:
    rows: list[Mapping[str, Any]] = []
    names = {person["id"]: person.get("name") for person in snapshot.tables.get("people", ())}
    for table, name, kind in (("human", "annotator", "person"), ("judge", "judge", "judge")):
        for found in snapshot.tables.get(table, ()):
            rest = {key: value for key, value in found.items() if key != name}
            author = found.get(name)
            rows.append(
                {
                    "author": author,
                    "author_name": names.get(author) or author,
                    "author_kind": kind,
                    **rest,
                }
            )
    return columns_of(rows, _VERDICT_KEYS), rows


def _fill(sheet: Any, columns: Sequence[str], rows: Sequence[Mapping[str, Any]], head: Any) -> None:
    _widths(sheet, columns, rows)
    for index, name in enumerate(columns):
        sheet.write_string(0, index, clean(name), head)
    for number, row in enumerate(rows, 1):
        for index, name in enumerate(columns):
            _put(sheet, number, index, row.get(name))
    sheet.freeze_panes(1, 0)
    sheet.autofilter(0, 0, max(len(rows), 1), len(columns) - 1)


def _put(sheet: Any, row: int, column: int, value: Any) -> None:
    found = plain(value)
    if isinstance(found, str):
        if found:
            sheet.write_string(row, column, clean(found))
    # A spreadsheet keeps 15 digits: a longer whole number would come back as another one.
    elif isinstance(found, int) and abs(found) >= 10**15:
        sheet.write_string(row, column, str(found))
    else:
        sheet.write_number(row, column, found)


def _widths(sheet: Any, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Wide enough for the header and the longest of the first rows, within reason."""
    for index, name in enumerate(columns):
        longest = max((len(str(plain(row.get(name)))) for row in rows[:200]), default=0)
        sheet.set_column(index, index, _WIDTHS.get(name, min(max(len(name) + 4, longest + 2), 40)))


def _about(sheet: Any, snapshot: Snapshot, scores: Scores, head: Any) -> None:
    # Rows are written out one by one: widths come first.
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 100)
    for number, (key, value) in enumerate(_about_rows(snapshot, scores)):
        sheet.write_string(number, 0, clean(str(key)), head)
        _put(sheet, number, 1, value)


def _about_rows(snapshot: Snapshot, scores: Scores) -> Iterator[tuple[str, Any]]:
    """What this is and when it was made, as the project says; how much there is; what the words
    mean."""
    yield say("about.what"), say("about.is")
    for key, value in snapshot.project.items():
        yield str(key), value
    for name, rows in snapshot.tables.items():
        yield say("about.rows", table=name), len(rows)
    yield "Results", say("legend.results")
    yield "Cells", say("legend.cells")
    yield "Verdicts", say("legend.verdicts")
    yield "Ceilings", say("legend.ceilings")
    yield PENDING, say("legend.pending")
    yield SHARE, say("legend.share")
    if len(scores.columns) > len(scores.metrics):
        yield "seconds", say("legend.seconds")
    if scores.metrics:
        yield "text scores", say("legend.scores", names=", ".join(scores.metrics))
    for source in ("people", "adjudicated", "automatic"):
        yield source, say(f"legend.{source}")
