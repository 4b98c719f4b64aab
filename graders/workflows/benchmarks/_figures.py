"""From scores to figures: means with intervals, models side by side, best and worst cases. Plain
data that every report writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from graders.core.records import MetricValue, Question
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Interval
from graders.workflows.calling.asking import Asked
from graders.workflows.measuring.benchmark_scores import LEAD, Output, Scores
from graders.workflows.scope.phrases import listed

#: Best and worst cases that are named.
NAMED = 3
#: A difference that reports with three digits show as none.
LEVEL = 0.0005
#: How intervals come about, as reports say it.
MEAN_METHOD = (
    "Mean over the cases that ran; 95 % interval by cases, t (Clopper-Pearson where every case "
    "stands at an end of the range)."
)
PAIRED_METHOD = (
    "Mean of the differences over the cases that both models answered; 95 % interval by cases, "
    "t, which is the delete-one-case jackknife."
)


def figures_of(
    name: str,
    cases: Sequence[Question],
    asked: Sequence[Asked],
    scores: Scores,
    outputs: Sequence[Output],
) -> dict[str, Any]:
    """All figures of a benchmark: models, paired differences, and a row per case."""
    return {
        "name": name,
        "cases": len(cases),
        "metrics": [_metric(output, scores) for output in outputs],
        "models": [_model(one, cases, scores, outputs) for one in asked],
        "differences": [
            _difference(a.model, b.model, cases, scores, output)
            for a, b in combinations(asked, 2)
            if a.replies and b.replies
            for output in outputs
        ],
        "rows": [_row(case, asked, scores, outputs) for case in cases],
    }


def title_of(benchmarks: Sequence[Mapping[str, Any]]) -> str:
    """The finding of a run in one sentence, by the lead figure; benchmarks with the same finding
    together."""
    findings: dict[str, list[str]] = {}
    for benchmark in benchmarks:
        findings.setdefault(_finding(benchmark), []).append(str(benchmark["name"]))
    return "; ".join(f"{', '.join(names)}: {finding}" for finding, names in findings.items())


def _finding(benchmark: Mapping[str, Any]) -> str:
    """Who leads in a benchmark, and whether its cases suffice to say so against all others."""
    ranked = [
        (m["metrics"][LEAD]["value"], m["model"])
        for m in benchmark["models"]
        if m["metrics"][LEAD]["value"] is not None
    ]
    if not ranked:
        return "nothing was answered"
    score, best = max(ranked, key=lambda pair: pair[0])
    if len(ranked) == 1:
        return f"{best} reaches a token F1 of {score:.2f}"
    level = [model for value, model in ranked if score - value < LEVEL]
    if len(level) > 1:
        return (
            f"{listed(level)} "
            f"{'are level' if len(level) == len(ranked) else 'lead, level with each other'}"
        )
    pairs = [
        d for d in benchmark["differences"] if d["metric"] == LEAD and best in (d["a"], d["b"])
    ]
    better = [
        d["b"] if d["a"] == best else d["a"]
        for d in pairs
        if d["clear"] and (d["value"] > 0) == (d["b"] == best)
    ]
    if better:  # the mean is over the cases that ran, and others ran on harder ones too
        verb = "is" if len(better) == 1 else "are"
        return (
            f"{best} has the highest mean, but {listed(better)} {verb} better on the cases that "
            "both answered"
        )
    return (
        f"{best} leads"
        if all(pair["clear"] for pair in pairs)
        else f"{best} leads, but not clearly"
    )


def _metric(output: Output, scores: Scores) -> dict[str, Any]:
    versions = sorted(
        {
            found[output.key].version
            for found in scores.values()
            if output.key in found and found[output.key].version
        }
    )
    return {
        "key": output.key,
        "title": output.title,
        "low": output.low,
        "high": output.high,
        "versions": versions,
    }


def _model(
    asked: Asked, cases: Sequence[Question], scores: Scores, outputs: Sequence[Output]
) -> dict[str, Any]:
    ran = [case.id for case in cases if case.id in asked.replies]
    failed = [
        {
            "case": case.id,
            "cause": asked.failed[case.id].cause,
            "detail": asked.failed[case.id].detail,
        }
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
    named = [{"case": case, "score": value} for value, case in lead]
    # of few cases none is both among the best and among the worst
    ends = min(NAMED, len(named) // 2)
    return {
        "model": asked.model,
        "error": asked.error,
        "ran": len(ran),
        "known": asked.known,
        "failed": len(failed),
        "causes": dict(Counter(found["cause"] for found in failed)),
        "failures": failed,
        "metrics": {output.key: _mean(asked.model, ran, scores, output) for output in outputs},
        "best": named[:ends],
        "worst": named[::-1][:ends],
    }


def _mean(model: str, ran: Sequence[str], scores: Scores, output: Output) -> dict[str, Any]:
    found = [(case, _value(scores, model, case, output.key)) for case in ran]
    kept = [(case, value) for case, value in found if value is not None]
    absent = Counter(
        _reason(scores, model, case, output.key) for case, value in found if value is None
    )
    # A cosine has no natural lower end: answers that all equal the reference are no share of two
    # values.
    bounds = (output.low, output.high) if output.low >= 0 else None
    mean = _interval(
        mean_interval([v for _, v in kept], [c for c, _ in kept], bounds=bounds),
        output.low,
        output.high,
    )
    return {**mean, "absent": dict(absent)}


def _difference(
    a: str, b: str, cases: Sequence[Question], scores: Scores, output: Output
) -> dict[str, Any]:
    pairs = [
        (case.id, _value(scores, a, case.id, output.key), _value(scores, b, case.id, output.key))
        for case in cases
    ]
    both = [
        (case, one - other) for case, one, other in pairs if one is not None and other is not None
    ]
    span = output.high - output.low
    found = _interval(
        mean_interval([value for _, value in both], [case for case, _ in both]), -span, span
    )
    clear = (
        found["reason"] == ""
        and found["low"] is not None
        and (found["low"] > 0 or found["high"] < 0)
    )
    return {"a": a, "b": b, "metric": output.key, "title": output.title, **found, "clear": clear}


def _interval(found: Interval, lowest: float, highest: float) -> dict[str, Any]:
    """The parts of an interval that reports show, within the range of what is measured; a figure
    that cannot carry a decision has its reason."""
    reason = "no value" if found.value is None else found.reason.replace("questions", "cases")
    low, high = (
        None if end is None else min(max(end, lowest), highest) for end in (found.low, found.high)
    )
    return {"value": found.value, "low": low, "high": high, "n": found.n_cells, "reason": reason}


def _row(
    case: Question, asked: Sequence[Asked], scores: Scores, outputs: Sequence[Output]
) -> dict[str, Any]:
    return {
        "case": case.id,
        "language": case.language,
        "prompt": case.text,
        "expected": case.references[0],
        "answers": [_answer(case, one, scores, outputs) for one in asked],
    }


def _answer(
    case: Question, asked: Asked, scores: Scores, outputs: Sequence[Output]
) -> dict[str, Any]:
    reply, failed = asked.replies.get(case.id), asked.failed.get(case.id)
    values = scores.get((asked.model, case.id), {})
    return {
        "model": asked.model,
        "text": reply.text if reply else None,
        "cause": failed.cause if failed else "",
        "detail": failed.detail if failed else "",
        "first_token_seconds": reply.first_token_seconds if reply else None,
        "seconds": reply.seconds if reply else None,
        "output_tokens": reply.output_tokens if reply else None,
        "scores": {o.key: _plain(values[o.key]) for o in outputs if o.key in values},
    }


def _plain(value: MetricValue) -> dict[str, Any]:
    return {"value": value.value, "reason": value.reason}


def _value(scores: Scores, model: str, case: str, key: str) -> float | None:
    found = scores.get((model, case), {}).get(key)
    return found.value if found is not None else None


def _reason(scores: Scores, model: str, case: str, key: str) -> str:
    found = scores.get((model, case), {}).get(key)
    return found.reason if found is not None else "not_computed"
