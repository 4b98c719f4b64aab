"""The local judge: learned from people's verdicts, with no key and no network.

It sees no text, only what is known about a cell: judges' verdicts, their mean and spread, rules'
marks, metric values, lengths. How it learns is passed in (`Learner`), because statistics are
another part of the house.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from graders.core.contracts import DerivedJudge
from graders.core.derived_judges import STEPS, LabelValues
from graders.core.errors import InputError
from graders.core.hashing import digest
from graders.core.records import KnownCell, Mark, SubjectKey, Verdict
from graders.core.rubric import Criterion
from graders.core.scale import Scale, Value
from graders.core.words import carried, error_parts

say = carried(
    "learned",
    {
        "rationale.one": "Learned from {n} verdict of people.",
        "rationale.other": "Learned from {n} verdicts of people.",
        "tolerance.expected": "0 or a positive number",
        "tolerance.found": "{found}",
        "tolerance.remedy": "Correct the option.",
        "tolerance.where": "judge learned, tolerance",
    },
)


#: Parts of a criterion are features of their own up to this number (facts and claims are too many
#: and never the same).
MOST_PARTS = 20
#: Chances below this are left out of a verdict's `chances`.
LEAST_CHANCE = 0.005

Array = npt.NDArray[Any]


class Learner(Protocol):
    """Learns from arrays, as `graders.statistics.learned.learn` does; what comes back is described
    there."""

    def __call__(
        self,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        g: npt.ArrayLike,
        values: LabelValues,
        *,
        judges: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]],
        tolerance: float,
        w: npt.ArrayLike | None,
    ) -> Any: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which features a cell gives, in which order; fixed when learning, so that other cells give
    the same."""

    judges: tuple[str, ...]
    confident: tuple[str, ...]
    rules: tuple[str, ...]
    metrics: tuple[str, ...]
    parts: tuple[str, ...]

    @classmethod
    def of(cls, cells: Sequence[KnownCell], without: str) -> Columns:
        """The features that at least one of `cells` has; the judge called `without` is no source
        for itself."""
        marks = [
            (name, mark)
            for cell in cells
            for name, mark in cell.judges.items()
            if name != without and mark.value is not None
        ]
        return cls(
            judges=tuple(sorted({name for name, _ in marks})),
            confident=tuple(sorted({name for name, mark in marks if mark.confidence is not None})),
            rules=tuple(
                sorted(
                    {
                        name
                        for cell in cells
                        for name, mark in cell.rules.items()
                        if mark.value is not None
                    }
                )
            ),
            metrics=tuple(
                sorted(
                    {
                        name
                        for cell in cells
                        for name, value in cell.metrics.items()
                        if value is not None
                    }
                )
            ),
            parts=tuple(sorted({cell.part for cell in cells})),
        )

    def words(self) -> str:
        """The sources in words."""
        named = [
            ("verdicts of ", self.judges),
            ("rules ", self.rules),
            ("metrics ", self.metrics),
        ]
        return "; ".join([kind + ", ".join(names) for kind, names in named if names] + ["lengths"])


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Lesson:
    """What the judge learned on one criterion: the learner's record, the sources, and which cells
    were labels.

    `refused` says why there is none. `rests_on` says in sentences what the judge rests on.
    """

    learned: Any
    values: tuple[Value, ...]
    columns: Columns
    rows: Mapping[tuple[SubjectKey, str], int] = field(default_factory=dict)

    @property
    def refused(self) -> str:
        return str(self.learned.refused)

    @property
    def deployed(self) -> bool:
        """Whether it judges by itself; if not, its chances tell how likely a suggestion is
        right."""
        return bool(self.learned.deployed)

    @property
    def rests_on(self) -> str:
        return f"{self.learned.why} Sources: {self.columns.words()}."


@dataclass(frozen=True)
class LearnedJudge(DerivedJudge):
    """Learns from people's blind verdicts how far judges, rules and metrics can be trusted, and
    judges accordingly.

    * ``tolerance``: a verdict that lies within it of the person's value is right; for labels in
      positions
    * ``label`` names the author of the verdicts

    Each verdict's metadata hold `chances` (value as text -> chance that a suggestion of it is
    right; a plain range in steps of a tenth), `labels` and `out_of_fold`: a cell that was among the
    labels is judged by a model that saw no cell of its question. Unscored: ``too_few_labels``;
    ``not_deployed`` (not clearly better than the best judge; the chances are there).
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = "A judge learned from people's verdicts; it needs no key and no network."

    learner: Learner = field(repr=False, compare=False)
    tolerance: float = 0.0
    label: str = "learned"

    def __post_init__(self) -> None:
        if not (np.isfinite(self.tolerance) and self.tolerance >= 0):
            raise InputError(**error_parts("learned.tolerance", found=repr(self.tolerance)))

    @property
    def author(self) -> str:
        """The name under which verdicts are stored."""
        return self.label

    def options(self) -> dict[str, Any]:
        """All options but the learner."""
        return {name: value for name, value in super().options().items() if name != "learner"}

    def recipe_hash(self) -> str:
        """Names version and options."""
        return digest("learned", self.version, self.options())

    def derive(self, cells: Sequence[KnownCell], criterion: Criterion) -> list[Verdict]:
        """One verdict per cell, in order, learned from those that people have judged."""
        return self.apply(self.study(cells, criterion), cells, criterion)

    def study(self, cells: Sequence[KnownCell], criterion: Criterion) -> Lesson:
        """Learn from those of `cells` that have a person's value. Never fails for want of labels:
        see `Lesson.refused`."""
        known = [cell for cell in cells if cell.people is not None]
        scale, columns = criterion.scale, Columns.of(known, self.author)
        values = _values(scale)
        numbers = np.array([scale.number(value) for value in values])
        labels = np.array([scale.number(scale.parse(cell.people)) for cell in known])
        learned = self.learner(
            _features(known, scale, columns),
            _nearest(labels, numbers),
            np.unique([cell.question_id for cell in known], return_inverse=True)[1],
            LabelValues(
                numbers.tolist(), [str(value) for value in values], ordered=scale.is_ordered
            ),
            judges={
                name: _stepped(*_verdicts(known, scale, name), numbers) for name in columns.judges
            },
            tolerance=self.tolerance if scale.is_ordered else 0.0,
            w=np.array([cell.weight for cell in known], float) if known else None,
        )
        rows = {(cell.subject, cell.part): row for row, cell in enumerate(known)}
        return Lesson(learned=learned, values=values, columns=columns, rows=rows)

    def apply(
        self, lesson: Lesson, cells: Sequence[KnownCell], criterion: Criterion
    ) -> list[Verdict]:
        """One verdict per cell, in order; `cells` may be any batch of the criterion's cells."""
        if lesson.refused:
            return self.verdicts(
                cells, criterion, [Mark.unscored("too_few_labels", lesson.rests_on)] * len(cells)
            )
        rows = [lesson.rows.get((cell.subject, cell.part)) for cell in cells]
        others = [cell for cell, row in zip(cells, rows, strict=True) if row is None]
        fresh: Any = (
            lesson.learned.predict(_features(others, criterion.scale, lesson.columns))
            if others
            else None
        )
        words, places = [str(value) for value in lesson.values], iter(range(len(others)))
        marks, metadata = [], []
        for row in rows:
            opinion, at = (
                (fresh, next(places)) if row is None else (lesson.learned.out_of_fold, row)
            )
            chances = {
                word: round(p, 4)
                for word, p in zip(words, opinion.chances[at].tolist(), strict=True)
                if p >= LEAST_CHANCE
            }
            metadata.append(
                {
                    "chances": chances,
                    "labels": lesson.learned.labels,
                    "out_of_fold": row is not None,
                }
            )
            marks.append(
                self._mark(
                    lesson, lesson.values[int(opinion.codes[at])], float(opinion.confidence[at])
                )
            )
        return self.verdicts(cells, criterion, marks, metadata)

    def chances(
        self,
        lesson: Lesson,
        cells: Sequence[KnownCell],
        values: Sequence[Value | None],
        criterion: Criterion,
    ) -> Array:
        """The chance that a person's value lies within the tolerance of `values`, one a cell, on
        scales of single values: float[n], 0 where there is no value. A cell that was among the
        labels is judged out of fold."""
        if not cells:
            return np.zeros(0)
        rows = np.array([lesson.rows.get((cell.subject, cell.part), -1) for cell in cells], int)
        found = lesson.learned.predict(_features(cells, criterion.scale, lesson.columns)).chances
        found[rows >= 0] = lesson.learned.out_of_fold.chances[rows[rows >= 0]]
        codes = np.array(
            [-1 if value is None else criterion.scale.code(value) for value in values], int
        )
        return np.where(codes >= 0, found[np.arange(len(codes)), codes], 0.0)

    def _mark(self, lesson: Lesson, value: Value, sure: float) -> Mark:
        if not lesson.deployed:
            return Mark.unscored("not_deployed", lesson.learned.why)
        return Mark(
            value=value,
            confidence=sure,
            confidence_kind="learned",
            rationale=say("rationale", n=lesson.learned.labels),
        )


def _values(scale: Scale) -> tuple[Value, ...]:
    """The values that a verdict may take: all of the scale, or even steps of a plain range."""
    if scale.is_discrete:
        return scale.values
    return tuple(
        round(scale.low + (scale.high - scale.low) * step / STEPS, 9) for step in range(STEPS + 1)
    )


def _nearest(found: Array, numbers: Array) -> npt.NDArray[np.int64]:
    """The position of the number that lies nearest to each."""
    return np.asarray(np.argmin(np.abs(found[:, None] - numbers[None, :]), axis=1), np.int64)


def _stepped(found: Array, sure: Array, numbers: Array) -> tuple[Array, Array]:
    """A judge's values moved to the nearest of `numbers`, NaN kept."""
    return np.where(np.isnan(found), np.nan, numbers[_nearest(np.nan_to_num(found), numbers)]), sure


def _verdicts(cells: Sequence[KnownCell], scale: Scale, name: str) -> tuple[Array, Array]:
    """A judge's values as numbers and its confidence in them, float[n] each, NaN where there is
    none."""
    found = np.full((2, len(cells)), np.nan)
    for at, cell in enumerate(cells):
        mark = cell.judges.get(name)
        if mark is not None and mark.value is not None:
            found[0, at] = scale.number(mark.value)
            if mark.confidence is not None:
                found[1, at] = min(max(mark.confidence, 0.0), 1.0)
    return found[0], found[1]


def _features(cells: Sequence[KnownCell], scale: Scale, columns: Columns) -> Array:
    """float[n, d], NaN missing: verdicts, their agreement, rules, metrics, parts, log lengths."""
    made: list[Array] = []
    votes = np.empty((len(columns.judges), len(cells)))
    for at, name in enumerate(columns.judges):
        votes[at], sure = _verdicts(cells, scale, name)
        made += _columns_of(votes[at], scale)
        if name in columns.confident and scale.is_ordered:
            # How far from the middle, as sure as it is: "surely yes" and "surely no" lie on
            # opposite sides.
            made.append((votes[at] - _middle(scale)) * sure)
    made += _agreement(votes, scale)
    for name in columns.rules:
        marks = [cell.rules.get(name) for cell in cells]
        numbers = [
            np.nan if mark is None or mark.value is None else scale.number(mark.value)
            for mark in marks
        ]
        made += _columns_of(np.array(numbers, float), scale)
    for name in columns.metrics:
        found = [cell.metrics.get(name) for cell in cells]
        made.append(np.array([np.nan if value is None else value for value in found], float))
    if len(columns.parts) in range(2, MOST_PARTS + 1):
        made += [np.array([cell.part == part for cell in cells], float) for part in columns.parts]
    made.append(np.log1p([cell.answer_characters for cell in cells]))
    made.append(np.log1p([cell.question_characters for cell in cells]))
    return np.column_stack(made) if cells else np.empty((0, len(made)))


def _columns_of(numbers: Array, scale: Scale) -> list[Array]:
    """A source as features: its number, or one column per label where labels have no order."""
    if scale.is_ordered:
        return [numbers]
    missing = np.isnan(numbers)
    return [np.where(missing, np.nan, numbers == code) for code in range(len(scale.labels))]


def _agreement(votes: Array, scale: Scale) -> list[Array]:
    """Mean and spread of the verdicts float[J, n]; on labels without order, the share of the most
    frequent one.

    On two values the spread says nothing that the mean does not, and costs labels.
    """
    if len(votes) < 2:
        return []
    given = ~np.isnan(votes)
    count = given.sum(axis=0)
    some = np.maximum(count, 1)
    if not scale.is_ordered:
        top = np.max([(votes == code).sum(axis=0) for code in range(len(scale.labels))], axis=0)
        return [np.where(count > 0, top / some, np.nan)]
    mean = np.where(given, votes, 0).sum(axis=0) / some
    spread = np.sqrt((np.where(given, votes - mean, 0) ** 2).sum(axis=0) / some)
    kept = [mean] if scale.is_discrete and len(scale.values) == 2 else [mean, spread]
    return [np.where(count > 0, column, np.nan) for column in kept]


def _middle(scale: Scale) -> float:
    return (
        (scale.numbers[0] + scale.numbers[-1]) / 2
        if scale.is_discrete
        else (scale.low + scale.high) / 2
    )
