"""Compare: two models, or two versions of one, question by question: differences, a verdict, and the answers that got worse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from graders.core.errors import InputError, UsageError
from graders.statistics.influence import combine
from graders.store import leaderboard as stored
from graders.store.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow
from graders.workflows import _compare, _compare_words, _leaderboard_counts, _leaderboard_ground, _leaderboard_words, _narrowing, _standings
from graders.workflows._circle import circle_of
from graders.workflows._compare import Compared, Side
from graders.workflows._compare_cases import page_of_cases
from graders.workflows._leaderboard_ground import BOARD, OVERALL, Ground, Only, Reading, Wish
from graders.workflows.leaderboard import INCONCLUSIVE, NOT_TRUSTED, OVERALL_AXIS, axis_of
from graders.workflows.permissions import Scope, needs

ORDERS = ("worse", "better")
_RULE = re.compile(r"(not worse|better)(?: by (\d+(?:[.,]\d+)?))?")
NO_MODEL = "No model has an answer yet: there is nothing to compare."
PAIRS_ONLY = "Answers are graded in pairs only here: there are no values of single answers to compare."
RANKED = "Preferences ranks the models by the pairs (cograde preferences)."
ONE_MODEL = "There is only one model and no earlier version of it: nothing to compare."


@needs("look")
def compare(
    scope: Scope,
    project_name: str,
    a: str = "",
    b: str = "",
    *,
    view: str = "",
    show: str = "corrected",
    judge: str = "",
    weights: Mapping[str, float] | None = None,
    filters: Filters = EVERYTHING,
    order: str = "worse",
    page: int = 1,
    patience: float | None = None,
    begun: bool = True,
) -> dict[str, Any]:
    """`a` minus `b` per criterion and overall, with intervals by questions, verdicts, and a page of the answers, the worst for `a` first.

    `a`, `b`: MODEL, or MODEL@VERSION for answers that later ones have taken the place of; else the first two there are. Only questions
    that both answered count. `view`: the criterion that leads, else the mean of all by `weights`. `order`: worse or better first.
    `show`, `judge`, `filters`, `patience`, `begun` as on the leaderboard. Whoever is shown answers has seen their marks.
    """
    project = scope.project(project_name)
    if order not in ORDERS:
        raise InputError("order", found=repr(order[:40]), expected="one of " + ", ".join(ORDERS), remedy="Choose one of these.")
    earlier = {Side(model, version): count for model, version, count in stored.earlier_versions(scope.ws.db, project)}
    models = _leaderboard_ground.current(scope, project).models
    sides = _sides(a, b, models, earlier)
    versions = tuple(sorted({(s.model, s.version) for s in sides if s.version}))
    keys = [c.key for c in _narrowing.criteria_under(scope, project, filters.wording)]
    if view not in ("", OVERALL, *keys):
        raise InputError("view", found=repr(view[:80]), expected="one of " + ", ".join([OVERALL, *keys]), remedy="Choose one of these.")
    wish = Wish(show=show, judge=judge, filters=filters, weights=weights, versions=versions, patience=patience, begun=begun)
    ground = _leaderboard_ground.ground(scope, project, wish)
    if isinstance(ground, Reading):
        return ground.json(project)
    choices = [Side(model).json() for model in models] + [{**side.json(), "answers": count} for side, count in earlier.items()]
    head = {**_head(scope, ground, wish), "choices": choices, "order": order}
    if not ground.wanted and head["preferences"]:
        return {**head, "title": PAIRS_ONLY, "subtitle": RANKED, "rests_on": "", "a": None, "b": None, "rows": []}
    if len(sides) < 2:
        return {**head, "title": ONE_MODEL if models else NO_MODEL, "subtitle": "", "rests_on": "", "a": None, "b": None, "rows": []}
    return {**head, **_report(scope, ground, wish, view, weights or {}, (sides[0], sides[1]), order, page)}


def gate(found: Mapping[str, Any], rule: str) -> dict[str, Any]:
    """Whether a comparison keeps `rule`: ``not worse [by X]``, ``better [by X]``, X in the units of the leading figure.

    {rule, code, words}; the code is 0 where the whole 95 % interval keeps it, 4 where the whole interval breaks it, else 5.
    """
    read = _RULE.fullmatch(" ".join(rule.lower().split()))
    if read is None:
        raise UsageError(
            "--gate", found=repr(rule[:60]), expected='"not worse by X" or "better by X"', remedy='Write --gate "not worse by 2".'
        )
    by = float((read[2] or "0").replace(",", "."))
    row = next((one for one in found["rows"] if one["key"] == found["view"]), None)
    if row is None or row["low"] is None or row["why"]:
        return {"rule": rule, "code": INCONCLUSIVE, "words": f"Gate {rule}: cannot be told ({row['why'] if row else 'no figure'})."}
    limit = -by if read[1] == "not worse" else by
    kept = row["low"] >= limit if read[1] == "not worse" else row["low"] > limit
    broken = row["high"] < limit if read[1] == "not worse" else row["high"] <= limit
    code = 0 if kept else NOT_TRUSTED if broken else INCONCLUSIVE
    said = {0: "kept", NOT_TRUSTED: "broken", INCONCLUSIVE: "cannot be told"}[code]
    words = f"{_compare_words.signed(row['low'], row)} to {_compare_words.signed(row['high'], row)}"
    return {"rule": rule, "code": code, "words": f"Gate {rule}: {said} (95 % interval of {row['title']} ({row['words']}): {words})."}


def _sides(a: str, b: str, models: Sequence[str], earlier: Mapping[Side, int]) -> list[Side]:
    """The two that are asked for; what is not named is a model beside its own earlier version, or else the first two models."""
    named = [_compare.side_of(ref, models, earlier) if ref else None for ref in (a, b)]
    if named[0] is not None and named[0] == named[1]:
        raise InputError("comparison", found=f"{named[0].label} twice", expected="two different sides", remedy="Choose another one.")
    latest = list(earlier)[-1:] if earlier else []
    spare = [*(Side(side.model) for side in latest if side.model in models), *latest, *(Side(model) for model in models), *earlier]
    made: list[Side] = []
    for side in named:
        chosen = side or next((one for one in spare if one not in made and one not in named), None)
        if chosen is not None:
            made.append(chosen)
    return made


def _head(scope: Scope, ground: Ground, wish: Wish) -> dict[str, Any]:
    project = ground.project
    return {
        "project": {"name": project.name, "title": project.title, "notice": project.notice},
        "show": wish.show,
        "view": OVERALL,
        "judges": _standings.judges(circle_of(scope, project)),
        "preferences": [c.key for c in _standings.criteria_of_pairs(scope, project)],
        "filters": ground.filters.chosen,
        "only": ground.only._asdict(),
        "filter_choices": _narrowing.choices(scope, project, BOARD),
    }


def _report(
    scope: Scope, ground: Ground, wish: Wish, view: str, weights: Mapping[str, float], sides: tuple[Side, Side], order: str, page: int
) -> dict[str, Any]:
    a, b = (_compare.column(ground.answers, side) for side in sides)
    compared = [_compared(ground, wish, criterion, a, b, weights) for criterion in ground.wanted]
    judge = _standings.common_judge([one.cells for one in compared if len(one.cells.f)])
    rows = [_said({**one.row, "weight": one.weight}, sides, wish.show, one.cells.judge, ground.only) for one in compared]
    whole = _overall(ground, wish, compared, a, b)
    if whole is not None:
        rows.insert(0, _said({**whole, "weight": None}, sides, wish.show, judge, ground.only))
    figures = [row for row in rows if row["apart"] is not None]
    wanted = view or (OVERALL if whole is not None else figures[0]["key"] if figures else OVERALL)
    lead = next((row for row in rows if row["key"] == wanted), None)
    counted = [
        one for one in compared if (one.row["apart"] is not None and one.weight > 0 if wanted == OVERALL else one.criterion.key == wanted)
    ]
    of_both = [one.cells.only((one.cells.model == a) | (one.cells.model == b)) for one in counted]
    counts = _leaderboard_counts.together([_leaderboard_counts.counted(one) for one in of_both])
    left = _left_out(scope, ground, a, b)
    return {
        "title": _compare_words.title(*sides, lead, rows, wish.show, judge),
        "subtitle": _compare_words.subtitle(counts, judge, left, wish.show, *sides, only=ground.only.cells),
        "rests_on": _leaderboard_words.rests_on(counts, ground.only.verdicts) if wish.show != "judge" else "",
        "a": sides[0].json(),
        "b": sides[1].json(),
        "view": wanted,
        "judge": judge,
        "questions": left,
        "rows": rows,
        "cases": page_of_cases(scope, ground, counted, sides, (a, b), wish.show, order, page),
    }


def _compared(ground: Ground, wish: Wish, criterion: CriterionRow, a: int, b: int, weights: Mapping[str, float]) -> Compared:
    def make() -> Compared:
        cells = _compare.shared(ground.loaded[criterion.key], a, b, wish.show)
        means = _compare.means(cells, ground.answers, wish.show)
        named = {"key": criterion.key, "title": criterion.criterion.title, "question": criterion.criterion.question}
        return Compared(criterion, cells, means, {**named, **_compare.row(means, a, b, axis_of(criterion))})

    made = ground.known(("two", criterion.id, a, b, wish.show, wish.judge, ground.filters), make)
    return replace(made, weight=_leaderboard_ground.weight(weights, criterion.key))


def _overall(ground: Ground, wish: Wish, compared: Sequence[Compared], a: int, b: int) -> dict[str, Any] | None:
    """The weighted mean of the criteria that have a figure; None where that is one, which then speaks for itself."""
    used = [one for one in compared if one.row["apart"] is not None and one.weight > 0]
    if len(used) < 2:
        return None
    parts = [one.means for one in used if one.means is not None]
    row = _compare.row(combine(parts, [one.weight for one in used]), a, b, OVERALL_AXIS)
    doubtful = next((one for one in used if one.row["why"] and one.row["why"] == row["why"]), None)
    if doubtful is not None:
        row["why"] = f"{doubtful.criterion.criterion.title}: {row['why']}"
    return {"key": OVERALL, "title": "Overall", "question": f"The mean of {len(used)} criteria.", **row}


def _said(row: Mapping[str, Any], sides: tuple[Side, Side], show: str, judge: str, only: Only) -> dict[str, Any]:
    words = ", ".join(part for part in (only if show != "judge" else only[:1]) if part)
    return {**row, "sentence": _compare_words.sentence(*sides, row, show, judge, words), "seen": _compare_words.seen(row, show)}


def _left_out(scope: Scope, ground: Ground, a: int, b: int) -> dict[str, int]:
    """Questions that both answered, and those that only one did, as the filters leave them."""
    answers = ground.answers
    one, two = (np.unique(answers.question[answers.model == side]) for side in (a, b))
    kept = _standings.kept_questions(scope, ground.project, answers, ground.filters)
    if kept is not None:
        one, two = one[kept[one]], two[kept[two]]
    both = len(np.intersect1d(one, two))
    return {"both": both, "a": len(one) - both, "b": len(two) - both}
