"""One answer: its versions, what was drawn and written about it, and its text beside a cell."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.store.answers.content import DONE, marks
from graders.store.projects import Project


@dataclass(frozen=True, slots=True)
class AnswerVersion:
    """A version of an answer; `current` is 1 for the one that counts."""

    answer_id: int
    subject_id: int
    version: int
    current: int
    text: str


def answer_versions(
    db: sqlite3.Connection, project: Project, question: str, model: str
) -> list[AnswerVersion]:
    """Versions of one answer, newest first."""
    sql = (
        "SELECT a.id AS answer_id, s.id AS subject_id, a.version, a.current, a.text "
        "FROM question q JOIN answer a ON a.question_id = q.id "
        "JOIN subject s ON s.answer_id = a.id AND s.other_id IS NULL "
        f"WHERE q.project_id = ? AND q.key = ? AND a.model = ? AND a.import_id {DONE} "
        "ORDER BY a.version DESC"
    )
    return [AnswerVersion(*row) for row in db.execute(sql, (project.id, question, model))]


def comments(db: sqlite3.Connection, subject_id: int) -> dict[str, str]:
    """Person -> what he or she wrote on the screen with this answer."""
    sql = (
        "SELECT a.person_id, a.comment FROM screen_subject x "
        "JOIN assignment a ON a.screen_id = x.screen_id "
        "WHERE x.subject_id = ? AND a.comment <> '' AND a.state IN ('done', 'partial') "
        "ORDER BY a.id"
    )
    return {row[0]: row[1] for row in db.execute(sql, (subject_id,))}


@dataclass(frozen=True, slots=True)
class Draw:
    """A screen that an answer stands on: how and with which probability it was drawn, when, how
    many people of those needed have done it."""

    id: int
    design: str
    probability: float
    at: str
    done: int
    needed: int


def draws(db: sqlite3.Connection, subject_id: int) -> list[Draw]:
    """The screens that an answer stands on, oldest first."""
    sql = (
        "SELECT s.id, s.design, s.probability, s.created_at AS at, s.done, s.needed "
        "FROM screen_subject x JOIN screen s ON s.id = x.screen_id "
        "WHERE x.subject_id = ? ORDER BY s.id"
    )
    return [Draw(*row) for row in db.execute(sql, (subject_id,))]


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """Question, answer and part of a cell; `refs` are the references as JSON."""

    cell_id: int
    subject_id: int
    part: str
    question_id: str
    question: str
    refs: str
    model: str
    version: int
    answer: str


def cell_answers(db: sqlite3.Connection, cell_ids: Sequence[int]) -> list[CellAnswer]:
    """Question, answer and part of cells (at most one page), in the order of `cell_ids`."""
    sql = (
        "SELECT c.id AS cell_id, c.subject_id, c.part, q.key AS question_id, "
        "q.text AS question, q.refs, a.model, a.version, substr(a.text, 1, 600) AS answer "
        "FROM cell c JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
        f"WHERE c.id IN ({marks(len(cell_ids))})"
    )
    found = {row["cell_id"]: CellAnswer(*row) for row in db.execute(sql, list(cell_ids))}
    return [found[i] for i in cell_ids if i in found]
