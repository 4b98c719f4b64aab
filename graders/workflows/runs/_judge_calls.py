"""The calls of a run: one judge in one stage, and what its ledger holds of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from graders.core.records import Problem, Reply, Request
from graders.judges.asking.claims import read_claims
from graders.judges.asking.detail import read_detail
from graders.store.calls import ledger
from graders.store.calls.batches import BatchLedger
from graders.store.calls.ledger import ModelCalls, SqlLedger
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling import judging, split_claims
from graders.workflows.calling.batch_carrier import MOST, BatchCarrier, batched, price_of
from graders.workflows.calling.call import Budget, CallReport, Delivery, Outcome, call_all
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.record_verdicts import Recorder
from graders.workflows.calling.records import Items
from graders.workflows.calling.run_options import Options
from graders.workflows.calling.short_replies import ShortReplies
from graders.workflows.results import detail
from graders.workflows.runs import _anchor_figures, _once_more
from graders.workflows.runs.progress import Progress

T = TypeVar("T")


async def judge(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    progress: Progress,
    stage: judging.Stage,
    first: bool,
) -> CallReport:
    """All calls of one judge in a stage; the `first` of a run also says how much detail questions
    ask for, where nothing else does."""
    uncalled = judging.Uncalled()
    afresh, faults = options.afresh, options.faults
    anchors = _anchor_figures.due(ws, project, setup, options)
    only = anchors.beside(options.only)
    source, again = (
        anchors.ahead(
            list(judging.tasks(ws, project, setup, only, afresh, stage, faults, uncalled))
        ),
        _anchor_figures.repeats(ws, project, setup, anchors, stage),
    )
    asked = detail.requests(ws, project, setup) if first else {}
    if stage == "after" and not (
        source or again or uncalled.refused or _once_more.tasks(ws, project, setup, options, stage)
    ):
        return CallReport()
    if stage != "after":
        later = (
            list(judging.tasks(ws, project, setup, only, stage="after"))
            if stage == "before"
            else []
        )
        later += (
            _anchor_figures.repeats(ws, project, setup, anchors, "after")
            if stage == "before"
            else []
        )
        progress.judging(setup.name, _calls(setup, [*again, *source, *later], asked.values()))

    def done(outcomes: Sequence[Outcome], without: Mapping[str, int]) -> None:
        progress.judged(setup.name, outcomes, without)

    recorder = Recorder(
        ws, project, setup, done, recorded=not options.workshop, anew=not options.beside
    )
    recorder.refuse(uncalled.refused)
    try:
        if asked:
            report = await _details(ws, project, setup, options, progress, asked)
            if report.stopped or report.error is not None:
                return report
        both = (
            _anchor_figures.Both(_anchor_figures.Beside(ws, project, setup, done), recorder, again)
            if again
            else recorder
        )
        report = await _record(ws, project, setup, options, progress, both, [*again, *source])
        progress.called(setup.name, report)
        if recorder.again and not report.stopped:
            repeat = list(
                judging.tasks_of_lost(ws, project, setup, recorder.lost, afresh, stage, faults)
            )
            progress.repeating(setup.name, _calls(setup, repeat))
            recorder = Recorder(
                ws,
                project,
                setup,
                done,
                recorder.again,
                recorded=not options.workshop,
                anew=not options.beside,
            )
            report = await _record(ws, project, setup, options, progress, recorder, repeat)
            report.resends.update(
                recorder.causes[task.rows[0]] for task in repeat if task.rows[0] in recorder.causes
            )
            progress.called(setup.name, report)
        further = [] if report.stopped else _once_more.tasks(ws, project, setup, options, stage)
        if further:
            progress.repeating(setup.name, _calls(setup, further))
            keeper = _once_more.OnceMore(ws, project, setup, done, further)
            report = await _record(ws, project, setup, options, progress, keeper, further)
            progress.called(setup.name, report)
    finally:
        await setup.provider.aclose()
    if progress.killed:
        progress.recovered(setup.name, bought(ws, setup, progress), ended=True)
    return report


def _calls(setup: JudgeSetup, tasks: Sequence[judging.Task], more: Iterable[Request] = ()) -> int:
    """How many calls tasks come to, as the plan counts them."""
    return len(judging.distinct(setup, [*more, *(task.request for task in tasks)]))


async def _record(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    progress: Progress,
    recorder: Recorder | _anchor_figures.Both,
    asked: Sequence[judging.Task],
) -> CallReport:
    """Make the calls of tasks, in batches where the run wants it; the recorder keeps what comes
    back."""
    if options.batch:
        return await _record_in_batches(ws, project, setup, options, progress, recorder, asked)
    return await call_all(
        recorder.follow(iter(asked)),
        _delivery(ws, project, setup, options, progress),
        read=recorder.read,
        on_outcomes=recorder.take,
    )


async def _record_in_batches(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    progress: Progress,
    recorder: Recorder | _anchor_figures.Both,
    asked: Sequence[judging.Task],
) -> CallReport:
    """As `_record`, by the provider's batch API."""
    delivery, inner = _delivery(ws, project, setup, options, progress), batched(setup)
    address, price = delivery.address, price_of(setup, inner)
    batches = BatchLedger(ws, project, progress.run_id, inner.name, address, setup.name)
    carrier = BatchCarrier(inner, batches, address, price, delivery.should_stop, options.stay)
    carried = replace(
        delivery,
        provider=ShortReplies(carrier),
        ledger=batches,
        price=price,
        concurrency=min(MOST, max(1, len(asked))),
        in_batches=True,
    )
    try:
        async with carrier:
            report = await call_all(
                recorder.follow(iter(asked)),
                carried,
                read=recorder.read,
                on_outcomes=recorder.take,
            )
    finally:
        await inner.aclose()
    report.error, report.news = report.error or carrier.error, carrier.news
    report.lost = carrier.gone.strip()
    return report


async def split(
    ws: Workspace, project: Project, setup: JudgeSetup, options: Options, progress: Progress
) -> CallReport:
    """Split the answers that have no claims yet; one whose reply says nothing usable, or no claim,
    keeps its sentences."""
    asked = split_claims.requests(ws, project, setup, options.only or None)
    if not asked:
        progress.all_split()
        return CallReport()
    progress.judging(setup.name, len(judging.distinct(setup, asked.values())))
    try:
        report, said = await _ask(ws, project, setup, options, progress, asked, read_claims)
    finally:
        await setup.provider.aclose()
    split_claims.keep(
        ws, project, {row: found for row, found in said.items() if found}, setup.author
    )
    if progress.killed:
        progress.recovered(setup.name, bought(ws, setup, progress), ended=True)
    return report


async def _details(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    progress: Progress,
    asked: Mapping[int, Request],
) -> CallReport:
    """Ask a judge how much detail questions (by row) want, and keep what it says; where it says
    nothing usable they count as short."""
    report, said = await _ask(ws, project, setup, options, progress, asked, read_detail)
    detail.keep(ws, project, said, setup.author)
    return report


async def _ask(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    progress: Progress,
    asked: Mapping[int, Request],
    understand: Callable[[Reply], T | Problem],
) -> tuple[CallReport, dict[int, T]]:
    """Ask a model what is no verdict, by row; what its usable replies say."""
    rows = {id(request): row for row, request in asked.items()}
    said: dict[int, T] = {}

    def read(request: Request, reply: Reply) -> Items:
        found = understand(reply)
        return [found] if isinstance(found, Problem) else []

    def take(outcomes: Sequence[Outcome]) -> None:
        progress.judged(setup.name, outcomes, {})
        for outcome in outcomes:
            if not outcome.cause and not isinstance(found := understand(outcome.reply), Problem):
                said[rows[id(outcome.request)]] = found

    report = await call_all(
        list(asked.values()),
        _delivery(ws, project, setup, options, progress),
        read=read,
        on_outcomes=take,
    )
    progress.called(setup.name, report)
    return report, said


def _delivery(
    ws: Workspace, project: Project, setup: JudgeSetup, options: Options, progress: Progress
) -> Delivery:
    """How the calls of a judge are made, with what the run may still spend."""
    return Delivery(
        provider=ShortReplies(setup.provider),
        ledger=SqlLedger(ws, project, progress.run_id, setup.name),
        address=setup.provider.address,
        price=setup.provider.price,
        concurrency=options.concurrency,
        limit=Budget(
            money=None
            if options.budget_money is None
            else max(0.0, options.budget_money - progress.money),
            calls=None
            if options.budget_calls is None
            else max(0, options.budget_calls - progress.calls),
        ),
        timeout=options.timeout,
        should_stop=progress.should_stop,
    )


def bought(ws: Workspace, setup: JudgeSetup, progress: Progress) -> ModelCalls:
    """What the ledger holds of a judge and run, or of the model that splits."""
    return ledger.run_calls(ws.db, progress.run_id, setup.name).get(
        setup.judge.model, ModelCalls(setup.judge.model)
    )
