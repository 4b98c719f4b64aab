"""What judges said becomes verdicts on cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core.faults import FaultList
from graders.core.records import Problem, Request, Verdict
from graders.store import projects
from graders.store.answers.content import StoredSubject
from graders.store.figures import reading
from graders.store.opinions import made_cells
from graders.store.opinions.misquoted import ASKED_AGAIN
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.call import Outcome
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.judging import ALONE, SUBJECTS_AT_ONCE, Refused, Task
from graders.workflows.calling.samples import Samples
from graders.workflows.cells.state import read_frame, record


class Recorder:
    """Turns outcomes of calls into verdicts on cells, in short commits. Used from one thread.

    `done` is told the outcomes and, by reason, the cells that they brought no verdict for. Answers
    (rows) that were lost in replies about several are put into `again` with the cause, unless
    `causes`, which names why they are asked about now, says that this is the repeat. `lost` says on
    which criteria they were lost. Without `recorded` no verdict is written: the replies stay in the
    ledger.
    """

    def __init__(
        self,
        ws: Workspace,
        project: Project,
        setup: JudgeSetup,
        done: Callable[[Sequence[Outcome], Counter[str]], None],
        causes: Mapping[int, str] | None = None,
        recorded: bool = True,
        anew: bool = True,
    ) -> None:
        self.ws, self.project, self.setup, self.done = ws, project, setup, done
        self.recorded, self.anew = recorded, anew
        self.repeats, self.causes, self.again = causes is None, causes or {}, dict[int, str]()
        self.lost: dict[int, set[str]] = {}
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
        """What a reply holds of use; Problems where that is nothing, or not all about its one
        answer."""
        task = self.tasks[id(request)]
        return of_use(self.setup.judge.read(request, reply, task.shown, task.rubric), request)

    def take(self, outcomes: Sequence[Outcome]) -> None:
        """Write the verdicts of outcomes; cells without a usable one get ``unscored`` with the
        cause."""
        rows: list[tuple[StoredSubject, Verdict, str]] = []
        without: Counter[str] = Counter()
        for outcome in outcomes:
            task = self.tasks.pop(id(outcome.request))
            whole = self.samples.gather(outcome, task.rubric)
            if whole is None:
                continue  # further samples of the same call are on the way
            outcome = whole
            usable, missing, cause = heard(self.setup, task, outcome)
            share = outcome.money / max(1, len(usable)) if outcome.money is not None else None
            made = [replace(v, cost=share) for v in usable]
            if missing and self.repeats and asked_alone(outcome.request, cause):
                for v in missing:
                    row = task.subjects[v.subject][0].id
                    self.again[row] = cause
                    self.lost.setdefault(row, set()).add(v.criterion)
            elif missing:
                without.update(v.mark.reason for v in missing)
                made += self._lacking(task, missing)
            rows += [(*self._resting(task, v), outcome.key) for v in made]
        self._write(rows)
        self.done(outcomes, without)

    def _lacking(self, task: Task, missing: Sequence[Verdict]) -> list[Verdict]:
        """What is written for the cells that a call left out; a fault that was not looked for
        leaves no cell waiting."""
        return [v for v in missing if not isinstance(task.rubric.criterion(v.criterion), FaultList)]

    def _resting(self, task: Task, verdict: Verdict) -> tuple[StoredSubject, Verdict]:
        """A verdict with what it rests on, and why it was asked for again."""
        stored, shown = task.subjects[verdict.subject]
        again = {ASKED_AGAIN: self.causes[stored.id]} if stored.id in self.causes else {}
        inputs = self.setup.judge.inputs_hash(shown, task.rubric.criterion(verdict.criterion))
        return stored, replace(verdict, inputs=inputs, metadata={**verdict.metadata, **again})

    def refuse(self, refused: Sequence[Refused]) -> None:
        """Write the verdicts that need no call, but for those that stand already."""
        for start in range(0, len(refused), SUBJECTS_AT_ONCE):
            some = refused[start : start + SUBJECTS_AT_ONCE]
            ids = sorted({one.subject.id for one in some})
            standing = {
                reason: reading.judged(self.ws.db, self.project, self.setup.author, ids, (reason,))
                for reason in {one.verdict.mark.reason for one in some}
            }
            self._write(
                [
                    (one.subject, one.verdict, "")
                    for one in some
                    if self._place(one) not in standing[one.verdict.mark.reason]
                ]
            )

    def _place(self, one: Refused) -> tuple[int, int, str, str, str, str]:
        """What makes a refusal the same as one that stands."""
        return self._name(one.subject, one.verdict)

    def _name(self, stored: StoredSubject, found: Verdict) -> tuple[int, int, str, str, str, str]:
        return (
            stored.id,
            self.criteria[found.criterion].id,
            found.part,
            found.criterion_hash,
            found.recipe_hash,
            found.inputs,
        )

    def _write(self, rows: Sequence[tuple[StoredSubject, Verdict, str]]) -> None:
        if not self.anew:
            standing = reading.judged(
                self.ws.db,
                self.project,
                self.setup.author,
                sorted({stored.id for stored, _, _ in rows}),
            )
            rows = [row for row in rows if self._name(row[0], row[1]) not in standing]
        if self.recorded:
            record(self.ws, self.frame, self._placed(rows))

    def _placed(self, rows: Sequence[tuple[StoredSubject, Verdict, str]]) -> list[CellVerdict]:
        """Verdicts with the cells that they are about."""
        keys = [
            (stored.id, self.criteria[verdict.criterion].id, verdict.part)
            for stored, verdict, _ in rows
        ]
        cells = made_cells.find(self.ws.db, keys)
        if len(cells) < len(set(keys)):
            with self.ws.write() as db:
                cells = {
                    key: home[0] for key, home in made_cells.homes(db, self.project, keys).items()
                }
        return [
            CellVerdict(
                cells[place],
                self.criteria[verdict.criterion],
                stored.question_id,
                verdict,
                call_key=key,
            )
            for place, (stored, verdict, key) in zip(keys, rows, strict=True)
        ]


def of_use(found: Sequence[Verdict | Problem], request: Request) -> Sequence[Verdict | Problem]:
    """What was read of a reply; of one about several answers that is of use for one, the verdicts:
    what it lacks is asked about alone."""
    said = [item for item in found if isinstance(item, Verdict)]
    return said if said and len(request.subjects) > 1 else found


def heard(
    setup: JudgeSetup, task: Task, outcome: Outcome
) -> tuple[list[Verdict], list[Verdict], str]:
    """What a whole call brought of what it was made for: verdicts, those that it lacks
    (``unscored``), and why it lacks them."""
    usable = [
        v
        for v in outcome.items
        if isinstance(v, Verdict) and (v.subject, v.criterion) in task.wanted
    ]
    cause, detail = outcome.cause, outcome.detail
    if not cause and len(outcome.request.subjects) > 1:
        found = setup.judge.read(outcome.request, outcome.reply, task.shown, task.rubric)
        problem = next((item for item in found if isinstance(item, Problem)), None)
        cause, detail = (problem.cause, problem.detail) if problem else ("", "")
    missing = (
        setup.judge.unscored(outcome.request, task.rubric, cause, detail, usable) if cause else []
    )
    return usable, [v for v in missing if (v.subject, v.criterion) in task.wanted], cause


def asked_alone(request: Request, cause: str) -> bool:
    """Whether what a reply lacks for this cause is asked about answer by answer."""
    return cause in ALONE and len(request.subjects) > 1
