"""Anchoring: what a suggestion in view does to people's verdicts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.core.words import say
from graders.statistics.resampling import Estimate
from graders.web.kit import Asked, Frame, Parts, View, drawn
from graders.web.kit.counted import Counted
from graders.web.kit.drawing import whole
from graders.web.kit.reading import PATIENCE, Reading
from graders.web.page import Page
from graders.workflows.diagnostics.anchoring import Anchoring, AnchoringRow, anchoring_so_far
from graders.workflows.scope.project_head import Waiting

#: Filters that mean nothing here: both arms are taken, blind or not.
HIDDEN = ("blind", "population")
#: The axis reaches from the first to the second at least.
LEAST = (-0.1, 0.3)
#: On an axis as long as this every fifth tick is shown.
LONG = 0.9


class Zero(NamedTuple):
    """The upright line of no effect, as an estimate without an interval."""

    value: float = 0.0
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class PullLine:
    """A criterion's row: its figure as text, and what is read out for its drawing."""

    row: AnchoringRow
    value: str
    label: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Pulls:
    """The rows on an axis from `low` to `high`."""

    lines: Sequence[PullLine]
    low: float
    high: float
    ticks: Sequence[float]


def pulls_of(found: Anchoring) -> Pulls:
    """What is drawn of the anchoring effect."""
    ends = [
        end
        for row in found.rows
        for end in (row.pull.low, row.pull.value, row.pull.high)
        if end is not None
    ]
    low = min(LEAST[0], math.floor(10 * min(ends, default=0)) / 10)
    high = max(LEAST[1], math.ceil(10 * max(ends, default=0)) / 10)
    tenths = range(round(10 * low), round(10 * high) + 1)
    return Pulls(
        lines=[_line(row) for row in found.rows],
        low=low,
        high=high,
        ticks=[at / 10 for at in tenths if high - low < LONG or at % 5 == 0],
    )


def _line(row: AnchoringRow) -> PullLine:
    pull = row.pull
    value = pointed(pull) if pull.value is not None else "–"
    told = pull.reason
    if pull.value is not None:
        told = say("diagnostics.anchoring.page.read", value=value)
    doubt = say("diagnostics.anchoring.page.doubt")
    return PullLine(row, value, f"{row.title}: {told}", row.words.removeprefix(f"{doubt}: "))


def pointed(figure: Estimate) -> str:
    """Points of a hundred, with their interval in brackets."""
    said = whole(100 * (figure.value or 0.0), True)
    if figure.low is None or figure.high is None:
        return said
    low, high = (whole(100 * end, True) for end in (figure.low, figure.high))
    return f"{said} ({say('diagnostics.anchoring.page.ends', low=low, high=high)})"


class AnchoringPage:
    """The page under way: its parts, and how they are drawn."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.reading = Reading(frame, self._found)
        self.counted = Counted(frame)
        self.body = frame.part()
        outputs = [*self.reading.outputs, self.body, *self.counted.outputs]
        frame.draws(self.counted.fields, self.draw, outputs)

    def _found(self, asked: Asked) -> Anchoring | Waiting:
        filters = self.counted.of(asked.view)["filters"]
        return anchoring_so_far(asked.scope, asked.project, filters, patience=PATIENCE)

    def draw(self, asked: Asked) -> Parts:
        """What the address asks for."""
        if not asked.project:
            title = say("diagnostics.anchoring.page.empty")
            return {self.frame.top: drawn("empty.html", title=title)}
        found = self._found(asked)
        if isinstance(found, Waiting):
            return self.reading.waiting(asked, found)
        plain = View({}).with_(project=asked.project)
        head = {"title": found.title, "text": found.subtitle, "notice": found.project.notice}
        return {
            **self.reading.done(),
            **self.counted.filled(asked.view, found.choices, hidden=HIDDEN, before=asked.before),
            self.frame.top: drawn("top.html", **head),
            self.body: drawn(
                "anchoring/anchoring.html",
                found=found,
                pulls=pulls_of(found),
                zero=Zero(),
                plain=plain,
            ),
        }


def build(frame: Frame) -> None:
    """Filters, the effect on each criterion, and what follows from it."""
    AnchoringPage(frame)


page = Page(
    path="/anchoring",
    title="Anchoring",
    nav="Anchoring",
    group="trust",
    order=44,
    css=("lead/lead.css", "kit/kit.css", "anchoring/anchoring.css"),
    build=build,
)
