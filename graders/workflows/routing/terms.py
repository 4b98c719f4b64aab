"""Terms of a promise and further draws: alpha and delta are fixed before labels are opened, and
answers are drawn at random."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import Conflict, InputError
from graders.core.hashing import seeded
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.metrics.models.encoders import Encoders
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.desk import queue, queued_screens
from graders.store.figures import reading
from graders.store.figures import risk as store
from graders.store.opinions import made_cells
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.cells.routes import DEFAULT_REVIEW, RouteSettings, asked_blind
from graders.workflows.cells.state import FAULTS
from graders.workflows.promise.kinds import PROVEN, Kind
from graders.workflows.promise.promise_tests import (
    AS_LOGGED,
    TASK_TYPES,
    NewTerms,
    Terms,
    Try,
    checked_task,
    checked_terms,
    routed_upto,
    tries_of,
)
from graders.workflows.promise.risk import kinds_of, stake
from graders.workflows.promise.rulings import alarm_of
from graders.workflows.routing import consent as consents
from graders.workflows.routing.calibration import further_screens
from graders.workflows.routing.form_screens import without_drawn
from graders.workflows.routing.sorting import Doing, fix_orders
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class FixedTerms(Terms):
    """Terms, and the task types that they were fixed for."""

    tasks: Sequence[str]


@dataclass(frozen=True, slots=True)
class TaskDraw(Terms):
    """So many `answers` were drawn `of` those of a task type, for its try number `draw`."""

    answers: int
    of: int
    draw: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn: `answers` of all task types and by task type; `screens` that wait by now, of
    all kinds; `stake`: the proofs that ended with the draw, as a sentence, empty for none."""

    answers: int
    tasks: Mapping[str, TaskDraw]
    screens: int
    stake: str


@needs("settings")
def fix_terms(
    scope: Scope,
    project_name: str,
    alpha: float,
    delta: float,
    within: int = 0,
    task_type: str = "",
    encoder: Encoders | None = None,
    doing: Doing | None = None,
) -> FixedTerms:
    """Fix the terms of the task types whose drawn answers nobody has labelled yet (or of one), and
    log them.

    `alpha`: the share of automatic cells that may differ from a person; `delta`: the chance that
    the promise fails; `within`: steps that do not count as a difference on scales of four values or
    more, and tenths of a numeric range. Conflict where labels are open: terms that were chosen
    after reading labels promise nothing.
    """
    project = scope.project(project_name)
    terms = checked_terms(alpha, delta, within)
    with scope.ws.write():
        tries = tries_of(scope.ws, project)
        wanted = [tries[task] for task in checked_task(task_type)]
        free = [one.task for one in wanted if not one.opened]
        if not free:
            raise Conflict(
                **error_parts("routing.terms_opened", day=max(one.opened for one in wanted)[:10])
            )
        _log(scope, project, {**as_dict(terms), "tasks": free, "amends": True})
    # machines may have spoken since the draw; an order that is learned follows the terms
    fix_orders(scope, project, encoder, doing)
    return FixedTerms(terms.alpha, terms.delta, terms.within, free)


@needs("route")
def draw_more(
    scope: Scope,
    project_name: str,
    answers: int,
    *,
    task_type: str = "",
    new: NewTerms = AS_LOGGED,
    encoder: Encoders | None = None,
    doing: Doing | None = None,
    consent: bool = False,
) -> Drawn:
    """Draw `answers` further answers at random and queue them for blind grading; returns what was
    drawn per task type.

    While no test was made on a task type's labels, the new answers join its draw. After a test, or
    under other terms once labels are open, or where something voided the draw, a new try begins,
    tested on fresh labels of answers that were not drawn before. The order of the cells is fixed
    for it too (see `sorting`; the `encoder` is for that, and `doing` is told how far it is).

    Without `consent` NeedsConsent is raised where more than half of all answers would be drawn.
    """
    project = scope.project(project_name)
    if not project.settings.get("routed"):
        raise Conflict(**error_parts("routing.never_routed", project=project.name))
    if answers < 1:
        raise InputError(**error_parts("routing.answers_to_draw", answers=answers))
    consents.check(*_share_drawn(scope, project, answers), consent=consent)
    kinds = kinds_of(scope, project)
    tested = ended(scope, project, kinds)
    with run_store.alone(scope.ws, f"route {project.id}"):
        fix_orders(scope, project, encoder, doing)
        drawn = _draw(scope, project, answers, checked_task(task_type), tested, kinds, new)
        # A try that began with this draw has an order of its own, and one that is learned follows
        # its terms.
        if tested or new.any:
            fix_orders(scope, project, encoder, doing)
        return drawn


def ended(scope: Scope, project: Project, kinds: Sequence[Kind]) -> set[str]:
    """The task types whose next draw begins a new test, also under the same terms: a test was made,
    or its labels prove nothing more."""
    # An alarm too ends a try: what follows it needs labels of its own. Placed labels say nothing of
    # the answers drawn at random.
    over = [
        kind
        for kind in kinds
        if (kind.selection is not None and kind.selection.looks)
        or kind.void
        or alarm_of(scope, project, kind)
    ]
    alone = {kind.task for kind in kinds} - {kind.task for kind in kinds if kind.placing is None}
    return {kind.task for kind in over if kind.placing is None or kind.task in alone}


def next_answers(
    scope: Scope, project: Project, answers: int, over: Collection[str]
) -> dict[str, list[int]]:
    """Task type -> the very answers (subjects) that a draw of so many would take under the terms as
    they stand."""
    tries, free = tries_of(scope.ws, project), _free(scope, project, TASK_TYPES)
    sizes = _sizes(answers, free)
    return {
        task: _sample(project, tries[task], free[task], size, anew=task in over)
        for task, size in sizes.items()
    }


def _sizes(answers: int, free: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Each task type's share of the answers to draw."""
    total = sum(map(len, free.values()))
    return (
        {
            task: round(min(answers, total) * len(subjects) / total) or 1
            for task, subjects in free.items()
        }
        if answers
        else {}
    )


def _sample(
    project: Project, one: Try, subjects: Sequence[int], size: int, *, anew: bool
) -> list[int]:
    number = one.number + anew
    return sorted(
        subjects, key=lambda s: seeded(project.seed, "further", one.task, number, len(one.drawn), s)
    )[:size]


def free_answers(scope: Scope, project: Project) -> dict[str, int]:
    """Task type -> answers that can still be drawn."""
    return {task: len(subjects) for task, subjects in _free(scope, project, TASK_TYPES).items()}


def _share_drawn(scope: Scope, project: Project, further: int) -> tuple[float, float]:
    """The share of all answers that is drawn once so many `further` ones are, and the present
    one."""
    free = sum(free_answers(scope, project).values())
    drawn = queued_screens.screened(scope.ws.db, project, ("calibration",))
    audited = queued_screens.screened(scope.ws.db, project, ("audit",)) - drawn
    of = max(1, len(drawn) + len(audited) + free)
    return (len(drawn) + min(further, free)) / of, len(drawn) / of


def overlap(project: Project) -> int:
    """How many people are to grade a drawn answer."""
    return max(1, Sampling.of(project.settings).overlap)


def _draw(
    scope: Scope,
    project: Project,
    answers: int,
    tasks: Sequence[str],
    tested: set[str],
    kinds: Sequence[Kind],
    new: NewTerms,
) -> Drawn:
    ws = scope.ws
    free = _free(scope, project, tasks)
    if not free:
        raise Conflict(**error_parts("routing.all_drawn"))
    placing = {kind.task: kind for kind in kinds if kind.under_way}
    drawn: dict[str, TaskDraw] = {}
    with ws.write():
        tries, sizes = tries_of(ws, project), _sizes(answers, free)
        terms: dict[str, Terms] = {}
        logged: dict[tuple[bool, Terms], list[str]] = {}
        for task in free:
            one = tries[task]
            mine = terms[task] = new.over(one)
            others = mine != Terms(one.alpha, one.delta, one.within)
            anew = task in tested or (others and bool(one.opened))
            if anew and task in placing:
                raise two_at_once(placing[task])
            if anew or others:
                logged.setdefault((anew, mine), []).append(task)
        # logged at one time: task types that begin anew together are tested together
        for (
            (anew, same),
            those,
        ) in logged.items():
            log_terms(scope, project, same, those, kinds, anew=anew)
        begun = {task for (anew, _), those in logged.items() if anew for task in those}
        for task, subjects in free.items():
            drawn[task] = _draw_one(
                scope, project, tries[task], subjects, sizes[task], terms[task], anew=task in begun
            )
    return Drawn(
        answers=sum(found.answers for found in drawn.values()),
        tasks=drawn,
        screens=queue.open_screens(ws.db, project),
        stake=stake(kinds, begun),
    )


def _proven(kinds: Sequence[Kind], tasks: Sequence[str]) -> dict[str, list[str]]:
    """The proofs that end where task types begin anew, as they are logged with the terms."""
    return {
        task: [kind.criterion.key for kind in kinds if kind.task == task and kind.state == PROVEN]
        for task in tasks
    }


def log_terms(
    scope: Scope,
    project: Project,
    terms: Terms,
    tasks: Sequence[str],
    kinds: Sequence[Kind],
    *,
    anew: bool,
) -> None:
    """Log the terms of task types; `anew`: a try begins with them, and the proofs that are there
    end."""
    ends = {"proven": _proven(kinds, tasks)} if anew else {}
    _log(scope, project, {**as_dict(terms), "tasks": tasks, "amends": not anew, **ends})


def two_at_once(kind: Kind) -> Conflict:
    """What is said where labels of a criterion are being placed and another test would begin."""
    title = kind.criterion.criterion.title
    return Conflict(**error_parts("routing.two_draws", task=kind.task, criterion=title))


def _draw_one(
    scope: Scope,
    project: Project,
    one: Try,
    subjects: Sequence[int],
    size: int,
    terms: Terms,
    *,
    anew: bool,
) -> TaskDraw:
    """A simple random sample of the answers of one task type, in the caller's transaction."""
    ws = scope.ws
    chosen = _sample(project, one, subjects, size, anew=anew)
    chance = size / len(subjects)
    there = 0 if anew or one.opened else len(one.drawn)
    # Chosen before anybody looked, early and late answers are one sample with one chance.
    together = (there + size) / (there + len(subjects))
    if there:
        store.raise_chances(ws.db, project, one.since, [one.task], together)
    body = {
        "design": "calibration",
        "probability": chance,
        "seed": project.seed,
        "population": len(subjects),
        "drawn": size,
        "upto": max([*subjects, one.upto]),
        "rule": (
            "simple random sample of answers that were not drawn before, all their cells; "
            "hypergeometric test"
        ),
        "tasks": [one.task],
        "further": True,
        **as_dict(terms),
    }
    projects.log_event(ws, project, scope.actor.person_id, "draw", body)
    sampling = Sampling.of(project.settings)
    without_drawn(ws, project, sampling, chosen)
    before = len(queued_screens.screened(ws.db, project, ("calibration",)))
    screens = further_screens(ws, project, sampling, chosen, together, before)
    queued_screens.add_screens(ws.db, ws, project, screens)
    return TaskDraw(terms.alpha, terms.delta, terms.within, size, len(subjects), one.number + anew)


def _free(scope: Scope, project: Project, tasks: Sequence[str]) -> dict[str, list[int]]:
    """Task type -> answers that a blind screen can ask about and that stand on no drawn screen;
    newcomers wait for routing to draw."""
    ws = scope.ws
    undrawn = store.undrawn(ws.db, project, routed_upto(ws, project))
    by_task = {task: subjects for task, subjects in undrawn.items() if task in tasks}
    every = [subject for subjects in by_task.values() for subject in subjects]
    asked = answers_to_ask(ws, project, every)
    if len(asked) < len(every):
        kept = frozenset(asked)
        by_task = {
            task: [subject for subject in subjects if subject in kept]
            for task, subjects in by_task.items()
        }
    return {task: subjects for task, subjects in by_task.items() if subjects}


def answers_to_ask(ws: Workspace, project: Project, subjects: Sequence[int]) -> Sequence[int]:
    """The subjects that a blind screen has something to ask about: an answer of which all is
    measured would come back empty, and so would one that is graded in pairs only."""
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    settings = RouteSettings.of(project.settings)
    asked = {
        task: [c.id for c in criteria if asked_blind(c.criterion, task, settings)]
        for task in DEFAULT_REVIEW
    }
    if all(len(ids) == len(criteria) for ids in asked.values()) and not made_cells.pair_criteria(
        ws.db, project
    ):
        return subjects
    found = reading.subjects_with_cells(ws.db, project, asked)
    return [s for s in subjects if s in found]


def _log(scope: Scope, project: Project, body: JSON) -> None:
    projects.log_event(scope.ws, project, scope.actor.person_id, "terms", body)
