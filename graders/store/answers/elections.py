"""References that were elected among the answers to a question, or appointed by a person. Rows are
only ever appended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from graders.store.projects import Project
from graders.store.workspace import Workspace, dumps


@dataclass(frozen=True, slots=True)
class Election:
    """Which answer is the reference of a question. `by` is the person who appointed it, empty for
    an election by numbers.

    `subject_id` None: no answer could be elected, or none had to be because the question brings a
    reference. `numbers` are those of the latest count, also beside an appointment, and `counted`
    its winner's subject.
    """

    question_id: int
    subject_id: int | None
    model: str = ""
    text: str = ""
    by: str = ""
    at: str = ""
    numbers: Mapping[str, Any] = field(default_factory=dict)
    counted: int | None = None


def put(
    db: sqlite3.Connection,
    ws: Workspace,
    project: Project,
    question_id: int,
    subject_id: int | None,
    numbers: Mapping[str, Any],
    by: str = "",
) -> None:
    """Append an election, or with `by` an appointment; one without a model lets the numbers decide
    again."""
    db.execute(
        (
            "INSERT INTO election (project_id, question_id, subject_id, by, numbers, at) "
            "VALUES (?,?,?,?,?,?)"
        ),
        (project.id, question_id, subject_id, by, dumps(dict(numbers)), ws.now()),
    )


def elections(
    db: sqlite3.Connection, project: Project, question_id: int | None = None
) -> dict[int, Election]:
    """The present reference by question row: what a person appointed last, else what was elected
    last.

    An appointment without a model lets the numbers decide again.
    """
    sql = (
        "SELECT e.*, a.model, a.text FROM election e LEFT "
        "JOIN subject s ON s.id = e.subject_id LEFT JOIN answer a ON a.id = s.answer_id "
        "WHERE e.project_id = ? AND (? IS NULL OR e.question_id = ?) ORDER BY e.id"
    )
    appointed: dict[int, Election] = {}
    counted: dict[int, Election] = {}
    for row in db.execute(sql, (project.id, question_id, question_id)):
        question, subject, by = row["question_id"], row["subject_id"], row["by"]
        made = Election(
            question,
            subject,
            row["model"] or "",
            row["text"] or "",
            by,
            row["at"],
            json.loads(row["numbers"]),
            subject,
        )
        if not by:
            counted[question] = made
        elif subject is None:
            appointed.pop(question, None)
        else:
            appointed[question] = made
    told = {
        q: replace(a, numbers=c.numbers, counted=c.subject_id)
        for q, a in appointed.items()
        if (c := counted.get(q)) is not None
    }
    alone = {question: replace(found, counted=None) for question, found in appointed.items()}
    return {**counted, **alone, **told}
