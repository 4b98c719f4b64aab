"""What a run of benchmarks found, as `--json` prints it and every report writes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.workflows.importing.replies_as_import import Imported


@dataclass(frozen=True, slots=True)
class Metric:
    """A number that reports show: its key and title, the ends of its range, and the versions of
    what computed it."""

    key: str
    title: str
    low: float
    high: float
    versions: Sequence[str]


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of a metric over the `n` cases with a value, with its 95 % interval.

    `reason` says why the figure cannot carry a decision, empty where it can; `absent`: how many
    cases have no value, by reason.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str
    absent: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean difference a - b of two models in a metric, over the `n` cases that both answered,
    with its 95 % interval; `clear`: the interval does not hold zero, and the cases suffice."""

    a: str
    b: str
    metric: str
    title: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    reason: str
    clear: bool


@dataclass(frozen=True, slots=True)
class NamedCase:
    """A case among a model's best or worst, with its lead figure."""

    case: str
    score: float


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A case without an answer: the cause (graders.core.records.CAUSES) and its detail."""

    case: str
    cause: str
    detail: str


@dataclass(frozen=True, slots=True)
class ModelFigures:
    """A model in a benchmark: why it was not asked to the end (`error`, else empty), cases that
    `ran`, those of them `known` from earlier, those that `failed`, by cause and one by one, the
    mean of each metric by key, and the best and worst cases."""

    model: str
    error: str
    ran: int
    known: int
    failed: int
    causes: Mapping[str, int]
    failures: Sequence[FailedCase]
    metrics: Mapping[str, Mean]
    best: Sequence[NamedCase]
    worst: Sequence[NamedCase]


@dataclass(frozen=True, slots=True)
class Score:
    """The value of a metric on one answer; None with the reason."""

    value: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """What a model said on a case: `text`, or None with the cause; seconds to the first token and
    in all, output tokens, None where not known; `scores` by the metric's key."""

    model: str
    text: str | None
    cause: str
    detail: str
    first_token_seconds: float | None
    seconds: float | None
    output_tokens: int | None
    scores: Mapping[str, Score]


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A case with the expected answer and what each model said."""

    case: str
    language: str
    prompt: str
    expected: str
    answers: Sequence[CaseAnswer]


@dataclass(frozen=True, slots=True)
class BenchmarkFigures:
    """A benchmark with its number of `cases`: metrics, models, paired differences, a row per case,
    and the `file` of its own report."""

    name: str
    file: str
    cases: int
    metrics: Sequence[Metric]
    models: Sequence[ModelFigures]
    differences: Sequence[Difference]
    rows: Sequence[CaseRow]


@dataclass(frozen=True, slots=True)
class AskedModel:
    """A model that a run asked; `error` says why it was not asked to the end, else empty."""

    model: str
    error: str


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """A run of benchmarks: the finding as a title, when it was `made`, the address that was asked,
    models, benchmarks, the names of the `files` that were written, none where nothing was answered,
    and what came into a project for review, None where nothing did."""

    title: str
    made: str
    address: str
    models: Sequence[AskedModel]
    benchmarks: Sequence[BenchmarkFigures]
    files: Sequence[str]
    imported: Imported | None
