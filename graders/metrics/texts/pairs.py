"""What the metrics that compare an answer with references share: grouping, languages, names of
absent values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from graders.core.contracts import Encoder, Metric
from graders.core.errors import ContractError
from graders.core.records import MetricValue, Status, Subject
from graders.core.text_languages import compared_language, subject_language
from graders.core.words import error_parts


@runtime_checkable
class KnowsCuts(Protocol):
    """An encoder that can say whether it read a text to its end."""

    def cut(
        self, text: str, language: str, kind: Literal["sentence", "tokens"] = "sentence"
    ) -> bool:
        """Whether only the beginning of `text` counts."""


@dataclass(slots=True)
class Group:
    """Subjects of one language that are compared with the same references: positions and answers,
    side by side."""

    language: str
    references: tuple[str, ...]
    positions: list[int] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)


def groups(
    subjects: Sequence[Subject],
    references: Sequence[Sequence[str]],
    language: Callable[[Subject, Sequence[str]], str] = lambda subject, references: (
        subject_language(subject)
    ),
) -> list[Group]:
    """`subjects` gathered by language and references, in order of first appearance."""
    found: dict[tuple[str, tuple[str, ...]], Group] = {}
    for position, (subject, given) in enumerate(zip(subjects, references, strict=True)):
        key = (language(subject, given), tuple(given))
        group = found.setdefault(key, Group(*key))
        group.positions.append(position)
        group.answers.append(subject.answer.text)
    return list(found.values())


def texts_to_encode(
    subjects: Sequence[Subject], references: Sequence[Sequence[str]]
) -> tuple[list[str], list[str]]:
    """The distinct texts that the metrics of these subjects will ask vectors of, and the language
    of each."""
    pairs: dict[tuple[str, str], None] = {}
    for group in groups(subjects, references, compared_language):
        if any(text.strip() for text in group.references):
            pairs.update(
                dict.fromkeys(
                    (text, group.language)
                    for text in (*group.answers, *group.references)
                    if text.strip()
                )
            )
    return [text for text, _ in pairs], [language for _, language in pairs]


def portions(
    subjects: Sequence[Subject], references: Sequence[Sequence[str]], characters: int = 1_000_000
) -> Iterator[list[int]]:
    """Positions of subjects in portions of about `characters` of distinct text, subjects with the
    same references together.

    A million characters are about 250,000 tokens, whose vectors take some 200 MB.
    """
    portion: list[int] = []
    size = 0
    for group in groups(subjects, references):
        base = sum(map(len, group.references))
        size += base
        for position, answer in zip(group.positions, group.answers, strict=True):
            if portion and size + len(answer) > characters:
                yield portion
                portion, size = [], base
            portion.append(position)
            size += len(answer)
    if portion:
        yield portion


def value_version(metric: Metric, encoder: Encoder | None = None, language: str = "") -> str:
    """What a value's `version` says: revision of the metric, then model and dtype where it rests on
    one."""
    return metric.version if encoder is None else f"{metric.version};{encoder.version(language)}"


def unscored(metric: Metric, reason: str, version: str) -> list[MetricValue]:
    """No value for any output of `metric`, for a named reason."""
    return [
        MetricValue(metric=name, status="unscored", reason=reason, version=version)
        for name in metric.outputs
    ]


def scored(
    metric: Metric, values: Sequence[float], reference: int, version: str, cut: bool = False
) -> list[MetricValue]:
    """One value per output; the reason is ``cut`` where only the beginning of a text could be
    read."""
    status: Status = "ok"
    return [
        MetricValue(
            metric=name,
            value=float(value),
            status=status,
            reason="cut" if cut else "",
            reference=reference,
            version=version,
        )
        for name, value in zip(metric.outputs, values, strict=True)
    ]


def need(metric: Metric, encoder: Encoder | None) -> Encoder:
    """`encoder`, or a ContractError: a metric that encodes was called without one."""
    if encoder is None:
        raise ContractError(**error_parts("metrics.no_encoder", name=metric.name))
    return encoder


def was_cut(
    encoder: Encoder, text: str, language: str, kind: Literal["sentence", "tokens"] = "sentence"
) -> bool:
    """Whether the encoder read only the beginning of `text`; False where it cannot say."""
    return isinstance(encoder, KnowsCuts) and encoder.cut(text, language, kind)


def compare(
    metric: Metric,
    subjects: Sequence[Subject],
    references: Sequence[Sequence[str]],
    version: Callable[[str], str],
    score: Callable[[str, list[str], list[str]], list[tuple[Sequence[float], int, bool] | str]],
) -> list[list[MetricValue]]:
    """Values of all subjects: `score` gets language, answers and references of a group, none of
    them blank.

    It gives for each answer the outputs' values, the position of the best reference and whether a
    text was cut; or the reason why there is no value. Blank answers are unscored as ``empty``;
    without a reference that says anything the reason is ``no_reference``.
    """
    out: list[list[MetricValue]] = [[] for _ in subjects]
    for group in groups(subjects, references, compared_language):
        name = version(group.language)
        kept = [number for number, text in enumerate(group.references) if text.strip()]
        filled = [line for line, text in enumerate(group.answers) if text.strip()]
        for position in group.positions:
            out[position] = unscored(metric, "empty" if kept else "no_reference", name)
        if not kept or not filled:
            continue
        results = score(
            group.language,
            [group.answers[line] for line in filled],
            [group.references[number] for number in kept],
        )
        for line, result in zip(filled, results, strict=True):
            position = group.positions[line]
            if isinstance(result, str):
                out[position] = unscored(metric, result, name)
            else:
                out[position] = scored(metric, result[0], kept[result[1]], name, result[2])
    return out
