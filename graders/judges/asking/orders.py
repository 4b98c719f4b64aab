"""One verdict on a pair from what a judge says in both orders of its answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from graders.core.preference import POSITION_DEPENDENT, labelled
from graders.core.records import Mark
from graders.core.scale import Scale


def both_orders(first: Mark, turned: Mark, scale: Scale) -> tuple[Mark, dict[str, Any]]:
    """The mark of a pair, and what was said in each order; both marks name the answers as the pair
    does.

    A winner counts where both orders name it (Zheng et al. 2023, section 3.4, call this the
    conservative way). All else that differs is a tie for the reason ``position_dependent``, with
    half the mean confidence: one order of two says otherwise. Without a value in one of them there
    is none.
    """
    facts = {"orders": [first.value, turned.value]}
    silent = next((mark for mark in (first, turned) if mark.value is None), None)
    if silent is not None:
        return silent, facts
    stated = [mark.confidence for mark in (first, turned) if mark.confidence is not None]
    sure = sum(stated) / len(stated) if stated else None
    evidence = tuple(dict.fromkeys((*first.evidence, *turned.evidence)))
    if first.value == turned.value:
        return replace(
            first,
            confidence=sure,
            confidence_kind=first.confidence_kind or turned.confidence_kind,
            evidence=evidence,
        ), facts
    half = 0.5 * (1.0 if sure is None else sure)
    # no rationale: each order's speaks for a value that is not this one
    tie = Mark(
        value=labelled(scale, 0.5),
        reason=POSITION_DEPENDENT,
        confidence=half,
        confidence_kind="orders",
        evidence=evidence,
    )
    return tie, facts
