"""Import: the same again changes nothing, good rows come in beside bad ones, old verdicts stay with
the old text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graders.store import projects
from graders.store.answers import content
from graders.store.answers.anchors import repeated
from graders.store.opinions.earlier import opinions_under
from graders.store.workspace import Workspace
from graders.workflows.results import grid as results_grid
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.imported import TABLE, csv, everything, need, texts, values

# -- again, and changed


def test_the_same_table_again_changes_nothing(tmp_path: Path, scope: Scope) -> None:
    path = csv(tmp_path, TABLE)
    first = small.bring(scope, path, rubric=None)
    assert (first.questions, first.answers, first.new_versions, first.bad) == (2, 4, 0, 0)
    before = everything(scope)
    again = small.bring(scope, path, rubric=None)
    assert (
        again.questions,
        again.changed_questions,
        again.answers,
        again.new_versions,
        again.verdicts,
    ) == (0, 0, 0, 0, 0)
    assert again.unchanged == 2 + 4
    assert everything(scope) == before


def test_the_same_verdicts_again_change_nothing(tmp_path: Path, scope: Scope) -> None:
    given = [
        small.human("q1", "Ash", "completeness", "mira", 4),
        small.human("q1", "Ash", "completeness", "jon", 4),
    ]
    said = [small.judge("q1", "Ash", "completeness", "north", 5, confidence=0.9)]
    path = small.folder(
        tmp_path,
        "f",
        questions=small.questions(2),
        answers=small.answers(2, ["Ash"]),
        human=given,
        judge=said,
    )
    assert small.bring(scope, path).verdicts == 3
    route(scope, "study")
    before = everything(scope)
    assert small.bring(scope, path).verdicts == 0
    assert everything(scope) == before


def test_a_changed_answer_is_a_new_version_and_old_verdicts_stay_with_the_old_text(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    old = small.folder(
        tmp_path,
        "old",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
        human=[small.human("q1", "Ash", "completeness", "mira", 2)],
    )
    small.bring(scope, old)
    new = small.folder(
        tmp_path,
        "new",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"], "Better."),
        human=[small.human("q1", "Ash", "completeness", "jon", 5)],
    )
    report = small.bring(scope, new)
    assert (report.answers, report.new_versions) == (1, 1)
    assert texts(ws) == [
        ("Question 1?", "Ash", 1, "Ash says 1.", 0),
        ("Question 1?", "Ash", 2, "Better.", 1),
    ]
    assert (values(ws, 1), values(ws, 2)) == ([("mira", 2)], [("jon", 5)])
    again = small.bring(scope, old)
    assert any(
        note.startswith("1 answer in an earlier text than the latest") for note in again.notes
    )
    assert not any("earlier text" in note for note in small.bring(scope, new).notes)
    grid = results_grid.grid(scope, "study")
    assert grid.counts.cells == 4, (
        "four criteria of the present text; the earlier one counts no more"
    )
    assert small.tallied(ws) == small.recount(ws)


def test_figures_that_come_later_than_the_text_are_taken(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    small.bring(
        scope,
        csv(
            tmp_path,
            "question,model,answer,seconds,finish_reason\nWhy?,Ash,So.,4,stop\nWhy?,Oak,No.,,\n",
        ),
        rubric=None,
    )
    later = csv(
        tmp_path,
        "question,model,answer,seconds,ttft,desk\nWhy?,Ash,So.,,1.5,north\nWhy?,Oak,No.,,,\n",
        "later.csv",
    )
    report = small.bring(scope, later, rubric=None)
    assert (report.answers, report.new_versions, report.unchanged) == (0, 0, 1 + 1), (
        "the question, and Oak's answer"
    )
    assert any(
        note.startswith("1 answer with the same text as before: the file's seconds")
        for note in report.notes
    )
    sql = "SELECT model, version, time_to_first_token, total_seconds, finish_reason, metadata FROM answer ORDER BY model"
    assert [tuple(row) for row in ws.db.execute(sql)] == [
        ("Ash", 1, 1.5, 4.0, "stop", '{"desk":"north"}'),
        ("Oak", 1, None, None, "", "{}"),
    ]
    before = everything(scope)
    assert small.bring(scope, later, rubric=None).unchanged == 1 + 2
    assert everything(scope) == before


def test_verdicts_alone_are_about_the_text_that_is_shown_now(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    for number, text in enumerate(("First.", "Second.")):
        small.bring(
            scope,
            small.folder(
                tmp_path,
                f"f{number}",
                questions=small.questions(1),
                answers=small.answers(1, ["Ash"], text),
            ),
        )
    given = [
        small.human("q1", "Ash", "completeness", "mira", 5),
        small.human("q1", "Ash", "tone", "mira", "dry", answer_version=1),
    ]
    small.bring(
        scope, small.folder(tmp_path, "verdicts", questions=small.questions(1), human=given)
    )
    assert (values(ws, 1), values(ws, 2)) == ([("mira", "dry")], [("mira", 5)])
    assert small.tallied(ws) == small.recount(ws)


def test_a_changed_question_keeps_its_answers_and_what_the_file_leaves_out(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    asked = {
        "id": "q1",
        "text": "Why?",
        "category": "depth",
        "task_type": "factual",
        "reference": ["Because."],
    }
    small.bring(
        scope, small.folder(tmp_path, "a", questions=[asked], answers=small.answers(1, ["Ash"]))
    )
    report = small.bring(
        scope,
        small.folder(
            tmp_path, "b", questions=[{"id": "q1", "text": "Why, then?", "category": "depths"}]
        ),
    )
    assert (report.questions, report.changed_questions) == (0, 1)
    (question,) = content.questions(ws.db, projects.get_project(ws, "study")).values()
    assert (question.text, question.category, question.task_type, question.references) == (
        "Why, then?",
        "depths",
        "factual",
        ("Because.",),
    )
    assert small.tallied(ws) == small.recount(ws), "its cells are counted under the new category"


# -- bad rows


def test_bad_rows_are_listed_and_the_good_ones_beside_them_come_in(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    path = small.folder(
        tmp_path,
        "mixed",
        questions=small.questions(1),
        answers=[
            *small.answers(1, ["Ash"]),
            {"question_id": "q9", "model": "Ash", "text": "To what?"},
        ],
        human=[
            small.human("q1", "Ash", "completeness", "mira", 4),
            small.human("q1", "Ash", "completeness", "jon", 9),
            small.human("q1", "Ash", "small/tone", "mira", "loud"),
            small.human("q1", "Yew", "completeness", "mira", 3),
            small.human("q1", "Ash", "relevance", "mira", "RELEVANT"),
            small.human("q1", "Ash", "completeness", "lee", 4, arm="half"),
        ],
    )
    report = small.bring(scope, path)
    assert (report.answers, report.verdicts, report.bad) == (1, 2, 5)
    assert [
        (row.file, row.row, row.column, row.found, row.expected) for row in report.bad_rows
    ] == [
        ("answers.jsonl", 2, "question_id", "'q9'", "the id of a question in this file or project"),
        ("human.jsonl", 2, "value", "9", "a whole number from 1 to 5"),
        ("human.jsonl", 3, "value", "'loud'", "one of warm, dry, stiff"),
        ("human.jsonl", 4, "model", "'q1 / Yew'", "a question and model with an answer"),
        ("human.jsonl", 6, "value", "4", "the arm blind or assisted"),
    ]
    assert [row.remedy for row in report.bad_rows] == [
        "Add the question, or correct the id.",
        "Give a value of the scale, or remove the row.",
        "Give a value of the scale, or remove the row.",
        "Add the answer, or correct question and model.",
        "Correct this field of the row, or remove the row.",
    ]
    assert values(ws, 1) == [("mira", "relevant"), ("mira", 4)] or values(ws, 1) == [
        ("mira", 4),
        ("mira", "relevant"),
    ]


def test_fields_of_the_file_that_are_named_like_ours_take_no_verdict_away(
    tmp_path: Path, ws: Workspace, scope: Scope
) -> None:
    """Of these rows two say themselves, in our words, that they are second looks; all others are
    what their authors think."""
    own: list[dict[str, Any]] = [
        {"anchor": "middle of the scale"}, {"anchor": True}, {"metadata": {"anchor": True}}, {"metadata": {"x": {"anchor": True}}},
        {"design": "repeat"}, {"design": "a/b"}, {"design": {"of": "mine"}}, {"order": ["first", "second"]},
    ]  # fmt: skip
    repeat = {"anchor": True, "recipe_hash": "r1"}
    human = [
        small.human("q1", "Ash", "completeness", f"p{i}", 4, **more) for i, more in enumerate(own)
    ]
    human += [small.human("q1", "Ash", "completeness", "p9", 4, design="repeat", arm="blind")]
    judge = [
        small.judge("q1", "Ash", "completeness", f"j{i}", 3, **more)
        for i, more in enumerate([*own, repeat])
    ]
    path = small.folder(
        tmp_path,
        "own",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
        human=human,
        judge=judge,
    )
    report = small.bring(scope, path)
    assert (report.verdicts, report.bad) == (2 * len(own) + 2, 0)
    said = sorted([*(f"p{i}" for i in range(len(own))), *(f"j{i}" for i in range(len(own)))])
    names = "SELECT w.name FROM opinion o JOIN author w ON w.id = o.author_id ORDER BY 1"
    assert [row[0] for row in ws.db.execute(names)] == said
    under = opinions_under(
        next(
            row
            for row in projects.criteria(ws, scope.project("study"))
            if row.key == "small/completeness"
        )
    )
    assert [row[0] for row in ws.db.execute(under.sql + names, under.values)] == said, (
        "the record of verdicts says the same"
    )
    (found,) = ws.db.execute(f"SELECT count(*) FROM verdict v WHERE {repeated()}").fetchone()
    assert found == 1


def test_two_texts_of_one_model_for_one_question(tmp_path: Path, scope: Scope) -> None:
    """A wide table cannot say it twice, a folder with one file of answers neither; two files of one
    project can."""
    path = csv(
        tmp_path, "question,model,answer\nWhy?,Ash,Because.\nWhy?,Ash,Why not.\nHow?,Ash,So.\n"
    )
    report = small.bring(scope, path, rubric=None)
    assert (report.answers, report.bad) == (2, 1)
    assert (report.bad_rows[0].row, report.bad_rows[0].file) == (3, "answers.csv")


def test_a_criterion_that_nobody_knows_is_a_bad_row_where_the_rubrics_are_given(
    tmp_path: Path, scope: Scope
) -> None:
    path = small.folder(
        tmp_path,
        "f",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
        judge=[small.judge("q1", "Ash", "wit", "north", 3)],
    )
    report = small.bring(scope, path)
    assert (report.verdicts, report.bad) == (1, 0), "a rubric is made for it"
    assert report.rubrics == ("small", "study-imported")


# -- pairs


def test_pairs_are_graded_as_pairs(ws: Workspace, scope: Scope) -> None:
    report = small.bring(scope, need("alttest_mtbench"), rubric=None)
    assert (report.questions, report.answers, report.verdicts, report.bad) == (
        84,
        204,
        246 + 720,
        0,
    )
    kinds = "SELECT s.other_id IS NOT NULL, count(*) FROM cell c JOIN subject s ON s.id = c.subject_id GROUP BY 1"
    assert [tuple(row) for row in ws.db.execute(kinds)] == [(1, 120)], (
        "120 pairs; nobody is asked for the preference of one answer"
    )
    route(scope, "study")
    assert small.tallied(ws) == small.recount(ws)
