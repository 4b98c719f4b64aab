"""Tallies: what pages count, kept per criterion, model and kind of question in the transaction that
changes a cell."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.author_texts import AUTHOR_GLOB
from graders.store.answers.content import DONE, chunks, current_of, marks
from graders.store.opinions.filters import OF_CELL, Filters
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: The setting that counts how often what is asked about changed outside imports.
ASKED = "asked"


def count_cells(db: sqlite3.Connection, subject_ids: Sequence[int], sign: int) -> None:
    """Add (+1) the uncounted visible cells of subjects to the tallies, or take the counted ones out
    (-1).

    Earlier versions of answers and retired cells are never added.
    """
    for ids in chunks(current_of(db, subject_ids) if sign > 0 else subject_ids):
        where = f"c.subject_id IN ({marks(len(ids))}) AND c.import_id {DONE}"
        if sign > 0:
            new = [
                row[0]
                for row in db.execute(
                    (
                        f"SELECT c.id FROM cell c WHERE {where} AND c.tally_id IS NULL "
                        "AND c.retired = 0"
                    ),
                    ids,
                )
            ]
            assign(db, new)
            for batch in chunks(new):
                add_sums(db, sums(db, f"c.id IN ({marks(len(batch))})", batch), +1)
        else:
            add_sums(db, sums(db, f"{where} AND c.tally_id IS NOT NULL", ids), -1)
            db.execute(
                f"UPDATE cell SET tally_id = NULL WHERE subject_id IN ({marks(len(ids))})", ids
            )


def note_asked(db: sqlite3.Connection) -> None:
    """Note that cells were made or retired, in the transaction that did it: figures that were
    worked out before no longer hold."""
    db.execute(
        "INSERT INTO setting VALUES (?, '1') ON CONFLICT(name) DO UPDATE SET value = value + 1",
        (ASKED,),
    )


def assign_import(ws: Workspace, import_id: int) -> None:
    """Point the cells of an import's latest answers at their tallies; they are counted when the
    import is done.

    Those of questions that the import changes wait: what they are counted under is known only then.
    """
    ids = [
        row[0]
        for row in ws.db.execute(
            "SELECT c.id FROM cell c JOIN subject s ON s.id = c.subject_id "
            "JOIN answer a ON a.id = s.answer_id LEFT JOIN answer o ON o.id = s.other_id "
            "WHERE c.import_id = ? AND c.question_id NOT IN (SELECT question_id "
            "FROM question_change WHERE import_id = ?) AND a.version = "
            "(SELECT max(b.version) FROM answer b WHERE b.question_id = a.question_id "
            "AND b.model = a.model) AND (o.id IS NULL OR o.version = "
            "(SELECT max(b.version) FROM answer b WHERE b.question_id = o.question_id "
            "AND b.model = o.model))",
            (import_id, import_id),
        )
    ]
    ws.background(ids, assign)


def assign(db: sqlite3.Connection, cell_ids: Sequence[int]) -> None:
    """Point cells at their tally row, made if need be."""
    for batch in chunks(cell_ids):
        source = (
            "FROM cell c JOIN subject s ON s.id = c.subject_id "
            "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
            f"WHERE c.id IN ({marks(len(batch))})"
        )
        db.execute(
            "INSERT OR IGNORE INTO tally (project_id, criterion_id, model, category, "
            "task_type, language) "
            "SELECT DISTINCT c.project_id, c.criterion_id, a.model, q.category, "
            f"q.task_type, q.language {source}",
            batch,
        )
        db.execute(
            "UPDATE cell SET tally_id = (SELECT t.id FROM tally t "
            "JOIN subject s ON s.id = cell.subject_id JOIN answer a ON a.id = s.answer_id "
            "JOIN question q ON q.id = cell.question_id WHERE t.project_id = cell.project_id "
            "AND t.criterion_id = cell.criterion_id "
            "AND t.model = a.model AND t.category = q.category "
            "AND t.task_type = q.task_type AND t.language = q.language) "
            f"WHERE id IN ({marks(len(batch))})",
            batch,
        )


_SUMS = (
    "count(*), sum(c.final_source IN ('people', 'adjudicated') "
    "AND c.route <> 'automatic'), sum(c.final_source IN ('people', 'adjudicated') "
    "AND c.route = 'automatic'), sum(c.final_source = 'automatic'), "
    "sum(coalesce(c.final_number, 0)), "
    "sum(coalesce(c.final_number * c.final_number, 0)), sum(c.final_source = 'closed')"
)


def sums(db: sqlite3.Connection, where: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """(tally row, sums ...) of the cells c that `where` names."""
    return [
        tuple(row)
        for row in db.execute(
            f"SELECT c.tally_id, {_SUMS} FROM cell c WHERE {where} GROUP BY 1", values
        )
    ]


def import_sums(db: sqlite3.Connection, import_id: int) -> list[tuple[Any, ...]]:
    """What an import will add to the tallies."""
    return sums(db, "c.import_id = ? AND c.tally_id IS NOT NULL", (import_id,))


def add_sums(db: sqlite3.Connection, rows: Sequence[tuple[Any, ...]], sign: int) -> None:
    """Add sums to their tallies, or take them out."""
    db.executemany(
        "UPDATE tally SET cells = cells + ?, people = people + ?, audit = audit + ?, "
        "automatic = automatic + ?, total = total + ?, "
        "squares = squares + ?, closed = closed + ? WHERE id = ?",
        [(*(sign * value for value in row[1:]), row[0]) for row in rows],
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """The cells of a model under a criterion, by who decided them; `total` and `squares` are sums
    over the final values of those that have one."""

    model: str
    criterion_id: int
    cells: int
    people: int
    audit: int
    automatic: int
    closed: int
    total: float
    squares: float

    @property
    def pending(self) -> int:
        """Cells without a final value."""
        return self.cells - self.people - self.audit - self.automatic - self.closed


def tallies(db: sqlite3.Connection, project: Project, filters: Mapping[str, str]) -> list[Tally]:
    """Sums per model and criterion over the tallies that match `filters` (category, task_type,
    language, model)."""
    clauses = " ".join(
        f"AND t.{name} = ?"
        for name in ("category", "task_type", "language", "model")
        if filters.get(name)
    )
    values = [
        filters[name]
        for name in ("category", "task_type", "language", "model")
        if filters.get(name)
    ]
    sql = (
        "SELECT t.model, t.criterion_id, sum(cells) AS cells, sum(people) AS people, "
        "sum(audit) AS audit, sum(automatic) AS automatic, "
        "sum(closed) AS closed, sum(total) AS total, sum(squares) AS squares FROM tally t "
        "JOIN criterion c ON c.id = t.criterion_id "
        f"WHERE t.project_id = ? AND c.active = 1 {clauses} GROUP BY t.model, t.criterion_id "
        "HAVING sum(cells) > 0 ORDER BY t.model, c.position"
    )
    return [Tally(*row) for row in db.execute(sql, (project.id, *values))]


def cells_with(db: sqlite3.Connection, criterion_id: int, filters: Filters) -> int:
    """How many cells of models a criterion has, as far as filters of the cell let them in."""
    chosen = [(name, getattr(filters, name)) for name in OF_CELL if getattr(filters, name)]
    clauses = "".join(f" AND {name} IN ({marks(len(values))})" for name, values in chosen)
    sql = (
        "SELECT coalesce(sum(cells), 0) FROM tally WHERE criterion_id = ? "
        f"AND model NOT GLOB ?{clauses}"
    )
    return int(
        db.execute(
            sql, (criterion_id, AUTHOR_GLOB, *(value for _, values in chosen for value in values))
        ).fetchone()[0]
    )


def label_counts(
    db: sqlite3.Connection, project: Project, criterion_id: int, filters: Mapping[str, str]
) -> dict[str, dict[str, int]]:
    """Model -> final value as JSON -> cells of a criterion that have it, over what matches
    `filters` (category, task_type, language)."""
    names = [name for name in ("category", "task_type", "language") if filters.get(name)]
    sql = (
        "SELECT t.model, c.final, count(*) FROM cell c CROSS "
        "JOIN tally t ON t.id = c.tally_id WHERE c.criterion_id = ? AND t.project_id = ? "
        f"AND c.final IS NOT NULL {' '.join(f'AND t.{name} = ?' for name in names)} GROUP BY 1, 2"
    )
    found: dict[str, dict[str, int]] = {}
    for model, value, count in db.execute(
        sql, (criterion_id, project.id, *(filters[name] for name in names))
    ):
        found.setdefault(model, {})[value] = count
    return found
