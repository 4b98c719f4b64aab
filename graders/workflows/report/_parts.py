"""What a report is made of: sections with sentences, tables and charts, which every format shows in
its own way, and `--json` prints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from graders.core.shapes import as_dict
from graders.core.words import say
from graders.statistics.resampling import Estimate


class Kind(StrEnum):
    """What a column of a table holds: texts, whole numbers or amounts, figures with an interval."""

    TEXT = "text"
    NUMBER = "number"
    FIGURE = "figure"


TEXT, NUMBER, FIGURE = Kind.TEXT, Kind.NUMBER, Kind.FIGURE


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it is shown: `value` with its bounds, None where it may not be shown; `text` says
    it, or why there is none; how many cells and questions it rests on."""

    value: float | None
    low: float | None
    high: float | None
    text: str
    cells: int
    questions: int


#: What a cell of a table holds; a `Figure` or None in a FIGURE column.
Cell = str | int | float | Figure | None


@dataclass(frozen=True, slots=True)
class Column:
    """The heading of a column, and what the column holds."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a section."""

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of an axis: its label and where it is, in percent of the axis."""

    text: str
    at: float | None


@dataclass(frozen=True, slots=True)
class ForestRow:
    """A figure of a forest chart: label, text, and in percent of the axis its value with both
    bounds, and the ends of the band that it is compared with, None for no band."""

    label: str
    text: str
    at: Sequence[float | None]
    band: Sequence[float | None] | None


@dataclass(frozen=True, slots=True)
class Forest:
    """A chart of figures with intervals; `key` says what the band is, empty without bands."""

    title: str
    key: str
    ticks: Sequence[Tick]
    rows: Sequence[ForestRow]
    kind: Literal["forest"] = "forest"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a bar: the number of its part, and its place and width in percent of the bar."""

    part: int
    at: float
    width: float
    count: int


@dataclass(frozen=True, slots=True)
class BarRow:
    """A bar: label, its pieces, and the same as text."""

    label: str
    pieces: Sequence[Piece]
    text: str


@dataclass(frozen=True, slots=True)
class Bars:
    """A chart of counts that make a whole; `parts` are the names of the pieces."""

    title: str
    parts: Sequence[str]
    rows: Sequence[BarRow]
    kind: Literal["bars"] = "bars"


Chart = Forest | Bars


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report: its sentences, tables and charts; `quotes` can stand alone
    elsewhere."""

    key: str
    title: str
    words: Sequence[str]
    tables: Sequence[Table]
    charts: Sequence[Chart]
    quotes: Sequence[str]


@dataclass(frozen=True, slots=True)
class ProjectName:
    """The project that a report is of."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The first sentence of a section (its key), and whether it says something that is known."""

    section: str
    words: str
    known: bool


@dataclass(frozen=True, slots=True)
class Gate:
    """A command that a script can ask, with its exit code and what that means."""

    command: str
    exit: int
    words: str


@dataclass(frozen=True, slots=True)
class Made:
    """How a report was made: the command that makes it again, the names of the data and of the
    figures, when the latest verdict was given (empty where there is none), and versions by
    package."""

    command: str
    data: str
    figures: str
    upto: str
    versions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Report:
    """A report. `notice` is the project's, empty for none; it is `illustrative` where its verdicts
    are samples. Its `findings` begin with what is known; `missing` says what people still have to
    do, and how long that takes. `exit` is the worst exit code of its gates."""

    project: ProjectName
    title: str
    notice: str
    illustrative: bool
    findings: Sequence[Finding]
    missing: Sequence[str]
    sections: Sequence[Section]
    gates: Sequence[Gate]
    exit: int
    made: Made


def section(
    key: str,
    title: str,
    words: Sequence[str],
    tables: Sequence[Table] = (),
    charts: Sequence[Chart] = (),
    quotes: Sequence[str] = (),
) -> Section:
    """A section without its empty sentences, and without tables and charts that have no row."""
    return Section(
        key=key,
        title=title,
        words=[sentence for sentence in words if sentence],
        tables=[table for table in tables if table.rows],
        charts=[chart for chart in charts if chart.rows],
        quotes=list(quotes),
    )


def table(title: str, columns: Sequence[tuple[str, Kind]], rows: Sequence[Sequence[Cell]]) -> Table:
    """A table; `columns` are (name, kind)."""
    return Table(title, [Column(name, kind) for name, kind in columns], [list(row) for row in rows])


def figure(
    shown: Estimate | Mapping[str, Any] | None, digits: int, absent: str | None = None
) -> Figure:
    """An interval as it is shown. What is not OK has no value, and `text` says why; `absent` is the
    word for no interval at all, "no figure" where it is None."""
    estimate = {} if shown is None else as_dict(shown)
    cells, questions = int(estimate.get("n_cells", 0)), int(estimate.get("n_questions", 0))
    value, low, high = (estimate.get(name) for name in ("value", "low", "high"))
    if value is None or not math.isfinite(value) or estimate["status"] != "OK":
        lacking = say("report.no_figure") if absent is None else absent
        word = lacking if value is None else str(estimate["status"])
        reason = str(estimate.get("reason", ""))
        text = f"{word}: {reason}" if reason else word
        return Figure(None, None, None, text, cells, questions)
    bounds = "" if low is None else f" [{low:.{digits}f}, {high:.{digits}f}]"
    return Figure(value, low, high, f"{value:.{digits}f}{bounds}", cells, questions)


def forest(title: str, rows: Sequence[tuple[str, Figure, Figure | None]], key: str = "") -> Forest:
    """A chart of figures with intervals, one line each: (label, figure, band or None); those
    without a value are left out.

    `key` says what the band is. The axis spans what is drawn, in round numbers.
    """
    kept = [
        (label, shown, band if band is not None and band.value is not None else None)
        for label, shown, band in rows
        if shown.value is not None
    ]
    ends = [
        end
        for _, shown, band in kept
        for drawn in (shown, band)
        if drawn is not None
        for end in (drawn.value, drawn.low, drawn.high)
        if end is not None
    ]
    low, high, step = _axis(min(ends), max(ends)) if ends else (0.0, 1.0, 1.0)
    ticks = [round(low + i * step, 6) for i in range(round((high - low) / step) + 1)]

    def place(value: float | None) -> float | None:
        return None if value is None else round(100 * (value - low) / (high - low), 2)

    return Forest(
        title=title,
        key=key if any(band for *_, band in kept) else "",
        ticks=[Tick(f"{tick:g}", place(tick)) for tick in ticks],
        rows=[
            ForestRow(
                label=label,
                text=shown.text,
                at=[place(shown.value), place(shown.low), place(shown.high)],
                band=None
                if band is None or band.low is None
                else [place(band.low), place(band.high)],
            )
            for label, shown, band in kept
        ],
    )


def _axis(low: float, high: float) -> tuple[float, float, float]:
    """Round ends around the values, and the distance of the marks: 1, 2 or 5 times a power of ten,
    at most six marks."""
    span = max(high - low, 1e-6)
    power = 10.0 ** math.floor(math.log10(span / 5))
    step = next(power * m for m in (1, 2, 5, 10) if span / (power * m) <= 5)
    return (
        math.floor(low / step + 1e-9) * step,
        max(math.ceil(high / step - 1e-9), math.floor(low / step) + 1) * step,
        step,
    )


def bars(title: str, parts: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]) -> Bars:
    """A chart of counts that make a whole, one bar per row; rows that count nothing are left
    out."""
    drawn = []
    for label, counts in rows:
        total = sum(counts)
        if not total:
            continue
        pieces = [
            Piece(
                part=i,
                at=round(100 * sum(counts[:i]) / total, 3),
                width=round(100 * count / total, 3),
                count=count,
            )
            for i, count in enumerate(counts)
            if count
        ]
        text = ", ".join(
            f"{name.lower()} {count:,}" for name, count in zip(parts, counts, strict=True) if count
        )
        drawn.append(BarRow(label, pieces, text))
    return Bars(title, list(parts), drawn)
