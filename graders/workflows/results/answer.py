"""One answer with all that is known of it: for the drawer of Results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.errors import NotFound
from graders.core.money import dollars
from graders.core.records import Answer, MetricValue, Subject
from graders.core.scale import Value
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content, metric_values
from graders.store.answers.content import StoredSubject
from graders.store.figures import one_answer
from graders.store.opinions import cells as cell_store
from graders.store.opinions import lessons, stored_verdicts
from graders.store.opinions.cells import Cell
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.fault_list import fault_title, named_faults, worst_first
from graders.workflows.cells.quotes import quotable
from graders.workflows.cells.state import FAULTS
from graders.workflows.cells.told import chance_of, differs, sought
from graders.workflows.results.said_of_cell import (
    Moment,
    Quoted,
    Said,
    author_name,
    drawn,
    moment_of,
    quoted,
    said_now,
)
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.people_names import labels_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.seen import mark_seen, still_blind


@dataclass(frozen=True, slots=True)
class CellCard:
    """A cell: its final value, its route and suggestion with the reasons, what is said of it, and
    how it came about; `chance` that the suggestion is right, None without a learned judge."""

    cell: int
    criterion: str
    title: str
    hue: int
    part: str
    value: Value | None
    word: str
    source: str
    reason: str
    route: str
    route_reason: str
    suggestion: Value | None
    suggestion_word: str
    suggestion_reason: str
    verdicts: Sequence[Said]
    history: Sequence[Moment]
    chance: float | None


@dataclass(frozen=True, slots=True)
class FaultCard:
    """A named fault: confirmed, rejected or waiting, with who says so, where rule and judge differ,
    and the passage."""

    name: str
    title: str
    severity: str
    why: str
    state: str
    by: Sequence[str]
    differs: str
    rationale: str
    evidence: Sequence[Quoted]


@dataclass(frozen=True, slots=True)
class MetricCard:
    """A metric of the answer; `reference` is the place of the best reference, counted from 1, where
    there are several."""

    name: str
    value: float | None
    status: str
    reason: str
    why: str
    reference: int | None
    version: str


@dataclass(frozen=True, slots=True)
class QuestionCard:
    """The question of an answer."""

    id: str
    text: str
    category: str
    task_type: str
    language: str
    references: Sequence[str]


@dataclass(frozen=True, slots=True)
class Fact:
    """What was measured when the answer was made."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Version:
    """A version of an answer; `current`: it is the one that counts."""

    version: int
    current: bool


@dataclass(frozen=True, slots=True)
class AnswerCard:
    """One answer with all that is known of it; `shows_marks`: it holds what a machine or a
    colleague thinks."""

    question: QuestionCard
    model: str
    version: int
    text: str
    cells: Sequence[CellCard]
    faults: Sequence[FaultCard]
    metrics: Sequence[MetricCard]
    facts: Sequence[Fact]
    shows_marks: bool
    versions: Sequence[Version]


@needs("look")
def answer(
    scope: Scope, project_name: str, question_key: str, model: str, version: int | None = None
) -> AnswerCard:
    """One answer with its cells, every verdict, metric value, fact and fault, and how each cell
    came about; `version` may name an earlier text. Nothing that machines or colleagues think is
    in it while the actor may still grade the answer blind. Texts are plain: who sends them to a
    browser renders them."""
    project = scope.project(project_name)
    found = one_answer.answer_versions(scope.ws.db, project, question_key, model)
    chosen = next(
        (row for row in found if row.version == version or (version is None and row.current == 1)),
        None,
    )
    if chosen is None:
        raise NotFound(
            **error_parts(
                "results.error.no_answer",
                model=model,
                question=question_key,
                what=say("results.error.no_such_answer")
                if version is None
                else say("results.error.no_version", version=version),
            )
        )
    subject = content.subjects(scope.ws.db, [chosen.subject_id])[0]
    versions = [Version(row.version, row.current == 1) for row in found]
    card = _build(scope.ws, project, subject, versions)
    if card.shows_marks and still_blind(scope, [subject.id]):
        return without_marks(card)
    if card.shows_marks:
        mark_seen(scope, [subject.id])
    return card


def _build(
    ws: Workspace, project: Project, subject: StoredSubject, versions: Sequence[Version]
) -> AnswerCard:
    """The card of an answer of which there are these versions."""
    db = ws.db
    criteria = {c.id: c for c in projects.criteria(ws, project)}
    place = {row_id: at for at, row_id in enumerate(criteria)}
    cells = sorted(
        (c for c in cell_store.cells_of(db, [subject.id]) if c.criterion_id in criteria),
        key=lambda c: (
            place[c.criterion_id],
            criteria[c.criterion_id].criterion.place_of(c.part, subject.subject.question),
            c.id,
        ),
    )
    people = labels_of(list(projects.people(ws).values()))
    documents = {
        cell.id for cell in cells if criteria[cell.criterion_id].criterion.elements == "claims"
    }
    texts = {claims: quotable(subject.subject, claims=claims) for claims in (False, True)}
    said = {
        cell: [
            v
            if v.author_kind == "person"
            else replace(v, mark=sought(v.mark, texts[cell in documents]))
            for v in found
        ]
        for cell, found in stored_verdicts.verdicts_of(
            db, [cell.id for cell in cells], latest=False
        ).items()
    }
    latest = {
        v.id
        for found in stored_verdicts.verdicts_of(db, [cell.id for cell in cells]).values()
        for v in found
    }
    comments = one_answer.comments(db, subject.id)
    shown = [c for c in cells if criteria[c.criterion_id].criterion.rubric != FAULTS.name]
    faults = [
        c
        for c in cells
        if criteria[c.criterion_id].criterion.rubric == FAULTS.name
        and any(v.mark.value == "present" for v in said.get(c.id, []))
    ]
    faults.sort(key=lambda cell: worst_first(cell.part))
    history = [drawn(row) for row in one_answer.draws(db, subject.id)]
    question, answer = subject.subject.question, subject.subject.answer
    metrics = metric_values.metrics_of(db, [subject.id]).get(subject.id, [])
    chances = lessons.chances_of(db, [cell.id for cell in shown])
    readers = _Readers(people, comments, latest)
    return AnswerCard(
        question=QuestionCard(
            question.id,
            question.text,
            question.category,
            question.task_type,
            question.language,
            list(question.references),
        ),
        model=answer.model,
        version=answer.version,
        text=answer.text,
        cells=[
            _cell(
                cell,
                criteria[cell.criterion_id],
                place[cell.criterion_id] % 5,
                said.get(cell.id, []),
                readers,
                history,
                chances.get(cell.id),
            )
            for cell in shown
        ],
        faults=[_fault(cell, said.get(cell.id, []), latest, people) for cell in faults],
        metrics=[_metric(value, subject.subject) for value in metrics],
        facts=facts(answer),
        shows_marks=any(v.id in latest for found in said.values() for v in found) or bool(metrics),
        versions=versions,
    )


def without_marks(card: AnswerCard) -> AnswerCard:
    """The card without anything that a machine or a colleague thinks of the answer."""
    why = say("results.still_blind")
    return replace(
        card,
        cells=[
            replace(
                cell,
                value=None,
                word="",
                source="pending",
                reason=why,
                route="",
                route_reason="",
                suggestion=None,
                suggestion_word="",
                suggestion_reason="",
                verdicts=[],
                history=[],
                chance=None,
            )
            for cell in card.cells
        ],
        faults=[],
        metrics=[],
        shows_marks=False,
    )


def metric_of(names: Sequence[str], values: Sequence[MetricValue]) -> MetricValue | None:
    """The first of a criterion's metrics (`outputs_of` it) that an answer has a value of, or a
    reason why it has none."""
    by_name = {value.metric: value for value in values}
    return next((by_name[name] for name in names if name in by_name), None)


def why(source: str, final_reason: str, route_reason: str) -> str:
    """Why a cell stands as it does: who decided it, or what it waits for."""
    return final_reason or route_reason if source == "pending" else final_reason


def facts(answer: Answer) -> list[Fact]:
    """What was measured when the answer was made; what nobody measured is called unknown."""
    unknown = say("results.unknown")
    price = unknown if answer.cost is None else dollars(answer.cost, each=True)
    rows = [
        (say("results.fact.characters"), f"{len(answer.text):,}"),
        (say("results.fact.first_token"), _seconds(answer.time_to_first_token)),
        (say("results.fact.in_all"), _seconds(answer.total_seconds)),
        (say("results.fact.tokens_in"), _number(answer.input_tokens)),
        (say("results.fact.tokens_out"), _number(answer.output_tokens)),
        (say("results.fact.price"), price),
    ]
    if answer.finish_reason:
        rows.append((say("results.fact.ended_with"), answer.finish_reason))
    return [Fact(name, value) for name, value in rows]


@dataclass(frozen=True, slots=True)
class _Readers:
    """Names of people and their comments by id, and the verdicts that are in force."""

    names: Mapping[str, str]
    comments: Mapping[str, str]
    latest: set[str]


def _cell(
    cell: Cell,
    criterion: CriterionRow,
    hue: int,
    said: Sequence[StoredVerdict],
    readers: _Readers,
    draws: Sequence[Moment],
    chance: Any,
) -> CellCard:
    state, scale, people = cell.state, criterion.scale, readers.names
    return CellCard(
        cell=cell.id,
        criterion=criterion.key,
        title=criterion.criterion.title,
        hue=hue,
        part=cell.part,
        value=state.final,
        word="" if state.final is None else scale.word(state.final),
        source=state.final_source,
        reason=why(state.final_source, state.final_reason, state.route_reason),
        route=state.route,
        route_reason=state.route_reason,
        suggestion=state.suggestion,
        suggestion_word="" if state.suggestion is None else scale.word(state.suggestion),
        suggestion_reason=state.suggestion_reason,
        verdicts=[
            said_now(v, criterion, people, readers.comments) for v in said if v.id in readers.latest
        ],
        history=[*draws, *(moment_of(v, criterion, people) for v in said)],
        chance=chance_of(chance, state.suggestion, scale),
    )


def _fault(
    cell: Cell,
    said: Sequence[StoredVerdict],
    latest: set[str],
    people: Mapping[str, str],
) -> FaultCard:
    present = [v for v in said if v.id in latest and v.mark.value == "present"]
    states = {"present": say("results.fault.confirmed"), "absent": say("results.fault.rejected")}
    known = named_faults().get(cell.part)
    return FaultCard(
        name=cell.part,
        title=fault_title(cell.part),
        severity=known.severity if known else "",
        why=known.why if known else "",
        state=states.get(str(cell.state.final), say("results.fault.waiting")),
        by=[author_name(v, people) for v in present],
        differs=differs(cell, [v.author_kind for v in present]),
        rationale=next((v.mark.rationale for v in present if v.mark.rationale), ""),
        evidence=[quoted(e) for v in present for e in v.mark.evidence],
    )


def _metric(value: MetricValue, subject: Subject) -> MetricCard:
    many = value.reference is not None and len(subject.question.references) > 1
    return MetricCard(
        name=value.metric,
        value=value.value,
        status=value.status,
        reason=value.reason,
        why=reason_words(value.reason, metric=value.metric, subject=subject),
        reference=(value.reference or 0) + 1 if many else None,
        version=value.version,
    )


def _seconds(value: float | None) -> str:
    return say("results.unknown") if value is None else say("results.seconds", seconds=value)


def _number(value: int | None) -> str:
    return say("results.unknown") if value is None else f"{value:,}"
