"""A table of answers: found by what judges and people said of them, sorted, a page at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import InputError, NotFound
from graders.core.scale import Scale
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers.content import chunks
from graders.store.figures import answer_list as store
from graders.store.figures.answer_list import Having, ListedAnswer, ListedCell, Order, Wanted
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.criteria import criterion_named
from graders.workflows.cells.derived_judges import is_derived
from graders.workflows.cells.fault_list import fault_title
from graders.workflows.cells.routes import RouteSettings
from graders.workflows.cells.state import FAULTS
from graders.workflows.opinions.narrowing import Choice, choices
from graders.workflows.opinions.participants import Circle, circle_of, watermark
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.paging import ANSWERS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.seen import mark_seen, still_blind

#: What narrows the list down, beside what its answers have.
FILTERS = ("model", "category", "task_type", "language", "criterion", "annotator")
#: Characters of a text that a row shows, and that a saved row has.
SHOWN, SAVED = 300, 30_000
#: Lists that are kept in memory.
KEPT = 16

_kept = Memory(KEPT)


@dataclass(frozen=True, slots=True)
class Said:
    """Why an answer is listed: a criterion with its part, and what was said there."""

    criterion: str
    part: str
    words: str


@dataclass(frozen=True, slots=True)
class Row:
    """An answer of the list; `hidden` says why nothing is told of it, empty where it is."""

    answer: ListedAnswer
    said: Sequence[Said]
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class AnswerList:
    """A page of answers; `total` of all pages. `choices`: what there is to filter by."""

    having: Having
    total: int
    rows: Sequence[Row]
    page: int
    pages: int
    choices: Mapping[str, Sequence[Choice]]


@dataclass(frozen=True, slots=True)
class _List:
    """What a list is made from."""

    scope: Scope
    project: Project
    circle: Circle
    judges: Mapping[int, str]
    criteria: Mapping[int, CriterionRow]
    wanted: Wanted

    @property
    def told(self) -> list[int]:
        """Whose words stand in a row."""
        judges = list(self.judges)
        differs = self.wanted.having == Having.PERSON_DIFFERS
        return [*judges, *self.wanted.people] if differs else judges


@needs("look")
def answer_list(
    scope: Scope,
    project_name: str,
    having: str = Having.ANY,
    filters: Mapping[str, str] | None = None,
    order: str = Order.QUESTION,
    page: int = 1,
) -> AnswerList:
    """One page of the answers that have something (`Having`), narrowed down by `filters` (FILTERS),
    in an order (`Order`).

    Whoever is shown values has seen the marks of these answers: blind screens with them go to
    others. Of answers that the actor may still grade blind nothing is told.
    """
    made = _list(scope, project_name, having, filters or {})
    ids = _subjects(made, order)
    at, pages, shown = page_of(ids, page, ANSWERS_A_PAGE)
    rows = list(_rows(made, shown, SHOWN))
    return AnswerList(made.wanted.having, len(ids), rows, at, pages, _choices(made))


@needs("export")
def all_rows(
    scope: Scope, project_name: str, having: str, filters: Mapping[str, str], order: str
) -> Iterator[list[str]]:
    """The whole list as rows of texts, the names of the columns first."""
    made = _list(scope, project_name, having, filters)
    ids = _subjects(made, order)
    names = ("question_id", "model", "version", "category", "task_type", "language")
    yield [*names, "question", "answer", "found"]
    for some in chunks(ids, ANSWERS_A_PAGE):
        for row in _rows(made, some, SAVED):
            one = row.answer
            found = [
                " ".join(filter(None, (s.criterion, s.part))) + f": {s.words}" for s in row.said
            ]
            plain = [str(getattr(one, name)) for name in names]
            yield [*plain, one.question, one.answer, row.hidden or "; ".join(found)]


def _list(scope: Scope, project_name: str, having: str, filters: Mapping[str, str]) -> _List:
    project = scope.project(project_name)
    circle = circle_of(scope, project)
    judges = {row: name for row, name in circle.judges.items() if not is_derived(name)}
    key = filters.get("criterion", "")
    wanted = Wanted(
        Having(_known(having or Having.ANY, Having, "having")),
        **{name: filters.get(name, "") for name in ("model", "category", "task_type", "language")},
        criterion=criterion_named(scope, project, key).id if key else 0,
        annotator=_annotator(circle, filters.get("annotator", "")),
        low=RouteSettings.of(project.settings).low_confidence,
        judges=tuple(judges),
        people=tuple(circle.people),
    )
    criteria = {row.id: row for row in projects.criteria(scope.ws, project)}
    return _List(scope, project, circle, judges, criteria, wanted)


def _known(given: str, known: Iterable[str], name: str) -> str:
    names = list(known)
    if given not in names:
        places = {"name": name, "found": repr(given)[:60], "names": ", ".join(names)}
        raise InputError(**error_parts("results.list.unknown", **places))
    return given


def _annotator(circle: Circle, name: str) -> int:
    if not name:
        return 0
    for row, one in circle.people.items():
        if one == name:
            return row
    raise NotFound(**error_parts("results.list.no_annotator", name=repr(name)[:60]))


def _subjects(made: _List, order: str) -> list[int]:
    """The answers of the list. Of those that the actor may still grade blind it says nothing, so
    they are in the list of all alone."""
    scope, project = made.scope, made.project
    by = Order(_known(order or Order.QUESTION, Order, "order"))
    key = (str(scope.ws.path.resolve()), project.id, made.wanted, by)
    ids = _kept.get(
        key,
        watermark(scope, project),
        lambda: store.subjects(scope.ws.db, project, made.wanted, by),
    )
    if made.wanted.having == Having.ANY and not made.wanted.annotator:
        return ids
    hidden = still_blind(scope, ids)
    return [one for one in ids if one not in hidden] if hidden else ids


def _rows(made: _List, ids: Sequence[int], length: int) -> Iterator[Row]:
    db = made.scope.ws.db
    answers = store.answers(db, ids, length)
    hidden = still_blind(made.scope, ids)
    shown = [one for one in ids if one not in hidden]
    by_answer: dict[int, list[ListedCell]] = {}
    for cell in store.cells(db, made.project, made.wanted, shown):
        by_answer.setdefault(cell.subject_id, []).append(cell)
    mark_seen(made.scope, [one for one in shown if _marked(made, by_answer.get(one, ()))])
    said: dict[int, list[tuple[int, str | None, str]]] = {}
    if made.wanted.having in (Having.JUDGES_DIFFER, Having.PERSON_DIFFERS, Having.UNSCORED):
        cells = [cell.cell_id for some in by_answer.values() for cell in some]
        for some in chunks(cells):
            said |= store.said(db, made.told, some)
    for one in ids:
        row = Row(answers[one], [])
        if one in hidden:
            yield replace(row, hidden=say("results.still_blind"))
            continue
        found = by_answer.get(one, ())
        yield replace(row, said=[_said(made, cell, said.get(cell.cell_id, ())) for cell in found])


def _marked(made: _List, cells: Sequence[ListedCell]) -> bool:
    """Whether a row tells what machines or colleagues think: that an answer waits is no mark."""
    if made.wanted.having in (Having.ANY, Having.PENDING, Having.UNSCORED):
        return any(cell.final is not None for cell in cells)
    return bool(cells)


def _said(made: _List, cell: ListedCell, opinions: Sequence[tuple[int, str | None, str]]) -> Said:
    """What a row says of a cell."""
    row = made.criteria[cell.criterion_id]
    scale, title = row.scale, row.criterion.title
    match made.wanted.having:
        case Having.JUDGES_DIFFER | Having.PERSON_DIFFERS:
            by_value: dict[str, list[str]] = {}
            for author, value, _ in sorted(opinions, key=lambda one: one[0] in made.circle.people):
                if value is not None:
                    by_value.setdefault(_word(scale, value), []).append(made.circle.label(author))
            told = [f"{', '.join(names)}: {word}" for word, names in by_value.items()]
            return Said(title, cell.part, "; ".join(told))
        case Having.UNSCORED:
            told = [
                f"{made.circle.label(author)}: {reason_words(reason)}"
                for author, value, reason in opinions
                if value is None and reason != "not_applicable"
            ]
            return Said(title, cell.part, "; ".join(told))
        case Having.FAULTS:
            state = "waiting" if cell.final is None else "confirmed"
            return Said(fault_title(cell.part), "", say(f"results.fault.{state}"))
        case Having.UNSURE:
            sure = say("results.list.sure", share=100 * (cell.confidence or 0))
            return Said(title, cell.part, f"{_word(scale, cell.suggestion)}, {sure}")
        case _:
            if cell.final is not None:
                return Said(title, cell.part, _word(scale, cell.final))
            return Said(title, cell.part, say(f"results.state.{cell.source}"))


def _word(scale: Scale, value: str | None) -> str:
    return "" if value is None else scale.word(json.loads(value))


def _choices(made: _List) -> dict[str, Sequence[Choice]]:
    """What there is to filter by, by filter."""
    criteria = [
        Choice(row.key, row.criterion.title)
        for row in made.criteria.values()
        if row.criterion.rubric != FAULTS.name
    ]
    known = [name for name in FILTERS if name != "criterion"]
    return {**choices(made.scope, made.project, known), "criterion": criteria}
