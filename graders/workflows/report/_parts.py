"""What a report is made of: sections with sentences, tables and charts, as plain data that every
format shows in its own way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.shapes import as_dict
from graders.workflows.opinions.pair_figures import Estimate

#: What a column of a table holds: texts, whole numbers or amounts, figures with an interval.
TEXT, NUMBER, FIGURE = "text", "number", "figure"


def section(
    key: str,
    title: str,
    words: Sequence[str],
    tables: Sequence[Mapping[str, Any]] = (),
    charts: Sequence[Mapping[str, Any]] = (),
    quotes: Sequence[str] = (),
) -> dict[str, Any]:
    """One section; sentences that are empty are left out, and so are tables and charts without
    rows. `quotes` can stand alone elsewhere."""
    return {
        "key": key,
        "title": title,
        "words": [sentence for sentence in words if sentence],
        "tables": [table for table in tables if table["rows"]],
        "charts": [chart for chart in charts if chart["rows"]],
        "quotes": list(quotes),
    }


def table(
    title: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]
) -> dict[str, Any]:
    """A table; `columns` are (name, kind), a cell of a FIGURE column comes from `figure` or is
    None."""
    return {
        "title": title,
        "columns": [{"name": name, "kind": kind} for name, kind in columns],
        "rows": [list(row) for row in rows],
    }


def figure(
    shown: Estimate | Mapping[str, Any] | None, digits: int, absent: str = "no figure"
) -> dict[str, Any]:
    """An interval as {value, low, high, cells, questions, text}. What is not OK has no value, and
    `text` says why."""
    found = None if shown is None else as_dict(shown)
    if (
        found is None
        or found["value"] is None
        or not math.isfinite(found["value"])
        or found["status"] != "OK"
    ):
        reason = "" if found is None else str(found["reason"])
        word = absent if found is None or found["value"] is None else str(found["status"])
        return {
            "value": None,
            "low": None,
            "high": None,
            "text": f"{word}: {reason}" if reason else word,
            **_counts(found),
        }
    bounds = (
        "" if found["low"] is None else f" [{found['low']:.{digits}f}, {found['high']:.{digits}f}]"
    )
    kept = {name: found[name] for name in ("value", "low", "high")}
    return {**kept, "text": f"{found['value']:.{digits}f}{bounds}", **_counts(found)}


def _counts(found: Mapping[str, Any] | None) -> dict[str, int]:
    return (
        {"cells": int(found["n_cells"]), "questions": int(found["n_questions"])}
        if found is not None
        else {"cells": 0, "questions": 0}
    )


def forest(
    title: str,
    rows: Sequence[tuple[str, Mapping[str, Any], Mapping[str, Any] | None]],
    key: str = "",
) -> dict[str, Any]:
    """A chart of figures with intervals, one line each: (label, figure, band or None); those
    without a value are left out.

    `key` says what the band is. The axis spans what is drawn, in round numbers.
    """
    kept = [
        (label, one, band if band and band["value"] is not None else None)
        for label, one, band in rows
        if one["value"] is not None
    ]
    ends = [
        end
        for _, one, band in kept
        for f in (one, band)
        if f is not None
        for end in (f["value"], f["low"], f["high"])
        if end is not None
    ]
    low, high, step = _axis(min(ends), max(ends)) if ends else (0.0, 1.0, 1.0)
    ticks = [round(low + i * step, 6) for i in range(round((high - low) / step) + 1)]

    def place(value: float | None) -> float | None:
        return None if value is None else round(100 * (value - low) / (high - low), 2)

    return {
        "kind": "forest",
        "title": title,
        "key": key if any(band for *_, band in kept) else "",
        "ticks": [{"text": f"{tick:g}", "at": place(tick)} for tick in ticks],
        "rows": [
            {
                "label": label,
                "text": one["text"],
                "at": [place(one[name]) for name in ("value", "low", "high")],
                "band": None
                if band is None or band["low"] is None
                else [place(band["low"]), place(band["high"])],
            }
            for label, one, band in kept
        ],
    }


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


def bars(
    title: str, parts: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]]
) -> dict[str, Any]:
    """A chart of counts that make a whole, one bar per row."""
    found = []
    for label, counts in rows:
        total = sum(counts)
        if not total:
            continue
        starts = [100 * sum(counts[:i]) / total for i in range(len(counts))]
        pieces = [
            {
                "part": i,
                "at": round(start, 3),
                "width": round(100 * count / total, 3),
                "count": count,
            }
            for i, (start, count) in enumerate(zip(starts, counts, strict=True))
            if count
        ]
        text = ", ".join(
            f"{name.lower()} {count:,}" for name, count in zip(parts, counts, strict=True) if count
        )
        found.append({"label": label, "pieces": pieces, "text": text})
    return {"kind": "bars", "title": title, "parts": list(parts), "rows": found}
