"""Review order: in which order ordinary screens are handed out, and what that means for figures.

By default the screens come first on which a machine is likeliest to err: begun by disagreement,
continued by what reviewers find (section 10 of the house's statistics). Screens of drawn samples
keep their places and chances. A verdict on a screen that came in this order carries the design
``adaptive``: it is no sample of any other cells, and no estimate that needs a draw counts it.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.hashing import seeded
from graders.core.scale import Scale
from graders.core.words import say
from graders.statistics.ordering import BATCH, Doubtful
from graders.statistics.voices import log_lengths
from graders.store import projects
from graders.store.answers import metric_values
from graders.store.calls import runs as run_store
from graders.store.desk import review_order as store
from graders.store.desk.review_order import Place
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.cells.outputs import outputs_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several

#: The setting, and what it may be: hardest first, as answers came in, question after question.
SETTING = "review_order"
ADAPTIVE, CAME, QUESTION = "adaptive", "came", "question"
ORDERS = (ADAPTIVE, CAME, QUESTION)
#: Screens that are ranked anew: the first that wait, and others by chance; and those that people
#: saved last, which are learned from.
FIRST, OTHERS, REVIEWED = 400, 400, 400


def chosen(settings: Mapping[str, Any]) -> str:
    """The order that a project asks for."""
    found = str(settings.get(SETTING) or ADAPTIVE)
    return found if found in ORDERS else ADAPTIVE


def arrange(ws: Workspace, project: Project) -> None:
    """Put all ordinary screens that nobody was given yet in the order that the project asks for,
    giving way to people."""
    with run_store.alone(ws, f"order {project.id}"):
        wanted, waiting = chosen(project.settings), store.waiting(ws.db, project)
        # an empty queue says nothing of how sure machines are
        if wanted == ADAPTIVE and not waiting:
            return
        kind = (
            QUESTION
            if wanted == ADAPTIVE and all(place.doubt is None for place in waiting)
            else wanted
        )
        before = store.in_force(ws.db, project)
        if (
            kind != ADAPTIVE
            and before is not None
            and before.kind == ADAPTIVE
            and store.any_adaptive(ws.db, project)
        ):
            # What looked hard was handed out already: the rest looks easy, and is a sample of
            # nothing.
            ws.background([place.screen_id for place in waiting], store.leave_over)
        with ws.write() as db:
            store.put_order(db, ws, project, kind, store.labelled(db, project), 0)
        _move(
            ws,
            _sorted(project, kind, waiting),
            {place.screen_id: place.priority for place in waiting},
        )
        if kind == ADAPTIVE:
            _learn(ws, project)


def is_due(ws: Workspace, project: Project) -> bool:
    """Whether people decided so many cells since the order was worked out that it is worth another
    look."""
    order = store.in_force(ws.db, project)
    return (
        order is not None
        and order.kind == chosen(project.settings) == ADAPTIVE
        and abs(store.labelled(ws.db, project) - order.labelled) >= BATCH
    )


def follow(ws: Workspace, project: Project) -> bool:
    """Bring the order up to date with what people found, where that `is_due`; whether it was."""
    if not is_due(ws, project):
        return False
    with run_store.alone(ws, f"order {project.id}"):
        if is_due(ws, project):
            _learn(ws, project)
    return True


@dataclass(frozen=True, slots=True)
class OrderInForce:
    """The order asked for (`setting`), the one in force (`kind`, empty for none yet), that in
    words, and from how many reviewed cells it was `learned`."""

    setting: str
    kind: str
    learned: int
    words: str


@needs("look")
def order_in_force(scope: Scope, project_name: str) -> OrderInForce:
    """In which order screens come."""
    project = scope.project(project_name)
    wanted, order = chosen(project.settings), store.in_force(scope.ws.db, project)
    kind = order.kind if order else ""
    return OrderInForce(
        setting=wanted,
        kind=kind,
        learned=order.learned if order else 0,
        words=_words(wanted, order, waits=store.any_waiting(scope.ws.db, project)),
    )


def _words(wanted: str, order: store.Order | None, *, waits: bool) -> str:
    if order is None:
        return say("routing.screens.not_yet")
    if wanted == CAME:
        return say("routing.screens.came")
    if wanted == QUESTION:
        return say("routing.screens.question.wanted")
    # an empty queue is not put in order: the kind in force is then that of an earlier setting
    if not waits and order.kind != ADAPTIVE:
        return say("routing.screens.none_wait")
    if order.kind != ADAPTIVE:
        return say("routing.screens.question.unsure")
    if not order.learned:
        return say("routing.screens.hard")
    return say("routing.screens.learned", cells=several(order.learned, "reviewed cell"))


def _sorted(project: Project, kind: str, waiting: Sequence[Place]) -> list[int]:
    """Screens in the order of a kind."""
    if kind == CAME:
        return [
            place.screen_id
            for place in sorted(waiting, key=lambda place: (place.newest, place.screen_id))
        ]
    if kind == QUESTION:
        return [
            place.screen_id
            for place in sorted(waiting, key=lambda place: (place.question_id, place.screen_id))
        ]
    return _shuffled(project, {place.screen_id: place.doubt or 0.0 for place in waiting})


def _shuffled(project: Project, doubt: Mapping[int, float]) -> list[int]:
    """Screens, most doubtful first, by chance within each batch: the place of a screen tells
    whoever is given it nothing."""
    ranked = sorted(doubt, key=lambda screen: -doubt[screen])
    batches = (ranked[start : start + BATCH] for start in range(0, len(ranked), BATCH))
    return [
        s
        for batch in batches
        for s in sorted(batch, key=lambda screen: seeded(project.seed, "review order", screen))
    ]


def _learn(ws: Workspace, project: Project) -> None:
    """Rank the first screens anew by the chance that the machine errs on them, as far as reviewed
    cells tell it."""
    labelled = store.labelled(ws.db, project)
    past = store.reviewed(ws.db, project, REVIEWED)
    waiting = store.candidates(ws.db, project, FIRST, OTHERS, labelled + project.seed)
    cells = read(ws.db, projects.criteria(ws, project), [*past, *waiting])
    learned = cells.reviewed if cells.begun else 0
    if learned:
        _move(ws, _shuffled(project, cells.doubt_by_screen(waiting)), waiting)
    with ws.write() as db:
        store.put_order(db, ws, project, ADAPTIVE, labelled, learned)


def _move(ws: Workspace, order: Sequence[int], present: Mapping[int, float]) -> None:
    """Give screens the places that they hold together, in this order."""
    places = sorted(present[screen] for screen in order)
    moves = [
        (screen, present[screen], place)
        for screen, place in zip(order, places, strict=True)
        if present[screen] != place
    ]
    ws.background(moves, store.move)


# -- what machines said of cells, as features for the chance that a suggestion is wrong. Nothing
# that people are to find out is among them

#: A suggestion is off by more than this share of the scale: any other label of two to four, two
#: steps of five.
OFF = 0.25


def read(
    db: sqlite3.Connection, criteria: Sequence[CriterionRow], screens: Sequence[int]
) -> Doubtful:
    """The cells of screens under the criteria as they are worded now."""
    rows = {row.id: row for row in criteria}
    found = [row for row in store.machine_columns(db, screens) if row["criterion_id"] in rows]
    subjects = list(dict.fromkeys(row["subject_id"] for row in found))
    names = sorted({name for row in criteria for name in outputs_of(row.criterion)})
    metrics = (
        {
            s: {v.metric: v.value for v in some}
            for s, some in metric_values.metrics_of(db, subjects).items()
        }
        if names
        else {}
    )
    place = {
        criterion: at for at, criterion in enumerate(sorted({row["criterion_id"] for row in found}))
    }
    features, error = [], []
    answers: dict[int, set[int]] = {}
    for row in found:
        scale = rows[row["criterion_id"]].scale
        values = metrics.get(row["subject_id"], {})
        features.append(
            _features(row, scale, place) + [_number(values.get(name)) for name in names]
        )
        error.append(_error(row, scale))
        answers.setdefault(row["screen_id"], set()).add(row["subject_id"])
    return Doubtful.of(
        [row["screen_id"] for row in found],
        features,
        [_number(row["doubt"]) for row in found],
        [row["route"] == "people" and row["source"] == "pending" for row in found],
        error,
        {screen: len(subjects) for screen, subjects in answers.items()},
    )


def _features(row: sqlite3.Row, scale: Scale, criteria: Mapping[int, int]) -> list[float]:
    """Doubt, confidence, how many judges spoke, how far apart they are, suggestion against their
    mean and against rules, length of the answer, task type, criterion, and under which criterion
    which value is suggested (a bias may lie in one value)."""
    suggested = None if row["suggestion"] is None else scale.number(json.loads(row["suggestion"]))
    value = suggested if suggested is not None else row["mean"]
    own = [0.0] * (2 * len(criteria))
    own[criteria[row["criterion_id"]]] = 1.0
    if value is not None and scale.is_ordered:
        own[len(criteria) + criteria[row["criterion_id"]]] = _share(scale, value) - 0.5
    return [
        _number(row["doubt"]),
        _number(row["confidence"]),
        float(row["judges"]),
        _apart(scale, row["high"], row["low"]),
        _apart(scale, suggested, row["mean"]),
        _apart(scale, suggested, row["rule"]),
        *log_lengths([row["characters"]]),
        float(row["task"] == "creative"),
        float(row["task"] == "factual"),
        *own,
    ]


def _error(row: sqlite3.Row, scale: Scale) -> bool | None:
    """Whether a machine was wrong about a cell that people decided; None where it is not known."""
    if row["source"] not in ("people", "adjudicated") or row["final"] is None:
        return None
    if row["suggestion"] is None:
        return True if row["judges"] > 1 and row["high"] > row["low"] else None
    number = scale.number(json.loads(row["suggestion"]))
    if not scale.is_ordered:
        return bool(number != row["final"])
    return bool(abs(number - row["final"]) > OFF * _span(scale) + 1e-9)


def _apart(scale: Scale, one: float | None, other: float | None) -> float:
    if one is None or other is None:
        return math.nan
    return abs(one - other) / _span(scale) if scale.is_ordered else float(one != other)


def _share(scale: Scale, value: float) -> float:
    return (value - (scale.numbers[0] if scale.is_discrete else scale.low)) / _span(scale)


def _span(scale: Scale) -> float:
    return scale.numbers[-1] - scale.numbers[0] if scale.is_discrete else scale.high - scale.low


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
