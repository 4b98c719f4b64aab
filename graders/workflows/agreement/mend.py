"""From an answer on which people and judges differ: mend the reference of its question, ask for
another opinion on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graders.core.contracts import inputs_hash
from graders.core.errors import InputError, NotFound
from graders.core.records import Question
from graders.store import projects
from graders.store.answers import content, metric_values
from graders.store.desk import mending
from graders.store.figures import reports
from graders.store.opinions import cells as cell_store
from graders.store.opinions import verdicts
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.measuring.measure import measure
from graders.workflows.scope.permissions import Scope, needs

#: As many references as a question may have, and as long as one may be.
MOST, LONGEST = 50, 100_000


@needs("settings")
def mend_references(
    scope: Scope, project_name: str, question_key: str, given: Sequence[str], encoder: Any = None
) -> dict[str, Any]:
    """Give a question other references, and make anew what can be without a model; a log keeps old
    and new.

    Returns {changed, measured: {metric: answers with another value}, stale: {criterion: cells whose
    judges saw the old ones}, words}. Exactly these cells are asked about again when their judges
    run next; verdicts of people stay.
    """
    ws, project = scope.ws, scope.project(project_name)
    row, question = _question(ws, project, question_key)
    references = _checked(given)
    if references == question.references:
        return {
            "changed": False,
            "measured": {},
            "stale": {},
            "words": "These are the references that it has.",
        }
    with ws.write() as db:
        mending.set_references(db, row, references)
    body = {
        "question": question_key,
        "before": list(question.references),
        "after": list(references),
    }
    projects.log_event(ws, project, scope.actor.person_id, "references", body)
    subjects = content.subjects_of(ws.db, [row])
    before = _measured(ws, subjects)
    if encoder is not None:
        measure(ws, project, encoder, only=subjects)
    measured: dict[str, int] = {}
    for key, value in _measured(ws, subjects).items():
        if before.get(key) != value:
            measured[key[1]] = measured.get(key[1], 0) + 1
    stale = _stale(ws, project, subjects)
    return {"changed": True, "measured": measured, "stale": stale, "words": _words(measured, stale)}


@needs("route")
def another_opinion(
    scope: Scope, project_name: str, question_key: str, model: str, version: int | None = None
) -> dict[str, Any]:
    """Put an answer before the next person, blind; returns {made, words}. It is logged, and no
    estimate counts what comes of it."""
    ws, project = scope.ws, scope.project(project_name)
    row, _ = _question(ws, project, question_key)
    found = reports.answer_versions(ws.db, project, question_key, model)
    chosen = next(
        (one for one in found if one.version == version or (version is None and one.current == 1)),
        None,
    )
    if chosen is None:
        raise NotFound(
            f"answer of {model[:80]!r} to {question_key!r}",
            found="no such answer",
            expected="an answer of this project",
        )
    with ws.write() as db:
        made = mending.ask_for_opinion(db, ws, project, row, chosen.subject_id)
    body = {"question": question_key, "model": model, "version": chosen.version, "made": made}
    projects.log_event(ws, project, scope.actor.person_id, "another_opinion", body)
    words = (
        "It is the next screen, blind, of whoever has not seen marks on it."
        if made
        else "Its screen waited already: it comes next."
    )
    return {"made": made, "words": words}


def _checked(given: Sequence[str]) -> tuple[str, ...]:
    if len(given) > MOST:
        raise InputError(
            "references",
            found=f"{len(given)} of them",
            expected=f"at most {MOST}",
            remedy="Keep those that differ.",
        )
    found = tuple(dict.fromkeys(text for one in given if (text := str(one).strip())))
    long = next((text for text in found if len(text) > LONGEST), None)
    if long is not None:
        raise InputError(
            "a reference",
            found=f"{len(long):,} characters",
            expected=f"at most {LONGEST:,}",
            remedy="Shorten it.",
        )
    return found


def _question(ws: Workspace, project: Project, key: str) -> tuple[int, Question]:
    found = content.questions(ws.db, project, [key])
    if not found:
        raise NotFound(
            f"question {key[:80]!r}",
            found="no such question",
            expected="the id of a question of this project",
        )
    return next(iter(found.items()))


def _measured(ws: Workspace, subjects: Sequence[int]) -> dict[tuple[int, str], Any]:
    return {
        (s, v.metric): (v.value, v.reason)
        for s, values in metric_values.metrics_of(ws.db, subjects).items()
        for v in values
    }


def _stale(ws: Workspace, project: Project, subjects: Sequence[int]) -> dict[str, int]:
    """By title of the criterion, the cells with a verdict of a judge that rests on other references
    than the present ones."""
    criteria = {c.id: c for c in projects.criteria(ws, project)}
    shown = {s.id: s.subject for s in content.subjects(ws.db, subjects)}
    cells = [
        c
        for c in cell_store.cells_of(ws.db, subjects)
        if c.criterion_id in criteria and c.subject_id in shown
    ]
    said = verdicts.verdicts_of(ws.db, [c.id for c in cells])
    found: dict[str, int] = {}
    for cell in cells:
        criterion = criteria[cell.criterion_id].criterion
        if criterion.reference_for(shown[cell.subject_id].question.task_type) not in (
            "given",
            "elected",
        ):
            continue
        now = inputs_hash(shown[cell.subject_id], criterion)
        if any(
            v.author_kind == "judge" and v.inputs not in ("", now) for v in said.get(cell.id, ())
        ):
            found[criterion.title] = found.get(criterion.title, 0) + 1
    return found


def _words(measured: dict[str, int], stale: dict[str, int]) -> str:
    parts = ["Kept."]
    if measured:
        parts.append(f"{len(measured)} measure{'s' * (len(measured) != 1)} made anew.")
    if stale:
        asked = ", ".join(
            f"{count} cell{'s' * (count != 1)} of {title}" for title, count in stale.items()
        )
        parts.append(f"Judges are asked again about {asked} when they run next.")
    return " ".join(parts)
