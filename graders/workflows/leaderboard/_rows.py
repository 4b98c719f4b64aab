"""The rows, the pair and the warning of the leaderboard, from what the means of models are made
of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from graders.core.words import say
from graders.statistics import ranking as statistics
from graders.statistics.influence import Influence
from graders.statistics.model_pairs import Pairs
from graders.statistics.prediction_powered import Differences, gains, intervals
from graders.statistics.ranking import Ranking, Why
from graders.workflows.leaderboard.board import Axis, Misled, Pair, Ranked, Reversed, Row, Worth


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
    models: Sequence[str], three: Three, show: str, axis: Axis, pairs: Pairs | None
) -> tuple[list[Ranked], Ranking]:
    """One row per model, best first, with those that have no figure last; and their ranking, by
    `pairs` of what is shown."""
    made = {
        name: intervals(part)
        for name in ("corrected", "people", "judge")
        if (part := three.way(name)) is not None
    }
    figures = made.get(show, ())

    def apart(which: Sequence[int]) -> Differences:
        assert pairs is not None  # else there is no figure
        return pairs.of(which)

    scores = None if pairs is None else pairs.scores().tolist()
    ranking = statistics.ranking(models, figures, apart, scores)
    judged = _places(
        [one.value for one in made["judge"]] if "judge" in made else [None] * len(models)
    )
    worth: Sequence[float] = (
        gains(made["corrected"], made["people"]).tolist()
        if "corrected" in made and "people" in made
        else [math.nan] * len(models)
    )
    table: list[Ranked] = []
    for m in [*ranking.order, *(m for m in range(len(models)) if m not in ranking.ranks)]:
        people, judge = (
            axis.shown(made[name][m]) if name in made else None for name in ("people", "judge")
        )
        table.append(
            Ranked(
                model=models[m],
                place=len(table) + 1 if m in ranking.ranks else None,
                ranks=ranking.ranks.get(m),  # a figure that carries no decision has none
                figure=axis.shown(figures[m]) if figures else None,
                people=people,
                judge=judge,
                judge_place=judged[m],
                gain=worth[m] if math.isfinite(worth[m]) else None,
            )
        )
    return table, ranking


def pair(
    table: Sequence[Row],
    apart: Differences | None,
    wanted: tuple[str, str],
    axis: Axis,
    there: int,
    doubt_of: Callable[[str, str], str],
) -> Pair | None:
    """Two models question by question: those that are named, else the first two. `there`: the
    questions that could be labelled; `doubt_of` two models: why nothing can be told of them."""
    a, b = wanted
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
    found = statistics.two(apart, i, j)
    doubt = doubt_of(names[i], names[j])
    more, why = None, doubt
    if not doubt:
        more, reason = statistics.more_questions(found, there)
        why = say(f"leaderboard.more.{reason}") if reason != Why.ENOUGH else ""
    return Pair(
        doubt=doubt,
        a=names[i],
        b=names[j],
        apart=axis.by(found.d),
        low=axis.by(found.low),
        high=axis.by(found.high),
        p_flip=found.p_flip,
        tied=found.tied,
        questions=found.questions,
        more=more,
        why=why,
    )


def misled(three: Three, models: Sequence[str], axis: Axis, pairs: Pairs | None) -> Misled | None:
    """Where the judge alone ranks two models against what the corrected figures are sure of, by
    their `pairs`; None without such figures."""
    if three.corrected is None or three.judge is None or pairs is None:
        return None
    found = statistics.against(three.corrected, three.judge, pairs.of)
    if found is None:
        return None
    example = None
    if found.worst is not None:
        better, worse, apart = found.worst
        example = Reversed(better=models[better], worse=models[worse], apart=axis.by(apart))
    return Misled(
        pairs=found.pairs,
        lenient=found.lenient,
        strict=found.strict,
        models=found.models,
        most=axis.by(found.most),
        example=example,
    )


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
    gain, questions = median(gain for gain, _ in known), float(median(n for _, n in known))
    return Worth(gain, max(0, round(questions * (gain - 1))))


def _places(values: Sequence[float | None]) -> list[int | None]:
    """Place of each value, highest first, from 1."""
    known = [value for value in values if value is not None]
    return [
        None if value is None else 1 + sum(other > value for other in known) for value in values
    ]
