"""Anchoring: by how much a suggestion in view pulls people, how often a wrong one is accepted, and
how much time it saves."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from functools import cache
from operator import eq, ne
from typing import Any

import numpy as np

from graders.core.errors import InputError
from graders.statistics.anchoring import cells_per_arm, shift, shortfall, time_ratio
from graders.statistics.resampling import Array, Interval
from graders.store.figures import anchoring as store
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.opinions import narrowing
from graders.workflows.opinions.participants import aside_words, circle_of, watermark
from graders.workflows.promise.risk import criteria_tested
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several

#: Reports that are kept in memory.
KEPT = 16
#: Criteria that are, each under its filters.
KEPT_CRITERIA = 128
#: The pull that a criterion should have cells enough to see.
WORTH_SEEING = 0.1
#: The filters of these figures; both arms are narrowed down alike. Not how a verdict was given:
#: whether a suggestion was accepted is what is measured. Not blind ones alone, nor one draw: it
#: takes both arms. Not another wording: what was suggested under it is not kept.
PULLED = ("category", "task_type", "language", "model", "annotator", "neighbours", "since", "until")

_kept = Memory(KEPT)
_rows = Memory(KEPT_CRITERIA)


@needs("look")
def anchoring(
    scope: Scope, project_name: str, *, filters: Filters = EVERYTHING, patience: float | None = None
) -> dict[str, Any]:
    """Per criterion: pull, acceptance of wrong suggestions and time saved, from screens whose arm
    was drawn; with 95 % intervals.

    Pull is the share of cells where the person says what the machine suggests, assisted minus
    blind, as a mean over people. A suggestion is wrong where an adjudicated value says so.
    `filters`, of PULLED, narrow down which verdicts count, of both arms alike. `patience`: seconds
    after which ``{"progress": {"done", "of"}}`` is returned instead; asked again, it goes on where
    it stopped. One criterion is read at least.
    """
    project = scope.project(project_name)
    narrowing.meant(filters, PULLED)
    key, mark = (str(scope.ws.path.resolve()), project.id, filters), watermark(scope, project)
    report: dict[str, Any] | None = _kept.peek(key, mark)
    if report is None:
        narrowing.there(scope, project, filters)
        criteria, everybody = criteria_tested(scope, project), circle_of(scope, project)
        only = narrowing.words_of(scope, project, filters, everybody)
        people = list(narrowing.narrowed(everybody, filters).people) if filters.annotator else None
        rows, begun, fresh = list[dict[str, Any]](), time.monotonic(), 0
        for criterion in criteria:
            row = _rows.peek((*key, criterion.id), mark)
            if row is None:
                if fresh and patience is not None and time.monotonic() - begun > patience:
                    return {
                        "project": _head(project),
                        "progress": {"done": len(rows), "of": len(criteria)},
                    }
                row = _row(
                    criterion, store.drawn_arms(scope.ws.db, criterion, filters, people), only
                )
                _rows.keep((*key, criterion.id), mark, row)
                fresh += 1
            rows.append(row)
        report = _report(scope, project, filters, rows, only)
        _kept.keep(key, mark, report)
    return report


def _head(project: Project) -> dict[str, Any]:
    return {"name": project.name, "title": project.title, "notice": project.notice}


def _report(
    scope: Scope, project: Project, filters: Filters, rows: Sequence[dict[str, Any]], only: str
) -> dict[str, Any]:
    shown = [row for row in rows if row["cells"]]
    aside = (
        aside_words(narrowing.narrowed(circle_of(scope, project), filters), counted=True)
        if shown
        else ""
    )
    return {
        "project": _head(project),
        "title": title(rows, only),
        "subtitle": _subtitle(rows, only) + aside,
        "filters": filters.chosen,
        "only": only,
        "choices": narrowing.choices(scope, project, PULLED),
        "rows": shown,
        "without": [row["title"] for row in rows if not row["cells"]],
    }


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()
    _rows.forget()


def title(rows: Sequence[dict[str, Any]], only: str = "") -> str:
    """The finding as a sentence; `only`: the filters in words."""
    if not any(row["cells"] for row in rows):
        return (
            "No verdict is left by these filters."
            if only
            else "No screen was blind for one person and assisted for another yet."
        )
    real = [row["title"] for row in rows if row["real"]]
    told = [row for row in rows if row["pull"]["status"] == "OK"]
    if real:
        return f"Suggestions pull people on {', '.join(real)}."
    return (
        "No pull of suggestions can be seen."
        if told
        else "The blind arm is too small to say whether suggestions pull people."
    )


def _subtitle(rows: Sequence[dict[str, Any]], only: str) -> str:
    cells, people = (
        sum(row["cells"] for row in rows),
        max((row["people"] for row in rows), default=0),
    )
    if not cells:
        nothing = (
            "A share of the screens that people see is blind for them; what differs between the "
            "arms is the suggestion's doing."
        )
        return f"Only {only}." if only else nothing
    found = (
        f"{several(cells, 'verdict')} of up to {several(people, 'person')} on "
        "screens whose arm was drawn before they opened; "
        "for these people."
    )
    found = f"Only {only}. {found}" if only else found
    hard = sum(row["adaptive"] for row in rows)
    return (
        (
            f"{found} {hard:,} of them on cells that were reviewed because they looked hard: "
            "on others the pull may differ."
        )
        if hard
        else found
    )


def _row(criterion: CriterionRow, found: Sequence[store.Row], only: str) -> dict[str, Any]:
    columns = list(zip(*found, strict=True)) or [()] * 11
    person, question = (np.array(column, int) for column in columns[1:3])
    arm = 1 - np.array(columns[5], int)
    value_of = cache(json.loads)  # a hundred thousand verdicts have a handful of values
    said, suggested = (list(map(value_of, columns[place])) for place in (7, 4))
    truth = [None if text is None else value_of(text) for text in columns[8]]
    equal = np.fromiter(map(eq, said, suggested), float, len(said))
    settled = np.array([value is not None for value in truth], bool)
    wrong = settled & np.fromiter(map(ne, truth, suggested), bool, len(said))
    right = np.fromiter(map(eq, truth, said), float, len(said))
    pull = shift(equal, arm, person, question)
    harm = shift(equal[wrong], arm[wrong], person[wrong], question[wrong])
    seconds = np.array(columns[6], float)  # None becomes NaN
    real = pull.interval.status == "OK" and pull.interval.low is not None and pull.interval.low > 0
    away = None
    if criterion.scale.is_ordered and len(found):
        number_of = cache(lambda text: criterion.scale.number(value_of(text)))
        off = np.array(columns[3], float) - np.array(list(map(number_of, columns[4])), float)
        away = _figure(shift(np.abs(off), arm, person, question, draws=0).interval)
    row = {
        "criterion": criterion.key,
        "title": criterion.criterion.title,
        "cells": len(found),
        "people": len(set(person.tolist())),
        "adaptive": sum(columns[9]),
        "arms": {"blind": int((arm == 0).sum()), "assisted": int((arm == 1).sum())},
        "pull": {**_figure(pull.interval), "p": pull.p},
        "distance": away,
        "equal": _by_arm(equal, arm),
        "wrong": {**_figure(harm.interval), **_shares(equal[wrong], arm[wrong], question[wrong])},
        "accuracy": _shares(right[settled], arm[settled], question[settled]),
        "time": _figure(time_ratio(seconds, arm, person, question)),
        "real": real,
        "needed": _needed(equal, arm, pull.interval),
        "words": _words(pull.interval, harm.interval, real, int(wrong.sum())),
    }
    return {**row, "sentences": sentences(row, only)}


def _figure(found: Interval) -> dict[str, Any]:
    return {
        name: getattr(found, name)
        for name in ("value", "low", "high", "status", "reason", "n_cells", "n_questions", "method")
    }


def _by_arm(values: Array, arm: Array) -> dict[str, float | None]:
    return {
        name: float(values[arm == side].mean()) if (arm == side).any() else None
        for side, name in ((0, "blind"), (1, "assisted"))
    }


def _shares(values: Array, arm: Array, question: Array) -> dict[str, Any]:
    """Each arm's share with what it rests on, and in `short` why that is too little to decide
    anything."""
    return {
        "cells": len(values),
        "arms": {name: int((arm == side).sum()) for side, name in ((0, "blind"), (1, "assisted"))},
        "questions": len(set(question.tolist())),
        "short": shortfall(arm, question),
        **_by_arm(values, arm),
    }


def _needed(equal: Array, arm: Array, found: Interval) -> int | None:
    """Cells that each arm needs to show a pull of WORTH_SEEING; None where the arms can tell, or
    lack questions and not cells."""
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
    words = (
        f"With the suggestion in view {100 * pull.value:.0f} of 100 more verdicts say what it says."
    )
    if harm.value is not None and harm.status == "OK" and wrong:
        words += (
            f" Of 100 wrong suggestions {100 * harm.value:+.0f} are accepted that a blind person "
            "would not share."
        )
    return words


# -- figures of Anchoring as sentences that can stand alone: value, interval, how many, which
# verdicts


def sentences(row: Mapping[str, Any], only: str = "") -> dict[str, str]:
    """Of a criterion's row: ``pull``, and ``rest`` with wrong suggestions, accuracy and time;
    `only`: the filters in words."""
    arms = row["arms"]
    ground = (
        f"Counted: {arms['blind']:,} blind and {arms['assisted']:,} assisted verdicts of "
        f"{several(row['people'], 'person')} on "
        "screens whose arm was drawn before they opened; for these "
        f"people{f'; only {only}' if only else ''}."
    )
    pull = _figure_words(row["pull"], "of 100 verdicts", 100)
    wrong, time, right = row["wrong"], row["time"], row["accuracy"]
    parts = [f"time per cell, assisted to blind: {_figure_words(time, 'times', 1, '.2f')}"]
    if wrong["cells"]:
        parts.append(
            "suggestions that adjudication found wrong, accepted more often: "
            f"{_figure_words(wrong, 'of 100', 100)}"
        )
    if right["cells"]:
        sides = (
            f"{side} {_share(right[side])} of {right['arms'][side]:,}"
            for side in ("blind", "assisted")
        )
        short = f", INCONCLUSIVE: {right['short']}" if right["short"] else ""
        parts.append(f"right by adjudication, {' and '.join(sides)} cells{short}")
    else:
        parts.append("no cell with an adjudicated value says which suggestions were wrong")
    return {
        "pull": (
            f"{row['title']}, pull of the suggestion (says the same, assisted minus blind): "
            f"{pull}. {ground}"
        ),
        "rest": f"{row['title']}, {'; '.join(parts)}. {ground}",
    }


def _figure_words(found: Mapping[str, Any], unit: str, times: int, form: str = "+.0f") -> str:
    if found["value"] is None:
        return f"no figure ({found['reason']})"
    text = f"{times * found['value']:{form}} {unit}"
    if found["low"] is not None:
        text += f" (95 % interval {times * found['low']:{form}} to {times * found['high']:{form}})"
    return text if found["status"] == "OK" else f"{text}, INCONCLUSIVE: {found['reason']}"


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0%}"
