"""Who decides a cell, people or machines, and why: pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graders.core.derived_judges import LEARNED
from graders.core.records import MISQUOTED
from graders.core.rubric import Criterion
from graders.core.scale import Scale, Value
from graders.workflows.cells.measured import measured
from graders.workflows.cells.policy import SETTLED, Suggestion


@dataclass(frozen=True, slots=True)
class Route:
    """Who decides a cell, and why."""

    route: str
    reason: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """What evidence says of a criterion on a task type: ``proven`` for cells that the machine is as
    sure of as `threshold`, of answers `after` one and up to `upto`; or ``refuted``. `order`: the
    row of the order in which that is so, None for the confidence that is stated."""

    state: str
    reason: str
    threshold: float | None = None
    upto: int = 0
    order: int | None = None
    after: int = 0

    def speaks_of(self, subject: int) -> bool:
        """Whether an answer (subject) was there when it was worked out, and is one that it is
        about."""
        return self.state != "proven" or self.after < subject <= self.upto

    def covers(self, suggestion: Suggestion, placed: float | None = None) -> bool:
        """Whether a promise holds for a suggestion, `placed` in the order where it rests on one;
        what was learned from the labels was never tested."""
        stated = -1.0 if suggestion.confidence is None else suggestion.confidence
        sure = stated if self.order is None else -1.0 if placed is None else placed
        known = suggestion.value is not None and suggestion.reason != f"judge {LEARNED}"
        return (
            self.state == "proven"
            and known
            and self.threshold is not None
            and sure >= self.threshold - 1e-9
        )


@dataclass(frozen=True, slots=True)
class RouteSettings:
    """What a project may set about routes. `promises`: what is proven decides; `whole`: an answer
    that people read is graded whole."""

    low_confidence: float = 0.6
    judge_against_metric: bool = True
    review: Mapping[str, str] = field(default_factory=dict)
    promises: bool = True
    whole: bool = False

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> RouteSettings:
        """From a project's settings."""
        found = settings.get("routes") or {}
        return cls(
            float(found.get("low_confidence", 0.6)),
            bool(found.get("judge_against_metric", True)),
            found.get("review") or {},
            bool(found.get("promises", True)),
            bool(found.get("whole", False)),
        )


#: Who decides where neither the criterion nor the project says anything.
DEFAULT_REVIEW = {"factual": "automatic", "creative": "people", "unknown": "people"}


def who_decides(criterion: Criterion, task_type: str, settings: RouteSettings) -> str:
    """``automatic`` or ``people``, as the criterion says, else the project, else the task type."""
    review = criterion.review
    return (
        review.get(task_type)
        or review.get("default")
        or settings.review.get(task_type)
        or DEFAULT_REVIEW[task_type]
    )


def asked_blind(criterion: Criterion, task_type: str, settings: RouteSettings) -> bool:
    """Whether a blind screen asks about a criterion. What rules measure and decide is left out: a
    blind screen shows neither seconds nor length, so that people could only guess, and a guess
    would overrule the measurement.

    Told from the rubric and the settings alone: nothing that a rule said may show on a blind
    screen.
    """
    return not measured(criterion) or who_decides(criterion, task_type, settings) == "people"


@dataclass(frozen=True, slots=True)
class RouteSigns:
    """What says who decides a cell besides its suggestion.

    `judged` counts the judges that gave a value; `metric_low` names the metric that lies in the
    project's lowest tenth while the suggestion is the top value; `ruling`: None where there is no
    evidence about the cell; `placed`: how sure the order is of it that the ruling rests on.
    """

    judged: int
    flagged: bool = False
    metric_low: str = ""
    ruling: Ruling | None = None
    placed: float | None = None


def route_cell(
    criterion: Criterion,
    task_type: str,
    suggestion: Suggestion,
    signs: RouteSigns,
    settings: RouteSettings,
) -> Route:
    """Who decides a cell, first reason that fits: not measured, unreadable or not asked for
    (automatic: nobody could), a judge's quote that is not in the answer or a rule that only detects
    and is not borne out by a judge (whatever was proven), flagged (not what rules measured: reading
    again would not change it), the evidence's ruling, task type, no verdict,
    judges differ, low confidence, judge against metric; else automatic."""
    if suggestion in SETTLED:
        return Route("automatic", suggestion.reason)
    if suggestion.misquoted:
        return Route("people", MISQUOTED)
    if suggestion.doubt:
        return Route("people", suggestion.doubt)
    who = who_decides(criterion, task_type, settings)
    if signs.flagged and (suggestion.value is None or asked_blind(criterion, task_type, settings)):
        return Route("people", "flagged")
    ruling = signs.ruling
    if ruling is not None and ruling.covers(suggestion, signs.placed):
        return Route("automatic", ruling.reason)
    if ruling is not None:
        return Route(
            "people", ruling.reason if ruling.state == "refuted" else "outside the promise"
        )
    if who == "people":
        return Route("people", f"task type {task_type}")
    if suggestion.value is None:
        if suggestion.reason.startswith("rules differ"):
            return Route("people", "rules differ")
        return Route("people", "judges differ" if signs.judged > 1 else "no verdict")
    if suggestion.confidence is not None and suggestion.confidence < settings.low_confidence:
        return Route("people", f"low confidence ({suggestion.confidence:.2f})")
    if signs.metric_low and settings.judge_against_metric:
        return Route("people", f"judge against metric ({signs.metric_low} in the lowest tenth)")
    return Route("automatic", suggestion.reason)


def is_top(scale: Scale, value: Value | None) -> bool:
    """Whether a value is the best of its scale (ordered scales only)."""
    if value is None or not scale.is_ordered:
        return False
    return float(value) == scale.high if scale.kind == "numeric" else value == scale.values[-1]
