"""The order of cells from sure to doubtful, fixed before labels are opened: what all judges, metrics and the other answers to a
question say together of the machine's values.

It is made for criteria with a scale of two values on which at least two judges gave verdicts, and kept with the draw: the share of
judges that agree is no confidence, because judges err together. No label of a person is read. Answers to creative and unknown questions
are compared with nobody else's work; among the other answers stand those to factual questions alone. On scales of more values judges
are severe or lenient, which labels alone remove: there cells are sorted as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from graders.core.hashing import digest
from graders.core.records import KnownCell
from graders.core.scale import Scale
from graders.metrics._encoders import Encoders
from graders.statistics.confidence import from_voices, siblings
from graders.statistics.resampling import Array
from graders.store import cells as cell_store
from graders.store import confidence_orders as orders
from graders.store import projects
from graders.store import risk as store
from graders.store.confidence_orders import Order
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows._counted import Cells
from graders.workflows._gathered import TO_OTHERS, TO_QUESTION, Gathered, gather
from graders.workflows._tries import TASK_TYPES, Try, tries_of
from graders.workflows.derived import is_derived
from graders.workflows.permissions import Scope
from graders.workflows.risk import criteria_tested

#: So many judges at least must have spoken.
JUDGES_FROM = 2
#: Whoever gave a value to a smaller share of the cells was tried out and is not heard.
LEAST_SHARE = 0.1
#: What is logged where an order is fixed.
LOGGED = "confidence_order"


class Sources(NamedTuple):
    """Who and what speaks of a criterion's cells: names of judges, rules and metrics."""

    judges: tuple[str, ...]
    rules: tuple[str, ...]
    metrics: tuple[str, ...]


def fix_orders(scope: Scope, project: Project, encoder: Encoders | None = None) -> list[str]:
    """Fix the orders of all criteria that have one, for the task types whose drawn answers nobody has labelled; returns their keys.

    Made again where machines have said something new since; once labels are open an order stays, and answers that came later are placed
    among its cells. Without an `encoder` the other answers to a question count alike, however near they are.
    """
    made = []
    paired = cell_store.pair_criteria(scope.ws.db, project)
    for criterion in criteria_tested(scope, project):
        if criterion.id not in paired and criterion.scale.is_discrete and len(criterion.scale.values) == 2:
            cells = Cells.of(scope.ws, project, criterion)
            sources = _sources(scope.ws, project, criterion, len(cells))
            if len(sources.judges) >= JUDGES_FROM and _fix(scope, project, criterion, cells, sources, encoder):
                made.append(criterion.key)
    return made


def is_due(ws: Workspace, project: Project) -> bool:
    """Whether an order that can still change was made without knowing how near the answers to a question are."""
    tried = tries_of(ws, project)["factual"]
    if tried.opened:
        return False
    found = [orders.in_force(ws.db, criterion, "factual", "") for criterion in projects.criteria(ws, project)]
    return any(order is not None and not order.made_from.get("encoder") for order in found)


def _sources(ws: Workspace, project: Project, criterion: CriterionRow, cells: int) -> Sources:
    least = max(1.0, LEAST_SHARE * cells)
    judges = {name: count for name, count in orders.voices(ws.db, criterion, "judge").items() if not is_derived(name)}
    found = (judges, orders.voices(ws.db, criterion, "rule"), orders.metric_names(ws.db, project))
    return Sources(*(tuple(sorted(name for name, count in some.items() if count >= least)) for some in found))


def _fix(scope: Scope, project: Project, criterion: CriterionRow, cells: Cells, sources: Sources, encoder: Encoders | None) -> bool:
    ws = scope.ws
    spoke = store.machine_changed(ws.db, criterion)
    mark = digest(spoke, len(cells), int(cells.cell.max(initial=0)), sources, project.settings.get("panel"))
    before, opened = tries_of(ws, project), store.opened(ws.db, project)
    wanted = {
        task: found for task in TASK_TYPES if (found := _wanted(ws, criterion, cells, before[task], mark, opened, encoder)) is not None
    }
    if not wanted:
        return False
    rows, vectors = _features(ws, criterion, cells, sources, encoder)
    sure, chance = _placed(cells, rows)
    # Somebody may label a drawn answer meanwhile: then what was fixed before stays. Looked up first, so that nobody waits for it.
    stamp, now = orders.stamp(ws.db), tries_of(ws, project)
    with ws.write() as db:
        if orders.stamp(db) != stamp:
            now = tries_of(ws, project)
        for task, (mine, adds) in wanted.items():
            if now[task].opened != before[task].opened:
                continue
            # People's names and the words of texts are not in it: it says which machines spoke, until when, and how.
            body = {
                **sources._asdict(),
                "siblings": task == "factual",
                "vectors": vectors and task == "factual",
                "encoder": encoder is not None,
                "machine_at": spoke,
                "mark": mark,
            }
            columns = (cells.cell[mine], sure[mine], chance[mine])
            row, name = orders.put(db, project, criterion, task, ws.now(), body, columns, None if adds is None else adds.id)
            logged = {"criterion": criterion.key, "task": task, "order": row, "digest": name, "cells": int(mine.sum()), **body}
            projects.log_event(ws, project, scope.actor.person_id, LOGGED, {**logged, "adds": None if adds is None else adds.digest})
    return True


def _wanted(
    ws: Workspace, criterion: CriterionRow, cells: Cells, tried: Try, mark: str, opened: Mapping[int, str], encoder: Encoders | None
) -> tuple[Any, Order | None] | None:
    """Which cells of a task type are to be placed (bool), and the order they are added to; None where nothing is to be done."""
    mine = cells.task == TASK_TYPES.index(tried.task)
    order = orders.in_force(ws.db, criterion, tried.task, tried.opened)
    if not tried.opened:
        current = order is not None and order.made_from.get("mark") == mark and (encoder is None or order.made_from.get("encoder"))
        return None if current or not mine.any() else (mine, None)
    if order is None or not len(order.cells):  # labels were opened without one: the draw goes on as it began
        return None
    last = int(cells.subject[np.isin(cells.cell, order.cells)].max(initial=0))
    late = mine & (cells.subject > last) & (cells.state & store.TESTABLE > 0)
    if not late.any() or any(subject > last for subject in opened):
        return None
    return late, order


class _Rows(NamedTuple):
    """Cells as rows: `cell`, the machine's `value` (0, 1, -1 none), `votes` and `stated` float[J, n], further features float[n, d]."""

    cell: Array
    value: Array
    votes: Array
    stated: Array
    more: Array


def _placed(cells: Cells, rows: _Rows) -> tuple[Array, Array]:
    """(sure, chance) of all cells: -1 and 0 where the machine has no value or nobody has spoken."""
    sure, chance = np.full(len(cells), -1.0), np.zeros(len(cells))
    spoken = (rows.value >= 0) & ~np.isnan(rows.votes).all(axis=0)
    if spoken.any():
        place = np.searchsorted(cells.cell, rows.cell[spoken])
        sure[place], chance[place] = from_voices(rows.value[spoken], rows.votes[:, spoken], rows.stated[:, spoken], rows.more[spoken])
    return sure, chance


def _features(ws: Workspace, criterion: CriterionRow, cells: Cells, sources: Sources, encoder: Encoders | None) -> tuple[_Rows, bool]:
    """The rows of all cells in their order, and whether vectors were there."""
    parts, vectors = [], False
    for some in _gathered(ws, criterion, cells, encoder):
        vectors = vectors or bool(some.vectors)
        parts.append(_rows(some, criterion.scale, sources))
    joined = _Rows(*(np.concatenate(columns, axis=-1 if at in (2, 3) else 0) for at, columns in enumerate(zip(*parts, strict=True))))
    order = np.argsort(joined.cell, kind="stable")
    found = _Rows(joined.cell[order], joined.value[order], joined.votes[:, order], joined.stated[:, order], joined.more[order])
    return found, vectors


def _gathered(ws: Workspace, criterion: CriterionRow, cells: Cells, encoder: Encoders | None) -> Iterator[Gathered]:
    """What machines know of all cells; vectors are made for factual questions with several answers, which alone are compared."""
    by_question: dict[int, list[int]] = {}
    for question, cell in zip(cells.question.tolist(), cells.cell.tolist(), strict=True):
        by_question.setdefault(question, []).append(cell)
    factual = np.unique(cells.question[cells.task == TASK_TYPES.index("factual")]).tolist()
    several = {question for question in factual if len(by_question[question]) > 1}
    yield from gather(ws, criterion, {question: by_question[question] for question in several}, encoder)
    yield from gather(ws, criterion, {question: ids for question, ids in by_question.items() if question not in several}, None)


def _rows(some: Gathered, scale: Scale, sources: Sources) -> _Rows:
    ids = sorted(some.known)
    votes = np.full((len(sources.judges) + len(sources.rules), len(ids)), np.nan)
    stated, more = np.full_like(votes, np.nan), []
    value = np.full(len(ids), -1)
    for at, cell in enumerate(ids):
        known, suggestion = some.known[cell], some.cells[cell].state.suggestion
        value[at] = -1 if suggestion is None else scale.code(suggestion)
        for place, mark in enumerate([*map(known.judges.get, sources.judges), *map(known.rules.get, sources.rules)]):
            if mark is None or mark.value is None:
                continue
            votes[place, at] = scale.code(mark.value)
            if mark.confidence is not None and place < len(sources.judges):
                # Of two values nobody is less than half sure of the one that he names: below it the chance of the other was stated.
                sure = 0.5 + abs(min(max(mark.confidence, 0.0), 1.0) - 0.5)
                stated[place, at] = sure if votes[place, at] else 1 - sure
        more.append(_texts(known, some, cell, sources))
    others = _siblings(some, ids, _share(votes[: len(sources.judges)]))
    return _Rows(np.array(ids, np.int64), value, votes, stated, np.column_stack([np.array(more, float).reshape(len(ids), -1), others]))


def _texts(known: KnownCell, some: Gathered, cell: int, sources: Sources) -> list[float]:
    """Metric values, cosines and lengths of one cell, NaN where one is missing."""
    found = [known.metrics.get(name) for name in (*sources.metrics, TO_QUESTION, TO_OTHERS)]
    said = [known.judges.get(name) for name in sources.judges]
    references = some.subjects[some.cells[cell].subject_id].subject.question.references
    lengths = [known.answer_characters, known.question_characters, min(map(len, references), default=0)]
    lengths += [0 if mark is None else len(mark.rationale or "") for mark in said]
    return [*(np.nan if value is None else float(value) for value in found), float(len(references)), *np.log1p(lengths).tolist()]


def _share(votes: Array) -> Array:
    """The share of judges that say the second value, NaN where none has spoken."""
    count = (~np.isnan(votes)).sum(axis=0)
    return np.where(count > 0, np.nansum(votes, axis=0) / np.maximum(count, 1), np.nan)


def _siblings(some: Gathered, ids: Sequence[int], share: Array) -> Array:
    """float[n, 4]: what judges say of the other answers to a factual question; NaN where there are none to look at."""
    made = np.full((len(ids), 4), np.nan)
    groups: dict[tuple[int, str], list[int]] = {}
    for at, cell in enumerate(ids):
        if not np.isnan(share[at]):
            home = some.cells[cell]
            if some.subjects[home.subject_id].subject.question.task_type == "factual":
                groups.setdefault((home.question_id, home.part), []).append(at)
    for places in groups.values():
        vectors = [some.vectors[subject] for at in places if (subject := some.cells[ids[at]].subject_id) in some.vectors]
        near = len(vectors) == len(places) and len({len(vector) for vector in vectors}) == 1
        found = siblings(share[places], np.stack(vectors) if near else np.ones((len(places), 1)), np.zeros(len(places)))
        made[places] = np.column_stack(found)
        if not near:
            made[places, 3] = np.nan
    return made
