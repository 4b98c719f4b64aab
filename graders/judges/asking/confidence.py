"""How sure a judge is, other than by what it says: from the probabilities of its tokens, and from
repeated samples.

Every confidence is marked as what it is: ``stated``, ``logprobs`` or ``samples``.
"""

from __future__ import annotations

import json
import math
import re
import statistics
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from graders.core.quotes import misquotes
from graders.core.records import Mark, Reply
from graders.core.scale import Scale
from graders.core.words import say
from graders.judges.asking.centre import centre

#: What a judge's option ``confidence`` may be; samples are asked for by their number.
KINDS = ("stated", "logprobs")
_VALUE = re.compile(r'"value"\s*:\s*("(?:[^"\\]|\\.)*"|[-+\d.eE]+)')


def value_probability(
    text: str, names: Sequence[str], logprobs: Sequence[tuple[str, float]] | None
) -> float | None:
    """The probability of the value under the keys `names` in a JSON reply: the product of those of
    its tokens.

    None where the provider gave none, where they do not spell `text`, or where the value is not
    found. Inside strings of JSON a quotation mark bears a backslash, so that no text of the model
    can pose as a key.
    """
    if not logprobs or "".join(token for token, _ in logprobs) != text:
        return None
    place = 0
    for name in names:
        key = re.compile(rf"(?<!\\){re.escape(_quoted(name))}\s*:\s*\{{").search(text, place)
        if key is None:
            return None
        place = key.end()
    value = _VALUE.search(text, place)
    if value is None:
        return None
    start, end = value.span(1)
    if text[start] == '"':  # the marks may share a token with what stands around them
        start, end = start + 1, end - 1
    ends = list(accumulate(len(token) for token, _ in logprobs))
    shares = [
        p
        for (token, p), stop in zip(logprobs, ends, strict=True)
        if stop > start and stop - len(token) < end
    ]
    return math.exp(min(0.0, sum(shares))) if shares else None


def surer(mark: Mark, reply: Reply, names: Sequence[str]) -> Mark:
    """The mark with the probability of its value's tokens as confidence, where that can be told.
    `names` are the keys around the value."""
    found = value_probability(reply.text, names, reply.logprobs)
    return mark if found is None else replace(mark, confidence=found, confidence_kind="logprobs")


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def sampled(marks: Sequence[Mark | None], scale: Scale) -> tuple[Mark, dict[str, Any]]:
    """One mark of repeated samples (None where one brought no value), and their spread.

    The value is the median, or the most frequent label where labels have no order; the confidence
    is the share of all samples with exactly that value (on plain ranges within a tenth of the
    range). The spread is the standard deviation on the scale's numbers, and on labels without order
    the share of values other than the most frequent one.
    """
    spoke = [mark for mark in marks if mark is not None and mark.value is not None]
    values = [mark.value for mark in spoke if mark.value is not None]
    facts: dict[str, Any] = {"samples": [None if mark is None else mark.value for mark in marks]}
    if not values:
        silent = next((mark for mark in marks if mark is not None), None)
        return silent or Mark.unscored(
            "no_verdict", say("judges.samples.none", n=len(marks))
        ), facts
    if scale.kind == "nominal":
        facts["spread"] = round(1 - max(values.count(value) for value in values) / len(values), 6)
    else:
        facts["spread"] = round(
            statistics.pstdev(float(scale.number(value)) for value in values), 6
        )
    value = centre(scale, values)
    if value is None:
        # Once every sample is there, asking again brings the same replies; while one is missing it
        # may break the tie.
        reason = "tie" if None in marks else "samples_tie"
        return Mark.unscored(
            reason, say("judges.samples.differ", values=", ".join(map(str, values)))
        ), facts
    near = 0.1 * (scale.high - scale.low) if scale.kind == "numeric" else 0.0
    alike = [
        m
        for m in spoke
        if m.value == value or (near and abs(float(m.value or 0) - float(value)) <= near)
    ]
    shown = next((mark for mark in alike if not misquotes(mark)), alike[0]) if alike else spoke[0]
    return replace(
        shown, value=value, confidence=len(alike) / len(marks), confidence_kind="samples"
    ), facts
