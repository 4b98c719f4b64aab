"""The corrected leaderboard on public data: do its intervals hold the truth, and how much narrower
are they than people's alone.

500 data sets (summeval 400): questions drawn with replacement, the first n of them labelled on all
models, truth = each model's mean on all data. nq301: the questions that all twelve systems
answered, judged by gpt-4. summeval: the mean of three experts, judged by the mean of four LLM
judges. Widths are set beside people's labels alone with each model's own variance.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from graders.statistics.influence import influence
from graders.statistics.prediction_powered import SHRINK, differences, intervals
from graders.statistics.selection import ALPHA, beside, different
from graders.workflows.leaderboard.compare import compare
from graders.workflows.leaderboard.ranking import leaderboard
from tests.statistics import published
from tests.workflows.leaderboard.test_one_source import nq301

PANEL = ("gpt-4-0314/rts", "alttest/gpt-4o", "alttest/gemini_pro", "gpt-3.5-turbo-0301/rts")
CRITERIA = ("coherence", "relevance", "consistency", "fluency")
#: nq301: labelled questions -> width against people only.
WIDTH = {30: 0.75, 100: 0.84}
LOW, HIGH, WORST, WIDER, WITHIN = 0.93, 0.98, 0.90, 1.07, 0.02


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    if not (published.DATA / "nq301").is_dir() or not (published.DATA / "summeval").is_dir():
        print(
            f"leaderboard: the data sets nq301 and summeval are not beside the checkout (looked in {published.DATA})."
        )
        return []
    rows = []
    _, _, y, judges = published.systems()
    for n, limit in WIDTH.items():
        covered, width = simulate(y, judges["gpt-4"], n, 500)
        rows += [
            *coverage(f"nq301, {n} questions", covered),
            at_most(f"leaderboard: width, nq301, {n} questions", width, limit + WITHIN),
        ]
    rows += pairs(y, judges["gpt-4"])
    for criterion in CRITERIA:
        human, judge = published.summaries(criterion, PANEL)
        for n in (20, 40):
            covered, width = simulate(human, judge, n, 400)
            label = f"{criterion}, {n} questions"
            rows += [
                *coverage(label, covered),
                at_most(f"leaderboard: width, {label}", width, WIDER),
            ]
    return [*rows, *chosen_by_judge(), false_alarms(y, judges["gpt-4"])]


def chosen_by_judge() -> list[dict[str, Any]]:
    """nq301 with labels kept only where gpt-4 said No, as a product has it: intervals of models and
    of pairs that miss what all labels say, without a warning beside them."""
    with TemporaryDirectory() as place:
        whole = nq301(folder(place, "all"), "all")
        truth = leaderboard(whole, "study")
        values = {row.model: value_of(row.figure) for row in truth.models}
        rows = []
        for chosen in ("unknown", "random"):
            scope = nq301(folder(place, chosen), chosen, only_no=True)
            found = leaderboard(scope, "study")
            missed = [
                (row.model,)
                for row in found.models
                if row.figure and not held(row.figure.low, values[row.model], row.figure.high)
            ]
            for a, b in combinations(values, 2):
                two = compare(scope, "study", a, b).lead
                apart = compare(whole, "study", a, b).lead
                if two and apart and not held(two.low, apart.apart, two.high):
                    missed.append((a, b))
            unwarned = 0 if found.choice.warning else len(missed)
            print(
                f"nq301, labels where gpt-4 said No, stated {chosen}: {len(missed)} of "
                f"{len(values) + len(values) * (len(values) - 1) // 2} intervals miss what all labels say; "
                f"warning: {found.choice.warning or 'none'}"
            )
            name = f"leaderboard: misses without a warning, labels where the judge said No, stated {chosen}"
            rows.append(
                {"name": name, "figure": unwarned, "bar": 0, "ratio": 1.0, "met": not unwarned}
            )
    return rows


def folder(place: str, name: str) -> Path:
    made = Path(place) / name
    made.mkdir()
    return made


def value_of(figure: Any) -> float | None:
    return None if figure is None else figure.value


def held(low: float | None, value: float | None, high: float | None) -> bool:
    """Whether an interval holds a value; one without ends, or without a value to hold, misses
    nothing."""
    return low is None or high is None or value is None or low <= value <= high


def false_alarms(y: np.ndarray, f: np.ndarray, draws: int = 1000) -> dict[str, Any]:
    """How often labels of 60 questions that chance chose are said to differ from the others, by what
    gpt-4 says, by its errors, and by two numbers without meaning."""
    generator = np.random.default_rng(5)
    Q, M = y.shape
    g, alarms = np.repeat(np.arange(Q), M), 0
    for _ in range(draws):
        labelled = np.repeat(generator.permutation(Q) < 60, M)
        values = [f.ravel(), (f != y).ravel().astype(float), *generator.normal(size=(2, Q * M))]
        alarms += bool(different([one for x in values if (one := beside(x, labelled, g))]))
    name = "leaderboard: false alarms about labels that chance chose, nq301, 60 questions"
    return at_most(name, alarms / draws, ALPHA + WITHIN)


def simulate(y: np.ndarray, f: np.ndarray, n: int, draws: int) -> tuple[np.ndarray, float]:
    """Coverage per model float[M], and mean width against people only. `y`, `f`: float[Q, M]."""
    truth = y.mean(axis=0)
    hits, widths = np.zeros(y.shape[1]), []
    for human, judge, label in drawn(y, f, n, draws):
        found = intervals(parts(human, judge, label))
        alone = intervals(parts(human, judge, label, 0.0), shrink=0)
        hits += [one.low <= value <= one.high for one, value in zip(found, truth, strict=True)]
        widths.append((width(found), width(alone)))
    corrected, people = np.mean(widths, axis=0)
    return hits / draws, float(corrected / people)


def pairs(y: np.ndarray, f: np.ndarray, n: int = 50, draws: int = 500) -> list[dict[str, Any]]:
    """Differences between models: coverage, and predicted beside realised chances of a wrong
    order."""
    M = y.shape[1]
    truth = y.mean(axis=0)[:, None] - y.mean(axis=0)[None, :]
    upper = np.triu_indices(M, 1)
    covered, predicted, realised = [], [], []
    for human, judge, label in drawn(y, f, n, draws):
        found = differences(parts(human, judge, label))
        covered.append(((found.low <= truth) & (truth <= found.high))[upper].mean())
        predicted.append(found.p_flip[upper].mean())
        realised.append((np.sign(found.d) != np.sign(truth))[upper].mean())
    print(
        f"nq301, pairs at {n} questions: wrong orders predicted {np.mean(predicted):.3f}, realised {np.mean(realised):.3f}."
    )
    return [
        within("leaderboard: coverage of differences, nq301, 50 questions", float(np.mean(covered)))
    ]


def drawn(y: np.ndarray, f: np.ndarray, n: int, draws: int, seed: int = 0) -> Any:
    """Data sets: human and judge values float[Q, M], and which questions are labelled, bool[Q]."""
    generator = np.random.default_rng(seed)
    for _ in range(draws):
        chosen = generator.integers(0, len(y), len(y))
        yield y[chosen], f[chosen], np.arange(len(y)) < n


def parts(y: np.ndarray, f: np.ndarray, label: np.ndarray, lam: Any = "pooled") -> Any:
    """What the intervals are made of."""
    Q, M = y.shape
    g, model = np.repeat(np.arange(Q), M), np.tile(np.arange(M), Q)
    return influence(
        y.ravel(), np.repeat(label, M), f.ravel(), np.full(Q * M, label.mean()), g, model, lam
    )


def width(found: Any) -> float:
    """Mean width; models whose labels are all alike have no interval of their own and count as 0
    wide, as their formula says."""
    return float(np.mean([0.0 if one.low is None else one.high - one.low for one in found]))


def coverage(label: str, covered: np.ndarray) -> list[dict[str, Any]]:
    """Two bars: coverage over models within .93 to .98, worst model at least .90."""
    worst = float(covered.min())
    return [
        within(f"leaderboard: coverage, {label}", float(covered.mean())),
        {
            "name": f"leaderboard: worst model, {label}",
            "figure": worst,
            "bar": WORST,
            "ratio": worst / WORST,
            "met": worst >= WORST - WITHIN,
        },
    ]


def within(name: str, figure: float) -> dict[str, Any]:
    """A bar with two ends; the one shown is the nearer."""
    bar = LOW if abs(figure - LOW) < abs(figure - HIGH) else HIGH
    return {
        "name": name,
        "figure": figure,
        "bar": bar,
        "ratio": figure / bar,
        "met": LOW - 1e-9 <= figure <= HIGH + 1e-9,
    }


def at_most(name: str, figure: float, bar: float) -> dict[str, Any]:
    """A bar from above."""
    return {"name": name, "figure": figure, "bar": bar, "ratio": figure / bar, "met": figure <= bar}


if __name__ == "__main__":
    print(f"shrink {SHRINK:g}")
    for row in main():
        print(
            "MET   " if row["met"] else "MISSED",
            f"{row['name']:<60} {row['figure']:.3f} (bar {row['bar']:.2f})",
        )
