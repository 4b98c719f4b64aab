"""The alternative annotator test: may a judge stand in for one of several people?

Calderon, Reichart, Dror, "The Alternative Annotator Test for LLM-as-a-Judge", ACL 2025 (arXiv
2501.10970). Each person is left out in turn; the judge and that person are compared by how well
each agrees with the others on the same items. The judge wins against a person if it is worse than
that person on less than a share epsilon more of the items.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.resampling import (
    Array,
    Interval,
    Status,
    delete_one,
    jackknife_interval,
    undefined,
)

Score = Literal["equal", "neg_rmse"]
#: An item counts where at least so many people graded it: one is left out, the others are the
#: measure.
MIN_PEOPLE = 2

#: Below this number of people who can be tested one person decides the result.
MIN_TESTED = 3
#: A person with fewer items says nothing, not even about the advantage.
MIN_ADVANTAGE = 10
#: The published margins, by who the people are: an expert's time is worth more of a judge's errors.
EPSILON = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """The judge against one person, position `person` in the argument, on `n_items` that others
    graded too.

    `advantage`: share of items on which the judge agrees with the others at least as well. `p`,
    `p_questions`: one-sided p that it does not win, with items as independent (as published) and
    with questions as clusters; None below `min_items` or, for the latter, with fewer than two
    questions. `won`: rejected by Benjamini-Yekutieli over all people (None: not tested).
    """

    person: int
    n_items: int
    n_questions: int
    advantage: float
    p: float | None
    p_questions: float | None
    won: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AltTest:
    """The result over people. `omega`: share of the tested people whom the judge wins against,
    passed at 1/2 or more; `omega_questions`: the same with questions as clusters; `rho`: mean
    advantage with its interval by questions.

    ``UNDEFINED``: nobody can be tested (rho may still be there); ``INCONCLUSIVE``: fewer than 3
    people can.
    """

    omega: float | None
    omega_questions: float | None
    rho: Interval
    people: tuple[Against, ...]
    epsilon: float
    q: float
    status: Status
    reason: str = ""

    @property
    def passed(self) -> bool | None:
        """Whether the judge may stand in for a person; None where nobody can be tested."""
        return None if self.omega is None else self.omega >= 0.5

    @property
    def p(self) -> tuple[float, ...]:
        """p of the tested people."""
        return tuple(each.p for each in self.people if each.p is not None)

    @property
    def n(self) -> tuple[int, ...]:
        """Items of the tested people."""
        return tuple(each.n_items for each in self.people if each.p is not None)


def alt_test(
    judge: npt.ArrayLike,
    people: npt.ArrayLike,
    score: Score = "equal",
    epsilon: float = EPSILON["crowd"],
    q: float = 0.05,
    min_items: int = 30,
    *,
    g: npt.ArrayLike | None = None,
    values: npt.ArrayLike | None = None,
) -> AltTest:
    """Test one judge.

    `judge`: int[n], `people`: int[P, n] codes, -1 missing; `values`: numbers of the codes for
    ``neg_rmse``, the codes themselves unless given; `g`: int[n] questions, each item its own unless
    given. Items without the judge or with fewer than two people are left out. ``equal``
    scores the share of the others who gave the same value, ``neg_rmse`` minus the root mean square
    distance from them.
    """
    f, y = np.asarray(judge), np.atleast_2d(np.asarray(people))
    if y.shape[1:] != f.shape:
        raise InputError(**error_parts("statistics.people_shape", shape=y.shape, items=len(f)))
    questions = np.arange(len(f)) if g is None else np.asarray(g)
    used = (f >= 0) & ((y >= 0).sum(axis=0) >= MIN_PEOPLE)
    wins, losses = _wins(f, y, used, score, values)
    graded = (y >= 0) & used
    enough = [p for p in range(len(y)) if graded[p].sum() >= min(MIN_ADVANTAGE, min_items)]
    tested = [p for p in enough if graded[p].sum() >= min_items]
    plain = [_p_mean_below(losses[p, graded[p]], epsilon) for p in tested]
    clustered = [_p_mean_below(losses[p, graded[p]], epsilon, questions[graded[p]]) for p in tested]
    won, won_questions = (
        yekutieli([1.0 if p is None else p for p in found], q) for found in (plain, clustered)
    )
    against = {
        p: Against(
            person=p,
            n_items=int(graded[p].sum()),
            n_questions=len(np.unique(questions[graded[p]])),
            advantage=float(wins[p, graded[p]].mean()),
            p=plain[tested.index(p)] if p in tested else None,
            p_questions=clustered[tested.index(p)] if p in tested else None,
            won=bool(won[tested.index(p)]) if p in tested else None,
        )
        for p in enough
    }
    status, reason = _status(len(tested), min_items)
    return AltTest(
        omega=float(won.mean()) if tested else None,
        omega_questions=float(won_questions.mean()) if tested and None not in clustered else None,
        rho=_advantage(wins, graded, questions, tested or enough),
        people=tuple(against.values()),
        epsilon=epsilon,
        q=q,
        status=status,
        reason=reason,
    )


def yekutieli(p: npt.ArrayLike, q: float = 0.05) -> npt.NDArray[np.bool_]:
    """bool[m]: which hypotheses are rejected at false discovery rate `q`, whatever their dependence
    (Benjamini, Yekutieli 2001)."""
    found = np.asarray(p, float)
    m = len(found)
    rejected = np.zeros(m, bool)
    if m:
        order = np.argsort(found, kind="stable")
        harmonic = (1 / np.arange(1, m + 1)).sum()
        below = np.flatnonzero(found[order] <= np.arange(1, m + 1) * q / (m * harmonic))
        if len(below):
            rejected[order[: below[-1] + 1]] = True
    return rejected


def _wins(
    f: Array, y: Array, used: Array, score: Score, values: npt.ArrayLike | None
) -> tuple[Array, Array]:
    """float[P, n]: W_f, whether the judge agrees with the others at least as well as the person;
    and d = W_h - W_f."""
    top = int(max(f.max(initial=0), y.max(initial=0))) + 1
    numbers = np.arange(top, dtype=float) if values is None else np.asarray(values, float)
    fv, yv = numbers[np.maximum(f, 0)], numbers[np.maximum(y, 0)]
    rated = (y >= 0) & used
    wins, losses = np.zeros(y.shape), np.zeros(y.shape)
    for p in range(len(y)):
        others = np.delete(rated, p, axis=0)
        near = [_alike(np.delete(yv, p, axis=0), mine, others, score) for mine in (fv, yv[p])]
        ahead, behind = near[0] >= near[1] - 1e-12, near[1] >= near[0] - 1e-12
        wins[p], losses[p] = ahead, behind.astype(float) - ahead
    return wins, losses


def _alike(others: Array, mine: Array, rated: Array, score: Score) -> Array:
    """float[n]: how well one rater agrees with the others who graded the item."""
    each = (others == mine).astype(float) if score == "equal" else (others - mine) ** 2
    mean = np.where(rated, each, 0).sum(axis=0) / np.maximum(rated.sum(axis=0), 1)
    return np.asarray(mean if score == "equal" else -np.sqrt(mean))


def _p_mean_below(d: Array, limit: float, g: Array | None = None) -> float | None:
    """One-sided p that the mean of `d` is not below `limit`: t-test, over question sums where `g`
    is given."""
    from scipy.special import stdtr

    n, mean = len(d), float(d.mean())
    sums = (
        d - mean
        if g is None
        else np.bincount(np.unique(g, return_inverse=True)[1], weights=d - mean)
    )
    groups = len(sums)
    if groups < 2:
        return None if g is not None else 1.0
    se = float(np.sqrt(groups / (groups - 1) * (sums**2).sum())) / n
    if se < 1e-12:  # all items alike: t is infinite
        return 0.0 if mean < limit else 1.0
    return float(stdtr(groups - 1, (mean - limit) / se))


def _advantage(wins: Array, graded: Array, g: Array, people: Sequence[int]) -> Interval:
    if not people:
        return undefined(say("statistics.too_few_shared", items=MIN_ADVANTAGE))
    chosen = graded[list(people)]
    names, group = np.unique(g, return_inverse=True)
    tables = np.zeros((len(names), len(people), 2))
    np.add.at(
        tables, group, np.stack([wins[list(people)] * chosen, chosen], axis=-1).transpose(1, 0, 2)
    )
    tables = tables[tables[..., 1].any(axis=1)]

    def mean(t: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((t[..., 0] / t[..., 1]).mean(axis=-1))

    value, rest = delete_one(tables, mean)
    return jackknife_interval(value, rest, "logit", n_cells=int(chosen.any(axis=0).sum()))


def _status(tested: int, min_items: int) -> tuple[Status, str]:
    if not tested:
        return "UNDEFINED", say("statistics.too_few_shared", items=min_items)
    if tested < MIN_TESTED:
        return (
            "INCONCLUSIVE",
            (say("statistics.too_few_people", tested=tested, least=MIN_TESTED, items=min_items)),
        )
    return "OK", ""
