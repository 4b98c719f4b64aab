"""Early estimates from assisted verdicts: how far a judge agrees with people who saw suggestions.
They are optimistic, and decide nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from graders.core.words import say
from graders.statistics import anchoring, pair_figures, without_intervals
from graders.statistics.ceiling import Pairs, Planned, judge_alone
from graders.statistics.pair_figures import Lead
from graders.statistics.resampling import Interval, early, shown
from graders.store.figures.anchoring import drawn_arms
from graders.store.projects import CriterionRow
from graders.workflows.agreement.ground import Ground
from graders.workflows.agreement.records import Assisted
from graders.workflows.agreement.words import interval_words
from graders.workflows.scope.permissions import Scope


class Guess(NamedTuple):
    """A judge with people who saw suggestions: which `measure`, and its figure."""

    measure: Lead
    figure: Interval


def assisted_figures(
    ground: Ground, place: int, judges: list[int], *, intervals: bool
) -> Mapping[int, Guess]:
    """Of those `judges` (author rows) that graded what people graded with suggestions in view;
    none where assisted verdicts count anyway."""
    criterion, opinions = ground.criteria[place], ground.loaded[place]
    if not ground.view.blind_only or not judges:
        return {}
    used = ground.assisted(opinions)
    people = opinions.graders(used)
    if not people:
        return {}
    of = Planned.of(criterion.scale, opinions, used, people, weighted=False)
    pairs = Pairs(None, pair_figures.pairs if intervals else without_intervals.pairs)
    found = {
        judge: judge_alone(of, pairs, (judge, opinions.judged[judge]), intervals=intervals)
        for judge in judges
    }
    return {
        judge: Guess(of.figure, figure)
        for judge, figure in found.items()
        if figure.value is not None
    }


def told(scope: Scope, ground: Ground, criterion: CriterionRow, guess: Guess) -> Assisted:
    """An estimate from assisted verdicts, marked as optimistic, with the anchoring effect where
    that is known."""
    pull = _pull(scope, ground, criterion)
    if pull.status == "OK" and pull.value is not None:
        words = say(
            "agreement.assisted.pulled",
            points=100 * pull.value,
            interval=interval_words(pull.low, pull.high, 100),
        )
    else:
        words = say("agreement.assisted.unknown")
    return Assisted(guess.measure, shown(early(guess.figure, words)), shown(pull), words)


def _pull(scope: Scope, ground: Ground, criterion: CriterionRow) -> Interval:
    """The anchoring effect on a criterion, as the page Anchoring has it."""
    rows = drawn_arms(scope.ws.db, criterion)
    return anchoring.shift(
        [float(json.loads(row.value) == json.loads(row.suggestion)) for row in rows],
        [1 - row.blind for row in rows],
        [row.person for row in rows],
        [row.question for row in rows],
        draws=0,
    ).interval
