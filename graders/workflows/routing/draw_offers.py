"""What a number of labels is expected to leave to the machine, placed or drawn at random, by
simulation on the project's own cells; and which of the two is recommended.

Placing is offered only where it is expected to gain something. Nothing here reads a label that will
test: where the machine was tested before, those labels say how far it is off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import mean_of
from graders.statistics.budget import routing_labels
from graders.statistics.expected_share import (
    NOTHING_KNOWN,
    RUNS,
    Draws,
    Expected,
    Known,
    expected_shares,
    places,
)
from graders.statistics.placement import ALLOWED
from graders.store.projects import Project
from graders.workflows.promise.counted_cells import Cells
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.placed_draws import may_place
from graders.workflows.promise.promise_tests import AS_LOGGED, NewTerms, Terms, Try, tries_of
from graders.workflows.routing._placed_draw_begins import population
from graders.workflows.routing.page import kinds_kept
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several

#: More labels than this are no plan.
MOST_LABELS = 1_000_000


class Way(StrEnum):
    """How labels are best come by: placed, drawn at random, or neither at this number of them."""

    PLACED = "placed"
    RANDOM = "random"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Offer:
    """What so many `labels` of a criterion (`criterion` its key, `title`) on a task type are
    expected to leave to the machine, of the `cells` that nobody graded: `placed`, and drawn at
    `random`; None where so few prove nothing. `recommended`: the better of the two; `words`: all
    that, and why."""

    criterion: str
    title: str
    task_type: str
    labels: int
    cells: int
    placed: Expected | None
    random: Expected | None
    recommended: Way
    words: str


@dataclass(frozen=True, slots=True)
class Offers:
    """An offer for each kind of cells whose `labels` could be placed."""

    labels: int
    rows: Sequence[Offer]


@needs("look")
def offers(scope: Scope, project_name: str, labels: int) -> Offers:
    """What `labels` labels of each kind of cells are expected to bring, placed and at random."""
    if not 1 <= labels <= MOST_LABELS:
        raise InputError(**error_parts("routing.offer_labels", labels=labels, most=MOST_LABELS))
    project = scope.project(project_name)
    if not project.settings.get("routed"):
        return Offers(labels, [])
    tries = tries_of(scope.ws, project)
    return Offers(
        labels, offers_of(scope, project, kinds_kept(scope, project, tries), tries, labels)
    )


def offers_of(
    scope: Scope,
    project: Project,
    kinds: Sequence[Kind],
    tries: Mapping[str, Try],
    labels: int,
    new: NewTerms = AS_LOGGED,
) -> list[Offer]:
    """One for each of `kinds` whose labels could be placed and are not being placed."""
    able = [
        kind for kind in kinds if not kind.under_way and may_place(scope, project, kind.criterion)
    ]
    made = []
    for kind in able:
        cells = population(scope, project, kind.criterion, kind.task)
        if len(cells):
            types = sum(other.criterion is kind.criterion for other in kinds)
            made.append(_offer(kind, cells, labels, new.over(tries[kind.task]), types))
    return made


def offers_split(
    scope: Scope,
    project: Project,
    kinds: Sequence[Kind],
    every: Sequence[Kind],
    tries: Mapping[str, Try],
    labels: int,
    new: NewTerms,
) -> list[Offer]:
    """One for each of `kinds`, between which `labels` are shared by their cells; `every`: all kinds
    of their criterion."""
    cells = {kind.task: population(scope, project, kind.criterion, kind.task) for kind in kinds}
    total = sum(map(len, cells.values()))
    return [
        _offer(
            kind,
            cells[kind.task],
            round(labels * len(cells[kind.task]) / total),
            new.over(tries[kind.task]),
            len(every),
        )
        for kind in kinds
        if len(cells[kind.task])
    ]


def _offer(kind: Kind, cells: Cells, labels: int, terms: Terms, types: int) -> Offer:
    delta, budget = terms.delta / types, min(labels, len(cells))
    title = kind.criterion.criterion.title
    head = (kind.criterion.key, title, kind.task, budget, len(cells))
    least = routing_labels(terms.alpha, delta, ALLOWED)
    if budget < least:
        words = say("routing.offer.too_few", title=title, task=kind.task, n=budget, least=least)
        return Offer(*head, placed=None, random=None, recommended=Way.NEITHER, words=words)
    known = _known(kind)
    stated = 1 - mean_of(cells.chance.clip(0, 1))
    found = expected_shares(stated, len(cells), budget, terms.alpha, delta, known)
    way = Way.NEITHER if found.nothing else Way.PLACED if found.gains else Way.RANDOM
    words = _words(title, kind.task, found, terms, way, len(known.wrong))
    return Offer(*head, placed=found.placed, random=found.random, recommended=way, words=words)


def _known(kind: Kind) -> Known:
    """The labels of the test that was made, none before it."""
    if kind.selection is None:
        return NOTHING_KNOWN
    mine = kind.tested.on(kind.task)
    known = kind.known[mine]
    return Known(places(kind.tested.sure[mine])[known], kind.error[mine][known])


def _words(title: str, task: str, found: Draws, terms: Terms, way: Way, known: int) -> str:
    """What was simulated, what is recommended, and why."""
    simulated = say(
        "routing.offer.simulated",
        title=title,
        task=task,
        labels=several(found.labels, "label"),
        cells=several(found.cells, "cell"),
        runs=RUNS,
        alpha=terms.alpha,
        level=1 - terms.delta,
        placed=_share(found.placed),
        random=_share(found.random),
    )
    basis = say("routing.offer.checked", n=known) if known else say("routing.offer.unchecked")
    return f"{simulated} {say(f'routing.offer.{way}')} {basis}"


def _share(found: Expected) -> str:
    return say("routing.offer.share", mean=found.mean, low=found.low, high=found.high)
