"""Figures of Results as sentences that can be copied into a report: value, interval, how many,
which values they are the mean of."""

from __future__ import annotations

from collections.abc import Mapping

from graders.core.words import say
from graders.workflows.opinions.grid_cells import Axis, GridCell
from graders.workflows.scope.phrases import several

#: Who gave a final value: fields of a grid cell.
_GIVEN = ("people", "audit", "automatic")


def grid_cell(model: str, axis: Axis, cell: GridCell, filters: Mapping[str, str]) -> str:
    """A model's mean on a criterion; empty where it has none."""
    if cell.value is None:
        return ""
    given = [
        say(f"results.given.{name}", n=getattr(cell, name))
        for name in _GIVEN
        if getattr(cell, name)
    ]
    pending = say("results.pending_left_out", n=cell.pending) if cell.pending else ""
    if cell.unconfirmed:
        given, pending = [say("results.given.unconfirmed", n=cell.unconfirmed)], ""
    return say(
        f"results.mean{'_unconfirmed' if cell.unconfirmed else ''}",
        model=model,
        criterion=axis.title,
        scale=axis.words + only(filters),
        mean=cell.shown,
        interval=interval(cell.low, cell.high, len(cell.shown.rstrip(" %").partition(".")[2])),
        counted=several(cell.n, axis.counts.removesuffix("s")),
        given=", ".join(given) + pending,
    )


def interval(low: float | None, high: float | None, digits: int, question: bool = True) -> str:
    """An interval in words, `question`: by question."""
    if low is None:
        return say("results.no_interval")
    ends = {"low": f"{low:.{digits}f}", "high": f"{high:.{digits}f}"}
    if question:
        return say("results.interval_by_question", **ends)
    return say("results.interval", **ends)


def only(filters: Mapping[str, str]) -> str:
    """The filters that are set, behind a semicolon."""
    chosen = [
        f"{name.replace('_', ' ')} {value}"
        for name, value in filters.items()
        if value and name != "state"
    ]
    return f"; {say('results.only', filters=', '.join(chosen))}" if chosen else ""
