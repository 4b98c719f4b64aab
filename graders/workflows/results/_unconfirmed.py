"""What judges and rules say where no person has spoken on a criterion: what they suggest of pending
cells and what they decided automatically. Results shows it, marked as unconfirmed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from graders.core.contracts import Finding
from graders.core.rubric import Criterion
from graders.store.figures import results as results_figures
from graders.store.opinions.tallies import Tally
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.measured import finding_of, measured
from graders.workflows.opinions.grid_cells import Summed, without_mean
from graders.workflows.opinions.participants import watermark
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope

#: Sums of suggestions that are kept in memory.
KEPT = 64
_kept = Memory(KEPT)
#: Model -> values, their sum and that of their squares, answers.
Suggested = Mapping[str, tuple[int, float, float, float]]


def unconfirmed(
    scope: Scope,
    project: Project,
    criteria: Sequence[CriterionRow],
    rows: Sequence[Tally],
    filters: Mapping[str, str],
) -> dict[int, Suggested]:
    """Criterion row -> what is suggested of its pending cells, of criteria on which no person has
    spoken. What rules measured needs no person's word."""
    spoken = {row.criterion_id for row in rows if row.people or row.audit}
    pending = {row.criterion_id for row in rows if row.pending}
    automatic = {row.criterion_id for row in rows if row.automatic}
    silent = [
        c
        for c in criteria
        if c.id not in spoken
        and (c.id in pending or (c.id in automatic and not _measured(c.criterion)))
    ]
    mark = watermark(scope, project) if pending else ()
    place = (str(scope.ws.path.resolve()), project.id, tuple(sorted(filters.items())))
    return {
        c.id: _kept.get((*place, c.id), mark, partial(_sums, scope, project, c, filters))
        if c.id in pending
        else {}
        for c in silent
    }


def with_suggested(row: Summed, of: Suggested | None) -> Summed:
    """What a mean is taken over, with the suggestions of the model's pending cells (`of`, None
    where a person has spoken): all of it is unconfirmed then."""
    if of is None:
        return row
    n, total, squares, answers = of.get(row.tally.model, (0, 0.0, 0.0, 0.0))
    return replace(
        row,
        of=row.of + n,
        sum=row.sum + total,
        square=row.square + squares,
        answers=row.answers + answers,
        unconfirmed=row.of + n,
    )


def _measured(criterion: Criterion) -> bool:
    """Whether rules that measure are all that grades a criterion."""
    return measured(criterion) or (
        bool(criterion.graders)
        and all(finding_of(ref.name) is Finding.MEASURED for ref in criterion.graders)
    )


def with_labels(
    labels: Mapping[int, Mapping[str, Mapping[str, int]]],
    scope: Scope,
    project: Project,
    criteria: Sequence[CriterionRow],
    filters: Mapping[str, str],
) -> dict[int, dict[str, dict[str, int]]]:
    """Final labels by criterion and model, with those that are suggested on `criteria`, on which no
    person has spoken."""
    found = {i: {model: dict(counts) for model, counts in of.items()} for i, of in labels.items()}
    for row in criteria:
        if row.id not in found:  # too many to be counted while somebody waits
            continue
        for model, _, text, count in results_figures.suggested(
            scope.ws.db, project, row.id, filters, by_answer=False
        ):
            counts = found[row.id].setdefault(model, {})
            counts[text] = counts.get(text, 0) + count
    return found


def _sums(
    scope: Scope, project: Project, criterion: CriterionRow, filters: Mapping[str, str]
) -> Suggested:
    """Where a criterion has parts, an answer counts with the mean of those that have a value."""
    parts = bool(criterion.criterion.parts or criterion.criterion.elements)
    scale = criterion.scale
    means: dict[tuple[str, int], list[float]] = {}
    sums: dict[str, tuple[int, float, float, float]] = {}

    def add(model: str, value: float, count: int) -> None:
        n, total, squares, answers = sums.get(model, (0, 0.0, 0.0, 0.0))
        sums[model] = (
            n + count,
            total + count * value,
            squares + count * value * value,
            answers + count,
        )

    rows = results_figures.suggested(scope.ws.db, project, criterion.id, filters, by_answer=parts)
    for model, subject, text, count in rows:
        value = 0.0 if without_mean(scale) else scale.number(json.loads(text))
        if parts:
            means.setdefault((model, subject), []).extend([value] * count)
        else:
            add(model, value, count)
    for (model, _), values in means.items():
        add(model, sum(values) / len(values), 1)
    return sums
