"""A run as its page tells it: the finding as a sentence, what may be done now, what comes after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from graders.core.discovery import Failure
from graders.core.money import dollars
from graders.core.run_state import Wish
from graders.core.shapes import JSON
from graders.core.words import say
from graders.store import projects
from graders.store.answers import content
from graders.store.calls.batches import calls_in_batches
from graders.store.desk import queue
from graders.store.figures import overview
from graders.store.opinions import pairs as pair_store
from graders.store.projects import Project
from graders.workflows.calling import split_claims
from graders.workflows.cells import derived_judges
from graders.workflows.cells.state import FAULTS
from graders.workflows.runs import shown_run
from graders.workflows.runs.shown_run import Phase, ShownRun
from graders.workflows.runs.stages import StageState
from graders.workflows.scope.broken_parts import broken_parts
from graders.workflows.scope.missing_reasons import cause_words, reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.units import ANSWER, BOTH, PAIR, Unit, unit_of


@dataclass(frozen=True, slots=True)
class Step:
    """Where to go next."""

    label: str
    href: str


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run with what its page says of it, or of a project without one.

    `claims` says that the project has a criterion whose parts are claims. `known_judges` were
    asked here before. `reasons` has the words for the reasons for which cells got no verdict, or
    questions no answer, `causes` those for what was sent again; the run's progress counts them.
    `broken_parts` are those of the installation that could not be loaded.
    """

    run: ShownRun | None
    phase: Phase
    unit: Unit
    title: str
    subtitle: str
    next: list[Step]
    claims: bool
    known_judges: list[str]
    reasons: Mapping[str, str]
    causes: Mapping[str, str]
    broken_parts: tuple[Failure, ...]


@needs("look")
def run_page(scope: Scope, project_name: str, run_id: int | None = None) -> RunPage:
    """The latest run, or the one of that number, with its heading and what may be done now."""
    project = scope.project(project_name)
    run = shown_run.status(scope, project_name, run_id)
    phase = shown_run.phase(run)
    unit = unit_of(
        c.scale for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    )
    title, subtitle = (
        _heading(run, phase, unit) if run is not None else _before(scope, project, unit)
    )
    if run is not None and run.batch and (waiting := calls_in_batches(scope.ws, project)):
        title, subtitle = _with_batches(title, subtitle, phase, waiting)
    return RunPage(
        run=run,
        phase=phase,
        unit=unit,
        title=title,
        subtitle=subtitle,
        next=_after(scope, project_name)
        if phase == Phase.OVER
        and run is not None
        and not (run.tries or run.workshop or run.collects)
        else [],
        claims=bool(split_claims.split_criteria(scope.ws, project)),
        known_judges=_judges(scope, project_name, run),
        reasons={
            code: (cause_words if run and run.collects else reason_words)(code)
            for code in _codes(run, "reasons")
        },
        causes={code: cause_words(code) for code in _codes(run, "resends")},
        broken_parts=broken_parts(),
    )


def _codes(run: ShownRun | None, counts: str) -> list[str]:
    """The codes of reasons or causes that are counted under that name, of the run or one of its
    judges or models."""
    progress: JSON = {} if run is None else run.progress
    return list(
        dict.fromkeys(
            code
            for one in (progress, *(progress.get("judges") or ()))
            for code in one.get(counts) or {}
        )
    )


def _before(scope: Scope, project: Project, unit: Unit) -> tuple[str, str]:
    """The heading before the first run."""
    pairs = pair_store.counted(scope.ws.db, project)
    answers = len(content.subject_ids(scope.ws.db, project)) - pairs
    # Where all that is graded are pairs, answers stand behind them and are no work of their own.
    count = pairs if unit is PAIR else answers
    if answers and not count:
        return say("runs.before.no_pair"), say("runs.before.no_pair.next")
    if count and unit is PAIR:
        return say("runs.before.pairs", n=count), say("runs.before.pairs.next")
    if count:
        return say("runs.before.answers", n=count), say("runs.before.answers.next")
    if count := content.counts(scope.ws, project).questions:
        return say("runs.before.questions", n=count), say("runs.before.questions.next")
    return say("runs.before.empty"), say("runs.before.empty.next")


def _heading(run: ShownRun, phase: Phase, unit: Unit) -> tuple[str, str]:
    name = run.started_by_name
    by = say("runs.by.person", run=run.id, name=name) if name else say("runs.by.run", run=run.id)
    message = say("runs.heading.message", by=by, message=(run.message or "").strip()).strip()
    stay, kept = say("runs.heading.stay", by=by), say("runs.heading.all_kept", by=by)
    so_far = _so_far(run.progress, unit)
    match phase:
        case Phase.WORKING:
            return _working(run), stay
        case Phase.WAITING:
            return say("runs.heading.waiting"), stay
        case Phase.PAUSING if run.want == Wish.STOP:
            return say("runs.heading.stopping"), kept
        case Phase.PAUSING:
            return say("runs.heading.pausing"), kept
        case Phase.PAUSED:
            return say("runs.heading.paused", so_far=so_far), kept
        case Phase.KEY if waits := run.progress.get("waits"):
            return say("runs.heading.some_keys", n=len(waits), so_far=so_far), message
        case Phase.KEY:
            return say("runs.heading.key"), say("runs.heading.key.next", by=by)
        case Phase.GONE:
            return (
                say("runs.heading.gone", so_far=so_far),
                say("runs.heading.gone.next", by=by),
            )
        case _:
            return _end(run, so_far), message


def _end(run: ShownRun, so_far: str) -> str:
    """The heading of a run that is over."""
    what = "collect" if run.collects else "try" if run.tries or run.workshop else "run"
    cells = run.progress.get("without_verdict") or 0
    without = say("runs.end.without", cells=several(cells, "cell")) if cells else ""
    return say(f"runs.end.{what}.{run.state}", so_far=so_far, without=without)


def _with_batches(title: str, subtitle: str, phase: Phase, waiting: int) -> tuple[str, str]:
    """The heading of a run with so many calls in batches: they were handed in, whatever becomes of
    the run."""
    calls = several(waiting, "call")
    if phase == Phase.WORKING:
        return (
            say("runs.batch.waiting", calls=calls),
            say("runs.batch.waiting.next", subtitle=subtitle),
        )
    if phase == Phase.WAITING:
        return title, subtitle
    return title, say("runs.batch.left", subtitle=subtitle, calls=calls)


def _working(run: ShownRun) -> str:
    """``Judging: 7 minutes and about $2.10 to go.``"""
    progress = run.progress
    stages = progress.get("stages") or []
    stage = next((s for s in stages if s["state"] == StageState.WORKING), None)
    if stage is None:
        return say("runs.heading.working")
    doing, left = say(f"runs.doing.{stage['name']}"), stage["left_seconds"]
    if left is None and not stage["total"]:
        return say("runs.at.begun", doing=doing)
    if left is None:
        return say("runs.at.count", doing=doing, done=stage["done"], total=stage["total"])
    planned = (run.plan or {}).get("money")
    if stage["name"] == "judge" and planned and progress.get("money"):
        money = dollars(max(0.0, planned - progress["money"]))
        return say("runs.at.left_money", doing=doing, time=_seconds(left), money=money)
    return say("runs.at.left", doing=doing, time=_seconds(left))


def _seconds(seconds: float) -> str:
    if seconds < 1.5:
        return say("runs.time.second")
    if seconds < 90:
        return say("runs.time.seconds", n=round(seconds))
    if seconds < 5_400:
        return say("runs.time.minutes", n=round(seconds / 60))
    return say("runs.time.hours", n=seconds / 3_600)


def _so_far(progress: JSON, unit: Unit) -> str:
    """``: 920 answers judged for $3.42`` from the counts of a run, empty where there are none."""
    judges = progress.get("judges") or []
    judged = sum(judge["done"] for judge in judges)
    if judges:
        money, calls = progress.get("money", 0.0), progress.get("calls") or 0
        paid = (
            say("runs.paid.unknown")
            if money is None
            else dollars(money)
            if money or calls
            else say("runs.paid.nothing")
        )
        return say("runs.so_far.read", replies=several(judged, "reply"), paid=paid)
    measured = next((s["done"] for s in progress.get("stages") or [] if s["name"] == "measure"), 0)
    # Rules and metrics look at what stands behind pairs too.
    counted = (ANSWER if unit is ANSWER else BOTH).count(measured)
    return say("runs.so_far.measured", counted=counted) if measured else ""


def _after(scope: Scope, project_name: str) -> list[Step]:
    """Where to go when a run is over."""
    project = scope.project(project_name)
    at = f"?project={quote(project.name, safe='')}"
    screens = several(count := queue.open_screens(scope.ws.db, project), "screen")
    steps = [Step(say("runs.next.review", screens=screens), f"/review{at}")] if count else []
    return [
        *steps,
        Step(say("runs.next.results"), f"/results{at}"),
        Step(say("runs.next.agreement"), f"/agreement{at}"),
    ]


def _judges(scope: Scope, project_name: str, run: ShownRun | None) -> list[str]:
    """Judges that were asked here before, as they are written in a run: the last run's first."""
    last = [str(judge) for judge in ([] if run is None else run.judges)]
    given = [
        name
        for name in overview.judges(scope.ws.db, scope.project(project_name))
        if ":" in name and not derived_judges.is_derived(name)
    ]
    return list(dict.fromkeys([*last, *given]))
