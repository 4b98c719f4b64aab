"""What routing saves of people's time: calibration counted with the seconds that it took, and nothing
said that is not proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.store import projects
from graders.workflows.promise.risk import risk
from graders.workflows.promise.savings import Saving
from graders.workflows.routing import page
from graders.workflows.scope.permissions import Scope
from tests.support.routed import grade, routed


def found(scope: Scope) -> list[Saving]:
    """The same on the page and in the terminal."""
    both = page.routing(scope, "study").savings, risk(scope, "study").savings
    assert list(both[0]) == list(both[1])
    return list(both[0])


def right(criterion: str, question: str) -> object:
    """The judge is always right."""
    return "relevant" if criterion == "small/relevance" else 4


def right_of_relevance(criterion: str, question: str) -> object:
    return "relevant" if criterion == "small/relevance" else 1


def test_what_is_proven_saves_the_reading_that_nobody_must_do(tmp_path: Path) -> None:
    scope = routed(tmp_path, creative=False, calibration=0.5)
    assert found(scope) == [], "nothing is proven"
    grade(scope, "mira", right, seconds=30)
    (one,) = found(scope)
    assert (one.task_type, one.alone, one.sampled) == ("factual", 120 * 30, 60 * 30)
    assert one.share == pytest.approx(0.5) and one.routed == one.sampled
    assert one.words == (
        "Routing saves 50% of people's time on answers to factual questions: 30 minutes instead of "
        "60 minutes, the 30 minutes of calibration and audits counted; proven at 10% risk, with 90% "
        "confidence."
    )
    project = scope.project("study")
    projects.set_settings(scope.ws, project, {"routes": {"promises": False}})
    assert found(scope) == [], "what is proven decides nothing here"


def test_calibration_counts_as_long_as_it_took_of_everybody(tmp_path: Path) -> None:
    scope = routed(tmp_path, creative=False, calibration=0.5, overlap=1.0)
    grade(scope, "mira", right, seconds=30)
    grade(scope, "jonas", right, seconds=30)
    (one,) = found(scope)
    assert one.sampled > 60 * 30 and one.share < 0.5


def test_no_time_is_saved_where_people_still_decide_a_criterion(tmp_path: Path) -> None:
    scope = routed(tmp_path, creative=False, calibration=0.7)
    grade(scope, "mira", right_of_relevance, seconds=30)
    (one,) = found(scope)
    assert one.share == pytest.approx(0, abs=1e-9)
    assert one.words == (
        "Routing saves no time yet on answers to factual questions: people still decide Completeness."
    )
