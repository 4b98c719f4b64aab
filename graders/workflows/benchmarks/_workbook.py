"""The report as a workbook. Texts stay texts: no formula runs, no address becomes a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

from graders.core.words import say
from graders.workflows.benchmarks._records import BenchmarkReport, Difference, Mean
from graders.workflows.scope.missing_reasons import cause_words
from graders.workflows.scope.workbook import Row, write_sheets


def write_workbook(report: BenchmarkReport, target: Path) -> None:
    """Sheets Means, Side by side, Differences, Best and worst, Cases, Failures and About."""
    write_sheets(
        target,
        (
            (say("benchmarks.sheet.means"), _means(report)),
            (say("benchmarks.sheet.side_by_side"), _side_by_side(report)),
            (say("benchmarks.sheet.differences"), _differences(report)),
            (say("benchmarks.sheet.best_and_worst"), _best_and_worst(report)),
            (say("benchmarks.sheet.cases"), _cases(report)),
            (say("benchmarks.sheet.failures"), _failures(report)),
            (say("benchmarks.sheet.about"), _about(report)),
        ),
    )


def _means(report: BenchmarkReport) -> Iterator[Row]:
    yield (
        "benchmark",
        "model",
        "metric",
        "mean",
        "low",
        "high",
        "cases",
        "without_value",
        "note",
        "ran",
        "failed",
    )
    for benchmark in report.benchmarks:
        for model in benchmark.models:
            for metric in benchmark.metrics:
                mean = model.metrics[metric.key]
                yield (
                    *(benchmark.name, model.model, metric.key, mean.value, mean.low, mean.high),
                    *(mean.n, _counts(mean.absent), mean.reason, model.ran, model.failed),
                )


def _side_by_side(report: BenchmarkReport) -> Iterator[Row]:
    """A row per benchmark and metric: the mean of each model, then the paired difference of each
    two."""
    models = [model.model for model in report.models]
    pairs = list(combinations(models, 2))
    yield (
        *("benchmark", "metric"),
        *(head for model in models for head in (model, f"{model}, low", f"{model}, high")),
        *(
            head
            for a, b in pairs
            for head in (f"{a} - {b}", f"{a} - {b}, low", f"{a} - {b}, high", f"{a} - {b}, clear")
        ),
    )
    for benchmark in report.benchmarks:
        means = {model.model: model.metrics for model in benchmark.models}
        differences = {(d.a, d.b, d.metric): d for d in benchmark.differences}
        for metric in benchmark.metrics:
            row: list[str | float | None] = []
            for model in models:
                row += _ends(means.get(model, {}).get(metric.key))
            for a, b in pairs:
                difference = differences.get((a, b, metric.key))
                row += _ends(difference)
                row.append("" if difference is None else _clear(difference))
            yield (benchmark.name, metric.key, *row)


def _ends(figure: Mean | Difference | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if figure is None else (figure.value, figure.low, figure.high)


def _clear(difference: Difference) -> str:
    return say("benchmarks.yes") if difference.clear else say("benchmarks.no")


def _best_and_worst(report: BenchmarkReport) -> Iterator[Row]:
    """The cases that the other reports name, with their texts; `score` is the lead figure."""
    yield ("benchmark", "model", "which", "case", "score", "prompt", "expected", "answer")
    for benchmark in report.benchmarks:
        rows = {row.case: row for row in benchmark.rows}
        for model in benchmark.models:
            ends = ((say("benchmarks.best"), model.best), (say("benchmarks.worst"), model.worst))
            for which, named_cases in ends:
                for named in named_cases:
                    row = rows[named.case]
                    answer = next(a.text for a in row.answers if a.model == model.model)
                    yield (
                        *(benchmark.name, model.model, which, named.case, named.score),
                        *(row.prompt, row.expected, answer),
                    )


def _differences(report: BenchmarkReport) -> Iterator[Row]:
    yield (
        "benchmark",
        "model_a",
        "model_b",
        "metric",
        "a_minus_b",
        "low",
        "high",
        "cases",
        "clear",
        "note",
    )
    for benchmark in report.benchmarks:
        for d in benchmark.differences:
            yield (
                *(benchmark.name, d.a, d.b, d.metric, d.value, d.low, d.high),
                *(d.n, _clear(d), d.reason),
            )


def _cases(report: BenchmarkReport) -> Iterator[Row]:
    keys = list(dict.fromkeys(metric.key for b in report.benchmarks for metric in b.metrics))
    yield (
        "benchmark",
        "case",
        "language",
        "model",
        "cause",
        "first_token_seconds",
        "seconds",
        "output_tokens",
        *keys,
        "prompt",
        "expected",
        "answer",
    )
    for benchmark in report.benchmarks:
        for row in benchmark.rows:
            for a in row.answers:
                yield (
                    *(benchmark.name, row.case, row.language, a.model, cause_words(a.cause)),
                    *(a.first_token_seconds, a.seconds, a.output_tokens),
                    *(a.scores[key].value if key in a.scores else None for key in keys),
                    *(row.prompt, row.expected, a.text),
                )


def _failures(report: BenchmarkReport) -> Iterator[Row]:
    yield ("benchmark", "model", "case", "cause", "detail")
    for benchmark in report.benchmarks:
        for model in benchmark.models:
            for failure in model.failures:
                cause = cause_words(failure.cause)
                yield (benchmark.name, model.model, failure.case, cause, failure.detail)


def _about(report: BenchmarkReport) -> Iterator[Row]:
    yield ("what", "value")
    yield (say("benchmarks.about.finding"), report.title)
    yield (say("benchmarks.about.asked"), report.address)
    yield (say("benchmarks.about.made"), report.made)
    yield (say("benchmarks.about.means"), say("benchmarks.mean_method"))
    yield (say("benchmarks.about.differences"), say("benchmarks.paired_method"))
    for model in report.models:
        yield (
            say("benchmarks.about.model", model=model.model),
            model.error or say("benchmarks.about.to_the_end"),
        )
    for benchmark in report.benchmarks:
        for metric in benchmark.metrics:
            versions = "; ".join(metric.versions) or say("benchmarks.no_value")
            yield (f"{benchmark.name}, {metric.key}", versions)


def _counts(reasons: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in reasons.items())
