"""An author's own text among the answers: graded like them, unnamed, the ceiling of every figure
and part of none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError, InputError
from graders.core.shapes import writable
from graders.exporters.sheet import CEILINGS
from graders.store import projects
from graders.store.answers import author_texts as stored_texts
from graders.store.answers import content
from graders.store.desk import queue
from graders.store.figures import reading
from graders.workflows.agreement import agree
from graders.workflows.calling import asked_criteria, judging, tried_answers
from graders.workflows.diagnostics import author_texts as authors
from graders.workflows.home import overview
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import elect, measure
from graders.workflows.report import export
from graders.workflows.results import answer as results_answer
from graders.workflows.results import cell_answers, references
from graders.workflows.results import grid as results_grid
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.runs import runs
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.stub import StubProvider

POET = "author: Emily Dickinson"
MODELS = ("Ash", "Oak")
QUESTIONS = [
    {
        "id": "q1",
        "text": "A short poem on hope, like Emily Dickinson's.",
        "task_type": "creative",
        "category": "verse",
        "language": "en",
    },
    {
        "id": "q2",
        "text": "A short poem on snow.",
        "task_type": "creative",
        "category": "snow",
        "language": "en",
    },
]
TEXTS = {"Ash": "Hope is a lamp, / it does not go out.", "Oak": "Hope hops.\nSigned, E. Dickinson"}
ANSWERS = [
    *(
        {"question_id": q["id"], "model": m, "text": f"{TEXTS[m]} {q['id']}"}
        for q in QUESTIONS
        for m in MODELS
    ),
    {
        "question_id": "q1",
        "model": "Author:  Emily Dickinson",
        "text": "Hope is the thing with feathers.\n— Emily Dickinson",
        "source": "1861",
    },
]
STYLE = {
    ("q1", "Ash"): 2,
    ("q1", "Oak"): 1,
    ("q2", "Ash"): 5,
    ("q2", "Oak"): 5,
    ("q1", "AUTHOR: Emily Dickinson"): 4,
}


def study(place: Path, **more: Any) -> Scope:
    """Two questions, two models; an author's own text beside the answers to the first, marked in
    three ways."""
    scope = small.scope_of(small.workspace(place))
    human = [
        small.human(q, m, "creative/style", who, value)
        for (q, m), value in STYLE.items()
        for who in ("mira", "jonas")
    ]
    judge = [small.judge(q, m, "creative/style", "north", 3) for q, m in STYLE]
    made = small.folder(
        place, "study", questions=QUESTIONS, answers=ANSWERS, human=human, judge=judge, **more
    )
    importing_stage.finish(
        scope,
        importing_stage.stage(scope, "study", made, rubric=read_named_rubric("creative")).import_id,
    )
    small.sample(scope.ws, calibration=0.0, audit=0.0, blind=0.0)
    return scope


def test_its_marks_are_the_ceiling_and_count_nowhere(tmp_path: Path) -> None:
    scope = study(tmp_path)
    routed = route.route(scope, "study")
    found = results_grid.grid(scope, "study")
    assert [row.model for row in found.models] == ["Ash", "Oak"] and found.counts.models == 2
    style = {row.model: row.cells["creative/style"] for row in found.models}
    assert (style["Ash"].value, style["Oak"].value) == (3.5, 3.0), "(2 + 5) / 2 and (1 + 5) / 2"
    ceiling = found.ceilings["creative/style"]
    # On the question that has an author's text: models (2 + 1) / 2, the author 4. What models reach
    # elsewhere is another matter.
    assert (ceiling.models.value, ceiling.author.value, ceiling.questions) == (
        1.5,
        4.0,
        1,
    )
    assert (
        ceiling.words == "Style: the models reach 1.5, Emily Dickinson's own text 4.0"
        and ceiling.words in found.subtitle
    )
    assert set(found.ceilings) == {"creative/style"}, (
        "nothing has a final value under mood yet, and effect has no ceiling"
    )
    assert results_grid.grid(scope, "study", {"category": "snow"}).ceilings == {}
    cells = 4 * 4  # four answers of models; no element is required of them, so four criteria
    assert found.counts.cells == cells and found.filter_all == 4
    assert sum(n for reasons in routed.routes.values() for n in reasons.values()) == cells
    assert reading.project_totals(scope.ws.db, scope.project("study"))["cells"] == cells
    assert reading.verdict_counts(scope.ws.db, scope.project("study"))["cells"] == cells
    (card,) = overview.all_projects(scope).projects
    assert (card.models, card.answers) == (2, 4)
    assert [
        row.question_id for row in cell_answers.answers(scope, "study", POET, "creative/style").rows
    ] == ["q1"], "a click shows it"
    assert authors.texts(scope, "study") == [
        authors.AuthorText("q1", QUESTIONS[0]["text"], "Emily Dickinson", 50)
    ]


def test_nobody_at_the_desk_is_told_whose_it_is(tmp_path: Path) -> None:
    scope = study(tmp_path)
    project = scope.project("study")
    projects.set_settings(scope.ws, project, {"show_models": True})
    route.route(scope, "study")
    shown = {}
    for blind, person in ((0.0, "aiko"), (1.0, "noor")):
        small.sample(scope.ws, blind=blind)
        screens = grading.next_screens(small.scope_of(scope.ws, person), "study", 5)
        found = {s.question.id: s for s in screens}
        shown[person] = found
        first = found["q1"]
        assert len(first.answers) == 3 and {a.model for a in first.answers} == {None}, (
            "no name: the one without would be hers"
        )
        assert all(
            {c.criterion for c in a.cells}
            == {"creative/form", "creative/style", "creative/mood", "creative/effect"}
            for a in first.answers
        )
        assert not any("Dickinson" in json.dumps(a, default=writable) for a in first.answers), (
            "hers and the signature that a model gave itself"
        )
        assert sum("[author]" in a.text for a in first.answers) == 2
        queue.release(scope.ws, project, person, [s.id for s in screens])
    assert {s.arm for s in shown["aiko"].values()} == {"assisted"} and {
        s.arm for s in shown["noor"].values()
    } == {"blind"}
    assert {a.model for a in shown["aiko"]["q2"].answers} == {"Ash", "Oak"}, (
        "elsewhere names are shown where a lead wants it"
    )


def test_it_is_in_no_sample_of_answers(tmp_path: Path) -> None:
    scope = study(tmp_path)
    small.sample(scope.ws, calibration=1.0, audit=1.0)
    route.route(scope, "study")
    (hers,) = stored_texts.control_subjects(scope.ws.db, scope.project("study"))
    rows = scope.ws.db.execute(
        "SELECT s.design, x.subject_id FROM screen s JOIN screen_subject x ON x.screen_id = s.id"
    ).fetchall()
    assert {row[0] for row in rows if row[1] == hers} == {"ordinary"}
    assert len({row[1] for row in rows if row[0] == "calibration"}) == 4
    assert hers not in tried_answers.draw(scope.ws, scope.project("study"), 5)


def test_agreement_leaves_it_out_and_says_what_each_gave_it(tmp_path: Path) -> None:
    scope = study(tmp_path)
    agree.forget()
    report = agree.agreement(scope, "study")
    (style,) = report.criteria
    assert style.cells == 4, "her cell is not among them"
    assert [(one.by, one.shown, one.values) for one in style.control] == [
        ("people", "4.0", 2),
        ("north", "3.0", 1),
    ]


def test_a_judge_grades_it_without_her_name_and_is_asked_for_no_faults(
    tmp_path: Path, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    scope = study(tmp_path)
    project = scope.project("study")
    options = {"judges": ["openai:stub"], "base_url": stub.base_url, "faults": True}
    chosen = runs.Options.of(options)
    (setup,) = chosen.setups(
        scope.ws, criteria=asked_criteria.judged_criteria(scope.ws, project, True)
    )
    asked = [
        t
        for t in judging.tasks(scope.ws, project, setup, faults=True)
        if any(key.model == POET for key in t.subjects)
    ]
    assert {c for t in asked for c in t.request.criteria} == {
        "creative/form",
        "creative/style",
        "creative/mood",
    }
    for task in asked:
        answer = task.request.messages[1][1].partition("Answer:")[2]
        assert "feathers" in answer and "Dickinson" not in answer and "[author]" in answer
    stub.configure(faults={}, say=None)
    assert runs.execute(scope.ws, runs.start(scope, "study", options).run) == "done"
    given = {
        v.criterion
        for v in results_answer.answer(scope, "study", "q1", POET).cells
        if any(x.author == "openai:stub" for x in v.verdicts)
    }
    assert given == {"creative/form", "creative/style", "creative/mood"}


def test_it_is_never_elected_and_cannot_be_appointed(tmp_path: Path) -> None:
    scope = small.scope_of(small.workspace(tmp_path))
    rubric = (
        "rubric: vote\ncriteria:\n  relevance: {question: Is it?, scale: {from: 1, to: 5}, review: people}\n"
        "  completeness: {question: All?, scale: {from: 1, to: 5}, reference: elected, review: people}\n"
    )
    question = {"id": "q", "text": "What is hope?", "task_type": "factual"}
    answers = [
        {"question_id": "q", "model": m, "text": t}
        for m, t in {"Ash": "A feeling.", "Oak": "A wish.", POET: "A thing with feathers."}.items()
    ]
    human = [
        small.human("q", m, "vote/relevance", "mira", v)
        for m, v in {"Ash": 3, "Oak": 2, POET: 5}.items()
    ]
    small.bring(
        scope,
        small.folder(tmp_path, "vote", questions=[question], answers=answers, human=human),
        rubric=rubric,
    )
    route.route(scope, "study")
    elect.elect(scope.ws, scope.project("study"), None)
    (row,) = export.take_snapshot(scope, "study").tables["elected"]
    assert row["model"] == "Ash" and row["numbers"]["best"] == ["Ash"]
    with pytest.raises(InputError, match="no answer to this question"):
        references.appoint(scope, "study", "q", POET)


def test_sheet_workbook_and_exchange_format_keep_it_apart(tmp_path: Path) -> None:
    scope = study(tmp_path)
    route.route(scope, "study")
    snapshot = export.take_snapshot(scope, "study")
    assert snapshot.tables["ceilings"] == [
        {
            "criterion": "creative/style",
            "author": 4.0,
            "models": 1.5,
            "questions": 1,
            "names": ["Emily Dickinson"],
        }
    ]
    sheet = tmp_path / "study.xlsx"
    export.export(scope, "study", "sheet", sheet)
    book = pages(sheet)
    assert book["Study"][0][-1] == POET and POET not in book["Study"][0][:-1], "behind the models"
    assert book[CEILINGS][1] == ["creative/style", "Emily Dickinson", 4, 1.5, 1]
    export.export(scope, "study", "xlsx", tmp_path / "plain.xlsx")
    assert pages(tmp_path / "plain.xlsx")["Ceilings"][1] == [
        "creative/style",
        4,
        1.5,
        1,
        "Emily Dickinson",
    ]
    zipped = tmp_path / "study.zip"
    export.export(scope, "study", "jsonl", zipped)
    other = small.scope_of(small.workspace(tmp_path, "other"))
    importing_stage.finish(other, importing_stage.stage(other, "study", zipped).import_id)
    route.route(other, "study")
    assert results_grid.grid(other, "study").ceilings == results_grid.grid(scope, "study").ceilings


def pages(path: Path) -> dict[str, list[list[Any]]]:
    """The sheets of a workbook as rows."""
    from python_calamine import CalamineWorkbook

    book = CalamineWorkbook.from_path(path)
    return {name: book.get_sheet_by_name(name).to_python() for name in book.sheet_names}


def test_a_lead_mixes_one_in_from_the_page(tmp_path: Path) -> None:
    scope = study(tmp_path)
    route.route(scope, "study")
    made = authors.add_text(
        scope, "study", "q2", " Robert  Frost ", "Whose woods these are", "Public domain, 1923"
    )
    assert made == authors.Added("q2", "Robert Frost", 1)
    assert [text.author for text in authors.texts(scope, "study")] == [
        "Emily Dickinson",
        "Robert Frost",
    ]
    shown = grading.next_screens(small.scope_of(scope.ws, "aiko"), "study", 9)
    assert any(a.text.startswith("Whose woods") for s in shown for a in s.answers), (
        "it waits on a screen at once"
    )
    row = content.question_ids(scope.ws.db, scope.project("study"), ["q2"])["q2"]
    assert stored_texts.authors_of(scope.ws.db, row) == ["author: Robert Frost"]
    assert (
        authors.add_text(
            scope, "study", "q2", "Robert Frost", "Whose woods these are I think I know"
        ).version
        == 2
    )
    assert [text.characters for text in authors.texts(scope, "study")] == [50, 36], (
        "another text takes the place of the first"
    )
    for given, said in (
        (("q9", "X", "text"), "no such question"),
        (("q1", "  ", "text"), "the author's name"),
        (("q1", "X", " \n"), "0 characters"),
    ):
        with pytest.raises(CogradeError, match=said):
            authors.add_text(scope, "study", *given)


def test_a_study_folder_marks_it_by_the_name_of_its_file(tmp_path: Path) -> None:
    folder = tmp_path / "poems" / "q1"
    folder.mkdir(parents=True)
    for name, text in {
        "question": "A poem on hope.",
        "Ash": "Hope is a lamp.",
        "author - Emily Dickinson": "Hope is the thing.",
    }.items():
        (folder / f"{name}.txt").write_text(text, "utf-8")
    scope = small.scope_of(small.workspace(tmp_path))
    importing_stage.finish(
        scope,
        importing_stage.stage(
            scope, "study", tmp_path / "poems", rubric=read_named_rubric("creative")
        ).import_id,
    )
    assert [text.author for text in authors.texts(scope, "study")] == ["Emily Dickinson"]
    assert content.counts(scope.ws, scope.project("study")).models == 1


def test_an_author_has_any_name_of_a_hundred_characters(tmp_path: Path) -> None:
    scope = study(tmp_path)
    name = "曹" * 90  # 270 bytes, more than the name of a folder may have
    assert authors.add_text(scope, "study", "q2", name, "Snow.").author == name
    assert authors.add_text(scope, "study", "q2", "..", "Snow again.").author == ".."
    assert {row.author for row in authors.texts(scope, "study")} == {
        "Emily Dickinson",
        name,
        "..",
    }


def test_where_no_author_is_named_a_judge_that_grades_style_leaves_it_to_people(
    tmp_path: Path,
) -> None:
    scope = small.scope_of(small.workspace(tmp_path))
    judge = [
        small.judge(q["id"], m, "creative/style", "north", 3) for q in QUESTIONS for m in MODELS
    ]
    made = small.folder(
        tmp_path, "study", questions=QUESTIONS, answers=ANSWERS[:4], human=[], judge=judge
    )
    importing_stage.finish(
        scope,
        importing_stage.stage(scope, "study", made, rubric=read_named_rubric("creative")).import_id,
    )
    measure.measure(scope.ws, scope.project("study"), None)
    route.route(scope, "study")
    states = "SELECT q.key, c.final_source, c.final_reason, c.open FROM cell c JOIN question q ON q.id = c.question_id JOIN criterion k ON k.id = c.criterion_id"
    found = {tuple(row) for row in scope.ws.db.execute(f"{states} WHERE k.key = 'creative/style'")}
    assert found == {
        ("q1", "pending", "", 1),
        ("q2", "pending", "", 1),
    }
    person = small.human("q2", "Ash", "creative/style", "mira", 4)
    small.bring(
        scope,
        small.folder(tmp_path, "more", questions=QUESTIONS, answers=[], human=[person]),
        rubric=None,
    )
    sql = f"{states} JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id WHERE k.key = 'creative/style' AND a.model = 'Ash' AND q.key = 'q2'"
    assert tuple(scope.ws.db.execute(sql).fetchone())[1:3] == ("people", "one person"), (
        "people have the last word"
    )
