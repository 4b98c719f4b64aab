"""A project in which three models are judged on relevance, and some of their answers labelled too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, given, scope_at

MODELS = ("Ash", "Beech", "Cedar")


WORDS = ("irrelevant", "relevant")


def study(
    folder: Path,
    right: np.ndarray,
    judged: np.ndarray | None,
    labelled: int,
    human: list[dict[str, Any]] | None = None,
    chosen: str = "random",
    **more: Any,
) -> Scope:
    """A project whose people say `right` on the first questions and whose judge says `judged` on
    all, 0 or 1 [questions, models]."""
    scope = scope_at(folder)
    n = len(right)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "category": "even" if i % 2 == 0 else "odd"}
        for i in range(n)
    ]
    answers = [
        {"question_id": f"q{i}", "model": m, "text": f"{m} says {i}.", "cost": 0.001 * (k + 1)}
        for i in range(n)
        for k, m in enumerate(MODELS)
    ]
    blind = [
        given(f"q{i}", m, "relevance", "mira", WORDS[int(right[i, k])], **more)
        for i in range(labelled)
        for k, m in enumerate(MODELS)
    ]
    machine = [] if judged is None else judge_rows("north", judged)
    bring(
        scope,
        folder,
        chosen=chosen,
        questions=questions,
        answers=answers,
        human=blind + (human or []),
        judge=machine,
    )
    return scope


def judge_rows(name: str, judged: np.ndarray, criterion: str = "relevance") -> list[dict[str, Any]]:
    return [
        {
            "question_id": f"q{i}",
            "model": m,
            "criterion": f"small/{criterion}",
            "judge": name,
            "value": WORDS[int(judged[i, k])],
        }
        for i in range(len(judged))
        for k, m in enumerate(MODELS)
    ]


def values(n: int = 120, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """People: .9, .6, .55 right; a judge that errs on a tenth."""
    draw = np.random.default_rng(seed)
    right = draw.random((n, 3)) < [0.9, 0.6, 0.55]
    return right, np.where(draw.random((n, 3)) < 0.1, ~right, right)
