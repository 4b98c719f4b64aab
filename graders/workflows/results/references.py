"""References that were elected: who, by what numbers, and a person's word against them. Only what
depends on one is made anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.contracts import inputs_hash
from graders.core.errors import InputError, NotFound
from graders.core.records import Question
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content, elections, metric_values
from graders.store.answers.content import StoredSubject
from graders.store.answers.elections import Election
from graders.store.opinions import cells as cell_store
from graders.store.opinions import stored_verdicts
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.measuring.elect import (
    ELECTORS,
    candidates,
    count,
    elect,
    elected_references,
    holds_against_best,
    waits,
)
from graders.workflows.measuring.measure import measure
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.seen import mark_seen

#: Where a question's reference comes from.
GIVEN, ELECTED, APPOINTED, NOBODY, NONE = "given", "elected", "appointed", "nobody", "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Where a question's reference comes from.

    `kind`: ``given`` (the question brings `references` of them), ``elected``, ``appointed``,
    ``nobody`` (no answer has all its values yet, or nobody has counted), ``none`` (this question
    asks for no elected reference). `model` has it, `by` whose word, since `at`; `best` are the
    models with the best `score` `of` the highest possible one, among `candidates` of which `out`
    were disqualified.
    """

    question: str
    text: str
    category: str
    task_type: str
    references: int
    kind: str
    model: str
    by: str
    at: str
    best: Sequence[str]
    candidates: int
    out: int
    score: float | None
    of: float | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model's answer as a candidate: the electors' `values`, None where one is missing; `why` it
    is disqualified."""

    model: str
    text: str
    characters: int
    values: Sequence[float] | None
    sum: float | None
    mean: float | None
    why: str
    best: bool
    reference: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OneReference(Reference):
    """A question with the `texts` of its own references and its candidates (`rows`).

    `electors` are the criteria that elect, `measure` what decides a tie, `counted_model` who won
    the count; `stale`: values changed since. `depends`: by criterion, cells whose judges saw
    another reference.
    """

    texts: Sequence[str]
    electors: Sequence[str]
    measure: str
    counted_model: str
    stale: bool
    rows: Sequence[Candidate]
    depends: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Followed:
    """What was made anew with a reference: answers with another value by metric; by criterion, the
    cells about which judges have to be asked again."""

    measured: Mapping[str, int]
    judged: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointed(Followed):
    """What a person's word on a question's reference changed."""

    question: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed(Followed):
    """What counting anew changed; `changed` are the questions with another reference."""

    changed: Sequence[str]


@needs("look")
def shown(scope: Scope, project_name: str) -> list[Reference]:
    """Where the reference of each question comes from."""
    ws, project = scope.ws, scope.project(project_name)
    criteria = projects.criteria(ws, project)
    found = elections.elections(ws.db, project)
    names = names_of(ws)
    return [
        _row(question, criteria, found.get(row), names)
        for row, question in content.questions(ws.db, project).items()
    ]


@needs("look")
def one(scope: Scope, project_name: str, question_key: str) -> OneReference:
    """One question with every candidate for its reference.

    A person who looks has seen the marks of these answers.
    """
    ws, project = scope.ws, scope.project(project_name)
    row, question = _question(ws, project, question_key)
    criteria = projects.criteria(ws, project)
    election = elections.elections(ws.db, project, row).get(row)
    names = names_of(ws)
    group = candidates(ws, [row]).get(row, [])
    electors = [c for c in criteria if c.criterion.name in ELECTORS and c.scale.is_ordered]
    votes, out = count(ws, group, electors) if electors else ({}, {})
    numbers = election.numbers if election is not None else {}
    counted = numbers.get("values", {})
    present = {
        s.subject.answer.model: [round(v, 6) for v in votes[s.id]] for s in group if s.id in votes
    }
    mark_seen(scope, [s.id for s in group])
    won = election.counted if election is not None else None
    return OneReference(
        **as_dict(_row(question, criteria, election, names)),
        texts=list(question.references),
        electors=[c.criterion.title for c in electors],
        measure=numbers.get("measure", ""),
        counted_model=next(
            (s.subject.answer.model for s in group if won is not None and s.id == won), ""
        ),
        stale=present != counted and _elects(criteria, question),
        rows=[_candidate(s, present, out, numbers, election) for s in group],
        depends=_depends(ws, project, criteria, question, group, election),
    )


@needs("settings")
def appoint(
    scope: Scope, project_name: str, question_key: str, model: str, encoder: Any = None
) -> Appointed:
    """Make a model's present answer the reference of a question; an empty `model` gives it back to
    the numbers.

    What depends on it is made anew at once, metrics only with an `encoder`; judges are asked again,
    about cells that saw another reference alone, when they run next.
    """
    ws, project = scope.ws, scope.project(project_name)
    row, question = _question(ws, project, question_key)
    criteria = projects.criteria(ws, project)
    if not any(waits(c.criterion, question) for c in criteria):
        raise InputError(
            **error_parts(
                "results.error.not_elected",
                question=question_key,
                what=say("results.error.own_reference")
                if question.references
                else say("results.error.task_type", task=question.task_type),
            )
        )
    group = candidates(ws, [row]).get(row, [])
    chosen = next((s for s in group if s.subject.answer.model == model), None)
    if model and chosen is None:
        raise InputError(
            **error_parts(
                "results.error.no_answer_of",
                model=model,
                models=", ".join(s.subject.answer.model for s in group),
            )
        )
    old = elections.elections(ws.db, project, row).get(row)
    if (old is not None and bool(old.by)) != bool(model) or (
        old is not None and chosen is not None and old.subject_id != chosen.id
    ):
        with ws.write() as db:
            elections.put(
                db,
                ws,
                project,
                row,
                chosen.id if chosen else None,
                {},
                by=scope.actor.person_id or "lead",
            )
        projects.log_event(
            ws,
            project,
            scope.actor.person_id,
            "appoint",
            {"question": question_key, "model": model},
        )
    followed = _follow(ws, project, criteria, row, encoder)
    return Appointed(**as_dict(followed), question=question_key, model=model)


@needs("run")
def renew(
    scope: Scope, project_name: str, question_keys: Sequence[str] | None, encoder: Any
) -> Renewed:
    """Count the votes of questions (None: of all) as they stand now."""
    ws, project = scope.ws, scope.project(project_name)
    rows = (
        None if question_keys is None else [_question(ws, project, key)[0] for key in question_keys]
    )
    changed = elect(ws, project, encoder, only=rows)
    criteria = projects.criteria(ws, project)
    asked = content.questions_by_row(ws.db, changed)
    measured, judged = Counter[str](), Counter[str]()
    for row in changed:
        followed = _follow(ws, project, criteria, row, encoder)
        measured.update(followed.measured)
        judged.update(followed.judged)
    return Renewed(
        changed=[asked[row].id for row in changed], measured=dict(measured), judged=dict(judged)
    )


def _follow(
    ws: Workspace, project: Project, criteria: Sequence[CriterionRow], row: int, encoder: Any
) -> Followed:
    """Measure what is held against a question's reference, and count what was; then the answers
    about which judges have to be asked again."""
    group = candidates(ws, [row]).get(row, [])
    ids = [s.id for s in group]
    before = _measured(ws, ids)
    if encoder is not None:
        measure(ws, project, encoder, only=ids, with_rules=False)
    measured: dict[str, int] = {}
    for key, value in _measured(ws, ids).items():
        if before.get(key) != value:
            measured[key[1]] = measured.get(key[1], 0) + 1
    election = elections.elections(ws.db, project, row).get(row)
    question = content.questions_by_row(ws.db, [row])[row]
    return Followed(measured, _depends(ws, project, criteria, question, group, election))


def _measured(ws: Workspace, subjects: Sequence[int]) -> dict[tuple[int, str], Any]:
    return {
        (s, v.metric): (v.value, v.reason)
        for s, values in metric_values.metrics_of(ws.db, subjects).items()
        for v in values
    }


def _depends(
    ws: Workspace,
    project: Project,
    criteria: Sequence[CriterionRow],
    question: Question,
    group: Sequence[StoredSubject],
    election: Election | None,
) -> dict[str, int]:
    """By title of the criterion, the cells whose judges saw another reference than the present
    one."""
    late = {c.id: c for c in criteria if waits(c.criterion, question)}
    cells = [c for c in cell_store.cells_of(ws.db, [s.id for s in group]) if c.criterion_id in late]
    shown = {
        s.id: replace(
            s.subject,
            question=replace(s.subject.question, references=elected_references(s, election)),
        )
        for s in group
    }
    said = stored_verdicts.verdicts_of(ws.db, [c.id for c in cells])
    found: dict[str, int] = {}
    for cell in cells:
        criterion = late[cell.criterion_id]
        now = inputs_hash(shown[cell.subject_id], criterion.criterion)
        if any(
            v.author_kind == "judge" and v.inputs not in ("", now) for v in said.get(cell.id, ())
        ):
            found[criterion.criterion.title] = found.get(criterion.criterion.title, 0) + 1
    return found


def _elects(criteria: Sequence[CriterionRow], question: Question) -> bool:
    return any(waits(c.criterion, question) for c in criteria) or (
        question.task_type == "factual" and holds_against_best(criteria)
    )


def _question(ws: Workspace, project: Project, key: str) -> tuple[int, Question]:
    found = content.questions(ws.db, project, [key])
    if not found:
        raise NotFound(**error_parts("results.error.no_question", question=key))
    return next(iter(found.items()))


def _row(
    question: Question,
    criteria: Sequence[CriterionRow],
    election: Election | None,
    names: Mapping[str, str],
) -> Reference:
    numbers = election.numbers if election is not None else {}
    if any(waits(c.criterion, question) for c in criteria):
        kind = (
            NOBODY
            if election is None or election.subject_id is None
            else APPOINTED
            if election.by
            else ELECTED
        )
    else:
        kind = GIVEN if question.references else NONE
    held = election if election is not None and kind in (ELECTED, APPOINTED) else None
    return Reference(
        question=question.id,
        text=question.text[:300],
        category=question.category,
        task_type=question.task_type,
        references=len(question.references),
        kind=kind,
        model=held.model if held is not None else "",
        by=called(names, held.by) if held is not None else "",
        at=held.at if held is not None else "",
        best=list(numbers.get("best", ())),
        candidates=len(numbers.get("values", ())) + len(numbers.get("disqualified", ())),
        out=len(numbers.get("disqualified", ())),
        score=numbers.get("score"),
        of=numbers.get("of"),
    )


def _candidate(
    found: StoredSubject,
    values: Mapping[str, Sequence[float]],
    out: Mapping[str, str],
    numbers: Mapping[str, Any],
    election: Election | None,
) -> Candidate:
    answer = found.subject.answer
    own = values.get(answer.model)
    return Candidate(
        model=answer.model,
        text=answer.text[:400],
        characters=len(answer.text),
        values=list(own) if own is not None else None,
        sum=round(sum(own), 6) if own is not None else None,
        mean=numbers.get("means", {}).get(answer.model),
        why=out.get(answer.model, ""),
        best=answer.model in numbers.get("best", ()),
        reference=election is not None and election.subject_id == found.id,
    )
