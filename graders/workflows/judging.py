"""Judges of a run: what they are asked, which replies are known already, and how their verdicts reach the cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core import discovery
from graders.core.errors import UsageError
from graders.core.records import Problem, Request, Subject, SubjectKey, Verdict
from graders.core.rubric import Criterion, Rubric
from graders.store import cells as cell_store
from graders.store import content, ledger, projects, reading, verdicts
from graders.store.content import StoredSubject, chunks
from graders.store.ledger import SqlLedger
from graders.store.projects import CriterionRow, Project
from graders.store.verdicts import CellVerdict
from graders.store.workspace import Workspace
from graders.workflows.call import Outcome, call_key
from graders.workflows.cells import read_frame, refresh

#: Prefix of a judge's name -> provider module.
PROVIDERS = {"openai": "openai_chat"}
#: Subjects that are read and asked about in one go.
SUBJECTS_AT_ONCE = 200


@dataclass(frozen=True)
class JudgeSetup:
    """A judge of a run with its provider, ready to be asked."""

    name: str
    judge: Any
    provider: Any

    @property
    def author(self) -> str:
        return str(self.judge.author)


def make_judge(
    name: str, *, secret: str, options: dict[str, Any] | None = None, provider_options: dict[str, Any] | None = None
) -> JudgeSetup:
    """The judge that ``openai:MODEL`` (or ``PLUGIN:MODEL``) means."""
    kind, _, model = name.partition(":")
    if not model:
        raise UsageError(f"judge {name!r}", found="no model", expected="PROVIDER:MODEL, such as openai:gpt-4o-mini")
    if kind in discovery.names("judges") and kind != "llm":
        judge = discovery.make("judges", kind, {"model": model, **(options or {})})
        return JudgeSetup(name, judge, discovery.make("providers", judge.provider, provider_options))
    provider_name = PROVIDERS.get(kind, kind)
    if provider_name not in discovery.names("providers"):
        raise UsageError(
            f"judge {name!r}",
            found=f"the provider {kind!r}",
            expected="one of " + ", ".join(sorted({*PROVIDERS, *discovery.names("providers")})),
        )
    provider = discovery.make("providers", provider_name, provider_options)
    judge = discovery.make("judges", "llm", {"model": model, "provider": provider_name, "secret": secret, **(options or {})})
    return JudgeSetup(name, judge, provider)


@dataclass(frozen=True)
class Task:
    """One request with the rubric it belongs to."""

    request: Request
    rubric: Rubric
    subject: StoredSubject


def tasks(ws: Workspace, project: Project, setup: JudgeSetup) -> Iterator[Task]:
    """The calls that a judge still has to make: criteria that name ``judge`` and cells without its fresh verdict."""
    paired = cell_store.pair_criteria(ws.db, project)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.grader("judge") is not None and c.id not in paired]
    by_rubric: dict[str, tuple[Rubric, list[CriterionRow]]] = {}
    for row in criteria:
        by_rubric.setdefault(row.rubric.name, (row.rubric, []))[1].append(row)
    for ids in chunks(content.subject_ids(ws.db, project), SUBJECTS_AT_ONCE):
        found = [s for s in content.subjects(ws.db, ids) if s.subject.other is None]
        fresh = reading.judged(ws.db, project, setup.author, ids)
        for rubric, rows in by_rubric.values():
            recipe = setup.judge.recipe_hash(rubric)
            yield from _rubric_tasks(setup, rubric, rows, found, fresh, recipe)


def _rubric_tasks(
    setup: JudgeSetup,
    rubric: Rubric,
    rows: Sequence[CriterionRow],
    found: Sequence[StoredSubject],
    fresh: set[tuple[int, int, str, str]],
    recipe: str,
) -> Iterator[Task]:
    wanted: dict[tuple[str, ...], list[StoredSubject]] = {}
    for subject in found:
        missing = tuple(r.criterion.name for r in rows if (subject.id, r.id, r.hash, recipe) not in fresh)
        if missing:
            wanted.setdefault(missing, []).append(subject)
    for names, group in wanted.items():
        asked = [r.criterion for r in rows if r.criterion.name in names]
        by_key = {s.subject.key: s for s in group}
        for request in setup.judge.requests([_scoped(s.subject, asked) for s in group], rubric, asked):
            yield Task(request, rubric, by_key[request.subjects[0]])


def _scoped(subject: Subject, criteria: Sequence[Criterion]) -> Subject:
    """The subject as these criteria may see it: context only where one of them is graded against it or none forbids it."""
    kinds = {c.reference_for(subject.question.task_type) for c in criteria}
    if kinds == {"none"}:
        return replace(subject, question=replace(subject.question, references=()))
    return subject


def count_known(ws: Workspace, setup: JudgeSetup, found: Sequence[Task]) -> int:
    """How many of these calls have a stored usable reply."""
    return len(ledger.stored_keys(ws.db, [call_key(t.request, setup.provider.address) for t in found]))


class Recorder:
    """Turns outcomes of calls into verdicts on cells, in short commits. Used from one thread."""

    def __init__(self, ws: Workspace, project: Project, setup: JudgeSetup, done: Callable[[Sequence[Outcome]], None]) -> None:
        self.ws, self.project, self.setup, self.done = ws, project, setup, done
        self.tasks: dict[int, Task] = {}
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
        subjects: dict[SubjectKey, Subject] = {task.subject.subject.key: task.subject.subject}
        return self.setup.judge.read(request, reply, subjects, task.rubric)

    def take(self, outcomes: Sequence[Outcome]) -> None:
        """Write the verdicts of outcomes; cells without a usable one get ``unscored`` with the cause."""
        rows: list[tuple[Task, Verdict, str]] = []
        for outcome in outcomes:
            task = self.tasks.pop(id(outcome.request))
            usable = [item for item in outcome.items if not isinstance(item, Problem)]
            share = outcome.money / max(1, len(outcome.request.criteria)) if outcome.money is not None else None
            rows += [(task, replace(v, cost=share), outcome.key) for v in usable]
            if outcome.cause:
                rows += [
                    (task, v, outcome.key)
                    for v in self.setup.judge.unscored(outcome.request, task.rubric, outcome.cause, outcome.detail, usable)
                ]
        self._write(rows)
        self.done(outcomes)

    def _write(self, rows: Sequence[tuple[Task, Verdict, str]]) -> None:
        def work(db: Any, batch: Sequence[tuple[Task, Verdict, str]]) -> None:
            made = []
            for task, verdict, key in batch:
                criterion = self.criteria[verdict.criterion]
                cell = cell_store.add_cell(db, self.project, task.subject.id, criterion, verdict.part)
                made.append(CellVerdict(cell, criterion, task.subject.question_id, verdict, call_key=key))
            refresh(db, self.frame, verdicts.append(db, self.project, made, now=self.ws.now()))

        self.ws.background(list(rows), work)


__all__ = ["JudgeSetup", "Recorder", "SqlLedger", "Task", "count_known", "make_judge", "tasks"]
