"""The ceiling: how far each person agrees with what the others say, and how far a judge does, on
the same cells and targets.

Each person is left out in turn; the target is the mean of the others' values on scales with an
order, their majority elsewhere (ties are dropped). Section 1 of the house's statistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import numpy as np

from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics import pair_figures
from graders.statistics.agreement import kappa
from graders.statistics.opinions import Opinions
from graders.statistics.pair_figures import MIN_CELLS, Part, concordance, correlation
from graders.statistics.resampling import (
    MIN_QUESTIONS,
    Array,
    Interval,
    Statistic,
    cluster_tables,
    delete_one,
    scaled_weights,
    undefined,
)


@dataclass(frozen=True, slots=True)
class Targets:
    """Opinions of people that others meet, by person: position of the cell, own number, what the
    others say, weight (None: all 1).

    `graded`: positions of the cells that the person and another graded, those on which the others
    tie too; `alone`: of those that only the person graded. `blind`: only blind opinions count, as
    they do where they are weighted, for only these were drawn.
    """

    at: tuple[Array, ...]
    own: tuple[Array, ...]
    others: tuple[Array, ...]
    weight: tuple[Array, ...] | None
    graded: tuple[Array, ...]
    alone: tuple[Array, ...]
    people: int
    blind: bool


class Short(StrEnum):
    """What there is too little of."""

    CELLS = "cells"
    QUESTIONS = "questions"


@dataclass(frozen=True, slots=True)
class Lack:
    """What a comparison with people lacks, in `words`: of what there is too little, and how many
    labels that are, None where labels alone do not help."""

    words: str
    short: Short
    missing: int | None


@dataclass(frozen=True, slots=True)
class Ceiling:
    """People against the others, a judge against the same, and the judge minus the people; what
    there is too little of (None where nothing is). `parts` are the people, one by one."""

    people: Interval
    judge: Interval
    apart: Interval
    lack: Lack | None
    parts: tuple[Part, ...] = ()


def targets(
    scale: Scale, opinions: Opinions, used: Array, planned: Sequence[int], *, weighted: bool
) -> Targets:
    """What the others say of each cell, for each of the people `planned` (author rows), from the
    opinions `used` bool[m]."""
    rows = np.flatnonzero(used & np.isin(opinions.author, planned))
    at, number, author = opinions.at[rows], opinions.number[rows], opinions.author[rows]
    others = (
        others_mean(at, number) if scale.is_ordered else _majority(at, number, len(scale.values))
    )
    weight = 1 / _chance(opinions, rows) if weighted else None
    mine = [np.flatnonzero((author == person) & ~np.isnan(others)) for person in planned]
    graders = np.bincount(at)[at] if len(at) else at
    return Targets(
        tuple(at[i] for i in mine),
        tuple(number[i] for i in mine),
        tuple(others[i] for i in mine),
        None if weight is None else tuple(weight[i] for i in mine),
        tuple(at[(author == person) & (graders > 1)] for person in planned),
        tuple(at[(author == person) & (graders == 1)] for person in planned),
        len(planned),
        blind=weighted,
    )


def ceiling(
    scale: Scale,
    against_others: Targets,
    opinions: Opinions,
    judge: Array | None,
    *,
    intervals: bool,
    alone: Ceiling | None = None,
) -> Ceiling:
    """People and, where there is one, a judge float[cells] (NaN missing) against the same targets
    on the cells that he graded too.

    `alone` is what people reach without a judge: not computed again for one who graded all of their
    cells.
    """
    seen = [
        np.ones(len(at), bool) if judge is None else ~np.isnan(judge[at])
        for at in against_others.at
    ]
    present = [place for place, cells in enumerate(seen) if cells.any()]
    at = [against_others.at[place][seen[place]] for place in present]
    others = [against_others.others[place][seen[place]] for place in present]
    weight = (
        None
        if against_others.weight is None
        else [against_others.weight[place][seen[place]] for place in present]
    )
    shared = partial(
        _parts,
        scale,
        others,
        [opinions.question[cells] for cells in at],
        opinions.groups,
        weight,
        intervals=intervals,
    )
    if alone is not None and all(cells.all() for cells in seen):
        own: Sequence[Part] = alone.parts
    else:
        own = shared([against_others.own[place][seen[place]] for place in present])
    against = [] if judge is None else shared([judge[cells] for cells in at])
    graded = [len(_judged(against_others.graded[place], judge)) for place in present]
    own, against = (
        [replace(each, graded=n) for each, n in zip(parts, graded, strict=True)] if parts else []
        for parts in (own, against)
    )
    lack = _lack(against_others, own, judge)
    if lack and not any(each.enough for each in own):
        nothing = undefined(lack.words)
        return Ceiling(nothing, nothing, nothing, lack, tuple(own))
    people = pair_figures.mean(own)
    if judge is None:
        nobody = undefined(say("statistics.no_judge"))
        return Ceiling(people, nobody, nobody, lack, tuple(own))
    return Ceiling(
        people,
        pair_figures.mean(against),
        pair_figures.difference(against, own),
        lack,
        tuple(own),
    )


def _parts(
    scale: Scale,
    others: Sequence[Array],
    g: Sequence[Array],
    groups: int,
    w: Sequence[Array] | None,
    own: Sequence[Array],
    *,
    intervals: bool,
) -> list[Part]:
    """The lead figure of each person's numbers `own` against targets `others`, one float[n] for
    each person, in questions `g`.

    Without `intervals` no question is left out, and all people are counted at once where their
    figures come from sums.
    """
    if intervals or not own or (scale.is_ordered and not scale.is_discrete):
        return [
            part(scale, x, y, of, groups, None if w is None else w[place], intervals=intervals)
            for place, (x, y, of) in enumerate(zip(own, others, g, strict=True))
        ]
    cells = [len(x) for x in own]
    who = np.repeat(np.arange(len(own)), cells)
    x, y, weight = (
        np.concatenate(own),
        np.concatenate(others),
        None if w is None else np.concatenate(w),
    )
    if scale.is_ordered:
        first = np.cumsum([0, *cells[:-1]])
        values = concordance(np.add.reduceat(_moments(x, y, weight), first, axis=1).T)
    else:
        values = kappa(_counts(scale, x, y, who, weight), weights="nominal")
    questions = pair_figures.questions_of(who * groups + np.concatenate(g), len(own), groups)
    none, nobody = np.zeros(0), np.zeros(0, bool)
    return [
        Part(float(value), none, nobody, n, int(of))
        for value, n, of in zip(values, cells, questions, strict=True)
    ]


def part(
    scale: Scale, x: Array, y: Array, g: Array, groups: int, w: Array | None, *, intervals: bool
) -> Part:
    """The lead figure of numbers `x` against targets `y`, float[n], in questions `g`; without
    `intervals` no question is left out."""
    if not intervals:
        total, stat = _tables(scale, x, y, np.zeros(len(x), int), 1, w)
        return Part(
            float(stat(total)[0]),
            np.zeros(0),
            np.zeros(0, bool),
            len(x),
            int(np.count_nonzero(np.bincount(g))),
        )
    present, local = np.unique(g, return_inverse=True)
    tables, stat = _tables(scale, x, y, local, len(present), w)
    value, without = delete_one(tables, stat)
    rest, has = np.full(groups, value), np.zeros(groups, bool)
    rest[present], has[present] = without, True
    return Part(value, rest, has, len(x), len(present))


def _tables(
    scale: Scale, x: Array, y: Array, g: Array, groups: int, w: Array | None
) -> tuple[Array, Statistic]:
    """What adds up over questions, float[groups, ...], and the figure of it."""
    if not scale.is_ordered:
        return _counts(scale, x, y, g, w), partial(kappa, weights="nominal")
    stat: Statistic = concordance if scale.is_discrete else correlation
    if not scale.is_discrete:
        x, y = pair_figures.ranks(x), pair_figures.ranks(y)
    return np.stack(
        [np.bincount(g, weights=column, minlength=groups) for column in _moments(x, y, w)], axis=1
    ), stat


def _counts(scale: Scale, x: Array, y: Array, g: Array, w: Array | None) -> Array:
    """Tables of values without an order, float[groups, K, K]."""
    return cluster_tables(x.astype(int), y.astype(int), g, len(scale.values), w)


def _moments(x: Array, y: Array, w: Array | None) -> Array:
    """What the figures of values with an order are made of, float[7, n]: means of others are not
    codes, which tables would need."""
    centre = (x.mean() + y.mean()) / 2
    x, y = x - centre, y - centre
    weight = scaled_weights(w, np.ones(len(x), bool))
    columns = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y, x == y])
    return columns if weight is None else columns * weight


def others_mean(at: Array, number: Array) -> Array:
    """The mean of the others' values, NaN where there is none; rounded, so that equal means of
    different sums are one value."""
    others = np.bincount(at)[at] - 1 if len(at) else np.zeros(0)
    total = np.bincount(at, weights=number)[at] - number if len(at) else np.zeros(0)
    return np.asarray(np.where(others > 0, np.round(total / np.maximum(others, 1), 9), np.nan))


def _majority(at: Array, number: Array, K: int) -> Array:
    """The value that most of the others gave, NaN where they tie or there is none."""
    if not len(at):
        return np.zeros(0)
    code = number.astype(int)
    counts = np.bincount(at * K + code, minlength=(at.max() + 1) * K).reshape(-1, K)[at]
    counts[np.arange(len(at)), code] -= 1
    top = counts.max(axis=1)
    single = (top > 0) & ((counts == top[:, None]).sum(axis=1) == 1)
    return np.where(single, counts.argmax(axis=1).astype(float), np.nan)


def _chance(opinions: Opinions, rows: Array) -> Array:
    """The chance that a cell has all its opinions: blind arms are drawn apart, a screen is drawn
    once for all."""
    at, p = opinions.at[rows], opinions.probability[rows]
    arm = opinions.arm[rows]
    size = int(at.max()) + 1 if len(at) else 0
    arms = np.exp(np.bincount(at, weights=np.where(arm, np.log(p), 0.0), minlength=size))
    once = np.ones(size)
    order = np.argsort(at, kind="stable")
    if len(at):
        names, first = np.unique(at[order], return_index=True)
        once[names] = np.minimum.reduceat(np.where(arm, 1.0, p)[order], first)
    return np.asarray(np.minimum(arms, once)[at])


def _judged(cells: Array, judge: Array | None) -> Array:
    """Those of the cells, int[n], that the judge graded too; all without a judge."""
    return cells if judge is None else cells[~np.isnan(judge[cells])]


def _lack(of: Targets, own: Sequence[Part], judge: Array | None) -> Lack | None:
    """What a comparison with people lacks; `judge` None where none is compared with them."""
    label = "blind" if of.blind else "any"
    if of.people < 2:
        words = say(f"statistics.lack.person.{label}", cells=MIN_CELLS)
        return Lack(words, Short.CELLS, MIN_CELLS)
    most = max(len(_judged(cells, judge)) for cells in of.graded)
    if most < MIN_CELLS:
        missing = _missing(of, judge)
        whom = "judge" if judge is not None else "people"
        words = say(f"statistics.lack.cells.{whom}.{label}", n=missing, most=most, least=MIN_CELLS)
        return Lack(words, Short.CELLS, missing)
    questions = max((each.questions for each in own), default=0)
    if questions < MIN_QUESTIONS:
        missing = MIN_QUESTIONS - questions
        words = say(
            f"statistics.lack.questions.{label}", n=missing, most=questions, least=MIN_QUESTIONS
        )
        return Lack(words, Short.QUESTIONS, None)
    return None


def _missing(of: Targets, judge: Array | None) -> int:
    """The fewest labels after which a person and another graded MIN_CELLS cells: one on a cell that
    has a label of one of the two, two on any other."""
    labelled = np.unique(np.concatenate([*of.graded, *of.alone]))
    fewest = []
    for graded, alone in zip(of.graded, of.alone, strict=True):
        of_others = np.setdiff1d(labelled, np.concatenate([graded, alone]))
        need = MIN_CELLS - len(_judged(graded, judge))
        single = len(_judged(of_others, judge)) + len(_judged(alone, judge))
        fewest.append(need + max(0, need - single))
    return min(fewest)
