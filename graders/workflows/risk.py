"""Which cells may be automatic at which risk: per criterion and task type BY YOUR RULE, PROVEN or UNPROVEN, with the promise in words.

A proof rests on answers drawn with alpha and delta logged (the routing workflow logs them with each draw), all of them labelled
blind, after the machine's verdicts were there. Whatever breaks one of these voids it and says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any

import numpy as np

from graders.core.scale import Scale
from graders.statistics.risk_control import Selection, Stratum, select_strata
from graders.store import projects, queue
from graders.store import risk as risk_store
from graders.store.projects import CriterionRow, Project
from graders.store.risk import Label, MachineCell
from graders.workflows.permissions import Scope, needs
from graders.workflows.policy import people_centre
from graders.workflows.results import criteria_of

BY_RULE, PROVEN, UNPROVEN = "BY YOUR RULE", "PROVEN", "UNPROVEN"
#: Draws whose chances differ by more than this factor are no simple random sample together.
ALIKE = 1.1
TASK_TYPES = ("factual", "creative", "unknown")


@dataclass(frozen=True, slots=True)
class Draw:
    """The calibration draws of a project: when the first was logged, with which terms, up to which subject, who was drawn.
    `doubt`: why they cannot carry a proof, empty if they can."""

    at: str
    alpha: float
    delta: float
    upto: int
    drawn: frozenset[int]
    doubt: str


@needs("look")
def risk(scope: Scope, project_name: str) -> dict[str, Any]:
    """The state of each criterion x task type of a project, and the terms that were logged with its draws."""
    project = scope.project(project_name)
    draw = _draw_of(scope, project)
    rows = [row for criterion in criteria_of(scope, project) for row in _criterion_rows(scope, project, criterion, draw)]
    return {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "terms": None if draw is None else {"alpha": draw.alpha, "delta": draw.delta, "at": draw.at, "drawn": len(draw.drawn)},
        "title": _title(rows),
        "rows": rows,
    }


def _draw_of(scope: Scope, project: Project) -> Draw | None:
    logged = [e for e in projects.events(scope.ws, project, "draw", limit=10_000) if e["body"]["design"] == "calibration"]
    if not logged:
        return None
    bodies = [event["body"] for event in logged]
    terms = {(float(body["alpha"]), float(body["delta"])) for body in bodies}
    chances = [float(body["probability"]) for body in bodies]
    doubt = ""
    if len(terms) > 1:
        doubt = "the draws were logged with different terms"
    elif max(chances) > ALIKE * min(chances):
        doubt = f"answers were drawn with chances from {min(chances):.0%} to {max(chances):.0%}: together they are no simple random sample"
    alpha, delta = min(terms)
    drawn = frozenset(queue.screened(scope.ws.db, project, ("calibration",)))
    return Draw(min(event["at"] for event in logged), alpha, delta, max(body["upto"] for body in bodies), drawn, doubt)


def _criterion_rows(scope: Scope, project: Project, criterion: CriterionRow, draw: Draw | None) -> list[dict[str, Any]]:
    db = scope.ws.db
    cells = risk_store.machine_cells(db, project, criterion, draw.upto if draw else 2**62)
    labels = {cell: list(found) for cell, found in groupby(risk_store.blind_labels(db, criterion), key=lambda label: label.cell_id)}
    changed = risk_store.machine_changed(db, criterion)
    types = [task for task in TASK_TYPES if any(cell.task_type == task for cell in cells)]
    why = {task: _hindrance(criterion, [c for c in cells if c.task_type == task], labels, changed, draw) for task in types}
    testable = [cell for cell in cells if not why[cell.task_type] and cell.suggestion is not None]
    strata = _tested(criterion.scale, testable, labels, draw) if draw and testable else ()
    rows = []
    for task in types:
        mine = [cell for cell in cells if cell.task_type == task]
        stratum = next((s for s in strata if TASK_TYPES.index(task) in s.codes), None)
        seen = sum(cell.cell_id in labels for cell in mine)
        row = {"criterion": criterion.key, "title": criterion.criterion.title, "task_type": task, "cells": len(mine), "labels": seen}
        rows.append({**row, **_state(criterion.scale, task, seen, why[task], stratum, testable, labels, draw)})
    return rows


def _hindrance(
    criterion: CriterionRow, cells: Sequence[MachineCell], labels: Mapping[int, Sequence[Label]], changed: str, draw: Draw | None
) -> str:
    """Why no test can be made, or its result would prove nothing; empty if it can."""
    opened = min((label.at for cell in cells for label in labels.get(cell.cell_id, ())), default="")
    if not opened:
        return "no drawn answer was labelled blind"
    if not criterion.scale.is_discrete:
        return "values of a numeric range are hardly ever equal"
    if draw is None or opened < draw.at:
        return "labels were opened before alpha and delta were logged"
    if draw.doubt:
        return draw.doubt
    waiting = sum(cell.subject_id in draw.drawn and cell.cell_id not in labels for cell in cells)
    if waiting:
        drawn = sum(cell.subject_id in draw.drawn for cell in cells)
        return f"{waiting} of {drawn} drawn cells wait for their blind label: those that were read first are no random sample"
    if changed > opened:
        return "the machine's verdicts are newer than the first label: a confidence must be fixed before labels are read"
    return "" if any(cell.suggestion is not None for cell in cells) else "the machine has no value for any cell"


def _tested(scale: Scale, cells: Sequence[MachineCell], labels: Mapping[int, Sequence[Label]], draw: Draw) -> tuple[Stratum, ...]:
    """The walk of each task type. A cell whose people gave no value, or differ, counts as an error: nobody confirmed the machine's."""
    labelled = [cell.cell_id in labels and cell.subject_id in draw.drawn for cell in cells]
    error = [known and _people(scale, labels[cell.cell_id]) != cell.suggestion for cell, known in zip(cells, labelled, strict=True)]
    return select_strata(
        [_sure(cell) for cell in cells],
        labelled,
        error,
        [cell.question_id for cell in cells],
        [TASK_TYPES.index(cell.task_type) for cell in cells],
        draw.alpha,
        draw.delta,
    )


def _sure(cell: MachineCell) -> float:
    """A suggestion whose confidence nobody stated is the least sure."""
    return -1.0 if cell.confidence is None else cell.confidence


def _people(scale: Scale, labels: Sequence[Label]) -> Any:
    values = [label.value for label in labels if label.value is not None]
    return people_centre(scale, values) if len(values) * 2 > len(labels) else None


def _state(
    scale: Scale,
    task: str,
    seen: int,
    why: str,
    stratum: Stratum | None,
    testable: Sequence[MachineCell],
    labels: Mapping[int, Sequence[Label]],
    draw: Draw | None,
) -> dict[str, Any]:
    """Label, promise in words, what is missing and the figures of one criterion x task type."""
    if stratum is None or draw is None:
        state = UNPROVEN if seen else BY_RULE
        return {"state": state, "words": _said(why), "missing": None, "threshold": None, "automatic": 0, "upper": None, "people": None}
    found = stratum.selection
    chosen = [cell for cell, inside in zip(testable, stratum.cells, strict=True) if inside]
    automatic = [cell for cell, yes in zip(chosen, found.automatic, strict=True) if yes and cell.task_type == task]
    inside = [cell.cell_id for cell in chosen if found.threshold is not None and _sure(cell) >= found.threshold]
    agree = _second_person([labels[cell] for cell in inside if cell in labels])
    proven = found.status == "OK" and bool(automatic)
    return {
        "state": PROVEN if proven else UNPROVEN,
        "words": _promise(found, len(automatic), stratum, agree, draw) if proven else _said(found.reason),
        "missing": found.missing,
        "threshold": found.threshold,
        "automatic": len(automatic),
        "upper": found.upper,
        "people": agree,
    }


def _said(why: str) -> str:
    return f"{why[:1].upper()}{why[1:]}."


def _second_person(labels: Sequence[Sequence[Label]]) -> float | None:
    """The share of pairs of people who gave a cell the same value; None where no two people labelled one."""
    pairs = [a.value is not None and a.value == b.value for each in labels for a, b in combinations(each, 2)]
    return float(np.mean(pairs)) if pairs else None


def _promise(found: Selection, automatic: int, stratum: Stratum, agree: float | None, draw: Draw) -> str:
    together = " and ".join(TASK_TYPES[code] for code in stratum.codes)
    sure = "" if found.threshold is None or found.threshold < 0 else f" (confidence {found.threshold:.2f} or more)"
    said = (
        f"Among the {automatic} unlabelled cells that the machine may decide{sure} it differs from a person on at most "
        f"{found.alpha:.0%}, sure to {1 - draw.delta:.0%}; {found.errors} of {found.labels} labels differ"
    )
    said += f", {together} tested together." if len(stratum.codes) > 1 else "."
    if agree is not None:
        said += f" Another person would differ on {1 - agree:.0%}."
        if 1 - agree > found.alpha:
            said += " Two people would not meet this themselves."
    return said


def _title(rows: Sequence[Mapping[str, Any]]) -> str:
    proven = sum(row["state"] == PROVEN for row in rows)
    if not rows:
        return "There is nothing to decide yet"
    if not any(row["labels"] for row in rows):
        return "What is automatic is so by your rule: no drawn answer was labelled yet"
    return f"The machine is proven on {proven} of {len(rows)} kinds of cells"
