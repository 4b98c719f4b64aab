"""The opinions on one criterion as arrays: whose they are and how they were drawn, what judges said
of the same cells, who was called in on disagreements, where people and judges differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np

from graders.statistics.resampling import Array

#: A person whose cells are, in this share, such where the others differ was called in on
#: disagreements.
CALLED_IN = 0.9


@dataclass(frozen=True, slots=True)
class Opinions:
    """All opinions of people on one criterion and those of judges on the same cells.

    Arrays have one entry per opinion of a person but `question`, int[n], and `cells` (their rows),
    which have one per cell; `at` is the position of an opinion's cell. `design` numbers the draw;
    `arm` says of which opinions the blind arm was drawn for each person apart. `names` are the rows
    of the questions that `question` numbers, `groups` is how many these are. `judged`: judge ->
    float[n], NaN where it gave no value.
    """

    author: Array
    at: Array
    number: Array
    blind: Array
    probability: Array
    design: Array
    arm: Array
    question: Array
    groups: int
    judged: Mapping[int, Array]
    cells: Array = field(default_factory=lambda: np.zeros(0, int))
    names: Array = field(default_factory=lambda: np.zeros(0, int))

    @classmethod
    def of(
        cls, given: Array, judged: Array, apart: Sequence[int], arms: Collection[int]
    ) -> Opinions:
        """From rows of opinions without the cells that are set `apart`.

        `given`: structured rows of people with author, cell, question, number, blind, design and
        probability; `judged`: of judges with author, cell and number. `arms` are the designs whose
        arm is drawn for each person apart.
        """
        rows = given[~np.isin(given["cell"], np.array(apart, int))] if len(apart) else given
        cells, first, at = np.unique(rows["cell"], return_index=True, return_inverse=True)
        names, group = np.unique(rows["question"][first], return_inverse=True)
        values: dict[int, Array] = {}
        # A judge may have graded a cell whose verdict by a person does not count.
        place = np.searchsorted(cells, judged["cell"])
        there = np.append(cells, -1)[place] == judged["cell"]
        place, author, number = place[there], judged["author"][there], judged["number"][there]
        for judge in np.unique(judged["author"]).tolist():
            mine = author == judge
            values[judge] = np.full(len(cells), np.nan)
            values[judge][place[mine]] = number[mine]
        return cls(
            author=np.ascontiguousarray(rows["author"]),
            at=at,
            number=np.ascontiguousarray(rows["number"]),
            blind=rows["blind"] > 0,
            probability=np.ascontiguousarray(rows["probability"]),
            design=np.ascontiguousarray(rows["design"]),
            arm=np.isin(rows["design"], list(arms)),
            question=group,
            groups=len(names),
            judged=values,
            cells=cells,
            names=names,
        )

    def authors(self) -> tuple[Array, Array]:
        """The people, ascending, and for each opinion the position of its author among them."""
        people = np.flatnonzero(np.bincount(self.author))
        place = np.zeros(people[-1] + 1 if len(people) else 1, int)
        place[people] = np.arange(len(people))
        return people, place[self.author]

    def drawn(self, designs: Collection[int]) -> Array:
        """Which opinions are blind and of one of these designs, bool[m]."""
        return np.asarray(self.blind & np.isin(self.design, list(designs)))

    def everything(self) -> Array:
        """All opinions, bool[m]."""
        return np.ones(len(self.author), bool)

    def by(self, authors: Collection[int]) -> Array:
        """Which opinions are of one of these people, bool[m]."""
        return np.isin(self.author, list(authors))

    def graders(self, used: Array) -> list[int]:
        """The people of the opinions `used` bool[m], ascending."""
        people: list[int] = np.flatnonzero(np.bincount(self.author[used])).tolist()
        return people

    def size(self, used: Array) -> tuple[int, int]:
        """How many cells, and how many questions, the opinions `used` bool[m] are of."""
        cells = np.flatnonzero(np.bincount(self.at[used]))
        return len(cells), int(np.count_nonzero(np.bincount(self.question[cells])))

    def cells_of(self, used: Array) -> list[int]:
        """The cells (their rows, ascending) of the opinions `used` bool[m]."""
        rows: list[int] = self.cells[np.flatnonzero(np.bincount(self.at[used]))].tolist()
        return rows

    def one_value(self, judge: int, used: Array) -> bool:
        """Whether a judge said the same of all cells of the opinions `used` bool[m]."""
        said = self.judged[judge][np.flatnonzero(np.bincount(self.at[used]))]
        return len(np.unique(said[~np.isnan(said)])) == 1

    def by_design(self, used: Array) -> dict[int, int]:
        """How many of the opinions `used` bool[m] are of each design."""
        designs, counts = np.unique(self.design[used], return_counts=True)
        return dict(zip(designs.tolist(), counts.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class Columns:
    """Opinions cell by cell: per author a column float[n] of numbers (NaN missing), one of
    probabilities, and whether the arm was drawn for each person apart."""

    numbers: Mapping[int, Array]
    probability: Mapping[int, Array]
    arm: Mapping[int, Array]

    @classmethod
    def of(cls, opinions: Opinions, used: Array) -> Columns:
        """The opinions `used` bool[m], by author."""
        numbers: dict[int, Array] = {}
        probability: dict[int, Array] = {}
        arm: dict[int, Array] = {}
        size = len(opinions.question)
        for author in opinions.graders(used):
            mine = used & (opinions.author == author)
            at = opinions.at[mine]
            numbers[author], probability[author], arm[author] = (
                np.full(size, np.nan),
                np.ones(size),
                np.zeros(size, bool),
            )
            numbers[author][at] = opinions.number[mine]
            probability[author][at] = opinions.probability[mine]
            arm[author][at] = opinions.arm[mine]
        return cls(numbers, probability, arm)

    def together(self, a: int, b: int) -> Array:
        """The chance that a cell has both opinions. Judges see all cells. Two blind arms are drawn
        apart; a screen is drawn once for both."""
        if a not in self.probability:
            return self.probability[b]
        one, two = self.probability[a], self.probability[b]
        return np.asarray(np.where(self.arm[a] & self.arm[b], one * two, np.minimum(one, two)))


def couples(people: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs, each once."""
    return [(a, b) for at, a in enumerate(people) for b in people[at + 1 :]]


def called_in(opinions: Opinions, used: Array, people: Sequence[int]) -> set[int]:
    """Those of `people` who graded almost only where the others differ: in a mean of pairs that
    would be disagreement counted twice.

    A person's others differ on a cell when at least two of them graded it and not all alike.
    """
    mine = np.flatnonzero(used & np.isin(opinions.author, people))
    if len(people) < 3 or not len(mine):
        return set()
    mine = mine[np.lexsort((opinions.number[mine], opinions.at[mine]))]
    at, number = opinions.at[mine], opinions.number[mine]
    _, first, cell, size = np.unique(at, return_index=True, return_inverse=True, return_counts=True)
    last = first + size - 1
    low, high = number[first], number[last]
    many, differ = size >= 2, (size >= 2) & (low < high)
    # Without one opinion, a cell's lowest is its second lowest where that opinion is the lowest;
    # likewise its highest.
    rest = size[cell] >= 3
    place = np.arange(len(mine))
    lowest = np.where(place == first[cell], number[np.minimum(first + 1, last)][cell], low[cell])
    highest = np.where(place == last[cell], number[np.maximum(last - 1, first)][cell], high[cell])
    apart = rest & (lowest < highest)
    _, who = np.unique(opinions.author[mine], return_inverse=True)

    def by_person(flags: Array) -> Array:
        return np.bincount(who, weights=flags.astype(float))

    own, own_many, own_differ = (by_person(flags) for flags in (np.ones(len(mine)), rest, apart))
    all_many = many.sum() - by_person(many[cell]) + own_many
    all_differ = differ.sum() - by_person(differ[cell]) + own_differ
    called = (
        (own_many >= 0.5 * own)
        & (own_differ > CALLED_IN * own_many)
        & (all_differ < CALLED_IN / 2 * all_many)
    )
    return {int(author) for author in np.unique(opinions.author[mine])[called]}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An opinion of a person that differs from those of `judges`: rows of the cell, the person and
    the question."""

    cell: int
    author: int
    question: int
    judges: tuple[int, ...]


def disagreements(
    opinions: Opinions, judges: Collection[int], people: Collection[int]
) -> list[Disagreement]:
    """The opinions of these people that differ from one of these judges, in the order of
    opinions."""
    asked = [judge for judge in opinions.judged if judge in judges]
    counts = opinions.by(people)
    if not asked or not counts.any():
        return []
    apart = np.stack(
        [
            ~np.isnan(opinions.judged[judge][opinions.at])
            & (opinions.judged[judge][opinions.at] != opinions.number)
            for judge in asked
        ]
    )
    at = np.flatnonzero(apart.any(axis=0) & counts)
    cells = opinions.at[at]
    # hundreds of thousands of opinions differ from few sets of judges
    sets, which = np.unique(apart[:, at], axis=1, return_inverse=True)
    judges_of = [tuple(compress(asked, differs)) for differs in sets.T.tolist()]
    return [
        Disagreement(cell, author, question, judges_of[differs])
        for cell, author, question, differs in zip(
            opinions.cells[cells].tolist(),
            opinions.author[at].tolist(),
            opinions.names[opinions.question[cells]].tolist(),
            which.tolist(),
            strict=True,
        )
    ]
