"""Audits: answers drawn from what the machine decided and graded blind, read one after the other
with a test at every LOOK of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from graders.statistics.arrays import Array, among, flags, floats, ints, places
from graders.statistics.drift import Drift, drift, ringing
from graders.statistics.proportion import clopper_pearson
from graders.store.figures import risk as store
from graders.store.workspace import Workspace
from graders.workflows.promise._label_evidence import differs
from graders.workflows.promise.proofs import Kind

#: Audits between two looks; each look has its own part of the level, so that looking often finds
#: nothing by chance.
LOOK = 25


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """The audits of a kind of cells in the order in which they came. `error`, `probability`,
    `question`: by audit; `alarm`: the look that rang, None if none did; `next_errors`: errors among
    the audits of the next look that would ring."""

    error: Array
    probability: Array
    question: Array
    alarm: Drift | None
    at: str
    next_errors: int | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The share of errors, 95 % interval."""
        return (
            clopper_pearson(float(self.error.sum()), len(self.error)) if len(self.error) else None
        )


def streams(ws: Workspace, kinds: list[Kind], people: frozenset[str] | None) -> list[Stream]:
    """The audits of kinds of one criterion, of cells that the machine decides and had spoken about
    before."""
    if not kinds:
        return []
    criterion = kinds[0].criterion
    found = [
        label
        for label in store.labels(ws.db, criterion, "audit")
        if people is None or label.author in people
    ]
    groups = [list(group) for _, group in groupby(found, key=lambda label: label.cell_id)]
    groups.sort(key=lambda group: min(label.at for label in group))
    return [_stream(kind, groups) for kind in kinds]


def _stream(kind: Kind, groups: list[list[store.Label]]) -> Stream:
    machine = kind.cells.state & store.AUTOMATIC > 0
    asked = among(kind.cells.cell, [group[0].cell_id for group in groups]) & machine
    place = {int(kind.cells.cell[at]): int(at) for at in places(asked)}
    used = [
        g
        for g in groups
        if g[0].cell_id in place
        and min(one.at for one in g) >= max(kind.tried.since, g[0].machine_at)
    ]
    error = flags(differs(kind.criterion.scale, kind.tried.within, group) for group in used)
    pi = floats(group[0].probability for group in used)
    question = ints(kind.cells.question[place[group[0].cell_id]] for group in used)
    counts = [(k, k * LOOK) for k in range(1, len(used) // LOOK + 1)]
    looks = [(k, drift(error[:n], pi[:n], question[:n], kind.tried.alpha, k)) for k, n in counts]
    rang = next(((k, look) for k, look in looks if look.alarm), None)
    at = max(one.at for one in used[rang[0] * LOOK - 1]) if rang else ""
    return Stream(
        error,
        pi,
        question,
        rang[1] if rang else None,
        at,
        ringing(kind.tried.alpha, (len(used) // LOOK + 1) * LOOK, len(used) // LOOK + 1),
    )
