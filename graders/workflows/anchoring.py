"""Anchoring: by how much a suggestion in view pulls people, how often a wrong one is accepted, and how much time it saves."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from graders.core.errors import InputError
from graders.statistics.anchoring import cells_per_arm, shift, time_ratio
from graders.statistics.resampling import Array, Interval
from graders.store import anchoring as store
from graders.store.projects import CriterionRow
from graders.workflows._circle import watermark
from graders.workflows.permissions import Scope, needs
from graders.workflows.risk import criteria_tested

#: Reports that are kept in memory.
KEPT = 16
#: The pull that a criterion should have cells enough to see.
WORTH_SEEING = 0.1

_kept: dict[tuple[str, int], tuple[Any, dict[str, Any]]] = {}
_guard = threading.Lock()


@needs("look")
def anchoring(scope: Scope, project_name: str) -> dict[str, Any]:
    """Per criterion: pull, acceptance of wrong suggestions and time saved, from screens whose arm was drawn; with 95 % intervals.

    Pull is the share of cells where the person says what the machine suggests, assisted minus blind, as a mean over people. A
    suggestion is wrong where an adjudicated value says so.
    """
    project = scope.project(project_name)
    key, mark = (str(scope.ws.path.resolve()), project.id), watermark(scope, project)
    with _guard:
        known = _kept.get(key)
    if known is not None and known[0] == mark:
        return known[1]
    criteria = criteria_tested(scope, project)
    rows = [_row(criterion, store.drawn_arms(scope.ws.db, criterion)) for criterion in criteria]
    shown = [row for row in rows if row["cells"]]
    report = {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "title": title(rows),
        "subtitle": _subtitle(rows),
        "rows": shown,
        "without": [row["title"] for row in rows if not row["cells"]],
    }
    with _guard:
        _kept.pop(key, None)
        _kept[key] = (mark, report)
        while len(_kept) > KEPT:
            _kept.pop(next(iter(_kept)))
    return report


def forget() -> None:
    """Drop what is kept in memory."""
    with _guard:
        _kept.clear()


def title(rows: Sequence[dict[str, Any]]) -> str:
    """The finding as a sentence."""
    if not any(row["cells"] for row in rows):
        return "No screen was blind for one person and assisted for another yet."
    real = [row["title"] for row in rows if row["real"]]
    told = [row for row in rows if row["pull"]["status"] == "OK"]
    if real:
        return f"Suggestions pull people on {', '.join(real)}."
    return "No pull of suggestions can be seen." if told else "The blind arm is too small to say whether suggestions pull people."


def _subtitle(rows: Sequence[dict[str, Any]]) -> str:
    cells, people = sum(row["cells"] for row in rows), max((row["people"] for row in rows), default=0)
    if not cells:
        return "A share of the screens that people see is blind for them; what differs between the arms is the suggestion's doing."
    found = f"{cells:,} verdicts of up to {people:,} people on screens whose arm was drawn before they opened; for these people."
    hard = sum(row["adaptive"] for row in rows)
    return (
        f"{found} {hard:,} of them on cells that were reviewed because they looked hard: on others the pull may differ." if hard else found
    )


def _row(criterion: CriterionRow, found: Sequence[store.Row]) -> dict[str, Any]:
    person, question = (np.array([row[place] for row in found], int) for place in (0, 1))
    arm = np.array([not row[4] for row in found], int)
    value_of = cache(json.loads)  # a hundred thousand verdicts have a handful of values
    said = [value_of(row[6]) for row in found]
    suggested = [value_of(row[3]) for row in found]
    truth = [None if row[7] is None else value_of(row[7]) for row in found]
    equal = np.array([a == b for a, b in zip(said, suggested, strict=True)], float)
    settled = np.array([value is not None for value in truth], bool)
    wrong = settled & np.array([t != s for t, s in zip(truth, suggested, strict=True)], bool)
    right = np.array([t == v for t, v in zip(truth, said, strict=True)], float)
    pull = shift(equal, arm, person, question)
    harm = shift(equal[wrong], arm[wrong], person[wrong], question[wrong])
    seconds = np.array([np.nan if row[5] is None else row[5] for row in found], float)
    real = pull.interval.status == "OK" and pull.interval.low is not None and pull.interval.low > 0
    away = None
    if criterion.scale.is_ordered and len(found):
        off = np.array([row[2] - criterion.scale.number(value) for row, value in zip(found, suggested, strict=True)])
        away = _figure(shift(np.abs(off), arm, person, question, draws=0).interval)
    return {
        "criterion": criterion.key,
        "title": criterion.criterion.title,
        "cells": len(found),
        "people": len(set(person.tolist())),
        "adaptive": sum(row[8] for row in found),
        "arms": {"blind": int((arm == 0).sum()), "assisted": int((arm == 1).sum())},
        "pull": {**_figure(pull.interval), "p": pull.p},
        "distance": away,
        "equal": _by_arm(equal, arm),
        "wrong": {**_figure(harm.interval), "cells": int(wrong.sum()), **_by_arm(equal[wrong], arm[wrong])},
        "accuracy": {"cells": int(settled.sum()), **_by_arm(right[settled], arm[settled])},
        "time": _figure(time_ratio(seconds, arm, person, question)),
        "real": real,
        "needed": _needed(equal, arm, pull.interval),
        "words": _words(pull.interval, harm.interval, real, int(wrong.sum())),
    }


def _figure(found: Interval) -> dict[str, Any]:
    return {name: getattr(found, name) for name in ("value", "low", "high", "status", "reason", "n_cells", "n_questions", "method")}


def _by_arm(values: Array, arm: Array) -> dict[str, float | None]:
    return {name: float(values[arm == side].mean()) if (arm == side).any() else None for side, name in ((0, "blind"), (1, "assisted"))}


def _needed(equal: Array, arm: Array, found: Interval) -> int | None:
    """Cells that each arm needs to show a pull of WORTH_SEEING; None where the arms can tell, or lack questions and not cells."""
    blind = _by_arm(equal, arm)["blind"]
    if found.status == "OK" or blind is None:
        return None
    try:
        needed = cells_per_arm(min(blind, 1 - WORTH_SEEING), WORTH_SEEING)
    except InputError:
        return None
    return needed if needed > min(int((arm == side).sum()) for side in (0, 1)) else None


def _words(pull: Interval, harm: Interval, real: bool, wrong: int) -> str:
    if pull.value is None:
        return f"{pull.reason[:1].upper()}{pull.reason[1:]}."
    if pull.status != "OK":
        return f"INCONCLUSIVE: {pull.reason}."
    if not real:
        return "No pull can be told from chance."
    words = f"With the suggestion in view {100 * pull.value:.0f} of 100 more verdicts say what it says."
    if harm.value is not None and wrong:
        words += f" Of 100 wrong suggestions {100 * harm.value:+.0f} are accepted that a blind person would not share."
    return words
