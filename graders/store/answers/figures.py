"""Figures of answers: what is known of one beside its text, and may come later than the text."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.records import Answer
from graders.store.answers.content import chunks, read_answer
from graders.store.workspace import dumps

#: What is known of an answer beside its text.
FIGURES = (
    "time_to_first_token",
    "total_seconds",
    "input_tokens",
    "output_tokens",
    "cost",
    "finish_reason",
    "metadata",
)


def answers_at(
    db: sqlite3.Connection, keys: Sequence[tuple[int, str, int]]
) -> dict[tuple[int, str, int], tuple[int, Answer]]:
    """(question row, model, version) -> row and answer, also of unfinished imports."""
    found: dict[tuple[int, str, int], tuple[int, Answer]] = {}
    for batch in chunks(keys, 300):
        clause = " OR ".join(["(question_id = ? AND model = ? AND version = ?)"] * len(batch))
        for row in db.execute(
            f"SELECT * FROM answer WHERE {clause}", [value for key in batch for value in key]
        ):
            found[(row["question_id"], row["model"], row["version"])] = (
                row["id"],
                read_answer(row, ""),
            )
    return found


def set_figures(db: sqlite3.Connection, answer_row: int, figures: Mapping[str, Any]) -> None:
    """Set figures of an answer, by their names in FIGURES."""
    values = [
        dumps(dict(value)) if name == "metadata" else value
        for name, value in figures.items()
        if name in FIGURES
    ]
    sets = ", ".join(f"{name} = ?" for name in figures if name in FIGURES)
    db.execute(f"UPDATE answer SET {sets} WHERE id = ?", (*values, answer_row))
