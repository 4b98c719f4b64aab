"""What a finished import replaced of what was there, kept so that it can be put back: fields of
questions, figures of answers, settings, rubrics."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graders.core.hashing import text_hash
from graders.core.shapes import JSON
from graders.store import projects
from graders.store.answers.content import QUESTION_COLUMNS
from graders.store.answers.figures import FIGURES
from graders.store.projects import Project
from graders.store.transfer import staged
from graders.store.workspace import Workspace, dumps

#: Field -> what stood there before the import, and what it put there.
Change = Mapping[str, tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Replaced:
    """What an import replaced: of questions and answers by row, of settings, and of rubrics as
    (name, row of the text that was in force or None, hash of the new text). `people` came with
    it. `verdict` is the last verdict there was when it was finished, at the time `at`; `known` is
    False where an earlier version of Cograde finished it, which kept nothing."""

    questions: Mapping[int, Change]
    figures: Mapping[int, Change]
    settings: Change
    rubrics: tuple[tuple[str, int | None, str], ...]
    people: tuple[str, ...]
    verdict: int
    at: str
    known: bool


def keep(ws: Workspace, db: sqlite3.Connection, project: Project, import_id: int) -> None:
    """In the finishing transaction, before anything takes effect: keep what will be replaced."""
    rows: list[tuple[str, Any]] = []
    names = [name.strip() for name in QUESTION_COLUMNS.split(",")]
    for new in db.execute(
        "SELECT * FROM question_change WHERE import_id = ?", (import_id,)
    ).fetchall():
        rows.append(("question", _changes(db, "question", new["question_id"], names, new)))
    for answer, figures in staged.kept(db, import_id, "figures"):
        new = {k: dumps(dict(v)) if k == "metadata" else v for k, v in figures.items()}
        names = [name for name in FIGURES if name in new]
        rows.append(("figures", _changes(db, "answer", answer, names, new)))
    for name, value in staged.planned_settings(db, import_id).items():
        rows.append(("setting", [name, project.settings.get(name), value]))
    for rubric in staged.staged_rubrics(db, import_id):
        was = db.execute(
            "SELECT id, source FROM rubric WHERE project_id = ? AND name = ? AND active = 1",
            (project.id, rubric.name),
        ).fetchone()
        if was is None or was["source"] != rubric.source:
            new_text = text_hash(rubric.source)
            rows.append(("rubric", [rubric.name, was and was["id"], new_text]))
    known = projects.people(ws)
    came = {person for person, _, _ in staged.kept(db, import_id, "person")}
    rows.append(("people", sorted(came - set(known))))
    last = db.execute("SELECT coalesce(max(id), 0) FROM verdict").fetchone()[0]
    rows.append(("done", {"verdict": last, "at": ws.now()}))
    db.executemany(
        "INSERT INTO undo VALUES (?, ?, ?)", [(import_id, kind, dumps(body)) for kind, body in rows]
    )


def _changes(
    db: sqlite3.Connection, table: str, row: int, names: Iterable[str], new: Any
) -> tuple[int, dict[str, tuple[Any, Any]]]:
    """(row, its fields that will be others)."""
    old = db.execute(f"SELECT * FROM {table} WHERE id = ?", (row,)).fetchone()
    return row, {name: (old[name], new[name]) for name in names if old[name] != new[name]}


def replaced(db: sqlite3.Connection, import_id: int) -> Replaced:
    """What an import replaced."""
    found: dict[str, list[Any]] = {}
    for kind, body in db.execute(
        "SELECT tbl, body FROM undo WHERE import_id = ? ORDER BY rowid", (import_id,)
    ):
        found.setdefault(kind, []).append(json.loads(body))
    done = found.get("done", [])
    last: JSON = done[0] if done else {"verdict": 0, "at": ""}
    return Replaced(
        _by_row(found.get("question", [])),
        _by_row(found.get("figures", [])),
        {name: (old, new) for name, old, new in found.get("setting", [])},
        tuple((name, was, new) for name, was, new in found.get("rubric", [])),
        tuple(person for people in found.get("people", []) for person in people),
        last["verdict"],
        last["at"],
        bool(done),
    )


def _by_row(rows: Iterable[tuple[int, Change]]) -> dict[int, Change]:
    """The changes of each row: of several of one field the first old and the last new value."""
    found: dict[int, dict[str, tuple[Any, Any]]] = {}
    for row, changes in rows:
        mine = found.setdefault(row, {})
        for name, (old, new) in changes.items():
            mine[name] = (mine[name][0] if name in mine else old, new)
    return {row: changes for row, changes in found.items() if changes}


def put_back_rows(db: sqlite3.Connection, table: str, changes: Mapping[int, Change]) -> None:
    """Give rows of `question` or `answer` their old fields again, where they still are as the
    import left them: what was changed since stays."""
    for row, fields in changes.items():
        for name, (old, new) in fields.items():
            db.execute(
                f"UPDATE {table} SET {name} = ? WHERE id = ? AND {name} IS ?", (old, row, new)
            )


def put_back_settings(ws: Workspace, project: Project, changes: Change) -> None:
    """Give a project the settings that it had, where nobody changed them since."""
    present = projects.get_project(ws, project.name).settings
    back = {name: old for name, (old, new) in changes.items() if present.get(name) == new}
    if back:
        projects.set_settings(ws, project, back)


def put_back_rubrics(
    ws: Workspace, db: sqlite3.Connection, project: Project, replaced: Replaced, import_id: int
) -> tuple[list[str], list[str]]:
    """Put the rubrics in force that an import replaced, and out of force those that it added;
    returns the keys of criteria that are in force again, and the names of rubrics that stay as they
    are, because they were changed since, or people or judges graded other answers by them."""
    keys: list[str] = []
    stay: list[str] = []
    for name, was, new in replaced.rubrics:
        row = db.execute(
            "SELECT source FROM rubric WHERE project_id = ? AND name = ? AND active = 1",
            (project.id, name),
        ).fetchone()
        if row is None or text_hash(row[0]) != new or _graded_by(db, project, name, import_id):
            stay.append(name)
        elif was is None:
            projects.end_rubric(db, project, name)
        else:
            source = db.execute("SELECT source FROM rubric WHERE id = ?", (was,)).fetchone()[0]
            rubric = projects.known_rubric(source, name)
            projects.save_rubric(ws, project, rubric)
            keys += [criterion.key for criterion in rubric.criteria]
    return keys, stay


def _graded_by(db: sqlite3.Connection, project: Project, name: str, import_id: int) -> bool:
    """Whether a person or judge gave a verdict under a rubric, in its present wording, on what the
    import did not bring."""
    sql = (
        "SELECT 1 FROM criterion k JOIN opinion o ON o.criterion_id = k.id "
        "AND o.criterion_hash = k.hash JOIN author w ON w.id = o.author_id AND w.kind <> 'rule' "
        "JOIN verdict v ON v.id = o.verdict_id AND v.import_id <> ? "
        "WHERE k.project_id = ? AND k.active = 1 AND substr(k.key, 1, ?) = ? LIMIT 1"
    )
    prefix = f"{name}/"
    found = db.execute(sql, (import_id, project.id, len(prefix), prefix)).fetchone()
    return found is not None


#: Where a person may have left something: table, column.
_PEOPLE = (
    ("author", "name"),
    ("assignment", "person_id"),
    ("save", "person_id"),
    ("seen", "person_id"),
    ("flag", "person_id"),
    ("looked", "person_id"),
)


def forget_people(db: sqlite3.Connection, project: Project, people: Iterable[str]) -> None:
    """Remove authors of a project who say nothing any more, and those of `people` who are left
    nowhere: they came with an import that went."""
    said = "(SELECT author_id FROM verdict)"
    db.execute(f"DELETE FROM author WHERE project_id = ? AND id NOT IN {said}", (project.id,))
    for person in people:
        if not any(
            db.execute(f"SELECT 1 FROM {table} WHERE {column} = ? LIMIT 1", (person,)).fetchone()
            for table, column in _PEOPLE
        ):
            db.execute("DELETE FROM person WHERE id = ?", (person,))
