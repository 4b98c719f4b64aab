"""The order of ordinary screens: which wait, what machines said of their cells, and new places in
the queue.

Screens of drawn samples keep their places; ordinary ones that nobody was given yet only change
places with each other.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graders.store.answers.content import DONE, chunks, marks
from graders.store.desk.queued_screens import UNTOUCHED
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Doubt about a cell before anything is learned: what its suggestion is not sure of, all of it
#: where machines differ; none known where a suggestion states no confidence or nobody spoke.
_DOUBT = (
    "CASE WHEN c.suggestion IS NOT NULL THEN 1 - c.suggestion_confidence "
    "WHEN c.suggestion_reason LIKE '%differ%' THEN 1.0 END"
)
#: An ordinary screen `s` that waits, `q` its place in the queue, and nobody was ever given.
_WAITS = f"q.project_id = ? AND q.free > 0 AND s.design = 'ordinary' AND {UNTOUCHED}"


@dataclass(frozen=True, slots=True)
class Place:
    """A waiting screen and its place: smaller `priority` comes first. `newest` is its latest
    subject; `doubt` a sum over its open cells for each of its answers, None where machines say
    nothing of how sure they are."""

    screen_id: int
    priority: float
    question_id: int
    newest: int
    doubt: float | None


@dataclass(frozen=True, slots=True)
class Order:
    """The order in force: its kind, how many cells people had decided when it was worked out, from
    how many it was learned."""

    kind: str
    labelled: int
    learned: int
    at: str


def in_force(db: sqlite3.Connection, project: Project) -> Order | None:
    """The order of a project's ordinary screens; None before anything was put in order."""
    row = db.execute(
        "SELECT kind, labelled, learned, at FROM review_order WHERE project_id = ?", (project.id,)
    ).fetchone()
    return None if row is None else Order(*row)


def put_order(
    db: sqlite3.Connection, ws: Workspace, project: Project, kind: str, labelled: int, learned: int
) -> None:
    """Keep which order is in force from now on."""
    db.execute(
        "INSERT OR REPLACE INTO review_order VALUES (?, ?, ?, ?, ?)",
        (project.id, kind, labelled, learned, ws.now()),
    )


def labelled(db: sqlite3.Connection, project: Project) -> int:
    """Cells that people decided, from the tallies."""
    return int(
        db.execute(
            "SELECT coalesce(sum(people + audit), 0) FROM tally WHERE project_id = ?", (project.id,)
        ).fetchone()[0]
    )


def waiting(db: sqlite3.Connection, project: Project) -> list[Place]:
    """All ordinary screens that nobody was given yet, in the order of the queue."""
    sql = (
        "SELECT q.screen_id, q.priority, s.question_id, max(x.subject_id), "
        f"sum({_DOUBT}) / count(DISTINCT x.subject_id) "
        "FROM queue q JOIN screen s ON s.id = q.screen_id "
        "JOIN screen_subject x ON x.screen_id = s.id "
        "LEFT JOIN cell c ON c.subject_id = x.subject_id AND c.route = 'people' "
        "AND c.final_source = 'pending' AND c.retired = 0 "
        f"WHERE {_WAITS} GROUP BY q.screen_id ORDER BY q.priority, q.screen_id"
    )
    return [Place(*row) for row in db.execute(sql, (project.id,))]


def any_waiting(db: sqlite3.Connection, project: Project) -> bool:
    """Whether an ordinary screen waits that nobody was given yet."""
    sql = f"SELECT 1 FROM queue q JOIN screen s ON s.id = q.screen_id WHERE {_WAITS} LIMIT 1"
    return db.execute(sql, (project.id,)).fetchone() is not None


def candidates(
    db: sqlite3.Connection, project: Project, first: int, others: int, seed: int
) -> dict[int, float]:
    """Screen -> priority of the first ordinary screens that wait, and of up to so many others by
    chance: a long queue is never read whole."""
    order = f"FROM queue q INDEXED BY queue_open JOIN screen s ON s.id = q.screen_id WHERE {_WAITS}"
    found = dict(
        map(
            tuple,
            db.execute(
                f"SELECT q.screen_id, q.priority {order} ORDER BY q.priority LIMIT ?",
                (project.id, first),
            ),
        )
    )
    low, high = db.execute(
        "SELECT min(id), max(id) FROM screen WHERE project_id = ?", (project.id,)
    ).fetchone()
    if len(found) < first or low is None:
        return found
    chosen = random.Random(seed).sample(range(low, high + 1), min(high + 1 - low, others))
    for ids in chunks(chosen):
        sql = (
            "SELECT q.screen_id, q.priority FROM queue q JOIN screen s ON s.id = q.screen_id "
            f"WHERE {_WAITS} AND q.screen_id IN ({marks(len(ids))})"
        )
        found.update(map(tuple, db.execute(sql, (project.id, *ids))))
    return found


def reviewed(db: sqlite3.Connection, project: Project, latest: int) -> list[int]:
    """The screens that people saved last, of whatever design."""
    sql = (
        "SELECT screen_id FROM assignment WHERE project_id = ? AND state IN ('done', 'partial') "
        "ORDER BY id DESC LIMIT ?"
    )
    return list(dict.fromkeys(row[0] for row in db.execute(sql, (project.id, latest))))


def machine_columns(db: sqlite3.Connection, screen_ids: Sequence[int]) -> list[sqlite3.Row]:
    """What machines say of the rubric's cells on screens, a row each: screen_id, cell_id,
    subject_id, criterion_id, task, characters, suggestion (JSON), confidence, doubt, judges, low,
    high, mean (numbers of judges), rule (mean number of rules), source, final.

    `source` and `final` are the cell's final value and whose it is; open and decided cells alike.
    """
    found: list[sqlite3.Row] = []
    said = (
        "o.cell_id = c.id AND o.criterion_hash = k.hash AND o.number IS NOT NULL "
        f"AND o.import_id {DONE}"
    )
    for ids in chunks(screen_ids):
        sql = (
            "SELECT x.screen_id, c.id AS cell_id, c.subject_id, c.criterion_id, "
            "z.task_type AS task, length(t.text) AS characters, "
            f"c.suggestion, c.suggestion_confidence AS confidence, {_DOUBT} AS doubt, "
            "c.final_source AS source, c.final_number AS final, c.route, "
            "count(CASE WHEN a.kind = 'judge' THEN 1 END) AS judges, min(CASE "
            "WHEN a.kind = 'judge' THEN o.number END) AS low, "
            "max(CASE WHEN a.kind = 'judge' THEN o.number END) AS high, avg(CASE "
            "WHEN a.kind = 'judge' THEN o.number END) AS mean, "
            "avg(CASE WHEN a.kind = 'rule' THEN o.number END) AS rule FROM screen_subject x "
            "JOIN cell c ON c.subject_id = x.subject_id AND c.retired = 0 "
            "JOIN criterion k ON k.id = c.criterion_id AND k.active = 1 "
            "AND k.key NOT LIKE 'faults/%' JOIN question z ON z.id = c.question_id "
            "JOIN subject b ON b.id = c.subject_id JOIN answer t ON t.id = b.answer_id "
            f"LEFT JOIN opinion o INDEXED BY opinion_cell ON {said} LEFT "
            "JOIN author a ON a.id = o.author_id AND a.kind <> 'person' "
            "AND a.name <> 'learned' "
            f"WHERE x.screen_id IN ({marks(len(ids))}) GROUP BY x.screen_id, c.id"
        )
        found += db.execute(sql, ids).fetchall()
    return found


def any_adaptive(db: sqlite3.Connection, project: Project) -> bool:
    """Whether a screen was ever handed out in the adaptive order; one that nobody saved travels as
    a screen left over."""
    sql = (
        "SELECT 1 FROM assignment WHERE project_id = ?1 AND adaptive = 1 UNION ALL SELECT 1 "
        "FROM queue WHERE project_id = ?1 AND left_over = 1 LIMIT 1"
    )
    return db.execute(sql, (project.id,)).fetchone() is not None


def leave_over(db: sqlite3.Connection, screen_ids: Sequence[int]) -> None:
    """Note of waiting screens that the adaptive order passed them over."""
    db.executemany(
        "UPDATE queue SET left_over = 1 WHERE screen_id = ?", [(screen,) for screen in screen_ids]
    )


def move(db: sqlite3.Connection, moves: Sequence[tuple[int, float, float]]) -> None:
    """Give screens new places: (screen, priority that it has, priority that it gets). One that
    somebody was given meanwhile, or that was moved otherwise, stays."""
    rows: list[tuple[Any, ...]] = [(new, screen, old) for screen, old, new in moves]
    db.executemany(
        "UPDATE queue SET priority = ? WHERE screen_id = ? AND priority = ? AND free > 0", rows
    )
