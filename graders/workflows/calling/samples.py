"""Repeated samples of one call, and both orders of a pair, gathered until all are there and made
one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graders.core.records import Problem, SubjectKey, Verdict
from graders.core.rubric import Rubric
from graders.judges.asking.confidence import sampled
from graders.judges.asking.orders import both_orders
from graders.workflows.calling.call import Outcome
from graders.workflows.calling.records import Items


def samples_of(judge: Any) -> int:
    """How often a judge asks each call."""
    return int(getattr(judge, "samples", 1))


class Samples:
    """Outcomes of a judge's calls; those of one call that is asked several times, or of a pair in
    both orders, become one outcome."""

    def __init__(self, judge: Any) -> None:
        self._asked = samples_of(judge)
        self._gathered: dict[Any, list[Outcome]] = {}

    def gather(self, outcome: Outcome, rubric: Rubric) -> Outcome | None:
        """The outcome of a whole call; None while samples of it, or the other order of a pair, are
        missing.

        A sample without a usable reply counts as one without a value, and only where none is usable
        has the call a cause. A pair has one where an order has: one order alone would say as much
        about places as about answers.
        """
        request = outcome.request
        pair = any(key.other for key in request.subjects)
        if self._asked == 1 and not pair:
            return outcome
        name = (
            request.subjects,
            request.criteria,
            request.elements,
            "" if pair else request.occasion,
        )
        there = self._gathered.setdefault(name, [])
        there.append(outcome)
        if len(there) < self._asked * (2 if pair else 1):
            return None
        del self._gathered[name]
        there.sort(key=lambda one: (one.request.occasion, one.request.sample))
        if not pair:
            return self._whole(there, rubric)
        first, turned = (
            self._whole(there[half : half + self._asked], rubric) for half in (0, self._asked)
        )
        money = _sum(first.money, turned.money)
        failed = next((one for one in (first, turned) if one.cause), None)
        return replace(failed or first, items=_pair(first.items, turned.items, rubric), money=money)

    def _whole(self, there: Sequence[Outcome], rubric: Rubric) -> Outcome:
        """All samples of a call as one outcome."""
        usable = [one for one in there if not one.cause]
        if not usable or self._asked == 1:
            return there[0]
        money = (
            None
            if any(one.money is None for one in there)
            else sum(one.money or 0.0 for one in there)
        )
        return replace(usable[0], items=_one(usable, self._asked, rubric), money=money)


def _sum(one: float | None, two: float | None) -> float | None:
    return None if one is None or two is None else one + two


def _pair(first: Items, turned: Items, rubric: Rubric) -> list[Verdict | Problem]:
    """One verdict per cell of a pair from those of both orders."""
    other = {(v.subject, v.criterion, v.part): v.mark for v in turned if isinstance(v, Verdict)}
    made: list[Verdict | Problem] = []
    for verdict in first:
        mark = (
            other.get((verdict.subject, verdict.criterion, verdict.part))
            if isinstance(verdict, Verdict)
            else None
        )
        if isinstance(verdict, Verdict) and mark is not None:
            whole, facts = both_orders(
                verdict.mark, mark, rubric.criterion(verdict.criterion).scale
            )
            made.append(replace(verdict, mark=whole, metadata={**verdict.metadata, **facts}))
    return made


def _one(usable: Sequence[Outcome], asked: int, rubric: Rubric) -> list[Verdict | Problem]:
    """One verdict per cell of all samples, with their values and spread."""
    cells: dict[tuple[SubjectKey, str, str], list[Verdict]] = {}
    for outcome in usable:
        for item in outcome.items:
            if isinstance(item, Verdict):
                cells.setdefault((item.subject, item.criterion, item.part), []).append(item)
    made: list[Verdict | Problem] = []
    for (_, criterion, _), verdicts in cells.items():
        marks = [verdict.mark for verdict in verdicts]
        mark, facts = sampled(
            [*marks, *[None] * (asked - len(marks))], rubric.criterion(criterion).scale
        )
        made.append(replace(verdicts[0], mark=mark, metadata={**verdicts[0].metadata, **facts}))
    return made
