"""What an import changes beside its rows: rubrics, people and settings, kept with it and in force
when it is done.

Criteria that are new get their row at once, because the import's cells point to it, but not active:
no page or grader sees it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import Conflict
from graders.core.hashing import canonical, text_hash
from graders.core.rubric import Rubric
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store import projects
from graders.store.answers.content import chunks, marks
from graders.store.answers.figures import set_figures
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace, dumps

#: Kinds of kept rows that take effect in the finishing transaction.
KINDS = ("rubric", "person", "project_setting", "figures")


def stage_rubric(ws: Workspace, project: Project, import_id: int, rubric: Rubric) -> None:
    """Keep a rubric with an import; nothing where the project, as the import will leave it, has it
    already."""
    if any(
        planned.source == rubric.source
        for planned in planned_rubrics(ws, project, import_id)
        if planned.name == rubric.name
    ):
        return
    with ws.write() as db:
        new = []
        for criterion in rubric.criteria:
            row = (
                project.id,
                criterion.key,
                0,
                criterion.criterion_hash,
                canonical(criterion.scale.to_spec()),
            )
            sql = (
                "INSERT OR IGNORE INTO criterion (project_id, key, position, hash, scale, "
                "active) VALUES (?, ?, ?, ?, ?, 0) RETURNING id"
            )
            new += [made[0] for made in db.execute(sql, row).fetchall()]
        body = {
            "name": rubric.name,
            "source": rubric.source,
            "was": _standing(db, project, rubric.name),
            "criteria": new,
        }
        db.execute("INSERT INTO kept VALUES (?, 'rubric', ?)", (import_id, dumps(body)))


def stage_people(ws: Workspace, import_id: int, people: Sequence[tuple[str, str, str]]) -> None:
    """Keep people as (id, name, group)."""
    with ws.write() as db:
        db.executemany(
            "INSERT INTO kept VALUES (?, 'person', ?)",
            [(import_id, dumps(list(person))) for person in people],
        )


def stage_setting(ws: Workspace, import_id: int, name: str, value: Any) -> None:
    """Keep a setting of the project."""
    with ws.write() as db:
        db.execute(
            "INSERT INTO kept VALUES (?, 'project_setting', ?)", (import_id, dumps([name, value]))
        )


def stage_figures(
    db: sqlite3.Connection, import_id: int, rows: Sequence[tuple[int, Mapping[str, Any]]]
) -> None:
    """Keep new figures of answers that are there, as (answer row, figures)."""
    db.executemany(
        "INSERT INTO kept VALUES (?, 'figures', ?)",
        [(import_id, dumps([row, dict(figures)])) for row, figures in rows],
    )


def staged_rubrics(db: sqlite3.Connection, import_id: int) -> list[Rubric]:
    """The rubrics that an import will add or replace, in the order in which they came."""
    latest = {body["name"]: body["source"] for body in kept(db, import_id, "rubric")}
    return [projects.known_rubric(source, name) for name, source in latest.items()]


def planned_rubrics(ws: Workspace, project: Project, import_id: int) -> list[Rubric]:
    """The project's rubrics as they will be when the import is done."""
    new = {rubric.name: rubric for rubric in staged_rubrics(ws.db, import_id)}
    present = [new.pop(rubric.name, rubric) for rubric in projects.rubrics(ws, project)]
    return [*present, *new.values()]


def planned_criteria(ws: Workspace, project: Project, import_id: int) -> list[CriterionRow]:
    """The project's criteria as they will be when the import is done."""
    rows = dict(
        ws.db.execute(
            "SELECT key, id FROM criterion WHERE project_id = ?", (project.id,)
        ).fetchall()
    )
    return [
        CriterionRow(rows[c.key], c.key, c.criterion_hash, c.scale, c, rubric)
        for rubric in planned_rubrics(ws, project, import_id)
        for c in rubric.criteria
    ]


def planned_groups(db: sqlite3.Connection, import_id: int) -> dict[str, str]:
    """Groups by person that the import will set for people who are new: of several rows about one
    the first counts."""
    return {person: group for person, _, group in reversed(kept(db, import_id, "person"))}


def planned_settings(db: sqlite3.Connection, import_id: int) -> JSON:
    """Settings that the import will set."""
    return dict(kept(db, import_id, "project_setting"))


def take_effect(
    ws: Workspace, db: sqlite3.Connection, project: Project, import_id: int
) -> list[str]:
    """In the finishing transaction: people, settings, rubrics and figures become the project's;
    returns the keys of these rubrics' criteria.

    Conflict if one of the rubrics got another text since the import was staged: no work is replaced
    unseen.
    """
    for person, name, group in kept(db, import_id, "person"):
        projects.add_person(ws, name, person_id=person, group=group)
    settings = planned_settings(db, import_id)
    if settings:
        projects.set_settings(ws, project, settings)
    for answer, figures in kept(db, import_id, "figures"):
        set_figures(db, answer, figures)
    bodies = kept(db, import_id, "rubric")
    first = {body["name"]: body["was"] for body in reversed(bodies)}
    for name, was in first.items():
        if _standing(db, project, name) != was:
            raise Conflict(
                **error_parts(
                    "transfer.rubric_changed", rubric=repr(name), project=repr(project.name)
                )
            )
    rubrics = staged_rubrics(db, import_id)
    for rubric in rubrics:
        projects.save_rubric(ws, project, rubric)
    db.execute(
        f"DELETE FROM kept WHERE import_id = ? AND tbl IN ({marks(len(KINDS))})",
        (import_id, *KINDS),
    )
    return [criterion.key for rubric in rubrics for criterion in rubric.criteria]


def forget(db: sqlite3.Connection, import_id: int) -> None:
    """Take out what a swept import kept, with those criteria that nothing but it needed."""
    made = [row for body in kept(db, import_id, "rubric") for row in body["criteria"]]
    for batch in chunks(made):
        unused = (
            f"id IN ({marks(len(batch))}) AND active = 0 AND NOT EXISTS (SELECT 1 FROM cell "
            "WHERE criterion_id = criterion.id) "
            "AND NOT EXISTS (SELECT 1 FROM opinion WHERE criterion_id = criterion.id)"
        )
        db.execute(
            f"DELETE FROM tally WHERE criterion_id IN (SELECT id FROM criterion WHERE {unused})",
            batch,
        )
        db.execute(f"DELETE FROM criterion WHERE {unused}", batch)
    db.execute("DELETE FROM kept WHERE import_id = ?", (import_id,))


def _standing(db: sqlite3.Connection, project: Project, name: str) -> str:
    """The name of the text that the project's rubric has now; empty where there is none."""
    row = db.execute(
        "SELECT source FROM rubric WHERE project_id = ? AND name = ? AND active = 1",
        (project.id, name),
    ).fetchone()
    return "" if row is None else text_hash(row[0])


def kept(db: sqlite3.Connection, import_id: int, kind: str) -> list[Any]:
    """The bodies of an import's kept rows of a kind, in the order in which they came."""
    rows: list[Mapping[str, Any] | Sequence[Any]] = [
        json.loads(row[0])
        for row in db.execute(
            "SELECT body FROM kept WHERE import_id = ? AND tbl = ? ORDER BY rowid",
            (import_id, kind),
        )
    ]
    return rows
