"""People's part of the exchange format on its way back in: screens, who did them, and what keeps
the sample of them unbiased.

Screens travel under a number of their own (their place in the export), not under their row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.store.desk import seeded
from graders.store.desk.own_screens import OCCASIONS, REPEAT
from graders.store.opinions.finder import Finder
from graders.store.projects import Project


def put(
    db: sqlite3.Connection,
    project: Project,
    finder: Finder,
    kept: Mapping[str, Sequence[Mapping[str, Any]]],
) -> None:
    """Put the rows of tables by their names into a project: screens, assignments and the order in
    force into one that has no screen, gold marks into one where nobody ever marked a cell."""
    if (
        kept.get("screens")
        and not db.execute("SELECT 1 FROM screen WHERE project_id = ?", (project.id,)).fetchone()
    ):
        copies = seeded.project_of_copies(db, project)
        screens = _screens(
            db, project, finder, kept["screens"], Finder(db, copies) if copies else None
        )
        _assignments(db, [project, copies or project], screens, kept.get("assignments", []))
        for row in kept.get("review_order", []):
            order = (
                project.id,
                row["kind"],
                row.get("labelled") or 0,
                row.get("learned") or 0,
                row["at"],
            )
            db.execute("INSERT OR IGNORE INTO review_order VALUES (?, ?, ?, ?, ?)", order)
    marked = (
        "SELECT 1 FROM gold WHERE project_id = ?1 UNION ALL SELECT 1 FROM event "
        "WHERE project_id = ?1 AND kind = 'gold'"
    )
    if kept.get("gold") and not db.execute(marked, (project.id,)).fetchone():
        _gold(db, project, finder, kept["gold"])


def _screens(
    db: sqlite3.Connection,
    project: Project,
    finder: Finder,
    screens: Sequence[Mapping[str, Any]],
    of_copies: Finder | None,
) -> dict[int, int]:
    """Screens with their places in the queue; returns rows by their number in the file. A screen
    with a copy that did not come along (`of_copies` finds those) is left out."""
    rows: dict[int, int] = {}
    for screen in screens:
        answers = [{"question_id": screen["question_id"], **answer} for answer in screen["answers"]]
        subjects = finder.subjects(answers)
        if screen["design"] == seeded.CONTROL:
            subjects = of_copies.subjects(answers) if of_copies else []
            if not subjects or None in subjects:
                continue
        found = db.execute(
            (
                "INSERT INTO screen (project_id, question_id, design, probability, seed, needed, "
                "done, created_at, look) VALUES (?,?,?,?,?,?,?,?,?)"
            ),
            (
                project.id,
                finder.questions[str(screen["question_id"])],
                screen["design"],
                screen["probability"],
                screen["seed"],
                screen["needed"],
                screen["done"],
                screen["created_at"],
                int(screen.get("look") or 0),
            ),
        )
        rows[int(screen["screen"])] = row = found.lastrowid or 0
        db.executemany(
            "INSERT INTO screen_subject VALUES (?, ?)",
            [(row, s) for s in subjects if s is not None],
        )
        asked = finder.cells(
            [{"question_id": screen["question_id"], **cell} for cell in screen.get("cells", [])]
        )
        db.executemany(
            "INSERT INTO screen_cell VALUES (?, ?)",
            [(row, cell) for cell in asked if cell is not None],
        )
        if screen.get("priority") is not None:
            place = (
                row,
                project.id,
                screen["priority"],
                screen["free"],
                int(bool(screen.get("left_over"))),
            )
            db.execute(
                (
                    "INSERT INTO queue (screen_id, project_id, priority, free, left_over) "
                    "VALUES (?, ?, ?, ?, ?)"
                ),
                place,
            )
    again = [
        (rows[int(s["again"])], rows[int(s["screen"])])
        for s in screens
        if s.get("again") and int(s["again"]) in rows
    ]
    db.executemany("UPDATE screen SET again = ? WHERE id = ?", again)
    return rows


def _assignments(
    db: sqlite3.Connection,
    homes: Sequence[Project],
    screens: Mapping[int, int],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Finished assignments, with the verdicts given there, the flags they set and the answers whose
    marks they showed. `homes`: the project, and where the verdicts on copies are."""
    project = homes[0]
    rows = [row for row in rows if int(row["screen"]) in screens]
    db.executemany(
        "INSERT INTO assignment (screen_id, project_id, person_id, occasion, arm, "
        "probability, order_seed, state, lease_until, save_id, comment, flagged, "
        "reason, seconds, saved_at, adaptive) VALUES (?,?,?,?,?,?,?,?,0,?,?,?,?,?,?,?)",
        [
            (
                screens[int(a["screen"])],
                project.id,
                a["person"],
                a["occasion"],
                a["arm"],
                a["probability"],
                a["order_seed"],
                a["state"],
                a.get("save_id") or "",
                a.get("comment") or "",
                int(bool(a.get("flagged"))),
                a.get("reason") or "",
                a.get("seconds") or 0,
                a.get("saved_at") or "",
                int(bool(a.get("adaptive"))),
            )
            for a in rows
        ],
    )
    said = [
        (screens[int(a["screen"])], uid, *(home.id for home in homes))
        for a in rows
        for uid in a.get("verdicts") or ()
    ]
    db.executemany(
        (
            "UPDATE verdict SET screen_id = ? WHERE uid = ? AND project_id IN (?, ?) "
            "AND screen_id IS NULL"
        ),
        said,
    )
    for a in sorted(rows, key=lambda a: str(a.get("saved_at") or "")):
        at, screen = a.get("saved_at") or "", screens[int(a["screen"])]
        if a.get("flagged"):
            sql = (
                "INSERT OR IGNORE INTO flag SELECT ?, subject_id, ?, ? FROM screen_subject "
                "WHERE screen_id = ?"
            )
            db.execute(sql, (project.id, a["person"], at, screen))
        elif a["occasion"] != OCCASIONS[REPEAT]:  # a second look takes no flag off
            sql = (
                "DELETE FROM flag WHERE person_id = ? AND subject_id IN (SELECT subject_id "
                "FROM screen_subject WHERE screen_id = ?)"
            )
            db.execute(sql, (a["person"], screen))
        if a["arm"] == "assisted":
            sql = (
                "INSERT OR IGNORE INTO seen SELECT ?, subject_id, ? FROM screen_subject "
                "WHERE screen_id = ?"
            )
            db.execute(sql, (a["person"], at, screen))


def put_seen(db: sqlite3.Connection, finder: Finder, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add to whose marks people were shown, on whatever page; rows of people who are not known are
    left out."""
    db.executemany(
        (
            "INSERT INTO seen SELECT id, ?, ? FROM person WHERE id = ? "
            "ON CONFLICT (person_id, subject_id) DO UPDATE SET at = max(at, excluded.at)"
        ),
        [
            (subject, row.get("at") or "", row["person"])
            for row, subject in zip(rows, finder.subjects(rows), strict=True)
            if subject is not None
        ],
    )


def _gold(
    db: sqlite3.Connection, project: Project, finder: Finder, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Cells that check people or on which they practise."""
    db.executemany(
        "INSERT OR IGNORE INTO gold VALUES (?, ?, ?, ?, ?)",
        [
            (
                cell,
                project.id,
                int(bool(row.get("practice"))),
                row.get("by") or "",
                row.get("at") or "",
            )
            for row, cell in zip(rows, finder.cells(rows), strict=True)
            if cell is not None
        ],
    )
