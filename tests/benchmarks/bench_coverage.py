"""How often 95 % intervals of agreement hold the truth: questions of public data drawn with
replacement, the whole set as truth."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from graders.core.scale import YES_NO
from graders.statistics import agreement
from graders.statistics.resampling import Array, cluster_tables, jackknife
from tests.statistics.published import DATA, codes
from tests.statistics.routing_data import ONE_TO_FIVE

SETS, QUESTIONS, LOW, HIGH = 1000, (20, 40), 0.93, 0.98


def main() -> list[dict[str, Any]]:
    """Measure; two rows per figure and number of questions: coverage against the lower and the
    upper bar."""
    if not (DATA / "nq301").is_dir() or not (DATA / "summeval").is_dir():
        print(
            f"coverage: the data sets nq301 and summeval are not beside the checkout (looked in {DATA})."
        )
        return []
    rows = []
    for name, tables, stat in cases():
        truth = float(stat(tables.sum(axis=0)[None])[0])
        for size in QUESTIONS:
            share, given = coverage(tables, stat, size, truth)
            print(
                f"coverage: {name}, {size} questions: {share:.3f} (truth {truth:.3f}, {given:.0%} of the sets give an interval)"
            )
            rows.append(
                row(f"coverage: {name}, {size} questions, at least", share, LOW, share >= LOW)
            )
            rows.append(
                row(f"coverage: {name}, {size} questions, at most", share, HIGH, share <= HIGH)
            )
    return rows


def cases() -> list[tuple[str, Array, Callable[[Array], Array]]]:
    """Name, tables per question, figure."""
    found: list[tuple[str, Array, Callable[[Array], Array]]] = []
    (first, second), g = codes("nq301", "correctness", YES_NO, "gpt-4", "adjudicated")
    found.append(
        ("kappa, gpt-4 and people, nq301", cluster_tables(first, second, g, 2), agreement.kappa)
    )
    values = ONE_TO_FIVE.numbers
    for criterion in ("coherence", "consistency"):
        ratings, g = codes(
            "summeval", criterion, ONE_TO_FIVE, "alttest/gpt-4o", "expert0", "expert1", "expert2"
        )
        squared = partial(agreement.kappa, weights="quadratic", values=values)
        found.append(
            (
                f"quadratic kappa, gpt-4o and expert0, {criterion}",
                cluster_tables(ratings[0], ratings[1], g, 5),
                squared,
            )
        )
        tables = agreement.coincidences(agreement.value_counts(ratings[1:], 5), g)
        found.append(
            (
                f"ordinal alpha, experts, {criterion}",
                tables,
                partial(agreement.alpha, level="ordinal", values=values),
            )
        )
    return found


def coverage(
    tables: Array, stat: Callable[[Array], Array], size: int, truth: float
) -> tuple[float, float]:
    """Share of the sets whose interval holds the truth, among those that give one; and their share
    of all."""
    held = []
    for seed in range(SETS):
        drawn = np.random.default_rng(seed).integers(0, len(tables), size)
        interval = jackknife(tables[drawn], stat)
        if interval.low is not None and interval.high is not None:
            held.append(interval.low <= truth <= interval.high)
    return float(np.mean(held)), len(held) / SETS


def row(name: str, figure: float, bar: float, met: bool) -> dict[str, Any]:
    return {
        "name": name,
        "figure": round(figure, 4),
        "bar": bar,
        "ratio": round(figure / bar, 3),
        "met": met,
    }


if __name__ == "__main__":
    for found in main():
        print(
            f"{'MET   ' if found['met'] else 'MISSED'} {found['name']}: {found['figure']} (bar {found['bar']})"
        )
