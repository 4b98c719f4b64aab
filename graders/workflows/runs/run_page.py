"""A run as its page tells it: the finding as a sentence, what may be done now, what comes after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from graders.core.discovery import Failure
from graders.core.money import dollars
from graders.core.run_state import RunState, Wish
from graders.core.shapes import JSON
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
from graders.workflows.runs import run_control, runs
from graders.workflows.runs.run_control import Phase
from graders.workflows.runs.runs import ShownRun
from graders.workflows.runs.stages import StageState
from graders.workflows.scope.broken_parts import broken_parts
from graders.workflows.scope.missing_reasons import cause_words, reason_words
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.units import ANSWER, BOTH, PAIR, Unit, unit_of

#: Stage -> what a run does in it.
_STAGE_DOING = {
    "collect": "Collecting",
    "split": "Splitting into claims",
    "measure": "Measuring",
    "judge": "Judging",
    "route": "Routing",
}


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
    run = runs.status(scope, project_name, run_id)
    phase = run_control.phase(run)
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
        return (
            "No pair of answers was drawn yet.",
            "Draw pairs on the Leaderboard under Preferences, or with cograde pairs.",
        )
    if count:
        asked = (
            "about each pair once in each order of its answers"
            if unit is PAIR
            else "once per answer and rubric"
        )
        return (
            f"No grader has looked at {_these(count, unit)} yet.",
            f"Rules and metrics cost nothing. A judge is asked {asked}.",
        )
    if count := content.counts(scope.ws, project).questions:
        questions = "this question" if count == 1 else f"these {count:,} questions"
        return (
            f"No model has answered {questions} yet.",
            "Collect answers from models below, or bring in a file that holds them.",
        )
    return "There is nothing to grade yet.", "Bring in questions and answers on the Projects page."


def _heading(run: ShownRun, phase: Phase, unit: Unit) -> tuple[str, str]:
    by = f"Run {run.id}" + (f", started by {run.started_by_name}" if run.started_by_name else "")
    message = str(run.message or "").strip()
    stay = f"{by}. You may close this page; the run goes on."
    progress = run.progress
    so_far = _so_far(progress, unit)
    if phase == Phase.WORKING:
        return _working(run), stay
    if phase == Phase.WAITING:
        return "The run is about to begin.", stay
    if phase == Phase.PAUSING:
        ending = "Stopping" if run.want == Wish.STOP else "Pausing"
        return f"{ending}: what is on its way is still taken in.", f"{by}. Everything is kept."
    if phase == Phase.PAUSED:
        return f"Paused{so_far}.", f"{by}. Everything is kept."
    if phase == Phase.KEY and (waits := progress.get("waits")):
        who = (
            "One judge waits for its key"
            if len(waits) == 1
            else f"{len(waits)} judges wait for their keys"
        )
        return f"{who}{so_far}.", f"{by}. {message}"
    if phase == Phase.KEY:
        return (
            "The run waits for your key.",
            f"{by}. Keys are kept nowhere, so it must be typed again.",
        )
    if phase == Phase.GONE:
        return (
            f"The run was interrupted{so_far}.",
            f"{by}. Everything that was bought is kept; it goes on where it was.",
        )
    ends = {
        RunState.DONE: "The run is done",
        RunState.STOPPED: "The run was stopped",
        RunState.FAILED: "The run failed",
    }
    if run.tries or run.workshop:
        ends = {
            RunState.DONE: "The judges were tried",
            RunState.STOPPED: "The try was stopped",
            RunState.FAILED: "The try failed",
        }
    if run.collects:
        ends = {
            RunState.DONE: "The answers are collected",
            RunState.STOPPED: "Collecting was stopped",
            RunState.FAILED: "Collecting failed",
        }
    without = progress.get("without_verdict") or 0
    tail = f"; {several(without, 'cell')} got no verdict of a judge" if without else ""
    return f"{ends[run.state]}{so_far}{tail}.", f"{by}. {message}".strip()


def _with_batches(title: str, subtitle: str, phase: Phase, waiting: int) -> tuple[str, str]:
    """The heading of a run with so many calls in batches: they were handed in, whatever becomes of
    the run."""
    calls = several(waiting, "call")
    if phase == Phase.WORKING:
        news = (
            "They are done within a day. Paused or stopped, the run fetches them when it goes on."
        )
        return f"Waiting for the provider: {calls} handed in as a batch.", f"{subtitle} {news}"
    if phase == Phase.WAITING:
        return title, subtitle
    return (
        title,
        f"{subtitle} {calls} handed in as a batch: the run fetches their replies when it goes on.",
    )


def _these(count: int, unit: Unit = ANSWER) -> str:
    one, many = (PAIR.one, PAIR.many) if unit is PAIR else (ANSWER.one, ANSWER.many)
    return f"this {one}" if count == 1 else f"these {count:,} {many}"


def _working(run: ShownRun) -> str:
    """``Judging: 7 minutes and about $2.10 to go.``"""
    progress = run.progress
    stages = progress.get("stages") or []
    stage = next((s for s in stages if s["state"] == StageState.WORKING), None)
    if stage is None:
        return "The run is at work."
    doing = _STAGE_DOING.get(stage["name"], stage["title"])
    left = stage["left_seconds"]
    if left is None:
        return (
            f"{doing}: {stage['done']:,} of {stage['total']:,}." if stage["total"] else f"{doing}."
        )
    parts = [_seconds(left)]
    planned = (run.plan or {}).get("money")
    if stage["name"] == "judge" and planned and progress.get("money"):
        parts.append(f"about {dollars(max(0.0, planned - progress['money']))}")
    return f"{doing}: {' and '.join(parts)} to go."


def _seconds(seconds: float) -> str:
    if seconds < 1.5:
        return "a second"
    if seconds < 90:
        return f"{round(seconds)} seconds"
    if seconds < 5_400:
        return f"{round(seconds / 60)} minutes"
    return f"{seconds / 3_600:.1f} hours"


def _so_far(progress: JSON, unit: Unit) -> str:
    """``: 920 answers judged for $3.42`` from the counts of a run, empty where there are none."""
    judges = progress.get("judges") or []
    judged = sum(judge["done"] for judge in judges)
    if judges:
        money = progress.get("money", 0.0)
        calls = progress.get("calls") or 0
        paid = (
            "a price that is not known"
            if money is None
            else dollars(money)
            if money or calls
            else "nothing"
        )
        return f": {several(judged, 'reply')} read, for {paid}"
    measured = next((s["done"] for s in progress.get("stages") or [] if s["name"] == "measure"), 0)
    # Rules and metrics look at what stands behind pairs too.
    return f": {(ANSWER if unit is ANSWER else BOTH).count(measured)} measured" if measured else ""


def _after(scope: Scope, project_name: str) -> list[Step]:
    """Where to go when a run is over."""
    project = scope.project(project_name)
    at = f"?project={quote(project.name, safe='')}"
    screens = queue.open_screens(scope.ws.db, project)
    steps = [Step(f"Review {several(screens, 'screen')}", f"/review{at}")] if screens else []
    return [*steps, Step("Results", f"/results{at}"), Step("Agreement", f"/agreement{at}")]


def _judges(scope: Scope, project_name: str, run: ShownRun | None) -> list[str]:
    """Judges that were asked here before, as they are written in a run: the last run's first."""
    last = [str(judge) for judge in ([] if run is None else run.judges)]
    given = [
        name
        for name in overview.judges(scope.ws.db, scope.project(project_name))
        if ":" in name and not derived_judges.is_derived(name)
    ]
    return list(dict.fromkeys([*last, *given]))
