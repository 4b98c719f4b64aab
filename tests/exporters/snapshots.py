"""A small project with everything that is awkward to write down."""

from __future__ import annotations

from typing import Any

from graders.core.contracts import Snapshot

RUBRIC = "rubric: quality  # kept\ncriteria:\n  clarity: {scale: [1, 5]}\n"


def cell(**fields: Any) -> dict[str, Any]:
    """A row of `cells` with ordinary values, but for `fields`."""
    row: dict[str, Any] = {
        "question_id": "q1",
        "question": "Why is the sky blue?",
        "category": "physics",
        "task_type": "factual",
        "language": "en",
        "model": "Alder",
        "answer_version": 1,
        "answer": "Because of scattering.",
        "criterion": "clarity",
        "part": "",
        "final": 4,
        "final_word": "4",
        "final_source": "people",
        "final_reason": "",
        "suggestion": 3,
        "suggestion_confidence": 0.75,
        "suggestion_reason": "median of 2 judges",
        "route": "people",
        "route_reason": "low confidence",
    }
    return row | fields


CELLS = (
    cell(),
    cell(criterion="relevance", final="relevant", final_word="relevant", final_source="automatic"),
    cell(
        model="Birch",
        final=None,
        final_word="",
        final_source="pending",
        final_reason="people differ",
        answer='line one\nline two, "quoted"',
    ),
    cell(
        model="Birch",
        criterion="relevance",
        final=None,
        final_word="",
        final_source="people",
        final_reason="not_applicable",
    ),
    cell(
        question_id="q2",
        question="Почему небо голубое?",
        language="ru",
        answer="Из-за рассеяния — 空は青い。",
        final=2.5,
        suggestion=None,
    ),
    cell(
        question_id="q2",
        question="Почему небо голубое?",
        language="ru",
        criterion="clarity",
        part="mistakes",
        final=-1,
    ),
)


def snapshot(cells: tuple[dict[str, Any], ...] = CELLS, **more: Any) -> Snapshot:
    """The project with these cells; `more` replaces tables."""
    tables: dict[str, Any] = {
        "questions": [
            {"id": "q1", "text": "Why is the sky blue?"},
            {"text": "Почему небо голубое?", "id": "q2", "context": None},
        ],
        "answers": [
            {
                "question_id": "q1",
                "model": "Alder",
                "text": "a\u2028b\n",
                "finish_reason": None,
                "cost": 0.0,
            }
        ],
        "human": [
            {
                "id": "v1",
                "question_id": "q1",
                "model": "Alder",
                "criterion": "clarity",
                "annotator": "Ann",
                "value": 4,
                "arm": "blind",
            }
        ],
        "judge": [
            {
                "id": "v2",
                "question_id": "q1",
                "model": "Alder",
                "criterion": "clarity",
                "judge": "j",
                "value": None,
                "status": "unscored",
            }
        ],
        "calls": [],
        "cells": list(cells),
    }
    return Snapshot(
        project={"name": "Небо", "format": 1, "exported_at": "2030-01-02"},
        rubrics={"quality": RUBRIC},
        tables=tables | more,
    )
