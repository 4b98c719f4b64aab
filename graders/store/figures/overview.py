"""Queries of the page that shows all projects; nothing here writes."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from graders.core.author_texts import AUTHOR_GLOB
from graders.store.projects import Project

#: Screens whose seconds tell how long the next ones take.
LATEST_SCREENS = 50


def judges(db: sqlite3.Connection, project: Project) -> list[str]:
    """Names of the judges that gave verdicts."""
    sql = "SELECT name FROM author WHERE project_id = ? AND kind = 'judge' ORDER BY id"
    return [row[0] for row in db.execute(sql, (project.id,))]


def only_tried(db: sqlite3.Connection, project: Project) -> set[str]:
    """Judges that were asked in tries alone, never in a run over all answers."""
    sql = (
        "SELECT j.value FROM run r, json_each(r.settings, '$.judges') j WHERE r.project_id = ? "
        "GROUP BY j.value HAVING min(json_extract(r.settings, '$.tries') IS NOT NULL)"
    )
    return {row[0] for row in db.execute(sql, (project.id,))}


def came_after(db: sqlite3.Connection, project: Project, at: str) -> int:
    """Answers as they stand now that came in, or changed, by an import that began after `at`."""
    sql = (
        "SELECT count(*) FROM import i JOIN answer a ON a.import_id = i.id AND a.current = 1 "
        "WHERE i.project_id = ? AND i.state = 'done' AND i.started_at > ? AND a.model NOT GLOB ?"
    )
    return int(db.execute(sql, (project.id, at, AUTHOR_GLOB)).fetchone()[0])


def screen_seconds(db: sqlite3.Connection, project: Project) -> list[float]:
    """Seconds that people took for the latest screens, longest last."""
    sql = (
        "SELECT seconds FROM assignment WHERE project_id = ? AND state = 'done' AND seconds > 0 "
        "ORDER BY id DESC LIMIT ?"
    )
    return sorted(row[0] for row in db.execute(sql, (project.id, LATEST_SCREENS)))


def flagged(db: sqlite3.Connection, project: Project) -> int:
    """Answers that people flagged."""
    return int(
        db.execute(
            "SELECT count(DISTINCT subject_id) FROM flag WHERE project_id = ?", (project.id,)
        ).fetchone()[0]
    )


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person who saved screens, how many, and when the latest."""

    name: str
    screens: int
    at: str


def reviewers(db: sqlite3.Connection, project: Project) -> list[Reviewer]:
    """Who saved screens here; the latest first."""
    sql = (
        "SELECT p.name, count(*) AS screens, max(a.saved_at) AS at FROM assignment a "
        "JOIN person p ON p.id = a.person_id "
        "WHERE a.project_id = ? AND a.state IN ('done', 'partial') GROUP BY a.person_id "
        "ORDER BY 3 DESC LIMIT 5"
    )
    return [Reviewer(*row) for row in db.execute(sql, (project.id,))]
