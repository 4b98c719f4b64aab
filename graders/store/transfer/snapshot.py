"""All of a project as plain rows in a stable order, for exports: the same state gives the same
bytes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from graders.core.shapes import JSON
from graders.store.answers.content import DONE, IS_CURRENT
from graders.store.desk import seeded
from graders.store.figures import confidence_orders
from graders.store.opinions import kept_labels
from graders.store.projects import Project
from graders.store.transfer import labels
from graders.store.workspace import Workspace

#: A row of the exchange format, as its line of JSON.
Row = JSON
Rows = list[Row]

#: What names the answer (or pair) of a subject `s`, and the tables that it is read from.
_SUBJECT = "q.key AS question_id, a.model, b.model AS model_b, a.version AS answer_version"
_ITS_ANSWERS = (
    "JOIN answer a ON a.id = s.answer_id LEFT JOIN answer b ON b.id = s.other_id "
    "JOIN question q ON q.id = s.question_id"
)
#: States of assignments that travel.
_TRAVELS = "('done', 'partial', 'skipped', 'practised')"


@dataclass(frozen=True, slots=True)
class Span:
    """Some rows of a table: without the `first`, at most so many; a negative `most` is all."""

    first: int = 0
    most: int = -1


EVERY = Span()


def _rows(db: sqlite3.Connection, sql: str, *values: Any, span: Span = EVERY) -> Iterator[Row]:
    if span != EVERY:
        sql, values = f"{sql} LIMIT ? OFFSET ?", (*values, span.most, span.first)
    return map(dict, db.execute(sql, values))


def _load(rows: Iterable[Row], *names: str) -> Iterator[Row]:
    """The rows with their JSON columns read."""
    for row in rows:
        for name in names:
            row[name] = None if row[name] is None else json.loads(row[name])
        yield row


def _bare(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows without what is empty: None, empty text, empty list or map."""
    return map(_bare_row, rows)


def _bare_row(row: Row) -> Row:
    return {k: v for k, v in row.items() if v is not None and v != "" and v != [] and v != {}}


def project_row(ws: Workspace, project: Project) -> JSON:
    """What `project.json` holds."""
    return {
        "name": project.name,
        "title": project.title,
        "format": 1,
        "notice": project.notice,
        "seed": project.seed,
        "rubrics": _rubric_order(ws.db, project),
        "settings": dict(project.settings),
        "labels_chosen": labels.weakest(ws.db, project),
    }


def _rubric_order(db: sqlite3.Connection, project: Project) -> list[str]:
    """Active rubrics in the order in which they first came, which is the order of the criteria."""
    sql = (
        "SELECT name FROM rubric WHERE project_id = ? GROUP BY name HAVING max(active) = 1 "
        "ORDER BY min(id)"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def rubric_sources(ws: Workspace, project: Project) -> dict[str, str]:
    """The active rubrics' texts by name."""
    return {
        row[0]: row[1]
        for row in ws.db.execute(
            "SELECT name, source FROM rubric WHERE project_id = ? AND active = 1 ORDER BY name",
            (project.id,),
        )
    }


def tables(ws: Workspace, project: Project) -> dict[str, Rows]:
    """All tables of the exchange format."""
    return {name: list(rows(ws, project, name)) for name in _TABLES}


def rows(ws: Workspace, project: Project, table: str) -> Iterator[Row]:
    """A table of the exchange format, row by row: of a million verdicts one is held at a time."""
    return _TABLES[table](ws.db, project)


def opinions(
    ws: Workspace, project: Project, table: str, span: Span = EVERY
) -> Iterator[tuple[int, Row]]:
    """human.jsonl, judge.jsonl, rules.jsonl: (cell, row) of every verdict, also amended and
    retracted ones, in the order they were given."""
    return _opinions(ws.db, project, table, span)


def count_opinions(ws: Workspace, project: Project, table: str) -> int:
    """How many rows `opinions` has."""
    sql = (
        "SELECT count(*) FROM author au JOIN verdict v ON v.author_id = au.id "
        f"WHERE au.project_id = ? AND au.kind = ? AND v.import_id {DONE}"
    )
    return int(ws.db.execute(sql, (project.id, OPINIONS[table][0])).fetchone()[0])


def routes(ws: Workspace, project: Project, span: Span = EVERY) -> Iterator[Row]:
    """routes.jsonl, or some of its rows."""
    return _routes(ws.db, project, span)


def questions(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    """questions.jsonl"""
    rows = _rows(
        db,
        "SELECT key AS id, text, category, task_type, language, detail, refs AS reference, "
        "context, facts, must_have, metadata FROM question "
        f"WHERE project_id = ? AND import_id {DONE} ORDER BY question.id",
        project.id,
    )
    return _bare(_load(rows, "reference", "context", "facts", "must_have", "metadata"))


def answers(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    """answers.jsonl"""
    rows = _rows(
        db,
        "SELECT q.key AS question_id, a.model, a.version, a.text, a.time_to_first_token, "
        "a.total_seconds, a.input_tokens, a.output_tokens, a.cost, "
        "a.finish_reason, a.metadata FROM answer a JOIN question q ON q.id = a.question_id "
        f"WHERE a.project_id = ? AND a.import_id {DONE} "
        "ORDER BY a.id",
        project.id,
    )
    return _bare(_load(rows, "metadata"))


def _people(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    sql = (
        'SELECT p.id, p.name, p.grp AS "group" FROM person p WHERE p.id IN (SELECT name '
        "FROM author WHERE project_id = ? AND kind = 'person') "
        "OR p.id IN (SELECT person_id FROM assignment WHERE project_id = ?) "
        "OR EXISTS (SELECT 1 FROM seen JOIN subject s ON s.id = seen.subject_id "
        "WHERE seen.person_id = p.id AND s.project_id = ?) ORDER BY p.id"
    )
    return _bare(_rows(db, sql, project.id, project.id, project.id))


#: Whose verdicts each table holds, and the column that names them there.
OPINIONS = {
    "human": ("person", "annotator"),
    "judge": ("judge", "judge"),
    "rules": ("rule", "rule"),
}


def _opinions(
    db: sqlite3.Connection, project: Project, table: str, span: Span = EVERY
) -> Iterator[tuple[int, Row]]:
    kind, field = OPINIONS[table]
    found = _rows(
        db,
        "SELECT v.uid AS id, q.key AS question_id, a.model, b.model AS model_b, "
        "a.version AS answer_version, cr.key AS criterion, c.part, "
        f"au.name AS {field}, v.value, v.status, v.reason, v.kind, v.amends, cr.scale, "
        "v.confidence, v.confidence_kind, v.rationale, v.evidence, "
        "v.provenance, v.criterion_hash, v.recipe_hash, v.inputs, v.grader_version, v.cost, "
        "v.metadata, v.created_at, v.cell_id FROM author au "
        "JOIN verdict v ON v.author_id = au.id JOIN cell c ON c.id = v.cell_id "
        "JOIN criterion cr ON cr.id = c.criterion_id "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id LEFT "
        "JOIN answer b ON b.id = s.other_id "
        "JOIN question q ON q.id = c.question_id WHERE au.project_id = ? AND au.kind = ? "
        f"AND v.import_id {DONE} ORDER BY v.id",
        project.id,
        kind,
        span=span,
    )
    for row in _load(found, "value", "scale", "evidence", "metadata", "provenance"):
        provenance, metadata, cell = (
            row.pop("provenance") or {},
            row.pop("metadata"),
            row.pop("cell_id"),
        )
        if row["model_b"]:
            row["model_a"], row["model"] = row["model"], f"{row['model']} vs {row['model_b']}"
        if row["status"] == "ok":
            row.pop("status")
        if row["kind"] == "given":
            row.pop("kind")
        yield cell, _bare_row({**row, **provenance, **metadata})


def _metrics(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    return _bare(
        _rows(
            db,
            "SELECT q.key AS question_id, a.model, b.model AS model_b, "
            "a.version AS answer_version, m.metric, m.reference, m.value, m.status, "
            "m.reason, "
            "m.version AS grader_version, m.inputs FROM metric_value m "
            "JOIN subject s ON s.id = m.subject_id JOIN answer a ON a.id = s.answer_id "
            "LEFT JOIN answer b ON b.id = s.other_id "
            "JOIN question q ON q.id = s.question_id WHERE m.project_id = ? "
            f"AND s.import_id {DONE} "
            "ORDER BY q.id, a.id, b.id, m.metric",
            project.id,
        )
    )


def _routes(db: sqlite3.Connection, project: Project, span: Span = EVERY) -> Iterator[Row]:
    rows = _rows(
        db,
        "SELECT q.key AS question_id, a.model, b.model AS model_b, a.version AS "
        "answer_version, cr.key AS criterion, c.part, c.route, c.route_reason AS reason, "
        "c.suggestion, c.suggestion_confidence AS confidence, c.suggestion_reason, c.final, "
        "c.final_source, c.final_reason FROM cell c "
        "JOIN criterion cr ON cr.id = c.criterion_id JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id "
        "LEFT JOIN answer b ON b.id = s.other_id JOIN question q ON q.id = c.question_id "
        f"WHERE c.project_id = ? AND c.import_id {DONE} "
        "AND c.retired = 0 ORDER BY q.id, a.id, b.id, cr.position, cr.id, c.part",
        project.id,
        span=span,
    )
    return _bare(_load(rows, "suggestion", "final"))


def _screens(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    rows = _rows(
        db,
        "SELECT row_number() OVER (ORDER BY s.id) AS screen, s.id AS row_id, "
        "q.key AS question_id, s.design, s.probability, s.seed, s.needed, s.done, "
        "s.created_at, s.again, s.look, u.priority, u.left_over OR EXISTS (SELECT 1 "
        "FROM assignment a WHERE a.screen_id = s.id AND a.adaptive = 1 AND a.state "
        f"NOT IN {_TRAVELS}) AS left_over, u.free + (SELECT count(*) FROM assignment a "
        "WHERE a.screen_id = s.id AND a.state = 'leased') AS free FROM screen s "
        "JOIN question q ON q.id = s.question_id LEFT JOIN queue u ON u.screen_id = s.id "
        "WHERE s.project_id = ? ORDER BY s.id",
        project.id,
    )
    known = db.execute("SELECT id FROM screen WHERE project_id = ? ORDER BY id", (project.id,))
    number = {row[0]: place for place, row in enumerate(known, 1)}
    for row in rows:
        again, left_over, look = row.pop("again"), row.pop("left_over"), row.pop("look")
        row |= {
            **({"look": look} if look else {}),
            **({"again": number[again]} if again else {}),
            **({"left_over": True} if left_over else {}),
        }
        if row["priority"] is None:  # one person's alone, in no queue
            del row["priority"], row["free"]
        answers = _bare(
            _rows(
                db,
                "SELECT a.model, b.model AS model_b, a.version AS answer_version "
                "FROM screen_subject x JOIN subject s ON s.id = x.subject_id "
                "JOIN answer a ON a.id = s.answer_id LEFT JOIN answer b ON b.id = s.other_id "
                "WHERE x.screen_id = ? ORDER BY a.id, b.id",
                row["row_id"],
            )
        )
        cells = list(_bare(_rows(db, _ASKED, row.pop("row_id"))))
        yield {**row, "answers": list(answers), **({"cells": cells} if cells else {})}


#: The only cells that a screen asks about.
_ASKED = (
    "SELECT a.model, b.model AS model_b, a.version AS answer_version, k.key AS criterion, "
    "c.part FROM screen_cell x JOIN cell c ON c.id = x.cell_id "
    "JOIN criterion k ON k.id = c.criterion_id JOIN subject s ON s.id = c.subject_id "
    "JOIN answer a ON a.id = s.answer_id "
    "LEFT JOIN answer b ON b.id = s.other_id WHERE x.screen_id = ? "
    "ORDER BY a.id, b.id, k.position, k.id, c.part"
)


def _assignments(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    """Finished and skipped ones, with the ids of the verdicts given there; a lease that is still
    running does not travel."""
    rows = _rows(
        db,
        "SELECT a.screen_id, n.screen, a.person_id AS person, a.occasion, a.arm, "
        "a.probability, a.order_seed, a.state, a.save_id, a.comment, a.flagged, "
        "a.reason, a.seconds, a.saved_at, nullif(a.adaptive, 0) AS adaptive "
        "FROM assignment a JOIN (SELECT id, row_number() OVER (ORDER BY id) AS screen "
        "FROM screen WHERE project_id = ?1) n ON n.id = a.screen_id WHERE a.project_id = ?1 "
        f"AND a.state IN {_TRAVELS} "
        "ORDER BY n.screen, a.person_id, a.occasion",
        project.id,
    )
    said: dict[tuple[int, str], list[str]] = {}
    copies = seeded.project_of_copies(db, project) or project
    for screen, person, uid in db.execute(
        "SELECT v.screen_id, w.name, v.uid FROM author w "
        "JOIN verdict v ON v.author_id = w.id WHERE w.project_id IN (?, ?) "
        "AND w.kind = 'person' "
        "AND v.screen_id IS NOT NULL ORDER BY v.id",
        (project.id, copies.id),
    ):
        said.setdefault((screen, person), []).append(uid)
    for row in rows:
        row["verdicts"] = said.get((row.pop("screen_id"), row["person"]))
        yield _bare_row(row)


def _seen(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    """Answers whose marks people were shown: nobody gives a blind verdict on one, here or
    elsewhere."""
    sql = (
        f"SELECT x.person_id AS person, {_SUBJECT}, x.at FROM subject s "
        f"JOIN seen x ON x.subject_id = s.id {_ITS_ANSWERS} "
        f"WHERE s.project_id = ? AND s.import_id {DONE} ORDER BY q.id, a.id, b.id, x.person_id"
    )
    return _bare(_rows(db, sql, project.id))


def _gold(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    """Cells that check people or on which they practise."""
    sql = (
        f"SELECT {_SUBJECT}, k.key AS criterion, c.part, nullif(g.practice, 0) AS practice, "
        "g.by, g.at FROM gold g JOIN cell c ON c.id = g.cell_id "
        "JOIN criterion k ON k.id = c.criterion_id "
        f"JOIN subject s ON s.id = c.subject_id {_ITS_ANSWERS} WHERE g.project_id = ? "
        f"AND c.import_id {DONE} "
        "ORDER BY q.id, a.id, b.id, k.position, k.id, c.part"
    )
    return _bare(_rows(db, sql, project.id))


def _calls(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    rows = _rows(
        db,
        "SELECT key, provider, model, state, coalesce((SELECT r.payload FROM request r "
        "WHERE r.key = call.key), '{}') AS payload, reply, cause, sends, causes, "
        "perhaps_paid, certainly_paid, input_tokens, cached_tokens, "
        "output_tokens, money, seconds, at FROM call WHERE project_id = ? "
        "AND state IN ('stored', 'unusable', 'forgotten') ORDER BY at, key",
        project.id,
    )
    return _bare(_load(rows, "payload", "causes"))


def _pairs(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    """The pairs of answers that were drawn, also where nobody has compared them yet. `after`: how
    many answers were there, where others came later; without it all were."""
    sql = (
        "SELECT q.key AS question_id, a.model, b.model AS model_b, a.version AS "
        "answer_version, nullif(n.after, n.every) AS after FROM subject s "
        "JOIN (SELECT id, sum(other_id IS NULL) OVER (ORDER BY id) AS after, "
        "sum(other_id IS NULL) OVER () AS every FROM subject "
        f"WHERE project_id = ?1 AND import_id {DONE}) n ON n.id = s.id "
        "JOIN answer a ON a.id = s.answer_id "
        "JOIN answer b ON b.id = s.other_id JOIN question q ON q.id = s.question_id "
        f"WHERE s.project_id = ?1 AND {IS_CURRENT} "
        "ORDER BY s.id"
    )
    return _bare(_rows(db, sql, project.id))


def _events(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    """Draws, the terms that were fixed for them, and reveals to people. A draw's last answer is
    given by its place in the order in which answers came: rows have other numbers elsewhere."""
    rows = _load(
        _rows(
            db,
            (
                "SELECT at, actor, kind, body FROM event WHERE project_id = ? "
                "AND kind IN ('draw', 'terms', 'reveal', 'reveal_closed') ORDER BY id"
            ),
            project.id,
        ),
        "body",
    )
    for row in rows:
        for end in {"upto", "after"} & row["body"].keys():
            travels = f"s.import_id {DONE} AND (s.other_id IS NULL OR {IS_CURRENT})"
            sql = (
                f"SELECT count(*) FROM subject s WHERE s.project_id = ? AND s.id <= ? AND {travels}"
            )
            row["body"][end] = db.execute(sql, (project.id, row["body"][end])).fetchone()[0]
        yield _bare_row(row)


def cells(ws: Workspace, project: Project) -> Rows:
    """One row per cell, with question, answer and final value, for spreadsheets."""
    return list(each_cell(ws, project))


def each_cell(ws: Workspace, project: Project, span: Span = EVERY) -> Iterator[Row]:
    """The rows of `cells`, one at a time."""
    return _load(
        _rows(
            ws.db,
            "SELECT q.key AS question_id, q.text AS question, q.category, q.task_type, "
            "q.language, a.model, a.version AS answer_version, a.text AS answer, "
            "cr.key AS criterion, c.part, c.final, c.final_source, c.final_reason, "
            "c.suggestion, c.suggestion_confidence, c.suggestion_reason, c.route, "
            "c.route_reason "
            "FROM cell c JOIN criterion cr ON cr.id = c.criterion_id AND cr.active = 1 "
            "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
            "JOIN question q ON q.id = c.question_id WHERE c.project_id = ? "
            f"AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
            "ORDER BY q.id, a.id, cr.position, cr.id, c.part",
            project.id,
            span=span,
        ),
        "final",
        "suggestion",
    )


def _said(table: str) -> Callable[[sqlite3.Connection, Project], Iterator[Row]]:
    return lambda db, project: (row for _, row in _opinions(db, project, table))


def _orders(db: sqlite3.Connection, project: Project) -> Iterator[Row]:
    return _bare(
        _rows(
            db,
            "SELECT kind, labelled, learned, at FROM review_order WHERE project_id = ?",
            project.id,
        )
    )


#: The tables of the exchange format.
_TABLES: dict[str, Callable[[sqlite3.Connection, Project], Iterator[Row]]] = {
    "people": _people,
    "questions": questions,
    "answers": answers,
    **{table: _said(table) for table in OPINIONS},
    "pairs": _pairs,
    "metrics": _metrics,
    "routes": _routes,
    "screens": _screens,
    "assignments": _assignments,
    "seen": _seen,
    "review_order": _orders,
    "confidence_orders": confidence_orders.rows_of,
    "gold": _gold,
    "kept_labels": kept_labels.rows_of,
    "calls": _calls,
    "events": _events,
}
