"""Work that is too fast for anybody to have read what was graded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from graders.core.shapes import JSON
from graders.core.words import say
from graders.store.desk.people_work import Timed, latest_timed, timed_screens
from graders.store.desk.saves import measured_seconds
from graders.store.projects import Project
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope

#: Below so many seconds a cell, over at least so many cells in a row, nothing was read: to make up
#: one's mind takes 1.35 s and to press a key 0.2 s with nothing to read (the keystroke-level model,
#: Card, Moran and Newell 1980, doi:10.1145/358886.358895). A few quick screens are no such stretch.
SECONDS, CELLS = 1.0, 20


@dataclass(frozen=True, slots=True)
class FastWork:
    """The screens of a person that were saved one after the other, each below a second a cell: how
    many cells, in how many seconds; of several such stretches all together."""

    person: str
    cells: int
    seconds: float


def fast_work(db: sqlite3.Connection, project: Project) -> dict[str, FastWork]:
    """Person -> very fast work, of those who have such."""
    screens = groupby(timed_screens(db, project), lambda screen: screen.person)
    found = {person: _stretches(person, list(theirs)) for person, theirs in screens}
    return {person: fast for person, fast in found.items() if fast is not None}


def is_fast(body: JSON) -> bool:
    """Whether a save may belong to a very fast stretch; nothing is read."""
    return 0 < measured_seconds(body.get("seconds")) < SECONDS * len(body.get("verdicts") or ())


def first_told(db: sqlite3.Connection, project: Project, person: str) -> str:
    """What a person is told after the save that made the first very fast stretch; "" after any
    other."""
    cells, seconds, last = 0, 0.0, 0
    for screen in latest_timed(db, project, person):
        if screen.seconds >= SECONDS * screen.cells:
            break
        last = last or screen.cells
        cells, seconds = cells + screen.cells, seconds + screen.seconds
        if cells - last >= CELLS:  # as it was before this save
            return ""
    if cells < CELLS or _stretches(person, timed_screens(db, project, person)[:-1]) is not None:
        return ""
    return say("opinions.fast.told", n=cells, seconds=max(1, round(seconds)))


def fast_sentences(scope: Scope, project: Project) -> list[str]:
    """Very fast work for whoever leads, a sentence for each person who has such."""
    found = fast_work(scope.ws.db, project)
    names = names_of(scope.ws) if found else {}
    return [
        say("opinions.fast.sentence", name=called(names, person), figures=figures(fast))
        for person, fast in sorted(found.items(), key=lambda one: -one[1].cells)
    ]


def figures(fast: FastWork) -> str:
    """So many cells in so much time."""
    return say("opinions.fast.figures", n=fast.cells, seconds=max(1, round(fast.seconds)))


def _stretches(person: str, screens: Sequence[Timed]) -> FastWork | None:
    cells, seconds = 0, 0.0
    for fast, row in groupby(screens, lambda screen: screen.seconds < SECONDS * screen.cells):
        more_cells, more_seconds = _sums(row)
        if fast and more_cells >= CELLS:
            cells, seconds = cells + more_cells, seconds + more_seconds
    return FastWork(person, cells, round(seconds, 1)) if cells else None


def _sums(screens: Iterable[Timed]) -> tuple[int, float]:
    both = [(screen.cells, screen.seconds) for screen in screens]
    return sum(cells for cells, _ in both), sum(seconds for _, seconds in both)
