"""The rows, ties, pair and warning of the leaderboard, from what the means of models are made
of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from graders.statistics.influence import Influence
from graders.statistics.prediction_powered import (
    TIE,
    Differences,
    differences,
    gains,
    intervals,
    rank_intervals,
)
from graders.statistics.resampling import Array
from graders.workflows.leaderboard.board import Axis, Misled, Pair, Ranked, Reversed, Row, Worth

#: A pair's order should be wrong with at most this chance: what "more questions" is counted for.
SURE, SURE_Z = 0.05, 1.6449


@dataclass(frozen=True, slots=True)
class Three:
    """The same means in the three ways; None where there is nothing to make one of."""

    corrected: Influence | None
    people: Influence | None
    judge: Influence | None

    def way(self, name: str) -> Influence | None:
        """One of them by name."""
        found: Influence | None = getattr(self, name)
        return found


def rows(
    models: Sequence[str], three: Three, show: str, axis: Axis
) -> tuple[list[Ranked], Differences | None, list[int]]:
    """One row per model, best first, with those that have no figure last; the differences among the
    former, and which these are."""
    chosen = three.way(show)
    made = {
        name: intervals(part)
        for name in ("corrected", "people", "judge")
        if (part := three.way(name)) is not None
    }
    found = made.get(show, ())
    usable = [m for m in range(len(models)) if found and found[m].value is not None]
    usable.sort(key=lambda m: (-(found[m].value or 0.0), models[m]))
    sure = [found[m].status == "OK" for m in usable]
    apart = (
        None if chosen is None or not usable else undecided(differences(some(chosen, usable)), sure)
    )
    best, worst = (
        rank_intervals(apart) if apart is not None else (np.zeros(0, int), np.zeros(0, int))
    )
    ranks = {m: (int(best[i]), int(worst[i])) if sure[i] else None for i, m in enumerate(usable)}
    judged = _places(
        [made["judge"][m].value if "judge" in made else None for m in range(len(models))]
    )
    worth = (
        gains(made["corrected"], made["people"])
        if "corrected" in made and "people" in made
        else np.full(len(models), np.nan)
    )
    table: list[Ranked] = []
    for m in [*usable, *(m for m in range(len(models)) if m not in ranks)]:
        people, judge = (
            axis.shown(made[name][m]) if name in made else None for name in ("people", "judge")
        )
        table.append(
            Ranked(
                model=models[m],
                place=len(table) + 1 if m in ranks else None,
                ranks=ranks.get(m),  # a figure that carries no decision has none
                figure=axis.shown(found[m]) if found else None,
                people=people,
                judge=judge,
                judge_place=judged[m],
                gain=float(worth[m]) if np.isfinite(worth[m]) else None,
            )
        )
    return table, apart, usable


def undecided(apart: Differences, sure: Sequence[bool]) -> Differences:
    """The same where no order is known of a model whose figure carries no decision."""
    known = np.asarray(sure, bool)
    return apart._replace(p_flip=np.where(known[:, None] & known[None, :], apart.p_flip, np.nan))


def ties(apart: Differences | None) -> list[tuple[int, int]]:
    """(first, last) places, from 0, of the longest runs of models that cannot be told apart."""
    if apart is None:
        return []
    tied = ~(apart.p_flip <= TIE)
    found: list[tuple[int, int]] = []
    for first in range(len(tied)):
        last = first
        while last + 1 < len(tied) and tied[first : last + 1, last + 1].all():
            last += 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def pair(
    table: Sequence[Row],
    apart: Differences | None,
    a: str,
    b: str,
    axis: Axis,
    there: int,
) -> Pair | None:
    """Two models question by question: `a` and `b` by name, else the first two. `there`: the
    questions that could be labelled."""
    ranked = [row for row in table if row.place is not None]
    names = [row.model for row in ranked]
    if apart is None or len(names) < 2:
        return None
    i = names.index(a) if a in names else 0
    j = (
        names.index(b)
        if b in names and b != names[i]
        else next(k for k in range(len(names)) if k != i)
    )
    d, se, flip = (float(part[i, j]) for part in (apart.d, apart.se, apart.p_flip))
    doubt = next(
        (
            row.figure.reason
            for row in (ranked[i], ranked[j])
            if row.figure is not None and row.figure.status != "OK"
        ),
        "",
    )
    more, why = (
        (None, doubt)
        if doubt
        else _missing(d, se, float(apart.label[i, j]), int(apart.df[i, j]) + 1, there)
    )
    return Pair(
        doubt=doubt,
        a=names[i],
        b=names[j],
        apart=axis.by(d),
        low=axis.by(float(apart.low[i, j])),
        high=axis.by(float(apart.high[i, j])),
        p_flip=flip if np.isfinite(flip) else None,
        tied=not flip <= TIE,
        questions=int(apart.df[i, j]) + 1,
        more=more,
        why=why,
    )


def misled(three: Three, models: Sequence[str], axis: Axis) -> Misled | None:
    """Where the judge alone ranks two models against what the corrected figures are sure of; None
    without such figures."""
    if three.corrected is None or three.judge is None:
        return None
    known = [
        m for m in range(len(models)) if three.corrected.n_labelled[m] and three.judge.n_cells[m]
    ]
    found = intervals(three.corrected)
    known = [m for m in known if found[m].status == "OK"]
    if len(known) < 2:
        return None
    apart = differences(some(three.corrected, known))
    judged = three.judge.theta[known]
    against = (apart.d > 0) & (apart.p_flip <= TIE) & (judged[:, None] < judged[None, :])
    lean = judged - three.corrected.theta[known]
    places = np.argwhere(against)
    worst = max(
        ((int(i), int(j)) for i, j in places), key=lambda ij: float(apart.d[ij]), default=None
    )
    return Misled(
        pairs=len(places),
        lenient=int((lean > 0).sum()),
        strict=int((lean < 0).sum()),
        models=len(known),
        most=axis.by(float(np.abs(lean).max())),
        example=None
        if worst is None
        else Reversed(
            better=models[known[worst[0]]],
            worse=models[known[worst[1]]],
            apart=axis.by(float(apart.d[worst])),
        ),
    )


def some(found: Influence, which: Sequence[int]) -> Influence:
    """The same for some models."""
    at = list(which)
    one = {
        name: getattr(found, name)[at]
        for name in ("theta", "lam", "n_cells", "n_questions", "n_labelled", "off_mode")
    }
    return replace(found, label=found.label[:, at], judge=found.judge[:, at], **one)


def worth(table: Sequence[Ranked]) -> Worth | None:
    """What the judge is worth in labelled questions: the middle gain over models, and how many
    questions more that is."""
    known = [
        (row.gain, row.figure.n_questions)
        for row in table
        if row.gain is not None and row.ranks is not None and row.figure is not None
    ]
    if not known:
        return None
    gain, questions = (
        float(np.median([g for g, _ in known])),
        float(np.median([n for _, n in known])),
    )
    return Worth(gain, max(0, round(questions * (gain - 1))))


def _missing(
    d: float, se: float, label: float, questions: int, there: int
) -> tuple[int | None, str]:
    """How many more labelled questions would make the order sure, if figures stayed as they are;
    None where that is not known, and why."""
    if not np.isfinite(se) or se <= 0 or d == 0:
        return None, "no difference to be sure of" if d == 0 else "no interval can be estimated"
    allowed, rest = (abs(d) / SURE_Z) ** 2, max(se**2 - label, 0.0)
    if se**2 <= allowed:
        return 0, ""
    if allowed <= rest:
        return None, "labels alone will not do: more questions are needed"
    more = int(np.ceil(questions * (label / (allowed - rest) - 1)))
    return more, "more than there are" if questions + more > there else ""


def _places(values: Sequence[float | None]) -> list[int | None]:
    """Place of each value, highest first, from 1."""
    known: Array = np.array([v for v in values if v is not None])
    return [None if v is None else 1 + int((known > v).sum()) for v in values]
