"""What all rules share: the ends of a scale, and the reasons for which no rule gives a value."""

from __future__ import annotations

from collections.abc import Iterable

from graders.core.records import Evidence, Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import Scale, Value
from graders.core.words import say


def _end(scale: Scale, position: int) -> Value:
    return scale.values[position] if scale.is_discrete else (scale.low, scale.high)[position]


def best(criterion: Criterion, rationale: str, evidence: Iterable[Evidence] = ()) -> Mark:
    """The best value of the criterion's scale; unscored (``no_order``) where its labels have no
    order."""
    return _mark(criterion, -1, rationale, evidence)


def worst(criterion: Criterion, rationale: str, evidence: Iterable[Evidence] = ()) -> Mark:
    """The worst value of the criterion's scale; unscored (``no_order``) where its labels have no
    order."""
    return _mark(criterion, 0, rationale, evidence)


def flawed(criterion: Criterion, rationale: str, evidence: Iterable[Evidence] = ()) -> Mark:
    """What a minor fault costs: the middle of a scale that has one, below its best value; the worst
    of two values.

    A reader is slowed down by it, not stopped. Other faults may pull the value further down, which
    other graders say.
    """
    value = criterion.scale.spoiled(by_half=True)
    if value is None:
        return worst(criterion, rationale, evidence)
    return Mark(value=value, rationale=rationale, evidence=tuple(evidence))


def _mark(
    criterion: Criterion, position: int, rationale: str, evidence: Iterable[Evidence]
) -> Mark:
    if not criterion.scale.is_ordered:
        return Mark(
            status="unscored", reason="no_order", rationale=rationale, evidence=tuple(evidence)
        )
    return Mark(
        value=_end(criterion.scale, position), rationale=rationale, evidence=tuple(evidence)
    )


def refusal(subject: Subject) -> Mark | None:
    """Why a rule that reads one text cannot grade this subject: a pair, or an answer without
    text."""
    if subject.other is not None:
        return Mark.unscored("pair", say("rules.pair"))
    if not subject.answer.text.strip():
        return Mark.unscored("empty_answer", say("rules.empty"))
    return None


def span(text: str, start: int, end: int, limit: int = 120) -> Evidence:
    """Evidence for ``text[start:end]`` without outer white space, cut to `limit` characters."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    quote = piece.strip()[:limit].rstrip()
    return Evidence(quote=quote, found=True, start=start, end=start + len(quote))
