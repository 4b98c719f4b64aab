"""The ceiling: how far people agree among themselves, from every pair of them on every cell that
two of them graded; how far a judge agrees with each of them; and what is missing to compare the
two.

Where every one of the people graded every cell, both are means of the lead figure over pairs; with
gaps both are Krippendorff's alpha (`graders.statistics.pairwise_alpha`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics import pair_figures
from graders.statistics.opinions import Opinions, couples
from graders.statistics.pair_figures import MIN_CELLS, Pair, Part
from graders.statistics.pairwise_alpha import Ratings, alpha_level, among_people, with_judge
from graders.statistics.resampling import MIN_QUESTIONS, Array, Interval, early, undefined

_Two = tuple[int, int]


class Short(StrEnum):
    """What there is too little of."""

    CELLS = "cells"
    QUESTIONS = "questions"


@dataclass(frozen=True, slots=True)
class Lack:
    """What a comparison with people lacks, in `words`: of what there is too little, how many
    `labels` end that (`missing`) where each falls on a cell that one person graded, as long as
    there are such, two on others; the cells and questions that two people graded so far."""

    words: str
    short: Short
    missing: int
    cells: int
    questions: int


@dataclass(frozen=True, slots=True)
class Ceiling:
    """People among themselves on the cells that the judge graded too; the judge with each of them,
    on all cells that both graded; the judge minus the people on the same cells; what there is too
    little of (None where nothing is). `graders`: the people with a cell that another graded;
    `judged`: the cells behind the judge's figure."""

    people: Interval
    judge: Interval
    apart: Interval
    lack: Lack | None
    graders: int = 0
    judged: int = 0


@dataclass(frozen=True, slots=True)
class Planned:
    """The people whose opinions make figures (author rows), with their opinions. `gaps`: not every
    one of them graded every cell. `blind`: only blind opinions count, as they do where they are
    weighted, for only these were drawn."""

    scale: Scale
    opinions: Opinions
    used: Array
    people: Sequence[int]
    ratings: Ratings
    gaps: bool
    blind: bool

    @classmethod
    def of(
        cls,
        scale: Scale,
        opinions: Opinions,
        used: Array,
        people: Sequence[int],
        *,
        weighted: bool,
    ) -> Planned:
        """Of these people, from the opinions `used` bool[m]."""
        mine = used & opinions.by(people)
        ratings = Ratings.of(opinions, mine, people, weighted=weighted)
        cells = int(np.count_nonzero(ratings.counts(len(opinions.question))))
        gaps = len(ratings.at) < cells * len(people)
        return cls(scale, opinions, mine, people, ratings, gaps, weighted)

    @property
    def figure(self) -> pair_figures.Lead:
        """The figure that people and judges are compared by."""
        if not self.gaps:
            return pair_figures.lead_name(self.scale)
        return pair_figures.ALPHA[alpha_level(self.scale)]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Figures of two authors: those that are `known` on all of their cells, None where none is,
    and how others are made (`pairs` of `pair_figures`, or of `without_intervals`)."""

    known: Mapping[_Two, Pair] | None
    make: Callable[..., Mapping[_Two, Pair]]

    def parts(self, of: Planned, on: Array, wanted: Sequence[_Two]) -> list[Part]:
        """Of the wanted pairs on the cells `on`, bool[cells]."""
        mine = of.used & on[of.opinions.at]
        found = (
            self.known
            if self.known is not None and np.array_equal(mine, of.used)
            else self.make(of.scale, of.opinions, mine, wanted, weighted=of.blind)
        )
        return [found[pair].part for pair in wanted if pair in found]


def ceiling(
    of: Planned, pairs: Pairs, judge: tuple[int, Array] | None, *, intervals: bool
) -> Ceiling:
    """People and, where there is one, a judge (author row, and numbers float[cells], NaN missing)
    beside them."""
    size = len(of.opinions.question)
    seen = np.ones(size, bool) if judge is None else ~np.isnan(judge[1])
    counts = of.ratings.counts(size)
    shared = seen & (counts > 1)
    lack = _lack(of, counts, seen, judge=judge is not None)
    among = _among(of, pairs, seen, intervals=intervals)
    people = _told(pair_figures.mean(among), shared, of, lack)
    if lack and not shared.any():
        people = undefined(lack.words)
    graders = len(of.opinions.graders(of.used & shared[of.opinions.at]))
    if judge is None:
        nobody = undefined(say("statistics.no_judge"))
        return Ceiling(people, nobody, nobody, lack, graders)
    own = _beside(of, pairs, judge, seen, intervals=intervals)
    met = seen & (counts > 0)
    alone = _told(pair_figures.mean(own), met, of, None)
    if lack:
        apart = undefined(lack.words)
    else:
        same = own if not of.gaps else _beside(of, pairs, judge, shared, intervals=intervals)
        apart = replace(pair_figures.difference(same, among), n_cells=int(shared.sum()))
    return Ceiling(people, alone, apart, lack, graders, int(met.sum()))


def judge_alone(
    of: Planned, pairs: Pairs, judge: tuple[int, Array], *, intervals: bool
) -> Interval:
    """A judge with each of the people, on all cells that both graded, with no word on people among
    themselves."""
    seen = ~np.isnan(judge[1])
    met = seen & (of.ratings.counts(len(seen)) > 0)
    return _told(
        pair_figures.mean(_beside(of, pairs, judge, seen, intervals=intervals)), met, of, None
    )


def _among(of: Planned, pairs: Pairs, on: Array, *, intervals: bool) -> list[Part]:
    """People among themselves on the cells `on`, bool[cells]."""
    if of.gaps:
        return [among_people(of.scale, of.opinions, of.ratings, on, intervals=intervals)]
    return pairs.parts(of, on, couples(of.people))


def _beside(
    of: Planned, pairs: Pairs, judge: tuple[int, Array], on: Array, *, intervals: bool
) -> list[Part]:
    """A judge with each of the people on the cells `on`, bool[cells]."""
    author, numbers = judge
    if of.gaps:
        return [with_judge(of.scale, of.opinions, of.ratings, numbers, on, intervals=intervals)]
    return pairs.parts(of, on, [(author, person) for person in of.people])


def _told(figure: Interval, on: Array, of: Planned, lack: Lack | None) -> Interval:
    """A figure with the cells and questions that it rests on: an early one where there is too
    little."""
    cells = int(on.sum())
    questions = int(np.count_nonzero(np.bincount(of.opinions.question[on])))
    figure = replace(figure, n_cells=cells, n_questions=questions)
    if lack:
        return early(figure, lack.words)
    if cells < MIN_CELLS:
        return early(figure, say("statistics.fewer_cells_of", least=MIN_CELLS))
    if questions < MIN_QUESTIONS:
        return early(figure, say("statistics.fewer_questions", least=MIN_QUESTIONS))
    return figure


def _lack(of: Planned, counts: Array, seen: Array, *, judge: bool) -> Lack | None:
    """What a comparison with people lacks: `counts` int[cells], how many people graded each;
    `seen` bool[cells], whether the judge did."""
    shared, single = seen & (counts > 1), seen & (counts == 1)
    question = of.opinions.question
    known = np.unique(question[shared])
    cells, questions = int(shared.sum()), len(known)
    need, new = max(0, MIN_CELLS - cells), max(0, MIN_QUESTIONS - questions)
    if not need and not new:
        return None
    fresh = len(np.setdiff1d(question[single], known))
    first = min(new, fresh)
    rest = max(need, new) - new
    cheap = min(rest, int(single.sum()) - first)
    missing = 2 * max(need, new) - first - cheap
    return Lack(
        lack_words(len(of.people), missing, cells, questions, judge=judge, blind=of.blind),
        Short.CELLS if need else Short.QUESTIONS,
        missing,
        cells,
        questions,
    )


def lack_words(
    people: int, missing: int, cells: int, questions: int, *, judge: bool, blind: bool
) -> str:
    """How many labels are missing, and what two people have graded so far."""
    label = "blind" if blind else "any"
    if people < 2:
        key = "person" if people else "nobody"
        return say(f"statistics.lack.{key}.{label}", n=missing, least=MIN_CELLS)
    whom = "judge" if judge else "people"
    had = [
        say("statistics.lack.of_cells", had=cells, least=MIN_CELLS)
        if cells < MIN_CELLS
        else say("units.cell", n=cells)
    ]
    if questions < MIN_QUESTIONS:
        had.append(say("statistics.lack.of_questions", had=questions, least=MIN_QUESTIONS))
    return say(f"statistics.lack.{whom}.{label}", n=missing, had=" ".join(had))


@dataclass(frozen=True, slots=True)
class Waiting:
    """A cell of a screen that waits for so many `people`: rows of screen, cell and question, and
    whether the judge gave it a value."""

    screen: int
    cell: int
    question: int
    people: int
    judged: bool


def labels_until(of: Planned, judge: Array | None, waiting: Iterable[Waiting]) -> tuple[int, bool]:
    """How many labels are given until nothing lacks, when screens are graded whole in the order in
    which they wait; whether they suffice."""
    opinions, counts = of.opinions, of.ratings.counts(len(of.opinions.question))
    seen = np.ones(len(counts), bool) if judge is None else ~np.isnan(judge)
    shared = seen & (counts > 1)
    said = dict(zip(opinions.cells.tolist(), counts.tolist(), strict=True))
    questions = set(opinions.names[np.unique(opinions.question[shared])].tolist())
    cells, labels, screen = int(shared.sum()), 0, -1
    for one in waiting:
        enough = cells >= MIN_CELLS and len(questions) >= MIN_QUESTIONS
        if enough and one.screen != screen:
            return labels, True
        screen = one.screen
        labels += one.people
        before = said.get(one.cell, 0)
        said[one.cell] = before + one.people
        if one.judged and before < 2 <= said[one.cell]:
            cells += 1
            questions.add(one.question)
    return labels, cells >= MIN_CELLS and len(questions) >= MIN_QUESTIONS
