"""What proofs, labels and audits say about routes, kept in the log: a proven kind of cells is the
machine's as far as its promise goes, one whose labels or audits object is people's. What voids a
proof takes its ruling away at the next look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from graders.core.shapes import JSON
from graders.core.words import say
from graders.statistics.drift import Drift, drift, ringing
from graders.statistics.proportion import clopper_pearson
from graders.store import projects
from graders.store.figures import risk as store
from graders.store.figures.risk import Label
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.cells.routes import Ruling
from graders.workflows.promise.kinds import PROVEN, Kind
from graders.workflows.promise.label_evidence import differs
from graders.workflows.promise.promise_tests import MOVED, tries_of
from graders.workflows.promise.risk import kinds_of, reference_people
from graders.workflows.scope.permissions import Scope

#: Audits between two looks; each look has its own part of the level, so that looking often finds
#: nothing by chance.
LOOK = 25
#: Rulings by criterion key and task type.
Rulings = Mapping[str, Mapping[str, "Ruled"]]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling on a criterion whose wording had this `hash`."""

    hash: str
    ruling: Ruling

    @classmethod
    def of(cls, body: JSON) -> Ruled:
        """As it was logged."""
        ruling = Ruling(
            body["state"],
            body["reason"],
            body.get("threshold"),
            int(body.get("upto") or 0),
            body.get("order"),
            int(body.get("after") or 0),
        )
        return cls(body["hash"], ruling)

    def body(self) -> JSON:
        """As it is logged."""
        one = self.ruling
        body: JSON = {"hash": self.hash, "state": one.state, "reason": one.reason}
        if one.state == "proven":
            body |= {"threshold": one.threshold, "upto": one.upto}
            body |= {"after": one.after} if one.after else {}
        return body if one.order is None else {**body, "order": one.order}


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm that was rung for a kind: the machine was off at this `rate` (a share) of so many
    `audits`; `logged`: when it rang."""

    audits: int
    rate: float
    logged: str


@dataclass(frozen=True, slots=True)
class Stream:
    """The audits of a kind of cells in the order in which they came: whether the machine erred, the
    chance of the draw and the question of each; the `alarm` of the look that rang (None if none
    did) and when, `at`; errors among the audits of the next look that would ring."""

    error: Sequence[bool]
    probability: Sequence[float]
    question: Sequence[int]
    alarm: Drift | None
    at: str
    next_errors: int | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The share of errors, 95 % interval."""
        return clopper_pearson(sum(self.error), len(self.error)) if self.error else None


def settle(scope: Scope, project: Project) -> Rulings:
    """Look at proofs, labels and audits, ring alarms, and log the rulings where they changed;
    returns them."""
    last = latest(scope, project)
    if not last and not store.any_labels(scope.ws.db, project):
        return {}
    kinds = kinds_of(scope, project, tries_of(scope.ws, project))
    found = streams_of(scope, project, kinds)
    for kind, stream in zip(kinds, found, strict=True):
        if stream.alarm is not None and not _rung(scope, project, kind):
            body = {
                "criterion": kind.criterion.key,
                "task": kind.task,
                "hash": kind.criterion.hash,
                "at": stream.at,
                "audits": stream.alarm.audits,
                "rate": stream.alarm.rate,
                "alpha": kind.tried.alpha,
            }
            projects.log_event(scope.ws, project, scope.actor.person_id, "alarm", body)
    rulings: dict[str, dict[str, Ruled]] = {}
    for kind in kinds:
        ruling = _ruling(scope, project, kind)
        if ruling:
            rulings.setdefault(kind.criterion.key, {})[kind.task] = Ruled(
                kind.criterion.hash, ruling
            )
    if rulings != last:
        void = [
            f"{key}, {task}"
            for key, tasks in last.items()
            for task in tasks
            if task not in rulings.get(key, {})
        ]
        logged = {
            key: {task: one.body() for task, one in tasks.items()} for key, tasks in rulings.items()
        }
        changed = {"kinds": logged, "void": void}
        projects.log_event(scope.ws, project, scope.actor.person_id, "rulings", changed)
    return rulings


def latest(scope: Scope, project: Project) -> Rulings:
    """The rulings that were logged last: criterion -> task type -> ruling."""
    found = projects.events(scope.ws, project, "rulings", limit=1)
    kinds = found[0].body["kinds"] if found else {}
    return {
        key: {task: Ruled.of(body) for task, body in tasks.items()} for key, tasks in kinds.items()
    }


def log_moves(
    scope: Scope,
    project: Project,
    before: Mapping[int, tuple[str, str]],
    after: Mapping[int, tuple[str, str]],
) -> None:
    """Log that questions, by row, change their (task type, category): proofs of the task types that
    they leave or come to are void."""
    moved = [row for row, kind in after.items() if row in before and before[row] != kind]
    if moved:
        body = {
            "tasks": sorted({kinds[row][0] for row in moved for kinds in (before, after)}),
            "questions": len(moved),
        }
        projects.log_event(scope.ws, project, scope.actor.person_id, MOVED, body)


def streams_of(scope: Scope, project: Project, kinds: Sequence[Kind]) -> list[Stream]:
    """The audits of each kind."""
    people = reference_people(scope, project)
    by_criterion: dict[int, list[Kind]] = {}
    for kind in kinds:
        by_criterion.setdefault(kind.criterion.id, []).append(kind)
    made = {
        id(kind): stream
        for some in by_criterion.values()
        for kind, stream in zip(some, _streams(scope.ws, some, people), strict=True)
    }
    return [made[id(kind)] for kind in kinds]


def _streams(ws: Workspace, kinds: Sequence[Kind], people: frozenset[str] | None) -> list[Stream]:
    """The audits of kinds of one criterion, of cells that the machine decides and had spoken about
    before."""
    labels = [
        label
        for label in store.labels(ws.db, kinds[0].criterion, "audit")
        if people is None or label.author in people
    ]
    audits = [list(group) for _, group in groupby(labels, key=lambda label: label.cell_id)]
    audits.sort(key=lambda audit: min(label.at for label in audit))
    return [_stream(kind, audits) for kind in kinds]


def _stream(kind: Kind, audits: Sequence[Sequence[Label]]) -> Stream:
    machine = kind.cells.state & store.AUTOMATIC > 0
    cells = kind.cells.only(kind.cells.those([audit[0].cell_id for audit in audits]) & machine)
    question_of = dict(zip(cells.cell.tolist(), cells.question.tolist(), strict=True))
    used = [
        audit
        for audit in audits
        if audit[0].cell_id in question_of
        and min(label.at for label in audit) >= max(kind.tried.since, audit[0].machine_at)
    ]
    error = [differs(kind.criterion.scale, kind.tried.within, audit) for audit in used]
    chance = [audit[0].probability for audit in used]
    question = [question_of[audit[0].cell_id] for audit in used]
    looks = len(used) // LOOK
    alarm, at = None, ""
    for look in range(1, looks + 1):
        n = look * LOOK
        test = drift(error[:n], chance[:n], question[:n], kind.tried.alpha, look)
        if test.alarm:
            alarm, at = test, max(label.at for label in used[n - 1])
            break
    return Stream(
        error,
        chance,
        question,
        alarm,
        at,
        ringing(kind.tried.alpha, (looks + 1) * LOOK, looks + 1),
    )


def alarm_of(scope: Scope, project: Project, kind: Kind) -> Alarm | None:
    """The last alarm that was rung for a kind under the present wording. It holds until a later try
    proves the kind."""
    for event in projects.events(scope.ws, project, "alarm", limit=1000):
        body = event.body
        mine = (body["criterion"], body["task"], body["hash"]) == (
            kind.criterion.key,
            kind.task,
            kind.criterion.hash,
        )
        if mine:
            return Alarm(body["audits"], body["rate"], event.at)
    return None


def _rung(scope: Scope, project: Project, kind: Kind) -> bool:
    """Whether the alarm was rung in the present try."""
    alarm = alarm_of(scope, project, kind)
    return alarm is not None and alarm.logged >= kind.tried.since


def objection(kind: Kind) -> str:
    """Why the labels themselves speak against the machine; empty where they do not, or nothing was
    tested."""
    if kind.selection is None or kind.state == PROVEN or not kind.known.any():
        return ""
    mine = kind.known & kind.tested.on(kind.task)
    error = kind.error[mine]
    test = drift(error, [1.0] * len(error), kind.tested.question[mine], kind.tried.alpha, None)
    if not test.alarm:
        return ""
    return say("promise.ruling.objection", errors=int(error.sum()), labels=len(error))


def _ruling(scope: Scope, project: Project, kind: Kind) -> Ruling | None:
    alarm, found = alarm_of(scope, project, kind), kind.selection
    if alarm is not None and (kind.state != PROVEN or _rung(scope, project, kind)):
        reason = say("promise.ruling.alarm", rate=alarm.rate, audits=alarm.audits)
        return Ruling("refuted", reason)
    if kind.state == PROVEN and found is not None:
        reason = say("promise.ruling.proven", alpha=found.alpha, level=1 - kind.tried.delta)
        order = None if kind.order is None else kind.order.id
        tried = kind.tried
        return Ruling("proven", reason, found.threshold, tried.upto, order, tried.after)
    against = objection(kind)
    return Ruling("refuted", against) if against else None
