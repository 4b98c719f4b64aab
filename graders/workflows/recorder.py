"""What judges said becomes verdicts on cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from graders.core.faults import FaultList
from graders.core.records import Problem, Request, Subject, SubjectKey, Verdict
from graders.store import cells as cell_store
from graders.store import projects
from graders.store.projects import Project
from graders.store.verdicts import CellVerdict
from graders.store.workspace import Workspace
from graders.workflows._samples import Samples
from graders.workflows.call import Outcome
from graders.workflows.cells import read_frame, record
from graders.workflows.judging import SUBJECTS_AT_ONCE, JudgeSetup, Refused, Task


class Recorder:
    """Turns outcomes of calls into verdicts on cells, in short commits. Used from one thread.

    `done` is told the outcomes and, by reason, the cells that they brought no verdict for.
    """

    def __init__(self, ws: Workspace, project: Project, setup: JudgeSetup, done: Callable[[Sequence[Outcome], Counter[str]], None]) -> None:
        self.ws, self.project, self.setup, self.done = ws, project, setup, done
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
        """What a reply holds."""
        task = self.tasks[id(request)]
        subjects: dict[SubjectKey, Subject] = {task.shown.key: task.shown}
        return self.setup.judge.read(request, reply, subjects, task.rubric)

    def take(self, outcomes: Sequence[Outcome]) -> None:
        """Write the verdicts of outcomes; cells without a usable one get ``unscored`` with the cause."""
        rows: list[tuple[Task, Verdict, str]] = []
        without: Counter[str] = Counter()
        for outcome in outcomes:
            task = self.tasks.pop(id(outcome.request))
            whole = self.samples.gather(outcome, task.rubric)
            if whole is None:
                continue  # further samples of the same call are on the way
            outcome = whole
            usable = [item for item in outcome.items if not isinstance(item, Problem)]
            share = outcome.money / max(1, len(usable)) if outcome.money is not None else None
            made = [replace(v, cost=share) for v in usable]
            if outcome.cause:
                missing = self.setup.judge.unscored(outcome.request, task.rubric, outcome.cause, outcome.detail, usable)
                without.update(v.mark.reason for v in missing)
                # A fault that nobody looked for is no cell that waits for anybody.
                made += [v for v in missing if not isinstance(task.rubric.criterion(v.criterion), FaultList)]
            inputs = {c: self.setup.judge.inputs_hash(task.shown, task.rubric.criterion(c)) for c in {v.criterion for v in made}}
            rows += [(task, replace(v, inputs=inputs[v.criterion]), outcome.key) for v in made]
        self._write(rows)
        self.done(outcomes, without)

    def refuse(self, refused: Sequence[Refused]) -> None:
        """Write the verdicts that need no call."""
        for start in range(0, len(refused), SUBJECTS_AT_ONCE):
            self._write([(one, one.verdict, "") for one in refused[start : start + SUBJECTS_AT_ONCE]])

    def _write(self, rows: Sequence[tuple[Task | Refused, Verdict, str]]) -> None:
        keys = [(task.subject.id, self.criteria[verdict.criterion].id, verdict.part) for task, verdict, _ in rows]
        cells = cell_store.find(self.ws.db, keys)
        if len(cells) < len(set(keys)):
            with self.ws.write() as db:
                cells = {key: home[0] for key, home in cell_store.homes(db, self.project, keys).items()}
        made = [
            CellVerdict(cells[place], self.criteria[verdict.criterion], task.subject.question_id, verdict, call_key=key)
            for place, (task, verdict, key) in zip(keys, rows, strict=True)
        ]
        record(self.ws, self.frame, made)
