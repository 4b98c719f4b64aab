"""The learned judge in a project: what it learns from, what it tells, and where its own verdicts
count."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from graders.core.rubric import read_rubric
from graders.core.shapes import writable
from graders.store import projects
from graders.store.opinions import lessons
from graders.workflows.learning import learn
from graders.workflows.results import answer as results_answer
from graders.workflows.review import grading
from graders.workflows.routing import route
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.agreeing import judged, said, study, words

#: Forty questions about which a person and two judges speak; the judges are right in 9 and 7 of 10.
rng = random.Random(3)
TRUE = [rng.random() < 0.5 for _ in range(120)]
NORTH, SOUTH = ([bit if rng.random() < right else not bit for bit in TRUE] for right in (0.9, 0.7))


def taught(tmp_path: Path, labels: int = 100, **more: Any) -> Scope:
    """A study of 120 questions with `labels` blind verdicts by Mira and two judges everywhere."""
    human = said(
        "mira", words([int(bit) if at < labels else None for at, bit in enumerate(TRUE)]), **more
    )
    both = [
        *judged("north", words(list(map(int, NORTH)))),
        *judged("south", words(list(map(int, SOUTH)))),
    ]
    return study(tmp_path, human=human, judge=both, n=120)


def chances(scope: Scope) -> dict[int, dict[str, float]]:
    return lessons.chances_of(
        scope.ws.db, [row[0] for row in scope.ws.db.execute("SELECT id FROM cell")]
    )


def told(scope: Scope) -> learn.LessonReport:
    return next(
        lesson
        for lesson in learn.lesson_list(scope, "study")
        if lesson.criterion == "small/relevance"
    )


def test_it_learns_from_blind_verdicts_and_tells_how_likely_suggestions_are_right(
    tmp_path: Path,
) -> None:
    scope = taught(tmp_path)
    assert [row.key for row in learn.due(scope.ws, scope.project("study"))] == ["small/relevance"]
    learn.learn_now(scope, "study", None)
    found = told(scope)
    assert (found.labels, found.refused, found.sources) == (100, "", ["north", "south"])
    assert found.rests_on.startswith("Learned from 100 labels on 100 questions; Brier score ")
    assert "Sources: verdicts of north, south; lengths." in found.rests_on
    assert learn.due(scope.ws, scope.project("study")) == []
    given = chances(scope)
    assert len(given) == 120, "cells that nobody graded too"
    both = [at for at in range(120) if NORTH[at] and SOUTH[at]]
    split = [at for at in range(120) if not NORTH[at] and SOUTH[at]]
    sql = "SELECT q.key, h.cell_id FROM chance h JOIN cell c ON c.id = h.cell_id JOIN question q ON q.id = c.question_id"
    cell = {row[0]: row[1] for row in scope.ws.db.execute(sql)}
    mean = [
        sum(given[cell[f"q{at}"]].get("relevant", 0.0) for at in some) / len(some)
        for some in (both, split)
    ]
    assert mean[0] > 0.8 > 0.5 > mean[1]


def test_a_chance_is_shown_with_the_suggestion_and_never_on_a_blind_screen(tmp_path: Path) -> None:
    scope = taught(tmp_path)
    learn.learn_now(scope, "study", None)
    agree = next(at for at in range(120) if NORTH[at] and SOUTH[at])
    card = results_answer.answer(scope, "study", f"q{agree}", "Ash")
    cell = next(c for c in card.cells if c.criterion == "small/relevance")
    assert cell.suggestion == "relevant" and 0.5 < cell.chance <= 1
    for blind, arm in ((0.0, "assisted"), (1.0, "blind")):
        small.sample(scope.ws, calibration=0.0, audit=0.0, blind=blind, warm_up=0)
        route.route(scope, "study")
        (screen,) = grading.next_screens(small.scope_of(scope.ws, f"ann-{arm}"), "study", 1)
        text = json.dumps(screen, default=writable)
        assert screen.arm == arm and ('"chance"' in text) == (arm == "assisted")
        assert "learned" not in text or arm == "assisted"


def test_it_refuses_with_the_number_of_labels_that_is_missing(tmp_path: Path) -> None:
    scope = taught(tmp_path, labels=38)
    assert told(scope).refused == "Nothing is learned yet: it needs 12 more labels."
    assert learn.due(scope.ws, scope.project("study")) == []
    learn.learn_now(scope, "study", None)
    assert (told(scope).refused, told(scope).rests_on) == (
        "needs 12 more labels",
        "Nothing is learned yet: it needs 12 more labels.",
    )
    assert chances(scope) == {}


def test_what_was_said_with_suggestions_in_view_is_no_label(tmp_path: Path) -> None:
    scope = taught(tmp_path, arm="assisted", design="ordinary")
    learn.learn_now(scope, "study", None)
    assert told(scope).labels == 0 and chances(scope) == {}


def test_where_no_judge_spoke_it_judges_by_itself(tmp_path: Path) -> None:
    """Lengths alone tell the answers apart: long ones are relevant."""
    scope = small.scope_of(small.workspace(tmp_path))
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"} for i in range(120)
    ]
    answers = [
        {"question_id": f"q{i}", "model": "Ash", "text": "word " * (60 if bit else 6)}
        for i, bit in enumerate(TRUE)
    ]
    human = said("mira", words([int(bit) if at < 80 else None for at, bit in enumerate(TRUE)]))
    small.bring(
        scope, small.folder(tmp_path, "alone", questions=questions, answers=answers, human=human)
    )
    learn.learn_now(scope, "study", None)
    assert told(scope).deployed, told(scope).rests_on
    sql = "SELECT q.key, c.suggestion, c.suggestion_reason FROM cell c JOIN question q ON q.id = c.question_id JOIN criterion k ON k.id = c.criterion_id WHERE k.key = 'small/relevance'"
    rows = {row[0]: (row[1], row[2]) for row in scope.ws.db.execute(sql)}
    assert [rows[f"q{at}"] for at in range(80, 120)] == [
        ('"relevant"' if TRUE[at] else '"irrelevant"', "judge learned") for at in range(80, 120)
    ]
    before = scope.ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0]
    learn.learn_now(scope, "study", None)
    assert scope.ws.db.execute("SELECT count(*) FROM verdict").fetchone()[0] == before, (
        "what is the same is not said again"
    )
    # Its labels are taken back with their wording: it no longer speaks.
    changed = small.RUBRIC.replace("Does it do what was asked?", "Does it do all that was asked?")
    projects.save_rubric(scope.ws, scope.project("study"), read_rubric(changed))
    assert chances(scope) == {} and told(scope).labels == 0


def test_judges_go_before_it(tmp_path: Path) -> None:
    scope = taught(tmp_path)
    learn.learn_now(scope, "study", None)
    reasons = {
        row[0]
        for row in scope.ws.db.execute(
            "SELECT suggestion_reason FROM cell WHERE suggestion IS NOT NULL"
        )
    }
    assert reasons <= {"2 of 2 judges", "1 of 2 judges"}


@pytest.mark.parametrize(("new", "is_due"), [(3, False), (8, True)])
def test_a_refit_is_due_when_labels_changed_enough(tmp_path: Path, new: int, is_due: bool) -> None:
    scope = taught(tmp_path)
    learn.learn_now(scope, "study", None)
    more = said("mira", words([None] * 100 + [int(bit) for bit in TRUE[100 : 100 + new]]))
    small.bring(
        scope,
        small.folder(
            tmp_path,
            "more",
            questions=[{"id": "q0", "text": "Question 0?"}],
            answers=[],
            human=more,
        ),
        rubric=None,
    )
    assert bool(learn.due(scope.ws, scope.project("study"))) == is_due
    assert learn.learn(scope.ws, scope.project("study"), lambda: None) == (
        ["small/relevance"] if is_due else []
    )


def test_an_author_s_own_text_is_no_label(tmp_path: Path) -> None:
    scope = taught(tmp_path, labels=60)
    mark = {**said("mira", words([1]))[0], "model": "author: Emily Dickinson"}
    text = {
        "question_id": mark["question_id"],
        "model": mark["model"],
        "text": "Hope is the thing with feathers.",
    }
    questions = [{"id": mark["question_id"], "text": "Question 0?"}]
    small.bring(
        scope,
        small.folder(tmp_path, "poet", questions=questions, answers=[text], human=[mark]),
        rubric=None,
    )
    assert (
        scope.ws.db.execute(
            "SELECT count(*) FROM opinion o JOIN author w ON w.id = o.author_id WHERE w.kind = 'person'"
        ).fetchone()[0]
        == 61
    )
    learn.learn_now(scope, "study", None)
    assert told(scope).labels == 60


def test_what_a_rule_measures_waits_for_no_labels() -> None:
    rubric = read_named_rubric("answer-quality")
    rows = {
        c.name: projects.CriterionRow(1, c.name, "h", c.scale, c, rubric) for c in rubric.criteria
    }
    assert (
        learn._told(rows["speed"], None, 0).refused
        == "A rule measures it, so people are not asked and there is nothing to learn."
    )
    assert (
        learn._told(rows["speed"], None, 49).refused
        == "Nothing is learned yet: it needs 1 more label."
    ), "people did speak of it"
    assert (
        learn._told(rows["relevance"], None, 0).refused
        == "Nothing is learned yet: it needs 50 more labels."
    )
