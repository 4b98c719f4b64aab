"""How far labels are: how many count toward the first answer on each criterion, or toward the next
planned look, and how long the rest takes.

The first answer on a criterion is there once Agreement's figure of a judge is no early estimate:
people labelled `MIN_CELLS` cells of `MIN_QUESTIONS` questions blind, which one judge graded too.
Where no judge has graded yet, people's labels count alone, because a judge that comes later meets
them. After the first answer the labels up to the next planned look of the promise are counted.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from graders.core.words import say
from graders.statistics.effort import DEMO_PACE, Cost
from graders.statistics.pair_figures import MIN_CELLS
from graders.statistics.resampling import MIN_QUESTIONS
from graders.store import projects
from graders.store.desk import queued_screens
from graders.store.figures import label_counts as store
from graders.store.figures import risk
from graders.store.figures.agreement import set_apart
from graders.store.figures.label_counts import DrawnCell
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.routes import RouteSettings, asked_blind
from graders.workflows.cells.state import FAULTS
from graders.workflows.opinions.participants import POPULATIONS, Circle, circle_of, watermark
from graders.workflows.promise.effort import cost_of
from graders.workflows.promise.promise_tests import Try, tries_of
from graders.workflows.routing.calibration import SHARED
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed

#: Counts that are kept in memory, one per project.
KEPT = 32
#: So many criteria are named in a sentence.
NAMED = 3
#: Minutes from which a time is told in hours.
LONG = 90
#: The draws whose blind labels count.
DESIGNS = POPULATIONS["all"].designs

_kept = Memory(KEPT)


class Goal(StrEnum):
    """What the labels of a criterion are on the way to."""

    FIRST = "first"
    LOOK = "look"
    #: the first answer, for which too few answers are drawn
    SHORT = "short"
    #: nothing more: every drawn cell has its label
    DONE = "done"


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """A criterion: `labels` that count so far of those `needed` for its `goal`, and the `minutes`
    that the rest takes each person, None where no more labels are asked for."""

    key: str
    title: str
    goal: Goal
    labels: int
    needed: int
    minutes: int | None


@dataclass(frozen=True, slots=True)
class LabelsMissing:
    """What comes `next`: `labels` of those `needed` on the criteria that are reached first, the
    `minutes` that the rest takes, all in `words`, with what stands in the way in a `note`; and all
    `criteria`.

    `drawn`: answers that people are asked to grade blind; `assumed`: seconds per answer where the
    pace is assumed, None where it was measured. `labels` and `needed` are 0 where nothing is drawn,
    and `words` are empty before answers were routed, and where imported labels suffice.
    """

    words: str
    note: str
    labels: int
    needed: int
    minutes: int | None
    drawn: int
    assumed: float | None
    criteria: Sequence[FirstAnswer]


@needs("look")
def labels_missing(scope: Scope, project_name: str) -> LabelsMissing:
    """How far the labels of a project are, and what comes next."""
    project = scope.project(project_name)
    key = (str(scope.ws.path.resolve()), project.id)
    mark = (watermark(scope, project), risk.latest_event(scope.ws.db, project))
    return _kept.get(key, mark, lambda: _count(scope, project))


def _count(scope: Scope, project: Project) -> LabelsMissing:
    ws = scope.ws
    drawn = len(queued_screens.screened(ws.db, project, ("calibration",)))
    cost = cost_of(scope, project)
    counted = _Counted.of(scope, project, cost or DEMO_PACE)
    criteria = [
        found
        for row in projects.criteria(ws, project)
        if row.criterion.rubric != FAULTS.name
        if (found := counted.criterion(row)) is not None
    ]
    assumed = None if cost else DEMO_PACE.per_answer
    empty = LabelsMissing("", "", 0, 0, None, drawn, assumed, criteria)
    if not criteria:
        routed = project.settings.get("routed")
        return replace(empty, words=say("routing.first.none")) if routed else empty
    next_ones = _next(criteria)
    one = next_ones[0]
    if one.goal == Goal.DONE and not drawn:
        return empty  # labels came with a file, and none are asked for
    return replace(
        empty,
        words=_words(next_ones, assumed),
        note=counted.note(),
        labels=one.labels,
        needed=one.needed,
        minutes=one.minutes,
    )


def _next(criteria: Sequence[FirstAnswer]) -> list[FirstAnswer]:
    """The criteria that are told in one sentence: of the goal that comes first those that lack
    least."""
    goal = next(goal for goal in Goal if any(one.goal == goal for one in criteria))
    of_goal = [one for one in criteria if one.goal == goal]
    if goal == Goal.DONE:
        return of_goal
    nearest = min(of_goal, key=lambda one: one.needed - one.labels)
    size = (nearest.labels, nearest.needed)
    return [one for one in of_goal if (one.labels, one.needed) == size]


def _words(criteria: Sequence[FirstAnswer], assumed: float | None) -> str:
    one, names = criteria[0], [one.title for one in criteria]
    more = len(names) - NAMED
    shown = names if more <= 0 else [*names[:NAMED], say("routing.first.more", n=more)]
    return say(
        f"routing.first.{one.goal}",
        labels=one.labels,
        needed=one.needed,
        names=listed(shown),
        time=_time(one.minutes, assumed),
    )


def _time(minutes: int | None, assumed: float | None) -> str:
    if minutes is None:
        return ""
    unit, n = ("hours", round(minutes / 60)) if minutes >= LONG else ("minutes", minutes)
    pace = "" if assumed is None else say("routing.first.assumed", seconds=assumed)
    return say(f"routing.first.{unit}", n=n) + pace


@dataclass(frozen=True, slots=True)
class _Labels:
    """Labels that are `there`, how many more a first answer needs (`lack`), and how many of these
    can be given (`possible`)."""

    there: int
    lack: int
    possible: int

    @classmethod
    def of(cls, known: Mapping[int, int], waiting: Sequence[DrawnCell]) -> _Labels:
        """From the questions of labelled cells, by cell, and the cells that wait."""
        questions = set(known.values())
        new = max(0, MIN_QUESTIONS - len(questions))
        lack = max(0, MIN_CELLS - len(known), new)
        fresh = {cell.question for cell in waiting} - questions
        return cls(len(known), lack, len(waiting) if len(fresh) >= new else 0)


def _enough(known: Mapping[int, int]) -> bool:
    """Whether labelled cells, with their questions, make a figure that is no early estimate."""
    return len(known) >= MIN_CELLS and len(set(known.values())) >= MIN_QUESTIONS


@dataclass(frozen=True, slots=True)
class _Counted:
    """What the counts of all criteria stand on: `people` whose labels count (author rows), those
    who `joined`, cells whose answers are set `apart`, the draws that are tested, and the price of a
    label."""

    ws: Workspace
    project: Project
    circle: Circle
    people: Sequence[int]
    apart: Collection[int]
    tries: Mapping[str, Try]
    cost: Cost
    settings: RouteSettings
    cells_per_answer: float

    @classmethod
    def of(cls, scope: Scope, project: Project, cost: Cost) -> _Counted:
        ws, circle = scope.ws, circle_of(scope, project)
        return cls(
            ws,
            project,
            circle,
            [author for author in circle.people if circle.counts(author)],
            frozenset(set_apart(ws.db, project)),
            tries_of(ws, project),
            cost,
            RouteSettings.of(project.settings),
            store.cells_per_answer(ws.db, project),
        )

    def criterion(self, row: CriterionRow) -> FirstAnswer | None:
        """How far a criterion is; None where no blind screen asks about it and nobody labelled
        it."""
        db = self.ws.db
        cells = [
            cell
            for cell in store.drawn_cells(db, self.project, row)
            if asked_blind(row.criterion, cell.task, self.settings)
        ]
        judges = [judge for judge in self.circle.judges if store.has_graded(db, row, judge)]
        labels = self._labels(row, judges, cells)
        if not cells and not labels.there:
            return None
        if labels.lack:
            enough = labels.lack <= labels.possible
            return FirstAnswer(
                row.key,
                row.criterion.title,
                Goal.FIRST if enough else Goal.SHORT,
                labels.there,
                labels.there + labels.lack,
                self._minutes(labels.lack, cells) if enough else None,
            )
        return self._look(row, cells, labels.there)

    def _labels(
        self, row: CriterionRow, judges: Sequence[int], cells: Sequence[DrawnCell]
    ) -> _Labels:
        """People's labels beside the judge of whom they say most; alone where no judge graded."""
        waiting = [cell for cell in cells if cell.waits]
        beside: Sequence[int | None] = judges or [None]
        found = []
        for judge in beside:
            known = self._known(row, judge)
            open_ = waiting
            if judge is not None and not _enough(known):
                graded = store.judged_of(self.ws.db, row, judge, [cell.cell for cell in waiting])
                open_ = [cell for cell in waiting if cell.cell in graded]
            found.append(_Labels.of(known, [cell for cell in open_ if cell.cell not in known]))
        return min(found, key=lambda one: (one.lack > one.possible, one.lack))

    def _known(self, row: CriterionRow, judge: int | None) -> dict[int, int]:
        """The questions of the cells that people labelled, by cell, until they are enough."""
        known: dict[int, int] = {}
        for person in self.people:
            for cell, question in store.labels_of(self.ws.db, row, person, DESIGNS, judge):
                if cell not in self.apart:
                    known[cell] = question
                if _enough(known):
                    return known
        return known

    def _look(self, row: CriterionRow, cells: Sequence[DrawnCell], labels: int) -> FirstAnswer:
        """The next planned look at a criterion whose first answer is there."""
        tries = [one for one in self.tries.values() if one.drawn]
        of_tries = frozenset[int]().union(*(one.drawn for one in tries))
        mine = [cell for cell in cells if cell.subject in of_tries]
        if not row.scale.is_discrete and not any(one.within for one in tries):
            mine = []  # no test is made there
        for number in range(max((len(one.looks) for one in tries), default=0) or 1):
            drawn = frozenset[int]().union(
                *(one.at_look(min(number, len(one.looks) - 1)).drawn for one in tries)
            )
            of_look = [cell for cell in mine if cell.subject in drawn]
            known = sum(cell.labelled for cell in of_look)
            if known < len(of_look):
                waits = any(cell.waits and not cell.labelled for cell in of_look)
                minutes = self._minutes(len(of_look) - known, cells) if waits else None
                return FirstAnswer(
                    row.key, row.criterion.title, Goal.LOOK, known, len(of_look), minutes
                )
        n = sum(cell.labelled for cell in mine) or labels
        return FirstAnswer(row.key, row.criterion.title, Goal.DONE, n, n, None)

    def _minutes(self, labels: int, cells: Sequence[DrawnCell]) -> int:
        """What so many further labels take each of the people who share them; the first screens
        are two people's."""
        per_answer = len(cells) / max(1, len({cell.subject for cell in cells}))
        answers = math.ceil(labels / max(1.0, per_answer))
        begun = len({cell.subject for cell in cells if cell.labelled})
        shared = min(answers, max(0, SHARED - begun))
        each = shared + math.ceil((answers - shared) / max(1, len(self.people)))
        seconds = self.cost.seconds(each, each * self.cells_per_answer)
        return max(1, round(seconds / 60))

    def note(self) -> str:
        """What labels alone do not bring: a second person, a judge."""
        said = []
        if len(self.people) == 1:
            said.append(say("routing.first.second_person"))
        if not self.circle.judges:
            said.append(say("routing.first.no_judge"))
        return " ".join(said)
