"""Bad rows as a file: mended there it comes in as its rows would have with the first file; where
that cannot be it is a list."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from graders.core.contracts import Look
from graders.core.mending import guarded, unguarded
from graders.core.rubric import read_rubric
from graders.store.transfer import bad_rows as store
from graders.workflows.importing import bad_rows
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.look_choices import with_columns
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.imported import values

HEAD = ["key", "Frage", "wer", "reply", "secs", "=completeness", "rater"]
ROWS = [
    ["1", "One?", "m", "- a\n- b", "1", "4", "ann"],
    # a bad number; the question's text stands in the row above
    [
        "1",
        "",
        "n",
        "=b",
        "soon",
        "3",
        "ann",
    ],
    ["2", "", "m", "c", "2", "3", "ann"],  # no question
    ["3", "Three?", "m", "-d", "2", "9", "ann"],  # off the scale
    ["4", "Four?", "m", "e", "2", "3", "ann"],
]
ROLES = (
    "key=question_id",
    "Frage=question",
    "wer=model",
    "reply=answer",
    "secs=total_seconds",
    "6=verdict",
    "rater=annotator",
)
RUBRIC = small.RUBRIC.replace("completeness:", '"=completeness":')


def as_csv(path: Path) -> None:
    out = io.StringIO()
    csv.writer(out).writerows([HEAD, *ROWS])
    # an open quote, and cells too few
    path.write_text(out.getvalue() + '"5,Five?,m,f,2,3,ann\n6,Six?\n', "utf-8")


def as_xlsx(path: Path) -> None:
    with xlsxwriter.Workbook(path, {"strings_to_formulas": False}) as book:
        sheet = book.add_worksheet("Data")
        for number, cells in enumerate([HEAD, *ROWS]):
            sheet.write_row(number, 0, cells)


def as_lines(path: Path) -> None:
    path.write_text(
        "".join(json.dumps(dict(zip(HEAD, row, strict=True))) + "\n" for row in ROWS) + "{broken\n",
        "utf-8",
    )


def staged(scope: Scope, file: Path, *, blind: bool = True) -> int:
    _, look = importing_look.see(file)
    return importing_stage.stage(
        scope, "study", file, with_columns(look, ROLES), rubric=read_rubric(RUBRIC), blind=blind
    ).import_id


def mended(text: str, **changes: dict[str, Any]) -> list[list[str]]:
    """The table with changed cells, by key and header."""
    head, *rows = csv.reader(io.StringIO(text))
    for row in rows:
        for header, value in changes.get(f"k{row[head.index('key')]}", {}).items():
            row[head.index(header)] = value
    return [head, *rows]


@pytest.mark.parametrize(
    ("name", "write", "left"),
    [("t.csv", as_csv, 1), ("t.xlsx", as_xlsx, 0), ("t.jsonl", as_lines, 0)],
    ids=["csv", "xlsx", "jsonl"],
)
def test_what_is_mended_comes_in_and_nothing_else_changes(
    tmp_path: Path, name: str, write: Callable[[Path], None], left: int
) -> None:
    scope = small.scope_of(small.workspace(tmp_path))
    write(tmp_path / name)
    first = staged(scope, tmp_path / name, blind=False)
    text = bad_rows.bad_rows_csv(scope, first)
    importing_stage.finish(scope, first)
    table = mended(
        text,
        k1={"secs": "3"},
        k2={"Frage": "Two?"},
        k3={"'=completeness": "5"},
        k5={"Frage": "Five?"},
        **{'k"5': {"key": "5"}},
    )
    assert table[0] == [
        f"cograde_{n}" for n in ("file", "row", "column", "found", "expected", "remedy", "reads")
    ] + [guarded(h) for h in HEAD]
    assert not any(cell.startswith(("=", "-")) for row in table for cell in row), (
        "nothing for a spreadsheet to run"
    )
    back = tmp_path / "to mend.csv"
    with back.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows(table)  # as a spreadsheet saves it elsewhere
    _, look = importing_look.see(back)
    assert look.mended is not None and look.mended.project == "study"
    report = importing_stage.stage(scope, "study", back, look)
    # the row with cells too few is as it was
    assert (report.bad, report.changed_questions, report.new_versions) == (
        left,
        0,
        0,
    )
    importing_stage.finish(scope, report.import_id)
    given = {"ann": sorted(value for _, value in values(scope.ws, 1))}
    assert given == {"ann": sorted([4, 3, 3, 5, 3] + [3] * (name == "t.csv"))}
    said = scope.ws.db.execute(
        "SELECT DISTINCT json_extract(provenance, '$.arm') FROM verdict"
    ).fetchall()
    assert [row[0] for row in said] == ["assisted"], "as it was said of the first file"
    texts = {row[0] for row in scope.ws.db.execute("SELECT text FROM answer")}
    assert texts == {"- a\n- b", "=b", "c", "-d", "e"} | ({"f"} if name == "t.csv" else set())


def test_answers_of_no_named_model_keep_the_name_of_the_first_file(tmp_path: Path) -> None:
    scope = small.scope_of(small.workspace(tmp_path))
    (tmp_path / "mistral.csv").write_text(
        "id,question,answer,seconds\n1,One?,a,1\n2,Two?,b,soon\n", "utf-8"
    )
    first = importing_stage.stage(scope, "study", tmp_path / "mistral.csv")
    text = bad_rows.bad_rows_csv(scope, first.import_id).replace("2,Two?,b,soon", "2,Two?,b,2")
    importing_stage.finish(scope, first.import_id)
    (tmp_path / "mend.csv").write_text(text, "utf-8")
    again = importing_stage.stage(scope, "study", tmp_path / "mend.csv")
    assert (again.answers, again.bad) == (1, 0)
    importing_stage.finish(scope, again.import_id)
    assert {row[0] for row in scope.ws.db.execute("SELECT model FROM answer")} == {"mistral"}


def test_rows_of_several_files_are_a_list(tmp_path: Path) -> None:
    scope = small.scope_of(small.workspace(tmp_path))
    path = small.folder(
        tmp_path,
        "x",
        questions=[*small.questions(1), {"id": "=q"}],
        answers=small.answers(1, ["Ash"]),
    )
    report = importing_stage.stage(scope, "study", path)
    assert report.bad == 1 and not bad_rows.can_be_mended(scope, report.import_id)
    assert list(csv.DictReader(io.StringIO(bad_rows.bad_rows_csv(scope, report.import_id)))) == [
        {"file": "questions.jsonl", "row": "2", "column": "text", "found": "no text", "expected": "a text that is not empty", "remedy": "Fill in text."}
    ]  # fmt: skip


def test_cells_go_with_their_import_and_are_kept_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = small.scope_of(small.workspace(tmp_path))
    as_csv(tmp_path / "t.csv")
    monkeypatch.setattr(store, "MOST", 100)
    first = staged(scope, tmp_path / "t.csv")
    kept = store.kept(scope.ws, first)
    assert kept is not None and sorted(kept.cells) == [3, 4], "of 47 and 41 characters"
    importing_stage.drop(scope, first)
    assert scope.ws.db.execute("SELECT count(*) FROM bad_row").fetchone()[0] == 0


@pytest.mark.parametrize("text", ["", "a", "=1", "'=1", "''-1", "'a", " \t@x", "＝x", "-", "'"])
def test_a_guarded_text_comes_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not guarded(text).lstrip().startswith(("=", "+", "-", "@", "＝"))


def test_a_changed_note_makes_it_a_table_like_others(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("cograde_reads,question,answer\n{changed,One?,a\n", "utf-8")
    _, look = importing_look.see(tmp_path / "t.csv", Look(has_header=None))
    assert look.mended is None and [c.role for c in look.columns[1:]] == ["question", "answer"]
