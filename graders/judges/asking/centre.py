"""The value that stands for several."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from graders.core.scale import Scale, Value


def centre(scale: Scale, values: Sequence[Value], method: str = "median") -> Value | None:
    """The value that stands for several: median, or the most frequent (by majority, and on labels
    without order); None for a tie."""
    if scale.kind == "nominal" or (method == "majority" and scale.kind != "numeric"):
        ranked = Counter(values).most_common(2)
        return None if len(ranked) == 2 and ranked[0][1] == ranked[1][1] else ranked[0][0]
    if scale.kind == "numeric":
        return statistics.median(float(value) for value in values)
    ordered = sorted(values, key=scale.number)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else None
