"""Repeated samples of one call, gathered until all are there and made one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graders.core.records import Problem, SubjectKey, Verdict
from graders.core.rubric import Rubric
from graders.judges._confidence import sampled
from graders.workflows.call import Outcome


def samples_of(judge: Any) -> int:
    """How often a judge asks each call."""
    return int(getattr(judge, "samples", 1))


class Samples:
    """Outcomes of a judge's calls; those of one call that is asked several times become one outcome."""

    def __init__(self, judge: Any) -> None:
        self._asked = samples_of(judge)
        self._gathered: dict[Any, list[Outcome]] = {}

    def gather(self, outcome: Outcome, rubric: Rubric) -> Outcome | None:
        """The outcome of a whole call; None while samples of it are missing. A sample without a usable reply counts as one without a
        value, and only where none is usable has the call a cause."""
        if self._asked == 1:
            return outcome
        request = outcome.request
        name = (request.subjects, request.criteria, request.elements, request.occasion)
        there = self._gathered.setdefault(name, [])
        there.append(outcome)
        if len(there) < self._asked:
            return None
        del self._gathered[name]
        there.sort(key=lambda one: one.request.sample)
        usable = [one for one in there if not one.cause]
        if not usable:
            return there[0]
        money = None if any(one.money is None for one in there) else sum(one.money or 0.0 for one in there)
        return replace(usable[0], items=_one(usable, self._asked, rubric), money=money)


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
        mark, facts = sampled([*marks, *[None] * (asked - len(marks))], rubric.criterion(criterion).scale)
        made.append(replace(verdicts[0], mark=mark, metadata={**verdicts[0].metadata, **facts}))
    return made
