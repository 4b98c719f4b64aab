"""Every answer against every one of its references, each output of a metric with its own best
reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from graders.core.contracts import Metric
from graders.core.records import MetricValue, Subject
from graders.core.text_languages import pair_language
from graders.metrics.texts.pairs import groups, unscored

A = TypeVar("A")
R = TypeVar("R")

#: A number, or the reason why there is none.
Score = float | str

#: Characters of a text that metrics read whose work grows faster than the text: a second for the
#: worst pair.
LIMIT = 100_000


def compare_each(
    metric: Metric,
    subjects: Sequence[Subject],
    references: Sequence[Sequence[str]],
    *,
    answer: Callable[[str, str], A],
    reference: Callable[[str, str], R],
    score: Callable[[A, R], Sequence[Score]],
    version: Callable[[str], str],
    limit: int | None = None,
) -> list[list[MetricValue]]:
    """One value per output and subject.

    `answer` and `reference` prepare a text (text, language) once, however often it is compared;
    `score` compares two prepared texts and gives a score per output. The highest number counts, its
    reference is named by its position in the list as given; where no reference gives a number the
    first reason stands. Blank answers are unscored as ``empty``, answers without a reference that
    says anything as ``no_reference``. With a `limit` only so many characters of a text are read,
    and the reason is ``cut`` where that left something out.
    """
    out: list[list[MetricValue]] = [[] for _ in subjects]
    for group in groups(subjects, references):
        kept = [number for number, text in enumerate(group.references) if text.strip()]
        language = pair_language(group.language, [group.references[number] for number in kept])
        name = version(language)
        ready = [reference(group.references[number][:limit], language) for number in kept]
        for position, text in zip(group.positions, group.answers, strict=True):
            if not kept or not text.strip():
                out[position] = unscored(metric, "empty" if kept else "no_reference", name)
                continue
            given = answer(text[:limit], language)
            rows = [score(given, wanted) for wanted in ready]
            for column, output in enumerate(metric.outputs):
                value = best(output, [row[column] for row in rows], kept, name)
                read = (
                    [text] if value.reference is None else [text, group.references[value.reference]]
                )
                cut = (
                    limit is not None
                    and value.status == "ok"
                    and any(len(one) > limit for one in read)
                )
                out[position].append(_marked(value) if cut else value)
    return out


def best(
    output: str, scores: Sequence[Score], positions: Sequence[int], version: str
) -> MetricValue:
    """The highest number among `scores` with its reference's position, else the first reason."""
    numbers = [(score, place) for place, score in enumerate(scores) if not isinstance(score, str)]
    if not numbers:
        return MetricValue(metric=output, status="unscored", reason=str(scores[0]), version=version)
    value, place = (
        numbers[0] if len(numbers) == 1 else max(numbers, key=lambda pair: (pair[0], -pair[1]))
    )
    return MetricValue(
        metric=output, value=float(value), reference=positions[place], version=version
    )


def f1(shared: float, given: int, wanted: int) -> float:
    """2 x shared / (given + wanted), the harmonic mean of precision and recall; two empty sides
    agree: 1."""
    return 2 * shared / (given + wanted) if given + wanted else 1.0


def _marked(value: MetricValue) -> MetricValue:
    return MetricValue(
        metric=value.metric,
        value=value.value,
        reason="cut",
        reference=value.reference,
        version=value.version,
    )
