"""Routing: what is proven of the machine, what people must read at each risk, and what hours of
theirs will show."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from graders.core.errors import InputError
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.statistics.arrays import mean_of
from graders.store.figures import risk as store
from graders.store.figures.results import criterion_cells
from graders.store.projects import Project
from graders.workflows.cells.routes import RouteSettings
from graders.workflows.opinions.participants import aside_words, circle_of, watermark
from graders.workflows.promise import effort as promise_effort
from graders.workflows.promise import proofs
from graders.workflows.promise.effort import Effort, Point, cost_of
from graders.workflows.promise.kept_halves import KeptHalf, kept_halves
from graders.workflows.promise.kind_rows import AuditShown, RoutedKind, TermsShown
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.placed_draws import may_place
from graders.workflows.promise.promise_tests import ALPHA, DELTA, LEAST, MOST, Try, tries_of
from graders.workflows.promise.risk import (
    criteria_tested,
    reference_people,
    row_of,
    stakes,
    terms_in_force,
    title,
    unsorted,
)
from graders.workflows.promise.rulings import LOOK, alarm_of, objection, streams_of
from graders.workflows.promise.savings import Saving, savings
from graders.workflows.promise.words import audit_sentence, sentence
from graders.workflows.routing import review_order, terms
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.project_head import ProjectHead
from graders.workflows.scope.units import Unit, unit_of

#: Criteria whose cells are kept in memory.
KEPT = 64
#: With more cells than this to read, a page is told so before they are read.
MANY_CELLS = 200_000

_kept = Memory(KEPT)
_parts = Memory(KEPT)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Read:
    """How many criteria are read, of how many."""

    done: int
    of: int


@dataclass(frozen=True, slots=True)
class StillReading:
    """What the page shows while much is being read."""

    project: ProjectHead
    progress: Read


@dataclass(frozen=True, slots=True)
class Seconds:
    """What reading an answer and grading a cell takes, in seconds, and the timed `screens` that
    this rests on."""

    per_answer: float
    per_cell: float
    screens: int


@dataclass(frozen=True, slots=True)
class Totals:
    """All that the effort is about."""

    answers: int
    cells: int


@dataclass(frozen=True, slots=True)
class PromiseSettings:
    """`promises`: what is proven decides; `whole`: an answer that people read is graded whole."""

    promises: bool
    whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """The page: a finding (`title`), the `terms` in force (None where none were logged), a row per
    kind of cells, and what people read at each risk (`curve`) with what that rests on (`basis`) and
    its point at `alpha` as a `sentence`; what the proofs save people by task type (`savings`).

    `effort`: None where no screens were timed; `people`: how often two people agree on what was
    tested, None where nobody knows; `whole`, `delta`: those that the curve was drawn with; `free`:
    answers that can still be drawn, by task type; `stake`: what a draw puts at stake, by task type
    and ``all``, under the ``same`` and ``other`` terms; `order`: in which screens come; `trade`:
    what placed labels say nothing about; `kept`: imported labels that wait for their test.
    """

    project: ProjectHead
    title: str
    unit: Unit
    terms: TermsShown | None
    rows: Sequence[RoutedKind]
    effort: Seconds | None
    totals: Totals
    people: float | None
    whole: bool
    settings: PromiseSettings
    delta: float
    alpha: float
    curve: Sequence[Point]
    basis: str
    sentence: str
    free: Mapping[str, int]
    stake: Mapping[str, Mapping[str, str]]
    order: review_order.OrderInForce
    trade: str
    kept: Sequence[KeptHalf]
    savings: Sequence[Saving]


@needs("look")
def routing(
    scope: Scope, project_name: str, *, delta: float | None = None, whole: bool | None = None
) -> Routing:
    """All that the page shows.

    `delta`: try another one than the logged one; `whole`: an answer that is read is graded whole
    (None: as the project says).
    """
    found = routing_so_far(scope, project_name, delta=delta, whole=whole)
    assert isinstance(found, Routing), "without an end of patience all is read"
    return found


@needs("look")
def routing_so_far(
    scope: Scope,
    project_name: str,
    *,
    delta: float | None = None,
    whole: bool | None = None,
    patience: float | None = None,
    begun: bool = True,
) -> Routing | StillReading:
    """What `routing` does, or how far reading is after so many seconds of `patience`: asked again,
    it goes on. `begun` False tells of much to read before reading it."""
    project = scope.project(project_name)
    if delta is not None and not LEAST <= delta <= MOST:
        raise InputError(**error_parts("routing.delta", delta=delta, least=LEAST, most=MOST))
    head = ProjectHead.of(project)
    started = time.monotonic()
    tries = _known(scope, project, "tries", lambda: tries_of(scope.ws, project))
    found = _kinds(scope, project, tries, patience, begun)
    if isinstance(found, Read):
        return StillReading(head, found)
    kinds, many = found, len(criteria_tested(scope, project))
    for name, read in (
        ("free", lambda: terms.free_answers(scope, project)),
        ("audits", lambda: _audit_rows(scope, project, kinds)),
    ):
        fresh = not _is_known(scope, project, name)
        _known(scope, project, name, read)
        if fresh and patience is not None and time.monotonic() - started > patience:
            # what is read is kept: asked again, it goes on
            return StillReading(head, Read(many, many))
    settings = RouteSettings.of(project.settings)
    whole = settings.whole if whole is None else whole
    audits = _known(scope, project, "audits", lambda: _audit_rows(scope, project, kinds))
    free = _known(scope, project, "free", lambda: terms.free_answers(scope, project))
    lacking = _known(scope, project, "unsorted", lambda: unsorted(scope.ws, project, kinds))
    rows = [
        _row(kind, audit, lacking, may_place(scope, project, kind.criterion))
        for kind, audit in zip(found, audits, strict=True)
    ]
    effort, cost, unit = (
        Effort.of(found),
        cost_of(scope, project),
        unit_of(c.scale for c in criteria_tested(scope, project)),
    )
    logged = terms_in_force(scope, project, tries)
    alpha, sure = (logged.alpha, logged.delta) if logged else (ALPHA, DELTA)
    points = _known(
        scope,
        project,
        f"curve {delta} {whole} {cost}",
        lambda: promise_effort.curve(effort, delta, cost, whole=whole),
    )
    people = _people(found)
    chosen = min(points, key=lambda point: abs(point.alpha - alpha))
    return Routing(
        project=head,
        title=title(rows, unit),
        unit=unit,
        terms=logged,
        rows=rows,
        effort=None if cost is None else Seconds(*cost),
        totals=Totals(effort.answers, len(effort.subject)),
        people=people,
        whole=whole,
        settings=PromiseSettings(settings.promises, settings.whole),
        delta=sure if delta is None else delta,
        alpha=alpha,
        curve=points,
        basis=basis(found) + aside_words(circle_of(scope, project), counted=True),
        sentence=promise_effort.sentence(
            chosen,
            effort,
            sure if delta is None else delta,
            people,
            logged.within if logged else 0,
            unit,
        ),
        free=free,
        stake=stakes(found, terms.ended(scope, project, found), free),
        order=review_order.order_in_force(scope, project_name),
        trade=say("routing.trade"),
        kept=kept_halves(scope, project, found, tries),
        savings=_known(scope, project, "savings", lambda: savings(scope, project, kinds)),
    )


def _row(
    kind: Kind, audit: AuditShown, lacking: Mapping[tuple[int, str], bool], placeable: bool
) -> RoutedKind:
    row = row_of(kind, lacking)
    told = replace(audit, sentence=audit_sentence(row, audit))
    return RoutedKind(**as_dict(row), audit=told, placeable=placeable)


def _audit_rows(scope: Scope, project: Project, kinds: Sequence[Kind]) -> list[AuditShown]:
    """Per kind what audits found, when the alarm would ring, and whether it did."""
    rows = []
    for kind, stream in zip(kinds, streams_of(scope, project, kinds), strict=True):
        alarm, between = alarm_of(scope, project, kind), stream.interval
        audits, errors = len(stream.error), sum(stream.error)
        against = objection(kind)
        rows.append(
            AuditShown(
                audits=audits,
                errors=errors,
                low=None if between is None else between[0],
                high=None if between is None else between[1],
                alpha=kind.tried.alpha,
                next=(audits // LOOK + 1) * LOOK,
                rings=stream.next_errors,
                alarm=""
                if alarm is None
                else say("routing.alarm", rate=alarm.rate, audits=alarm.audits),
                objection=sentence(against) if against else "",
            )
        )
    return rows


def basis(kinds: Sequence[Kind]) -> str:
    """What the curve rests on, in words."""
    tested = sum(kind.selection is not None for kind in kinds)
    if not tested:
        made_from = [
            {"stated": True} if kind.order is None else kind.order.made_from for kind in kinds
        ]
        ways = {
            None if body.get("stated") else bool(body.get("learned")) for body in made_from
        } or {None}
        names = {None: "stated", False: "voices", True: "learned"}
        words = [say(f"routing.basis.{name}") for way, name in names.items() if way in ways]
        return say("routing.basis.forecast", what=say("routing.basis.or").join(words))
    if rest := len(kinds) - tested:
        return say("routing.basis.explored_some", rest=rest, kinds=len(kinds))
    return say("routing.basis.explored")


def _people(kinds: Sequence[Kind]) -> float | None:
    """How far two people agree on the cells that were tested, over all kinds where two people
    labelled some."""
    found = [kind.people for kind in kinds if kind.people is not None]
    return mean_of(found) if found else None


def kinds_kept(scope: Scope, project: Project, tries: Mapping[str, Try]) -> list[Kind]:
    """The kinds of all criteria, from memory where nothing changed."""
    kinds = _kinds(scope, project, tries, None, True)
    assert not isinstance(kinds, Read), "without an end of patience all is read"
    return kinds


def _kinds(
    scope: Scope, project: Project, tries: Mapping[str, Try], patience: float | None, begun: bool
) -> list[Kind] | Read:
    """The kinds of all criteria, from memory where nothing changed; or how far reading is when
    patience ends."""
    base = (str(scope.ws.path.resolve()), project.id)
    mark = _mark(scope, project)
    criteria, people, started = (
        criteria_tested(scope, project),
        reference_people(scope, project),
        time.monotonic(),
    )
    missing = [c for c in criteria if _kept.peek((*base, c.id), mark) is None]
    if (
        patience is not None
        and not begun
        and sum(criterion_cells(scope.ws.db, project, c.id) for c in missing) > MANY_CELLS
    ):
        return Read(len(criteria) - len(missing), len(criteria))
    for read, criterion in enumerate(missing):
        if patience is not None and read and time.monotonic() - started > patience:
            return Read(len(criteria) - len(missing) + read, len(criteria))
        _kept.keep(
            (*base, criterion.id), mark, proofs.kinds(scope.ws, project, criterion, tries, people)
        )
    found: list[Kind] = []
    for criterion in criteria:
        found += _kept.peek((*base, criterion.id), mark) or proofs.kinds(
            scope.ws, project, criterion, tries, people
        )
    return found


def _mark(scope: Scope, project: Project) -> Hashable:
    """Changes whenever what the page rests on does: verdicts, imports, rubrics, settings, people,
    and what is logged (terms, draws)."""
    return (watermark(scope, project), store.latest_event(scope.ws.db, project))


def _is_known(scope: Scope, project: Project, name: str) -> bool:
    """Whether a further part of the page is in memory and nothing changed since."""
    return (
        _parts.peek((str(scope.ws.path.resolve()), project.id, name), _mark(scope, project))
        is not None
    )


def _known(scope: Scope, project: Project, name: str, read: Callable[[], T]) -> T:
    """A further part of the page, read anew where something changed."""
    return _parts.get((str(scope.ws.path.resolve()), project.id, name), _mark(scope, project), read)


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()
    _parts.forget()
