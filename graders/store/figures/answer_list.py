"""Answers found by what judges and people said of them: which they are, and the cells of a page of
them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.faults import FAULTS_RUBRIC
from graders.store.answers.content import DONE, marks, tuples
from graders.store.projects import Project


class Having(StrEnum):
    """What the answers of a list have: a cell on which judges differ, on which a judge and a person
    differ, with a suggestion of low confidence, with a named fault that nobody rejected, on which a
    judge gave no verdict, that waits for a final value; or just anything."""

    ANY = "any"
    JUDGES_DIFFER = "judges_differ"
    PERSON_DIFFERS = "person_differs"
    UNSURE = "unsure"
    FAULTS = "faults"
    UNSCORED = "unscored"
    PENDING = "pending"


class Order(StrEnum):
    """How a list of answers is sorted: as questions came, by model, by the lowest confidence of a
    suggestion."""

    QUESTION = "question"
    MODEL = "model"
    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which answers: `having` what, of which model, category, task type and language (empty for
    all), under a criterion and graded by a person (rows, 0 for any). A confidence below `low` is
    low; `judges` and `people` are the authors that are compared (rows)."""

    having: Having = Having.ANY
    model: str = ""
    category: str = ""
    task_type: str = ""
    language: str = ""
    criterion: int = 0
    annotator: int = 0
    low: float = 0.0
    judges: Sequence[int] = field(default=())
    people: Sequence[int] = field(default=())


@dataclass(frozen=True, slots=True)
class ListedCell:
    """A cell of a listed answer; `final` and `suggestion` are JSON."""

    cell_id: int
    subject_id: int
    criterion_id: int
    part: str
    final: str | None
    source: str
    suggestion: str | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class ListedAnswer:
    """An answer of a list, with its question; texts are cut."""

    subject_id: int
    question_id: str
    question: str
    category: str
    task_type: str
    language: str
    model: str
    version: int
    answer: str


_ORDERS = {
    Order.QUESTION: "c.question_id, a.model, c.subject_id",
    Order.MODEL: "a.model, c.question_id, c.subject_id",
    Order.CONFIDENCE: "min(c.suggestion_confidence) IS NULL, min(c.suggestion_confidence), "
    "c.subject_id",
}
_FROM = (
    "FROM cell c JOIN criterion k ON k.id = c.criterion_id AND k.active = 1 "
    "JOIN subject s ON s.id = c.subject_id AND s.other_id IS NULL "
    "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
    f"WHERE c.project_id = ? AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
    f"AND a.model NOT GLOB '{AUTHOR_GLOB}'"
)
#: Present opinions under the criteria as they stand.
_SAID = (
    "FROM criterion n JOIN opinion o ON o.criterion_id = n.id AND o.criterion_hash = n.hash "
    "WHERE n.project_id = ? AND n.active = 1"
)


def subjects(
    db: sqlite3.Connection, project: Project, wanted: Wanted, order: Order = Order.QUESTION
) -> list[int]:
    """The answers (subject rows) that are wanted, in order."""
    clauses, values = _clauses(project, wanted)
    sql = f"SELECT c.subject_id {_FROM}{clauses} GROUP BY c.subject_id ORDER BY {_ORDERS[order]}"
    return [row[0] for row in tuples(db, sql, [project.id, *values])]


def cells(
    db: sqlite3.Connection, project: Project, wanted: Wanted, ids: Sequence[int]
) -> list[ListedCell]:
    """The cells for which these answers are listed, in the order of the criteria."""
    clauses, values = _clauses(project, wanted)
    sql = (
        "SELECT c.id, c.subject_id, c.criterion_id, c.part, c.final, c.final_source, c.suggestion, "
        f"c.suggestion_confidence {_FROM}{clauses} AND c.subject_id IN ({marks(len(ids))}) "
        "ORDER BY k.position, c.id"
    )
    return [ListedCell(*row) for row in tuples(db, sql, [project.id, *values, *ids])]


def answers(db: sqlite3.Connection, ids: Sequence[int], text: int) -> dict[int, ListedAnswer]:
    """Answers by subject row; of each text so many characters."""
    sql = (
        "SELECT s.id, q.key, substr(q.text, 1, ?), q.category, q.task_type, q.language, a.model, "
        "a.version, substr(a.text, 1, ?) FROM subject s JOIN answer a ON a.id = s.answer_id "
        f"JOIN question q ON q.id = s.question_id WHERE s.id IN ({marks(len(ids))})"
    )
    return {row[0]: ListedAnswer(*row) for row in tuples(db, sql, [text, text, *ids])}


def said(
    db: sqlite3.Connection, authors: Sequence[int], ids: Sequence[int]
) -> dict[int, list[tuple[int, str | None, str]]]:
    """(author row, value as JSON, reason for none) of each present opinion of these authors, by
    cell."""
    sql = (
        "SELECT o.cell_id, o.author_id, o.value, v.reason FROM opinion o "
        "JOIN verdict v ON v.id = o.verdict_id "
        f"WHERE o.cell_id IN ({marks(len(ids))}) AND o.author_id IN ({marks(len(authors))}) "
        "ORDER BY o.cell_id, o.author_id"
    )
    found: dict[int, list[tuple[int, str | None, str]]] = {}
    for cell, author, value, reason in tuples(db, sql, [*ids, *authors]):
        found.setdefault(cell, []).append((author, value, reason))
    return found


def _clauses(project: Project, wanted: Wanted) -> tuple[str, list[Any]]:
    """What narrows cells down, with its values."""
    plain = {
        "a.model": wanted.model,
        "q.category": wanted.category,
        "q.task_type": wanted.task_type,
        "q.language": wanted.language,
        "c.criterion_id": wanted.criterion,
    }
    clauses = [f"{name} = ?" for name, value in plain.items() if value]
    values: list[Any] = [value for value in plain.values() if value]
    if wanted.annotator:
        clauses.append(f"c.id IN (SELECT o.cell_id {_SAID} AND o.author_id = ?)")
        values += [project.id, wanted.annotator]
    clause, more = _having(project, wanted)
    return "".join(f" AND {one}" for one in (*clauses, *clause)), [*values, *more]


def _having(project: Project, wanted: Wanted) -> tuple[list[str], list[Any]]:
    faults = f"k.key GLOB '{FAULTS_RUBRIC}/*'"
    match wanted.having:
        case Having.FAULTS:
            present = "coalesce(c.final, c.suggestion) = '\"present\"'"
            return [faults, present], []
        case Having.UNSURE:
            return ["c.suggestion IS NOT NULL", "c.suggestion_confidence < ?"], [wanted.low]
        case Having.PENDING:
            return ["c.final_source = 'pending'", f"NOT {faults}"], []
        case Having.JUDGES_DIFFER:
            return _differ(project, wanted.judges, "")
        case Having.PERSON_DIFFERS:
            # where both spoke and not all values are one, a judge differs from a person
            judges = ",".join(map(str, wanted.judges)) or "0"
            both = f" AND count(DISTINCT o.author_id IN ({judges})) = 2"
            return _differ(project, [*wanted.judges, *wanted.people], both)
        case Having.UNSCORED:
            sql = (
                f"c.id IN (SELECT o.cell_id {_SAID} AND o.status <> 'ok' "
                f"AND o.author_id IN ({marks(len(wanted.judges))}) AND "
                "(SELECT v.reason FROM verdict v WHERE v.id = o.verdict_id) <> 'not_applicable')"
            )
            return [sql], [project.id, *wanted.judges]
        case _:
            return [f"NOT {faults}"], []


def _differ(project: Project, authors: Sequence[int], more: str) -> tuple[list[str], list[Any]]:
    sql = (
        f"c.id IN (SELECT o.cell_id {_SAID} AND o.value IS NOT NULL "
        f"AND o.author_id IN ({marks(len(authors))}) "
        f"GROUP BY o.cell_id HAVING min(o.value) <> max(o.value){more})"
    )
    return [sql], [project.id, *authors]
