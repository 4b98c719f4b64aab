"""What tables bring besides questions and answers, and what is said of rows that bring nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import InputError
from graders.core.rubric import read_rubric
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.importing.look_choices import with_columns
from graders.workflows.importing.stage import Report
from graders.workflows.scope.permissions import Scope
from tests.store import small


def staged(
    folder: Path, text: str, *columns: str, name: str = "table.csv", rubric: str = ""
) -> tuple[Scope, Report]:
    """A table staged, its columns changed as on the command line."""
    file = folder / name
    file.write_text(text, "utf-8")
    scope = small.scope_of(small.workspace(folder))
    _, look = importing_look.see(file)
    own = read_rubric(rubric) if rubric else None
    return scope, importing_stage.stage(
        scope, "study", file, with_columns(look, columns) if columns else look, rubric=own
    )


@pytest.mark.parametrize("broken", ["q1,too short", '"q1,an open quote,b,c', "q1,x\x00y,b,c,d,e,f"])
def test_a_broken_row_right_below_the_header_is_listed(tmp_path: Path, broken: str) -> None:
    rows = "".join(f"What is {i}?,so {i},it is {i},it may be {i}\n" for i in range(4))
    _, report = staged(tmp_path, f"question,reference,Alder,Birch\n{broken}\n{rows}")
    assert report.bad >= 1 and report.bad_rows[0].row == 2


def test_verdicts_of_several_people_come_in_from_a_long_table(tmp_path: Path) -> None:
    text = (
        "question,model,answer,clarity,rater\n"
        'Why?,Ash,Because.,4,Ann\nWhy?,Ash,Because.,"3,5",Bo\nWhy?,Oak,No idea.,,Ann\nHow?,Oak,So.,5,Bo\n'
    )
    scope, report = staged(tmp_path, text, "clarity=verdict", "rater=annotator")
    assert (report.questions, report.answers, report.verdicts, report.bad) == (2, 3, 3, 0)
    importing_stage.finish(scope, report.import_id)
    sql = "SELECT p.name, v.value FROM verdict v JOIN author a ON a.id = v.author_id JOIN person p ON p.id = a.name ORDER BY v.id"
    assert [tuple(row) for row in scope.ws.db.execute(sql)] == [
        ("Ann", "4.0"),
        ("Bo", "3.5"),
        ("Bo", "5.0"),
    ]
    again = importing_stage.stage(
        scope,
        "study",
        tmp_path / "table.csv",
        with_columns(
            importing_look.see(tmp_path / "table.csv")[1], ["clarity=verdict", "rater=annotator"]
        ),
    )
    assert (again.answers, again.verdicts) == (0, 0), "the same file again changes nothing"


def test_people_are_told_apart_by_a_header_that_says_who_and_no_verdict_takes_the_place_of_another(
    tmp_path: Path,
) -> None:
    head, rows = (
        "question;model;answer;{};clarity\n",
        "One?;Ash;First.;Ann;4\nOne?;Ash;First.;Bob;2\n",
    )
    _, report = staged(tmp_path, head.format("annotator") + rows, "clarity=verdict")
    assert (report.verdicts, report.bad) == (2, 0)
    _, report = staged(tmp_path, head.format("annotator") + rows)
    (bad,) = report.bad_rows
    assert bad.found == "the same answer of 'Ash' to question 'q-588216e42d' again, first in row 2"
    assert bad.remedy == (
        "If 'clarity' holds what people think of the answers, give it the role verdict "
        "(on the command line --column clarity=verdict); else remove one of the rows."
    ), "a row that repeats an answer for a further person lacks a role and is not one too many"
    _, report = staged(tmp_path, head.replace("clarity", "my wit").format("team") + rows)
    assert [bad.remedy for bad in report.bad_rows] == [
        "If the rows hold what several people think of the answer, give the column of it the role verdict, and the one that says who "
        "they are the role annotator; else remove one of the rows."
    ]
    _, report = staged(
        tmp_path, head.format("annotator") + rows, "clarity=verdict", "annotator=metadata"
    )
    assert (report.verdicts, report.bad) == (1, 1), (
        "what somebody said of a column is not guessed otherwise"
    )
    _, report = staged(
        tmp_path, head.format("team") + rows + "One?;Ash;First.;Cid;4\n", "clarity=verdict"
    )
    (bad,) = report.bad_rows
    assert (report.verdicts, bad.row) == (1, 3)
    assert (
        "'2' for clarity by annotator, who said '4' in row 2" in bad.found
        and "the role annotator" in bad.remedy
    )


def test_a_wide_table_names_the_model_of_each_verdict(tmp_path: Path) -> None:
    text = "question,Ash,Oak,Ash clarity,Oak clarity\nWhy?,Because it is so.,No idea at all.,good,bad\nHow?,Like this.,Like that one.,bad,good\n"
    _, report = staged(
        tmp_path,
        text,
        "Ash=answer:Ash",
        "Oak=answer:Oak",
        "Ash clarity=verdict:Ash",
        "Oak clarity=verdict:Oak",
    )
    assert (report.answers, report.verdicts) == (4, 4)
    assert any("clarity" in note for note in report.notes), report.notes  # the rubric that was made
    with pytest.raises(InputError) as refused:
        staged(
            tmp_path,
            text,
            "Ash=answer:Ash",
            "Oak=answer:Oak",
            "Oak clarity=ignore",
            "Ash clarity=verdict:Asch",
        )
    assert str(refused.value) == (
        "table.csv: found verdicts in 'Ash clarity' on the model 'Asch', expected one of the models Ash, Oak. Name the model that the column "
        "speaks of, in its field Model on the page or as in --column 'Ash clarity=verdict:Ash' on the command line; or give it another role."
    )


def test_what_is_wrong_with_a_verdict_stands_under_the_header_of_its_column(tmp_path: Path) -> None:
    text = 'key,Question,Ash,Oak,Ash completeness,Oak completeness\n1,Why?,"Because\nso.",No idea.,9,4\n2,How?,,So.,3,good\n'
    roles = (
        "key=question_id",
        "Ash=answer:Ash",
        "Oak=answer:Oak",
        "5=verdict:Ash",
        "6=verdict:Oak",
    )
    _, report = staged(tmp_path, text, *roles, rubric=small.RUBRIC)
    # Ash's empty answer comes in with the verdict on it
    assert (report.answers, report.verdicts) == (4, 2)
    assert [(bad.place, bad.column, bad.found) for bad in report.bad_rows] == [
        ("row 2", "Ash completeness", "9"),
        ("row 3 (line 4)", "Oak completeness", "'good'"),
    ]
    ids = "case,Antwort,Modell,completeness\n1,Because.,Elm,4\n7,So.,Elm,4\n"
    _, report = staged(
        tmp_path,
        ids,
        "case=question_id",
        "Antwort=answer",
        "Modell=model",
        "completeness=verdict",
        name="ids.csv",
        rubric=small.RUBRIC,
    )
    assert {(bad.row, bad.column) for bad in report.bad_rows} == {
        (2, "case"),
        (2, "Modell"),
        (3, "case"),
        (3, "Modell"),
    }


def test_a_model_beside_a_column_of_models_is_refused(tmp_path: Path) -> None:
    text = "question,model,answer,clarity\nWhy?,Ash,Because.,4\nWhy?,Oak,No idea.,2\n"
    with pytest.raises(InputError) as refused:
        staged(tmp_path, text, "clarity=verdict:Ash")
    assert str(refused.value) == (
        "table.csv: found verdicts in 'clarity' on the model 'Ash', expected none, as 'model' says whose answer each row holds. "
        "Leave the model out, in its field Model on the page or as in --column clarity=verdict on the command line."
    )


def test_a_wide_table_has_a_row_for_each_person(tmp_path: Path) -> None:
    text = "问题,松树,橡树,松树清晰度,橡树清晰度,评分人\n谁？,他自己写的。,不知道是谁。,5,1,小王\n谁？,他自己写的。,不知道是谁。,4,2,小李\n怎么？,就这样做。,那样做也行。,3,3,小王\n"
    columns = (
        "松树=answer:松树",
        "橡树=answer:橡树",
        "松树清晰度=verdict:松树",
        "橡树清晰度=verdict:橡树",
    )
    _, report = staged(tmp_path, text, *columns)
    assert (report.questions, report.answers, report.verdicts, report.bad) == (2, 4, 6, 0)
    _, report = staged(
        tmp_path, text.replace("写的。,不知道是谁。,4", "说的。,不知道是谁。,4"), *columns
    )
    assert [(bad.row, bad.column) for bad in report.bad_rows] == [(3, "松树")], (
        "whose text is another one, was judged on another one"
    )
    _, report = staged(tmp_path, text, *columns, "评分人=metadata")
    assert [bad.remedy for bad in report.bad_rows] == [
        "Remove one of the rows, or give the column that says who judged the role annotator."
    ]


@pytest.mark.parametrize(
    ("header", "pointed_out"),
    [
        ("question,model,answer,rating,annotator", ["rating"]),
        ("问题,模型,回答,评分,评分人", ["评分"]),
        ("question,Ash,Oak,Ash clarity,Oak clarity", ["Ash clarity", "Oak clarity"]),
        ("question,Ash,Oak,Ash wit,Oak wit", ["Ash wit", "Oak wit"]),
        ("question,model,answer,relevance,notes", ["relevance"]),
        ("question,Ash,Oak,Ash score,rating date", ["Ash score"]),
    ],
)
def test_a_column_of_ratings_is_pointed_out(
    tmp_path: Path, header: str, pointed_out: list[str]
) -> None:
    rows = "".join(
        f"What is {i}?,Because it is {i}.,So it is {i}.,4,{'AB'[i % 2]}\n" for i in range(6)
    )
    _, report = staged(tmp_path, f"{header}\n{rows}")
    assert report.verdicts == 0
    (note,) = [note for note in report.notes if " may hold " in note]
    assert note.startswith(", ".join(map(repr, pointed_out)) + " may hold what people think")


def test_nothing_is_said_to_be_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a header and no rows"):
        staged(tmp_path, "question,model,answer\n")
    _, report = staged(
        tmp_path, "id,question\n1,Why is the sky blue?\n2,How deep is the sea?\n", name="asked.csv"
    )
    assert (report.questions, report.answers) == (2, 0)
    assert any(note.startswith("Questions came in and no answers.") for note in report.notes)


def test_a_word_that_is_no_task_type_is_named(tmp_path: Path) -> None:
    rows = "".join(
        f"What is number {i}?,Ash,It is {i}.,{kind}\n"
        for i, kind in enumerate(["factual", "factul", "factul", "creative"])
    )
    _, report = staged(tmp_path, f"question,model,answer,task_type\n{rows}")
    assert any(note.startswith("Not a task type: 'factul' (2).") for note in report.notes), (
        report.notes
    )


def test_rows_without_an_answer_are_counted_beside_those_with(tmp_path: Path) -> None:
    _, report = staged(
        tmp_path, "question,Alder,Birch\nWhy?,So.,\nHow?,,  \nWho?,Me.,You.\nWhen?,,Th\x00en.\n"
    )
    assert (report.questions, report.answers, report.bad) == (3, 3, 1)
    assert report.notes == (
        "1 of 3 rows has no answer: row 3.",
        "Blank answers, which do not count: Birch 2.",
    )
    (tmp_path / "more").mkdir()
    _, report = staged(
        tmp_path / "more", "question,Alder,Birch\nWhy?,So.,And so.\n", name="whole.csv"
    )
    assert report.notes == ()


@pytest.mark.parametrize(
    ("table", "columns", "answers"),
    [
        (
            "question,model,answer,clarity,rater\n"
            "Why?,Ash,Because.,4,Ann\nWhy?,Oak,,1,Ann\nWhy?,Oak, ,2,Bo\n"
            "How?,Ash,So.,5,Ann\nHow?,Oak,,,Ann\n",
            ("clarity=verdict", "rater=annotator"),
            3,
        ),
        (
            "question,Ash,Oak,Ash clarity,Oak clarity,rater\n"
            "Why?,Because.,,4,1,Ann\nWhy?,Because.,,,2,Bo\n"
            "How?,So.,Yes.,5,,Ann\nWho?,,Me.,,,Ann\n",
            (
                "Ash=answer:Ash",
                "Oak=answer:Oak",
                "Ash clarity=verdict:Ash",
                "Oak clarity=verdict:Oak",
                "rater=annotator",
            ),
            5,
        ),
    ],
    ids=["long", "wide"],
)
def test_verdicts_on_an_empty_answer_are_kept(
    tmp_path: Path, table: str, columns: tuple[str, ...], answers: int
) -> None:
    scope, report = staged(tmp_path, table, *columns)
    importing_stage.finish(scope, report.import_id)
    sql = (
        "SELECT w.text, p.name, v.value FROM verdict v JOIN cell c ON c.id = v.cell_id "
        "JOIN subject s ON s.id = c.subject_id JOIN answer w ON w.id = s.answer_id "
        "JOIN author a ON a.id = v.author_id JOIN person p ON p.id = a.name ORDER BY v.id"
    )
    given = [tuple(row) for row in scope.ws.db.execute(sql)]
    assert sorted(given) == [
        ("", "Ann", "1"),
        ("", "Bo", "2"),
        ("Because.", "Ann", "4"),
        ("So.", "Ann", "5"),
    ]
    # an empty cell without a verdict is still no answer
    assert report.answers == answers
