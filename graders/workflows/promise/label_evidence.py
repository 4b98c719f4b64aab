"""What the labels of a cell say: which differences count, whether the machine is off, how far
people agree, and what a constant would do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from graders.core.scale import Scale, Value
from graders.statistics.constant import best_constant
from graders.store.figures.risk import Label
from graders.workflows.cells.policy import people_centre
from graders.workflows.promise.counted_cells import Cells

#: Numbers with fractions that are a step apart are, within this.
_NEAR = 1e-9
#: On a scale of fewer values "one step off" would be hardly wrong at all.
STEPS_FROM = 4
#: Steps of a numeric range, whose values are hardly ever equal.
STEPS = 10


def allowed(scale: Scale, within: int) -> float:
    """How far apart on a scale's numbers is no difference, of `within` steps that the terms let
    pass."""
    if not scale.is_discrete:
        return within * step(scale)
    return within if scale.is_ordered and len(scale.values) >= STEPS_FROM else 0


def step(scale: Scale) -> float:
    """A step of a numeric range, as everywhere where two of its values count as alike: a tenth of
    it."""
    return (scale.high - scale.low) / STEPS


def differs(scale: Scale, within: int, labels: Sequence[Label]) -> bool:
    """Whether the machine's value is not people's: further off than `within` steps, on scales of
    STEPS_FROM values or more."""
    value, suggestion = people_value(scale, labels), labels[0].suggestion
    if value is None or suggestion is None:
        return True
    if steps := allowed(scale, within):
        return abs(scale.number(value) - scale.number(suggestion)) > steps + _NEAR
    return value != suggestion


def people_value(scale: Scale, labels: Sequence[Label]) -> Value | None:
    """What people say together; None where they differ or half of them gave no value."""
    values = [label.value for label in labels if label.value is not None]
    return people_centre(scale, values) if len(values) * 2 > len(labels) else None


def second_person(scale: Scale, within: int, labels: Sequence[Sequence[Label]]) -> list[bool]:
    """Of each two people who labelled a cell, whether they gave it the same value."""
    steps = allowed(scale, within)

    def alike(a: Label, b: Label) -> bool:
        if a.value is None or b.value is None:
            return False
        return (
            abs(scale.number(a.value) - scale.number(b.value)) <= steps + _NEAR
            if steps
            else a.value == b.value
        )

    return [alike(a, b) for each in labels for a, b in combinations(each, 2)]


def constant_of(
    scale: Scale, within: int, cells: Cells, labels: Mapping[int, Sequence[Label]]
) -> tuple[str, float] | None:
    """The answer that would be right most often if it were always given, and on which share it
    would be off."""
    values = [people_value(scale, labels[cell]) for cell in cells.cell.tolist()]
    # Of a numeric range the constants that people said themselves.
    known: Sequence[Value] = scale.values or sorted(
        {scale.number(value) for value in values if value is not None}
    )
    place = {value: code for code, value in enumerate(known)}
    codes = [-1 if value is None else place[value] for value in values]
    best = best_constant(
        codes,
        cells.question,
        [scale.number(value) for value in known],
        float(allowed(scale, within)),
    )
    if best.code is None or best.right.value is None:
        return None
    value = known[best.code]
    return (value if isinstance(value, str) else f"{value:g}"), 1 - best.right.value
