"""What the ledger's replies to a judge's calls say, as a run would take them in; nothing is sent
and nothing is written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from graders.core.records import Problem, Reply, Verdict
from graders.store.calls import ledger
from graders.store.workspace import Workspace
from graders.workflows.calling.call import Outcome, call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judging import Task
from graders.workflows.calling.record_verdicts import asked_alone, heard, of_use
from graders.workflows.calling.samples import Samples


@dataclass(slots=True)
class Replies:
    """Verdicts with the call that brought them, how many of the calls are `known`, and what replies
    about several answers lost: answers (rows) -> criteria (keys), which a run asks about alone."""

    said: list[tuple[Task, Verdict]] = field(default_factory=list)
    known: int = 0
    lost: dict[int, set[str]] = field(default_factory=dict)


def replies(ws: Workspace, setup: JudgeSetup, tasks: Iterable[Task]) -> Replies:
    """The replies to these calls, as far as they are there. A call that was given up counts as in a
    run: by what it said of use."""
    found, samples = Replies(), Samples(setup.judge)
    for task in tasks:
        key = call_key(task.request, setup.provider.address)
        row = ledger.call_of(ws.db, key)
        if row is None or row.reply is None or row.state not in ("stored", "unusable"):
            continue
        found.known += row.state == "stored"
        whole = samples.gather(_outcome(setup, task, key, row.reply, row.cause or ""), task.rubric)
        if whole is None:
            continue
        usable, missing, cause = heard(setup, task, whole)
        found.said += [(task, verdict) for verdict in usable]
        for verdict in missing if asked_alone(whole.request, cause) else ():
            found.lost.setdefault(task.subjects[verdict.subject][0].id, set()).add(
                verdict.criterion
            )
    return found


def _outcome(setup: JudgeSetup, task: Task, key: str, reply: Reply, cause: str) -> Outcome:
    items = (
        ()
        if reply.cause
        else of_use(setup.judge.read(task.request, reply, task.shown, task.rubric), task.request)
    )
    problem = next((item for item in items if isinstance(item, Problem)), None)
    return Outcome(task.request, key, reply, items, cause or (problem.cause if problem else ""))
