"""Figures of all pairs of authors at once, without intervals: what Agreement shows while the
intervals are being computed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from graders.core.scale import Scale
from graders.statistics import pair_figures
from graders.statistics.agreement import ac, kappa, lead_weights, raw
from graders.statistics.opinions import Opinions
from graders.statistics.pair_figures import Pair, Part
from graders.statistics.resampling import Array


@dataclass(frozen=True, slots=True)
class Shared:
    """Cells that two authors both graded, one entry for each cell and pair: which pair (its
    position in a list), the cell's position, the two numbers, and the chance that a cell has both
    opinions."""

    pair: Array
    at: Array
    x: Array
    y: Array
    chance: Array


def pairs(
    scale: Scale,
    opinions: Opinions,
    used: Array,
    wanted: Sequence[tuple[int, int]],
    *,
    weighted: bool,
) -> dict[tuple[int, int], Pair]:
    """Figures of those `wanted` pairs that share a cell: (judge or person, person), author rows as
    in `opinions`."""
    if not wanted:
        return {}
    shared = _shared(opinions, used, wanted)
    cells = np.bincount(shared.pair, minlength=len(wanted))
    questions = pair_figures.questions_of(
        shared.pair * opinions.groups + opinions.question[shared.at], len(wanted), opinions.groups
    )
    w = 1 / shared.chance if weighted else None
    if scale.is_discrete and len(scale.values) <= pair_figures.MOST_VALUES:
        figures = _from_tables(scale, shared, w, cells, questions)
    else:
        spans = np.split(np.argsort(shared.pair, kind="stable"), np.cumsum(cells)[:-1])
        figures = [
            pair_figures.first_pair(
                scale, shared.x[span], shared.y[span], int(count), None if w is None else w[span]
            )
            if len(span)
            else None
            for span, count in zip(spans, questions, strict=True)
        ]
    return {
        pair: of_pair for pair, of_pair in zip(wanted, figures, strict=True) if of_pair is not None
    }


def _from_tables(
    scale: Scale, shared: Shared, w: Array | None, cells: Array, questions: Array
) -> list[Pair | None]:
    """From one table [K, K] for each pair; None where there is no cell."""
    K, shift, weights, values = (
        len(scale.values),
        scale.numbers[0],
        lead_weights(scale),
        scale.numbers,
    )
    place = (shared.pair * K + (shared.x - shift).astype(int)) * K + (shared.y - shift).astype(int)
    counts = np.bincount(place, minlength=len(cells) * K * K).reshape(-1, K, K)
    tables = (
        counts.astype(float)
        if w is None
        else np.bincount(place, weights=w, minlength=len(cells) * K * K).reshape(-1, K, K)
    )
    lead, same, gwet = kappa(tables, weights, values), raw(tables), ac(tables, weights, values)
    figures: list[Pair | None] = []
    for i, (n, of) in enumerate(zip(cells.tolist(), questions.tolist(), strict=True)):
        if not n:
            figures.append(None)
            continue
        part = Part(float(lead[i]), np.zeros(0), np.zeros(0, bool), n, of)
        chance_corrected = float(gwet[i]) if math.isfinite(gwet[i]) else None
        figures.append(
            Pair(
                pair_figures.plain(part.value, n, of),
                pair_figures.plain(float(same[i]), n, of),
                chance_corrected,
                counts[i].tolist(),
                part,
            )
        )
    return figures


def _shared(opinions: Opinions, used: Array, wanted: Sequence[tuple[int, int]]) -> Shared:
    position = {pair: i for i, pair in enumerate(wanted)}
    parts = list(_with_judges(opinions, used, position)) + list(
        _among_people(opinions, used, position)
    )
    return Shared(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _with_judges(
    opinions: Opinions, used: Array, position: dict[tuple[int, int], int]
) -> Iterator[tuple[Array, ...]]:
    """Judges see all cells: what a pair shares is drawn as the person's opinion was."""
    people, who = opinions.authors()
    for judge, numbers in opinions.judged.items():
        pair = np.array([position.get((judge, int(person)), -1) for person in people], int)[who]
        x = numbers[opinions.at]
        both = used & ~np.isnan(x) & (pair >= 0)
        yield (
            pair[both],
            opinions.at[both],
            x[both],
            opinions.number[both],
            opinions.probability[both],
        )


def _among_people(
    opinions: Opinions, used: Array, position: dict[tuple[int, int], int]
) -> Iterator[tuple[Array, ...]]:
    """Opinions of one cell side by side, then two, three, ... apart. Two blind arms are drawn
    apart; a screen is drawn once for both."""
    people, who = opinions.authors()
    table = np.full((len(people), len(people)), -1)
    turned = np.zeros((len(people), len(people)), bool)
    for i, a in enumerate(people):
        for j, b in enumerate(people):
            if (int(a), int(b)) in position:
                table[i, j] = table[j, i] = position[(int(a), int(b))]
                turned[j, i] = True
    rows = np.flatnonzero(used)
    rows = rows[np.lexsort((who[rows], opinions.at[rows]))]
    arm = opinions.arm
    apart = 1
    while True:
        one, two = rows[:-apart], rows[apart:]
        same = opinions.at[one] == opinions.at[two]
        if not same.any():
            break
        one, two = one[same], two[same]
        flip = turned[who[one], who[two]]
        one, two = np.where(flip, two, one), np.where(flip, one, two)
        pair = table[who[one], who[two]]
        p, q = opinions.probability[one], opinions.probability[two]
        chance = np.where(arm[one] & arm[two], p * q, np.minimum(p, q))
        asked = pair >= 0
        yield (
            pair[asked],
            opinions.at[one][asked],
            opinions.number[one][asked],
            opinions.number[two][asked],
            chance[asked],
        )
        apart += 1
