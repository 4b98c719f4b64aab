"""Authors' own texts among the answers (see `graders.core.author_texts`): which they are, and their
marks beside the models' on the same questions."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.author_texts import AUTHOR_GLOB
from graders.store.answers.content import DONE, marks
from graders.store.projects import Project

#: For a cell `c` that is counted: not of an author's text. The tallies of authors are few, and are
#: looked up once.
NO_CONTROL = f"c.tally_id NOT IN (SELECT id FROM tally WHERE model GLOB '{AUTHOR_GLOB}')"
_FILTERS = ("category", "task_type", "language")
_THEIRS = f"a.project_id = ? AND a.model GLOB '{AUTHOR_GLOB}' AND a.import_id {DONE}"


def control_subjects(db: sqlite3.Connection, project: Project) -> set[int]:
    """Subjects (row ids) that are an author's own text."""
    sql = f"SELECT s.id FROM answer a JOIN subject s ON s.answer_id = a.id WHERE {_THEIRS}"
    return {row[0] for row in db.execute(sql, (project.id,))}


def authors_of(db: sqlite3.Connection, question_id: int) -> list[str]:
    """Marks of the authors' texts among the present answers to a question (row id)."""
    sql = (
        f"SELECT model FROM answer WHERE question_id = ? AND model GLOB '{AUTHOR_GLOB}' "
        f"AND current = 1 AND import_id {DONE} ORDER BY model"
    )
    return [row[0] for row in db.execute(sql, (question_id,))]


@dataclass(frozen=True, slots=True)
class AuthorText:
    """A present author's text: its question, whose it is (`model`), how long."""

    question_id: str
    question: str
    model: str
    characters: int


def texts(db: sqlite3.Connection, project: Project) -> list[AuthorText]:
    """Present authors' texts."""
    sql = (
        "SELECT q.key AS question_id, q.text AS question, a.model, length(a.text) AS "
        "characters FROM answer a JOIN question q ON q.id = a.question_id "
        f"WHERE {_THEIRS} AND a.current = 1 ORDER BY q.id, a.model"
    )
    return [AuthorText(*row) for row in db.execute(sql, (project.id,))]


def beside(
    db: sqlite3.Connection, project: Project, criteria: Sequence[int], filters: Mapping[str, str]
) -> list[tuple[int, int, str, float]]:
    """(criterion, question, model, number) of final values on questions with an author's text, the
    author's and the models' alike."""
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND q.{name} = ?" for name in names)
    sql = (
        "SELECT c.criterion_id, c.question_id, b.model, c.final_number FROM "
        f"(SELECT DISTINCT a.question_id FROM answer a WHERE {_THEIRS} AND a.current = 1) t "
        f"JOIN question q ON q.id = t.question_id{clauses} "
        "JOIN cell c ON c.question_id = t.question_id "
        f"AND c.criterion_id IN ({marks(len(criteria))}) AND c.tally_id IS NOT NULL "
        f"AND c.import_id {DONE} "
        "AND c.final_number IS NOT NULL JOIN subject s ON s.id = c.subject_id "
        "AND s.other_id IS NULL JOIN answer b ON b.id = s.answer_id ORDER BY c.id"
    )
    return [
        tuple(row)
        for row in db.execute(sql, (project.id, *(filters[name] for name in names), *criteria))
    ]


def opinions(
    db: sqlite3.Connection, project: Project, criterion_id: int, criterion_hash: str
) -> list[tuple[str, str, float]]:
    """(kind of author, author, number) of the present opinions on authors' texts under a
    criterion."""
    sql = (
        "SELECT w.kind, w.name, o.number FROM answer a JOIN subject s ON s.answer_id = a.id "
        "JOIN cell c ON c.subject_id = s.id AND c.criterion_id = ? "
        "JOIN opinion o ON o.criterion_id = c.criterion_id AND o.cell_id = c.id "
        "AND o.criterion_hash = ? AND o.number IS NOT NULL "
        f"JOIN author w ON w.id = o.author_id WHERE {_THEIRS} AND a.current = 1 "
        "ORDER BY o.verdict_id"
    )
    return [tuple(row) for row in db.execute(sql, (criterion_id, criterion_hash, project.id))]
