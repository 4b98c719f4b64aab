"""What labels that are still to be given will show of each kind of cells: the test that will be
made, with no error found yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from graders.core.words import say
from graders.statistics import budget
from graders.statistics.arrays import Flags, joined
from graders.statistics.risk_control import ALLOWED, Stratum, select_strata
from graders.workflows.promise.counted_cells import Cells
from graders.workflows.promise.kind_rows import KindState
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.promise_tests import TASK_TYPES
from graders.workflows.scope.phrases import listed, several


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What labels will show of a criterion (`criterion` its key, `title`) on a task type: `labels`
    that are drawn, the `half_width` of the interval of agreement, the largest share off (`error`)
    with which the test passes (None where none can), its present `state`, and all that in words."""

    criterion: str
    title: str
    task_type: str
    labels: int
    half_width: float
    error: float | None
    state: KindState
    words: str


#: What kinds are tested together by.
_Key = tuple[bool, float, float, int] | tuple[bool, str, float, float, int, bool]


@dataclass(frozen=True, slots=True, eq=False)
class _Next:
    """A kind of cells in its next test: the cells that this is about, and bool over these, which
    will be labelled."""

    kind: Kind
    anew: bool
    drawn: frozenset[int]
    cells: Cells
    known: Flags

    @classmethod
    def of(cls, kind: Kind, drawn: Sequence[int], *, anew: bool) -> _Next:
        one, cells = kind.tried, kind.cells
        out = one.drawn | one.before if anew else one.before
        population = cells.testable() & ~cells.of_answers(out)
        if kind.order is not None and kind.order.made_from.get("learned"):
            population &= cells.sure >= 0
        mine = frozenset(drawn) if anew else one.drawn | frozenset(drawn)
        tested = cells.only(population)
        return cls(kind, anew, frozenset(drawn), tested, tested.of_answers(mine))

    @property
    def key(self) -> _Key:
        """Kinds of a criterion with one key are tested together; a draw fixes the terms of all that
        begin anew with it at one time."""
        one = self.kind.tried
        return (
            (True, one.alpha, one.delta, one.within)
            if self.anew
            else (False, *one.key, self.kind.order is None)
        )

    @property
    def hindrance(self) -> str:
        """Why no answer that is drawn now will bring a proof; empty if one may."""
        one, scale = self.kind.tried, self.kind.criterion.scale
        if not self.anew and self.kind.placing is not None:
            return say("promise.forecast.placed")
        if not scale.is_discrete and not one.within:
            return say("promise.forecast.no_step")
        if not self.anew and self.kind.opened and (not one.ranges or self.kind.opened < one.at):
            return say("promise.forecast.opened_before_terms")
        return "" if len(self.cells) else say("promise.forecast.no_value")


def foreseen(
    kinds: Sequence[Kind], drawn: Mapping[str, Sequence[int]], over: Collection[str]
) -> list[Foreseen]:
    """What the answers `drawn` per task type, once labelled, will show of each kind; those of the
    task types `over` begin a new test."""
    nexts = [
        _Next.of(
            kind, drawn.get(kind.task, ()), anew=kind.task in over and bool(drawn.get(kind.task))
        )
        for kind in kinds
    ]
    tests: dict[int, Stratum] = {}
    groups: dict[tuple[int, _Key], list[_Next]] = {}
    for one in nexts:
        if not one.hindrance:
            groups.setdefault((one.kind.criterion.id, one.key), []).append(one)
    for group in groups.values():
        types = sum(kind.criterion is group[0].kind.criterion for kind in kinds)
        for stratum in _strata(group, types):
            tests.update(
                (id(one), stratum)
                for one in group
                if TASK_TYPES.index(one.kind.task) in stratum.codes
            )
    return [_row(one, tests.get(id(one))) for one in nexts]


def _strata(group: Sequence[_Next], types: int) -> tuple[Stratum, ...]:
    """The test as it is made of labels that are there, were every one of them right."""
    cells, known, one = (
        Cells.joined([n.cells for n in group]),
        joined([n.known for n in group]),
        group[0].kind.tried,
    )
    # of a draw with planned looks the last is foreseen
    share = one.looks[-1].share if one.looks and not group[0].anew else 1.0
    delta = one.delta * share * len(group) / types
    design = "cells" if group[0].anew else one.design
    return select_strata(
        cells.sure, known, cells.none, cells.question, cells.task, one.alpha, delta, design
    )


def _row(one: _Next, test: Stratum | None) -> Foreseen:
    kind = one.kind
    labels = int(kind.cells.of_answers(one.drawn).sum())
    there = (
        0
        if one.anew or kind.placing is not None
        else int(kind.cells.of_answers(kind.tried.drawn).sum())
    )
    width = budget.half_width(labels + there, kind.people if kind.people is not None else 0.5)
    told, error = (one.hindrance, None) if test is None else _told(test)
    words = say(
        f"promise.forecast.{'widest' if kind.people is None else 'known'}",
        labels=several(labels, "label"),
        before=say("promise.forecast.before", labels=labels + there) if there else "",
        width=width,
        told=told,
    )
    return Foreseen(
        criterion=kind.criterion.key,
        title=kind.criterion.criterion.title,
        task_type=kind.task,
        labels=labels,
        half_width=width,
        error=error,
        state=kind.state,
        words=words,
    )


def _told(test: Stratum) -> tuple[str, float | None]:
    """What a test can show, in words, and the largest share off with which it passes."""
    found, tasks = test.selection, [TASK_TYPES[code] for code in test.codes]
    whose = say("promise.forecast.together", tasks=listed(tasks)) if len(tasks) > 1 else ""
    if not found.looks:
        least = budget.routing_labels(found.alpha, found.delta, ALLOWED)
        return say("promise.forecast.too_few", labels=several(least, "label"), whose=whose), None
    first = found.looks[0]
    if not first.passed:
        return say("promise.forecast.all_labelled", whose=whose), None
    error = budget.provable_error(found.alpha, found.delta, first.labels) or 0.0
    cells = (
        say("promise.forecast.cells")
        if first.coverage > 0.995
        else say("promise.forecast.surest", share=first.coverage)
    )
    return say("promise.forecast.proven", error=error, cells=cells, whose=whose), error
