"""People side by side, one of them set aside and let in again, and what is left to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graders.core.errors import NotAllowed, NotFound
from graders.store import projects
from graders.workflows.agreement import agree
from graders.workflows.agreement.people import people_report, set_aside
from graders.workflows.agreement.work_left import MIN_TIMED, progress
from graders.workflows.diagnostics.diagnose import diagnostics
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import leaderboard
from graders.workflows.results.grid import grid
from graders.workflows.review import grading
from graders.workflows.routing.page import routing
from graders.workflows.routing.route import route
from graders.workflows.scope.people_names import called
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.agreeing import judged, said, study, words
from tests.support.studies import bring, scope_at


def test_agreement_and_severity_of_each_person_with_intervals(tmp_path: Path) -> None:
    ann, bob = [3] * 20 + [2] * 20, [3] * 20 + [3] * 20  # bob is one higher on half of the cells
    human = (
        said("ann", ann, "completeness")
        + said("bob", bob, "completeness")
        + said("cy", [None] * 39 + [3], "completeness")
    )
    scope = study(tmp_path, human=human, judge=judged("north", ann, "completeness"))
    found = {row.person: row for row in people_report(scope, "study").people}
    # 20 of 40 cells alike, and on the last one cy agrees with bob, not with ann: bob (19 + 20 x
    # ...)
    assert found["ann"].same.value == pytest.approx(20 / 40)
    assert found["bob"].same.value == pytest.approx((20 + 0.5) / 40)
    # bob above ann by 1 on 19 cells; on the last the others' mean is 2.5; the scale is 4 wide
    assert found["bob"].severity.value == pytest.approx((19 * 1 + 0.5) / 40 / 4)
    assert found["bob"].severity.low > 0 > found["ann"].severity.high
    assert found["cy"].same.status == "INCONCLUSIVE"  # one question
    assert found["ann"].accepted.reason == "no suggestion was answered"
    assert found["bob"].sentence.startswith(
        "bob: the same value as colleagues 51 % (95 % interval "
    )
    assert (
        "; distance from the others' mean, in the scale 12 % (95 % interval "
        in found["bob"].sentence
    )
    counted = "Counted: 40 verdicts, blind, of all cells, unweighted; pace, gold and suggestions over all screens."
    assert found["bob"].sentence.endswith(counted)
    report = agree.agreement(scope, "study")
    people, two = report.criteria[0].people, report.pairs[-1]
    assert people.sentence.startswith(
        "On Completeness, people agree among themselves with interval alpha "
    )
    assert people.sentence.endswith(f"given by ann, bob, cy, {people.population}.")
    assert two.sentence.startswith(
        f"On Completeness, {two.a_name} and {two.b_name} agree with quadratic kappa "
    )


def test_accepted_suggestions_are_counted_from_assisted_verdicts(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    human = [
        {
            **row,
            "arm": "assisted",
            "design": "ordinary",
            "action": "accepted" if i % 4 else "edited",
        }
        for i, row in enumerate(said("ann", bits))
    ]
    scope = study(tmp_path, human=human, judge=judged("north", bits))
    [ann] = people_report(scope, "study").people
    assert (ann.accepted.value, ann.verdicts) == (0.75, 0)  # none of them blind


def test_somebody_set_aside_moves_the_figures_and_comes_back(tmp_path: Path) -> None:
    bits = words([0, 1] * 20)
    human = said("ann", bits) + said("bob", bits) + said("cy", bits[::-1])
    scope = study(tmp_path, human=human, judge=judged("north", bits), person="lead")
    before = agree.agreement(scope, "study").criteria[0].judges[0].shown.value
    assert before < 1
    wide, means = leaderboard(scope, "study", Wish(show="people")), grid(scope, "study")
    set_aside(scope, "study", "cy", True)
    found = agree.agreement(scope, "study")
    assert (
        found.criteria[0].judges[0].shown.value,
        found.criteria[0].people.names,
    ) == (1.0, ["ann", "bob"])
    assert found.subtitle.endswith("Set aside: cy.")
    board = leaderboard(scope, "study", Wish(show="people"))
    # cells are 0 or 1 now, no thirds between
    assert board.models[0].figure.high > wide.models[0].figure.high
    assert board.rests_on.endswith("Set aside: cy.") and diagnostics(
        scope, "study"
    ).subtitle.endswith(" Set aside: cy.")
    # What is final stays, and so does what was drawn for a proof: there it is said that they count.
    assert replace(grid(scope, "study"), subtitle="") == replace(means, subtitle="")
    assert grid(scope, "study").subtitle.endswith(" Set aside on Agreement, counted here: cy.")
    assert routing(scope, "study").basis.endswith(" Set aside on Agreement, counted here: cy.")
    report = people_report(scope, "study")
    assert report.title == "3 people have graded, the verdicts of 1 set aside."
    [move] = report.moves
    assert (move.before, move.after) == (pytest.approx(before), 1.0)
    assert move.sentence.startswith(
        f"On Relevance, north's kappa beside people: with everybody {move.words[0]} than a person, {before:.2f} ("
    )
    assert "; without the verdicts of cy as good as a person, 1.00 (" in move.sentence
    assert [row.aside for row in report.people if row.person == "cy"] == [True]
    set_aside(scope, "study", "cy", False)
    assert agree.agreement(scope, "study").criteria[0].judges[0].shown.value == pytest.approx(
        before
    )
    assert [
        e.body["aside"] for e in projects.events(scope.ws, scope.project("study"), "set_aside")
    ] == [False, True]
    with pytest.raises(NotFound, match="person 'di'"):
        set_aside(scope, "study", "di", True)
    with pytest.raises(NotAllowed):
        set_aside(Scope(Actor("ann", role="annotator"), scope.ws), "study", "cy", True)


def test_whoever_did_something_is_called_by_a_label() -> None:
    names = {"k1": "Kim (expert)"}
    asked = ("k1", "lead", "", "9f86d081884c7d65", "Mira")
    assert [called(names, who) for who in asked] == [
        "Kim (expert)",
        "lead",
        "",
        "somebody else",
        "Mira",
    ]


def test_progress_tells_what_is_left_when_it_ends_and_where_minutes_went(tmp_path: Path) -> None:
    scope = scope_at(tmp_path, "kim")
    questions = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(MIN_TIMED + 3)]
    bring(
        scope,
        tmp_path,
        questions=questions,
        answers=[{"question_id": q["id"], "model": "Ash", "text": "Yes."} for q in questions],
    )
    projects.set_settings(
        scope.ws,
        scope.project("study"),
        {"sampling": {"calibration": 0.0, "audit": 0.0, "blind": 0.0}},
    )
    route(scope, "study")
    assert (
        progress(scope, "study").words
        == "23 screens wait for people; none was saved in the last 7 days, so no end can be estimated."
    )
    save_next(scope, 90)
    # a minute and a half of work is no pace
    found = progress(scope, "study")
    assert (found.left, found.done, found.days, found.until) == (22, 1, None, None)
    assert found.words == (
        "22 screens wait for people; too little work for a forecast: "
        "1 of 20 timed screens in the last 7 days."
    )
    assert {one.kind: one.minutes for one in found.minutes if one.minutes} == {"review": 1.5}
    assert found.idle == []
    pace = people_report(scope, "study").people[0].pace
    assert (pace.value, pace.status) == (90.0, "INCONCLUSIVE")
    for _ in range(MIN_TIMED - 1):
        save_next(scope, 30)
    found = progress(scope, "study")
    # twenty in seven days, three left
    assert (found.left, found.done, found.days) == (3, 20, pytest.approx(1.05))
    assert found.words.startswith("3 screens wait for people: done about 2")


def save_next(scope: Scope, seconds: float) -> None:
    """Save the next screen of this person."""
    [screen] = grading.next_screens(scope, "study", 1)
    answer = screen.answers[0]
    given = [{"cell": cell.id, "value": None, "action": "typed"} for cell in answer.cells]
    grading.save(
        scope,
        "study",
        {
            "save_id": f"save-of-screen-{screen.id}",
            "screen": screen.id,
            "order": [answer.id],
            "verdicts": given,
            "seconds": seconds,
        },
    )
