"""A study of one model whose answers several people and judges gave verdicts on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graders.workflows.agreement.records import Agreement, PairRow
from graders.workflows.scope.permissions import Scope
from tests.support.studies import bring, scope_at

NORTH, WORDS = "judge:north", ("irrelevant", "relevant")


def said(
    annotator: str, values: Sequence[Any], criterion: str = "relevance", **more: Any
) -> list[dict[str, Any]]:
    """Verdicts of a person on questions q0, q1, ...; None leaves one out."""
    common = {"model": "Ash", "criterion": f"small/{criterion}", "annotator": annotator, **more}
    return [
        {"question_id": f"q{i}", "value": v, **common}
        for i, v in enumerate(values)
        if v is not None
    ]


def judged(judge: str, values: Sequence[Any], criterion: str = "relevance") -> list[dict[str, Any]]:
    return [
        {
            "question_id": f"q{i}",
            "model": "Ash",
            "criterion": f"small/{criterion}",
            "judge": judge,
            "value": v,
        }
        for i, v in enumerate(values)
    ]


def study(
    tmp_path: Path,
    *,
    human: list[dict[str, Any]],
    judge: list[dict[str, Any]],
    n: int = 40,
    person: str = "",
    **more: Any,
) -> Scope:
    scope = scope_at(tmp_path, person)
    questions = [{"id": f"q{i}", "text": f"Question {i}?"} for i in range(n)]
    answers = [{"question_id": f"q{i}", "model": "Ash", "text": f"Reply {i}."} for i in range(n)]
    bring(scope, tmp_path, questions=questions, answers=answers, human=human, judge=judge, **more)
    return scope


def words(bits: Sequence[int | None]) -> list[str | None]:
    return [None if bit is None else WORDS[bit] for bit in bits]


def pair(report: Agreement, a: str, b: str, criterion: str = "small/relevance") -> PairRow:
    return next(
        p for p in report.pairs if {p.a_name, p.b_name} == {a, b} and p.criterion == criterion
    )
