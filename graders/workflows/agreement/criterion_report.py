"""The report on one criterion's agreement: which opinions count, judges against people, people
among themselves, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graders.core.shapes import as_dict
from graders.judges.panel import is_panel
from graders.statistics.resampling import Array, Interval, undefined
from graders.store.figures.reports import DESIGNS
from graders.store.projects import CriterionRow
from graders.workflows.agreement import ceiling
from graders.workflows.agreement.ceiling import Ceiling
from graders.workflows.cells.policy import LEARNED
from graders.workflows.cells.state import ADJUDICATED
from graders.workflows.opinions import first_figures, pair_figures
from graders.workflows.opinions.frame import (
    ARMS,
    NO_SAMPLE,
    POPULATIONS,
    Circle,
    Opinions,
    called_in,
)
from graders.workflows.opinions.pair_figures import Pair, interval_json

#: Below this number of people a figure speaks for these people only: cells are left out in turn,
#: people are not.
ANY_PEOPLE = 5
#: Why cells that were reviewed early decide nothing.
UNDRAWN = "these cells were reviewed because they looked hard: they are no sample"


@dataclass(frozen=True, slots=True)
class Columns:
    """The opinions that count, one column float[n] of numbers per author (NaN missing), of
    probabilities, and of designs."""

    numbers: dict[int, Array]
    probability: dict[int, Array]
    arm: dict[int, Array]


def criterion_report(
    criterion: CriterionRow,
    opinions: Opinions,
    circle: Circle,
    blind_only: bool,
    population: str,
    *,
    intervals: bool,
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The figures of a criterion and all its pairs; without `intervals` a figure's low and high are
    None, and no judge has a word."""
    used = opinions.of_population(population) if blind_only else np.ones(len(opinions.author), bool)
    graders = np.flatnonzero(np.bincount(opinions.author[used])).tolist()
    targets = [i for i in graders if i in circle.people]
    planned, called = planned_people(opinions, used, circle)
    final = [circle.adjudicated] if circle.adjudicated in graders else []
    wanted = (
        [(j, p) for j in opinions.judged for p in (*final, *targets)]
        + [(p, a) for a in final for p in targets]
        + couples(targets)
    )
    if intervals:
        found = _pairs(criterion, opinions, used, wanted, weighted=blind_only)
    else:
        found = first_figures.pairs(criterion.scale, opinions, used, wanted, weighted=blind_only)
    mine = np.isin(opinions.author, [i for i in circle.people if circle.counts(i)])
    people = [found[pair].part for pair in couples(planned) if pair in found]
    cells = np.flatnonzero(np.bincount(opinions.at[used & mine]))
    among = pair_figures.mean(people) if len(planned) > 1 else undefined("fewer than 2 people")
    others = ceiling.targets(criterion.scale, opinions, used, planned, weighted=blind_only)

    ceiling_of = partial(ceiling.ceiling, criterion.scale, others, opinions, intervals=intervals)
    reached = ceiling_of(None)
    ceilings = {
        judge: ceiling_of(numbers, alone=reached) for judge, numbers in opinions.judged.items()
    }
    report = {
        "key": criterion.key,
        "title": criterion.criterion.title,
        "question": criterion.criterion.question,
        "rubric": criterion.rubric.name,
        "figure": pair_figures.lead_name(criterion.scale),
        "ranges": [words for words, _, _ in pair_figures.ranges(criterion.scale)],
        "words": [_word(criterion, words) for words, _, _ in pair_figures.ranges(criterion.scale)],
        "ordered": criterion.scale.is_ordered,
        "cells": len(cells),
        "questions": int(np.count_nonzero(np.bincount(opinions.question[cells]))),
        "planned": planned,
        "labels": int((used & np.isin(opinions.author, planned)).sum()),
        "people": {
            "mean": interval_json(among),
            "ceiling": interval_json(reached.people),
            "lacking": reached.lacking,
            "population": f"for these {len(planned)} people"
            if len(planned) < ANY_PEOPLE
            else "for people like these",
            "raw": _mean_raw([found[pair] for pair in couples(planned) if pair in found]),
            "names": [circle.label(i) for i in planned],
            "called_in": [circle.label(i) for i in sorted(called)],
        },
        "judges": _judges(
            circle,
            found,
            planned,
            ceilings,
            label=others.label,
            drawn=not blind_only or POPULATIONS[population].drawn,
        ),
        "groups": _groups(circle, found, targets),
        "left_out": {
            "assisted": int((~opinions.blind & mine).sum()),
            "adjudicated": 0 if blind_only else chosen_cells(opinions, circle),
            "other_draws": int((opinions.blind & ~used & mine).sum()) if blind_only else 0,
            **{
                name: int(
                    (opinions.blind & ~used & mine & (opinions.design == DESIGNS.index(name))).sum()
                )
                if blind_only
                else 0
                for name in NO_SAMPLE
            },
        },
    }
    return report, [_pair_json(circle, a, b, pair) for (a, b), pair in found.items()]


def planned_people(opinions: Opinions, used: Array, circle: Circle) -> tuple[list[int], set[int]]:
    """The people whose opinions make the figures, and those who were called in on disagreements and
    are in no mean."""
    graders = np.flatnonzero(np.bincount(opinions.author[used])).tolist()
    counting = [i for i in graders if circle.counts(i)]
    called = called_in(opinions, used, counting)
    return [i for i in counting if i not in called], called


def chosen_cells(opinions: Opinions, circle: Circle) -> int:
    """How many adjudicated values are of cells that were settled here because people differ on
    them; imported ones may be of any."""
    if circle.adjudicated is None:
        return 0
    return int(((opinions.author == circle.adjudicated) & (opinions.design < 0)).sum())


def columns_of(opinions: Opinions, used: Array) -> Columns:
    """The opinions that count, by author."""
    numbers: dict[int, Array] = {}
    probability: dict[int, Array] = {}
    arm: dict[int, Array] = {}
    size = len(opinions.question)
    for author in np.unique(opinions.author[used]):
        mine = used & (opinions.author == author)
        at = opinions.at[mine]
        numbers[int(author)], probability[int(author)], arm[int(author)] = (
            np.full(size, np.nan),
            np.ones(size),
            np.zeros(size, bool),
        )
        numbers[int(author)][at] = opinions.number[mine]
        probability[int(author)][at] = opinions.probability[mine]
        arm[int(author)][at] = np.isin(opinions.design[mine], ARMS)
    return Columns(numbers, probability, arm)


def _pairs(
    criterion: CriterionRow,
    opinions: Opinions,
    used: Array,
    wanted: Sequence[tuple[int, int]],
    *,
    weighted: bool,
) -> dict[tuple[int, int], Pair]:
    """Figures with their intervals of those `wanted` pairs that share a cell."""
    columns = columns_of(opinions, used)
    numbers = {**opinions.judged, **columns.numbers}
    found = {}
    for a, b in wanted:
        x, y = numbers[a], numbers[b]
        if (~np.isnan(x) & ~np.isnan(y)).any():
            w = 1 / together(columns, a, b) if weighted else None
            found[(a, b)] = pair_figures.pair(
                criterion.scale, x, y, opinions.question, opinions.groups, w
            )
    return found


def together(columns: Columns, a: int, b: int) -> Array:
    """The chance that a cell has both opinions. Judges see all cells. Two blind arms are drawn
    apart; a screen is drawn once for both."""
    if a not in columns.probability:
        return columns.probability[b]
    one, two = columns.probability[a], columns.probability[b]
    return np.asarray(np.where(columns.arm[a] & columns.arm[b], one * two, np.minimum(one, two)))


def _judges(
    circle: Circle,
    found: Mapping[tuple[int, int], Pair],
    planned: Sequence[int],
    ceilings: Mapping[int, Ceiling],
    *,
    label: str,
    drawn: bool,
) -> list[dict[str, Any]]:
    """Each judge's figures, best first: beside the ceiling on the same targets, against each
    person, against adjudicated.

    `shown` is what the judge reaches against the targets of the ceiling; where there is no ceiling,
    against people on all cells; where no person counts, against adjudicated. `shown_against` says
    which. Cells that were not `drawn` decide nothing; `label` is what an opinion that counts is
    called.
    """
    rows = []
    for judge in circle.judges:
        pairs = [found[(judge, p)] for p in planned if (judge, p) in found]
        final = found.get((judge, circle.adjudicated)) if circle.adjudicated is not None else None
        if not pairs and final is None:
            continue
        parts = [pair.part for pair in pairs]
        average = (
            pair_figures.mean(parts) if parts else undefined("no person graded cells of this judge")
        )
        beside = ceilings[judge]
        shown = [
            ("others", beside.judge),
            ("people", average),
            (ADJUDICATED, final.lead if final else average),
        ]
        against, lead = next(
            ((name, figure) for name, figure in shown if figure.value is not None),
            shown[0 if parts else 2],
        )
        verdict = as_dict(pair_figures.verdict(beside.apart, label))
        if not drawn:
            verdict |= {"word": "INCONCLUSIVE", "sign": "?", "reason": UNDRAWN, "missing": None}
        elif beside.lacking:
            verdict |= {
                "word": "INCONCLUSIVE",
                "sign": "?",
                "reason": beside.lacking,
                "missing": beside.missing,
                "short": beside.short,
            }
        rows.append(
            {
                "ref": circle.ref(judge),
                "name": circle.label(judge),
                "kind": _kind(circle.judges[judge]),
                "people": interval_json(average),
                "ceiling": interval_json(beside.people),
                "raw": _mean_raw(pairs),
                "adjudicated": None
                if final is None
                else {"lead": interval_json(final.lead), "raw": interval_json(final.raw)},
                "cells": max(
                    [pair.part.cells for pair in pairs] + ([final.part.cells] if final else [])
                ),
                "questions": max(
                    [pair.part.questions for pair in pairs]
                    + ([final.part.questions] if final else [])
                ),
                "shown": interval_json(lead),
                "shown_against": against,
                "apart": interval_json(beside.apart),
                "verdict": verdict,
            }
        )
    return sorted(
        rows,
        key=lambda row: (
            row["shown"]["value"] is None,
            -(row["shown"]["value"] or 0.0),
            row["name"],
        ),
    )


def _kind(judge: str) -> str:
    """What a judge is: one that was asked, a panel of them, or the one learned from people (whose
    figures are out of fold)."""
    return "learned" if judge == LEARNED else "panel" if is_panel(judge) else "judge"


def _mean_raw(pairs: Sequence[Pair]) -> float | None:
    """Mean over people of the share of equal values."""
    known = [
        pair.raw.value
        for pair in pairs
        if pair.raw.value is not None and pair.part.cells >= pair_figures.MIN_CELLS
    ]
    return float(np.mean(known)) if known else None


def _groups(
    circle: Circle, found: Mapping[tuple[int, int], Pair], people: Sequence[int]
) -> list[dict[str, Any]]:
    """The groups whose verdicts do not count, each with its own figures."""
    names = sorted({circle.group(i) for i in people if not circle.counts(i)})
    rows = []
    for name in names:
        members = [i for i in people if circle.group(i) == name and not circle.counts(i)]
        between = [found[pair].part for pair in couples(members) if pair in found]
        judges = []
        for judge in circle.judges:
            parts = [found[(judge, i)].part for i in members if (judge, i) in found]
            if parts:
                judges.append(
                    {"name": circle.label(judge), "people": interval_json(pair_figures.mean(parts))}
                )
        among: Interval = (
            pair_figures.mean(between) if between else undefined("fewer than 2 people")
        )
        rows.append(
            {
                "group": name or "no group",
                "people": len(members),
                "mean": interval_json(among),
                "judges": judges,
            }
        )
    return rows


def _pair_json(circle: Circle, a: int, b: int, pair: Pair) -> dict[str, Any]:
    kinds = [
        "judge" if i in circle.judges else ADJUDICATED if i == circle.adjudicated else "person"
        for i in (a, b)
    ]
    return {
        "kind": "-".join(kinds),
        "a": circle.ref(a),
        "b": circle.ref(b),
        "a_name": circle.label(a),
        "b_name": circle.label(b),
        "groups": [circle.group(a), circle.group(b)],
        "cells": pair.part.cells,
        "questions": pair.part.questions,
        "raw": interval_json(pair.raw),
        "lead": interval_json(pair.lead),
        "ac": pair.ac,
        "counts": pair.counts,
    }


def couples(people: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs, each once."""
    return [(a, b) for at, a in enumerate(people) for b in people[at + 1 :]]


def _word(criterion: CriterionRow, words: str) -> str:
    """A value with its anchor, where the scale gives one."""
    anchors = dict(criterion.scale.anchors)
    return f"{words} {anchors[int(words)]}" if words.isdigit() and int(words) in anchors else words
