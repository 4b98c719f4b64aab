"""Which cells may be automatic at which risk: per criterion and task type BY YOUR RULE, PROVEN or
UNPROVEN, with the promise in words.

A proof rests on answers drawn with alpha and delta logged before, all of them labelled blind, after
the machine's verdicts were there. Whatever breaks one of these voids it and says so.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from graders.statistics.arrays import Array, present
from graders.store import projects
from graders.store.desk import queue
from graders.store.figures import risk as store
from graders.store.figures.confidence_orders import Order
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.policy import measured
from graders.workflows.cells.state import FAULTS
from graders.workflows.promise import proofs
from graders.workflows.promise.promise_tests import Try, tries_of
from graders.workflows.promise.proofs import BY_RULE, PROVEN, UNPROVEN, Kind
from graders.workflows.promise.sortable import WAITS, unsorted
from graders.workflows.promise.words import kind_sentence, said, sorted_by
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.units import ANSWER, Unit, unit_of

__all__ = [
    "BY_RULE",
    "PROVEN",
    "UNPROVEN",
    "criteria_tested",
    "gate",
    "kinds_of",
    "reference_people",
    "risk",
    "row_of",
    "terms_json",
    "title",
]

#: Exit codes of kinds of cells that are refuted, or not yet proven.
NOT_TRUSTED, INCONCLUSIVE = 4, 5


@needs("look")
def risk(scope: Scope, project_name: str) -> dict[str, Any]:
    """The state of each criterion x task type of a project, and the terms that were logged with its
    draws."""
    project = scope.project(project_name)
    tries = tries_of(scope.ws, project)
    kinds = kinds_of(scope, project, tries)
    notes = unsorted(scope.ws, project, kinds)
    rows, unit = (
        [row_of(kind, notes) for kind in kinds],
        unit_of(c.scale for c in criteria_tested(scope, project)),
    )
    return {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "terms": terms_json(scope, project, tries),
        "title": title(rows, unit),
        "unit": unit.json(),
        "rows": rows,
    }


def kinds_of(scope: Scope, project: Project, tries: Mapping[str, Try] | None = None) -> list[Kind]:
    """The kinds of a project's cells: criteria of its rubrics, apart from what rules measure, on
    each task type."""
    tries = tries_of(scope.ws, project) if tries is None else tries
    people = reference_people(scope, project)
    return [
        kind
        for criterion in criteria_tested(scope, project)
        for kind in proofs.kinds(scope.ws, project, criterion, tries, people)
    ]


def criteria_tested(scope: Scope, project: Project) -> list[CriterionRow]:
    """The criteria that a blind label can speak about: what rules measure is not tested against
    people."""
    return [
        c
        for c in projects.criteria(scope.ws, project)
        if c.criterion.rubric != FAULTS.name and not measured(c.criterion)
    ]


def reference_people(scope: Scope, project: Project) -> frozenset[str] | None:
    """Whose labels count: the people of the project's reference group, None for everybody."""
    group = str(project.settings.get("reference_group") or "")
    return (
        frozenset(p.id for p in projects.people(scope.ws).values() if p.group == group)
        if group
        else None
    )


def terms_json(scope: Scope, project: Project, tries: Mapping[str, Try]) -> dict[str, Any] | None:
    """The terms of the task types, None where none were logged; the first values are those of the
    task type whose draw came last."""
    logged = [one for one in tries.values() if one.at]
    if not logged:
        return None
    last = max(logged, key=lambda one: one.since)
    return {
        "alpha": last.alpha,
        "delta": last.delta,
        "within": last.within,
        "at": last.at,
        "drawn": sum(len(one.drawn) for one in logged),
        "earlier": len(queue.screened(scope.ws.db, project, ("calibration",)))
        - sum(len(one.drawn) for one in tries.values()),
        "tasks": {
            one.task: {
                "alpha": one.alpha,
                "delta": one.delta,
                "within": one.within,
                "at": one.at,
                "draw": one.number,
                "drawn": len(one.drawn),
                "opened": one.opened,
            }
            for one in logged
        },
    }


def row_of(kind: Kind, notes: Mapping[tuple[int, str], str]) -> dict[str, Any]:
    """One kind as plain data. `missing`: labels to draw; `answers`: about how many answers that is;
    `notes`: what to say of its order."""
    found, cells = kind.selection, kind.cells
    answers = len(present(cells.subject))
    each = len(cells) / max(1, answers)
    row: dict[str, Any] = {
        "criterion": kind.criterion.key,
        "title": kind.criterion.criterion.title,
        "unit": unit_of([kind.criterion.scale]).json(),
        "task_type": kind.task,
        "cells": len(cells),
        "labels": kind.labels,
        "state": kind.state,
        "words": kind.words,
        "missing": kind.missing,
        "answers": None
        if kind.missing is None or kind.placing is not None
        else math.ceil(kind.missing / each),
        "threshold": None if found is None else found.threshold,
        "automatic": int(kind.automatic.sum()),
        "upper": None if found is None else found.upper,
        "order": order_json(kind.order, notes.get((kind.criterion.id, kind.task), "")),
        "draw": draw_json(kind),
        "people": kind.people,
        "constant": None
        if kind.constant is None
        else {"value": kind.constant[0], "off": kind.constant[1]},
        "tested": bool(found is not None and found.looks),
        "decided": _decided(cells.state),
    }
    return {**row, "sentence": kind_sentence(row)}


def draw_json(kind: Kind) -> dict[str, Any]:
    """How the labels of a kind are chosen, as plain data: ``random`` answers, or ``placed`` where
    they decide with what was logged."""
    draw = {"kind": "random", "number": kind.tried.number, "words": "Answers are drawn at random."}
    if kind.placing is None:
        return draw
    own = kind.placing.draw
    return {
        **draw,
        "kind": "placed",
        "words": (
            f"Up to {several(own.budget, 'label')} placed where they decide, "
            "on cells of this criterion alone."
        ),
        "at": own.at,
        "budget": own.budget,
        "alpha": own.alpha,
        "delta": own.delta,
        "open": len(kind.placing.waits) if kind.under_way else 0,
    }


def order_json(order: Order | None, note: str = "") -> dict[str, Any]:
    """By what the cells of a kind are sorted from sure to doubtful, as plain data; `digest` and
    `at` name an order that was fixed, a `note` says why there is none, `waits` whether it can still
    be made."""
    words = said(sorted_by(order))
    if order is None:
        return {
            "kind": "stated",
            "words": words,
            **({"note": note, "waits": note == WAITS} if note else {}),
        }
    body = order.made_from
    made_from = {
        name: body.get(name)
        for name in ("judges", "rules", "metrics", "siblings", "vectors", "machine_at", "learned")
    }
    return {"kind": "fixed", "words": words, "at": order.at, "digest": order.digest, **made_from}


def _decided(state: Array) -> dict[str, int]:
    """Who decided cells, as Results counts it: where people differ nobody has, also on a cell that
    is the machine's."""
    people, machine = state & store.BY_PEOPLE > 0, state & store.AUTOMATIC > 0
    left = state & (store.BY_PEOPLE | store.PENDING | store.CLOSED) == 0
    counts = {
        "people": people & ~machine,
        "audit": people & machine,
        "automatic": machine & left,
        "pending": state & store.PENDING > 0,
        "closed": state & store.CLOSED > 0,
    }
    return {name: int(those.sum()) for name, those in counts.items()}


def gate(rows: Sequence[Mapping[str, Any]]) -> int:
    """The exit code for scripts: 0 where every kind of cells is proven, 4 where no number of labels
    will prove one, 5 where labels are missing or there is nothing to prove."""
    open_ = [row for row in rows if row["state"] != PROVEN]
    if any(row["tested"] and row["missing"] is None for row in open_):
        return NOT_TRUSTED
    return INCONCLUSIVE if open_ or not rows else 0


def title(rows: Sequence[Mapping[str, Any]], unit: Unit = ANSWER) -> str:
    """The finding as a sentence; `unit` is what is drawn."""
    proven = sum(row["state"] == PROVEN for row in rows)
    if not rows:
        return "There is nothing to decide yet"
    if not any(row["labels"] for row in rows):
        drawn = (
            f"drawn {unit.one} was"
            if all(row["draw"]["number"] == 1 for row in rows)
            else f"{unit.one} drawn under these terms was"
        )
        # those that people audit are automatic too
        machine = any(row["decided"]["automatic"] + row["decided"]["audit"] for row in rows)
        if not machine:
            return f"Nothing is automatic, and no {drawn} labelled yet"
        return f"What is automatic is so by your rule: no {drawn} labelled yet"
    return f"The machine is proven on {proven} of {len(rows)} kinds of cells"
