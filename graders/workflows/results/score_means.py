"""The mean of each text score by model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.store import projects
from graders.store.answers import metric_values
from graders.workflows.cells.outputs import metrics_of
from graders.workflows.measuring.benchmark_scores import OUTPUTS
from graders.workflows.measuring.text_scores import choosable, chosen, title_of
from graders.workflows.opinions import grid_cells
from graders.workflows.results import _sentences
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.paging import MODELS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several


@needs("look")
def means(
    scope: Scope,
    project_name: str,
    filters: Mapping[str, str] | None = None,
    page: int | None = None,
    search: str = "",
) -> dict[str, Any]:
    """The mean of every score by model, with a t interval by answers: {scores: [{key, title}],
    models: [{model, cells}], page, pages}.

    Models come by name, a `page` of them (None: all); `search` is part of a model's name.

    Of chosen metrics all values are shown, of those of rubrics the leading one. An answer without a
    value is in no mean: `n` counts those with one, `without` the others, and `reason` says why
    there is no mean. `filters`: category, task_type, language.
    """
    project = scope.project(project_name)
    mine = chosen(project)
    keys = [key for name in mine for key in choosable()[name].outputs]
    for row in projects.criteria(scope.ws, project):
        keys += [
            metric.lead or metric.outputs[0]
            for metric in metrics_of(row.criterion)
            if metric.name not in mine
        ]
    order = list(dict.fromkeys(keys))
    models: dict[str, dict[str, Mapping[str, Any]]] = {}
    for found in metric_values.sums(scope.ws.db, project, order, dict(filters or {})):
        models.setdefault(found["model"], {})[found["metric"]] = found
    present = [key for key in order if any(key in cells for cells in models.values())]
    names = [name for name in models if search.strip().casefold() in name.casefold()]
    page, pages, shown = page_of(names, page or 1, MODELS_A_PAGE if page else max(1, len(names)))
    return {
        "scores": [{"key": key, "title": title_of(key)} for key in present],
        "models": [
            {
                "model": name,
                "cells": {key: _cell(row, filters or {}) for key, row in models[name].items()},
            }
            for name in shown
        ],
        "page": page,
        "pages": pages,
    }


def _why(metric: str, reasons: Mapping[str, int]) -> str:
    """Why no answer has a value: the reason, or each of several with the number of its answers."""
    told = [(count, reason_words(reason, metric=metric)) for reason, count in reasons.items()]
    return " ".join(
        f"{several(count, 'answer')}: {words}" if len(told) > 1 else words for count, words in told
    )


def _cell(row: Mapping[str, Any], filters: Mapping[str, str]) -> dict[str, Any]:
    """A model's mean of a score, with its sentence."""
    cell = _mean(row)
    return {
        **cell,
        "sentence": _sentences.score(row["model"], title_of(row["metric"]), cell, filters),
    }


def _mean(row: Mapping[str, Any]) -> dict[str, Any]:
    n, key = int(row["n"]), str(row["metric"])
    known = next((output for output in OUTPUTS if output.key == key), None)
    ends = (known.low, known.high) if known is not None else (float("-inf"), float("inf"))
    found: dict[str, Any] = {
        "n": n,
        "without": int(row["answers"]) - n,
        "value": None,
        "low": None,
        "high": None,
        "shown": "",
        "reason": "",
    }
    if not n:
        return {**found, "reason": _why(key, row["reasons"])}
    low, high = grid_cells.mean_interval(n, row["total"], row["squares"], n, ends)
    value = row["total"] / n
    digits = 1 if ends[1] > 2 and known is not None else 3
    return {**found, "value": value, "low": low, "high": high, "shown": f"{value:.{digits}f}"}
