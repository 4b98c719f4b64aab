"""The opinions on one criterion as arrays: whose they are, which population they speak for, who was
called in on disagreements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graders.statistics.resampling import Array
from graders.store.figures.reports import DESIGNS, read_given
from graders.workflows.cells.state import ADJUDICATED


@dataclass(frozen=True, slots=True)
class Population:
    """Whom a figure speaks for: the designs of the verdicts that count, and the cells that they
    were drawn from, in words; `drawn` False where they are no sample, so that nothing is decided on
    them."""

    designs: tuple[str, ...]
    words: str
    drawn: bool = True


#: Widest first. Verdicts of different populations are never mixed: their probabilities are chances
#: in different sets of cells.
POPULATIONS = {
    "all": Population(("calibration", "imported", ""), "all cells"),
    "people": Population(("blind_arm", "ordinary"), "the cells that people see"),
    "audit": Population(("audit",), "the answers with automatic cells"),
    "adaptive": Population(
        ("adaptive",),
        "cells that were reviewed early because they looked hard, and no others",
        drawn=False,
    ),
    "placed": Population(
        ("placed",), "cells whose labels decide most of a promise, and no others", drawn=False
    ),
}
#: What cells were whose verdicts are no sample, by design, in words.
NO_SAMPLE = {
    "adaptive": "reviewed because they looked hard",
    "placed": "chosen because their labels decide most of a promise",
}
#: Designs whose arm was drawn for each person apart, as places in DESIGNS.
ARMS = tuple(DESIGNS.index(name) for name in ("blind_arm", "adaptive"))
#: Somebody whose cells are, in this share, such where the others differ was called in on
#: disagreements.
CALLED_IN = 0.9


@dataclass(frozen=True, slots=True)
class Circle:
    """Who is there: author row -> name of judges and of people; labels and groups of people by
    name; whose verdicts count."""

    judges: Mapping[int, str]
    people: Mapping[int, str]
    adjudicated: int | None
    names: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    reference: str = ""
    aside: frozenset[str] = frozenset()

    def label(self, author: int) -> str:
        """What people read."""
        if author in self.judges:
            return self.judges[author]
        return (
            ADJUDICATED
            if author == self.adjudicated
            else self.names.get(self.people[author], self.people[author])
        )

    def ref(self, author: int) -> str:
        """The name under which pages and commands ask for an author."""
        if author in self.judges:
            return f"judge:{self.judges[author]}"
        return f"person:{ADJUDICATED if author == self.adjudicated else self.people[author]}"

    def group(self, author: int) -> str:
        """The group of a person."""
        return self.groups.get(self.people.get(author, ""), "")

    def counts(self, author: int) -> bool:
        """Whether a person's verdicts make the figures: everybody's, or the reference group's, but
        of those who are set aside."""
        return (
            author in self.people
            and self.people[author] not in self.aside
            and (not self.reference or self.group(author) == self.reference)
        )


@dataclass(frozen=True, slots=True)
class Opinions:
    """All opinions of people on one criterion and those of judges on the same cells. Arrays have
    one entry per opinion of a person but `question`, int[n], and `cells` (their rows), which have
    one per cell; `at` is the position of an opinion's cell. `names` are the rows of the questions
    that `question` numbers."""

    author: Array
    at: Array
    number: Array
    blind: Array
    probability: Array
    design: Array
    question: Array
    groups: int
    judged: dict[int, Array]
    cells: Array = field(default_factory=lambda: np.zeros(0, int))
    names: Array = field(default_factory=lambda: np.zeros(0, int))

    @classmethod
    def of(
        cls,
        given: Sequence[Sequence[Any]],
        judged: Sequence[tuple[int, str, str]],
        superseded: Array,
    ) -> Opinions:
        """From rows of `reports.people_opinions` and `reports.judge_opinions`, without the cells
        `superseded`."""
        counts = [row[1].count(",") + 1 for row in given]
        author = np.repeat([row[0] for row in given], counts).astype(int)
        cell, question, how = (_column([row[place] for row in given]) for place in (1, 2, 4))
        number = _column([row[3] for row in given], float)
        current = ~np.isin(cell, superseded)
        author, cell, question, number, how = (
            column[current] for column in (author, cell, question, number, how)
        )
        blind, design, probability = read_given(how)
        cells, first, at = np.unique(cell, return_index=True, return_inverse=True)
        names, group = np.unique(question[first], return_inverse=True)
        found = {}
        for name, graded, values in judged:
            judge_cell, value = _column([graded]), _column([values], float)
            place = np.searchsorted(cells, judge_cell)
            # A judge may have graded a cell whose verdict by a person no longer counts.
            known = np.append(cells, -1)[place] == judge_cell
            found[name] = np.full(len(cells), np.nan)
            found[name][place[known]] = value[known]
        return cls(
            author, at, number, blind, probability, design, group, len(names), found, cells, names
        )

    def authors(self) -> tuple[Array, Array]:
        """The people, ascending, and for each opinion the position of its author among them."""
        people = np.flatnonzero(np.bincount(self.author))
        place = np.zeros(people[-1] + 1 if len(people) else 1, int)
        place[people] = np.arange(len(people))
        return people, place[self.author]

    def of_population(self, name: str) -> Array:
        """Which opinions are blind and of a population, bool[m]."""
        return np.asarray(
            self.blind
            & np.isin(self.design, [DESIGNS.index(design) for design in POPULATIONS[name].designs])
        )


def widest(loaded: Sequence[Opinions]) -> str:
    """The widest population that was drawn and has blind verdicts; `all` where none has."""
    return next(
        (
            name
            for name, p in POPULATIONS.items()
            if p.drawn and any(opinions.of_population(name).any() for opinions in loaded)
        ),
        "all",
    )


def called_in(opinions: Opinions, used: Array, people: Sequence[int]) -> set[int]:
    """Those of `people` who graded almost only where the others differ: in a mean of pairs that
    would be disagreement counted twice.

    Somebody's others differ on a cell when at least two of them graded it and not all alike.
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


def _column(texts: Sequence[str], kind: type = int) -> Array:
    """The numbers of texts with commas between them, in one array."""
    # whole numbers are read five times as fast
    whole = kind is int or not any("." in text or "e" in text for text in texts)
    return (
        np.fromstring(",".join(texts), int if whole else float, sep=",").astype(kind)
        if texts
        else np.zeros(0, kind)
    )
