"""Queries that use cases and pages read from; nothing here writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.author_texts import AUTHOR_GLOB
from graders.store.answers.author_texts import NO_CONTROL
from graders.store.answers.content import DONE, chunks, marks
from graders.store.projects import Project


def route_counts(db: sqlite3.Connection, project: Project) -> dict[str, dict[str, int]]:
    """Route -> reason -> cells; faults, which are no cells of the rubric, and authors' own texts
    are not counted."""
    found: dict[str, dict[str, int]] = {}
    sql = (
        "SELECT c.route, c.route_reason, count(*) FROM cell c "
        "JOIN criterion cr ON cr.id = c.criterion_id AND cr.active = 1 "
        "AND cr.key NOT LIKE 'faults/%' "
        f"WHERE c.project_id = ? AND c.tally_id IS NOT NULL AND {NO_CONTROL} "
        f"AND c.import_id {DONE} GROUP BY 1, 2 ORDER BY 1, 3 DESC"
    )
    for row in db.execute(sql, (project.id,)):
        reason = row[1].split(" (")[0]
        routes = found.setdefault(row[0] or "none", {})
        routes[reason] = routes.get(reason, 0) + row[2]
    return found


#: The criteria and cells that are counted: those of the rubric, of models' current answers, of
#: finished imports.
_COUNTED = (
    "FROM cell c JOIN criterion cr ON cr.id = c.criterion_id AND cr.active = 1 "
    "AND cr.key NOT LIKE 'faults/%' "
    f"WHERE c.project_id = ? AND c.tally_id IS NOT NULL AND {NO_CONTROL} AND c.import_id {DONE}"
)
#: What machines think of a cell under the criterion's present wording.
_MACHINES = (
    "FROM opinion o JOIN author a ON a.id = o.author_id AND a.kind <> 'person' {more} "
    f"WHERE o.cell_id = c.id AND o.criterion_hash = cr.hash AND o.import_id {DONE}"
)
_DECIDED = f"EXISTS (SELECT 1 {_MACHINES.format(more='')} AND o.status = 'ok')"


def verdict_counts(db: sqlite3.Connection, project: Project) -> dict[str, int]:
    """Cells, those with and without a value by a rule or judge, and suggestions."""
    sql = (
        f"SELECT count(*), coalesce(sum({_DECIDED}), 0), coalesce(sum(c.suggestion IS NOT NULL), "
        f"0) {_COUNTED}"
    )
    cells, decided, suggested = db.execute(sql, (project.id,)).fetchone()
    return {
        "cells": cells,
        "with_verdict": decided,
        "without": cells - decided,
        "suggestions": suggested,
    }


def reasons_without(db: sqlite3.Connection, project: Project) -> dict[str, int]:
    """Reason -> cells without a value by a machine; a judge's reason goes before a rule's, "" where
    no grader has looked."""
    why = _MACHINES.format(more="JOIN verdict v ON v.id = o.verdict_id")
    sql = (
        f"SELECT coalesce((SELECT v.reason {why} ORDER BY a.kind = 'judge' DESC, "
        f"o.verdict_id DESC LIMIT 1), ''), count(*) {_COUNTED} AND NOT {_DECIDED} GROUP BY 1"
    )
    return dict(map(tuple, db.execute(sql, (project.id,))))


def subjects_with_automatic(
    db: sqlite3.Connection, project: Project, criteria: Sequence[int]
) -> list[int]:
    """Subjects with at least one automatic cell under `criteria` (row ids)."""
    sql = (
        "SELECT DISTINCT subject_id FROM cell c WHERE project_id = ? "
        f"AND route = 'automatic' AND tally_id IS NOT NULL AND {NO_CONTROL} "
        f"AND criterion_id IN ({marks(len(criteria))}) AND import_id {DONE} ORDER BY 1"
    )
    return [row[0] for row in db.execute(sql, (project.id, *criteria))]


def subjects_with_cells(
    db: sqlite3.Connection, project: Project, criteria: Mapping[str, Sequence[int]]
) -> set[int]:
    """Subjects with a cell under one of the criteria (row ids) that `criteria` names for their
    question's task type."""
    found: set[int] = set()
    for task, ids in criteria.items():
        sql = (
            "SELECT DISTINCT c.subject_id FROM cell c "
            "JOIN question q ON q.id = c.question_id AND q.task_type = ? "
            "WHERE c.project_id = ? "
            f"AND c.tally_id IS NOT NULL AND c.criterion_id IN ({marks(len(ids))}) "
            f"AND c.import_id {DONE}"
        )
        found.update(row[0] for row in db.execute(sql, (task, project.id, *ids)))
    return found


def subjects_waiting(db: sqlite3.Connection, project: Project) -> list[int]:
    """Subjects with a cell that people must decide and have not: faults apart, which never open a
    screen by themselves."""
    sql = (
        "SELECT DISTINCT c.subject_id FROM cell c "
        "JOIN criterion cr ON cr.id = c.criterion_id AND cr.active = 1 "
        "AND cr.key NOT LIKE 'faults/%' "
        "WHERE c.project_id = ? AND c.route = 'people' AND c.final_source = 'pending' "
        f"AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
        "AND NOT EXISTS (SELECT 1 FROM opinion o JOIN author a ON a.id = o.author_id "
        "AND a.kind = 'person' WHERE o.cell_id = c.id) ORDER BY c.question_id, 1"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def busy_subjects(db: sqlite3.Connection, project: Project) -> set[int]:
    """Subjects of ordinary screens that a person holds, or that a person has done and that still
    wait for another."""
    sql = (
        "SELECT DISTINCT x.subject_id FROM screen_subject x "
        "JOIN screen s ON s.id = x.screen_id JOIN queue u ON u.screen_id = s.id "
        "WHERE s.project_id = ? "
        "AND s.design = 'ordinary' AND EXISTS (SELECT 1 FROM assignment a "
        "WHERE a.screen_id = s.id) AND (u.free > 0 OR EXISTS (SELECT 1 FROM assignment a "
        "WHERE a.screen_id = s.id AND a.state = 'leased'))"
    )
    return {row[0] for row in db.execute(sql, (project.id,))}


def screen_rows(
    db: sqlite3.Connection, subjects: Sequence[int]
) -> dict[int, list[tuple[int, ...]]]:
    """Question row -> groups of subjects; a group holds the answers to it that have the same
    text."""
    found: dict[int, dict[str, list[int]]] = {}
    for batch in chunks(subjects):
        sql = (
            "SELECT s.id, s.question_id, a.text_hash || coalesce('/' || s.other_id, '') "
            "FROM subject s JOIN answer a ON a.id = s.answer_id "
            f"WHERE s.id IN ({marks(len(batch))})"
        )
        for row in db.execute(sql, batch):
            found.setdefault(row[1], {}).setdefault(row[2], []).append(row[0])
    return {
        question: [tuple(sorted(group)) for group in groups.values()]
        for question, groups in sorted(found.items())
    }


def project_totals(db: sqlite3.Connection, project: Project) -> dict[str, int]:
    """Who decided the cells of a project's models, from the tallies."""
    row = db.execute(
        "SELECT coalesce(sum(cells), 0), coalesce(sum(people), 0), coalesce(sum(audit), 0), "
        "coalesce(sum(automatic), 0), coalesce(sum(closed), 0) "
        "FROM tally t JOIN criterion c ON c.id = t.criterion_id WHERE t.project_id = ? "
        "AND c.active = 1 AND c.key NOT LIKE 'faults/%' AND t.model NOT GLOB ?",
        (project.id, AUTHOR_GLOB),
    ).fetchone()
    pending = row[0] - row[1] - row[2] - row[3] - row[4]
    return {
        "cells": row[0],
        "people": row[1],
        "audit": row[2],
        "automatic": row[3],
        "closed": row[4],
        "pending": pending,
    }


@dataclass(frozen=True, slots=True)
class QuestionCount:
    """A value that can be filtered by, and how many questions have it."""

    value: str
    questions: int


def filter_values(db: sqlite3.Connection, project: Project) -> dict[str, list[QuestionCount]]:
    """What can be filtered by, with the number of questions."""
    out: dict[str, list[QuestionCount]] = {}
    for name in ("category", "task_type", "language"):
        sql = (
            f"SELECT {name}, count(*) FROM question WHERE project_id = ? AND import_id {DONE} "
            "GROUP BY 1 ORDER BY 2 DESC, 1"
        )
        out[name] = [QuestionCount(*row) for row in db.execute(sql, (project.id,)) if row[0]]
    return out


def peer_values(db: sqlite3.Connection, question_id: int) -> dict[str, list[float]]:
    """Metric -> values of all models' current answers to a question."""
    rows = db.execute(
        "SELECT m.metric, m.value FROM metric_value m JOIN subject s ON s.id = m.subject_id "
        "JOIN answer a ON a.id = s.answer_id AND a.current = 1 "
        "WHERE s.question_id = ? AND m.value IS NOT NULL AND a.model NOT GLOB ?",
        (question_id, AUTHOR_GLOB),
    )
    found: dict[str, list[float]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row[1])
    return found


def models(db: sqlite3.Connection, project: Project, limit: int = 200) -> list[str]:
    """Models of a project, longer than two letters: names to hide in texts."""
    # From name to name along the index: DISTINCT would walk all answers.
    sql = (
        "WITH RECURSIVE name(model) AS (SELECT min(model) FROM answer WHERE project_id = ?1 "
        "UNION ALL "
        "SELECT (SELECT min(a.model) FROM answer a WHERE a.project_id = ?1 "
        "AND a.model > name.model) FROM name WHERE name.model IS NOT NULL) "
        "SELECT model FROM name WHERE length(model) > 2 AND model NOT GLOB ?3 LIMIT ?2"
    )
    return [row[0] for row in db.execute(sql, (project.id, limit, AUTHOR_GLOB))]


def judged(
    db: sqlite3.Connection,
    project: Project,
    author: str,
    subject_ids: Sequence[int],
    settled: Sequence[str] = ("citation_not_found", "samples_tie"),
) -> set[tuple[int, int, str, str, str, str]]:
    """(subject, criterion, part, criterion hash, recipe hash, inputs) of the cells that a judge has
    an opinion on: a value, or none for one of the reasons `settled` (what it cites is not there,
    its samples tie): asking again does not mend these."""
    row = db.execute(
        "SELECT id FROM author WHERE project_id = ? AND kind = 'judge' AND name = ?",
        (project.id, author),
    ).fetchone()
    if row is None:
        return set()
    found: set[tuple[int, int, str, str, str, str]] = set()
    for batch in chunks(subject_ids):
        sql = (
            "SELECT c.subject_id, o.criterion_id, c.part, o.criterion_hash, v.recipe_hash, "
            "v.inputs FROM cell c JOIN opinion o ON o.criterion_id = c.criterion_id "
            "AND o.author_id = ? "
            "AND o.cell_id = c.id JOIN verdict v ON v.id = o.verdict_id "
            f"WHERE (o.status = 'ok' OR v.reason IN ({marks(len(settled))})) "
            f"AND c.subject_id IN ({marks(len(batch))})"
        )
        found.update(tuple(r) for r in db.execute(sql, (row[0], *settled, *batch)))
    return found
