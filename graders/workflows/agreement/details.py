"""All figures of one judge on one criterion, behind the headline: Gwet's, alpha, rank correlations,
the alternative annotator test, the best constant answer. Each with its interval by questions,
beside the same among people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graders.core.errors import InputError, NotFound
from graders.core.scale import Scale
from graders.statistics import agreement as stats
from graders.statistics.alt_test import EPSILON, AltTest, alt_test
from graders.statistics.constant import best_constant
from graders.statistics.means import mean_interval
from graders.statistics.resampling import (
    Array,
    Interval,
    cluster_tables,
    delete_one,
    jackknife_interval,
    undefined,
)
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.workflows.agreement import criterion_report, sentences
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.opinions.pair_figures import MIN_CELLS, MOST_VALUES, interval_json
from graders.workflows.scope.permissions import Scope, needs

#: Long scales are cut into so many steps for figures that need a list of values.
STEPS = 11


@dataclass(frozen=True, slots=True)
class Codes:
    """A judge int[n] and people int[P, n] as codes (-1 missing) with their numbers; questions
    int[n]; weight of a cell by pair."""

    judge: Array
    people: Array
    numbers: tuple[float, ...]
    g: Array
    weight: Callable[[int, int | None], Array | None]
    stepped: bool


@needs("look")
def details(
    scope: Scope,
    project_name: str,
    criterion_key: str,
    judge: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
) -> dict[str, Any]:
    """The figures of `judge` (``judge:NAME``) on a criterion, with what each means in a sentence
    that can be copied.

    `figures`: {key, name, about, judge, people, sentence}, each of the two an interval or None;
    `alt_test` by the published margins; `constant`: the best constant answer beside the judge,
    exact and within a step where the scale has an order.
    """
    found = ground(scope, scope.project(project_name), View(blind_only, population, filters))
    criterion, opinions = found.one(criterion_key)
    author = next((i for i in found.circle.judges if found.circle.ref(i) == judge), None)
    if author is None or author not in opinions.judged:
        have = (
            ", ".join(found.circle.ref(i) for i in opinions.judged)
            or "none: no judge graded what people graded"
        )
        raise NotFound(
            f"judge {judge[:80]!r}",
            found="no value of that judge on these cells",
            expected=f"one of {have}",
        )
    used = found.used(opinions)
    planned, _ = criterion_report.planned_people(opinions, used, found.circle)
    if not planned:
        raise InputError(
            f"criterion {criterion_key}",
            found="no verdicts of people that count",
            expected="some",
            remedy="Widen the view.",
        )
    codes = _codes(criterion.scale, found, opinions, author, planned)
    made = _figures_of(criterion.scale, codes)
    name, counted = found.circle.label(author), sentences.counted(found, opinions, planned)
    for one in made:
        one["sentence"] = sentences.one_figure(one, name, criterion.criterion.title, counted)
    tests = {
        who: _alt(criterion.scale, codes, epsilon, found, planned)
        for who, epsilon in EPSILON.items()
    }
    constant = _constant(criterion.scale, codes)
    return {
        "criterion": {"key": criterion.key, "title": criterion.criterion.title},
        "judge": {"ref": judge, "name": name},
        "people": [found.circle.label(i) for i in planned],
        "counted": counted,
        "stepped": codes.stepped,
        "figures": made,
        "alt_test": tests,
        "constant": constant,
        "sentences": [
            sentences.alt_test(tests["skilled"], name, criterion.criterion.title, counted),
            *(
                sentences.constant(one, name, criterion.criterion.title, counted)
                for one in constant
            ),
        ],
    }


def _codes(scale: Scale, found: Ground, opinions: Any, judge: int, planned: Sequence[int]) -> Codes:
    columns = criterion_report.columns_of(opinions, found.used(opinions))
    stepped = not scale.is_discrete or len(scale.values) > MOST_VALUES
    numbers = tuple(np.linspace(scale.low, scale.high, STEPS)) if stepped else scale.numbers

    def coded(values: Array) -> Array:
        known = ~np.isnan(values)
        codes = np.full(len(values), -1)
        if stepped:
            codes[known] = np.rint(
                (values[known] - scale.low) / (scale.high - scale.low) * (STEPS - 1)
            ).astype(int)
        else:
            codes[known] = (values[known] - numbers[0]).astype(int)
        return codes

    def weight(first: int, second: int | None) -> Array | None:
        if not found.view.blind_only:
            return None
        one = columns.probability[planned[first]]
        return np.asarray(
            1
            / (
                one
                if second is None
                else criterion_report.together(columns, planned[first], planned[second])
            )
        )

    people = np.stack([coded(columns.numbers[i]) for i in planned])
    return Codes(coded(opinions.judged[judge]), people, numbers, opinions.question, weight, stepped)


def _figures_of(scale: Scale, codes: Codes) -> list[dict[str, Any]]:
    K = len(codes.numbers)
    weights: stats.Weights = "quadratic" if scale.is_ordered else "nominal"
    level: stats.Level = (
        "nominal" if not scale.is_ordered else "ordinal" if scale.kind == "ordered" else "interval"
    )
    n = range(len(codes.people))
    judged = [
        cluster_tables(codes.judge, codes.people[p], codes.g, K, codes.weight(p, None)) for p in n
    ]
    among = [
        cluster_tables(codes.people[p], codes.people[q], codes.g, K, codes.weight(p, q))
        for p, q in criterion_report.couples(n)
    ]

    def both(key: str, name: str, about: str, stat: Any, share: bool = False) -> dict[str, Any]:
        return _figure(key, name, about, _mean(judged, stat, share), _mean(among, stat, share))

    rows = [both("raw", "same value", "share of cells with the same value", stats.raw, share=True)]
    gwet = "AC1" if weights == "nominal" or K == 2 else "AC2"
    rows.append(
        both(
            "ac",
            gwet,
            "Gwet's: falls less than kappa where one value is frequent",
            partial(stats.ac, weights=weights, values=codes.numbers),
        )
    )
    rows.append(both("kappa", "kappa, unweighted", "every difference counts alike", stats.kappa))
    pooled = partial(stats.kappa, weights=weights, values=codes.numbers)
    about = "all pairs in one table: whoever graded more counts more"
    rows.append(
        _figure(
            "micro",
            "kappa, pooled",
            about,
            _mean([sum(judged)], pooled),  # type: ignore[list-item]
            _mean([sum(among)], pooled) if among else None,  # type: ignore[list-item]
        )
    )
    if scale.is_ordered:
        rows.append(
            both(
                "spearman",
                "Spearman's rho",
                "whether they rank answers alike, however severe they are",
                stats.spearman,
            )
        )
        rows.append(
            both("kendall", "Kendall's tau-b", "the same, from pairs of answers", stats.kendall)
        )
    alpha = partial(stats.alpha_interval, g=codes.g, K=K, level=level, values=codes.numbers)
    people = alpha(codes.people) if len(codes.people) > 1 else None
    with_judge = alpha(np.vstack([codes.people, codes.judge[None]]))
    rows.append(
        _figure(
            "alpha",
            "Krippendorff's alpha",
            f"{level}; gaps allowed; judge: as one more annotator",
            with_judge,
            people,
        )
    )
    return rows


def _mean(tables: Sequence[Array], stat: Any, share: bool = False) -> Interval:
    """Mean of a figure over pairs with enough cells, each with equal weight, jackknife over their
    common questions."""
    usable = [t for t in tables if t.sum() >= MIN_CELLS - 1e-6]
    if not usable:
        most = round(max((float(t.sum()) for t in tables), default=0.0))
        return undefined(f"no two of them share {MIN_CELLS} cells", n_cells=most)
    kept = np.stack([t.any(axis=(1, 2)) for t in usable]).any(axis=0)
    made = [delete_one(t[kept], stat) for t in usable]
    defined = [(value, rest) for value, rest in made if np.isfinite(value)]
    cells = round(float(sum(t.sum() for t in usable)))
    if not defined:
        return undefined(stats.CONSTANT, n_cells=cells, n_questions=int(kept.sum()))
    value, rest = float(np.mean([v for v, _ in defined])), np.mean([r for _, r in defined], axis=0)
    return jackknife_interval(value, rest, "logit" if share else "fisher", n_cells=cells)


def _figure(
    key: str, name: str, about: str, judge: Interval | None, people: Interval | None
) -> dict[str, Any]:
    sides = {
        "judge": None if judge is None else interval_json(judge),
        "people": None if people is None else interval_json(people),
    }
    return {"key": key, "name": name, "about": about, **sides}


def _alt(
    scale: Scale, codes: Codes, epsilon: float, found: Ground, planned: Sequence[int]
) -> dict[str, Any]:
    """The alternative annotator test at one of the published margins, with items as independent and
    with questions as clusters."""
    distance = scale.is_ordered and len(codes.numbers) > 2
    test: AltTest = alt_test(
        codes.judge,
        codes.people,
        "neg_rmse" if distance else "equal",
        epsilon,
        min_items=MIN_CELLS,
        g=codes.g,
        values=codes.numbers,
    )
    against = [
        {
            "name": found.circle.label(planned[each.person]),
            "items": each.n_items,
            "advantage": each.advantage,
            "p": each.p,
            "won": each.won,
        }
        for each in test.people
    ]
    return {
        "epsilon": epsilon,
        "omega": test.omega,
        "omega_questions": test.omega_questions,
        "passed": test.passed,
        "rho": interval_json(test.rho),
        "against": against,
        "status": test.status,
        "reason": test.reason,
    }


def _constant(scale: Scale, codes: Codes) -> list[dict[str, Any]]:
    """The best constant answer beside the judge, on the same verdicts: exact, and within a step of
    scales of more than two values."""
    n = len(codes.people)
    y, f, g = codes.people.ravel(), np.tile(codes.judge, n), np.tile(codes.g, n)
    seen = (y >= 0) & (f >= 0)
    weights = [codes.weight(p, None) for p in range(n)]
    w = (
        None
        if weights[0] is None
        else np.concatenate([one for one in weights if one is not None])[seen]
    )
    numbers, y, f, g = np.array(codes.numbers), y[seen], f[seen], g[seen]
    step = float(numbers[1] - numbers[0])
    made = []
    for tolerance in (0.0, step) if scale.is_ordered and len(numbers) > 2 else (0.0,):
        best = best_constant(y, g, numbers, tolerance, w)
        near = np.abs(numbers[f] - numbers[y]) <= tolerance + 1e-9
        right = mean_interval(near.astype(float), g, w, (0, 1)) if len(y) else undefined("no cells")
        value = (
            None
            if best.code is None
            else f"{numbers[best.code]:g}"
            if codes.stepped
            else str(scale.values[best.code])
        )
        made.append(
            {
                "tolerance": tolerance,
                "value": value,
                "constant": interval_json(best.right),
                "judge": interval_json(right),
            }
        )
    return made
