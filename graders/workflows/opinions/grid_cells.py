"""The figures of the grid of Results: one cell from its tally, which model trails, the finding as a
sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.rubric import Criterion
from graders.core.scale import Scale
from graders.statistics.proportion import clopper_pearson
from graders.store.opinions.tallies import Tally
from graders.store.projects import CriterionRow

#: Above this many models no single one is named as trailing.
NAMED_MODELS = 40
#: Characters of a label that a cell of the grid has room for.
LABEL_WIDTH = 20


@dataclass(frozen=True, slots=True)
class Summed:
    """A tally and what its mean is taken over: `of` values with their `sum`, the sum of their
    squares, and the `answers` they are of."""

    tally: Tally
    of: int
    sum: float
    square: float
    answers: float


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
    """A cell of the grid: its figure over `n` values (answers where a criterion has parts), why it
    has none, its cells by who decided them, and all of it as a `sentence`."""

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
        note=f"{tally.pending:,} pending" if tally.pending else f"all {tally.cells:,}",
    )
    if not n and tally.cells > tally.pending + tally.closed:
        whole = "its list" if criterion.criterion.elements else "its parts"
        return replace(cell, reason=f"no answer has a final value for all of {whole} yet")
    if not n:
        closed = tally.closed and not tally.pending
        return replace(cell, reason="not applicable" if closed else "nothing has a final value yet")
    if without_mean(scale):
        shown, reason = _most_frequent(scale, labels or {})
        return replace(cell, shown=shown, reason=reason)
    if _two_labels(scale):
        value = row.sum / n * 100
        bottom, top = clopper_pearson(value / 100 * row.answers, row.answers)
        return replace(cell, value=value, low=100 * bottom, high=100 * top, shown=f"{value:.0f} %")
    value = row.sum / n
    low, high = mean_interval(n, row.sum, row.square, row.answers, _ends(scale))
    shift = _shift(scale)
    reason = "" if low is not None else "too few or too equal values for an interval"
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
    none = "labels without order have no mean"
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
        "no label leads" if len(first) > 2 else ", ".join(_clipped(word) + share for word in first)
    )
    return shown, f"{', '.join(f'{word} {count:,}' for word, count in ranked)}; {none}"


def _clipped(word: str) -> str:
    return word if len(word) <= LABEL_WIDTH else word[: LABEL_WIDTH - 1] + "…"


def number_words(scale: Scale, mean: float) -> str:
    """A mean of final values as pages write it; ordered labels count from 1."""
    return f"{mean + _shift(scale):.{_decimals(scale)}f}"


def mean_interval(
    n: int, total: float, squares: float, questions: float, ends: tuple[float, float]
) -> tuple[float | None, float | None]:
    """95 % interval of a mean from count, sum and sum of squares: mean ± t(questions - 1) s /
    sqrt(questions), within `ends`.

    A model answers a question once, so questions are what varies; the parts of one question are
    taken as saying the same, which can only widen the interval. None where the values show no
    spread.
    """
    from scipy.special import stdtrit

    spread = max(0.0, squares - total * total / n) / (n - 1) if n > 1 else 0.0
    if questions < 2 or spread < 1e-12:
        return None, None
    reach = float(stdtrit(questions - 1, 0.975)) * math.sqrt(spread / questions)
    return max(total / n - reach, ends[0]), min(total / n + reach, ends[1])


def figure(scale: Scale, groups: Sequence[Sequence[float]]) -> Figure:
    """Mean over questions of the numbers in `groups` (those of one question each), as `grid_cell`
    shows it; `shown` empty without any."""
    means = [sum(numbers) / len(numbers) for numbers in groups if numbers]
    if not means:
        return Figure(None, None, None, "")
    n, total = len(means), sum(means)
    low, high = mean_interval(n, total, sum(mean * mean for mean in means), n, _ends(scale))
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
        return "Nothing to show: no answer matches."
    waits = f"{pending:,} {plural(pending, 'cell')} {'is' if pending == 1 else 'are'} still pending"
    if pending == total:
        return f"Nothing has a final value yet; {waits}."
    rest = waits if pending else "every cell has a final value"
    if not 2 <= len(table) <= NAMED_MODELS:
        return f"{len(table):,} {plural(len(table), 'model')}; {rest}."
    model, count, of = _trailing(table, criteria)
    if not count:
        return f"No model trails clearly; {rest}."
    where = (
        "every criterion"
        if count == of > 1
        else f"{_number_word(count)} {'criterion' if count == 1 else 'criteria'}"
    )
    return f"{model} trails on {where}; {rest}."


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
            "present, % of each list" if row.criterion.elements else f"{scale.labels[-1]}, %",
        )
    elif scale.kind == "nominal":
        measure, words = "none", "most frequent label"
    else:
        low, high = low + _shift(scale), high + _shift(scale)
        measure, words = "mean", f"{low:g} to {high:g}"
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


def _number_word(count: int) -> str:
    names = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return names[count] if count < len(names) else str(count)
