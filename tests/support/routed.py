"""A study that was judged with stated confidences, routed and drawn, and people who grade what they
are given."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from graders.store import projects
from graders.store.transfer import exchange
from graders.workflows.review import grading
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.studies import bring, scope_at

RUBRIC = """
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], review: {factual: automatic, creative: people}}
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, review: {factual: automatic, creative: people}}
"""
WORDS = ("irrelevant", "relevant")


def routed(
    folder: Path,
    n: int = 120,
    *,
    calibration: float = 0.3,
    creative: bool = True,
    seed: int = 7,
    **sampling: float,
) -> Scope:
    """`n` questions, every second one creative, an answer each; the judge north states .98 to .55
    and is routed, drawn answers wait."""
    scope = scope_at(folder)
    kinds = ("factual", "creative") if creative else ("factual",)
    questions = [
        {"id": f"q{i}", "text": f"Question {i}?", "task_type": kinds[i % len(kinds)]}
        for i in range(n)
    ]
    answers = [{"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(n)]
    bring(
        scope,
        folder,
        RUBRIC,
        questions=questions,
        answers=answers,
        judge=[row for i in range(n) for row in _judged(i, n)],
    )
    shares = {"calibration": calibration, "audit": 0.0, "blind": 0.0, **sampling}
    exchange.set_seed(scope.ws, scope.project("study"), seed)
    projects.set_settings(scope.ws, scope.project("study"), {"sampling": shares})
    route(scope, "study")
    return scope


def _judged(i: int, n: int) -> list[dict[str, Any]]:
    said = {
        "question_id": f"q{i}",
        "model": "Ash",
        "judge": "north",
        "confidence": round(0.98 - 0.43 * i / n, 4),
    }
    return [
        {**said, "criterion": "small/relevance", "value": "relevant"},
        {**said, "criterion": "small/completeness", "value": 4},
    ]


def grade(
    scope: Scope,
    person: str,
    value: Callable[[str, str], Any],
    *,
    screens: int = 10_000,
    seconds: float = 40.0,
) -> int:
    """`person` saves screens: `value(criterion, question)` for each open cell, every answer in so
    many seconds. Returns the screens."""
    projects.add_person(scope.ws, person.title(), person_id=person)
    mine, done = Scope(Actor(person), scope.ws), 0
    while done < screens:
        found = grading.next_screens(mine, "study", min(8, screens - done))
        if not found:
            break
        for screen in found:
            save(mine, screen, value, seconds)
            done += 1
    return done


def save(
    mine: Scope, screen: dict[str, Any], value: Callable[[str, str], Any], seconds: float = 40.0
) -> dict[str, Any]:
    """One screen."""
    cells = [cell for answer in screen.answers for cell in answer.cells if cell.open]
    said = [
        {
            "cell": c.id,
            "value": value(c.criterion, screen.question.id),
            "action": "typed",
            "seconds": seconds / len(cells),
        }
        for c in cells
    ]
    body = {
        "screen": screen.id,
        "save_id": f"{mine.actor.person_id}-save-{screen.id}",
        "verdicts": said,
    }
    return grading.save(mine, "study", {**body, "seconds": seconds * len(screen.answers)})
