"""One cell as the adjudicator sees it: question, answer, what people said side by side; judges only
where they were asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import CogradeError
from graders.core.records import Subject
from graders.core.scale import Scale, Value
from graders.core.shapes import as_dict
from graders.core.words import say
from graders.store import projects
from graders.store.answers import author_texts as stored_texts
from graders.store.answers import content
from graders.store.desk import adjudications, gold
from graders.store.desk.adjudications import Look
from graders.store.figures import one_answer, reading
from graders.store.opinions import stored_verdicts
from graders.store.opinions.cells import Cell
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells import told as cells_told
from graders.workflows.cells.fault_list import fault_title
from graders.workflows.cells.state import ADJUDICATED, FAULTS
from graders.workflows.cells.told import MachineVerdict
from graders.workflows.opinions.participants import Circle
from graders.workflows.results.said_of_cell import design_words
from graders.workflows.review.desk import CriterionShown, criterion_shown
from graders.workflows.review.screen_records import QuestionShown
from graders.workflows.review.screens import question_shown
from graders.workflows.scope.missing_reasons import misquote_words
from graders.workflows.scope.people_names import called, names_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonOnCard:
    """What one person said of the cell: a value (None: not applicable), the same in words, and how.

    `mine`: the reader said it; `arm` and `design` of the screen in words, empty where it was given
    on none; `seconds` None where they were not measured; `stale`: given under an earlier wording,
    so that it does not count; `counts`: the person is of the group that decides.
    """

    id: str
    name: str
    mine: bool
    value: Value | None
    word: str
    arm: str
    design: str
    seconds: float | None
    comment: str
    fault_of: str
    quotes: Sequence[str]
    stale: bool
    counts: bool
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOnCard(MachineVerdict):
    """What a judge or rule said of the cell, with its value in words."""

    word: str


@dataclass(frozen=True, slots=True)
class FinalOnCard:
    """The final value of the cell, and where it is from."""

    value: Value | None
    source: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledOnCard:
    """The adjudicated verdict on the cell: its name (`id`), value (None: not applicable), reason,
    who gave it (`by`, empty where that is not known) and when, and the value in words.

    `stale`: given under an earlier wording; `gold`: what the cell is marked for, empty for nothing.
    """

    id: str
    value: Value | None
    reason: str
    by: str
    at: str
    word: str
    stale: bool
    gold: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A cell to settle: its rows, criterion, part (also in words), question, the `texts` of its
    answer (two of a pair) and `model` (None where names are hidden), what `people` said, what is
    final and what `settled` it (None: nothing did).

    `machines`: how many judges and rules said something; `judges`: what, where that was asked for;
    `looked`: the reader asked for it once; `seen_before`: he or she saw it elsewhere; `advice`:
    there may be some.
    """

    cell: int
    subject: int
    criterion: CriterionShown
    part: str
    part_title: str
    question: QuestionShown
    texts: Sequence[str]
    model: str | None
    people: Sequence[PersonOnCard]
    final: FinalOnCard
    settled: SettledOnCard | None
    machines: int
    looked: bool
    seen_before: bool
    judges: Sequence[JudgeOnCard]
    advice: bool


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the card (an id, empty for a person without a name), and what he or she has seen of
    the cell."""

    person: str
    look: Look


def build(
    ws: Workspace,
    project: Project,
    cell: Cell,
    criterion: CriterionRow,
    circle: Circle,
    reader: Reader,
    *,
    advice: bool,
) -> Card:
    """The card. Marks of judges and rules are in it only where the reader asked for them."""
    db, look = ws.db, reader.look
    stored = content.subjects(db, [cell.subject_id])[0]
    said = stored_verdicts.verdicts_of(db, [cell.id]).get(cell.id, [])
    machines = [v for v in said if v.author_kind != "person" and v.criterion_hash == criterion.hash]
    rated = [c.id for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    texts, model = _texts(ws, project, stored)
    return Card(
        cell=cell.id,
        subject=cell.subject_id,
        criterion=criterion_shown(
            criterion, rated.index(criterion.id) if criterion.id in rated else 0
        ),
        part=cell.part,
        part_title=part_title(criterion, cell.part),
        question=question_shown(stored.subject.question),
        texts=texts,
        model=model,
        people=_people(ws, cell, criterion, circle, said, reader.person),
        final=FinalOnCard(cell.state.final, cell.state.final_source, cell.state.final_reason),
        settled=_settled(ws, cell, criterion, circle, said),
        machines=len(machines),
        looked=look.judges,
        seen_before=look.seen_before,
        judges=[_judge(v, criterion, stored.subject) for v in machines] if look.judges else [],
        advice=advice,
    )


def _settled(
    ws: Workspace,
    cell: Cell,
    criterion: CriterionRow,
    circle: Circle,
    said: Sequence[StoredVerdict],
) -> SettledOnCard | None:
    """The adjudicated verdict that stands; None for none."""
    stands = adjudications.settlements(ws.db, circle.adjudicated, [cell.id]).get(cell.id)
    if stands is None:
        return None
    wording = next(
        (v.criterion_hash for v in said if v.author == ADJUDICATED and v.author_kind == "person"),
        "",
    )
    return SettledOnCard(
        id=stands.id,
        value=stands.value,
        reason=stands.reason,
        by=called(names_of(ws), stands.by),
        at=stands.at,
        word=word(criterion.scale, stands.value),
        stale=wording != criterion.hash,
        gold=gold.uses(ws.db, [cell.id]).get(cell.id, ""),
    )


def _judge(verdict: StoredVerdict, criterion: CriterionRow, subject: Subject) -> JudgeOnCard:
    """What a judge or rule says; `note` says what is to be known of it."""
    claims = criterion.criterion.elements == "claims"
    shown = cells_told.machine(verdict, subject, claims=claims)
    notes = (misquote_words() if shown.misquotes else "", shown.note)
    shown = replace(shown, note=" ".join(note for note in notes if note))
    return JudgeOnCard(**as_dict(shown), word=word(criterion.scale, verdict.mark.value))


def part_title(criterion: CriterionRow, part: str) -> str:
    """The part of a cell in words: a fault by its title."""
    return fault_title(part) if part and criterion.criterion.rubric == FAULTS.name else part


def word(scale: Scale, value: Value | None) -> str:
    """A value in words. One that the scale no longer has, given under an earlier wording, is
    written as it was."""
    if value is None:
        return say("adjudication.not_applicable")
    try:
        return scale.word(value)
    except (CogradeError, ValueError, TypeError):
        return str(value)


def _texts(
    ws: Workspace, project: Project, stored: content.StoredSubject
) -> tuple[list[str], str | None]:
    """The answer, of a pair both, without names as at the desk; and the model's name, only where
    the project shows names."""
    names = sorted(reading.models(ws.db, project), key=len, reverse=True)
    authors = stored_texts.authors_of(ws.db, stored.question_id)
    show = bool(project.settings.get("show_models")) and not authors
    subject = stored.subject
    answers = [subject.answer, *([subject.other] if subject.other else [])]
    texts = [cells_told.masked(answer.text, show, names, authors) for answer in answers]
    return texts, " / ".join(answer.model for answer in answers) if show else None


def _people(
    ws: Workspace,
    cell: Cell,
    criterion: CriterionRow,
    circle: Circle,
    said: Sequence[StoredVerdict],
    me: str,
) -> list[PersonOnCard]:
    """What people said of the cell, without the adjudicated verdict."""
    names, comments = names_of(ws), one_answer.comments(ws.db, cell.subject_id)
    counted = {circle.people[author] for author in circle.people if circle.counts(author)}
    return [
        _person(verdict, criterion, names, comments, verdict.author in counted, me)
        for verdict in said
        if verdict.author_kind == "person" and verdict.author != ADJUDICATED
    ]


def _person(
    verdict: StoredVerdict,
    criterion: CriterionRow,
    names: Mapping[str, str],
    comments: Mapping[str, str],
    counts: bool,
    me: str,
) -> PersonOnCard:
    mark, origin, author = verdict.mark, verdict.provenance or {}, verdict.author
    return PersonOnCard(
        id=author,
        name=names.get(author, author),
        mine=author == me,
        value=mark.value,
        word=word(criterion.scale, mark.value),
        arm=origin.get("arm", ""),
        design=design_words(origin.get("design", "")),
        seconds=origin.get("seconds"),
        comment=origin.get("comment") or mark.rationale or comments.get(author, ""),
        fault_of=origin.get("fault_of", ""),
        quotes=[evidence.quote for evidence in mark.evidence if evidence.quote],
        stale=verdict.criterion_hash != criterion.hash,
        counts=counts,
        at=verdict.at,
    )
