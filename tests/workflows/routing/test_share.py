"""A changed share of drawn answers takes effect at once, and a promise stays as true as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import Conflict
from graders.workflows.home import overview
from graders.workflows.projects.settings import change_settings, settings
from graders.workflows.promise.promise_tests import tries_of
from graders.workflows.routing import share
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.commands.runner import Line
from tests.support.routed import grade, routed
from tests.workflows.promise.test_risk import drawn


def designs(scope: Scope) -> dict[str, int]:
    """Answers by the design of their screen."""
    return dict(
        scope.ws.db.execute(
            "SELECT s.design, count(*) FROM screen s JOIN screen_subject x ON x.screen_id = s.id "
            "GROUP BY 1"
        ).fetchall()
    )


def chances(scope: Scope) -> set[float]:
    return {
        round(row[0], 6)
        for row in scope.ws.db.execute(
            "SELECT probability FROM screen WHERE design = 'calibration'"
        )
    }


def relevant(criterion: str, question: str) -> str | int:
    return "relevant" if criterion == "small/relevance" else 4


def test_a_larger_share_draws_further_answers_behind_those_drawn(tmp_path: Path) -> None:
    scope = routed(tmp_path, 120, calibration=0.25, creative=False)
    before = drawn(scope)
    sample = change_settings(scope, "study", {"calibration": 0.5}).sample
    assert (sample.added, sample.returned, sample.drawn, sample.of) == (30, 0, 60, 120)
    assert sample.words == (
        "30 further answers were drawn at random. 60 of 120 answers are in the calibration sample."
    )
    assert set(before) < set(drawn(scope)) and chances(scope) == {0.5}
    places = dict(
        scope.ws.db.execute(
            "SELECT x.subject_id, q.priority FROM queue q "
            "JOIN screen_subject x ON x.screen_id = q.screen_id"
        ).fetchall()
    )
    ordered = sorted(places, key=lambda subject: places[subject])[:60]
    assert len(ordered) == 60 and len(set(places.values())) >= 60
    assert settings(scope, "study").sample.words == (
        "60 of 120 answers are in the calibration sample."
    )


def test_a_smaller_share_gives_back_what_nobody_began_and_the_log_says_so(tmp_path: Path) -> None:
    scope = routed(tmp_path, 240, calibration=0.5, creative=False)
    before = set(drawn(scope))
    sample = change_settings(scope, "study", {"calibration": 0.25}).sample
    assert (sample.added, sample.returned, sample.drawn, sample.of) == (0, 60, 60, 240)
    assert sample.words == (
        "60 drawn answers that had not been begun were given back. "
        "60 of 240 answers are in the calibration sample."
    )
    assert set(drawn(scope)) < before and chances(scope) == {0.25}
    lately = [event.text for event in overview.all_projects(scope).lately]
    assert "60 drawn answers of 120 given back, before they were begun" in lately
    tried = tries_of(scope.ws, scope.project("study"))["factual"]
    assert [look.labels for look in tried.looks] == [30, 60] and not tried.doubt
    assert [chance for _, _, chance in tried.ranges] == [pytest.approx(0.25)]
    # what was given back is graded like any other answer, and may be drawn again
    route(scope, "study")
    assert designs(scope)["calibration"] == 60
    again = change_settings(scope, "study", {"calibration": 0.75}, consent=True).sample
    assert (again.added, again.drawn) == (120, 180) and chances(scope) == {0.75}
    assert "more than half" in again.words
    whole = change_settings(scope, "study", {"calibration": 1.0}, consent=True).sample
    assert whole.drawn == whole.of == 240
    assert whole.words.endswith("all are drawn: nothing is left to automate.")


def test_a_screen_that_somebody_holds_stays_drawn(tmp_path: Path) -> None:
    scope = routed(tmp_path, 80, calibration=1.0, creative=False)
    grade(scope, "mira", relevant, screens=3)
    none = change_settings(scope, "study", {"calibration": 0.0}).sample
    # looks at 30, 60 and 80 answers were planned, and people are at the first of them
    assert (none.returned, none.drawn) == (50, 30)
    assert "30 more stay drawn" in none.words


def test_once_labels_are_open_whole_planned_looks_go_and_delta_stays(tmp_path: Path) -> None:
    scope = routed(tmp_path, 240, calibration=0.5, creative=False)
    tried = tries_of(scope.ws, scope.project("study"))["factual"]
    shares = [look.share for look in tried.looks]
    grade(scope, "mira", relevant, screens=10)
    sample = change_settings(scope, "study", {"calibration": 0.2}).sample
    assert (sample.returned, sample.drawn) == (60, 60), "48 is no planned look: 60 is the next"
    left = tries_of(scope.ws, scope.project("study"))["factual"]
    assert [look.share for look in left.looks] == shares[:2]
    assert [len(look.drawn) for look in left.looks] == [30, 60] and left.drawn == left.looks[
        1
    ].drawn
    less = change_settings(scope, "study", {"calibration": 0.1}).sample
    assert (less.returned, less.drawn) == (30, 30)
    last = tries_of(scope.ws, scope.project("study"))["factual"]
    assert [look.share for look in last.looks] == shares[:1] and not last.doubt


def test_the_command_says_what_became_of_a_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scope = routed(tmp_path, 60, calibration=0.5, creative=False)
    cograde = Line(scope.ws.path, capsys)
    said = cograde.bare("route", "--calibration", "0.2", "--workspace", scope.ws.path)
    assert said.code == 0
    assert said.out.startswith("18 drawn answers that had not been begun were given back. 12 of 60")
    assert cograde("route", "--calibration", "0.3", "--json").json["sample"]["added"] == 6


def test_what_cannot_be_drawn_now_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = routed(tmp_path, 60, calibration=0.2, creative=False)

    def refuse(*_: object, **__: object) -> None:
        raise Conflict("labels are being placed")

    monkeypatch.setattr(share, "draw_more", refuse)
    with pytest.raises(Conflict):
        change_settings(scope, "study", {"calibration": 0.5, "audit": 0.2})
    found = settings(scope, "study").settings
    assert (found["calibration"], found["audit"]) == (0.2, 0.0)
