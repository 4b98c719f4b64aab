"""A person's own verdicts under filters, to be found again and reopened on the desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.words import say
from graders.store import projects
from graders.store.answers import author_texts as stored_texts
from graders.store.desk import adjudications, own_screens, own_verdicts, seeded
from graders.store.desk.own_verdicts import OwnFilters, OwnVerdict, Skipped
from graders.store.figures import reading
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells import told as cells_told
from graders.workflows.opinions.participants import circle_of
from graders.workflows.review import my_work
from graders.workflows.review.my_work import SHOWN, Pace, SettledOtherwise
from graders.workflows.scope.permissions import Scope, named_actor, needs

#: Verdicts on a page.
ROWS = 50


@dataclass(frozen=True, slots=True)
class OwnRow:
    """One of a person's verdicts in words. `model` is empty where annotators are not told whose
    answers they grade; `screen` None where there is none to reopen."""

    screen: int | None
    question: str
    category: str
    model: str
    answer: str
    criterion: str
    word: str
    at: str
    changed: bool
    adjudicated: SettledOtherwise | None


@dataclass(frozen=True, slots=True)
class OwnWork:
    """A page of a person's verdicts out of `count`, what can be chosen of them as (words, value),
    the screens that were skipped, and today's pace."""

    today: Pace
    count: int
    page: int
    pages: int
    rows: Sequence[OwnRow]
    skipped: Sequence[Skipped]
    criteria: Sequence[tuple[str, str]]
    models: Sequence[str]
    categories: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Hidden:
    """Whether models are told, their names, and the authors whose own texts are among the answers
    to a question: beside these no name is shown."""

    told: bool
    models: Sequence[str]
    authors: Mapping[int, Sequence[str]]


@needs("review")
def own_work(scope: Scope, project_name: str, wanted: OwnFilters, page: int = 1) -> OwnWork:
    """The actor's own verdicts, the latest first."""
    project, person = scope.project(project_name), named_actor(scope)
    db = scope.ws.db
    told = bool(project.settings.get("show_models"))
    # a filter by model, or a search in answers, would tell whose they are
    wanted = replace(wanted, model=wanted.model if told else "", in_answers=told)
    homes = _homes(scope, project, person)
    by_id = {c.id: c for home in homes for c in projects.criteria(scope.ws, home)}
    count = own_verdicts.count(db, homes, person, wanted)
    pages = max(1, -(-count // ROWS))
    page = min(max(1, page), pages)
    found = own_verdicts.verdicts(db, homes, person, wanted, ROWS, (page - 1) * ROWS)
    cells = [one.cell_id for one in found]
    settled = adjudications.settlements(db, circle_of(scope, project).adjudicated, cells)
    why = {cell: settlement.reason for cell, settlement in settled.items()}
    keys, models, categories = own_verdicts.kinds(db, homes, person)
    titles = {c.key: c.criterion.title for c in by_id.values()}
    known = reading.models(db, project)
    hidden = _Hidden(
        told,
        sorted(known, key=len, reverse=True),
        {one.question_id: stored_texts.authors_of(db, one.question_id) for one in found},
    )
    return OwnWork(
        today=my_work.my_work(scope, project_name).today,
        count=count,
        page=page,
        pages=pages,
        rows=[
            _row(one, by_id[one.criterion_id], why.get(one.cell_id, ""), hidden)
            for one in found
            if one.criterion_id in by_id
        ],
        skipped=own_verdicts.skipped(db, project, person),
        criteria=[(titles[key], key) for key in keys if key in titles],
        models=[one for one in models if told and one in known],
        categories=categories,
    )


def _homes(scope: Scope, project: Project, person: str) -> list[Project]:
    """The project, and the one of copies that the person was shown among its answers: the gaps
    would tell of them."""
    homes = [project]
    if own_screens.had(scope.ws.db, project, person, seeded.CONTROL):
        homes += filter(None, [seeded.project_of_copies(scope.ws.db, project)])
    return homes


def _row(one: OwnVerdict, criterion: CriterionRow, why: str, hidden: _Hidden) -> OwnRow:
    authors = hidden.authors[one.question_id]
    told = hidden.told and not authors
    settled = None
    if one.final_source == "adjudicated" and one.final != one.value:
        settled = SettledOtherwise(one.final, why or one.final_reason)
    return OwnRow(
        screen=one.screen_id,
        question=one.question,
        category=one.category,
        model=one.model if told else "",
        answer=cells_told.masked(one.answer, told, hidden.models, authors)[:SHOWN],
        criterion=criterion.criterion.title,
        word=say("review.not_applicable") if one.value is None else criterion.scale.word(one.value),
        at=one.created_at,
        changed=bool(one.changed),
        adjudicated=settled,
    )
