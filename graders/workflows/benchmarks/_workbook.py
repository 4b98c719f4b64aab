"""The report as a workbook. Texts stay texts: no formula runs, no address becomes a link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from graders.workflows.benchmarks._figures import MEAN_METHOD, PAIRED_METHOD
from graders.workflows.scope.missing_reasons import cause_words
from graders.workflows.scope.workbook import Row, write_sheets


def write_workbook(report: Mapping[str, Any], target: Path) -> None:
    """Sheets Means, Side by side, Differences, Best and worst, Cases, Failures and About."""
    write_sheets(
        target,
        (
            ("Means", _means(report)),
            ("Side by side", _side_by_side(report)),
            ("Differences", _differences(report)),
            ("Best and worst", _best_and_worst(report)),
            ("Cases", _cases(report)),
            ("Failures", _failures(report)),
            ("About", _about(report)),
        ),
    )


def _means(report: Mapping[str, Any]) -> Iterator[Row]:
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
    for benchmark in report["benchmarks"]:
        for model in benchmark["models"]:
            for output in benchmark["metrics"]:
                f = model["metrics"][output["key"]]
                yield (
                    *(
                        benchmark["name"],
                        model["model"],
                        output["key"],
                        f["value"],
                        f["low"],
                        f["high"],
                        f["n"],
                    ),
                    *(_counts(f["absent"]), f["reason"], model["ran"], model["failed"]),
                )


def _side_by_side(report: Mapping[str, Any]) -> Iterator[Row]:
    """A row per benchmark and metric: the mean of each model, then the paired difference of each
    two."""
    models = [model["model"] for model in report["models"]]
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
    for benchmark in report["benchmarks"]:
        means = {model["model"]: model["metrics"] for model in benchmark["models"]}
        differences = {(d["a"], d["b"], d["metric"]): d for d in benchmark["differences"]}
        for output in benchmark["metrics"]:
            key, row = output["key"], []
            for model in models:
                found = means.get(model, {}).get(key, {})
                row += [found.get("value"), found.get("low"), found.get("high")]
            for a, b in pairs:
                found = differences.get((a, b, key), {})
                row += [
                    found.get("value"),
                    found.get("low"),
                    found.get("high"),
                    ("yes" if found["clear"] else "no") if found else "",
                ]
            yield (benchmark["name"], key, *row)


def _best_and_worst(report: Mapping[str, Any]) -> Iterator[Row]:
    """The cases that the other reports name, with their texts; `score` is the lead figure."""
    yield ("benchmark", "model", "which", "case", "score", "prompt", "expected", "answer")
    for benchmark in report["benchmarks"]:
        rows = {row["case"]: row for row in benchmark["rows"]}
        for model in benchmark["models"]:
            for which in ("best", "worst"):
                for named in model[which]:
                    row = rows[named["case"]]
                    said = next(
                        answer["text"]
                        for answer in row["answers"]
                        if answer["model"] == model["model"]
                    )
                    yield (
                        benchmark["name"],
                        model["model"],
                        which,
                        named["case"],
                        named["score"],
                        row["prompt"],
                        row["expected"],
                        said,
                    )


def _differences(report: Mapping[str, Any]) -> Iterator[Row]:
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
    for benchmark in report["benchmarks"]:
        for d in benchmark["differences"]:
            yield (
                *(benchmark["name"], d["a"], d["b"], d["metric"], d["value"], d["low"], d["high"]),
                *(d["n"], "yes" if d["clear"] else "no", d["reason"]),
            )


def _cases(report: Mapping[str, Any]) -> Iterator[Row]:
    keys = list(dict.fromkeys(o["key"] for b in report["benchmarks"] for o in b["metrics"]))
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
    for benchmark in report["benchmarks"]:
        for row in benchmark["rows"]:
            for a in row["answers"]:
                yield (
                    *(
                        benchmark["name"],
                        row["case"],
                        row["language"],
                        a["model"],
                        cause_words(a["cause"]),
                    ),
                    *(a["first_token_seconds"], a["seconds"], a["output_tokens"]),
                    *(a["scores"].get(key, {}).get("value") for key in keys),
                    *(row["prompt"], row["expected"], a["text"]),
                )


def _failures(report: Mapping[str, Any]) -> Iterator[Row]:
    yield ("benchmark", "model", "case", "cause", "detail")
    for benchmark in report["benchmarks"]:
        for model in benchmark["models"]:
            for f in model["failures"]:
                yield (
                    benchmark["name"],
                    model["model"],
                    f["case"],
                    cause_words(f["cause"]),
                    f["detail"],
                )


def _about(report: Mapping[str, Any]) -> Iterator[Row]:
    yield ("what", "value")
    yield ("finding", report["title"])
    yield ("asked at", report["address"])
    yield ("made", report["made"])
    yield ("means", MEAN_METHOD)
    yield ("differences", PAIRED_METHOD)
    for model in report["models"]:
        yield (f"model {model['model']}", model["error"] or "asked to the end")
    for benchmark in report["benchmarks"]:
        for output in benchmark["metrics"]:
            yield (
                f"{benchmark['name']}, {output['key']}",
                "; ".join(output["versions"]) or "no value",
            )


def _counts(found: Mapping[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in found.items())
