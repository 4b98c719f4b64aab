"""The mean of each text score by model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.words import say
from graders.statistics.means import interval_from_sums
from graders.store import projects
from graders.store.answers import metric_values
from graders.store.answers.metric_values import MetricSums
from graders.workflows.cells.outputs import metrics_of
from graders.workflows.measuring.benchmark_scores import OUTPUTS
from graders.workflows.measuring.text_scores import choosable, chosen, title_of
from graders.workflows.results._sentences import interval, only
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.paging import MODELS_A_PAGE, page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed, several

#: So many models are named in a sentence.
NAMED = 5


@dataclass(frozen=True, slots=True)
class ScoreHead:
    """A text score: its key and its title."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class ScoreCell:
    """A model's mean of a score with its t interval by answers: `n` answers have a value, those
    `without` one are in no mean, and `reason` says why there is none at all."""

    n: int
    without: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    shown: str = ""
    reason: str = ""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class ModelScores:
    """A model and its means by the key of the score."""

    model: str
    cells: Mapping[str, ScoreCell]


@dataclass(frozen=True, slots=True)
class Scores:
    """The mean of every score, a page of models."""

    scores: Sequence[ScoreHead]
    models: Sequence[ModelScores]
    page: int
    pages: int


@needs("look")
def means(
    scope: Scope,
    project_name: str,
    filters: Mapping[str, str] | None = None,
    page: int | None = None,
    search: str = "",
) -> Scores:
    """The mean of every score by model.

    Models come by name, a `page` of them (None: all); `search` is part of a model's name.

    Of chosen metrics all values are shown, of those of rubrics the leading one. `filters`:
    category, task_type, language.
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
    models: dict[str, dict[str, MetricSums]] = {}
    for found in metric_values.sums(scope.ws.db, project, order, dict(filters or {})):
        models.setdefault(found.model, {})[found.metric] = found
    present = [key for key in order if any(key in cells for cells in models.values())]
    names = [name for name in models if search.strip().casefold() in name.casefold()]
    page, pages, shown = page_of(names, page or 1, MODELS_A_PAGE if page else max(1, len(names)))
    return Scores(
        [ScoreHead(key, title_of(key)) for key in present],
        [
            ModelScores(name, {key: _cell(row, filters or {}) for key, row in models[name].items()})
            for name in shown
        ],
        page,
        pages,
    )


def finding(found: Scores) -> str:
    """The score in which models differ most, as a sentence; empty without values. It is what is
    known before a judge or a person has graded."""
    values = {
        head: {row.model: cell for row in found.models if (cell := row.cells.get(head.key))}
        for head in found.scores
    }
    apart = {
        head: max(known) - min(known)
        for head, cells in values.items()
        if (known := [cell.value for cell in cells.values() if cell.value is not None])
    }
    if not apart:
        return ""
    head = max(apart, key=lambda one: apart[one])
    cells = {model: cell for model, cell in values[head].items() if cell.value is not None}
    best = sorted(cells, key=lambda model: -(cells[model].value or 0.0))[:NAMED]
    return say(
        "results.scores.finding",
        score=head.title,
        models=listed([f"{model} {cells[model].shown}" for model in best]),
    )


def _why(metric: str, reasons: Mapping[str, int]) -> str:
    """Why no answer has a value: the reason, or each of several with the number of its answers."""
    told = [(count, reason_words(reason, metric=metric)) for reason, count in reasons.items()]
    return " ".join(
        f"{several(count, 'answer')}: {words}" if len(told) > 1 else words for count, words in told
    )


def _cell(row: MetricSums, filters: Mapping[str, str]) -> ScoreCell:
    """A model's mean of a score, with its sentence."""
    cell = _mean(row)
    said = _sentence(row.model, title_of(row.metric), cell, filters)
    return replace(cell, sentence=said)


def _mean(row: MetricSums) -> ScoreCell:
    n, key = row.n, row.metric
    known = next((output for output in OUTPUTS if output.key == key), None)
    ends = (known.low, known.high) if known is not None else (float("-inf"), float("inf"))
    without = row.answers - n
    if not n:
        return ScoreCell(n, without, reason=_why(key, row.reasons))
    low, high = interval_from_sums(n, row.total, row.squares, n, ends)
    value = row.total / n
    digits = 1 if ends[1] > 2 and known is not None else 3
    return ScoreCell(n, without, value, low, high, f"{value:.{digits}f}")


def _sentence(model: str, title: str, cell: ScoreCell, filters: Mapping[str, str]) -> str:
    """A model's mean of a text score; empty where it has none."""
    if not cell.shown:
        return ""
    digits = len(cell.shown.partition(".")[2])
    answers = several(cell.n, "answer")
    if cell.without:
        answers = say("results.score.without", answers=answers, count=cell.without)
    chosen = only(filters).removeprefix("; ")
    return say(
        "results.score.mean",
        model=model,
        score=f"{title} ({chosen})" if chosen else title,
        mean=cell.shown,
        interval=interval(cell.low, cell.high, digits, question=False),
        answers=answers,
    )
