"""How far labels are: what counts toward a first answer, what comes next, and how long it takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graders.statistics.pair_figures import MIN_CELLS
from graders.store import projects
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.people import set_aside
from graders.workflows.home import overview
from graders.workflows.review import grading
from graders.workflows.routing import labels_missing
from graders.workflows.routing.labels_missing import Goal, LabelsMissing
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.routed import grade, routed
from tests.support.studies import bring, given, scope_at


def of(scope: Scope) -> LabelsMissing:
    return labels_missing.labels_missing(scope, "study")


def goals(scope: Scope) -> dict[str, tuple[Goal, int, int]]:
    return {one.title: (one.goal, one.labels, one.needed) for one in of(scope).criteria}


def relevant(criterion: str, question: str) -> str | int:
    return "relevant" if criterion == "small/relevance" else 4


def test_one_person_on_the_way_to_the_first_answer(tmp_path: Path) -> None:
    scope = routed(tmp_path, 240, calibration=0.5, creative=False)
    before = of(scope)
    assert before.words == (
        "0 of 30 labels for the first answer on Relevance and Completeness, about 18 minutes "
        "(assumed: 36 seconds per answer)"
    )
    assert (before.labels, before.needed, before.minutes, before.drawn) == (0, 30, 18, 120)
    assert (before.note, before.assumed) == ("", 36.0)
    grade(scope, "mira", relevant, screens=12)
    on_the_way = of(scope)
    assert on_the_way.words == (
        "12 of 30 labels for the first answer on Relevance and Completeness, about 12 minutes"
    ), "40 seconds an answer were measured"
    assert on_the_way.note == "How far people agree needs a second person."
    assert on_the_way.assumed is None
    grade(scope, "mira", relevant, screens=18)
    assert of(scope).words == (
        "30 of 60 labels for the next planned look at Relevance and Completeness, about 20 minutes"
    )


def test_the_first_answer_is_there_exactly_where_agreements_figure_is_no_early_one(
    tmp_path: Path,
) -> None:
    scope = routed(tmp_path, 240, calibration=0.5, creative=False)
    seen: set[str] = set()
    values = iter(range(1000))

    def mixed(criterion: str, question: str) -> str | int:
        other = next(values) % 4 > 1
        return ("relevant", "irrelevant")[other] if criterion == "small/relevance" else 4 - other

    for number in range(MIN_CELLS + 2):
        enough = {
            row.key
            for row in agreement(scope, "study").criteria
            if any(judge.shown.status not in ("EARLY", "UNDEFINED") for judge in row.judges)
        }
        said = {one.key for one in of(scope).criteria if one.goal not in (Goal.FIRST, Goal.SHORT)}
        assert said == enough, number
        seen |= said
        grade(scope, "mira", mixed, screens=1)
    assert seen == {"small/relevance", "small/completeness"}


def test_of_two_people_every_cell_counts_once_as_in_agreement(tmp_path: Path) -> None:
    scope = routed(tmp_path, 240, calibration=0.5, creative=False)
    grade(scope, "mira", relevant, screens=16)
    grade(scope, "jon", relevant, screens=14)
    # 12 screens are both people's, 4 and 2 one's
    assert goals(scope) == {
        "Relevance": (Goal.FIRST, 18, 30),
        "Completeness": (Goal.FIRST, 18, 30),
    }
    assert of(scope).note == "" and of(scope).minutes == round(6 * 40 / 60), "6 answers each"
    assert {judge.cells for row in agreement(scope, "study").criteria for judge in row.judges} == {
        18
    }
    set_aside(scope, "study", "mira", True)
    assert goals(scope)["Relevance"] == (Goal.FIRST, 14, 30), "as in Agreement"
    set_aside(scope, "study", "mira", False)
    grade(scope, "mira", relevant, screens=12)
    assert goals(scope)["Relevance"] == (Goal.LOOK, 30, 60)
    assert of(scope).minutes == round(15 * 40 / 60), "30 answers, by two people"


def test_when_every_drawn_answer_is_labelled_nothing_more_is_asked_for(tmp_path: Path) -> None:
    scope = routed(tmp_path, 80, calibration=0.5, creative=False)
    grade(scope, "mira", relevant)
    found = of(scope)
    assert found.words == "All 40 drawn labels on Relevance and Completeness are there"
    assert (found.minutes, found.labels, found.needed) == (None, 40, 40)
    (card,) = overview.all_projects(scope).projects
    assert card.screens == 0, "the shared ones wait for nobody who is here"
    # who comes now finds them
    projects.add_person(scope.ws, "Jon", person_id="jon")
    counts = grading.counts(Scope(Actor("jon"), scope.ws), "study")
    assert counts.waiting == counts.total == 36


def test_too_few_drawn_answers_say_so(tmp_path: Path) -> None:
    scope = routed(tmp_path, 40, calibration=0.5, creative=False)
    assert of(scope).words == (
        "0 of 30 labels for the first answer on Relevance and Completeness: too few answers are "
        "drawn, so draw further ones or import more questions"
    )
    assert of(scope).minutes is None


def test_nothing_drawn_and_not_routed(tmp_path: Path) -> None:
    scope = routed(tmp_path, 40, calibration=0.0, creative=False)
    assert of(scope) == LabelsMissing(
        "No answer is drawn for blind grading, so there will be no first answer",
        "",
        0,
        0,
        None,
        0,
        36.0,
        [],
    )
    other = tmp_path / "unrouted"
    other.mkdir()
    fresh = scope_at(other)
    bring(fresh, other, **tables(3))
    assert of(fresh).words == ""


def tables(n: int) -> dict[str, list[dict[str, Any]]]:
    return {
        "questions": [
            {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"} for i in range(n)
        ],
        "answers": [
            {"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(n)
        ],
    }


def test_without_a_judge_a_persons_labels_count_and_the_note_says_what_is_missing(
    tmp_path: Path,
) -> None:
    scope = scope_at(tmp_path)
    bring(scope, tmp_path, **tables(100))
    route(scope, "study")
    grade(
        scope,
        "mira",
        lambda criterion, _: {"small/relevance": "relevant", "small/tone": "dry"}.get(criterion, 4),
        screens=9,
    )
    found = of(scope)
    assert {(one.goal, one.labels) for one in found.criteria} == {(Goal.FIRST, 9)}
    assert len(found.criteria) == 3
    assert found.note == ("How far people agree needs a second person. No judge has graded yet.")


def test_a_judge_that_graded_few_of_the_drawn_answers_leaves_the_rest_uncounted(
    tmp_path: Path,
) -> None:
    scope = scope_at(tmp_path)
    judged = [
        {
            "question_id": f"q{i}",
            "model": "Ash",
            "judge": "north",
            "criterion": "small/relevance",
            "value": "relevant",
        }
        for i in range(0, 100, 4)
    ]
    bring(scope, tmp_path, judge=judged, **tables(100))
    route(scope, "study")
    grade(
        scope,
        "mira",
        lambda criterion, _: {"small/relevance": "relevant", "small/tone": "dry"}.get(criterion, 4),
    )
    assert goals(scope)["Relevance"][0] == Goal.SHORT
    (pair,) = [
        pair for pair in agreement(scope, "study").pairs if pair.criterion == "small/relevance"
    ]
    assert goals(scope)["Relevance"][1] == pair.cells < MIN_CELLS
    assert goals(scope)["Completeness"] == (Goal.DONE, 50, 50), "no judge at all graded it"


def test_imported_labels_that_suffice_ask_for_nothing(tmp_path: Path) -> None:
    scope = scope_at(tmp_path)
    human = [given(f"q{i}", "Ash", "relevance", "mira", "relevant") for i in range(40)]
    bring(scope, tmp_path, human=human, **tables(40))
    assert of(scope).words == ""
    assert goals(scope) == {"Relevance": (Goal.DONE, 30, 30)}


def test_status_agree_and_the_pages_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = routed(tmp_path, 240, calibration=0.5, creative=False)
    grade(scope, "mira", relevant, screens=12)
    cograde, words = Line(scope.ws.path, capsys), of(scope).words
    said = f"{words}. How far people agree needs a second person."
    assert f"\n  {said}" in cograde("status").out
    assert said in cograde("agree").out
    for found in (cograde("status", "--json").json[0], cograde("agree", "--json").json):
        assert found["labels_missing"]["words"] == words
        assert found["labels_missing"]["criteria"][0]["labels"] == 12
    assert projects.people(scope.ws)
    (card,) = overview.all_projects(scope).projects
    assert card.labels_missing == of(scope)


def test_two_people_share_screens_until_the_ceiling_can_be_said(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    scope = routed(tmp_path / "one", 240, calibration=0.5, creative=False)
    grade(scope, "mira", relevant, screens=30)
    (alone, _) = agreement(scope, "study").criteria
    assert alone.people.lacking == (
        "needs a second person: 66 more blind labels, so that two graded 30 cells"
    )
    other = routed(tmp_path / "two", 240, calibration=0.5, creative=False)
    for person in ("mira", "jon") * 54:  # with ordinary screens and second looks
        grade(other, person, relevant, screens=1)
    (both, _) = agreement(other, "study").criteria
    assert both.people.lacking == "" and both.people.ceiling.n_cells >= 30
