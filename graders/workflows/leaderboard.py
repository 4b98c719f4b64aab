"""Leaderboard: the models by criterion and overall, corrected by people, by people only, or by the judge alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from graders.core.errors import InputError
from graders.statistics.influence import Influence, combine
from graders.store import leaderboard as stored
from graders.store import reports
from graders.store.projects import CriterionRow, Project
from graders.workflows import _grid, _leaderboard, _leaderboard_words, _standings
from graders.workflows._circle import circle_of, watermark
from graders.workflows._leaderboard import Axis, Three
from graders.workflows._standings import Field, Standing
from graders.workflows.permissions import Scope, needs
from graders.workflows.results import FILTERS, criteria_of

OVERALL = "overall"
WAYS = ("corrected", "people", "judge")
#: Criteria, and parts of figures, that are kept in memory.
KEPT = 128
#: With more cells to read than this, a page is told so before they are read.
MANY_CELLS = 200_000
#: Questions x models that are held at once.
LARGEST = 50_000_000
#: Exit codes where the model asked about is worse, or nothing can be told.
NOT_TRUSTED, INCONCLUSIVE = 4, 5


class Reading(NamedTuple):
    """How many criteria are read, of how many."""

    done: int
    of: int


_kept: dict[Hashable, tuple[Hashable, Any]] = {}
_guard = threading.Lock()


@needs("look")
def leaderboard(
    scope: Scope,
    project_name: str,
    *,
    view: str = "",
    show: str = "corrected",
    judge: str = "",
    weights: Mapping[str, float] | None = None,
    filters: Mapping[str, Any] | None = None,
    a: str = "",
    b: str = "",
    patience: float | None = None,
    begun: bool = True,
) -> dict[str, Any]:
    """The models of a project, best first, with intervals by questions, ranks, ties, a pair, and a warning where the judge misleads.

    `view`: a criterion's key, or overall: the mean of the criteria that have figures, each on 0..100, by `weights` (1 unless given).
    `show`: corrected (PPI++, the judge's values of all answers corrected by people's blind labels), people (these labels alone) or
    judge. `judge`: the judge's name, else the one with most verdicts. `filters`: category, task_type, language. `a`, `b`: the pair.
    `patience`: seconds after which ``{"progress": ...}`` is returned instead; asked again, it goes on where it stopped. `begun` False
    tells of much to read before reading it.
    """
    project = scope.project(project_name)
    chosen = _checked(scope, project, view, show, filters)
    criteria = [c for c in criteria_of(scope, project) if _standings.ranked(c) and not reports.compares_pairs(scope.ws.db, c.id)]
    wanted = criteria if view in ("", OVERALL) else [c for c in criteria if c.key == view]
    mark = watermark(scope, project)
    base = (str(scope.ws.path.resolve()), project.id)
    answers: Field = _known((*base, "field"), mark, lambda: _standings.field(scope, project))
    if len(answers.models) * len(answers.questions) > LARGEST:
        raise InputError(
            "leaderboard",
            found=f"{len(answers.models):,} models and {len(answers.questions):,} questions",
            expected=f"at most {LARGEST:,} pairs of them",
        )
    loaded = _load(scope, wanted, answers, (base, mark), judge, patience, begun, project)
    if isinstance(loaded, Reading):
        return {
            "progress": {"done": loaded.done, "of": loaded.of},
            "project": {"name": project.name, "title": project.title, "notice": project.notice},
        }
    kept = _standings.kept_questions(scope, project, answers, chosen)
    if kept is not None:
        loaded = {key: one.only(kept[one.question]) for key, one in loaded.items()}
    made = {key: _three(one, answers, (*base, key, judge, tuple(sorted(chosen.items()))), mark) for key, one in loaded.items()}
    return _report(scope, project, criteria, wanted, loaded, made, answers, view, show, dict(weights or {}), chosen, (a, b), (base, mark))


def gate(found: Mapping[str, Any], better: str = "", than: str = "") -> int:
    """The exit code for scripts: of the comparison where two models are named (0 better, 4 worse, 5 cannot be told), else 0 where a
    model has a figure that can carry a decision and 5 where none has."""
    decided = {row["model"] for row in found["models"] if row["figure"] and row["figure"]["status"] == "OK"}
    if not better:
        return 0 if decided else INCONCLUSIVE
    pair = found["pair"]
    if pair is None or not {better, than} <= decided or pair["tied"]:
        return INCONCLUSIVE
    return 0 if pair["apart"] > 0 else NOT_TRUSTED


def forget() -> None:
    """Drop what is kept in memory."""
    with _guard:
        _kept.clear()


def _report(
    scope: Scope,
    project: Project,
    criteria: Sequence[CriterionRow],
    wanted: Sequence[CriterionRow],
    loaded: Mapping[str, Standing],
    made: Mapping[str, Three],
    answers: Field,
    view: str,
    show: str,
    weights: Mapping[str, float],
    filters: Mapping[str, str],
    pair: tuple[str, str],
    kept: tuple[tuple[str, int], Hashable],
) -> dict[str, Any]:
    base, mark = kept
    usable = [c for c in wanted if made[c.key].way(show) is not None]
    overall = view in ("", OVERALL) and len(usable) != 1
    shares = {c.key: _weight(weights, c.key) for c in usable}
    three = _overall(made, shares) if overall else made[usable[0].key] if usable else Three(None, None, None)
    axis = Axis(0.0, 100.0, "0 to 100", 1) if overall else _axis(usable[0]) if usable else Axis(0.0, 100.0, "", 1)
    table, apart, _ = _leaderboard.rows(answers.models, three, show, axis)
    groups = _leaderboard.ties(apart)
    counted = [loaded[c.key] for c in usable if not overall or shares[c.key] > 0]
    judge = _standings.common_judge(counted)
    counts = _counts(counted)
    worth = _leaderboard.worth(table) if show == "corrected" and judge else None
    led = _leaderboard.misled(three, answers.models, axis)
    costs = _known((*base, "costs"), mark, lambda: stored.answer_costs(scope.ws.db, project))
    return {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "title": _leaderboard_words.title(table, groups, show, judge),
        "subtitle": _leaderboard_words.subtitle(counts, judge, show, worth),
        "rests_on": _leaderboard_words.rests_on(counts),
        "warning": _leaderboard_words.warning(led, judge),
        "misled": led,
        "view": OVERALL if overall else usable[0].key if usable else view or OVERALL,
        "show": show,
        "axis": {"low": axis.low, "high": axis.high, "words": axis.words, "decimals": axis.decimals},
        "judge": judge,
        "judges": _standings.judges(circle_of(scope, project)),
        "counts": counts,
        "worth": worth,
        "lambda": None if three.corrected is None or not three.corrected.n_labelled.any() else float(three.corrected.lam.max()),
        "models": [{**row, **costs.get(row["model"], {})} for row in table],
        "ties": groups,
        "pair": _leaderboard.pair(table, apart, *pair, axis, max(counts["questions"], counts["labelled_questions"])),
        "criteria": [_criterion(c, made.get(c.key), show, answers, shares.get(c.key)) for c in criteria],
        "without": _without(scope, project, criteria),
        "filters": dict(filters),
        "filter_values": reports.filter_counts(scope.ws.db, project, wanted[0].id) if wanted else {name: [] for name in FILTERS},
    }


def _checked(scope: Scope, project: Project, view: str, show: str, filters: Mapping[str, Any] | None) -> dict[str, str]:
    if show not in WAYS:
        raise InputError("show", found=repr(show), expected="one of " + ", ".join(WAYS), remedy="Choose one of these.")
    keys = [c.key for c in criteria_of(scope, project)]
    if view not in ("", OVERALL, *keys):
        raise InputError("view", found=repr(view), expected="one of " + ", ".join([OVERALL, *keys]), remedy="Choose one of these.")
    chosen = _standings.as_filters(filters or {})
    for name in chosen:
        if name not in FILTERS:
            raise InputError(f"filter {name!r}", found="no such filter", expected="one of " + ", ".join(FILTERS))
    return chosen


def _load(
    scope: Scope,
    wanted: Sequence[CriterionRow],
    answers: Field,
    place: tuple[tuple[str, int], Hashable],
    judge: str,
    patience: float | None,
    begun: bool,
    project: Project,
) -> dict[str, Standing] | Reading:
    """The wanted criteria's cells, or how far reading them is when patience ends."""
    base, mark = place
    started = time.monotonic()
    circle = circle_of(scope, project)
    missing = [c for c in wanted if _peek((*base, c.id, judge), mark) is None]
    if patience is not None and not begun and sum(reports.criterion_cells(scope.ws.db, project, c.id) for c in missing) > MANY_CELLS:
        return Reading(len(wanted) - len(missing), len(wanted))
    for read, criterion in enumerate(missing):
        if patience is not None and read and time.monotonic() - started > patience:
            return Reading(len(wanted) - len(missing) + read, len(wanted))
        _known((*base, criterion.id, judge), mark, partial(_standings.standing, scope, criterion, answers, circle, judge))
    if patience is not None and missing and time.monotonic() - started > patience:
        return Reading(len(wanted), len(wanted))  # figures take their time too
    return {c.key: _known((*base, c.id, judge), mark, partial(_standings.standing, scope, c, answers, circle, judge)) for c in wanted}


def _three(found: Standing, answers: Field, key: tuple[Any, ...], mark: Hashable) -> Three:
    """The means in three ways, as far as there is something to make them of."""
    shape = (len(answers.questions), len(answers.models))

    def make() -> Three:
        judged, labelled = bool(np.isfinite(found.f).any()), bool(found.labelled.any())
        return Three(
            _standings.parts(found, shape, "corrected") if labelled else None,
            _standings.parts(found, shape, "people") if labelled else None,
            _standings.parts(found, shape, "judge") if judged else None,
        )

    made: Three = _known(("three", *key), mark, make)
    return made


def _overall(made: Mapping[str, Three], shares: Mapping[str, float]) -> Three:
    """Weighted means over the criteria; each way over those that have it."""

    def mean(way: str) -> Influence | None:
        usable = [(one, shares[key]) for key in shares if (one := made[key].way(way)) is not None and shares[key] > 0]
        # A mean over other criteria than those of the table would be another figure.
        if not usable or len(usable) < sum(share > 0 for share in shares.values()):
            return None
        return combine([one for one, _ in usable], [share for _, share in usable])

    return Three(mean("corrected"), mean("people"), mean("judge"))


def _weight(weights: Mapping[str, float], key: str) -> float:
    weight = float(weights.get(key, 1.0))
    if not (np.isfinite(weight) and weight >= 0):
        raise InputError(f"weight of {key}", found=f"{weight:g}", expected="a number from 0", remedy="Give 0 to leave the criterion out.")
    return weight


def _axis(criterion: CriterionRow) -> Axis:
    found = _grid.axis(criterion)
    decimals = 1 if found["high"] - found["low"] > 20 else 2
    return Axis(found["low"], found["high"], found["words"], decimals)


def _counts(found: Sequence[Standing]) -> dict[str, int]:
    """Cells and questions, judged and labelled; labels that do not count, by reason."""
    judged = [one.only(np.isfinite(one.f)) for one in found]
    # Labels count where the judge said something, or everywhere where there is no judge.
    used = [j if j.labelled.any() else one for one, j in zip(found, judged, strict=True)]

    def questions(parts: Sequence[Any]) -> int:
        return len(np.unique(np.concatenate([*parts, np.zeros(0, int)])))

    return {
        "cells": sum(len(one.f) for one in judged),
        "questions": questions([one.question for one in judged]),
        "labels": sum(int(one.labelled.sum()) for one in used),
        "labelled_questions": questions([one.question[one.labelled] for one in used]),
        "unjudged": sum(int(one.labelled.sum()) - int(u.labelled.sum()) for one, u in zip(found, used, strict=True)),
        "assisted": sum(one.left_out["assisted"] for one in found),
        "other_draws": sum(one.left_out["other_draws"] for one in found),
    }


def _criterion(criterion: CriterionRow, three: Three | None, show: str, answers: Field, share: float | None) -> dict[str, Any]:
    """A criterion's own column: figures per model where it was read."""
    found = _grid.axis(criterion)
    cells: dict[str, Any] = {}
    if three is not None and three.way(show) is not None:
        table, _, _ = _leaderboard.rows(answers.models, three, show, _axis(criterion))
        cells = {row["model"]: row["figure"] for row in table}
    return {**found, "decimals": _axis(criterion).decimals, "weight": share, "cells": cells}


def _without(scope: Scope, project: Project, criteria: Sequence[CriterionRow]) -> list[dict[str, str]]:
    """Criteria that cannot be ranked, with the reason."""
    known = {c.id for c in criteria}
    return [
        {"title": c.criterion.title, "reason": "compares pairs of answers" if _standings.ranked(c) else "labels without order have no mean"}
        for c in criteria_of(scope, project)
        if c.id not in known
    ]


def _peek(key: Hashable, mark: Hashable) -> Any:
    with _guard:
        found = _kept.get(key)
    return found[1] if found is not None and found[0] == mark else None


def _known(key: Hashable, mark: Hashable, make: Any) -> Any:
    """What is kept under the key while the mark is the same, else made anew."""
    found = _peek(key, mark)
    if found is None:
        found = make()
        with _guard:
            _kept.pop(key, None)
            _kept[key] = (mark, found)
            while len(_kept) > KEPT:
                _kept.pop(next(iter(_kept)))
    return found
