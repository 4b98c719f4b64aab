"""What a promise says, in words."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.scale import Scale
from graders.statistics.risk_control import Selection
from graders.store.confidence_orders import Order
from graders.workflows._phrases import listed, several
from graders.workflows._tries import Try

#: On a scale of fewer values "one step off" would be hardly wrong at all.
STEPS_FROM = 4


def allowed(scale: Scale, within: int) -> int:
    """How many steps of a scale are no difference, of `within` that the terms allow."""
    return within if scale.is_ordered and len(scale.values) >= STEPS_FROM else 0


def said(why: str) -> str:
    """A reason as a sentence."""
    return f"{why[:1].upper()}{why[1:]}."


def sorted_by(order: Order | None) -> str:
    """By what cells are sorted from sure to doubtful."""
    if order is None:
        return "sorted by the confidence that the machine states"
    body = order.made_from
    if body.get("stated"):
        return "sorted by the confidence that the machine states"
    if learned := body.get("learned"):
        labels = several(learned["labels"], "earlier blind label")
        return f"sorted by how likely each value is right, learned from {labels}; none of this draw's was read"
    more = (("rules", "rules"), ("metrics", "metrics"), ("siblings", "the other answers to the question"))
    found = ["all judges", *(words for name, words in more if body.get(name))]
    return f"sorted by what {listed(found)} say together; no label of a person is read"


def promise(
    scale: Scale, found: Selection, automatic: int, tasks: Sequence[str], agree: float | None, tried: Try, order: Order | None
) -> str:
    """What is proven, in words. `tasks`: task types that were tested together; `agree`: how often two people do."""
    sure = "" if found.threshold is None or found.threshold < 0 else f" (confidence {found.threshold:.2f} or more)"
    if order is not None:
        sure = "" if found.cells == len(found.automatic) else f" (the surest {found.cells / len(found.automatic):.0%})"
    by = ""
    if steps := allowed(scale, tried.within):
        by = f" by more than {several(steps, 'step')}"
    off = f"{found.errors} of {several(found.labels, 'label')} {'differs' if found.errors == 1 else 'differ'}"
    words = (
        f"Among the {several(automatic, 'unlabelled cell')} that the machine may decide{sure} it differs from a person{by} on at most "
        f"{found.alpha:.0%}, sure to {1 - tried.delta:.0%}; {off}"
    )
    words += f", {' and '.join(tasks)} tested together." if len(tasks) > 1 else "."
    if order is not None:
        words += f" {said(sorted_by(order))}"
    if tried.placed:
        words += " Labels were placed where they decide, on cells of this criterion alone."
    if tried.number > 1:
        words += f" Draw {tried.number}: earlier ones are not in this test."
    if agree is not None:
        words += f" Another person would differ on {1 - agree:.0%}."
        if 1 - agree > found.alpha:
            words += " Two people would not meet this themselves."
    return words
