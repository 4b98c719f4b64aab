"""Cells: one row per subject, criterion and part with its present state, and the tallies that pages
show.

A cell's state and its tally change in the transaction of the verdict that caused it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.scale import Value
from graders.store.answers.content import DONE, chunks, marks
from graders.store.opinions.tallies import add_sums
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import dumps


@dataclass(frozen=True, slots=True)
class CellState:
    """The present state of a cell. `final_source`: adjudicated, people, automatic, closed (not
    applicable) or pending."""

    suggestion: Value | None = None
    confidence: float | None = None
    suggestion_reason: str = ""
    route: str = ""
    route_reason: str = ""
    final: Value | None = None
    final_source: str = "pending"
    final_reason: str = ""
    open: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with its rows. `tally_id` is None where it is not counted; `number` is the final value
    as a number."""

    id: int
    question_id: int
    subject_id: int
    criterion_id: int
    part: str
    state: CellState
    tally_id: int | None
    number: float | None


def load_cells(db: sqlite3.Connection, cell_ids: Iterable[int]) -> dict[int, Cell]:
    """Cells by row id."""
    found: dict[int, Cell] = {}
    for ids in chunks(cell_ids):
        found.update(
            (row["id"], _cell(row))
            for row in db.execute(f"SELECT {_CELL} FROM cell WHERE id IN ({marks(len(ids))})", ids)
        )
    return found


def stamps(db: sqlite3.Connection, cell_ids: Iterable[int]) -> dict[int, tuple[Any, ...]]:
    """By cell, what changes whenever its state or an opinion about it does: what was worked out
    before holds while these are equal."""
    found: dict[int, tuple[Any, ...]] = {}
    for ids in chunks(cell_ids):
        sql = (
            "SELECT id, tally_id, import_id, suggestion, suggestion_confidence, "
            "suggestion_reason, route, route_reason, final, final_number, "
            "final_source, final_reason, open, (SELECT sum(o.verdict_id) "
            "FROM opinion o INDEXED BY opinion_cell WHERE o.cell_id = cell.id) "
            f"FROM cell WHERE id IN ({marks(len(ids))})"
        )
        found.update((row[0], tuple(row)) for row in db.execute(sql, ids))
    return found


def cells_of(db: sqlite3.Connection, subject_ids: Iterable[int]) -> list[Cell]:
    """The cells of subjects, by subject and criterion, without those that are retired."""
    found: list[Cell] = []
    for ids in chunks(subject_ids):
        sql = (
            f"SELECT {_CELL} FROM cell WHERE subject_id IN ({marks(len(ids))}) AND retired = 0 "
            "ORDER BY subject_id, criterion_id, id"
        )
        found += [_cell(row) for row in db.execute(sql, ids)]
    return found


def cell_ids(
    db: sqlite3.Connection, project: Project, *, import_id: int | None = None
) -> list[int]:
    """Row ids of the cells of a project's current answers, or of all cells that one import
    brings."""
    if import_id is not None:
        return [
            row[0]
            for row in db.execute(
                "SELECT id FROM cell WHERE import_id = ? ORDER BY id", (import_id,)
            )
        ]
    sql = (
        f"SELECT id FROM cell WHERE project_id = ? AND tally_id IS NOT NULL AND import_id {DONE} "
        "ORDER BY question_id, subject_id, id"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def cells_under(
    db: sqlite3.Connection, project: Project, keys: Sequence[str], *, besides: int
) -> list[int]:
    """Row ids of the cells of a project's current answers under criteria, without those that the
    import `besides` brought."""
    sql = (
        "SELECT c.id FROM cell c JOIN criterion k ON k.id = c.criterion_id "
        "WHERE c.project_id = ? AND c.import_id <> ? "
        f"AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
        f"AND k.key IN ({marks(len(keys))}) ORDER BY c.question_id, c.subject_id, c.id"
    )
    return [row[0] for row in db.execute(sql, (project.id, besides, *keys))]


def set_states(
    db: sqlite3.Connection, changes: Sequence[tuple[Cell, CellState, CriterionRow]]
) -> None:
    """Give cells, as they stand in the caller's transaction, a new state and move their tallies
    along."""
    moved: dict[int, list[float]] = {}
    rows = []
    for cell, state, criterion in changes:
        rows.append(values := _state_values(state, criterion, cell.id))
        if cell.tally_id is not None:
            sums = moved.setdefault(cell.tally_id, [0.0] * 6)
            for sign, part in (
                (-1, _parts(cell.state, cell.number)),
                (1, _parts(state, values[6])),
            ):
                sums[:] = [was + sign * add for was, add in zip(sums, part, strict=True)]
    db.executemany(
        "UPDATE cell SET suggestion = ?, suggestion_confidence = ?, suggestion_reason = ?, "
        "route = ?, route_reason = ?, final = ?, "
        "final_number = ?, final_source = ?, final_reason = ?, open = ? WHERE id = ?",
        rows,
    )
    add_sums(db, [(tally, 0, *sums) for tally, sums in moved.items() if any(sums)], +1)


def _parts(state: CellState, number: float | None) -> tuple[float, ...]:
    """What a cell adds to its tally, in the order of `_SUMS` after the count."""
    decided, machine = state.final_source in ("people", "adjudicated"), state.route == "automatic"
    value = number or 0.0
    return (
        decided and not machine,
        decided and machine,
        state.final_source == "automatic",
        value,
        value * value,
        state.final_source == "closed",
    )


def _state_values(state: CellState, criterion: CriterionRow, cell_id: int) -> tuple[Any, ...]:
    number = None if state.final is None else criterion.scale.number(state.final)
    return (
        None if state.suggestion is None else dumps(state.suggestion),
        state.confidence,
        state.suggestion_reason,
        state.route,
        state.route_reason,
        None if state.final is None else dumps(state.final),
        number,
        state.final_source,
        state.final_reason,
        int(state.open),
        cell_id,
    )


#: A cell's columns, with the tally that it is counted in.
_CELL = f"*, iif(import_id {DONE}, tally_id, NULL) AS counted"


def _cell(row: sqlite3.Row) -> Cell:
    return Cell(
        row["id"],
        row["question_id"],
        row["subject_id"],
        row["criterion_id"],
        row["part"],
        CellState(
            None if row["suggestion"] is None else json.loads(row["suggestion"]),
            row["suggestion_confidence"],
            row["suggestion_reason"],
            row["route"],
            row["route_reason"],
            None if row["final"] is None else json.loads(row["final"]),
            row["final_source"],
            row["final_reason"],
            bool(row["open"]),
        ),
        row["counted"],
        row["final_number"],
    )


def task_types(db: sqlite3.Connection, question_ids: Iterable[int]) -> dict[int, str]:
    """Task type by question row."""
    found: dict[int, str] = {}
    for ids in chunks(question_ids):
        found.update(
            (row[0], row[1])
            for row in db.execute(
                f"SELECT id, task_type FROM question WHERE id IN ({marks(len(ids))})", ids
            )
        )
    return found


def flagged_subjects(db: sqlite3.Connection, project: Project) -> set[int]:
    """Subjects that somebody flagged."""
    return {
        row[0]
        for row in db.execute(
            "SELECT DISTINCT subject_id FROM flag WHERE project_id = ?", (project.id,)
        )
    }


def told_by_people(
    db: sqlite3.Connection, criterion_id: int, subject_ids: Iterable[int]
) -> list[int]:
    """The cells of a criterion with parts, of some subjects, on which a person has an opinion."""
    found: list[int] = []
    for ids in chunks(sorted(subject_ids)):
        sql = (
            "SELECT DISTINCT c.id FROM cell c INDEXED BY cell_part "
            "JOIN opinion o ON o.cell_id = c.id JOIN author a ON a.id = o.author_id "
            f"WHERE c.criterion_id = ? AND c.subject_id IN ({marks(len(ids))}) "
            "AND c.part <> '' AND a.kind = 'person'"
        )
        found += [row[0] for row in db.execute(sql, (criterion_id, *ids))]
    return found


def subjects_told_by_people(
    db: sqlite3.Connection, project: Project, criteria: Iterable[int]
) -> list[int]:
    """Subjects of which a person has an opinion under some of these criteria."""
    found: set[int] = set()
    for criterion in criteria:
        sql = (
            "SELECT DISTINCT c.subject_id FROM opinion o JOIN author a ON a.id = o.author_id "
            "AND a.kind = 'person' AND a.project_id = ? JOIN cell c ON c.id = o.cell_id "
            "WHERE o.criterion_id = ?"
        )
        found.update(row[0] for row in db.execute(sql, (project.id, criterion)))
    return sorted(found)


def unweighed(db: sqlite3.Connection) -> list[int]:
    """Projects whose cells wait to be worked out anew since rules that detect no longer decide."""
    return [row[0] for row in db.execute("SELECT project_id FROM unweighed ORDER BY 1")]


def weighed(db: sqlite3.Connection, project: Project) -> None:
    """The project's cells were worked out anew."""
    db.execute("DELETE FROM unweighed WHERE project_id = ?", (project.id,))


def resting_on_rules(db: sqlite3.Connection, project: Project) -> list[int]:
    """The cells whose suggestion is a rule's, and those that a rule closed."""
    sql = (
        "SELECT id FROM cell WHERE project_id = ? AND (suggestion_reason GLOB 'rule*' "
        "OR suggestion_reason IN ('unscored: unreadable', 'not asked for')) ORDER BY 1"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def subjects_with_fault(db: sqlite3.Connection, project: Project, fault: str) -> set[int]:
    """Subjects in which a machine found a named fault that no person has rejected."""
    sql = (
        "SELECT c.subject_id FROM cell c JOIN criterion k ON k.id = c.criterion_id "
        "WHERE k.project_id = ? AND k.key = 'faults/fault' "
        "AND c.part = ? AND c.suggestion = '\"present\"' AND coalesce(c.final, '') <> '\"absent\"'"
    )
    return {row[0] for row in db.execute(sql, (project.id, fault))}
