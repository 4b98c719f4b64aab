"""Two sides beside each other: differences by criterion on one axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.web.kit.drawing import steps
from graders.workflows.leaderboard.comparison import Comparison, Difference, Verdict

SIGNS = {Verdict.BETTER: "ok", Verdict.WORSE: "no", Verdict.UNTOLD: "q"}
#: The axis reaches so far at least, in % of the scale.
LEAST = 5.0


class Share(NamedTuple):
    """A difference with its interval in % of the scale."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A criterion's row: the figure and its interval as text, what is read out for its drawing."""

    row: Difference
    share: Share
    apart: str
    ends: tuple[str, str] | None
    label: str
    sign: str


@dataclass(frozen=True, slots=True)
class Versus:
    """The rows that have a figure, how far the axis `reaches`, its ticks, and the chance in % that
    one of the `tests` seems to differ where nothing does."""

    lines: Sequence[DifferenceLine]
    reach: int
    ticks: Sequence[float]
    tests: int
    chance: int


def versus_of(found: Comparison) -> Versus:
    """What is drawn of a comparison."""
    lines = [_line(row) for row in found.rows if row.apart is not None]
    ends = [abs(end) for line in lines for end in line.share if end is not None]
    reach = min(100, 10 * math.ceil((max([LEAST, *ends]) + 0.5) / 10))
    tests = sum(line.row.key != "overall" for line in lines)
    return Versus(
        lines=lines,
        reach=reach,
        ticks=[0, *steps(-reach, reach)],
        tests=tests,
        chance=round(100 * (1 - 0.95**tests)),
    )


def _line(row: Difference) -> DifferenceLine:
    wide = row.high_end - row.low_end

    def share(x: float | None) -> float | None:
        return None if x is None else 100 * x / wide

    apart = signed(row.apart or 0.0, row.decimals)
    ends = None
    label = f"{row.title}: {apart}"
    if row.low is not None and row.high is not None:
        ends = signed(row.low, row.decimals), signed(row.high, row.decimals)
        label += f" ({ends[0]} – {ends[1]})"
    label += f": {row.verdict}" + (f", {row.why}" if row.why else "")
    figures = Share(share(row.apart) or 0.0, share(row.low), share(row.high))
    return DifferenceLine(row, figures, apart, ends, label, SIGNS[row.verdict])


def signed(x: float, decimals: int) -> str:
    """A difference with its sign."""
    return f"{x:+.{decimals}f}".replace("-", "−")
