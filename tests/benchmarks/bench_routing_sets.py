"""Routing on the other public sets, and with one judge: how much of what an order could carry few
labels reach, and whether one judge beside a rule and a metric does what two judges do.

The sets were named before they were run: the four criteria of summeval as yes or no (4 or 5 against
less, panel of five), the four aspects of cebab (three values, six judges; each aspect that the
machine may place) and the relations of wax (sixteen values, six judges). mtbench is left out: its
cells are pairs, of which no labels can be placed. The truth is the median or most frequent value of
the people; cells without one are left out. No more labels are drawn than half of the cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from graders.core.records import Answer, Question, Subject
from graders.core.scale import Scale
from graders.core.text import characters
from graders.metrics.token_f1 import TokenF1
from graders.statistics.confidence import from_voices
from graders.statistics.expected_share import Known, expected_shares, places
from graders.statistics.placement import own_places
from graders.statistics.risk_control import Selection
from graders.workflows.cells.policy import Voice, suggest
from tests.benchmarks.bench_routing import (
    ALPHA,
    DRAWS,
    LABELS,
    at_random,
    outcome_of,
    placed_by_product,
    violations,
)
from tests.benchmarks.product_order import Fixed, product_orders
from tests.benchmarks.routing_features import _texts, _words
from tests.statistics.published import DATA, load, rows_of
from tests.statistics.routing_data import nq301, summeval

#: A draw of labels: (order, errors, labels, seed) -> what holds.
Way = Callable[[np.ndarray, np.ndarray, int, int], Selection]
#: Of the share that an order carries with all labels known, at 100, 200, 400 and 800 labels.
PARTS = (0.4, 0.5, 0.65, 0.8)
#: What two judges (gpt-4 and text-davinci-003) gave on nq301 before rules and metrics were heard
#: beside one, 1,000 draws; and how much less one may give.
TWO_JUDGES, LESS = (0.206, 0.335, 0.403, 0.596), 0.05
JUDGES = ("gpt-4", "text-davinci-003")
#: Draws of each judge and of each pair of a panel of five.
EACH = 40
CRITERIA = ("consistency", "fluency", "coherence", "relevance")
ASPECTS, VALUES = ("ambiance", "food", "noise", "service"), ("Negative", "unknown", "Positive")


class Cells(NamedTuple):
    """The cells of a set that the machine has a value for: how `sure` the order is of each, the
    error that machines state (`chance`, mean), whether it is wrong; `total`: of so many cells."""

    sure: np.ndarray
    chance: float
    error: np.ndarray
    total: int

    @property
    def carried(self) -> float:
        """The largest share that is the machine's at the limit where all labels are known."""
        wrong = np.cumsum(self.error[np.argsort(-self.sure, kind="stable")])
        n = len(wrong)
        ends = [round(0.05 * step * n) for step in range(1, 21)]
        return max((end / n for end in ends if wrong[end - 1] <= ALPHA * end), default=0.0)


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar."""
    if not all((DATA / name).is_dir() for name in ("nq301", "summeval", "alttest_cebab")):
        print(f"routing_sets: the public data sets are not beside the checkout (looked in {DATA}).")
        return []
    return [*other_sets(), *one_judge_nq301(), *one_judge_summeval()]


def other_sets() -> list[dict[str, Any]]:
    """What few labels reach of what the order carries, by the draw that is recommended."""
    sets = {f"summeval {name}": yes_no(name, range(5)) for name in CRITERIA}
    sets |= {f"cebab {name}": most_judges("alttest_cebab", name, VALUES) for name in ASPECTS}
    sets["wax relation"] = most_judges("alttest_wax", "relation", None)
    rows = []
    for name, cells in sets.items():
        found, told, n = [], [], len(cells.error)
        for labels, part in zip(LABELS, PARTS, strict=True):
            if labels > n / 2:
                continue
            ways = [over(cells, labels, way) for way in (placed_by_product, at_random)]
            placing = recommended(cells, labels)
            share = placing * ways[0].share + (1 - placing) * ways[1].share
            found += [way.violation for way in ways]
            told.append(f"{labels}: {ways[0].share:.2f} {ways[1].share:.2f} ({placing:.1f})")
            if cells.carried:
                rows.append(
                    row(
                        f"{name}, part of what its order carries ({cells.carried:.2f}), {labels} labels",
                        share / cells.carried,
                        part,
                    )
                )
        print(
            f"{name}, {n} cells, error {cells.error.mean():.3f}, carried {cells.carried:.2f}; placed, "
            f"at random (how often placing is recommended): {', '.join(told)}"
        )
        rows += [violations(name, found, DRAWS)] if found else []
    return rows


def recommended(cells: Cells, labels: int, tests: int = 8) -> float:
    """How often the simulation recommends placing, given 100 random labels of a test."""
    at, gains = places(cells.sure), 0
    for test in range(tests):
        some = np.random.default_rng(test).choice(len(at), min(100, len(at) // 2), replace=False)
        known = Known(at[some], cells.error[some])
        gains += expected_shares(cells.chance, len(at), labels, known=known).gains
    return gains / tests


def one_judge_nq301() -> list[dict[str, Any]]:
    """gpt-4 and text-davinci-003 alone, each with exact match and token F1, as the product takes
    them: against both judges together as they were before, and against the rule alone."""
    found = [
        [over_fixed(fixed, labels) for labels in LABELS]
        for fixed in product_orders([(judge,) for judge in JUDGES])
    ]
    for judge, outcomes in zip(JUDGES, found, strict=True):
        print(f"nq301, {judge} with exact match and token F1: {told(outcomes)}")
    rule = [rule_alone(labels) for labels in LABELS]
    print(f"nq301, exact match alone: {told(rule)}")
    rows = []
    for at, labels in enumerate(LABELS):
        share = float(np.mean([outcomes[at].of_rest for outcomes in found]))
        name = f"nq301, one judge with exact match and token F1, {labels} labels"
        rows.append(row(name, share, max(TWO_JUDGES[at] - LESS, rule[at].of_rest)))
    every = [one.violation for outcomes in [*found, rule] for one in outcomes]
    return [*rows, violations("nq301, one judge", every, DRAWS)]


def one_judge_summeval() -> list[dict[str, Any]]:
    """Each judge of the panel alone with token F1 (no summary is an exact match), against all pairs
    of the same judges; criteria of which nothing can be proven are left out."""
    rows = []
    for name in CRITERIA:
        ones = [yes_no(name, [judge]) for judge in range(5)]
        twos = [yes_no(name, pair) for pair in combinations(range(5), 2)]
        if not any(cells.carried for cells in (*ones, *twos)):
            print(f"summeval {name}: no order of one or two judges carries anything")
            continue
        every = []
        for labels in LABELS[:3]:  # 800 are more than half of the cells
            alone, both = (
                [over(cells, labels, placed_by_product, EACH) for cells in some]
                for some in (ones, twos)
            )
            every.append(float(np.mean([one.violation for one in alone])))
            one, two = (
                float(np.mean([outcome.of_rest for outcome in some])) for some in (alone, both)
            )
            if two > LESS:
                rows.append(
                    row(
                        f"summeval {name}, one judge with token F1, {labels} labels",
                        one,
                        two - LESS,
                    )
                )
            else:
                print(f"summeval {name}, {labels} labels: one judge {one:.3f}, two {two:.3f}")
        rows.append(violations(f"summeval {name}, one judge", every, EACH * len(ones)))
    return rows


def yes_no(criterion: str, judges: Sequence[int]) -> Cells:
    """A criterion of summeval as yes (4 or 5) or no, by judges of the panel and token F1."""
    data = summeval(criterion)
    votes = (data.verdicts[list(judges)] >= 4).astype(float)
    scale = Scale.from_spec({"labels": ["No", "Yes"]})
    value = by_policy(scale, votes.T.astype(int))
    some = value >= 0
    sure, chance = from_voices(
        value[some],
        votes[:, some],
        np.full(votes[:, some].shape, np.nan),
        texts(tuple(data.keys))[some],
    )
    error = value[some] != (data.human[some] >= 4)
    return Cells(sure, 1 - float(chance.mean()), error, len(value))


@cache
def texts(keys: tuple[tuple[str, str], ...]) -> np.ndarray:
    """Token F1 against the references and log length of the summaries."""
    asked = {one["id"]: one for one in rows_of("summeval", "questions")}
    said = {
        (one["question_id"], one["model"]): one["text"] for one in rows_of("summeval", "answers")
    }
    subjects = [
        Subject(
            Question(
                id=q, text=asked[q]["text"], language="en", references=tuple(asked[q]["reference"])
            ),
            Answer(question_id=q, model=m, text=said[q, m]),
        )
        for q, m in keys
    ]
    f1 = TokenF1().compute(subjects, [one.question.references for one in subjects])
    return np.column_stack(
        [
            [next(v.value or 0.0 for v in found if v.metric == "token_f1") for found in f1],
            np.log1p([characters(one.answer.text) for one in subjects]),
        ]
    )


def by_policy(scale: Scale, codes: np.ndarray) -> np.ndarray:
    """int[n]: the value that the product suggests from verdicts int[n, J], -1 for none."""
    made = []
    for cell in codes:
        voices = [Voice(str(j), scale.values[code]) for j, code in enumerate(cell) if code >= 0]
        value = suggest(scale, [], voices).value
        made.append(-1 if value is None else scale.code(value))
    return np.array(made)


def most_judges(name: str, criterion: str, labels: Sequence[str] | None) -> Cells:
    """Values without order: what over half of the judges say, sorted by how many do. People: their
    most frequent value, where one leads."""
    ratings = load(name)[criterion]
    judges = {one["judge"] for one in rows_of(name, "judge")}
    known = sorted({key for who, said in ratings.items() if who not in judges for key in said})
    sure, error = [], []
    for key in known:
        people = Counter(
            said[key] for who, said in ratings.items() if who not in judges and key in said
        )
        votes = Counter(said[key] for who, said in ratings.items() if who in judges and key in said)
        first = people.most_common(2)
        if (len(first) > 1 and first[0][1] == first[1][1]) or not votes:
            continue
        value, alike = votes.most_common(1)[0]
        if 2 * alike > votes.total() and (labels is None or value in labels):
            sure.append(alike / votes.total())
            error.append(value != first[0][0])
    chance = 1 - float(np.mean(sure))
    return Cells(np.array(sure), chance, np.array(error), len(error))


class Shares(NamedTuple):
    """Means over draws: share of the valued cells' rest, of all cells' rest, violations."""

    share: float
    of_rest: float
    violation: float


def over(cells: Cells, labels: int, way: Way, draws: int = DRAWS) -> Shares:
    """Over all draws."""
    n = min(labels, len(cells.error))
    score = own_places(cells.sure) if way is placed_by_product else cells.sure
    found = outcome_of([(way(score, cells.error, n, draw), cells.error) for draw in range(draws)])[
        0
    ]
    rest = found.of_all * len(cells.error) / max(1, cells.total - n)
    return Shares(found.share, min(1.0, rest), found.violation)


def over_fixed(fixed: Fixed, labels: int) -> Shares:
    """The same of an order of the product."""
    return over(Cells(fixed.sure, 0.0, fixed.error, len(fixed.error)), labels, placed_by_product)


def rule_alone(labels: int) -> Shares:
    """What exact match alone leaves to the machine, of all cells: the better of both draws."""
    data = nq301()
    exact = _words(data, _texts(data)[0])[1].astype(bool)
    error = data.human[exact] != 1
    cells = Cells(np.full(len(error), 0.5), 0.0, error, len(exact))
    return max(
        (over(cells, labels, way) for way in (placed_by_product, at_random)),
        key=lambda one: one.of_rest,
    )


def told(outcomes: Sequence[Shares]) -> str:
    return " / ".join(f"{one.of_rest:.2f} ({one.violation:.3f})" for one in outcomes)


def row(name: str, figure: float, bar: float) -> dict[str, Any]:
    """A row of the bench: at least `bar`."""
    return {
        "name": f"routing: {name}",
        "figure": round(figure, 4),
        "bar": round(bar, 4),
        "ratio": round(figure / bar, 3) if bar > 0 else 1.0,
        "met": figure >= bar,
    }


if __name__ == "__main__":
    for one in main():
        print(
            f"{'MET   ' if one['met'] else 'MISSED'} {one['name']}: {one['figure']} (bar {one['bar']})"
        )
