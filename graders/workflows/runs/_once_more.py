"""Asking a judge once more whose quotes are not in the answer: which calls, what becomes of their
replies, and what they will come to.

What is to be asked once more is told from the verdicts that are stored, so that a run that was
killed or stopped goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.records import MISQUOTED, Request, Verdict
from graders.core.words import say
from graders.judges.asking.once_more import once_more, wants_quotes
from graders.store.answers.content import StoredSubject
from graders.store.opinions import misquoted
from graders.store.opinions.misquoted import Due
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling import asked_criteria, judging
from graders.workflows.calling.call import Outcome
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judging import Stage, Task
from graders.workflows.calling.record_verdicts import Recorder
from graders.workflows.calling.run_options import Options
from graders.workflows.scope.phrases import several

#: Share of a judge's calls that are asked once more, before it has graded FROM answers of a
#: project.
ASSUMED_SHARE, FROM = 0.05, 20


def checks(options: Options) -> bool:
    """Whether a run asks once more: one that tries a judge shows what it quotes, and buys no more
    than it says."""
    return not (options.tries or options.workshop or options.beside)


def tasks(
    ws: Workspace, project: Project, setup: JudgeSetup, options: Options, stage: Stage = "all"
) -> list[Task]:
    """The calls of a run that ask a judge once more, each about one answer and about the criteria
    alone on which it misquoted."""
    if not checks(options):
        return []
    lost: dict[int, set[str]] = {}
    only = frozenset(options.only)
    for one in _due(ws, project, setup, options.faults):
        if not only or one.subject in only:
            lost.setdefault(one.subject, set()).add(one.criterion)
    found = (
        judging.tasks_of_lost(
            ws, project, setup, lost, afresh=True, stage=stage, faults=options.faults
        )
        if lost
        else ()
    )
    return [replace(task, request=once_more(task.request)) for task in found]


def _due(ws: Workspace, project: Project, setup: JudgeSetup, faults: bool) -> list[Due]:
    """The verdicts that are due, by the present wording and recipe: what was said by another is
    asked anew, or not at all."""
    due = misquoted.due(ws.db, project, setup.author)
    present = {
        (row.key, row.hash, recipe)
        for row in (asked_criteria.judged_rows(ws, project, faults) if due else [])
        for recipe in asked_criteria.recipes(setup, row).values()
    }
    return [one for one in due if (one.criterion, one.wording, one.recipe) in present]


class OnceMore(Recorder):
    """Keeps what a judge says when it is asked once more, on the cells for which it is.

    Where a call brings nothing usable the first verdict stands: what it lacks is neither kept nor
    counted.
    """

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        setup: JudgeSetup,
        done: Callable[[Sequence[Outcome], Mapping[str, int]], None],
        asked: Sequence[Task],
    ) -> None:
        causes = {row: MISQUOTED for task in asked for row in task.rows}
        super().__init__(ws, project, setup, lambda outcomes, without: done(outcomes, {}), causes)
        self._due = {
            (one.subject, one.criterion, one.part)
            for one in misquoted.due(ws.db, project, setup.author)
        }

    def _lacking(self, task: Task, missing: Sequence[Verdict]) -> list[Verdict]:
        return []

    def _write(self, rows: Sequence[tuple[StoredSubject, Verdict, str]]) -> None:
        super()._write(
            [row for row in rows if (row[0].id, row[1].criterion, row[1].part) in self._due]
        )


@dataclass(frozen=True)
class Expected:
    """The share of what is bought that is expected once more, and how many calls that is;
    `measured` on this judge's verdicts, else assumed."""

    share: float = 0.0
    calls: float = 0.0
    measured: bool = False

    @property
    def note(self) -> list[str]:
        """What the plan says of it."""
        if (more := round(self.calls)) == 0:
            return []
        basis = (
            say("runs.note.as_so_far")
            if self.measured
            else say("runs.note.assumed", share=ASSUMED_SHARE)
        )
        return [(say("runs.note.once_more", basis=basis, calls=several(more, "more call")))]


def expected(
    ws: Workspace,
    project: Project,
    setup: JudgeSetup,
    options: Options,
    requests: Sequence[Request],
) -> Expected:
    """What to expect of calls that are to be bought. What is in one about several answers is asked
    once more answer by answer."""
    asking = (
        [request for request in requests if wants_quotes(request) and not request.again]
        if checks(options)
        else []
    )
    if not asking:
        return Expected()
    answers, calls, again = misquoted.asked_once_more(ws.db, project, setup.author)
    share = again / calls if answers >= FROM else ASSUMED_SHARE
    parts = sum(len(request.subjects) for request in asking)
    return Expected(share * len(asking) / len(requests), share * parts, answers >= FROM)
