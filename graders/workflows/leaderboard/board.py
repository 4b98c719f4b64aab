"""What the leaderboard and preferences show: rows of models, the pair, criteria, counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.statistics.resampling import Estimate, Interval, estimate
from graders.workflows.opinions.label_choice import LabelChoice
from graders.workflows.opinions.narrowing import Choice, Chosen
from graders.workflows.scope.project_head import ProjectHead


@dataclass(frozen=True, slots=True)
class Only:
    """The filters that are set, in words: of which answers and wording figures are, and which
    verdicts of people count; empty where none is set."""

    cells: str = ""
    verdicts: str = ""


@dataclass(frozen=True, slots=True)
class Axis:
    """How values on 0..1 are shown."""

    low: float
    high: float
    words: str
    decimals: int

    def at(self, value: float | None) -> float | None:
        """A value on 0..1 as it is shown."""
        if value is None or not math.isfinite(value):
            return None
        return self.low + value * (self.high - self.low)

    def by(self, apart: float) -> float | None:
        """A difference as it is shown."""
        return apart * (self.high - self.low) if math.isfinite(apart) else None

    def shown(self, found: Interval) -> Estimate:
        """An interval as it is shown; it does not leave the scale, though a correction may lift a
        value beyond its end."""
        low, value, high = (
            None if part is None else min(max(part, 0.0), 1.0)
            for part in (found.low, found.value, found.high)
        )
        return estimate(found, self.at(value), self.at(low), self.at(high))


@dataclass(frozen=True, slots=True)
class Row:
    """A model: its `place` from 1 (None where it is not ranked), its best and worst rank (None
    where the figure carries no decision), the `figure` that is shown, beside it those of `people`
    and of the `judge` alone with the judge's place; None where there is nothing to make one of."""

    model: str
    place: int | None
    ranks: tuple[int, int] | None
    figure: Estimate | None
    people: Estimate | None
    judge: Estimate | None
    judge_place: int | None


@dataclass(frozen=True, slots=True)
class Ranked(Row):
    """A model of the leaderboard.

    `gain`: how many labelled questions one is worth with the judge's help, None where that is not
    known. Means over its current answers: `cost` in dollars, seconds to the `first` token and in
    all, output `tokens`; None where not one is known. `sentence` says its figure.
    """

    gain: float | None
    cost: float | None = None
    first: float | None = None
    seconds: float | None = None
    tokens: float | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Preferred(Row):
    """A model by preferences; figures are the chance, in %, to win against an average opponent.
    `strength` as Bradley and Terry have it, and how many comparisons it won, tied and lost."""

    figure: Estimate
    strength: float | None
    won: int
    tied: int
    lost: int
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models question by question: `a` minus `b` with its interval in the units of the axis.

    `doubt`: why nothing can be told, empty where it can. `p_flip`: the chance, 0 to 1, that the
    order is wrong. `tied`: the interval holds 0, or there is none. `more`: labelled questions after
    which the chance would be under 5 %, None where that is not known, and `why`.
    """

    doubt: str
    a: str
    b: str
    apart: float | None
    low: float | None
    high: float | None
    p_flip: float | None
    tied: bool
    questions: int
    more: int | None
    why: str
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Reversed:
    """Two models that the judge puts the wrong way round: how much `better` one is than `worse`."""

    better: str
    worse: str
    apart: float | None


@dataclass(frozen=True, slots=True)
class Misled:
    """Where the judge alone ranks against what corrected figures are sure of: so many `pairs`, with
    the largest as `example`; how many of the `models` it is too lenient and too strict with, and
    by how much at `most`."""

    pairs: int
    lenient: int
    strict: int
    models: int
    most: float | None
    example: Reversed | None


@dataclass(frozen=True, slots=True)
class Worth:
    """What the judge is worth: the middle `gain` over models, and how many labelled `questions`
    more that is."""

    gain: float
    questions: int


@dataclass(frozen=True, slots=True)
class Counts:
    """What figures are made of: `cells` that the judge graded and their `questions`, `labels` that
    count and theirs, and labels that do not, by reason; `within`: the answers that figures are of
    alone, because nobody says how the labelled ones were chosen, 0 where they are of all."""

    cells: int
    questions: int
    labels: int
    labelled_questions: int
    unjudged: int
    partly: int
    assisted: int
    other_draws: int
    wordings: int
    judge_wordings: int
    unknown: int = 0
    within: int = 0


@dataclass(frozen=True, slots=True)
class CellFigure(Estimate):
    """A model's figure on one criterion, with its best and worst rank where it carries a decision;
    the `sentence` goes before the criterion's `ground`."""

    ranks: tuple[int, int] | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class BoardCriterion:
    """A criterion of the leaderboard: its axis, and its figures by model where it was read.

    `counts` None where it was not; `weight` in the overall mean, None where it is not in the view;
    `aside`: why it has none unless one is given. `ground` says what its figures rest on.
    """

    key: str
    title: str
    question: str
    rubric: str
    measure: str
    low: float
    high: float
    words: str
    decimals: int
    cells: Mapping[str, CellFigure | None]
    judge: str
    counts: Counts | None
    weight: float | None
    aside: str
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Unranked:
    """A criterion that cannot be ranked, and why."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class Share(Estimate):
    """A model's share by Rogan and Gladen, also as a `sentence`, empty where there is none."""

    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Shares:
    """Shares by Rogan and Gladen by model; `why` there are none, empty where there are."""

    why: str
    figures: Mapping[str, Share]


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard: models, best first, with what is said of them.

    `title`, `subtitle`, `rests_on`, `alone` (all labels are one person's), `ceiling` and `warning`
    are sentences, empty where there is nothing to say. `ties`: first and last place, from 0, of
    models that cannot be told apart. `lambda_`: the weight of the judge in the correction, None
    without one. `rogan_gladen` None unless asked for; `two_valued`: it can be. `preferences`: keys
    of criteria that compare pairs. `unconfirmed`: the judge's values are shown because no label of
    people counts. `choice`: how imported labels were chosen, with a warning where they differ from
    the rest.
    """

    project: ProjectHead
    title: str
    subtitle: str
    rests_on: str
    alone: str
    ceiling: str
    warning: str
    unconfirmed: bool
    choice: LabelChoice
    misled: Misled | None
    view: str
    show: str
    axis: Axis
    judge: str
    judges: Sequence[str]
    counts: Counts
    worth: Worth | None
    lambda_: float | None
    models: Sequence[Ranked]
    two_valued: bool
    rogan_gladen: Shares | None
    ties: Sequence[tuple[int, int]]
    pair: Pair | None
    criteria: Sequence[BoardCriterion]
    without: Sequence[Unranked]
    preferences: Sequence[str]
    filters: Mapping[str, Chosen]
    only: Only
    filter_choices: Mapping[str, Sequence[Choice]]


@dataclass(frozen=True, slots=True)
class PairCriterion:
    """A criterion that compares two answers."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """Models by which of two answers was preferred, the most preferred first.

    `view` is the criterion's key, `by` people or the judge whose comparisons count, `how` the
    method, `answering` all models that have answers; the rest as on a `Board`.
    """

    project: ProjectHead
    title: str
    subtitle: str
    rests_on: str
    how: str
    view: str
    show: str
    by: str
    axis: Axis
    judge: str
    judges: Sequence[str]
    models: Sequence[Preferred]
    ties: Sequence[tuple[int, int]]
    criteria: Sequence[PairCriterion]
    preferences: Sequence[str]
    answering: Sequence[str]
    filters: Mapping[str, Chosen]
    only: Only
    filter_choices: Mapping[str, Sequence[Choice]]
