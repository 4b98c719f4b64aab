"""From an answer on which people and judges differ: mend the reference of its question, ask for
another opinion on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.contracts import inputs_hash
from graders.core.errors import InputError, NotFound
from graders.core.records import Question
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content, metric_values
from graders.store.desk import mending
from graders.store.figures import one_answer
from graders.store.opinions import cells as cell_store
from graders.store.opinions import stored_verdicts
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.measuring.measure import measure
from graders.workflows.scope.permissions import Scope, needs

#: As many references as a question may have, and as long as one may be.
MOST, LONGEST = 50, 100_000


@dataclass(frozen=True, slots=True)
class MendedReferences:
    """What came of other references: whether they `changed`, metric -> answers with another value
    (`measured`), criterion title -> cells whose judges saw the old ones (`stale`), and that in
    words."""

    changed: bool
    measured: Mapping[str, int]
    stale: Mapping[str, int]
    words: str


@dataclass(frozen=True, slots=True)
class AnotherOpinion:
    """Whether a screen was `made` for it (else one was waiting), and that in words."""

    made: bool
    words: str


@needs("settings")
def mend_references(
    scope: Scope, project_name: str, question_key: str, given: Sequence[str], encoder: Any = None
) -> MendedReferences:
    """Give a question other references, and make anew what can be without a model; a log keeps old
    and new.

    Exactly the stale cells are asked about again when their judges run next; verdicts of people
    stay.
    """
    ws, project = scope.ws, scope.project(project_name)
    row, question = _question(ws, project, question_key)
    references = _checked(given)
    if references == question.references:
        return MendedReferences(False, {}, {}, say("agreement.references.same"))
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
    return MendedReferences(True, measured, stale, _words(measured, stale))


@needs("route")
def another_opinion(
    scope: Scope, project_name: str, question_key: str, model: str, version: int | None = None
) -> AnotherOpinion:
    """Put an answer before the next person, blind. It is logged, and no estimate counts what comes
    of it."""
    ws, project = scope.ws, scope.project(project_name)
    row, _ = _question(ws, project, question_key)
    versions = one_answer.answer_versions(ws.db, project, question_key, model)
    answer = next(
        (
            one
            for one in versions
            if one.version == version or (version is None and one.current == 1)
        ),
        None,
    )
    if answer is None:
        raise NotFound(
            **error_parts(
                "agreement.no_answer", model=repr(model[:80]), question=repr(question_key)
            )
        )
    with ws.write() as db:
        made = mending.ask_for_opinion(db, ws, project, row, answer.subject_id)
    body = {"question": question_key, "model": model, "version": answer.version, "made": made}
    projects.log_event(ws, project, scope.actor.person_id, "another_opinion", body)
    return AnotherOpinion(made, say(f"agreement.opinion.{'made' if made else 'waiting'}"))


def _checked(given: Sequence[str]) -> tuple[str, ...]:
    if len(given) > MOST:
        raise InputError(**error_parts("agreement.many_references", count=len(given), most=MOST))
    texts = (str(text).strip() for text in given)
    references = tuple(dict.fromkeys(text for text in texts if text))
    too_long = next((text for text in references if len(text) > LONGEST), None)
    if too_long is not None:
        raise InputError(
            **error_parts("agreement.long_reference", count=len(too_long), most=LONGEST)
        )
    return references


def _question(ws: Workspace, project: Project, key: str) -> tuple[int, Question]:
    rows = content.questions(ws.db, project, [key])
    if not rows:
        raise NotFound(**error_parts("agreement.no_question", key=repr(key[:80])))
    return next(iter(rows.items()))


def _measured(ws: Workspace, subjects: Sequence[int]) -> dict[tuple[int, str], Any]:
    return {
        (subject, value.metric): (value.value, value.reason)
        for subject, values in metric_values.metrics_of(ws.db, subjects).items()
        for value in values
    }


def _stale(ws: Workspace, project: Project, subjects: Sequence[int]) -> dict[str, int]:
    """By title of the criterion, the cells with a verdict of a judge that rests on other references
    than the present ones."""
    criteria = {c.id: c for c in projects.criteria(ws, project)}
    subject_by_id = {s.id: s.subject for s in content.subjects(ws.db, subjects)}
    cells = [
        c
        for c in cell_store.cells_of(ws.db, subjects)
        if c.criterion_id in criteria and c.subject_id in subject_by_id
    ]
    said = stored_verdicts.verdicts_of(ws.db, [c.id for c in cells])
    stale: dict[str, int] = {}
    for cell in cells:
        criterion = criteria[cell.criterion_id].criterion
        subject = subject_by_id[cell.subject_id]
        if criterion.reference_for(subject.question.task_type) not in ("given", "elected"):
            continue
        now = inputs_hash(subject, criterion)
        if any(
            v.author_kind == "judge" and v.inputs not in ("", now) for v in said.get(cell.id, ())
        ):
            stale[criterion.title] = stale.get(criterion.title, 0) + 1
    return stale


def _words(measured: Mapping[str, int], stale: Mapping[str, int]) -> str:
    parts = [say("agreement.references.kept")]
    if measured:
        parts.append(say("agreement.references.measured", n=len(measured)))
    if stale:
        cells = ", ".join(
            say("agreement.references.cells", n=count, criterion=title)
            for title, count in stale.items()
        )
        parts.append(say("agreement.references.asked_again", cells=cells))
    return " ".join(parts)
