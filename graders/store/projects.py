"""Projects, people, rubrics, events."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from graders.core.errors import Conflict, NotFound
from graders.core.hashing import canonical
from graders.core.rubric import Criterion, Rubric, read_rubric, rubric_hash
from graders.core.scale import Scale
from graders.core.shapes import JSON
from graders.core.words import error_parts
from graders.store.workspace import Workspace, dumps

#: Room for the criteria of one rubric in the order of a project's criteria.
MOST_CRITERIA = 1_000
#: Rubrics by their text, read once; no more than so many are remembered.
KNOWN_RUBRICS = 256
_known_rubrics: dict[str, Rubric] = {}
#: Kinds of events: a project got another title or name, or was deleted.
RENAMED, DELETED = "project_renamed", "project_deleted"
#: True of a project p that holds something, or that somebody made empty: not of one that only an
#: unfinished first import needs.
BEGUN = (
    "(p.removed = 0 AND (NOT EXISTS (SELECT 1 FROM import i WHERE i.project_id = p.id "
    "AND i.state NOT IN ('done', 'swept', 'taking_back', 'taken_back')) "
    "OR EXISTS (SELECT 1 FROM import i WHERE i.project_id = p.id "
    "AND i.state IN ('done', 'taking_back', 'taken_back')) "
    "OR EXISTS (SELECT 1 FROM question q WHERE q.project_id = p.id AND q.import_id = 0)))"
)


@dataclass(frozen=True, slots=True)
class Project:
    """A data set with its settings. `name` is its address, `title` what people read, `seed` decides
    every draw."""

    id: int
    name: str
    title: str
    notice: str
    settings: Mapping[str, Any]
    seed: int
    created_at: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who grades. `id` is random; the name is a label. Groups tell experts from a
    crowd."""

    id: str
    name: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """A criterion as the store knows it; `criterion` is what its rubric says."""

    id: int
    key: str
    hash: str
    scale: Scale
    criterion: Criterion
    rubric: Rubric


def add_project(
    ws: Workspace,
    name: str,
    title: str = "",
    *,
    settings: Mapping[str, Any] | None = None,
    notice: str = "",
    seed: int | None = None,
) -> Project:
    """Make a project. Conflict if the name is taken; a title that is taken gets a number."""
    seed = secrets.randbelow(2**31) if seed is None else seed
    with ws.write() as db:
        if db.execute("SELECT 1 FROM project WHERE name = ?", (name,)).fetchone():
            raise Conflict(**error_parts("store.projects.taken", name=name))
        db.execute(
            (
                "INSERT INTO project (name, title, notice, settings, seed, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?)"
            ),
            (
                name,
                _free_title(db, title or name),
                notice,
                dumps(dict(settings or {})),
                seed,
                ws.now(),
            ),
        )
    return get_project(ws, name)


def get_project(ws: Workspace, name: str) -> Project:
    """The project of that name, or the one that had it before it was renamed; NotFound lists what
    there is."""
    found = find_project(ws.db, name) or _renamed(ws.db, name)
    if found is None:
        raise _unknown(ws, name)
    return found


def present_name(ws: Workspace, name: str) -> str:
    """What the project is called now that has this name or had it last; the name where none had."""
    found = find_project(ws.db, name) or _renamed(ws.db, name)
    return name if found is None else found.name


def _renamed(db: sqlite3.Connection, name: str) -> Project | None:
    """The project that was called so, where no other has the name now: links that people keep go
    on working."""
    sql = (
        "SELECT p.* FROM event e JOIN project p ON p.id = e.project_id AND p.removed = 0 "
        "WHERE e.kind = ? AND json_extract(e.body, '$.name[0]') = ? ORDER BY e.id DESC LIMIT 1"
    )
    row = db.execute(sql, (RENAMED, name)).fetchone()
    return None if row is None else _project(row)


def begun_project(ws: Workspace, name: str) -> Project:
    """The project of that name; NotFound also where there is no more of it than an import that
    nobody has finished."""
    project = get_project(ws, name)
    if not has_begun(ws.db, project):
        raise _unknown(ws, name)
    return project


def _unknown(ws: Workspace, name: str) -> NotFound:
    known = [project.name for project in begun_projects(ws)]
    gone = ws.db.execute(
        "SELECT at FROM event WHERE project_id IS NULL AND kind = ? "
        "AND json_extract(body, '$.name') = ? ORDER BY id DESC LIMIT 1",
        (DELETED, name),
    ).fetchone()
    if gone is not None:
        return NotFound(**error_parts("store.projects.deleted", name=name, day=gone[0][:10]))
    key = "unknown" if known else "none_yet"
    return NotFound(**error_parts(f"store.projects.{key}", name=name, names=", ".join(known)))


def has_begun(db: sqlite3.Connection, project: Project) -> bool:
    """Whether a project holds something, or was made empty by somebody: an unfinished first import
    alone is nothing yet."""
    return (
        db.execute(f"SELECT 1 FROM project p WHERE p.id = ? AND {BEGUN}", (project.id,)).fetchone()
        is not None
    )


def find_project(db: sqlite3.Connection, name: str) -> Project | None:
    """The project of that name, if there is one."""
    row = db.execute("SELECT * FROM project WHERE name = ? AND removed = 0", (name,)).fetchone()
    return None if row is None else _project(row)


def projects_by_id(ws: Workspace, ids: Collection[int]) -> list[Project]:
    """The projects with these row numbers, of those that are there still."""
    return [project for project in list_projects(ws) if project.id in ids]


def list_projects(ws: Workspace) -> list[Project]:
    """All projects, in the order they were made."""
    return [
        _project(row)
        for row in ws.db.execute("SELECT * FROM project WHERE removed = 0 ORDER BY id")
    ]


def begun_projects(ws: Workspace, also: str = "") -> list[Project]:
    """The projects that hold something, in the order they were made: one whose first import still
    waits is not among them.

    Copies with seeded faults are no project of anybody's work; those named `also` are listed.
    """
    sql = (
        f"SELECT * FROM project p WHERE {BEGUN} AND (p.name = ? "
        "OR json_extract(p.settings, '$.seeded_of') IS NULL) ORDER BY id"
    )
    return [_project(row) for row in ws.db.execute(sql, (also,))]


def set_settings(ws: Workspace, project: Project, changes: Mapping[str, Any]) -> Project:
    """Change some settings of a project and log who is told: the event table keeps old and new."""
    with ws.write() as db:
        row = db.execute("SELECT settings FROM project WHERE id = ?", (project.id,)).fetchone()
        settings = {**json.loads(row[0]), **changes}
        db.execute("UPDATE project SET settings = ? WHERE id = ?", (dumps(settings), project.id))
    return get_project(ws, project.name)


def set_title(ws: Workspace, project: Project, title: str, notice: str) -> None:
    """Give a project its title, with a number where another has it, and its notice."""
    with ws.write() as db:
        db.execute(
            "UPDATE project SET title = ?, notice = ? WHERE id = ?",
            (_free_title(db, title, project.id), notice, project.id),
        )


def _free_title(db: sqlite3.Connection, title: str, own: int = 0) -> str:
    """The title, with a number where another project has it: two projects can always be told apart.
    An unfinished first import has none."""
    taken = {
        row[0].casefold()
        for row in db.execute(f"SELECT title FROM project p WHERE id <> ? AND {BEGUN}", (own,))
    }
    return next(
        found
        for found in (title, *(f"{title} {n}" for n in range(2, len(taken) + 3)))
        if found.casefold() not in taken
    )


def _project(row: sqlite3.Row) -> Project:
    return Project(
        row["id"],
        row["name"],
        row["title"],
        row["notice"],
        json.loads(row["settings"]),
        row["seed"],
        row["created_at"],
    )


def remove_empty(ws: Workspace, project: Project) -> bool:
    """Remove a project that holds nothing but its rubrics; True if it did. What people or graders
    made is never removed."""
    with ws.write() as db:
        if not is_empty(db, project):
            return False
        db.execute("UPDATE import SET project_id = NULL WHERE project_id = ?", (project.id,))
        for table in ("tally", "criterion", "rubric", "event", "author", "unsought", "unweighed"):
            db.execute(f"DELETE FROM {table} WHERE project_id = ?", (project.id,))
        db.execute("DELETE FROM project WHERE id = ?", (project.id,))
    return True


def is_empty(db: sqlite3.Connection, project: Project) -> bool:
    """Whether a project holds nothing but its rubrics, and no import is about to bring something or
    was taken back, which its log keeps."""
    for table in ("question", "run", "verdict", "assignment"):
        if db.execute(
            f"SELECT 1 FROM {table} WHERE project_id = ? LIMIT 1", (project.id,)
        ).fetchone():
            return False
    sql = (
        "SELECT 1 FROM import WHERE project_id = ? "
        "AND state NOT IN ('interrupted', 'sweeping', 'swept')"
    )
    return db.execute(sql, (project.id,)).fetchone() is None


# -- people


def add_person(ws: Workspace, name: str, *, person_id: str = "", group: str = "") -> Person:
    """Make a person, or return the one with that id."""
    person_id = person_id or secrets.token_hex(8)
    with ws.write() as db:
        db.execute(
            "INSERT OR IGNORE INTO person (id, name, grp, created_at) VALUES (?, ?, ?, ?)",
            (person_id, name, group, ws.now()),
        )
    return get_person(ws, person_id)


def rename_person(ws: Workspace, person_id: str, name: str) -> Person:
    """Change a person's label; verdicts hang on the id."""
    with ws.write() as db:
        db.execute("UPDATE person SET name = ? WHERE id = ?", (name, person_id))
    return get_person(ws, person_id)


def get_person(ws: Workspace, person_id: str) -> Person:
    """The person with that id."""
    row = ws.db.execute("SELECT * FROM person WHERE id = ?", (person_id,)).fetchone()
    if row is None:
        raise NotFound(**error_parts("store.projects.no_person", person_id=person_id))
    return Person(row["id"], row["name"], row["grp"])


def people(ws: Workspace) -> dict[str, Person]:
    """All people by id."""
    return {
        row["id"]: Person(row["id"], row["name"], row["grp"])
        for row in ws.db.execute("SELECT * FROM person ORDER BY created_at, id")
    }


# -- rubrics


def save_rubric(ws: Workspace, project: Project, rubric: Rubric) -> None:
    """Make `rubric` the active one of its name. Unchanged text changes nothing; older texts are
    kept."""
    if rubric.source:
        _known_rubrics[rubric.source] = rubric
    with ws.write() as db:
        active = db.execute(
            "SELECT id, source FROM rubric WHERE project_id = ? AND name = ? AND active = 1",
            (project.id, rubric.name),
        ).fetchone()
        if active is not None and active["source"] == rubric.source:
            return
        db.execute(
            "UPDATE rubric SET active = 0 WHERE project_id = ? AND name = ?",
            (project.id, rubric.name),
        )
        db.execute(
            (
                "INSERT INTO rubric (project_id, name, version, hash, source, active, "
                "created_at) VALUES (?, ?, ?, ?, ?, 1, ?)"
            ),
            (project.id, rubric.name, rubric.version, rubric_hash(rubric), rubric.source, ws.now()),
        )
        db.execute(
            "UPDATE criterion SET active = 0 WHERE project_id = ? AND key LIKE ? ESCAPE '\\'",
            (
                project.id,
                rubric.name.replace("\\", "\\\\").replace("_", "\\_").replace("%", "\\%") + "/%",
            ),
        )
        # Criteria stand in the order of their file, rubrics in the order in which they first came.
        order = [
            row[0]
            for row in db.execute(
                "SELECT name FROM rubric WHERE project_id = ? GROUP BY name ORDER BY min(id)",
                (project.id,),
            )
        ]
        base = order.index(rubric.name) * MOST_CRITERIA
        for place, criterion in enumerate(rubric.criteria):
            db.execute(
                "INSERT INTO criterion (project_id, key, position, hash, scale, active) "
                "VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (project_id, key) "
                "DO UPDATE SET position = excluded.position, hash = excluded.hash, "
                "scale = excluded.scale, active = 1",
                (
                    project.id,
                    criterion.key,
                    base + place,
                    criterion.criterion_hash,
                    canonical(criterion.scale.to_spec()),
                ),
            )


def end_rubric(db: sqlite3.Connection, project: Project, name: str) -> None:
    """Take a rubric out of force: its texts, criteria and what was said under them stay."""
    db.execute("UPDATE rubric SET active = 0 WHERE project_id = ? AND name = ?", (project.id, name))
    prefix = f"{name}/"
    db.execute(
        "UPDATE criterion SET active = 0 WHERE project_id = ? AND substr(key, 1, ?) = ?",
        (project.id, len(prefix), prefix),
    )


def rubrics(ws: Workspace, project: Project) -> list[Rubric]:
    """The active rubrics of a project."""
    rows = ws.db.execute(
        "SELECT name, source FROM rubric WHERE project_id = ? AND active = 1 ORDER BY id",
        (project.id,),
    )
    return [known_rubric(row["source"], row["name"]) for row in rows]


def criteria(ws: Workspace, project: Project) -> list[CriterionRow]:
    """The active criteria of a project, in the order of their rubrics."""
    known = {c.key: (c, rubric) for rubric in rubrics(ws, project) for c in rubric.criteria}
    rows = ws.db.execute(
        (
            "SELECT id, key, hash FROM criterion WHERE project_id = ? AND active = 1 "
            "ORDER BY position, id"
        ),
        (project.id,),
    )
    return [
        CriterionRow(
            row["id"], row["key"], row["hash"], known[row["key"]][0].scale, *known[row["key"]]
        )
        for row in rows
        if row["key"] in known
    ]


def known_rubric(source: str, name: str) -> Rubric:
    """The rubric that a stored text writes, read once in a process; `save_rubric` knows what it
    stores."""
    found = _known_rubrics.get(source)
    if found is None:
        found = _known_rubrics[source] = read_rubric(source, where=f"rubric {name}")
        while len(_known_rubrics) > KNOWN_RUBRICS:
            # One step, also while other threads add.
            _known_rubrics.pop(list(_known_rubrics)[0], None)  # noqa: RUF015
    return found


# -- events


def log_event(
    ws: Workspace, project: Project | None, actor: str, kind: str, body: Mapping[str, Any]
) -> None:
    """Keep that something happened: draws, imports, changes of settings."""
    with ws.write() as db:
        db.execute(
            "INSERT INTO event (project_id, at, actor, kind, body) VALUES (?, ?, ?, ?, ?)",
            (project.id if project else None, ws.now(), actor, kind, dumps(dict(body))),
        )


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """Something that happened in a project: when, who did it ("" for a machine), of which kind,
    and what its kind keeps of it."""

    at: str
    actor: str
    kind: str
    body: JSON


def events(ws: Workspace, project: Project, kind: str = "", limit: int = 50) -> list[LoggedEvent]:
    """The latest events of a project, newest first."""
    rows = ws.db.execute(
        (
            "SELECT * FROM event WHERE project_id = ? AND (? = '' OR kind = ?) ORDER BY id DESC "
            "LIMIT ?"
        ),
        (project.id, kind, kind, limit),
    )
    return [LoggedEvent(r["at"], r["actor"], r["kind"], json.loads(r["body"])) for r in rows]
