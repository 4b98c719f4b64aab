"""Terms and draws of a promise: alpha and delta of each task type, the answers drawn under them,
and when labels were first opened.

A try begins with its terms; answers drawn from then on belong to it. Its terms may change while
nobody has labelled one of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from graders.core.errors import InputError
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.statistics import looks
from graders.statistics.risk_control import Design
from graders.store import projects
from graders.store.figures import risk as store
from graders.store.opinions import kept_labels
from graders.store.opinions.kept_labels import Tested
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Terms that hold until a lead fixes others.
ALPHA, DELTA = 0.1, 0.1
TASK_TYPES = ("factual", "creative", "unknown")
#: What is logged where questions change their task type or category: {tasks: those that they left
#: or came to, questions: how many}.
MOVED = "questions_moved"
#: The design under which it is logged that drawn answers were given back.
GIVEN_BACK = "given_back"
#: Terms beyond these promise nothing, or nothing that a sample can show.
LEAST, MOST = 0.005, 0.5
MOST_STEPS = 3
#: Draws whose chances differ by more than this factor are no simple random sample together.
ALIKE = 1.1


@dataclass(frozen=True, slots=True)
class PromiseLook:
    """A planned look at a draw: `labels` answers of all task types are graded by then, `drawn` are
    those of one (subjects), and its test has this `share` of delta."""

    labels: int
    share: float
    drawn: frozenset[int]


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt at a promise for the cells of a task type.

    `since`: when it began, empty for the first; `at`: when its terms were logged, empty where they
    are not; `opened`: when somebody first labelled one of its answers, empty if nobody has.
    `drawn`: its answers (subjects); `before`: those drawn earlier, which are no part of its
    population; `ranges`: (after, upto, chance) of the answers that came between two draws; `doubt`:
    why they carry no proof, empty if they can. `placed`: its labels were placed where they decide,
    on cells of one criterion. `ended`: criteria (keys) that the try before had proven. `looks`: the
    planned looks at what is drawn, in order, none where one test was planned; `planned`: their
    labels, also of those whose answers were given back; `share`: of delta, that of the look which
    is tested. `given`: by criterion (row) the answers among the drawn ones whose imported labels
    were kept for this test.
    """

    task: str
    number: int
    alpha: float
    delta: float
    within: int
    since: str
    at: str
    opened: str
    drawn: frozenset[int]
    before: frozenset[int]
    ranges: tuple[tuple[int, int, float], ...]
    doubt: str
    placed: bool = False
    ended: frozenset[str] = frozenset()
    looks: tuple[PromiseLook, ...] = ()
    planned: tuple[int, ...] = ()
    share: float = 1.0
    given: tuple[tuple[int, frozenset[int]], ...] = ()

    @property
    def design(self) -> Design:
        """What its labels were drawn as. Whoever chose imported ones at random may have chosen
        answers or questions, and the coin chose questions."""
        return "either" if self.given else "cells"

    def on(self, criterion: int) -> Try:
        """As it is on a criterion (row): of imported labels those on it are of its draw alone."""
        if not self.given:
            return self
        mine = dict(self.given).get(criterion)
        others = frozenset().union(*(subjects for _, subjects in self.given)) - (mine or set())
        given = () if mine is None else ((criterion, mine),)
        return replace(self, drawn=self.drawn - others, given=given)

    @property
    def after(self) -> int:
        """The last answer before those that it is about; 0 where it is about all up to `upto`."""
        return self.ranges[0][0] if self.given and self.ranges else 0

    @property
    def early(self) -> bool:
        """Whether it stands at a planned look before the last."""
        return bool(self.looks) and self.drawn != self.looks[-1].drawn

    def at_look(self, number: int) -> Try:
        """As it is tested at a planned look, counted from 0: on the answers of that look, with its
        share of delta. The try itself where no looks were planned."""
        if not self.looks:
            return self
        look = self.looks[number]
        return replace(self, drawn=look.drawn, share=look.share)

    @property
    def upto(self) -> int:
        """Its last answer."""
        return self.ranges[-1][1] if self.ranges else 0

    @property
    def key(self) -> tuple[str, float, float, int]:
        """Task types with the same key are tested together."""
        return (self.since, self.alpha, self.delta, self.within)


@dataclass(frozen=True, slots=True)
class Terms:
    """`alpha`: the share of automatic cells that may differ from a person; `delta`: the chance that
    the promise fails; `within`: steps that do not count as a difference."""

    alpha: float
    delta: float
    within: int


@dataclass(frozen=True, slots=True)
class LoggedTerms:
    """Terms as they were logged, for these task types. `alpha`, `delta` and `within` are None where
    the log does not state them; `amends`: whether they belong to the try that is there; `proven`:
    by task type the criteria (keys) whose proofs ended with them."""

    at: str
    tasks: Sequence[str]
    alpha: float | None
    delta: float | None
    within: int | None
    amends: bool
    proven: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, at: str, body: JSON) -> LoggedTerms:
        """From an event of the log."""
        return cls(
            at,
            tuple(body.get("tasks") or TASK_TYPES),
            body.get("alpha"),
            body.get("delta"),
            body.get("within"),
            bool(body.get("amends")),
            body.get("proven", {}),
        )


@dataclass(frozen=True, slots=True)
class CalibrationDraw:
    """A draw of answers at random as it was logged, for these task types. `upto`: its last answer
    (subject); `probability`: the chance of each; `further`: drawn from all answers up to its last,
    else from those that came since the draw before it; `looks`: at how many labels looks were
    planned; `alpha`, `delta` and `within` are None where
    the log does not state them. `imported`: labels of a file that were kept for the test, about
    answers `after` one."""

    at: str
    tasks: Sequence[str]
    alpha: float | None
    delta: float | None
    within: int | None
    upto: int
    probability: float
    further: bool
    looks: Sequence[int] = ()
    imported: bool = False
    after: int = 0

    @classmethod
    def of(cls, at: str, body: JSON) -> CalibrationDraw:
        """From an event of the log."""
        return cls(
            at,
            tuple(body.get("tasks") or TASK_TYPES),
            body.get("alpha"),
            body.get("delta"),
            body.get("within"),
            int(body["upto"]),
            float(body["probability"]),
            bool(body.get("further")),
            tuple(body.get("looks") or ()),
            bool(body.get("imported")),
            int(body.get("after") or 0),
        )


@dataclass(frozen=True, slots=True)
class GivenBack:
    """That drawn answers were given back. `kept`: by task type the share of its drawn answers that
    stayed; `looks`: at how many labels looks are left, the first ones of those that were
    `planned`, by which delta is shared."""

    at: str
    kept: Mapping[str, float]
    looks: Sequence[int]
    planned: Sequence[int]


@dataclass(frozen=True, slots=True)
class Move:
    """That so many questions left or came to these task types."""

    at: str
    tasks: Sequence[str]
    questions: int


@dataclass(frozen=True, slots=True)
class History:
    """What was logged and drawn in a project, read once."""

    terms: Sequence[LoggedTerms]
    draws: Sequence[CalibrationDraw]
    screens: Sequence[store.DrawnAnswer]
    opened: Mapping[int, str]
    moves: Sequence[Move] = ()
    returns: Sequence[GivenBack] = ()
    tested: Sequence[Tested] = ()

    @classmethod
    def of(cls, ws: Workspace, project: Project) -> History:
        """Oldest first."""
        terms = projects.events(ws, project, "terms", limit=100_000)[::-1]
        return cls(
            [LoggedTerms.of(event.at, event.body) for event in terms],
            calibration_draws(ws, project),
            store.drawn(ws.db, project),
            store.opened(ws.db, project),
            moves_of(ws, project),
            given_back(ws, project),
            kept_labels.tested(ws.db, project),
        )


def calibration_draws(ws: Workspace, project: Project) -> list[CalibrationDraw]:
    """The logged draws for calibration, oldest first."""
    return [
        CalibrationDraw.of(event.at, event.body)
        for event in projects.events(ws, project, "draw", limit=100_000)[::-1]
        if event.body["design"] == "calibration"
    ]


def given_back(ws: Workspace, project: Project) -> list[GivenBack]:
    """When drawn answers were given back, oldest first."""
    return [
        GivenBack(event.at, event.body["kept"], event.body["looks"], event.body["planned"])
        for event in projects.events(ws, project, "draw", limit=100_000)[::-1]
        if event.body["design"] == GIVEN_BACK
    ]


def moves_of(ws: Workspace, project: Project) -> list[Move]:
    """When questions changed their task type or category."""
    return [
        Move(event.at, tuple(event.body["tasks"]), int(event.body["questions"]))
        for event in projects.events(ws, project, MOVED, limit=100_000)
    ]


def routed_upto(ws: Workspace, project: Project) -> int:
    """The last answer (subject) that routing drew from; newcomers wait for it."""
    draws = calibration_draws(ws, project)
    return max((draw.upto for draw in draws if not draw.further), default=2**62)


_NOTHING_LOGGED = LoggedTerms("", TASK_TYPES, None, None, None, amends=False, proven={})


def tries_of(ws: Workspace, project: Project) -> dict[str, Try]:
    """The present try of each task type."""
    history = History.of(ws, project)
    return {task: present(history, task) for task in TASK_TYPES}


def present(history: History, task: str) -> Try:
    """The latest try of a task type: with the terms that were logged last, else those of its first
    draw."""
    logged = [terms for terms in history.terms if task in terms.tasks]
    begun = [terms for terms in logged if not terms.amends]
    since = begun[-1].at if begun else ""
    draws = [draw for draw in history.draws if draw.at >= since and task in draw.tasks]
    fixed = logged[-1] if logged else draws[0] if draws else _NOTHING_LOGGED
    mine = [
        answer
        for answer in history.screens
        if answer.task == task and answer.design == "calibration" and answer.at >= since
    ]
    given = [one for one in history.tested if one.task == task and one.at >= since]
    drawn = frozenset(one.subject for one in mine) | {one.subject for one in given}
    returns = [one for one in history.returns if one.at >= since and task in one.kept]
    ranges = _chances(history.draws, draws, [(one.at, one.kept[task]) for one in returns])
    left = planned = draws[0].looks if draws else ()
    if returns:
        left, planned = returns[-1].looks, returns[-1].planned
    opened = min((history.opened[s] for s in drawn if s in history.opened), default="")
    doubt = (
        _doubt(draws if not logged else (), [chance for _, _, chance in ranges])
        or moved(history.moves, task, opened)
        or ("" if all(one.stated for one in given) else say("promise.doubt.not_blind"))
    )
    return Try(
        task=task,
        number=len(begun) + 1,
        alpha=ALPHA if fixed.alpha is None else float(fixed.alpha),
        delta=DELTA if fixed.delta is None else float(fixed.delta),
        within=int(fixed.within or 0),
        since=since,
        at=fixed.at,
        opened=opened,
        drawn=drawn,
        before=frozenset(
            one.subject
            for drawn in (history.screens, history.tested)
            for one in drawn
            if one.task == task and since and one.at < since
        ),
        ranges=ranges,
        doubt=doubt,
        ended=frozenset(begun[-1].proven.get(task, ())) if begun else frozenset(),
        looks=_looks(mine, left, planned),
        planned=tuple(planned),
        given=_by_criterion(given),
    )


def _by_criterion(given: Sequence[Tested]) -> tuple[tuple[int, frozenset[int]], ...]:
    """Criterion (row) -> the answers on which imported labels test it."""
    return tuple(
        (criterion, frozenset(one.subject for one in given if one.criterion == criterion))
        for criterion in sorted({one.criterion for one in given})
    )


def _looks(
    drawn: Sequence[store.DrawnAnswer], sizes: Sequence[int], planned: Sequence[int]
) -> tuple[PromiseLook, ...]:
    """The planned looks at a task type's drawn answers, of which `sizes` are to be labelled in all
    task types; the last is at everything drawn, also later. Delta is shared by all that were
    `planned`, also by those whose answers were given back."""
    shares = [look.delta for look in looks.shared(planned, 1.0)] if sizes else []
    return tuple(
        PromiseLook(
            labels,
            share,
            frozenset(
                answer.subject
                for answer in drawn
                if number == len(sizes) or 0 < answer.look <= number
            ),
        )
        for number, (labels, share) in enumerate(zip(sizes, shares, strict=False), 1)
    )


def _chances(
    history: Sequence[CalibrationDraw],
    draws: Sequence[CalibrationDraw],
    returns: Sequence[tuple[str, float]],
) -> tuple[tuple[int, int, float], ...]:
    """(after, upto, chance) of the answers that came between two of `draws`. A further draw is from
    all answers up to its last, any other one from those that came since the draw before it in the
    `history`; `returns`: when which share of the drawn answers stayed."""
    ends = sorted({0, *(draw.upto for draw in draws), *(draw.after for draw in draws)})
    missed, come = dict.fromkeys(pairwise(ends), 1.0), 0
    for draw in history:
        missed, returns = _returned(missed, returns, draw.at)
        start, come = come, max(come, draw.upto)
        for after, upto in missed if draw in draws else ():
            if (draw.further or start <= after) and draw.after <= after and upto <= draw.upto:
                missed[after, upto] *= 1 - draw.probability
    missed, _ = _returned(missed, returns, "~")
    return tuple(
        (after, upto, 1 - chance) for (after, upto), chance in missed.items() if chance < 1
    )


def _returned(
    missed: Mapping[tuple[int, int], float], returns: Sequence[tuple[str, float]], before: str
) -> tuple[dict[tuple[int, int], float], Sequence[tuple[str, float]]]:
    """The chances to be missed after what was given back `before` a time, and what was given back
    later."""
    done = [kept for at, kept in returns if at < before]
    share = math.prod(done)
    return {ends: 1 - (1 - chance) * share for ends, chance in missed.items()}, returns[len(done) :]


def _doubt(stated: Sequence[CalibrationDraw], chances: Sequence[float]) -> str:
    if len({(draw.alpha, draw.delta) for draw in stated}) > 1:
        return say("promise.doubt.terms")
    if chances and max(chances) > ALIKE * min(chances):
        return say("promise.doubt.chances", low=min(chances), high=max(chances))
    return ""


def moved(moves: Sequence[Move], task: str, opened: str) -> str:
    """What is said where questions left or came to a task type after its labels were `opened`;
    empty where none did.

    Whoever has read labels could move the questions on which the machine is wrong.
    """
    since = [move for move in moves if opened and move.at >= opened and task in move.tasks]
    if not since:
        return ""
    return say("promise.doubt.moved", n=sum(move.questions for move in since))


def checked_task(task_type: str) -> Sequence[str]:
    """The task types that are meant, all for an empty word; InputError for any other word."""
    if task_type and task_type not in TASK_TYPES:
        raise InputError(
            **error_parts(
                "promise.task_type", found=repr(task_type)[:80], types=", ".join(TASK_TYPES)
            )
        )
    return (task_type,) if task_type else TASK_TYPES


def checked_terms(alpha: float, delta: float, within: int) -> Terms:
    """Terms; InputError where they promise nothing."""
    for name, value in (("alpha", alpha), ("delta", delta)):
        if not LEAST <= value <= MOST:
            parts = error_parts(f"promise.terms.{name}", value=value, least=LEAST, most=MOST)
            raise InputError(**parts, remedy=say("promise.terms.not_none") if value <= 0 else "")
    if not 0 <= within <= MOST_STEPS:
        raise InputError(**error_parts("promise.terms.within", within=within, most=MOST_STEPS))
    return Terms(float(alpha), float(delta), int(within))


@dataclass(frozen=True, slots=True)
class NewTerms:
    """Terms that a draw is made under; None leaves one as it is."""

    alpha: float | None = None
    delta: float | None = None
    within: int | None = None

    @property
    def any(self) -> bool:
        """Whether one of them is given."""
        return self != AS_LOGGED

    def over(self, one: Try) -> Terms:
        """These, and for the rest those of the present try; InputError where they promise
        nothing."""
        return checked_terms(
            one.alpha if self.alpha is None else self.alpha,
            one.delta if self.delta is None else self.delta,
            one.within if self.within is None else self.within,
        )


#: The terms that are logged stay.
AS_LOGGED = NewTerms()
