"""How much detail a question asks for: the column's word, else that of a rule on its text, else a
judge's; a person may say otherwise."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core import discovery
from graders.core.errors import InputError, NotFound
from graders.core.records import Question, Request
from graders.core.text import characters
from graders.core.words import error_parts
from graders.judges.asking.detail import detail_request
from graders.judges.checker import checks_claims_only
from graders.rules.counts.asked_detail import DETAILS, detail_of, undecided
from graders.rules.length import Length
from graders.store import projects
from graders.store.answers import content, details
from graders.store.opinions import cells as cell_store
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.measuring.measure import measure
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class Told:
    """How much detail counts for a question: `by` column, rule, judge, person or "" (nobody's word,
    so short), and `who` that is."""

    detail: str
    by: str
    who: str


@dataclass(frozen=True, slots=True)
class Changed:
    """What counts for a question after a person's word, and how many cells have another value."""

    question: str
    detail: str
    by: str
    who: str
    changed: int


def told(question: Question, people: Mapping[str, str]) -> Told:
    """How much detail counts for a question."""
    value, source = detail_of(question)
    mark = str(question.metadata.get(details.MARK) or "") if source == "stated" else ""
    kind, _, who = mark.partition(":")
    return Told(value, kind or ("column" if source == "stated" else source), called(people, who))


@needs("settings")
def change(scope: Scope, project_name: str, question_key: str, detail: str) -> Changed:
    """A person's word on a question: ``short``, ``detailed``, or "" to go back to what counted
    before.

    Only the rules on the answers to this question run again.
    """
    ws, project = scope.ws, scope.project(project_name)
    if detail not in ("", *DETAILS):
        raise InputError(**error_parts("results.error.detail", found=repr(detail)))
    found = content.questions(ws.db, project, [question_key])
    if not found:
        raise NotFound(**error_parts("results.error.no_question", question=question_key))
    [(row, question)] = found.items()
    if detail or str(question.metadata.get(details.MARK) or "").startswith(details.PERSON):
        with ws.write() as db:
            details.set_details(
                db, [(row, detail, details.PERSON + (scope.actor.person_id or "lead"))]
            )
        projects.log_event(
            ws,
            project,
            scope.actor.person_id,
            "detail",
            {"question": question_key, "detail": detail},
        )
    subjects = content.subjects_of(ws.db, [row])
    before = _values(ws, subjects)
    measure(ws, project, None, only=subjects)
    changed = sum(before.get(cell) != value for cell, value in _values(ws, subjects).items())
    now = told(content.questions_by_row(ws.db, [row])[row], names_of(ws))
    return Changed(question_key, now.detail, now.by, now.who, changed)


def _values(ws: Workspace, subjects: Sequence[int]) -> dict[int, Any]:
    return {
        cell.id: (cell.state.final, cell.state.suggestion)
        for cell in cell_store.cells_of(ws.db, subjects)
    }


def requests(ws: Workspace, project: Project, setup: JudgeSetup) -> dict[int, Request]:
    """The calls that ask a judge about questions (by row) of which neither column nor words tell,
    and where it makes a difference: an answer that is longer than a short one may be, and no longer
    than a detailed one. A model that only checks claims is not asked."""
    limits = _limits(ws, project)
    if not limits or checks_claims_only(setup.judge.model):
        return {}
    open_ones = {row: q for row, q in content.questions(ws.db, project).items() if undecided(q)}
    found: dict[int, Request] = {}
    for ids in content.chunks(open_ones):
        for s in content.subjects(ws.db, content.subjects_of(ws.db, ids)):
            if s.question_id not in found and any(
                low < characters(s.subject.answer.text) <= high for low, high in limits
            ):
                found[s.question_id] = detail_request(
                    open_ones[s.question_id], setup.provider.name, setup.judge.model, ws.secret()
                )
    return found


def matters(ws: Workspace, project: Project) -> bool:
    """Whether a rule of the project's criteria looks at the detail that is asked for."""
    return bool(_limits(ws, project))


def _limits(ws: Workspace, project: Project) -> list[tuple[int, int]]:
    """(short, detailed) limits of the rule `length` wherever a criterion has it."""
    refs = [
        ref
        for row in projects.criteria(ws, project)
        for ref in row.criterion.graders
        if ref.name == "length"
    ]
    rules: list[Length] = [discovery.make("rules", "length", ref.options) for ref in refs]
    return [(rule.short, rule.detailed) for rule in rules if rule.short < rule.detailed]


def keep(ws: Workspace, project: Project, said: Mapping[int, str], author: str) -> None:
    """Keep a judge's word on questions (row -> detail), and run the rules on their answers
    again."""
    rows = [(row, detail, details.JUDGE + author) for row, detail in said.items()]

    def work(db: sqlite3.Connection, batch: Sequence[tuple[int, str, str]]) -> None:
        details.set_details(db, batch)

    if rows:
        ws.background(rows, work)
        measure(ws, project, None, only=content.subjects_of(ws.db, list(said)))
