"""Figures of Results as sentences that can be copied into a report: value, interval, how many,
which values they are the mean of."""

from __future__ import annotations

from collections.abc import Mapping

from graders.workflows.opinions.grid_cells import Axis, GridCell
from graders.workflows.scope.phrases import several

#: Who gave a final value, by the field of a grid cell, in words.
_GIVEN = (
    ("people", "by people"),
    ("audit", "by the machine and graded by a person too"),
    ("automatic", "by the machine alone"),
)


def grid_cell(model: str, axis: Axis, cell: GridCell, filters: Mapping[str, str]) -> str:
    """A model's mean on a criterion; empty where it has none."""
    if cell.value is None:
        return ""
    digits = len(cell.shown.rstrip(" %").partition(".")[2])
    bounds = (
        "no interval"
        if cell.low is None
        else f"95 % interval {cell.low:.{digits}f} to {cell.high:.{digits}f}, by question"
    )
    given = ", ".join(
        f"{getattr(cell, name):,} {words}" for name, words in _GIVEN if getattr(cell, name)
    )
    pending = (
        f"; {several(cell.pending, 'cell')} without a final value "
        f"{'is' if cell.pending == 1 else 'are'} in no mean"
    )
    return (
        f"{model}, {axis.title} ({axis.words}{only(filters)}): "
        f"mean of final values {cell.shown} ({bounds}; "
        f"{several(cell.n, axis.counts.removesuffix('s'))}). Final values: "
        f"{given}{pending if cell.pending else ''}."
    )


def only(filters: Mapping[str, str]) -> str:
    """The filters that are set, behind a semicolon."""
    told = [
        f"{name.replace('_', ' ')} {value}"
        for name, value in filters.items()
        if value and name != "state"
    ]
    return f"; only {', '.join(told)}" if told else ""
