"""From scores to figures: means with intervals, models side by side, best and worst cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from graders.core.records import Question
from graders.core.words import say
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Interval
from graders.workflows.benchmarks._records import (
    BenchmarkFigures,
    CaseAnswer,
    CaseRow,
    Difference,
    FailedCase,
    Mean,
    Metric,
    ModelFigures,
    NamedCase,
    Score,
)
from graders.workflows.calling.asking import Asked
from graders.workflows.measuring.benchmark_scores import LEAD, Output, Scores
from graders.workflows.scope.phrases import listed

#: Best and worst cases that are named.
NAMED = 3
#: A difference that reports with three digits show as none.
LEVEL = 0.0005


def figures_of(
    name: str,
    cases: Sequence[Question],
    asked: Sequence[Asked],
    scores: Scores,
    outputs: Sequence[Output],
) -> BenchmarkFigures:
    """All figures of a benchmark: models, paired differences, and a row per case."""
    return BenchmarkFigures(
        name=name,
        file=file_of(name),
        cases=len(cases),
        metrics=[_metric(output, scores) for output in outputs],
        models=[_model(one, cases, scores, outputs) for one in asked],
        differences=[
            _difference(a.model, b.model, cases, scores, output)
            for a, b in combinations(asked, 2)
            if a.replies and b.replies
            for output in outputs
        ],
        rows=[_row(case, asked, scores, outputs) for case in cases],
    )


def file_of(benchmark: str) -> str:
    """The name of a benchmark's own report; the summary's name is taken."""
    return f"{benchmark}.md" if benchmark != "summary" else "summary-cases.md"


def title_of(benchmarks: Sequence[BenchmarkFigures]) -> str:
    """The finding of a run in one sentence, by the lead figure; benchmarks with the same finding
    together."""
    names: dict[str, list[str]] = {}
    for benchmark in benchmarks:
        names.setdefault(_finding(benchmark), []).append(benchmark.name)
    return "; ".join(f"{', '.join(some)}: {finding}" for finding, some in names.items())


def _finding(benchmark: BenchmarkFigures) -> str:
    """Who leads in a benchmark, and whether its cases suffice to say so against all others."""
    ranked = [
        (mean, model.model)
        for model in benchmark.models
        if (mean := model.metrics[LEAD].value) is not None
    ]
    if not ranked:
        return say("benchmarks.title.nothing")
    score, best = max(ranked, key=lambda pair: pair[0])
    if len(ranked) == 1:
        return say("benchmarks.title.reaches", model=best, score=score)
    level = [model for value, model in ranked if score - value < LEVEL]
    if len(level) == len(ranked):
        return say("benchmarks.title.all_level", models=listed(level))
    if len(level) > 1:
        return say("benchmarks.title.level", models=listed(level))
    pairs = [d for d in benchmark.differences if d.metric == LEAD and best in (d.a, d.b)]
    better = [
        pair.b if pair.a == best else pair.a
        for pair in pairs
        if pair.clear and pair.value is not None and (pair.value > 0) == (pair.b == best)
    ]
    if better:  # the mean is over the cases that ran, and others ran on harder ones too
        return say("benchmarks.title.better", best=best, models=listed(better), n=len(better))
    if all(pair.clear for pair in pairs):
        return say("benchmarks.title.leads", best=best)
    return say("benchmarks.title.unclear", best=best)


def _metric(output: Output, scores: Scores) -> Metric:
    versions = {
        values[output.key].version
        for values in scores.values()
        if output.key in values and values[output.key].version
    }
    return Metric(output.key, output.title, output.low, output.high, sorted(versions))


def _model(
    asked: Asked, cases: Sequence[Question], scores: Scores, outputs: Sequence[Output]
) -> ModelFigures:
    ran = [case.id for case in cases if case.id in asked.replies]
    failures = [
        FailedCase(case.id, asked.failed[case.id].cause, asked.failed[case.id].detail)
        for case in cases
        if case.id in asked.failed
    ]
    lead = sorted(
        (
            (value, case)
            for case in ran
            if (value := _value(scores, asked.model, case, LEAD)) is not None
        ),
        reverse=True,
    )
    named = [NamedCase(case, value) for value, case in lead]
    # of few cases none is both among the best and among the worst
    ends = min(NAMED, len(named) // 2)
    return ModelFigures(
        model=asked.model,
        error=asked.error,
        ran=len(ran),
        known=asked.known,
        failed=len(failures),
        causes=dict(Counter(failure.cause for failure in failures)),
        failures=failures,
        metrics={output.key: _mean(asked.model, ran, scores, output) for output in outputs},
        best=named[:ends],
        worst=named[::-1][:ends],
    )


def _mean(model: str, ran: Sequence[str], scores: Scores, output: Output) -> Mean:
    values = [(case, _value(scores, model, case, output.key)) for case in ran]
    kept = [(case, value) for case, value in values if value is not None]
    absent = Counter(
        _reason(scores, model, case, output.key) for case, value in values if value is None
    )
    # A cosine has no natural lower end: answers that all equal the reference are no share of two
    # values.
    bounds = (output.low, output.high) if output.low >= 0 else None
    mean = mean_interval([v for _, v in kept], [c for c, _ in kept], bounds=bounds)
    return Mean(
        value=mean.value,
        low=_within(mean.low, output.low, output.high),
        high=_within(mean.high, output.low, output.high),
        n=mean.n_cells,
        reason=_doubt(mean),
        absent=dict(absent),
    )


def _difference(
    a: str, b: str, cases: Sequence[Question], scores: Scores, output: Output
) -> Difference:
    pairs = [
        (case.id, _value(scores, a, case.id, output.key), _value(scores, b, case.id, output.key))
        for case in cases
    ]
    both = [
        (case, of_a - of_b) for case, of_a, of_b in pairs if of_a is not None and of_b is not None
    ]
    mean = mean_interval([value for _, value in both], [case for case, _ in both])
    span, reason = output.high - output.low, _doubt(mean)
    low, high = _within(mean.low, -span, span), _within(mean.high, -span, span)
    return Difference(
        a=a,
        b=b,
        metric=output.key,
        title=output.title,
        value=mean.value,
        low=low,
        high=high,
        n=mean.n_cells,
        reason=reason,
        clear=not reason and low is not None and high is not None and (low > 0 or high < 0),
    )


def _within(end: float | None, lowest: float, highest: float) -> float | None:
    """An end of an interval within the range of what is measured."""
    return None if end is None else min(max(end, lowest), highest)


def _doubt(found: Interval) -> str:
    """Why a figure cannot carry a decision; empty where it can."""
    return (
        say("benchmarks.no_value")
        if found.value is None
        else found.reason.replace("questions", "cases")
    )


def _row(
    case: Question, asked: Sequence[Asked], scores: Scores, outputs: Sequence[Output]
) -> CaseRow:
    return CaseRow(
        case=case.id,
        language=case.language,
        prompt=case.text,
        expected=case.references[0],
        answers=[_answer(case, one, scores, outputs) for one in asked],
    )


def _answer(case: Question, asked: Asked, scores: Scores, outputs: Sequence[Output]) -> CaseAnswer:
    reply, failed = asked.replies.get(case.id), asked.failed.get(case.id)
    values = scores.get((asked.model, case.id), {})
    return CaseAnswer(
        model=asked.model,
        text=reply.text if reply else None,
        cause=failed.cause if failed else "",
        detail=failed.detail if failed else "",
        first_token_seconds=reply.first_token_seconds if reply else None,
        seconds=reply.seconds if reply else None,
        output_tokens=reply.output_tokens if reply else None,
        scores={
            output.key: Score(values[output.key].value, values[output.key].reason)
            for output in outputs
            if output.key in values
        },
    )


def _value(scores: Scores, model: str, case: str, key: str) -> float | None:
    value = scores.get((model, case), {}).get(key)
    return value.value if value is not None else None


def _reason(scores: Scores, model: str, case: str, key: str) -> str:
    value = scores.get((model, case), {}).get(key)
    return value.reason if value is not None else "not_computed"
