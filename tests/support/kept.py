"""A study with blind labels of random answers from a file, half of which a coin keeps for a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graders.store import projects
from graders.store.transfer import exchange
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, given, scope_at

RUBRIC = """
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], review: people}
"""
WORDS = ("irrelevant", "relevant")
MODELS = ("Ash", "Elm", "Oak", "Yew")


def judged(wrong: np.ndarray[Any, Any], model: str) -> list[dict[str, Any]]:
    """What the judge north says of one model's answers: where it is wrong it is less sure, in two
    of three cases."""
    rows = []
    for i, errs in enumerate(wrong):
        sure = 0.95 - 0.3 * (bool(errs) and i % 3 > 0) - 0.001 * (i % 40)
        rows.append(
            {
                "question_id": f"q{i}",
                "model": model,
                "criterion": "small/relevance",
                "judge": "north",
                "value": "relevant",
                "confidence": round(sure, 4),
            }
        )
    return rows


def labels(
    wrong: np.ndarray[Any, Any], labelled: Sequence[tuple[int, int]], person: str = "mira"
) -> list[dict[str, Any]]:
    """A person's labels of some answers, as (question, model): the judge says relevant always."""
    return [
        given(f"q{i}", MODELS[k], "relevance", person, WORDS[int(not wrong[i, k])])
        for i, k in labelled
    ]


def study(
    folder: Path,
    wrong: np.ndarray[Any, Any],
    labelled: Sequence[tuple[int, int]],
    *,
    chosen: str = "random",
    blind: bool = True,
    seed: int = 7,
    calibration: float | None = None,
) -> Scope:
    """Answers with the verdicts of a judge, which errs where `wrong` (bool[questions, models]) says
    so; then a file with labels of some of them. Routed."""
    scope = scope_at(folder)
    n, m = wrong.shape
    bring(
        scope,
        folder,
        RUBRIC,
        questions=[
            {"id": f"q{i}", "text": f"Question {i}?", "task_type": "factual"} for i in range(n)
        ],
        answers=[
            {"question_id": f"q{i}", "model": MODELS[k], "text": f"{MODELS[k]} says {i}."}
            for i in range(n)
            for k in range(m)
        ],
        judge=[row for k in range(m) for row in judged(wrong[:, k], MODELS[k])],
    )
    project = scope.project("study")
    exchange.set_seed(scope.ws, project, seed)
    if calibration is not None:
        projects.set_settings(scope.ws, project, {"sampling": {"calibration": calibration}})
    if labelled:
        human = labels(wrong, labelled)
        bring(
            scope,
            folder,
            RUBRIC,
            chosen=chosen,
            labels_blind=blind,
            file="rated",
            questions=[],
            human=human,
        )
    route(scope, "study")
    return scope
