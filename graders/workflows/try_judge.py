"""One judge tried on one answer: what it is asked, what came back, how that is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.errors import NotFound
from graders.core.money import dollars
from graders.core.records import Problem
from graders.store import content, ledger
from graders.store.content import StoredSubject
from graders.store.projects import Project
from graders.workflows import judging, runs
from graders.workflows._overview_words import several
from graders.workflows._reasons import reason_words
from graders.workflows.call import call_key
from graders.workflows.judge_setup import JudgeSetup
from graders.workflows.permissions import Scope, needs
from graders.workflows.results import mark_seen

#: Answers that a try is offered.
OFFERED = 30


@needs("look")
def offered(scope: Scope, project_name: str) -> list[dict[str, Any]]:
    """Answers to try a judge on, drawn over categories, models and questions."""
    project = scope.project(project_name)
    found = content.subjects(scope.ws.db, judging.draw(scope.ws, project, OFFERED))
    return [{"id": s.id, "question": s.subject.question.text[:120], "model": s.subject.answer.model} for s in found]


@needs("run")
def start_try(scope: Scope, project_name: str, judge: str, subject: int, more: Mapping[str, Any]) -> dict[str, Any]:
    """Start a run that asks a judge about one answer; returns as `runs.start` does. `more` are further options of the run."""
    project = scope.project(project_name)
    _subject(scope, project, subject)
    return runs.start(scope, project_name, {**more, "judges": [judge], "tries": 1, "only": [subject]}, scope.actor.person_id)


@needs("run")
def tried(scope: Scope, project_name: str, judge: str, subject: int, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What a judge is asked about one answer, and what came back where it was asked: prompt, raw reply, verdicts as they are read.

    Nothing is sent. InputError for a judge that cannot be made.
    """
    ws, project = scope.ws, scope.project(project_name)
    stored = _subject(scope, project, subject)
    options = runs.settled(ws, project, {**(more or {}), "judges": [judge]})
    (setup,) = options.setups(ws, criteria=judging.judged_criteria(ws, project))
    calls = [_call(scope, setup, task) for task in judging.tasks(ws, project, setup, [subject], afresh=True)]
    mark_seen(scope, [subject])
    question = stored.subject.question
    return {
        "judge": judge,
        "author": setup.author,
        "question": question.text[:300],
        "question_id": question.id,
        "model": stored.subject.answer.model,
        "title": _tried_title(calls),
        "calls": calls,
    }


def _tried_title(calls: list[dict[str, Any]]) -> str:
    there = [call for call in calls if call["raw"] is not None]
    if not calls:
        return "This judge is asked nothing about this answer."
    if not there:
        return f"{several(len(calls), 'call')}, not sent yet."
    money = [call["money"] for call in there]
    price = "an unknown price" if None in money else dollars(sum(m for m in money if m is not None), each=True)
    return f"{several(len(there), 'reply', 'replies')} for {price}."


def _call(scope: Scope, setup: JudgeSetup, task: judging.Task) -> dict[str, Any]:
    found = ledger.call_of(scope.ws.db, call_key(task.request, setup.provider.address))
    reply = found["reply"] if found is not None else None
    items = [] if reply is None else setup.judge.read(task.request, reply, task.shown, task.rubric)
    return {
        "messages": [{"role": role, "text": text} for role, text in task.request.messages],
        "settings": dict(task.request.settings),
        "left_out": list(setup.provider.left_out(task.request)),
        "schema": task.request.schema,
        "raw": None if reply is None else reply.text or reply.raw or reply.detail,
        "state": "not sent" if found is None else found["state"],
        "cause": reason_words(found["cause"]) if found is not None and found["cause"] else "",
        "money": None if found is None else found["money"],
        "seconds": None if found is None else found["seconds"],
        "read": [_item(item, task) for item in items],
    }


def _item(item: Any, task: judging.Task) -> dict[str, Any]:
    if isinstance(item, Problem):
        return {
            "criterion": item.criterion if hasattr(item, "criterion") else "",
            "part": "",
            "word": "",
            "why": reason_words(item.cause, item.detail),
        }
    mark, criterion = item.mark, task.rubric.criterion(item.criterion)
    return {
        "criterion": criterion.title,
        "part": item.part,
        "word": "" if mark.value is None else criterion.scale.word(mark.value),
        "why": reason_words(mark.reason, mark.rationale),
        "confidence": mark.confidence,
        "rationale": mark.rationale,
        "evidence": [{"quote": e.quote, "absent": e.absent, "found": e.found} for e in mark.evidence],
    }


def _subject(scope: Scope, project: Project, subject: int) -> StoredSubject:
    found = content.subjects(scope.ws.db, [subject])
    if not found or found[0].question_id not in content.questions(scope.ws.db, project, [found[0].subject.question.id]):
        raise NotFound(f"answer {subject}", found="no such answer", expected="an answer of this project", remedy="Reload the page.")
    return found[0]


@needs("look")
def answer_row(scope: Scope, project_name: str, question_id: str = "", model: str = "") -> int:
    """The row of the answer of a model to a question; one that is drawn where neither is named."""
    project = scope.project(project_name)
    if not question_id and not model:
        drawn = judging.draw(scope.ws, project, 1)
        if not drawn:
            raise NotFound(f"project {project.name!r}", found="no answer", expected="an answer to try a judge on")
        return drawn[0]
    rows = content.subject_rows(scope.ws.db, project, content.question_ids(scope.ws.db, project, [question_id]).values())
    fits = [(version, row) for (_, name, version, other), row in rows.items() if not other and (not model or name == model)]
    if not fits:
        raise NotFound(
            f"answer of {model or 'any model'!r} to {question_id!r}", found="no such answer", expected="an answer of this project"
        )
    return max(fits)[1]
