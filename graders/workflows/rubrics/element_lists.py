"""Lists of required elements: drafted by a judge or written by a person, in force only when a
person has accepted them.

Nothing is graded against a draft. Accepting one changes what answers to this one question are asked
about, and nothing else: their verdicts on other criteria, and those of all other questions, stay as
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graders.core.errors import InputError, NotAllowed, NotFound
from graders.core.records import Problem, Question
from graders.judges.asking.elements import draft_request, read_draft
from graders.store import projects
from graders.store.answers import content
from graders.store.answers import drafts as store
from graders.store.answers.drafts import ACCEPTED, DISMISSED, DRAFTED, Draft
from graders.store.opinions import cells as cell_store
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.asking import Asker, Source, of_use
from graders.workflows.calling.call import Outcome
from graders.workflows.cells.state import FAULTS, refresh_all
from graders.workflows.collecting.sources import concurrency_of, source_of
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs

#: What a run's row says of it.
MESSAGE = "Lists of required elements were drafted."
#: Entries of a list, and characters of one: a checklist that people go through, answer by answer.
MOST, LONGEST = 500, 500


@needs("look")
def lists(scope: Scope, project_name: str) -> dict[str, Any]:
    """Questions with the list they have and the draft that waits, in their order.

    Per question {question_id, question, category, task_type, elements, origin, emptied, draft,
    past}: `origin` says who drafted and accepted the list and when (empty for one that came with a
    file); `emptied` that a person took the list away, so that no bulk draft brings one back;
    `draft` is {by, at, elements, money} or None; `past` all steps. `used` says whether a criterion
    of the project grades such lists.
    """
    project = scope.project(project_name)
    names = names_of(scope.ws)
    steps = store.drafts(scope.ws.db, project)
    rows = [
        _row(question, steps.get(row, []), names)
        for row, question in content.questions(scope.ws.db, project).items()
    ]
    return {
        "project": project.name,
        "used": any(
            c.criterion.elements == "must_have" for c in projects.criteria(scope.ws, project)
        ),
        "questions": rows,
        "with_list": sum(bool(row["elements"]) for row in rows),
        "drafts": sum(row["draft"] is not None for row in rows),
    }


@needs("run")
def draft(
    scope: Scope,
    project_name: str,
    judge: str,
    questions: Sequence[str] = (),
    *,
    timeout: float = 120.0,
    listen: Callable[[str], None] = lambda question: None,
) -> dict[str, Any]:
    """Let a model draft lists for `questions` (ids), or for all that have neither a list nor a
    draft that waits, and from which nobody has taken a list away.

    `judge` is PROVIDER:MODEL[@ADDRESS]. A question that is named is drafted anew. Returns {drafted,
    failed, money, unpriced, error}: `failed` names questions with their reason, `error` is the
    sentence that stopped the judge. The calls are in the ledger.
    """
    if scope.actor.own_key_only:
        raise NotAllowed(
            "draft lists",
            found="no key of your own",
            expected="a lead",
            remedy="Ask a lead, or write the lists yourself.",
        )
    project = scope.project(project_name)
    steps = store.drafts(scope.ws.db, project)
    wanted = {q.id: (row, q) for row, q in _wanted(scope.ws, project, questions, steps).items()}
    source = source_of(judge, concurrency_of(()))
    source = replace(source, name=judge.partition("@")[0])
    drafted: list[str] = []
    failed: dict[str, str] = {}
    money: list[float | None] = []

    def take(outcome: Outcome) -> None:
        name = outcome.request.subjects[0].question_id
        listen(name)
        if outcome.sends:
            money.append(outcome.money)
        found = (
            Problem(cause=outcome.cause, detail=outcome.detail)
            if outcome.cause
            else read_draft(outcome.reply.text)
        )
        if isinstance(found, Problem):
            failed[name] = reason_words(found.cause, found.detail)
            return
        with scope.ws.write() as db:
            store.put(
                db,
                scope.ws,
                project,
                wanted[name][0],
                DRAFTED,
                source.name,
                found,
                outcome.key,
                outcome.money,
            )
        drafted.append(name)

    with Asker(
        scope.ws, project, MESSAGE, timeout=timeout, aside=True, read=of_use(read_draft)
    ) as asker:
        asked = asker.ask(source, _requests(scope.ws, project, source, wanted, steps), take)
    failed |= {
        name: reason_words(why.cause, why.detail)
        for name, why in asked.failed.items()
        if name not in failed
    }
    return {
        "judge": source.name,
        "drafted": drafted,
        "failed": failed,
        "money": sum(m for m in money if m is not None),
        "unpriced": sum(m is None for m in money),
        "error": asked.error,
    }


@needs("settings")
def accept(
    scope: Scope, project_name: str, question_id: str, elements: Sequence[str] | None = None
) -> dict[str, Any]:
    """Put a list in force: the draft as it stands, or `elements` as somebody edited or wrote them;
    an empty one takes it away.

    The answers to this question are asked about the new list from now on. Verdicts on entries that
    stay are kept in force, those on others are kept in the record.
    """
    ws, project = scope.ws, scope.project(project_name)
    row, _ = _question(ws, project, question_id)
    waiting = _waiting(store.drafts(ws.db, project).get(row, []))
    if elements is None and waiting is None:
        raise InputError(
            f"question {question_id!r}",
            found="no draft",
            expected="a draft, or the elements",
            remedy="Draft a list first, or write one.",
        )
    chosen = _cleaned(waiting.elements if elements is None and waiting else elements or ())
    by = scope.actor.person_id or scope.actor.role
    with ws.write() as db:
        step = store.put(db, ws, project, row, ACCEPTED, by, chosen)
        origin = {"accepted_by": by, "accepted_at": step.at}
        if waiting is not None:
            origin = {"drafted_by": waiting.by, "drafted_at": waiting.at, **origin}
        store.set_list(db, row, chosen, origin)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = content.subjects_of(ws.db, [row])
    cell_store.ensure_cells(ws, project, criteria, subjects)
    cells = cell_store.cells_of(ws.db, subjects)
    refresh_all(
        ws, project, [cell.id for cell in cells], route=bool(project.settings.get("routed"))
    )
    projects.log_event(
        ws,
        project,
        scope.actor.person_id,
        "elements",
        {"question": question_id, "elements": list(chosen)},
    )
    listed = {c.id for c in criteria if c.criterion.elements == "must_have"}
    return {
        "question_id": question_id,
        "elements": list(chosen),
        "cells": sum(cell.criterion_id in listed for cell in cells),
    }


@needs("settings")
def dismiss(scope: Scope, project_name: str, question_id: str) -> dict[str, Any]:
    """Lay a draft aside; it stays in the record."""
    ws, project = scope.ws, scope.project(project_name)
    row, _ = _question(ws, project, question_id)
    waiting = _waiting(store.drafts(ws.db, project).get(row, []))
    if waiting is None:
        raise InputError(
            f"question {question_id!r}",
            found="no draft",
            expected="a draft that waits",
            remedy="Reload the page.",
        )
    with ws.write() as db:
        store.put(
            db,
            ws,
            project,
            row,
            DISMISSED,
            scope.actor.person_id or scope.actor.role,
            waiting.elements,
        )
    return {"question_id": question_id}


def _requests(
    ws: Workspace,
    project: Project,
    source: Source,
    wanted: dict[str, tuple[int, Question]],
    steps: dict[int, list[Draft]],
) -> dict[str, Any]:
    """The calls; a question that was drafted before is a purchase of its own, since the stored
    reply would be the same list again."""
    secret = ws.secret()
    return {
        name: draft_request(
            question,
            name=source.name,
            provider=source.provider,
            model=source.model,
            secret=secret,
            sample=sum(step.state == DRAFTED for step in steps.get(row, [])),
        )
        for name, (row, question) in wanted.items()
    }


def _wanted(
    ws: Workspace, project: Project, named: Sequence[str], steps: dict[int, list[Draft]]
) -> dict[int, Question]:
    if named:
        return dict(_question(ws, project, name) for name in dict.fromkeys(named))
    asked = content.questions(ws.db, project)
    return {
        row: q
        for row, q in asked.items()
        if not (q.must_have or _emptied(q)) and _waiting(steps.get(row, [])) is None
    }


def _emptied(question: Question) -> bool:
    """Whether a person decided that the question has no list."""
    return not question.must_have and "accepted_by" in store.origin_of(question)


def _question(ws: Workspace, project: Project, name: str) -> tuple[int, Question]:
    row = content.question_ids(ws.db, project, [name]).get(name)
    asked = content.questions(ws.db, project)
    if row is None or row not in asked:
        raise NotFound(
            f"question {name[:80]!r}",
            found="no such question",
            expected="the id of a question of this project",
        )
    return row, asked[row]


def _waiting(steps: Sequence[Draft]) -> Draft | None:
    """The draft on which nobody has decided yet."""
    return steps[-1] if steps and steps[-1].state == DRAFTED else None


def _cleaned(elements: Sequence[str]) -> tuple[str, ...]:
    """Entries without empty and double ones; InputError for too many or too long ones."""
    made = tuple(
        dict.fromkeys(words for entry in elements if (words := " ".join(str(entry).split())))
    )
    long = next((words for words in made if len(words) > LONGEST), None)
    if len(made) > MOST or long is not None:
        found = f"{len(made)} entries" if long is None else f"an entry of {len(long):,} characters"
        raise InputError(
            "list",
            found=found,
            expected=f"at most {MOST} entries of at most {LONGEST} characters",
            remedy="Shorten the list.",
        )
    return made


def _row(question: Question, steps: Sequence[Draft], names: Mapping[str, str]) -> dict[str, Any]:
    waiting = _waiting(steps)
    origin = store.origin_of(question)
    if "accepted_by" in origin:
        origin["accepted_by"] = called(names, origin["accepted_by"])
    return {
        "question_id": question.id,
        "question": question.text[:400],
        "category": question.category,
        "task_type": question.task_type,
        "elements": list(question.must_have),
        "origin": origin if question.must_have else {},
        "emptied": _emptied(question),
        "draft": None if waiting is None else _step(waiting, names),
        "past": [_step(step, names) for step in steps],
    }


def _step(step: Draft, names: Mapping[str, str]) -> dict[str, Any]:
    by = step.by if step.state == DRAFTED else called(names, step.by)
    return {
        "state": step.state,
        "by": by,
        "at": step.at,
        "elements": list(step.elements),
        "money": step.money,
    }
