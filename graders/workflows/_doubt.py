"""What machines said of cells, as features for the chance that a suggestion is wrong. Nothing that people are to find out is among them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graders.core.scale import Scale
from graders.statistics.resampling import Array
from graders.store import metric_values
from graders.store import review_order as store
from graders.store.projects import CriterionRow
from graders.workflows._outputs import outputs_of

#: A suggestion is off by more than this share of the scale: any other label of two to four, two steps of five.
OFF = 0.25


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Cells of screens, an entry each: `features` float[N, d] (NaN missing), `prior` float[N], whether people must decide it still
    (`open`), whether the machine was wrong (`error`, known for those `seen`, int[s]); `answers` by screen."""

    screen: Array
    features: Array
    prior: Array
    open: Array
    error: Array
    seen: Array
    answers: Mapping[int, int]


def read(db: sqlite3.Connection, criteria: Sequence[CriterionRow], screens: Sequence[int]) -> Doubtful:
    """The cells of screens under the criteria as they are worded now."""
    rows = {row.id: row for row in criteria}
    found = [row for row in store.machine_columns(db, screens) if row["criterion_id"] in rows]
    subjects = list(dict.fromkeys(row["subject_id"] for row in found))
    names = sorted({name for row in criteria for name in outputs_of(row.criterion)})
    metrics = {s: {v.metric: v.value for v in some} for s, some in metric_values.metrics_of(db, subjects).items()} if names else {}
    place = {criterion: at for at, criterion in enumerate(sorted({row["criterion_id"] for row in found}))}
    features, error = [], np.full(len(found), np.nan)
    answers: dict[int, set[int]] = {}
    for at, row in enumerate(found):
        scale = rows[row["criterion_id"]].scale
        values = metrics.get(row["subject_id"], {})
        features.append(_features(row, scale, place) + [_number(values.get(name)) for name in names])
        error[at] = _error(row, scale)
        answers.setdefault(row["screen_id"], set()).add(row["subject_id"])
    return Doubtful(
        np.array([row["screen_id"] for row in found], int),
        np.array(features, float).reshape(len(found), -1),
        np.array([_number(row["doubt"]) for row in found], float),
        np.array([row["route"] == "people" and row["source"] == "pending" for row in found], bool),
        error == 1,
        np.flatnonzero(~np.isnan(error)),
        {screen: len(some) for screen, some in answers.items()},
    )


def _features(row: sqlite3.Row, scale: Scale, criteria: Mapping[int, int]) -> list[float]:
    """Doubt, confidence, how many judges spoke, how far apart they are, suggestion against their mean and against rules, length of the
    answer, task type, criterion, and under which criterion which value is suggested (a bias may lie in one value)."""
    suggested = None if row["suggestion"] is None else scale.number(json.loads(row["suggestion"]))
    value = suggested if suggested is not None else row["mean"]
    own = [0.0] * (2 * len(criteria))
    own[criteria[row["criterion_id"]]] = 1.0
    if value is not None and scale.is_ordered:
        own[len(criteria) + criteria[row["criterion_id"]]] = _share(scale, value) - 0.5
    return [
        _number(row["doubt"]),
        _number(row["confidence"]),
        float(row["judges"]),
        _apart(scale, row["high"], row["low"]),
        _apart(scale, suggested, row["mean"]),
        _apart(scale, suggested, row["rule"]),
        float(np.log1p(row["characters"])),
        float(row["task"] == "creative"),
        float(row["task"] == "factual"),
        *own,
    ]


def _error(row: sqlite3.Row, scale: Scale) -> float:
    """1 where a machine was wrong about a cell that people decided, 0 where not, NaN where nobody knows."""
    if row["source"] not in ("people", "adjudicated") or row["final"] is None:
        return np.nan
    if row["suggestion"] is None:
        return 1.0 if row["judges"] > 1 and row["high"] > row["low"] else np.nan
    number = scale.number(json.loads(row["suggestion"]))
    if not scale.is_ordered:
        return float(number != row["final"])
    return float(abs(number - row["final"]) > OFF * _span(scale) + 1e-9)


def _apart(scale: Scale, one: float | None, other: float | None) -> float:
    if one is None or other is None:
        return np.nan
    return abs(one - other) / _span(scale) if scale.is_ordered else float(one != other)


def _share(scale: Scale, value: float) -> float:
    return (value - (scale.numbers[0] if scale.is_discrete else scale.low)) / _span(scale)


def _span(scale: Scale) -> float:
    return scale.numbers[-1] - scale.numbers[0] if scale.is_discrete else scale.high - scale.low


def _number(found: float | None) -> float:
    return np.nan if found is None else float(found)
