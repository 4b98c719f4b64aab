"""Preferences: which of two answers is better. A pair's value is ``A`` (the first answer), ``B``
(the second) or ``tie``."""

from __future__ import annotations

import json

from graders.core.errors import ScaleError
from graders.core.scale import Scale, Value

#: The occasion of a call that shows a pair's second answer first. A call of its own: its reply is
#: bought and kept beside the other's.
TURNED = "turned"
#: Reason of a tie that stands for a winner which changed with the order of the answers.
POSITION_DEPENDENT = "position_dependent"
#: What a value means for the first answer: won, lost, or as good as half of each.
OUTCOMES = {"a": 1.0, "b": 0.0, "tie": 0.5}


def is_preference(scale: Scale) -> bool:
    """Whether a scale's labels are A and B, with or without tie."""
    return {label.casefold() for label in scale.labels} in ({"a", "b"}, {"a", "b", "tie"})


def compares(scale: Scale) -> bool:
    """Whether a criterion with this scale grades pairs from the start: its labels are A, tie and
    B."""
    return len(scale.labels) == len(OUTCOMES) and is_preference(scale)


def compares_two(spec: str) -> bool:
    """Whether the scale that the store keeps like this (JSON) `compares`."""
    try:
        return compares(Scale.from_spec(json.loads(spec)))
    except (ScaleError, ValueError):
        return False


def outcome(value: Value) -> float:
    """1 where the first answer was preferred, 0 where the second was, .5 for a tie."""
    return OUTCOMES[str(value).casefold()]


def turned(scale: Scale, value: Value) -> Value:
    """What `value` says where the answers have changed places: A and B change too, a tie stays."""
    return labelled(scale, 1 - outcome(value))


def labelled(scale: Scale, won: float) -> str:
    """The label of a scale that `compares` for an outcome."""
    return next(label for label in scale.labels if outcome(label) == won)
