"""Task types of questions: stated by the file for a question, or chosen by the lead for its
category."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graders.core.records import Question, TaskType
from graders.store.answers.content import DONE, chunks, marks
from graders.store.projects import Project
from graders.store.workspace import dumps

#: Where a question's metadata say that its task type is that of its category; a type that the file
#: states has no such mark.
MARK, BY_CATEGORY = "task_type_by", "category"
# Not SQLite's own JSON functions: metadata of files may hold what they refuse, such as NaN.
_OPEN = f"""(task_type = 'unknown' OR instr(metadata, '"{MARK}":"{BY_CATEGORY}"') > 0)"""


def chosen_types(project: Project) -> Mapping[str, TaskType]:
    """The lead's task type by category."""
    return dict(project.settings.get("task_types") or {})


def by_category(db: sqlite3.Connection, project: Project) -> list[tuple[str, str, bool, int]]:
    """(category, task type, stated by the file, number of questions), the category with most
    questions first."""
    sql = (
        f"SELECT category, task_type, NOT {_OPEN} AS stated, count(*) AS n, "
        "sum(count(*)) OVER (PARTITION BY category) AS of FROM question "
        f"WHERE project_id = ? AND import_id {DONE} GROUP BY 1, 2, 3 ORDER BY of DESC, 1, n DESC, 2"
    )
    return [(row[0], row[1], bool(row[2]), row[3]) for row in db.execute(sql, (project.id,))]


def questions_to_retype(
    db: sqlite3.Connection, project: Project, mapping: Mapping[str, str]
) -> list[tuple[int, str]]:
    """(question row, new task type) of the questions of these categories whose type no file states
    and is another one."""
    sql = (
        "SELECT id FROM question WHERE project_id = ? AND category = ? AND task_type <> ? "
        f"AND {_OPEN} ORDER BY id"
    )
    return [
        (row[0], task)
        for category, task in mapping.items()
        for row in db.execute(sql, (project.id, category, task))
    ]


def set_task_types(db: sqlite3.Connection, rows: Sequence[tuple[int, str]]) -> None:
    """Give questions the task type of their category: (question row, task type)."""
    metadata: dict[int, str] = {}
    for batch in chunks(row for row, _ in rows):
        metadata.update(
            db.execute(
                f"SELECT id, metadata FROM question WHERE id IN ({marks(len(batch))})", batch
            ).fetchall()
        )
    marked = [
        (task, dumps({**json.loads(metadata[row]), MARK: BY_CATEGORY}), row) for row, task in rows
    ]
    db.executemany("UPDATE question SET task_type = ?, metadata = ? WHERE id = ?", marked)


def kinds_of_questions(db: sqlite3.Connection, rows: Sequence[int]) -> dict[int, tuple[str, str]]:
    """Question row -> (task type, category)."""
    found: dict[int, tuple[str, str]] = {}
    for batch in chunks(rows):
        sql = f"SELECT id, task_type, category FROM question WHERE id IN ({marks(len(batch))})"
        found.update((row[0], (row[1], row[2])) for row in db.execute(sql, batch))
    return found


def typed(question: Question, chosen: Mapping[str, TaskType]) -> Question:
    """The question with the type of its category, where its file states none."""
    if question.task_type != "unknown" or not chosen.get(question.category):
        return question
    return replace(
        question,
        task_type=chosen[question.category],
        metadata={**question.metadata, MARK: BY_CATEGORY},
    )


def merged_type(
    old: Question, merged: Question, stated: Question, chosen: Mapping[str, TaskType]
) -> Question:
    """`merged`, which is `old` with what the file's question `stated` says, with its task type:
    that of the file, else of its category."""
    by_category = old.metadata.get(MARK) == BY_CATEGORY
    if stated.task_type != "unknown":
        if by_category and stated.metadata.get(MARK) != BY_CATEGORY:
            return replace(
                merged,
                metadata={name: value for name, value in merged.metadata.items() if name != MARK},
            )
        return merged
    if merged.category != old.category and (by_category or merged.task_type == "unknown"):
        return typed(replace(merged, task_type="unknown"), chosen)
    return merged
