"""What a worker does for a run, stage by stage: splitting, measuring, judging, electing, deriving,
routing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graders.core.run_state import RunState, Wish
from graders.core.words import say
from graders.metrics.models.encoders import Encoders
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import made_cells
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling import asked_criteria, judging
from graders.workflows.calling.call import CallReport
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.records import LEFT
from graders.workflows.calling.run_options import Keys, Options
from graders.workflows.cells import derived_judges
from graders.workflows.cells.state import FAULTS
from graders.workflows.learning import learn
from graders.workflows.measuring import measure
from graders.workflows.measuring.elect import elect
from graders.workflows.routing.route import route
from graders.workflows.runs import limits as runs_limits
from graders.workflows.runs._judge_calls import bought, judge, split
from graders.workflows.runs._judge_notes import waiting, words
from graders.workflows.runs.progress import Progress
from graders.workflows.scope.permissions import Actor, Scope


def work(
    ws: Workspace,
    project: Project,
    options: Options,
    keys: Keys,
    models: Mapping[str, str],
    progress: Progress,
    untyped: frozenset[str] = frozenset(),
) -> tuple[RunState, str]:
    """All stages of a run that is claimed; the state that it ends in and a message. CogradeError
    where it cannot go on.

    Judges without a key wait for it, those among them whose key is `untyped`, while others are
    asked.
    """
    # one for all stages: what it loads, it loads once
    scope, encoder = (
        Scope(Actor(), ws),
        measure.encoder_for(models, ws),
    )
    setups, splitter = (
        options.setups(ws, keys, asked_criteria.judged_criteria(ws, project, options.faults)),
        options.splitter(ws, keys),
    )
    for setup in [*([splitter] if splitter else []), *setups] if progress.killed else ():
        progress.recovered(setup.name, bought(ws, setup, progress))
    if options.tries:
        progress.only_judging()
    if splitter and (ended := _split(ws, project, splitter, options, progress)):
        return ended
    message = "" if options.tries else _measure(ws, project, encoder, progress)
    if progress.wanted != Wish.RUN:
        return progress.rest()
    failed, waits = False, waiting(options, setups, untyped)
    asked = [setup for setup in setups if setup.name not in waits]
    stages: tuple[judging.Stage, ...] = ("all",) if options.tries else ("before", "after")
    for stage in stages:
        under_way: dict[str, str] = {}
        if stage == "after":
            if any(
                row.criterion.reference_for("factual") == "elected"
                for row in projects.criteria(ws, project)
            ):
                # Who is elected follows from what the panel says, not from what each of its judges
                # does.
                project = _together(ws, project, options, setups)
            _elect(ws, project, encoder, progress)
        through = _hand_in(ws, project, asked, options, progress, stage)
        for setup in asked:
            report = through.get(setup.name) or _judge(
                ws, project, setup, asked, options, progress, stage
            )
            message = f"{message} {report.lost}".strip()
            if report.error is not None:
                failed = True
                if str(report.error) not in message:  # the second stage may meet the same again
                    progress.problems.append(report.error)
                    message = f"{message} {report.error}".strip()
            limits = runs_limits.at_limit(
                options.budget_money, options.budget_calls, progress.calls
            )
            # What is in a batch counts as spent and is not made: who stops such a run is not told
            # of a limit.
            if report.stopped == "budget" and (limits or progress.wanted == Wish.RUN):
                progress.stop_judging(limits)
                if not options.tries:
                    project = _derive(ws, project, options, setups, encoder)
                    _route(scope, project, encoder, progress)
                # A judge that failed comes first: a higher limit alone does not bring its verdicts.
                return (
                    RunState.STOPPED,
                    say("runs.end.failed_at_limit", message=message)
                    if failed
                    else say("runs.end.at_limit", message=message).strip(),
                )
            if progress.wanted != Wish.RUN:
                return progress.rest()
            if report.stopped == LEFT and report.error is None:
                # Of several judges at one address the last one counts the calls of all.
                under_way[setup.provider.address] = report.news or say("runs.batch.under_way")
        if under_way:
            return (
                RunState.PAUSED,
                (
                    say("runs.batch.come_back", message=message, news="; ".join(under_way.values()))
                ).strip(),
            )
    if options.tries:
        progress.finish_judging()
        return (RunState.FAILED if failed else RunState.DONE), message
    project = _derive(ws, project, options, setups, encoder)
    _route(scope, project, encoder, progress)
    if waits:
        progress.wait_for_keys(waits)
        message = f"{message} {words(waits)}".strip()
        return (RunState.FAILED if failed else RunState.WAITING_FOR_KEY), message
    return (RunState.FAILED if failed else RunState.DONE), message


def _judge(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    setups: Sequence[JudgeSetup],
    options: Options,
    progress: Progress,
    stage: judging.Stage,
) -> CallReport:
    """All calls of one of the judges in a stage."""
    return asyncio.run(
        judge(
            ws, project, setup, options, progress, stage, stage == "before" and setup is setups[0]
        )
    )


def _hand_in(
    ws: Workspace,
    project: Project,
    setups: Sequence[JudgeSetup],
    options: Options,
    progress: Progress,
    stage: judging.Stage,
) -> dict[str, CallReport]:
    """Hand in the batches of all judges before any is waited for: a batch may take a day, and
    several together take no longer.

    Returns what became of the judges that need not be waited for."""
    through: dict[str, CallReport] = {}
    if not (options.batch and options.stay and len(setups) > 1):
        return through
    for setup in setups:
        report = _judge(ws, project, setup, setups, replace(options, stay=False), progress, stage)
        if report.stopped != LEFT or report.error is not None:
            through[setup.name] = report
        if report.stopped == "budget" or progress.wanted != Wish.RUN:
            break
    progress.goes_on()
    return through


def _split(
    ws: Workspace, project: Project, splitter: JudgeSetup, options: Options, progress: Progress
) -> tuple[RunState, str] | None:
    """Split answers into claims; how the run ends where that cannot be done: verdicts on sentences
    would be paid for and not used."""
    report = asyncio.run(split(ws, project, splitter, options, progress))
    if report.error is not None:
        progress.problems.append(report.error)
        return RunState.FAILED, str(report.error)
    if report.stopped == "budget":
        progress.stop_judging(
            runs_limits.at_limit(options.budget_money, options.budget_calls, progress.calls),
            splitter.name,
        )
        return RunState.STOPPED, say("runs.end.at_limit", message="").strip()
    return progress.rest() if progress.wanted != Wish.RUN else None


def _derive(
    ws: Workspace,
    project: Project,
    options: Options,
    setups: Sequence[JudgeSetup],
    encoder: Encoders,
) -> Project:
    """The panel's verdicts, once its judges have spoken, and what the learned judge makes of
    all."""
    project = _together(ws, project, options, setups)
    learn.learn(ws, project, lambda: encoder, every=bool(setups))
    return project


def _together(
    ws: Workspace, project: Project, options: Options, setups: Sequence[JudgeSetup]
) -> Project:
    """The panel's verdicts on all that its judges have said so far; the project as it is then."""
    if setups or options.panel or project.settings.get("panel"):
        return derived_judges.judge_together(
            ws, project, options.panel, [setup.author for setup in setups]
        )
    return project


def _route(scope: Scope, project: Project, encoder: Encoders, progress: Progress) -> None:
    progress.routing()
    routed = route(scope, project.name, encoder, progress.sorting)
    progress.routed(sum(n for reasons in routed.routes.values() for n in reasons.values()))


def _measure(ws: Workspace, project: Project, encoder: Encoders, progress: Progress) -> str:
    """Rules and metrics; returns what is wrong with the rubric's graders, in sentences that
    `progress` keeps too."""
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    made_cells.ensure_cells(ws, project, criteria, content.subject_ids(ws.db, project))
    progress.problems += measure.measure(
        ws, project, encoder, progress=progress.measured, should_stop=progress.should_stop
    )
    return " ".join(map(str, progress.problems))


def _elect(ws: Workspace, project: Project, encoder: Encoders, progress: Progress) -> None:
    """Elect references where a criterion waits for one, and measure what is held against them."""
    if changed := elect(ws, project, encoder, anew=True):
        held = content.subjects_of(ws.db, changed)
        measure.measure(
            ws, project, encoder, should_stop=progress.should_stop, only=held, with_rules=False
        )
