"""Who decides a cell: the first reason that fits."""

from __future__ import annotations

import pytest

from graders.core.rubric import Criterion, read_rubric
from graders.core.scale import Scale, Value
from graders.workflows.cells.policy import (
    Suggestion,
)
from graders.workflows.cells.routes import (
    Route,
    RouteSettings,
    RouteSigns,
    is_top,
    route_cell,
)

YES = Scale("ordered", labels=("No", "Yes"))
GRADES = Scale("integer", low=1, high=5)
STEPS = Scale("ordered", labels=("poor", "fair", "good"))
TONES = Scale("nominal", labels=("warm", "dry", "stiff"))
SHARE = Scale("numeric", low=0.0, high=1.0)
NONE = Suggestion(None, None, "judges differ")
UNKNOWN = Suggestion(None, None, "not measured")
PLAIN = (
    "rubric: r\ncriteria:\n  c: {question: Q?, scale: {from: 1, to: 5}, graders: [judge]REVIEW}\n"
)
SURE, UNSURE, UNSAID = (
    Suggestion(5, 0.9, "2 of 2 judges"),
    Suggestion(5, 0.55, "2 of 3 judges"),
    Suggestion(4, None, "judge j1"),
)
RULES = Suggestion(None, None, "rules differ: a says 1, b says 2")
LOW = "bertscore_f1"
ROUTES = [
    # review | task type | suggestion | judges with a value | flagged | low metric | route
    ("", "factual", SURE, 2, False, "", Route("automatic", "2 of 2 judges")),
    ("", "creative", SURE, 2, False, "", Route("people", "task type creative")),
    ("", "unknown", SURE, 2, False, "", Route("people", "task type unknown")),
    # a criterion's own word
    ("automatic", "creative", SURE, 2, False, "", Route("automatic", "2 of 2 judges")),
    ("automatic", "unknown", SURE, 2, False, "", Route("automatic", "2 of 2 judges")),
    ("people", "factual", SURE, 2, False, "", Route("people", "task type factual")),
    ("{creative: automatic}", "creative", SURE, 2, False, "", Route("automatic", "2 of 2 judges")),
    ("{creative: automatic}", "unknown", SURE, 2, False, "", Route("people", "task type unknown")),
    # what was not measured is nobody's work, whatever else holds
    ("", "creative", UNKNOWN, 0, True, LOW, Route("automatic", "not measured")),
    ("people", "factual", UNKNOWN, 0, False, "", Route("automatic", "not measured")),
    # why the machine may not decide, in order
    ("", "factual", SURE, 2, True, LOW, Route("people", "flagged")),
    ("", "creative", SURE, 2, True, "", Route("people", "flagged")),
    ("", "factual", NONE, 2, False, "", Route("people", "judges differ")),
    (
        "",
        "factual",
        Suggestion(None, None, "no verdict"),
        0,
        False,
        "",
        Route("people", "no verdict"),
    ),
    (
        "",
        "factual",
        Suggestion(None, None, "no usable verdict"),
        0,
        False,
        "",
        Route("people", "no verdict"),
    ),
    ("", "factual", RULES, 1, False, "", Route("people", "rules differ")),
    ("", "factual", UNSURE, 2, False, LOW, Route("people", "low confidence (0.55)")),
    # nothing stated is not low
    (
        "",
        "factual",
        UNSAID,
        1,
        False,
        "",
        Route("automatic", "judge j1"),
    ),
    (
        "",
        "factual",
        SURE,
        2,
        False,
        LOW,
        Route("people", "judge against metric (bertscore_f1 in the lowest tenth)"),
    ),
]


def criterion(review: str = "") -> Criterion:
    return read_rubric(PLAIN.replace("REVIEW", f", review: {review}" if review else "")).criteria[0]


@pytest.mark.parametrize(
    ("review", "task", "suggestion", "judged", "flagged", "low", "route"), ROUTES
)
def test_route(
    review: str,
    task: str,
    suggestion: Suggestion,
    judged: int,
    flagged: bool,
    low: str,
    route: Route,
) -> None:
    found = route_cell(
        criterion(review),
        task,
        suggestion,
        RouteSigns(judged=judged, flagged=flagged, metric_low=low),
        RouteSettings(),
    )
    assert found == route


@pytest.mark.parametrize(
    ("settings", "task", "suggestion", "low", "route"),
    [
        (
            {"routes": {"low_confidence": 0.5}},
            "factual",
            UNSURE,
            "",
            Route("automatic", "2 of 3 judges"),
        ),
        (
            {"routes": {"low_confidence": 0.95}},
            "factual",
            SURE,
            "",
            Route("people", "low confidence (0.90)"),
        ),
        (
            {"routes": {"judge_against_metric": False}},
            "factual",
            SURE,
            LOW,
            Route("automatic", "2 of 2 judges"),
        ),
        (
            {"routes": {"review": {"unknown": "automatic"}}},
            "unknown",
            SURE,
            "",
            Route("automatic", "2 of 2 judges"),
        ),
        (
            {"routes": {"review": {"factual": "people"}}},
            "factual",
            SURE,
            "",
            Route("people", "task type factual"),
        ),
        ({}, "factual", UNSURE, "", Route("people", "low confidence (0.55)")),
    ],
)
def test_what_a_project_may_set(
    settings: dict[str, object], task: str, suggestion: Suggestion, low: str, route: Route
) -> None:
    found = route_cell(
        criterion(),
        task,
        suggestion,
        RouteSigns(judged=2, metric_low=low),
        RouteSettings.of(settings),
    )
    assert found == route


@pytest.mark.parametrize(
    ("scale", "value", "top"),
    [
        (YES, "Yes", True), (YES, "No", False), (GRADES, 5, True), (GRADES, 4, False), (SHARE, 1.0, True), (SHARE, 0.99, False),
        (STEPS, "good", True), (TONES, "stiff", False), (GRADES, None, False),
    ],
)  # fmt: skip
def test_the_top_of_a_scale(scale: Scale, value: Value | None, top: bool) -> None:
    assert is_top(scale, value) is top
