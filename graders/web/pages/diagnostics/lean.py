"""Which way a judge leans: its figures as rows of one axis, in percent of the scale."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.core.words import say
from graders.web.kit.drawing import steps, whole
from graders.workflows.diagnostics.judge_report import (
    DiagnosedJudge,
    JudgeCriterion,
    JudgeFigure,
    Name,
)

#: In the order of the page.
KINDS = (Name.LENIENCY, Name.LENGTH, Name.POSITION, Name.FIRST, Name.FAMILY, Name.DRIFT)
#: The axis reaches at least this far to both sides, and at most to the ends of the scale.
LEAST, MOST = 10, 100
#: Slopes on the log of the length are shown for an answer twice as long.
TWICE = math.log(2)


class Scaled(NamedTuple):
    """A figure in percent of the scale."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class LeanLine:
    """A criterion's row: the figure, where it lies, what is read out for its drawing, and what
    stands beside it."""

    row: JudgeCriterion
    figure: JudgeFigure
    at: Scaled
    label: str
    told: str


@dataclass(frozen=True, slots=True)
class Without:
    """Criteria of which nothing can be drawn, for one reason; no `criteria` where it is all."""

    criteria: str
    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Lean:
    """A kind of lean with its rows."""

    name: Name
    lines: Sequence[LeanLine]
    without: Sequence[Without]


@dataclass(frozen=True, slots=True)
class Leans:
    """All of them on an axis that reaches as far to the left as to the right."""

    kinds: Sequence[Lean]
    reach: int
    ticks: Sequence[float]


def leans_of(judge: DiagnosedJudge) -> Leans:
    """What is drawn of a judge's leans."""
    kinds = [_kind(name, rows) for name in KINDS if (rows := _with(judge, name))]
    ends = [abs(x) for kind in kinds for line in kind.lines for x in line.at if x is not None]
    reach = min(MOST, max(LEAST, 10 * math.ceil(max(ends, default=0) / 10)))
    return Leans(kinds, reach, steps(-reach, reach))


def why(figure: JudgeFigure) -> str:
    """What a figure says; where a sign beside it says that it carries no decision, only why."""
    if figure.status == "OK":
        return figure.words
    return f"{figure.reason[:1].upper()}{figure.reason[1:]}."


def _with(judge: DiagnosedJudge, name: Name) -> list[tuple[JudgeCriterion, JudgeFigure]]:
    return [(row, row.figures[name]) for row in judge.criteria if name in row.figures]


def _kind(name: Name, rows: Sequence[tuple[JudgeCriterion, JudgeFigure]]) -> Lean:
    reasons: dict[str, list[tuple[JudgeCriterion, JudgeFigure]]] = {}
    for row, figure in rows:
        if figure.value is None:
            reasons.setdefault(why(figure), []).append((row, figure))
    return Lean(
        name,
        [_line(name, row, figure) for row, figure in rows if figure.value is not None],
        [_without(reason, of, len(rows)) for reason, of in reasons.items()],
    )


def _without(reason: str, of: Sequence[tuple[JudgeCriterion, JudgeFigure]], rows: int) -> Without:
    titles = ", ".join(row.title for row, _ in of) if len(of) < rows else ""
    return Without(titles, reason, of[0][1].sentence)


def _line(name: Name, row: JudgeCriterion, figure: JudgeFigure) -> LeanLine:
    by = 100 / row.range * (TWICE if name is Name.LENGTH else 1)
    ends = (figure.value, figure.low, figure.high)
    at = Scaled(*(None if x is None else x * by for x in ends))
    firm, label = figure.status == "OK", f"{row.title}: {figure.words}"
    if firm and at.value is not None and at.low is not None and at.high is not None:
        ends_said = {"low": whole(at.low), "high": whole(at.high)}
        label += f" {say('diagnostics.page.read', value=whole(at.value), **ends_said)}"
    silent = firm and not figure.real and name is not Name.DRIFT
    return LeanLine(row, figure, at, label, "" if silent else why(figure))


def follows_of(judge: DiagnosedJudge) -> Mapping[str, str]:
    """What follows for the lead, by card."""
    return {
        "lean": _lean_follows(judge),
        "scale": _scale_follows(judge),
        "chances": _chances_follow(judge),
        "replies": _replies_follow(judge),
    }


def _lean_follows(judge: DiagnosedJudge) -> str:
    leans = [
        f"{found.words} {row.title}"
        for row in judge.criteria
        for found in row.findings
        if found.name is not Name.OVER
    ]
    if leans:
        return say("diagnostics.page.follows.lean", judge=judge.name, leans=", ".join(leans))
    if any(figure.status == "OK" for name in KINDS for _, figure in _with(judge, name)):
        return say("diagnostics.page.follows.no_lean", judge=judge.name)
    return say("diagnostics.page.follows.few_lean", judge=judge.name)


def _scale_follows(judge: DiagnosedJudge) -> str:
    found = [(row.title, f) for row, f in _with(judge, Name.SPREAD) if f.status == "OK"]
    less = ", ".join(title for title, f in found if f.high is not None and f.high < 1)
    more = ", ".join(title for title, f in found if f.low is not None and f.low > 1)
    said = [
        say("diagnostics.page.follows.narrow", criteria=less) if less else "",
        say("diagnostics.page.follows.wide", criteria=more) if more else "",
    ]
    if not any(said) and found:
        said = [say("diagnostics.page.follows.as_people")]
    return " ".join(one for one in said if one)


def _chances_follow(judge: DiagnosedJudge) -> str:
    found = [(row.title, f) for row, f in _with(judge, Name.OVER) if f.value is not None]
    above = ", ".join(title for title, f in found if f.real and (f.value or 0) > 0)
    below = ", ".join(title for title, f in found if f.real and (f.value or 0) < 0)
    said = [
        say("diagnostics.page.follows.over", criteria=above) if above else "",
        say("diagnostics.page.follows.under", criteria=below) if below else "",
    ]
    if not any(said) and any(f.status == "OK" for _, f in found):
        said = [say("diagnostics.page.follows.as_stated")]
    return " ".join(one for one in said if one)


def _replies_follow(judge: DiagnosedJudge) -> str:
    found = [(f.value, row.title, f) for row, f in _with(judge, Name.UNREAD) if f.value is not None]
    if not found:
        return ""
    share, title, figure = max(found, key=lambda one: one[0])
    return f"{title}: {figure.words}" if share else say("diagnostics.page.follows.all_read")
