"""The figures of the grid of Results: one cell from its tally, which model trails, the finding as a
sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.rubric import Criterion
from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.means import interval_from_sums
from graders.statistics.proportion import clopper_pearson
from graders.store.opinions.tallies import Tally
from graders.store.projects import CriterionRow

#: Above this many models no single one is named as trailing.
NAMED_MODELS = 40
#: Characters of a label that a cell of the grid has room for.
LABEL_WIDTH = 20
#: Numbers up to this one are written as words.
LARGEST_WORD = 10


@dataclass(frozen=True, slots=True)
class Summed:
    """A tally and what its mean is taken over: `of` values with their `sum`, the sum of their
    squares, and the `answers` they are of; so many of the values are judges' and rules' that no
    person confirmed (`unconfirmed`)."""

    tally: Tally
    of: int
    sum: float
    square: float
    answers: float
    unconfirmed: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean of final values, or the share of the top label in %, with its 95 % interval where
    there is one; `shown` is how pages write it, empty without any value."""

    value: float | None
    low: float | None
    high: float | None
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCell(Figure):
    """A cell of the grid: its figure over `n` values (answers where a criterion has parts), so many
    of them `unconfirmed`, why it has none, its cells by who decided them, and all of it as a
    `sentence`."""

    reason: str
    n: int
    cells: int
    pending: int
    closed: int
    people: int
    audit: int
    automatic: int
    note: str
    sentence: str = ""
    unconfirmed: int = 0


@dataclass(frozen=True, slots=True)
class Axis:
    """A criterion as the pages of the lead show it: what is shown of it (share, mean or none), the
    ends of its axis, and the same in words."""

    key: str
    title: str
    question: str
    rubric: str
    measure: str
    low: float
    high: float
    words: str
    counts: str
    hue: int = 0


def counted(row: Tally, criterion: Criterion, listed: tuple[int, float, float] | None) -> Summed:
    """What the mean of a tally is taken over.

    `listed` are answers, sum and sum of squares of the answers' own means over their parts, where a
    criterion has parts: an answer of which a part is not applicable counts as much as any other.
    """
    if criterion.elements or criterion.parts:
        answers, total, squares = listed or (0, 0.0, 0.0)
        return Summed(row, answers, total, squares, float(answers))
    n = row.cells - row.pending - row.closed
    return Summed(row, n, row.total, row.squares, float(n))


def grid_cell(
    row: Summed, criterion: CriterionRow, labels: Mapping[str, int] | None = None
) -> GridCell:
    """Mean (share of the top label in % on two-label scales), 95 % interval and counts of one
    tally.

    `labels`:
    cells by final value (JSON), of which the most frequent stands for a mean where labels have no
    order.
    """
    scale = criterion.scale
    tally, n = row.tally, row.of
    cell = GridCell(
        value=None,
        low=None,
        high=None,
        shown="",
        reason="",
        n=n,
        cells=tally.cells,
        pending=tally.pending,
        closed=tally.closed,
        people=tally.people,
        audit=tally.audit,
        automatic=tally.automatic,
        unconfirmed=row.unconfirmed,
        note=say("opinions.cell.unconfirmed", n=row.unconfirmed)
        if row.unconfirmed
        else say("opinions.cell.pending", count=tally.pending)
        if tally.pending
        else say("opinions.cell.all", count=tally.cells),
    )
    if not n and tally.cells > tally.pending + tally.closed:
        whole = "list" if criterion.criterion.elements else "parts"
        return replace(cell, reason=say(f"opinions.cell.none_whole.{whole}"))
    if not n:
        state = "closed" if tally.closed and not tally.pending else "nothing_final"
        return replace(cell, reason=say(f"opinions.cell.{state}"))
    if without_mean(scale):
        shown, reason = _most_frequent(scale, labels or {})
        return replace(cell, shown=shown, reason=reason)
    if _two_labels(scale):
        value = row.sum / n * 100
        bottom, top = clopper_pearson(value / 100 * row.answers, row.answers)
        return replace(cell, value=value, low=100 * bottom, high=100 * top, shown=f"{value:.0f} %")
    value = row.sum / n
    low, high = interval_from_sums(n, row.sum, row.square, row.answers, _ends(scale))
    shift = _shift(scale)
    reason = "" if low is not None else say("opinions.cell.no_interval")
    moved = [None if x is None else x + shift for x in (value, low, high)]
    return replace(
        cell,
        value=moved[0],
        low=moved[1],
        high=moved[2],
        shown=number_words(scale, value),
        reason=reason,
    )


def without_mean(scale: Scale) -> bool:
    """Whether the final values of a scale have no mean: more than two labels without an order."""
    return scale.kind == "nominal" and len(scale.labels) > 2


def _most_frequent(scale: Scale, labels: Mapping[str, int]) -> tuple[str, str]:
    """The label of most cells with its share, two where they tie, and all of them in words."""
    none = say("opinions.cell.no_mean")
    if not labels:
        return "", none
    ranked = sorted(
        ((scale.word(json.loads(value)), count) for value, count in labels.items()),
        key=lambda pair: -pair[1],
    )
    total = sum(labels.values())
    first = [word for word, count in ranked if count == ranked[0][1]]
    share = f" {100 * ranked[0][1] / total:.0f} %"
    shown = (
        say("opinions.cell.no_label_leads")
        if len(first) > 2
        else ", ".join(_clipped(word) + share for word in first)
    )
    return shown, f"{', '.join(f'{word} {count:,}' for word, count in ranked)}; {none}"


def _clipped(word: str) -> str:
    return word if len(word) <= LABEL_WIDTH else word[: LABEL_WIDTH - 1] + "…"


def number_words(scale: Scale, mean: float) -> str:
    """A mean of final values as pages write it; ordered labels count from 1."""
    return f"{mean + _shift(scale):.{_decimals(scale)}f}"


def figure(scale: Scale, groups: Sequence[Sequence[float]]) -> Figure:
    """Mean over questions of the numbers in `groups` (those of one question each), as `grid_cell`
    shows it; `shown` empty without any."""
    means = [sum(numbers) / len(numbers) for numbers in groups if numbers]
    if not means:
        return Figure(None, None, None, "")
    n, total = len(means), sum(means)
    low, high = interval_from_sums(n, total, sum(mean * mean for mean in means), n, _ends(scale))
    factor, shift = (100, 0) if _two_labels(scale) else (1, _shift(scale))
    value, low, high = (None if x is None else x * factor + shift for x in (total / n, low, high))
    shown = f"{value:.0f} %" if _two_labels(scale) else f"{value:.{_decimals(scale)}f}"
    return Figure(value, low, high, shown)


def _two_labels(scale: Scale) -> bool:
    return len(scale.labels) == 2


def _shift(scale: Scale) -> int:
    """Ordered labels are counted from 1 for people, from 0 inside."""
    return 1 if scale.kind == "ordered" else 0


def _decimals(scale: Scale) -> int:
    return 2 if scale.kind == "numeric" and scale.high - scale.low <= 2 else 1


def _ends(scale: Scale) -> tuple[float, float]:
    return (0.0, len(scale.labels) - 1.0) if scale.labels else (scale.low, scale.high)


def score(row: Mapping[int, Summed], criteria: Mapping[int, CriterionRow]) -> float:
    """Mean over criteria with an order, each on 0..1; -1 where nothing is final."""
    found = []
    for i, tally in row.items():
        n = tally.of
        low, high = _ends(criteria[i].scale)
        if n and criteria[i].scale.is_ordered:
            found.append((tally.sum / n - low) / (high - low))
    return sum(found) / len(found) if found else -1.0


def title(
    table: Mapping[str, Mapping[int, Summed]],
    criteria: Mapping[int, CriterionRow],
    total: int,
    pending: int,
) -> str:
    """The finding: who trails clearly and on how many criteria, and how much is pending."""
    if not total:
        return say("opinions.grid.no_answer")
    rows = [row for of in table.values() for row in of.values()]
    rest = say("opinions.grid.pending", n=pending) if pending else say("opinions.grid.all_final")
    if any(row.unconfirmed for row in rows) and not any(
        row.tally.people or row.tally.audit for row in rows
    ):
        return say("opinions.grid.unconfirmed", rest=rest)
    if pending == total:
        return say("opinions.grid.nothing_final", n=pending)
    if not 2 <= len(table) <= NAMED_MODELS:
        return say("opinions.grid.models", n=len(table), rest=rest)
    model, count, of = _trailing(table, criteria)
    if not count:
        return say("opinions.grid.none_trails", rest=rest)
    if count == of > 1:
        return say("opinions.grid.trails_everywhere", model=model, rest=rest)
    word = say(f"opinions.number.{count}") if count <= LARGEST_WORD else str(count)
    return say("opinions.grid.trails", n=count, model=model, count=word, rest=rest)


def _trailing(
    table: Mapping[str, Mapping[int, Summed]], criteria: Mapping[int, CriterionRow]
) -> tuple[str, int, int]:
    """The model that is last on most criteria, on how many, and how many could be compared.

    Last means lowest, with an interval that ends below where the best one's begins: more than
    chance.
    """
    last: dict[str, int] = {}
    compared = 0
    for i, criterion in criteria.items():
        made = {name: grid_cell(row[i], criterion) for name, row in table.items() if i in row}
        usable = {
            name: (cell.value, cell.low, cell.high)
            for name, cell in made.items()
            if cell.value is not None and cell.low is not None and cell.high is not None
        }
        if len(usable) < 2 or not criterion.scale.is_ordered:
            continue
        compared += 1
        ranked = sorted(usable, key=lambda name: usable[name][0])
        (value, _, high), (_, best, _) = usable[ranked[0]], usable[ranked[-1]]
        if value < usable[ranked[1]][0] and high < best:
            last[ranked[0]] = last.get(ranked[0], 0) + 1
    name = max(sorted(last), key=lambda n: last[n], default="")
    return name, last.get(name, 0), compared


def axis(row: CriterionRow) -> Axis:
    """A criterion as the pages of the lead show it."""
    scale = row.scale
    low, high = _ends(scale)
    if _two_labels(scale):
        measure, low, high, words = (
            "share",
            0.0,
            100.0,
            say("opinions.axis.list")
            if row.criterion.elements
            else say("opinions.axis.share", label=scale.labels[-1]),
        )
    elif scale.kind == "nominal":
        measure, words = "none", say("opinions.axis.label")
    else:
        low, high = low + _shift(scale), high + _shift(scale)
        measure, words = "mean", say("opinions.axis.range", low=low, high=high)
    return Axis(
        key=row.key,
        title=row.criterion.title,
        question=row.criterion.question,
        rubric=row.rubric.name,
        measure=measure,
        low=low,
        high=high,
        words=words,
        counts="answers",
    )


def plural(count: int, word: str) -> str:
    """`word` for one, with an s for any other count."""
    return word if count == 1 else word + "s"
