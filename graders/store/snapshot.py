"""All of a project as plain rows in a stable order, for exports: the same state gives the same bytes."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from graders.store.content import DONE
from graders.store.projects import Project
from graders.store.workspace import Workspace

Rows = list[dict[str, Any]]


def _rows(db: sqlite3.Connection, sql: str, *values: Any) -> Rows:
    return [dict(row) for row in db.execute(sql, values)]


def _load(rows: Rows, *names: str) -> Rows:
    """The rows with their JSON columns read."""
    for row in rows:
        for name in names:
            row[name] = None if row[name] is None else json.loads(row[name])
    return rows


def _bare(rows: Rows) -> Rows:
    """The rows without what is empty: None, empty text, empty list or map."""
    return [{k: v for k, v in row.items() if v is not None and v != "" and v != [] and v != {}} for row in rows]


def project_row(ws: Workspace, project: Project) -> dict[str, Any]:
    """What `project.json` holds."""
    return {
        "name": project.name,
        "title": project.title,
        "format": 1,
        "notice": project.notice,
        "seed": project.seed,
        "rubrics": _rubric_order(ws.db, project),
        "settings": dict(project.settings),
    }


def _rubric_order(db: sqlite3.Connection, project: Project) -> list[str]:
    """Active rubrics in the order in which they first came, which is the order of the criteria."""
    sql = "SELECT name FROM rubric WHERE project_id = ? GROUP BY name HAVING max(active) = 1 ORDER BY min(id)"
    return [row[0] for row in db.execute(sql, (project.id,))]


def rubric_sources(ws: Workspace, project: Project) -> dict[str, str]:
    """The active rubrics' texts by name."""
    return {
        row[0]: row[1]
        for row in ws.db.execute("SELECT name, source FROM rubric WHERE project_id = ? AND active = 1 ORDER BY name", (project.id,))
    }


def tables(ws: Workspace, project: Project) -> dict[str, Rows]:
    """All tables of the exchange format."""
    db = ws.db
    return {
        "people": _people(db, project),
        "questions": questions(db, project),
        "answers": answers(db, project),
        "human": _opinions(db, project, "person", "annotator"),
        "judge": _opinions(db, project, "judge", "judge"),
        "rules": _opinions(db, project, "rule", "rule"),
        "metrics": _metrics(db, project),
        "routes": _routes(db, project),
        "screens": _screens(db, project),
        "assignments": _assignments(db, project),
        "calls": _calls(db, project),
        "events": _events(db, project),
    }


def questions(db: sqlite3.Connection, project: Project) -> Rows:
    """questions.jsonl"""
    rows = _rows(
        db,
        "SELECT key AS id, text, category, task_type, language, detail, refs AS reference, context, facts, must_have, metadata FROM question "
        f"WHERE project_id = ? AND import_id {DONE} ORDER BY question.id",
        project.id,
    )
    return _bare(_load(rows, "reference", "context", "facts", "must_have", "metadata"))


def answers(db: sqlite3.Connection, project: Project) -> Rows:
    """answers.jsonl"""
    rows = _rows(
        db,
        "SELECT q.key AS question_id, a.model, a.version, a.text, a.time_to_first_token, a.total_seconds, a.input_tokens, a.output_tokens, a.cost, "
        f"a.finish_reason, a.metadata FROM answer a JOIN question q ON q.id = a.question_id WHERE a.project_id = ? AND a.import_id {DONE} "
        "ORDER BY a.id",
        project.id,
    )
    return _bare(_load(rows, "metadata"))


def _people(db: sqlite3.Connection, project: Project) -> Rows:
    sql = (
        "SELECT p.id, p.name, p.grp AS \"group\" FROM person p WHERE p.id IN (SELECT name FROM author WHERE project_id = ? AND kind = 'person') "
        "OR p.id IN (SELECT person_id FROM assignment WHERE project_id = ?) ORDER BY p.id"
    )
    return _bare(_rows(db, sql, project.id, project.id))


def _opinions(db: sqlite3.Connection, project: Project, kind: str, field: str) -> Rows:
    """human.jsonl, judge.jsonl, rules.jsonl: every verdict, also amended and retracted ones, in the order they were given."""
    found = _rows(
        db,
        "SELECT v.uid AS id, q.key AS question_id, a.model, b.model AS model_b, a.version AS answer_version, cr.key AS criterion, c.part, "
        f"au.name AS {field}, v.value, v.status, v.reason, v.kind, v.amends, cr.scale, v.confidence, v.confidence_kind, v.rationale, v.evidence, "
        "v.provenance, v.criterion_hash, v.recipe_hash, v.inputs, v.grader_version, v.cost, v.metadata, v.created_at FROM author au "
        "JOIN verdict v ON v.author_id = au.id JOIN cell c ON c.id = v.cell_id JOIN criterion cr ON cr.id = c.criterion_id "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id LEFT JOIN answer b ON b.id = s.other_id "
        f"JOIN question q ON q.id = c.question_id WHERE au.project_id = ? AND au.kind = ? AND v.import_id {DONE} ORDER BY v.id",
        project.id,
        kind,
    )
    out: Rows = []
    for row in _load(found, "value", "scale", "evidence", "metadata", "provenance"):
        provenance, metadata = row.pop("provenance") or {}, row.pop("metadata")
        if row["model_b"]:
            row["model_a"], row["model"] = row["model"], f"{row['model']} vs {row['model_b']}"
        if row["status"] == "ok":
            row.pop("status")
        if row["kind"] == "given":
            row.pop("kind")
        out.append({**row, **provenance, **metadata})
    return _bare(out)


def _metrics(db: sqlite3.Connection, project: Project) -> Rows:
    return _bare(
        _rows(
            db,
            "SELECT q.key AS question_id, a.model, b.model AS model_b, a.version AS answer_version, m.metric, m.reference, m.value, m.status, m.reason, "
            "m.version AS grader_version, m.inputs FROM metric_value m JOIN subject s ON s.id = m.subject_id JOIN answer a ON a.id = s.answer_id "
            f"LEFT JOIN answer b ON b.id = s.other_id JOIN question q ON q.id = s.question_id WHERE m.project_id = ? AND s.import_id {DONE} "
            "ORDER BY q.id, a.id, b.id, m.metric",
            project.id,
        )
    )


def _routes(db: sqlite3.Connection, project: Project) -> Rows:
    rows = _rows(
        db,
        "SELECT q.key AS question_id, a.model, b.model AS model_b, a.version AS answer_version, cr.key AS criterion, c.part, c.route, c.route_reason AS reason, "
        "c.suggestion, c.suggestion_confidence AS confidence, c.suggestion_reason, c.final, c.final_source, c.final_reason FROM cell c "
        "JOIN criterion cr ON cr.id = c.criterion_id JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
        f"LEFT JOIN answer b ON b.id = s.other_id JOIN question q ON q.id = c.question_id WHERE c.project_id = ? AND c.import_id {DONE} "
        "AND c.retired = 0 ORDER BY q.id, a.id, b.id, cr.position, cr.id, c.part",
        project.id,
    )
    return _bare(_load(rows, "suggestion", "final"))


def _screens(db: sqlite3.Connection, project: Project) -> Rows:
    rows = _rows(
        db,
        "SELECT row_number() OVER (ORDER BY s.id) AS screen, s.id AS row_id, q.key AS question_id, s.design, s.probability, s.seed, s.needed, s.done, "
        "s.created_at, s.again, u.priority, u.left_over, u.free + (SELECT count(*) FROM assignment a WHERE a.screen_id = s.id AND a.state = 'leased') "
        "AS free FROM screen s JOIN question q ON q.id = s.question_id LEFT JOIN queue u ON u.screen_id = s.id WHERE s.project_id = ? ORDER BY s.id",
        project.id,
    )
    number = {row["row_id"]: row["screen"] for row in rows}
    for row in rows:
        again, left_over = row.pop("again"), row.pop("left_over")
        row |= {**({"again": number[again]} if again else {}), **({"left_over": True} if left_over else {})}
        if row["priority"] is None:  # one person's alone, in no queue
            del row["priority"], row["free"]
        row["answers"] = _bare(
            _rows(
                db,
                "SELECT a.model, b.model AS model_b, a.version AS answer_version FROM screen_subject x JOIN subject s ON s.id = x.subject_id "
                "JOIN answer a ON a.id = s.answer_id LEFT JOIN answer b ON b.id = s.other_id WHERE x.screen_id = ? ORDER BY a.id, b.id",
                row.pop("row_id"),
            )
        )
    return rows


def _assignments(db: sqlite3.Connection, project: Project) -> Rows:
    """Finished and skipped ones; a lease that is still running does not travel."""
    return _bare(
        _rows(
            db,
            "SELECT n.screen, a.person_id AS person, a.occasion, a.arm, a.probability, a.order_seed, a.state, a.save_id, a.comment, a.flagged, "
            "a.reason, a.seconds, a.saved_at, nullif(a.adaptive, 0) AS adaptive FROM assignment a JOIN (SELECT id, row_number() OVER (ORDER BY id) AS screen FROM screen "
            "WHERE project_id = ?1) n ON n.id = a.screen_id WHERE a.project_id = ?1 AND a.state IN ('done', 'partial', 'skipped', 'practised') "
            "ORDER BY n.screen, a.person_id, a.occasion",
            project.id,
        )
    )


def _calls(db: sqlite3.Connection, project: Project) -> Rows:
    rows = _rows(
        db,
        "SELECT key, provider, model, state, coalesce((SELECT r.payload FROM request r WHERE r.key = call.key), '{}') AS payload, reply, cause, sends, causes, perhaps_paid, certainly_paid, input_tokens, cached_tokens, "
        "output_tokens, money, seconds, at FROM call WHERE project_id = ? AND state IN ('stored', 'unusable', 'forgotten') ORDER BY at, key",
        project.id,
    )
    return _bare(_load(rows, "payload", "causes"))


def _events(db: sqlite3.Connection, project: Project) -> Rows:
    """Draws and the terms that were fixed for them. A draw's last answer is given by its place in the order in which answers came: rows have other numbers elsewhere."""
    rows = _load(
        _rows(db, "SELECT at, actor, kind, body FROM event WHERE project_id = ? AND kind IN ('draw', 'terms') ORDER BY id", project.id),
        "body",
    )
    for row in rows:
        if "upto" in row["body"]:
            sql = "SELECT count(*) FROM subject WHERE project_id = ? AND id <= ?"
            row["body"]["upto"] = db.execute(sql, (project.id, row["body"]["upto"])).fetchone()[0]
    return _bare(rows)


def cells(ws: Workspace, project: Project) -> Rows:
    """One row per cell, with question, answer and final value, for spreadsheets."""
    return _load(
        _rows(
            ws.db,
            "SELECT q.key AS question_id, q.text AS question, q.category, q.task_type, q.language, a.model, a.version AS answer_version, a.text AS answer, "
            "cr.key AS criterion, c.part, c.final, c.final_source, c.final_reason, c.suggestion, c.suggestion_confidence, c.suggestion_reason, c.route, c.route_reason "
            "FROM cell c JOIN criterion cr ON cr.id = c.criterion_id AND cr.active = 1 JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
            f"JOIN question q ON q.id = c.question_id WHERE c.project_id = ? AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
            "ORDER BY q.id, a.id, cr.position, cr.id, c.part",
            project.id,
        ),
        "final",
        "suggestion",
    )
