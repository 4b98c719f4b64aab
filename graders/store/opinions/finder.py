"""Rows of a project by the names that files of the exchange format use."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.store.answers import content
from graders.store.opinions import made_cells
from graders.store.projects import Project


class Finder:
    """Looks rows up; what it found once it remembers."""

    def __init__(self, db: sqlite3.Connection, project: Project) -> None:
        self.db, self.project = db, project
        self.questions: dict[str, int] = {}
        self.criteria: dict[str, int] = {
            row[0]: row[1]
            for row in db.execute(
                "SELECT key, id FROM criterion WHERE project_id = ?", (project.id,)
            )
        }

    def subjects(self, rows: Sequence[Mapping[str, Any]]) -> list[int | None]:
        """The subject of each row (question_id, model, answer_version; model_b where it is a
        pair)."""
        missing = {str(r["question_id"]) for r in rows} - set(self.questions)
        self.questions.update(content.question_ids(self.db, self.project, missing))
        known = content.subject_rows(
            self.db,
            self.project,
            {
                self.questions[str(r["question_id"])]
                for r in rows
                if str(r["question_id"]) in self.questions
            },
        )
        return [
            known.get(
                (
                    self.questions.get(str(r["question_id"]), 0),
                    str(r["model"]),
                    int(r.get("answer_version") or 1),
                    str(r.get("model_b") or ""),
                )
            )
            for r in rows
        ]

    def cells(self, rows: Sequence[Mapping[str, Any]]) -> list[int | None]:
        """The cell of each row (what names its subject, criterion, part) that is there."""
        keys = [
            (subject or 0, self.criteria.get(str(row["criterion"]), 0), str(row.get("part") or ""))
            for row, subject in zip(rows, self.subjects(rows), strict=True)
        ]
        known = made_cells.find(self.db, keys)
        return [known.get(key) for key in keys]
