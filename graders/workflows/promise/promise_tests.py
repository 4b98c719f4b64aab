"""Terms and draws of a promise: alpha and delta of each task type, the answers drawn under them,
and when labels were first opened.

A try begins with its terms; answers drawn from then on belong to it. Its terms may change while
nobody has labelled one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from graders.core.errors import InputError
from graders.store import projects
from graders.store.figures import risk as store
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Terms that hold until a lead fixes others.
ALPHA, DELTA = 0.1, 0.1
TASK_TYPES = ("factual", "creative", "unknown")
#: What is logged where questions change their task type or category: {tasks: those that they left
#: or came to, questions: how many}.
MOVED = "questions_moved"
#: Terms beyond these promise nothing, or nothing that a sample can show.
LEAST, MOST = 0.005, 0.5
MOST_STEPS = 3
#: Draws whose chances differ by more than this factor are no simple random sample together.
ALIKE = 1.1


@dataclass(frozen=True, slots=True)
class Try:
    """One attempt at a promise for the cells of a task type.

    `since`: when it began, empty for the first; `at`: when its terms were logged, empty where they
    are not; `opened`: when somebody first labelled one of its answers, empty if nobody has.
    `drawn`: its answers (subjects); `before`: those drawn earlier, which are no part of its
    population; `ranges`: (after, upto, chance) of the answers that came between two draws; `doubt`:
    why they carry no proof, empty if they can. `placed`: its labels were placed where they decide,
    on cells of one criterion. `ended`: criteria (keys) that the try before had proven.
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

    @property
    def upto(self) -> int:
        """Its last answer."""
        return self.ranges[-1][1] if self.ranges else 0

    @property
    def key(self) -> tuple[Any, ...]:
        """Task types with the same key are tested together."""
        return (self.since, self.alpha, self.delta, self.within)


@dataclass(frozen=True, slots=True)
class History:
    """What was logged and drawn in a project, read once."""

    terms: Sequence[Mapping[str, Any]]
    draws: Sequence[Mapping[str, Any]]
    screens: Sequence[tuple[int, str, str, str]]
    opened: Mapping[int, str]
    moves: Sequence[Mapping[str, Any]] = ()

    @classmethod
    def of(cls, ws: Workspace, project: Project) -> History:
        """Oldest first."""
        terms = projects.events(ws, project, "terms", limit=100_000)[::-1]
        moves = projects.events(ws, project, MOVED, limit=100_000)
        return cls(
            terms,
            calibration_draws(ws, project),
            store.drawn(ws.db, project),
            store.opened(ws.db, project),
            moves,
        )


def calibration_draws(ws: Workspace, project: Project) -> list[dict[str, Any]]:
    """The logged draws for calibration, oldest first."""
    return [
        e
        for e in projects.events(ws, project, "draw", limit=100_000)[::-1]
        if e["body"]["design"] == "calibration"
    ]


def tries_of(ws: Workspace, project: Project) -> dict[str, Try]:
    """The present try of each task type."""
    history = History.of(ws, project)
    return {task: present(history, task) for task in TASK_TYPES}


def present(history: History, task: str) -> Try:
    """The latest try of a task type: with the terms that were logged last, else those of its first
    draw."""
    logged = [
        event for event in history.terms if task in (event["body"].get("tasks") or TASK_TYPES)
    ]
    begun = [event for event in logged if not event["body"].get("amends")]
    since = begun[-1]["at"] if begun else ""
    draws = [
        event
        for event in history.draws
        if event["at"] >= since and task in (event["body"].get("tasks") or TASK_TYPES)
    ]
    fixed: Mapping[str, Any] = (
        logged[-1] if logged else draws[0] if draws else {"at": "", "body": {}}
    )
    drawn = frozenset(
        s
        for s, kind, design, at in history.screens
        if kind == task and design == "calibration" and at >= since
    )
    ranges = _chances(history.draws, draws)
    opened = min((history.opened[s] for s in drawn if s in history.opened), default="")
    doubt = _doubt(draws if not logged else (), [chance for _, _, chance in ranges]) or moved(
        history.moves, task, opened
    )
    return Try(
        task=task,
        number=len(begun) + 1,
        alpha=float(fixed["body"].get("alpha", ALPHA)),
        delta=float(fixed["body"].get("delta", DELTA)),
        within=int(fixed["body"].get("within", 0)),
        since=since,
        at=fixed["at"],
        opened=opened,
        drawn=drawn,
        before=frozenset(
            s for s, kind, _, at in history.screens if kind == task and since and at < since
        ),
        ranges=ranges,
        doubt=doubt,
        ended=frozenset(begun[-1]["body"].get("proven", {}).get(task, ()))
        if begun
        else frozenset(),
    )


def _chances(
    history: Sequence[Mapping[str, Any]], draws: Sequence[Mapping[str, Any]]
) -> tuple[tuple[int, int, float], ...]:
    """(after, upto, chance) of the answers that came between two of `draws`. A further draw is from
    all answers up to its last, any other one from those that came since the draw before it in the
    `history`."""
    ends = sorted({0, *(int(event["body"]["upto"]) for event in draws)})
    missed, come = dict.fromkeys(pairwise(ends), 1.0), 0
    for event in history:
        body, start = event["body"], come
        come = max(come, int(body["upto"]))
        for after, upto in missed if event in draws else ():
            if (body.get("further") or start <= after) and upto <= body["upto"]:
                missed[after, upto] *= 1 - float(body["probability"])
    return tuple(
        (after, upto, 1 - chance) for (after, upto), chance in missed.items() if chance < 1
    )


def _doubt(stated: Sequence[Mapping[str, Any]], chances: Sequence[float]) -> str:
    if len({(e["body"].get("alpha"), e["body"].get("delta")) for e in stated}) > 1:
        return "the draws were logged with different terms"
    if chances and max(chances) > ALIKE * min(chances):
        return (
            f"answers were drawn with chances from {min(chances):.0%} to {max(chances):.0%}: "
            "together they are no simple random sample"
        )
    return ""


def moved(moves: Sequence[Mapping[str, Any]], task: str, opened: str) -> str:
    """What is said where questions left or came to a task type after its labels were `opened`;
    empty where none did.

    Whoever has read labels could move the questions on which the machine is wrong.
    """
    since = [
        event["body"]
        for event in moves
        if opened and event["at"] >= opened and task in event["body"]["tasks"]
    ]
    if not since:
        return ""
    many = sum(int(body["questions"]) for body in since)
    return (
        f"after labels were opened {many} question{'s' * (many != 1)} changed task type or category"
    )


def checked_task(task_type: str) -> Sequence[str]:
    """The task types that are meant, all for an empty word; InputError for any other word."""
    if task_type and task_type not in TASK_TYPES:
        raise InputError(
            "task type", found=repr(task_type)[:80], expected="one of " + ", ".join(TASK_TYPES)
        )
    return (task_type,) if task_type else TASK_TYPES


def checked_terms(alpha: float, delta: float, within: int) -> dict[str, Any]:
    """Terms as plain data; InputError where they promise nothing."""
    for name, value, what in (
        ("alpha", alpha, "the share that may differ"),
        ("delta", delta, "the chance that the promise fails"),
    ):
        if not LEAST <= value <= MOST:
            raise InputError(
                f"{name}, {what}",
                found=f"{value:g}",
                expected=f"a share from {LEAST:g} to {MOST:g}",
                remedy="None at all cannot be promised from a sample." if value <= 0 else "",
            )
    if not 0 <= within <= MOST_STEPS:
        raise InputError(
            "steps that do not count",
            found=str(within),
            expected=f"a whole number from 0 to {MOST_STEPS}",
        )
    return {"alpha": float(alpha), "delta": float(delta), "within": int(within)}
