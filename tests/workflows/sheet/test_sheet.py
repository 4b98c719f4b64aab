"""A study written as a sheet, worked in by people, and what comes back: exactly what they changed,
as their verdicts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from graders.core.errors import Conflict, InputError
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.answers import content, elections
from graders.workflows.importing import look as importing_look
from graders.workflows.report.export import take_snapshot
from graders.workflows.scope.permissions import Scope
from graders.workflows.sheet import sheet
from graders.workflows.sheet.sheet import book_at
from tests.support.sheets import QUESTIONS, RUBRIC, Rows, resaved, rows, study, typed, values
from tests.support.studies import bring


@pytest.fixture
def lead(tmp_path: Path) -> Scope:
    return study(tmp_path)


@pytest.fixture
def path(tmp_path: Path, lead: Scope) -> Path:
    sheet.write(lead, "study", book_at(str(tmp_path / "study.xlsx")))
    return tmp_path / "study.xlsx"


def back(scope: Scope, path: Path, person: str = "Ann") -> sheet.Brought:
    return sheet.read(scope, "study", book_at(str(path)), person)


def said(scope: Scope, person: str) -> list[tuple[Any, ...]]:
    """A person's verdicts as they were appended."""
    names = {p.name: p.id for p in projects.people(scope.ws).values()}
    found = take_snapshot(scope, "study").tables["human"]
    keys = ("question_id", "model", "criterion", "part", "value", "kind", "arm", "action")
    return [
        tuple(row.get(k) for k in keys) for row in found if row["annotator"] == names.get(person)
    ]


def finals(scope: Scope) -> dict[tuple[str, str, str, str], Any]:
    cells = take_snapshot(scope, "study").tables["cells"]
    return {(c["question_id"], c["model"], c["criterion"], c["part"]): c["final"] for c in cells}


def test_the_sheet_has_a_block_per_question_a_row_per_criterion_and_a_column_per_model(
    path: Path,
) -> None:
    assert rows(path) == [
        ["Question id", "Question", "Criterion", "Ash", "Oak"],
        ["q1", "Why is the sky blue?", "relevance", "relevant", "relevant"],
        ["q1", "", "depth", 3.5, 7.0],
        ["q1", "", "clarity", 0.75, 0.75],  # (5 of 1..5 is 1, 3 of 1..5 is 0.5; their mean)
        ["q1", "", "clarity: language", 5.0, 5.0],
        ["q1", "", "clarity: order", 3.0, 3.0],
        ["q2", "Why is grass green?", "relevance", "pending", "pending"],
        ["q2", "", "depth", "pending", "pending"],
        ["q2", "", "clarity", "pending", "pending"],
        ["q2", "", "clarity: language", "pending", "pending"],
        ["q2", "", "clarity: order", "pending", "pending"],
    ]


def test_only_what_was_changed_comes_back(lead: Scope, path: Path) -> None:
    typed(
        path,
        ("q1", "depth", "Ash", "4,5"),
        ("q2", "relevance", "Oak", " Relevant"),
        ("q2", "clarity: order", "Ash", 2),
    )
    brought = back(lead, path)
    assert (brought.verdicts, brought.unchanged, brought.bad_rows, brought.new_person) == (
        3,
        0,
        (),
        True,
    )
    assert said(lead, "Ann") == [
        ("q1", "Ash", "study/depth", None, 4.5, None, "assisted", "edited"),
        ("q2", "Oak", "study/relevance", None, "relevant", None, "assisted", "typed"),
        ("q2", "Ash", "study/clarity", "order", 2, None, "assisted", "typed"),
    ]
    assert len(said(lead, "kim")) == 8  # Kim's 3.5 stands beside Ann's 4.5
    after = finals(lead)
    assert after["q1", "Ash", "study/depth", ""] == 4.0  # the median of 3.5 and 4.5
    assert after["q2", "Oak", "study/relevance", ""] == "relevant"


def test_a_sheet_that_nobody_changed_brings_nothing(lead: Scope, path: Path) -> None:
    resaved(path)
    assert back(lead, path).verdicts == 0
    # and no person is made for it
    assert [p.name for p in projects.people(lead.ws).values()] == ["kim"]


def test_the_same_sheet_twice_brings_its_values_once(lead: Scope, path: Path) -> None:
    typed(path, ("q2", "depth", "Oak", 8))
    assert back(lead, path).verdicts == 1
    again = back(lead, path)
    assert (again.verdicts, again.unchanged) == (0, 1)
    typed(path, ("q2", "depth", "Oak", 9))  # a second thought in the same sheet amends the first
    assert back(lead, path).verdicts == 1
    assert [(row[4], row[5]) for row in said(lead, "Ann")] == [(8.0, None), (9.0, "amends")]
    assert finals(lead)["q2", "Oak", "study/depth", ""] == 9.0


def test_a_look_says_what_would_change_and_writes_nothing(lead: Scope, path: Path) -> None:
    typed(
        path,
        ("q2", "depth", "Oak", 8),
        ("q2", "clarity: order", "Ash", 2),
        ("q1", "relevance", "Ash", "great"),
    )
    seen, changes = sheet.look(lead, "study", sheet.book_at(str(path)), "Ann")
    assert (seen.verdicts, len(seen.bad_rows), seen.new_person) == (2, 1, True)
    assert [(c.question_id, c.model, c.criterion, c.part, c.before, c.value) for c in changes] == [
        ("q2", "Oak", "Depth", "", "pending", 8.0),
        ("q2", "Ash", "Clarity", "order", "pending", 2),
    ]
    assert [p.name for p in projects.people(lead.ws).values()] == ["kim"] and len(
        said(lead, "kim")
    ) == 8
    assert back(lead, path).verdicts == 2
    again, changes = sheet.look(lead, "study", sheet.book_at(str(path)), "Ann")
    assert (again.verdicts, again.unchanged, changes) == (0, 2, [])


def shuffled(table: Rows) -> None:
    """Rows sorted by criterion, columns in another order, a column of notes, a title above."""
    head, *lines = table
    order = [4, 2, 0, 1, 3]
    lines.sort(key=lambda row: (row[2], row[0]))
    table[:] = [["Autumn study"], []] + [
        [row[i] for i in order[:2]] + ["my note"] + [row[i] for i in order[2:]]
        for row in [head, *lines]
    ]


def test_rows_and_columns_are_found_by_name_whatever_their_order(lead: Scope, path: Path) -> None:
    typed(path, ("q2", "depth", "Oak", 8), ("q1", "relevance", "Ash", "irrelevant"))
    resaved(path, shuffled)
    assert back(lead, path).verdicts == 2
    assert {row[:5] for row in said(lead, "Ann")} == {
        ("q2", "Oak", "study/depth", None, 8.0),
        ("q1", "Ash", "study/relevance", None, "irrelevant"),
    }


def test_a_label_may_be_typed_in_the_language_of_a_translation(lead: Scope, path: Path) -> None:
    typed(
        path,
        ("q1", "relevance", "Ash", "Не соответствует"),
        ("q1", "relevance", "Oak", "соответствует"),
    )
    assert (back(lead, path).bad_rows, said(lead, "Ann")) == (
        (),
        # Oak's was relevant already
        [("q1", "Ash", "study/relevance", None, "irrelevant", None, "assisted", "edited")],
    )


def test_not_applicable_is_a_verdict_too(lead: Scope, path: Path) -> None:
    typed(path, ("q2", "depth", "Oak", "N/A"))
    assert back(lead, path).verdicts == 1
    assert (
        next(
            row for row in take_snapshot(lead, "study").tables["human"] if row["annotator"] != "kim"
        )["reason"]
        == "not_applicable"
    )


@pytest.mark.parametrize(
    ("change", "column", "found", "expected", "remedy"),
    [
        (("q1", "depth", "Oak", 11), "E (Oak)", "11", "a number from 0 to 10", "Write n/a where the criterion does not apply, or put back what was there: 7."),
        (("q1", "relevance", "Ash", "great"), "D (Ash)", "'great'", "one of irrelevant, relevant", "Write n/a where the criterion does not apply, or put back what was there: relevant."),
        (("q1", "relevance", "Ash", ""), "D (Ash)", "an empty cell", "one of irrelevant, relevant", "Write n/a where the criterion does not apply, or put back what was there: relevant."),
        (("q1", "clarity: order", "Ash", "2,5"), "D (Ash)", "'2,5'", "a whole number from 1 to 5", "Write n/a where the criterion does not apply, or put back what was there: 3."),
        (("q1", "depth", "Oak", "#DIV/0!"), "E (Oak)", "'#DIV/0!'", "a number from 0 to 10", "Write n/a where the criterion does not apply, or put back what was there: 7."),
        (("q1", "clarity", "Oak", 1), "E (Oak)", "1", "0.75, as it was written: it follows from the rows of its parts", "Put it back and change the parts."),
    ],
)  # fmt: skip
def test_a_bad_value_is_named_with_its_place_and_the_good_one_beside_it_comes_in(
    lead: Scope,
    path: Path,
    change: tuple[str, str, str, Any],
    column: str,
    found: str,
    expected: str,
    remedy: str,
) -> None:
    typed(path, change, ("q2", "depth", "Ash", 1))
    brought = back(lead, path)
    assert brought.verdicts == 1
    (bad,) = brought.bad_rows
    line = next(i for i, row in enumerate(rows(path), 1) if (row[0], row[2]) == change[:2])
    assert (bad.file, bad.row, bad.column) == ("study.xlsx, sheet Study", line, column)
    assert (bad.found, bad.expected, bad.remedy) == (found, expected, remedy)


def test_a_verdict_given_at_the_desk_since_is_not_amended_by_an_older_sheet(
    lead: Scope, path: Path, tmp_path: Path
) -> None:
    later = {
        "annotator": "kim",
        "criterion": "study/depth",
        "question_id": "q1",
        "model": "Ash",
        "created_at": "2099-01-01T00:00:00.000Z",
    }
    bring(lead, tmp_path, RUBRIC, questions=list(QUESTIONS), human=[{**later, "value": 6}])
    typed(path, ("q1", "depth", "Ash", 1), ("q1", "depth", "Oak", 2))
    brought = back(lead, path, "kim")
    assert brought.verdicts == 1  # on Oak, where Kim's verdict is older than the sheet
    assert [(b.found, b.expected) for b in brought.bad_rows] == [
        ("1", "'6.0', which kim said after the sheet was written")
    ]
    assert finals(lead)["q1", "Ash", "study/depth", ""] == 6.0


def test_a_criterion_that_changed_since_takes_no_values(lead: Scope, path: Path) -> None:
    project = lead.project("study")
    projects.save_rubric(
        lead.ws,
        project,
        read_rubric(
            RUBRIC.replace("How deep?", "How deep is it?").replace("  relevance", "  pertinence")
        ),
    )
    typed(path, ("q1", "depth", "Ash", 1), ("q1", "relevance", "Ash", "irrelevant"))
    assert [(b.row, b.expected) for b in back(lead, path).bad_rows] == [
        (2, "a criterion as it was when the sheet was written; it is no longer in the project"),
        (
            3,
            "a criterion as it was when the sheet was written; it has another question, guide or scale now",
        ),
    ]


def test_values_belong_to_the_text_that_the_sheet_was_written_for(
    lead: Scope, path: Path, tmp_path: Path
) -> None:
    bring(
        lead,
        tmp_path,
        RUBRIC,
        answers=[{"question_id": "q2", "model": "Oak", "text": "Another text."}],
    )
    typed(path, ("q2", "depth", "Oak", 8))
    assert back(lead, path).verdicts == 1
    # the new text is still to be graded
    assert finals(lead)["q2", "Oak", "study/depth", ""] is None
    given = [
        row for row in take_snapshot(lead, "study").tables["human"] if row["annotator"] != "kim"
    ]
    assert [(row["answer_version"], row["value"]) for row in given] == [(1, 8.0)]


def test_what_stands_where_nothing_was_written_and_what_stands_twice(
    lead: Scope, path: Path
) -> None:
    def change(table: Rows) -> None:
        table.append([*table[1][:3], "irrelevant", "irrelevant"])
        for row in table:
            row.append("Ash" if row is table[0] else "")

    resaved(path, change)
    assert [(b.row, b.column, b.found, b.remedy) for b in back(lead, path).bad_rows] == [
        (1, "F", "a second column for 'Ash'", "Remove or rename it."),
        (12, "C", "a second row for 'q1, relevance'", "Remove or rename it."),
    ]


def test_rows_that_somebody_added_with_values_are_named(lead: Scope, path: Path) -> None:
    bring(lead, path.parent, questions=[{"id": "q3", "text": "Why is snow white?"}])

    def change(table: Rows) -> None:
        table.append(["q9", "Why is it dark?", "relevance", "relevant", ""])
        table.append(["", "", "depth", 5, 6])
        # a note of the team's own
        table.append(["q9", "Why is it dark?", "our remark", "well said", ""])
        table.append(["q3", "Why is snow white?", "depth", "", 7])
        table.append(["q9", "Why is it dark?", "clarity: language", "", ""])

    resaved(path, change)
    brought = back(lead, path)
    known = "Correct it; or import the question with its answers, write the sheet again, then import it again."
    assert [(b.row, b.column, b.found, b.expected, b.remedy) for b in brought.bad_rows] == [
        (
            12,
            "A",
            "'q9'",
            "the id of a question of this project; 1 value beside it was not read",
            known,
        ),
        (
            13,
            "A",
            "'q9'",
            "the id of a question of this project; 2 values beside it were not read",
            known,
        ),
        (
            15,
            "A",
            "'q3'",
            "a row that Cograde wrote; 1 value beside it was not read",
            "Write the sheet again, then import it again.",
        ),
    ]


def test_rows_and_columns_that_are_gone_change_nothing(lead: Scope, path: Path) -> None:
    def change(table: Rows) -> None:
        del table[2]
        for row in table:
            del row[4]

    resaved(path, change)
    brought = back(lead, path)
    assert (brought.verdicts, brought.bad_rows) == (0, ())
    assert brought.notes == (
        "1 row that was written is no longer there; its verdicts stay as they are.",
        "The column of Oak is no longer there; its verdicts stay as they are.",
    )


def test_a_name_that_somebody_wrote_over_is_refused_with_what_stands_beside_it(
    lead: Scope, path: Path
) -> None:
    def change(table: Rows) -> None:
        table[0][4], table[0][3:3] = "Oak 2", ["notes"]
        for row in table[1:]:
            row.insert(3, "pending" if row is table[6] else "")
        table[2][5] = 8  # Oak's depth was 7
        table[6][2] = "usefulness"  # was relevance
        table[6][4] = "relevant"  # Ash's was pending
        table[10][0] = "Q-2"

    resaved(path, change)
    brought = back(lead, path)
    assert (brought.verdicts, brought.notes) == (0, ())
    assert [(b.row, b.column, b.found, b.expected) for b in brought.bad_rows] == [
        (1, "F", "'Oak 2'", "'Oak', as it was written; 1 changed value below was not read"),
        (
            7,
            "C",
            "'usefulness'",
            "'relevance', as it was written; 1 changed value beside it was not read",
        ),
        (11, "A", "'Q-2'", "'q2', as it was written"),
    ]
    assert {b.remedy for b in brought.bad_rows} == {
        "Put the old name back and import the sheet again."
    }


def test_whoever_worked_in_the_sheet_gets_no_blind_screen_with_its_answers(
    lead: Scope, path: Path
) -> None:
    typed(path, ("q2", "depth", "Oak", 8))
    back(lead, path)
    # all four answers, not only the one that was graded
    assert lead.ws.db.execute("SELECT count(*) FROM seen").fetchone()[0] == 4


def appointed(lead: Scope, model: str) -> None:
    """A person's word on the reference of q1."""
    project = lead.project("study")
    [question] = content.question_ids(lead.ws.db, project, ["q1"]).values()
    subject = content.subject_rows(lead.ws.db, project, [question])[question, model, 1, ""]
    with lead.ws.write() as db:
        elections.put(db, lead.ws, project, question, subject, {}, by="lead")


def test_the_reference_is_marked(lead: Scope, path: Path) -> None:
    appointed(lead, "Oak")
    written = sheet.write(lead, "study", book_at(str(path)))
    assert written.rows_added == 1
    assert (
        values(path)["q1", "reference", "Oak"] == "★ appointed by lead"
        and values(path)["q1", "reference", "Ash"] == ""
    )
    appointed(lead, "Ash")
    sheet.write(lead, "study", book_at(str(path)))
    assert (
        values(path)["q1", "reference", "Ash"] == "★ appointed by lead"
        and values(path)["q1", "reference", "Oak"] == ""
    )
    typed(path, ("q1", "reference", "Oak", "★"))
    assert [b.expected for b in back(lead, path).bad_rows] == [
        "an empty cell, as it was written: the reference is elected by the values"
    ]
    resaved(path)
    typed(path, ("q1", "reference", "Oak", ""))


def test_the_election_by_numbers_is_marked_with_its_numbers(lead: Scope, path: Path) -> None:
    db, project = lead.ws.db, lead.project("study")
    subject, question = db.execute(
        "SELECT s.id, s.question_id FROM subject s JOIN answer a ON a.id = s.answer_id WHERE a.model = 'Ash' ORDER BY s.id"
    ).fetchone()
    numbers = json.dumps({"by": ["relevance", "clarity"], "score": 1.75, "of": 2})
    sql = "INSERT INTO election (project_id, question_id, subject_id, by, numbers, at) VALUES (?, ?, ?, '', ?, '')"
    with lead.ws.write() as write:
        write.execute(sql, (project.id, question, subject, numbers))
    sheet.write(lead, "study", book_at(str(path)))
    assert values(path)["q1", "reference", "Ash"] == "★ elected: relevance + clarity 1.75 of 2"


def other_name(scope: Scope, path: Path) -> None:
    sheet.read(scope, "study", book_at(str(path)), "x" * 81)


def no_memory(scope: Scope, path: Path) -> None:
    path.unlink()
    resave = [["Question id", "Criterion", "Ash"], ["q1", "depth", 3]]
    with xlsxwriter.Workbook(str(path)) as book:
        page = book.add_worksheet("Mine")
        for number, row in enumerate(resave):
            page.write_row(number, 0, row)
    back(scope, path)


def no_headings(scope: Scope, path: Path) -> None:
    resaved(path, lambda table: table[0].__setitem__(2, "What"))
    back(scope, path)


def other_project(scope: Scope, path: Path) -> None:
    projects.add_project(scope.ws, "other")
    sheet.write(scope, "other", book_at(str(path)))


def no_workbook(scope: Scope, path: Path) -> None:
    path.write_bytes(b"PK\x03\x04 not a zip")
    back(scope, path)


def not_there(scope: Scope, path: Path) -> None:
    path.unlink()
    back(scope, path)


@pytest.mark.parametrize(
    ("do", "sentence"),
    [
        (other_name, "option --person: found 81 characters, expected a name of 1 to 80 characters."),
        (no_memory, "study.xlsx: found a sheet that Cograde has not written, expected one that remembers what was written. Write it first: cograde sheet write; from then on changes come back."),
        (no_headings, "study.xlsx: found no sheet with the headings Question id and Criterion, expected both in one row. Put them back."),
        (other_project, "study.xlsx: found a sheet of the project 'study', expected one of 'other'. Name another file, or the other project."),
        (no_workbook, "study.xlsx: found no workbook that can be read, expected an XLSX file without a password. Open it in a spreadsheet program and save it as .xlsx."),
        (not_there, "study.xlsx: found no such file, expected a sheet that Cograde has written. Write it first: cograde sheet write."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_in_a_sentence(
    lead: Scope, path: Path, do: Callable[[Scope, Path], None], sentence: str
) -> None:
    with pytest.raises(InputError) as error:
        do(lead, path)
    assert str(error.value) == sentence


def test_values_of_a_sheet_that_the_team_kept_itself_come_back_too(
    lead: Scope, tmp_path: Path
) -> None:
    path = tmp_path / "ours.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        page = book.add_worksheet("Лист1")
        for number, row in enumerate(
            [
                ["Вопрос", "Критерий", "OAK"],
                ["Why is grass green?", "Соответствие", "relevant"],
                ["", "depth", "6,5"],
            ]
        ):
            page.write_row(number, 0, row)
    written = sheet.write(lead, "study", book_at(str(path)))
    assert [line.partition(": ")[2] for line in written.kept] == [
        "'relevant' was kept; Cograde has 'pending'.",
        "'6,5' was kept; Cograde has 'pending'.",
    ]
    assert back(lead, path).verdicts == 2
    after = finals(lead)
    assert (after["q2", "Oak", "study/relevance", ""], after["q2", "Oak", "study/depth", ""]) == (
        "relevant",
        6.5,
    )
    assert sheet.write(lead, "study", book_at(str(path))).kept == ()


def test_a_study_sheet_is_not_imported_as_answers(lead: Scope, path: Path) -> None:
    with pytest.raises(InputError) as error:
        importing_look.look_at(lead, path)
    assert str(error.value) == (
        "study.xlsx: found a study sheet, whose columns hold grades and no answers, expected questions and answers. "
        "Import what was changed in it: cograde sheet read study.xlsx --person NAME."
    )


def test_a_file_that_somebody_saved_meanwhile_is_not_replaced(lead: Scope, path: Path) -> None:
    book = book_at(str(path))
    typed(path, ("q1", "depth", "Ash", 9))
    before = path.read_bytes()
    with pytest.raises(Conflict, match="saved by another program meanwhile"):
        sheet.write(lead, "study", book)
    assert path.read_bytes() == before and back(lead, path).verdicts == 1
