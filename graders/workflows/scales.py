"""Matching the criteria of imported verdicts to rubrics: the project's own by name, bundled ones that fit, else a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graders.core.contracts import ImportedVerdict
from graders.core.errors import ScaleError
from graders.core.rubric import Criterion, Rubric, read_rubric, write_rubric
from graders.core.scale import YES_NO, Scale
from graders.core.text import fold
from graders.workflows._label_orders import in_order

#: Different values remembered per criterion, enough to tell a range from labels.
MOST_VALUES = 60
#: Numbers make a range where there are so many of them, as a count and as a share of all values: the rest are slips of the keyboard.
FEWEST_NUMBERS, SHARE_OF_NUMBERS = 5, 0.9


@dataclass
class Noticed:
    """What a file's verdicts show of one criterion: the scale they state, different values, and how many verdicts have a number."""

    stated: Any = None
    values: list[Any] = field(default_factory=list)
    count: int = 0
    numbers: int = 0

    @property
    def meant(self) -> list[Any]:
        """The values that the scale has to hold: the numbers alone where nearly all are numbers, the rest then are bad rows."""
        nearly_all = self.numbers >= max(FEWEST_NUMBERS, SHARE_OF_NUMBERS * self.count)
        return [value for value in self.values if _is_number(value)] if nearly_all else self.values


@dataclass
class Matched:
    """Rubrics to add to the project, what to tell the lead, and the keys of criteria by the names that the file uses."""

    rubrics: list[Rubric] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)


def notice_scale(seen: dict[str, Noticed], verdict: ImportedVerdict) -> None:
    """Take note of a verdict's criterion, stated scale and value."""
    noticed = seen.setdefault(verdict.criterion, Noticed())
    stated = verdict.fields.get("scale")
    if noticed.stated is None and isinstance(stated, list | dict):
        noticed.stated = stated
    if verdict.value is None:
        return
    noticed.count += 1
    noticed.numbers += _is_number(verdict.value)
    if len(noticed.values) < MOST_VALUES and verdict.value not in noticed.values:
        noticed.values.append(verdict.value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def match_rubrics(seen: Mapping[str, Noticed], own: Sequence[Criterion], bundled: Sequence[Rubric], project: str) -> Matched:
    """Rubrics for criteria that the project does not have: a bundled rubric whose names and scales fit, else a new one."""
    names = {c.name for c in own} | {c.key for c in own}
    missing = {name: noticed for name, noticed in seen.items() if name not in names}
    matched = Matched()
    for rubric in bundled:
        here = {c.name: c for c in rubric.criteria} | {c.key: c for c in rubric.criteria}
        fitting = [name for name in missing if name in here and _fits(missing[name], here[name], rubric)]
        if fitting and len(fitting) == len(missing):
            matched.rubrics.append(rubric)
            matched.keys = {name: here[name].key for name in fitting}
            matched.notes.append(f"The criteria {', '.join(fitting)} are those of the rubric {rubric.name}.")
            return matched
    if missing:
        rubric_name = _free(f"{project}-imported", {c.rubric for c in own})
        scales: dict[str, Scale] = {}
        for name, noticed in missing.items():
            bare = _free(name.rsplit("/", 1)[-1], set(scales))
            scales[bare] = _scale(name, noticed)
            matched.keys[name] = f"{rubric_name}/{bare}"
        text = write_rubric(rubric_name, scales, about="Made from imported verdicts.")
        matched.rubrics.append(read_rubric(text, where="imported rubric"))
        guessed = [c for c, noticed in zip(scales.items(), missing.values(), strict=True) if noticed.stated is None]
        matched.notes += [
            f"The labels of {bare} were put in their usual order, lowest first: {', '.join(scale.labels)}. "
            "Where low is best, turn them round."
            for bare, scale in guessed
            if scale.kind == "ordered" and scale != YES_NO
        ]
        matched.notes.append(
            "A rubric was made for " + ", ".join(f"{n} ({s.describe()})" for n, s in scales.items()) + ": please look at it."
        )
    return matched


def _free(name: str, taken: set[str]) -> str:
    """`name`, or with a number after it where it is taken."""
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(n for n in numbered if n not in taken)


def _fits(noticed: Noticed, criterion: Criterion, rubric: Rubric) -> bool:
    scale = criterion.scale
    if noticed.stated is not None:
        try:
            return Scale.from_spec(noticed.stated) == Scale(scale.kind, scale.labels, scale.low, scale.high)
        except ScaleError:
            return False
    try:
        for value in noticed.meant:
            rubric.value_of(criterion, value)
    except ScaleError:
        return False
    return True


def _scale(name: str, noticed: Noticed) -> Scale:
    """The stated scale, else what the values show: a range for numbers, labels in the order that everybody knows, else unordered ones."""
    if noticed.stated is not None:
        return Scale.from_spec(noticed.stated)
    numbers = [v for v in noticed.meant if _is_number(v)]
    if numbers and len(numbers) == len(noticed.meant):
        low, high = float(min(numbers)), float(max(numbers))
        whole = all(isinstance(v, int) for v in numbers)
        if not whole and low >= 0 and high <= 1:
            return Scale("numeric", low=0.0, high=1.0)
        return Scale("integer" if whole else "numeric", low=min(low, 1.0) if whole else low, high=high if high > low else low + 1)
    first: dict[str, str] = {}  # case and width make no other label, as the scale reads them
    for value in noticed.values:
        first.setdefault(fold(str(value), case=True), str(value))
    labels = tuple(first.values())
    if {label.casefold() for label in labels} <= {"yes", "no"}:
        return YES_NO
    ordered = in_order(labels)
    if ordered and len(ordered) > 1:
        return Scale("ordered", labels=ordered)
    return Scale("nominal", labels=labels if len(labels) > 1 else (*labels, "other"))
