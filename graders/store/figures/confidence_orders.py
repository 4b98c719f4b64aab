"""Orders of cells from sure to doubtful, as they were fixed before labels were opened: one number
per cell, never changed."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from graders.core.shapes import JSON
from graders.store.answers.content import DONE
from graders.store.opinions.finder import Finder
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import dumps

#: What is kept of each cell: its row, its place and the chance that the machine's value is right.
_CELL, _SURE, _CHANCE = "<i8", "<f8", "<f4"


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The cells of a criterion on one task type. `cells`: int[n] ascending; `sure`: float[n],
    higher is surer, -1 where the machine has no value; `chance`: float[n] in 0..1; `made_from`:
    plain data; `digest` names numbers and `made_from`."""

    id: int
    at: str
    digest: str
    made_from: Mapping[str, Any]
    cells: npt.NDArray[Any]
    sure: npt.NDArray[Any]
    chance: npt.NDArray[Any]

    def of(self, cells: npt.ArrayLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """(sure, chance) of any cells; -1 and 0 where it does not know one."""
        wanted = np.asarray(cells, np.int64)
        if not len(self.cells):
            return np.full(wanted.shape, -1.0), np.zeros(wanted.shape)
        place = np.minimum(np.searchsorted(self.cells, wanted), len(self.cells) - 1)
        known = self.cells[place] == wanted
        return np.where(known, self.sure[place], -1.0), np.where(known, self.chance[place], 0.0)

    def sure_of(self, cell: int) -> float:
        """How sure one cell is."""
        place = int(self.cells.searchsorted(cell))
        return (
            float(self.sure[place])
            if place < len(self.cells) and self.cells[place] == cell
            else -1.0
        )


def named(sure: npt.ArrayLike, chance: npt.ArrayLike, made_from: Mapping[str, Any]) -> str:
    """The name of an order by its content."""
    sha = hashlib.sha256(dumps(dict(made_from)).encode())
    for column, kind in ((sure, _SURE), (chance, _CHANCE)):
        sha.update(np.ascontiguousarray(column, kind).tobytes())
    return sha.hexdigest()[:16]


def put(
    db: sqlite3.Connection,
    project: Project,
    criterion: CriterionRow,
    task_type: str,
    at: str,
    made_from: Mapping[str, Any],
    columns: Sequence[npt.ArrayLike],
    adds: int | None = None,
) -> tuple[int, str]:
    """Keep an order, `columns`: (cells ascending, sure, chance); returns its row and its name."""
    name = named(columns[1], columns[2], made_from)
    texts = [
        np.ascontiguousarray(column, kind).tobytes()
        for column, kind in zip(columns, (_CELL, _SURE, _CHANCE), strict=True)
    ]
    head = (
        project.id,
        criterion.id,
        criterion.hash,
        task_type,
        adds,
        at,
        name,
        dumps(dict(made_from)),
    )
    return _insert(db, head, texts), name


def in_force(
    db: sqlite3.Connection, criterion: CriterionRow, task_type: str, opened: str
) -> Order | None:
    """The latest order that was fixed before labels were `opened` (empty: they are not), with what
    was added to it; None where none was.

    Those of placed draws, which hold their population alone, are found by their names.
    """
    found = db.execute(
        "SELECT id FROM confidence_order WHERE criterion_id = ? AND hash = ? "
        "AND task_type = ? AND adds IS NULL AND (? = '' OR at <= ?) "
        "AND json_extract(made_from, '$.placed') IS NULL "
        "ORDER BY at DESC, id DESC LIMIT 1",
        (criterion.id, criterion.hash, task_type, opened, opened),
    ).fetchone()
    return None if found is None else by_row(db, found[0])


def by_digest(db: sqlite3.Connection, criterion: CriterionRow, name: str) -> Order | None:
    """An order of a criterion by its name."""
    found = db.execute(
        "SELECT max(id) FROM confidence_order WHERE criterion_id = ? AND digest = ?",
        (criterion.id, name),
    ).fetchone()
    return None if found[0] is None else by_row(db, found[0])


def by_row(db: sqlite3.Connection, row_id: int) -> Order | None:
    """An order by its row, with what was added to it."""
    rows = db.execute(
        (
            "SELECT id, at, digest, made_from, cells, sure, chance FROM confidence_order "
            "WHERE id = ?1 OR adds = ?1 ORDER BY id"
        ),
        (row_id,),
    ).fetchall()
    if not rows or rows[0]["id"] != row_id:
        return None
    columns = [
        np.concatenate([np.frombuffer(row[name], kind) for row in rows])
        for name, kind in (("cells", _CELL), ("sure", _SURE), ("chance", _CHANCE))
    ]
    if len(rows) > 1:
        order = np.argsort(columns[0], kind="stable")
        columns = [column[order] for column in columns]
    first = rows[0]
    return Order(
        first["id"], first["at"], first["digest"], json.loads(first["made_from"]), *columns
    )


def stamp(db: sqlite3.Connection) -> tuple[int, int]:
    """Changes whenever somebody gives a verdict or saves a screen."""
    latest, saves = db.execute(
        "SELECT (SELECT coalesce(max(id), 0) FROM verdict), (SELECT count(*) FROM save)"
    ).fetchone()
    return latest, saves


def voices(db: sqlite3.Connection, criterion: CriterionRow, kind: str) -> dict[str, int]:
    """Judges (or rules) -> how many cells of a criterion they have given a value, under its present
    wording."""
    sql = (
        "SELECT a.name, count(o.number) FROM author a JOIN opinion o ON o.criterion_id = ? "
        "AND o.author_id = a.id AND o.criterion_hash = ? "
        f"AND o.import_id {DONE} JOIN cell c ON c.id = o.cell_id AND c.tally_id IS NOT NULL "
        "WHERE a.kind = ? GROUP BY a.name"
    )
    return {
        name: count
        for name, count in db.execute(sql, (criterion.id, criterion.hash, kind))
        if count
    }


def voices_with(
    db: sqlite3.Connection, criterion: CriterionRow, kind: str, least: int
) -> list[str]:
    """The judges (or rules) that gave a value to that many cells of a criterion under its present
    wording, earlier texts of answers among them; nothing further is counted."""
    sql = (
        "SELECT a.name FROM author a WHERE a.project_id = (SELECT project_id FROM criterion "
        "WHERE id = ?1) AND a.kind = ?4 AND (SELECT "
        "count(*) FROM (SELECT 1 FROM opinion o WHERE o.criterion_id = ?1 "
        "AND o.author_id = a.id AND o.criterion_hash = ?2 "
        "AND o.number IS NOT NULL LIMIT ?3)) >= ?3"
    )
    return [row[0] for row in db.execute(sql, (criterion.id, criterion.hash, least, kind))]


def metric_names(db: sqlite3.Connection, project: Project) -> dict[str, int]:
    """Metrics of a project -> how many answers have a value."""
    sql = (
        "SELECT metric, count(value) FROM metric_value WHERE project_id = ? GROUP BY metric "
        "ORDER BY metric"
    )
    return {name: count for name, count in db.execute(sql, (project.id,)) if count}


def any_beside(db: sqlite3.Connection, project: Project) -> bool:
    """Whether a factual question of a project has several answers."""
    sql = (
        "SELECT 1 FROM subject s JOIN question q ON q.id = s.question_id WHERE s.project_id = ? "
        "AND s.other_id IS NULL AND q.task_type = 'factual' "
        "GROUP BY s.question_id HAVING count(DISTINCT s.answer_id) > 1 LIMIT 1"
    )
    return db.execute(sql, (project.id,)).fetchone() is not None


def rows_of(db: sqlite3.Connection, project: Project) -> Iterator[JSON]:
    """The orders as rows of the exchange format: a head each, then its cells."""
    heads = db.execute(
        (
            "SELECT o.*, k.key AS criterion FROM confidence_order o "
            "JOIN criterion k ON k.id = o.criterion_id WHERE o.project_id = ? ORDER BY o.id"
        ),
        (project.id,),
    ).fetchall()
    number = {head["id"]: place for place, head in enumerate(heads, 1)}
    for head in heads:
        names = ("criterion", "hash", "task_type", "at", "digest")
        adds = {"adds": number[head["adds"]]} if head["adds"] else {}
        yield {
            "order": number[head["id"]],
            **{name: head[name] for name in names},
            **adds,
            "made_from": json.loads(head["made_from"]),
        }
        known = dict(
            zip(
                np.frombuffer(head["cells"], _CELL).tolist(),
                zip(
                    np.frombuffer(head["sure"], _SURE).tolist(),
                    np.frombuffer(head["chance"], _CHANCE).tolist(),
                    strict=True,
                ),
                strict=True,
            )
        )
        for row in db.execute(_PLACES, (head["criterion_id"],)):
            if row["id"] in known:
                sure, chance = known[row["id"]]
                versus = {"model_b": row["model_b"]} if row["model_b"] else {}
                what = {
                    "question_id": row["question_id"],
                    "model": row["model"],
                    **versus,
                    "answer_version": row["answer_version"],
                }
                part = {"part": row["part"]} if row["part"] else {}
                yield {"order": number[head["id"]], **what, **part, "sure": sure, "chance": chance}


_PLACES = (
    "SELECT c.id, q.key AS question_id, a.model, b.model AS model_b, "
    "a.version AS answer_version, c.part FROM cell c "
    "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id LEFT "
    "JOIN answer b ON b.id = s.other_id "
    "JOIN question q ON q.id = c.question_id WHERE c.criterion_id = ? "
    f"AND c.import_id {DONE} ORDER BY q.id, a.id, b.id, c.part"
)


def put_rows(
    db: sqlite3.Connection, project: Project, finder: Finder, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Put the rows of `rows_of` into a project that has no order; a cell that is not there is left
    out."""
    if (
        not rows
        or db.execute(
            "SELECT 1 FROM confidence_order WHERE project_id = ?", (project.id,)
        ).fetchone()
    ):
        return
    heads = [row for row in rows if "criterion" in row]
    made: dict[int, int] = {}
    for head in heads:
        mine = [
            {**row, "criterion": head["criterion"]}
            for row in rows
            if row["order"] == head["order"] and "criterion" not in row
        ]
        if head["criterion"] not in finder.criteria:
            continue
        places = sorted(
            (cell, row["sure"], row["chance"])
            for cell, row in zip(finder.cells(mine), mine, strict=True)
            if cell is not None
        )
        columns = [
            np.array([place[at] for place in places], kind).tobytes()
            for at, kind in enumerate((_CELL, _SURE, _CHANCE))
        ]
        adds = made.get(int(head["adds"])) if head.get("adds") else None
        name, wording = finder.criteria[str(head["criterion"])], str(head["hash"])
        body = (
            project.id,
            name,
            wording,
            head["task_type"],
            adds,
            head["at"],
            head["digest"],
            dumps(dict(head.get("made_from") or {})),
        )
        made[int(head["order"])] = _insert(db, body, columns)


def _insert(db: sqlite3.Connection, head: Sequence[Any], columns: Sequence[bytes]) -> int:
    sql = (
        "INSERT INTO confidence_order (project_id, criterion_id, hash, task_type, adds, at, "
        "digest, made_from, cells, sure, chance) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    return db.execute(sql, (*head, *columns)).lastrowid or 0
