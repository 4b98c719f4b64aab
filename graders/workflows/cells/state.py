"""Bringing cells up to date: opinions in, suggestion, route and final value out."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graders.core.derived_judges import LEARNED, is_panel
from graders.core.faults import FAULTS_RUBRIC
from graders.core.records import AGAINST_JUDGE, MISQUOTED, MetricValue
from graders.core.rubric import read_rubric
from graders.core.scale import Scale
from graders.store import projects
from graders.store.answers import metric_values
from graders.store.answers.content import chunks
from graders.store.desk import adjudications
from graders.store.figures import confidence_orders
from graders.store.figures.confidence_orders import Order
from graders.store.opinions import cells as cell_store
from graders.store.opinions import stored_verdicts, verdicts
from graders.store.opinions.cells import Cell, CellState
from graders.store.opinions.verdicts import CellVerdict, Opinion
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells._silent_cells import closes, silent_cells
from graders.workflows.cells.fault_list import named_faults
from graders.workflows.cells.measured import measured, measures
from graders.workflows.cells.outputs import outputs_of
from graders.workflows.cells.people_faults import decided_faults, voices_after
from graders.workflows.cells.policy import (
    NOT_MEASURED,
    Final,
    Suggestion,
    Voice,
    final_value,
    heard,
    suggest,
)
from graders.workflows.cells.routes import RouteSettings, RouteSigns, Ruling, is_top, route_cell

#: The annotator whose verdicts are adjudications.
ADJUDICATED = adjudications.ADJUDICATED
#: Metrics that a judge's top value is held against, first that the criterion uses.
WATCHED_METRICS = ("bertscore_f1", "embedding_cosine", "token_f1")

_NOTHING = Suggestion(None, None, "")
FAULTS = read_rubric(
    """
rubric: faults
about: Named faults, each to confirm or reject. Found by rules, judges and people.
criteria:
  fault:
    question: Does the answer have this fault?
    scale: [absent, present]
    review: people
""",
    "built-in rubric faults",
)

#: The fault of an answer in which a judge reads what a person does not see.
HIDDEN_TEXT = "hidden_text"


@dataclass(frozen=True)
class Frame:
    """What is needed to judge any cell of a project, read once. `outputs` are the metrics' values
    that each criterion has; `rulings` what evidence says by criterion and task type, `orders` those
    that it rests on, by row; of the answers `read_anyway` (subjects) people decide all; in those
    that are `hiding` text from people no judge's verdict is final."""

    project: Project
    criteria: dict[int, CriterionRow]
    settings: RouteSettings
    flagged: frozenset[int]
    lowest: dict[str, float]
    groups: dict[str, str]
    outputs: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    rulings: Mapping[tuple[int, str], Ruling] = field(default_factory=dict)
    read_anyway: frozenset[int] = frozenset()
    orders: Mapping[int, Order] = field(default_factory=dict)
    hiding: frozenset[int] = frozenset()

    @property
    def reference_group(self) -> str:
        """People of this group decide final values; empty: everybody does."""
        return str(self.project.settings.get("reference_group") or "")


def read_frame(ws: Workspace, project: Project, *, route: bool = False) -> Frame:
    """The frame of a project as it stands; flags and the lowest values of metrics are read only
    where routes are drawn."""
    db = ws.db
    watched = WATCHED_METRICS if route else ()
    lowest = {
        metric: low
        for metric in watched
        if (low := metric_values.lowest_tenth(db, project, metric)) is not None
    }
    criteria = projects.criteria(ws, project)
    settings = RouteSettings.of(project.settings)
    rulings = _rulings(ws, project, criteria) if route and settings.promises else {}
    known = {
        row: confidence_orders.by_row(db, row)
        for row in {one.order for one in rulings.values()}
        if row is not None
    }
    return Frame(
        project,
        {c.id: c for c in criteria},
        settings,
        frozenset(cell_store.flagged_subjects(db, project)) if route else frozenset(),
        lowest,
        {p.id: p.group for p in projects.people(ws).values()},
        {c.id: outputs_of(c.criterion) for c in criteria} if lowest else {},
        rulings,
        orders={row: order for row, order in known.items() if order is not None},
        hiding=frozenset(cell_store.subjects_with_fault(db, project, HIDDEN_TEXT))
        if route
        else frozenset(),
    )


def _rulings(
    ws: Workspace, project: Project, criteria: Sequence[CriterionRow]
) -> dict[tuple[int, str], Ruling]:
    """What was logged last about proofs and audits, by criterion row and task type; a criterion of
    another wording has none."""
    found = projects.events(ws, project, "rulings", limit=1)
    kinds = found[0].body["kinds"] if found else {}
    return {
        (row.id, task): Ruling(
            one["state"],
            one["reason"],
            one.get("threshold"),
            int(one.get("upto") or 0),
            one.get("order"),
        )
        for row in criteria
        for task, one in kinds.get(row.key, {}).items()
        if one["hash"] == row.hash
    }


def refresh(
    db: sqlite3.Connection, frame: Frame, cell_ids: Iterable[int], *, route: bool = False
) -> None:
    """Recompute cells in the caller's transaction. `route` also draws routes anew."""
    for batch in chunks(sorted(set(cell_ids))):
        cell_store.set_states(db, _changes(db, frame, batch, route))


def refresh_said(ws: Workspace, project: Project, frame: Frame, cell_ids: Sequence[int]) -> None:
    """Recompute cells of which people spoke, in the caller's transaction. Where that is a named
    fault, all that rests on it follows: the criteria of its answer, with their routes."""
    db, listed = ws.db, {c.id for c in frame.criteria.values() if c.criterion.rubric == FAULTS.name}
    refresh(db, frame, cell_ids)
    told = cell_store.load_cells(db, cell_ids).values()
    subjects = {cell.subject_id for cell in told if cell.criterion_id in listed}
    if not subjects:
        return
    routed = bool(project.settings.get("routed"))
    now = read_frame(ws, project, route=routed)
    if now.settings.whole:  # people have these answers in hand
        now = replace(now, read_anyway=frozenset(subjects))
    rest = [c.id for c in cell_store.cells_of(db, subjects) if c.criterion_id not in listed]
    refresh(db, now, rest, route=routed)


def outdated(db: sqlite3.Connection, frame: Frame, cell_ids: Iterable[int]) -> list[int]:
    """Those cells whose state is not what follows from the present opinions about them. Nothing is
    written."""
    return [
        change[0].id for batch in chunks(cell_ids) for change in _changes(db, frame, batch, False)
    ]


def refresh_all(
    ws: Workspace,
    project: Project,
    cell_ids: Sequence[int],
    *,
    route: bool = False,
    frame: Frame | None = None,
    tell: Callable[[int, int], None] = lambda n, total: None,
) -> None:
    """Recompute many cells in the background, giving way to people; in the `frame` that is given,
    else in the present one.

    `tell` is told (done, total).
    """
    frame = frame or read_frame(ws, project, route=route)
    ws.background(
        list(cell_ids),
        lambda db, draft: _settle(db, frame, draft),
        lambda db, ids: _draft(db, frame, ids, route=route),
        tell,
    )


def record(ws: Workspace, frame: Frame, rows: Sequence[CellVerdict]) -> None:
    """Append judges' verdicts in the background, each with what follows for its cell in the same
    transaction."""

    def prepare(
        db: sqlite3.Connection, batch: Sequence[CellVerdict]
    ) -> tuple[Sequence[CellVerdict], _Draft]:
        return batch, _draft(db, frame, [row.cell_id for row in batch], new=batch)

    def work(db: sqlite3.Connection, prepared: tuple[Sequence[CellVerdict], _Draft]) -> None:
        batch, draft = prepared
        _settle(db, frame, draft, lambda: verdicts.append(db, frame.project, batch, now=ws.now()))

    ws.background(rows, work, prepare)


@dataclass(frozen=True)
class _Draft:
    """New states of cells, worked out before the write lock is taken, and the stamps of what they
    rest on."""

    stamps: Mapping[int, tuple[Any, ...]]
    changes: Sequence[tuple[Cell, CellState, CriterionRow]]
    route: bool


def _draft(
    db: sqlite3.Connection,
    frame: Frame,
    cell_ids: Iterable[int],
    *,
    route: bool = False,
    new: Sequence[CellVerdict] = (),
) -> _Draft:
    ids = sorted(set(cell_ids))
    stamps = cell_store.stamps(db, ids)  # first: what changes from here on shows in them
    changes = [change for batch in chunks(ids) for change in _changes(db, frame, batch, route, new)]
    return _Draft(stamps, changes, route)


def _settle(
    db: sqlite3.Connection, frame: Frame, draft: _Draft, write: Callable[[], object] = lambda: None
) -> None:
    """Do `write`, then set the cells of a draft; those that somebody changed meanwhile are worked
    out anew."""
    now = cell_store.stamps(db, draft.stamps)
    late = {cell for cell, stamp in draft.stamps.items() if now.get(cell) != stamp}
    write()
    cell_store.set_states(db, [change for change in draft.changes if change[0].id not in late])
    refresh(db, frame, late, route=draft.route)


def _changes(
    db: sqlite3.Connection,
    frame: Frame,
    batch: Sequence[int],
    route: bool,
    new: Sequence[CellVerdict] = (),
) -> list[tuple[Cell, CellState, CriterionRow]]:
    """Cells of one batch whose state is to change, as if the verdicts `new` were there."""
    cells = cell_store.load_cells(db, batch)
    opinions = verdicts.opinions_of(db, cells)
    tasks = cell_store.task_types(db, {cell.question_id for cell in cells.values()})
    values = (
        metric_values.metrics_of(db, {cell.subject_id for cell in cells.values()}) if route else {}
    )
    confidences, silent = _confidences(db, opinions), silent_cells(db, frame.criteria, opinions)
    faults = decided_faults(
        db,
        frame.criteria,
        {cell.subject_id for cell in cells.values()},
        lambda scale, people: _of_people(scale, people, frame).value,
    )
    for place, row in enumerate((row for row in new if row.cell_id in cells), 1):
        said = verdicts.as_opinion(row, -place)
        others = [
            o
            for o in opinions.get(row.cell_id, [])
            if (o.author_kind, o.author) != (said.author_kind, said.author)
        ]
        opinions[row.cell_id] = sorted([*others, said], key=lambda o: (o.author_kind, o.author))
        if row.verdict.mark.confidence is not None:
            confidences[-place] = row.verdict.mark.confidence
    changes = []
    for cell in cells.values():
        criterion = frame.criteria.get(cell.criterion_id)
        if criterion is None:
            continue
        known = _Known(
            opinions.get(cell.id, []),
            values.get(cell.subject_id, []),
            confidences,
            silent.get(cell.id, ""),
            faults.get(cell.subject_id, {}),
        )
        state = _state(cell, criterion, known, frame, tasks[cell.question_id], route)
        if state != cell.state:
            changes.append((cell, state, criterion))
    return changes


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a cell: its opinions, the metrics of its answer, confidences by verdict
    row, why rules leave it without a value (`silent`), and the faults of its answer that people
    decided."""

    opinions: Sequence[Opinion]
    metrics: Sequence[MetricValue]
    confidences: Mapping[int, float]
    silent: str
    faults: Mapping[str, bool]


def _state(
    cell: Cell,
    criterion: CriterionRow,
    known: _Known,
    frame: Frame,
    task_type: str,
    route: bool,
) -> CellState:
    """The state that follows for a cell; with `route` who decides it is found anew."""
    scale = criterion.scale
    fresh = [o for o in known.opinions if o.criterion_hash == criterion.hash]
    rules = [_rule_voice(o, known) for o in fresh if o.author_kind == "rule"]
    listed = criterion.criterion.rubric == FAULTS_RUBRIC
    if not listed:
        rules = voices_after(rules, known.faults, criterion.criterion, cell.part)
    judges = [
        Voice(o.author, o.value, known.confidences.get(o.verdict_id), misquoted=o.misquoted)
        for o in fresh
        if o.author_kind == "judge"
    ]
    people = [o for o in fresh if o.author_kind == "person"]
    panel = frame.project.settings.get("panel") or {}
    asked = heard(judges, str(panel.get("author") or ""), panel.get("members") or ())
    suggestion = (
        _of_fault(scale, rules, asked, cell.part) if listed else suggest(scale, rules, asked)
    )
    chosen, reason = cell.state.route, cell.state.route_reason
    if listed:
        clean = suggestion.value == scale.values[0]  # nothing is left to confirm or reject
        chosen, reason = (
            ("automatic", "no fault found")
            if clean
            else ("people", suggestion.doubt or "a fault was found")
        )
    elif route:
        ruling = frame.rulings.get((criterion.id, task_type))
        order = (
            frame.orders.get(ruling.order)
            if ruling is not None and ruling.order is not None
            else None
        )
        decided = route_cell(
            criterion.criterion,
            task_type,
            suggestion,
            RouteSigns(
                judged=sum(
                    j.value is not None and not is_panel(j.author) and j.author != LEARNED
                    for j in judges
                ),
                flagged=cell.subject_id in frame.flagged,
                metric_low=_metric_low(criterion, suggestion, known.metrics, frame),
                ruling=ruling if ruling and ruling.speaks_of(cell.subject_id) else None,
                placed=None if order is None else order.sure_of(cell.id),
            ),
            frame.settings,
        )
        chosen, reason = decided.route, decided.reason
        if (
            chosen == "automatic"
            and cell.subject_id in frame.read_anyway
            and suggestion.value is not None
            and not measured(criterion.criterion)
        ):
            chosen, reason = "people", "the answer is read anyway"
        if (
            chosen == "automatic"
            and cell.subject_id in frame.hiding
            and any(judge.value is not None for judge in judges)
        ):
            chosen, reason = "people", "hidden text"
    if chosen == "automatic" and suggestion.misquoted:  # said since routes were drawn
        chosen, reason = "people", MISQUOTED
    elif chosen == "automatic" and suggestion.doubt and not listed:
        chosen, reason = "people", suggestion.doubt
    final = _of_people(scale, people, frame, suggestion, chosen)
    return CellState(
        suggestion.value,
        suggestion.confidence,
        suggestion.reason,
        chosen,
        reason,
        final.value,
        final.source,
        final.reason,
        final.source == "pending",
    )


def _rule_voice(said: Opinion, known: _Known) -> Voice:
    """What a rule says of a cell; why it leaves it without a value only where it does."""
    confidence = known.confidences.get(said.verdict_id)
    silent = said.status == "unscored" and known.silent in (NOT_MEASURED, closes(said.author))
    own = measures(said.author, confidence)
    return Voice(said.author, said.value, confidence, known.silent if silent else "", measured=own)


def _of_fault(
    scale: Scale, rules: Sequence[Voice], judges: Sequence[Voice], name: str
) -> Suggestion:
    """The suggestion for a named fault: it is there where a rule finds it, whatever a judge says,
    since people decide what was found. In doubt where only one of the two finds what a rule looks
    for."""
    absent, present = scale.values[0], scale.values[-1]
    said, found = suggest(scale, [], judges), [rule for rule in rules if rule.value == present]
    if found:
        doubt = AGAINST_JUDGE if said.value == absent else ""
        return Suggestion(present, found[0].confidence, f"rule {found[0].author}", doubt=doubt)
    known = named_faults().get(name)
    if said.value == present and known is not None and known.by == "rule":
        return replace(said, doubt=AGAINST_JUDGE)
    missed = rules[0] if rules and said.value is None else None
    return said if missed is None else Suggestion(absent, None, f"rule {missed.author}")


def _of_people(
    scale: Scale,
    people: Sequence[Opinion],
    frame: Frame,
    suggestion: Suggestion = _NOTHING,
    route: str = "",
) -> Final:
    """The final value by what people say, else by the suggestion and its route."""
    return final_value(scale, _adjudicated(people), _voices(people, frame), suggestion, route)


def _voices(people: Sequence[Opinion], frame: Frame) -> list[Voice]:
    """People whose verdicts make the final value: the reference group's, where the project names
    one."""
    voices = [o for o in people if o.author != ADJUDICATED]
    if frame.reference_group:
        voices = [o for o in voices if frame.groups.get(o.author) == frame.reference_group]
    return [
        Voice(o.author, o.value, reason="not_applicable" if o.status == "unscored" else "")
        for o in voices
    ]


def _adjudicated(people: Sequence[Opinion]) -> Voice | None:
    found = [o for o in people if o.author == ADJUDICATED]
    return (
        Voice(
            ADJUDICATED,
            found[-1].value,
            reason="not_applicable" if found[-1].status == "unscored" else "",
        )
        if found
        else None
    )


def _metric_low(
    criterion: CriterionRow, suggestion: Suggestion, metrics: Sequence[MetricValue], frame: Frame
) -> str:
    """The first watched metric of this criterion that lies in the lowest tenth while the suggestion
    is the top value."""
    if not is_top(criterion.scale, suggestion.value):
        return ""
    values = {value.metric: value.value for value in metrics}
    for name in frame.outputs.get(criterion.id, ()):
        value, low = values.get(name), frame.lowest.get(name)
        if value is not None and low is not None and value <= low:
            return name
    return ""


def _confidences(db: sqlite3.Connection, opinions: dict[int, list[Opinion]]) -> dict[int, float]:
    """Stated confidences by verdict row, of judges and of rules with a value."""
    ids = [
        o.verdict_id
        for found in opinions.values()
        for o in found
        if o.author_kind == "judge" or (o.author_kind == "rule" and o.value is not None)
    ]
    return stored_verdicts.confidences(db, ids)
