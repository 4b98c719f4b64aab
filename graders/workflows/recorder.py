"""What judges said becomes verdicts on cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core.faults import FaultList
from graders.core.records import Problem, Request, Verdict
from graders.store import cells as cell_store
from graders.store import projects
from graders.store.content import StoredSubject
from graders.store.projects import Project
from graders.store.verdicts import CellVerdict
from graders.store.workspace import Workspace
from graders.workflows._samples import Samples
from graders.workflows.call import Outcome
from graders.workflows.cells import read_frame, record
from graders.workflows.judge_setup import JudgeSetup
from graders.workflows.judging import ALONE, SUBJECTS_AT_ONCE, Refused, Task


class Recorder:
    """Turns outcomes of calls into verdicts on cells, in short commits. Used from one thread.

    `done` is told the outcomes and, by reason, the cells that they brought no verdict for. Answers (rows) that were lost in replies about
    several are put into `again` with the cause, unless `causes`, which names why they are asked about now, says that this is the repeat.
    Without `recorded` no verdict is written: the replies stay in the ledger.
    """

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        setup: JudgeSetup,
        done: Callable[[Sequence[Outcome], Counter[str]], None],
        causes: Mapping[int, str] | None = None,
        recorded: bool = True,
    ) -> None:
        self.ws, self.project, self.setup, self.done = ws, project, setup, done
        self.recorded = recorded
        self.repeats, self.causes, self.again = causes is None, causes or {}, dict[int, str]()
        self.tasks: dict[int, Task] = {}
        self.samples = Samples(setup.judge)
        self.frame = read_frame(ws, project)
        self.criteria = {c.key: c for c in projects.criteria(ws, project)}

    def follow(self, source: Iterator[Task]) -> Iterator[Request]:
        """The requests of tasks, remembered until their outcome comes."""
        for task in source:
            self.tasks[id(task.request)] = task
            yield task.request

    def read(self, request: Request, reply: Any) -> Any:
        """What a reply holds of use; Problems where that is nothing, or not all about its one answer."""
        task = self.tasks[id(request)]
        found = self.setup.judge.read(request, reply, task.shown, task.rubric)
        # A reply about several answers is of use if it is for one: what it lacks is asked about alone.
        said = [item for item in found if isinstance(item, Verdict)]
        return said if said and len(request.subjects) > 1 else found

    def take(self, outcomes: Sequence[Outcome]) -> None:
        """Write the verdicts of outcomes; cells without a usable one get ``unscored`` with the cause."""
        rows: list[tuple[StoredSubject, Verdict, str]] = []
        without: Counter[str] = Counter()
        for outcome in outcomes:
            task = self.tasks.pop(id(outcome.request))
            whole = self.samples.gather(outcome, task.rubric)
            if whole is None:
                continue  # further samples of the same call are on the way
            outcome = whole
            usable = [item for item in outcome.items if not isinstance(item, Problem)]
            usable = [v for v in usable if (v.subject, v.criterion) in task.wanted]
            share = outcome.money / max(1, len(usable)) if outcome.money is not None else None
            made = [replace(v, cost=share) for v in usable]
            cause, detail = outcome.cause, outcome.detail
            if not cause and len(outcome.request.subjects) > 1:
                cause, detail = self._lost(outcome, task)
            missing = self.setup.judge.unscored(outcome.request, task.rubric, cause, detail, usable) if cause else []
            missing = [v for v in missing if (v.subject, v.criterion) in task.wanted]
            if missing and self.repeats and cause in ALONE and len(outcome.request.subjects) > 1:
                self.again.update({task.subjects[v.subject][0].id: cause for v in missing})
            elif missing:
                without.update(v.mark.reason for v in missing)
                # A fault that nobody looked for is no cell that waits for anybody.
                made += [v for v in missing if not isinstance(task.rubric.criterion(v.criterion), FaultList)]
            rows += [(*self._resting(task, v), outcome.key) for v in made]
        self._write(rows)
        self.done(outcomes, without)

    def _lost(self, outcome: Outcome, task: Task) -> tuple[str, str]:
        """Why a reply of use lacks something, as (cause, detail); empty where it does not."""
        found = self.setup.judge.read(outcome.request, outcome.reply, task.shown, task.rubric)
        problem = next((item for item in found if isinstance(item, Problem)), None)
        return (problem.cause, problem.detail) if problem else ("", "")

    def _resting(self, task: Task, verdict: Verdict) -> tuple[StoredSubject, Verdict]:
        """A verdict with what it rests on, and why it was asked for again."""
        stored, shown = task.subjects[verdict.subject]
        again = {"asked_again": self.causes[stored.id]} if stored.id in self.causes else {}
        inputs = self.setup.judge.inputs_hash(shown, task.rubric.criterion(verdict.criterion))
        return stored, replace(verdict, inputs=inputs, metadata={**verdict.metadata, **again})

    def refuse(self, refused: Sequence[Refused]) -> None:
        """Write the verdicts that need no call."""
        for start in range(0, len(refused), SUBJECTS_AT_ONCE):
            self._write([(one.subject, one.verdict, "") for one in refused[start : start + SUBJECTS_AT_ONCE]])

    def _write(self, rows: Sequence[tuple[StoredSubject, Verdict, str]]) -> None:
        if not self.recorded:
            return
        keys = [(stored.id, self.criteria[verdict.criterion].id, verdict.part) for stored, verdict, _ in rows]
        cells = cell_store.find(self.ws.db, keys)
        if len(cells) < len(set(keys)):
            with self.ws.write() as db:
                cells = {key: home[0] for key, home in cell_store.homes(db, self.project, keys).items()}
        made = [
            CellVerdict(cells[place], self.criteria[verdict.criterion], stored.question_id, verdict, call_key=key)
            for place, (stored, verdict, key) in zip(keys, rows, strict=True)
        ]
        record(self.ws, self.frame, made)
