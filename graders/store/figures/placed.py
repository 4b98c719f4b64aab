"""Screens of placed draws, which ask about single cells, and what people said there."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from graders.store.answers.content import DONE
from graders.store.desk.queued_screens import drop_screens
from graders.store.figures.risk import Label
from graders.store.projects import CriterionRow, Project

#: The design of such a screen.
PLACED = "placed"
_CELLS = (
    "FROM screen s JOIN screen_cell x ON x.screen_id = s.id JOIN cell c ON c.id = x.cell_id "
    f"WHERE s.project_id = ? AND s.design = '{PLACED}'"
)


def asked(
    db: sqlite3.Connection,
    project: Project,
    criterion: CriterionRow,
    since: str = "",
    task_type: str = "",
) -> dict[int, bool]:
    """The cells of a criterion that placed draws asked about, of screens made `since` a time (on
    questions of a task type): whether one of these still waits."""
    where = (
        (
            "AND s.question_id IN (SELECT id FROM question WHERE project_id = s.project_id "
            "AND task_type = ?)"
        )
        if task_type
        else ""
    )
    sql = (
        f"SELECT x.cell_id, max(s.done < s.needed) {_CELLS} AND c.criterion_id = ? "
        f"AND s.created_at >= ? {where} GROUP BY 1 ORDER BY 1"
    )
    values = (project.id, criterion.id, since, *([task_type] if task_type else []))
    return {row[0]: bool(row[1]) for row in db.execute(sql, values)}


def labels(db: sqlite3.Connection, project: Project, criterion: CriterionRow) -> list[Label]:
    """What people said blind on placed screens, under the criterion as it stands, by cell; each
    person's last word there.

    Read from the verdicts, since a person may have graded the cell again on a screen of another
    draw.
    """
    sql = (
        "SELECT v.cell_id, p.name, v.value, c.suggestion, v.created_at, "
        f"s.probability {_CELLS.replace('WHERE', _SAID)} AND c.criterion_id = ? "
        "AND v.criterion_hash = ? AND v.kind <> 'retracts' "
        "AND json_extract(v.provenance, '$.arm') = 'blind' "
        "AND NOT coalesce(json_extract(v.provenance, '$.after_reveal'), 0) "
        "AND NOT EXISTS (SELECT 1 FROM verdict r WHERE r.cell_id = v.cell_id "
        "AND r.author_id = v.author_id AND r.kind = 'retracts' AND r.amends = v.uid) "
        f"AND v.import_id {DONE} ORDER BY v.cell_id, p.name, v.id"
    )
    found = {}
    for cell, person, value, shown, at, chance in db.execute(
        sql, (project.id, criterion.id, criterion.hash)
    ):
        said, suggestion = (None if text is None else json.loads(text) for text in (value, shown))
        found[cell, person] = Label(cell, person, said, suggestion, at, chance)
    return list(found.values())


_SAID = (
    "JOIN verdict v ON v.cell_id = x.cell_id AND v.screen_id = s.id "
    "JOIN author p ON p.id = v.author_id AND p.kind = 'person' "
    "AND p.project_id = s.project_id WHERE"
)


def any_waits(db: sqlite3.Connection, project: Project, criterion_id: int, screen_id: int) -> bool:
    """Whether a screen that asks about placed cells of a criterion still needs a person, of
    questions of the same task type as a screen's."""
    sql = (
        f"SELECT 1 {_CELLS} AND c.criterion_id = ? AND s.done < s.needed "
        "AND (SELECT q.task_type FROM question q WHERE q.id = s.question_id) = "
        "(SELECT q.task_type FROM screen o JOIN question q ON q.id = o.question_id "
        "WHERE o.id = ?) LIMIT 1"
    )
    return db.execute(sql, (project.id, criterion_id, screen_id)).fetchone() is not None


def criterion_of(db: sqlite3.Connection, screen_id: int) -> int | None:
    """The criterion (row) whose cells a placed screen asks about; None for any other screen."""
    sql = (
        "SELECT c.criterion_id FROM screen s JOIN screen_cell x ON x.screen_id = s.id "
        f"JOIN cell c ON c.id = x.cell_id WHERE s.id = ? AND s.design = '{PLACED}' LIMIT 1"
    )
    row = db.execute(sql, (screen_id,)).fetchone()
    return None if row is None else int(row[0])


def subjects_of(db: sqlite3.Connection, cells: Collection[int]) -> set[int]:
    """The answers of cells."""
    sql = "SELECT DISTINCT subject_id FROM cell WHERE id IN (SELECT value FROM json_each(?))"
    return {row[0] for row in db.execute(sql, (json.dumps(sorted(cells)),))}


def graded(db: sqlite3.Connection, criterion: CriterionRow) -> set[int]:
    """Cells of a criterion on which a person has said something, under the criterion as it
    stands."""
    sql = (
        "SELECT DISTINCT o.cell_id FROM author p JOIN opinion o ON o.criterion_id = ? "
        "AND o.author_id = p.id WHERE p.kind = 'person' "
        "AND o.criterion_hash = ?"
    )
    return {row[0] for row in db.execute(sql, (criterion.id, criterion.hash))}


def seen_by_all(db: sqlite3.Connection, project: Project) -> set[int]:
    """Answers whose marks everybody who has had a screen here was shown: nobody could label them
    blind."""
    sql = (
        "WITH mine AS MATERIALIZED (SELECT DISTINCT person_id FROM assignment "
        "WHERE project_id = ?1) SELECT x.subject_id FROM mine "
        "JOIN seen x ON x.person_id = mine.person_id JOIN subject u ON u.id = x.subject_id "
        "AND u.project_id = ?1 "
        "GROUP BY x.subject_id HAVING count(*) = (SELECT count(*) FROM mine)"
    )
    return {row[0] for row in db.execute(sql, (project.id,))}


def withdraw(
    db: sqlite3.Connection, project: Project, criterion: CriterionRow, cells: Collection[int]
) -> int:
    """Remove placed screens that ask about some of these cells and that nobody was given; how many
    still wait."""
    sql = (
        f"SELECT DISTINCT s.id {_CELLS} AND c.criterion_id = ? AND s.done < s.needed "
        "AND x.cell_id IN (SELECT value FROM json_each(?))"
    )
    values = (project.id, criterion.id, json.dumps(sorted(cells)))
    drop_screens(db, [row[0] for row in db.execute(sql, values)])
    return len(db.execute(sql, values).fetchall())
