"""Placing the labels of one criterion where they decide: the draw, its stages, and how a lead ends
it.

Where the surest cells are what decides, the same labels leave more to the machine than answers that
are drawn at random (`draw_offers` says where); in return they speak for nothing else. Whatever a
stage asks for is told from what was logged and labelled (see `placement`), so it may be asked for
again after a crash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import Conflict, InputError, NotFound
from graders.core.words import error_parts, say
from graders.metrics.models.encoders import Encoders
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.desk import queue
from graders.store.figures import placed as store
from graders.store.figures.placed import PLACED
from graders.store.projects import CriterionRow, Project
from graders.workflows.promise import proofs
from graders.workflows.promise.counted_cells import Cells
from graders.workflows.promise.kinds import Kind
from graders.workflows.promise.placed_draws import (
    DONE,
    STOPPED,
    VOID,
    Draw,
    all_draws,
    may_place,
)
from graders.workflows.promise.promise_tests import (
    AS_LOGGED,
    NewTerms,
    checked_task,
    tries_of,
)
from graders.workflows.promise.risk import criteria_tested, reference_people
from graders.workflows.routing._placed_draw_begins import Placed, ask_for, begin
from graders.workflows.routing.draw_offers import Offer, Way, offers_split
from graders.workflows.routing.form_screens import form_screens
from graders.workflows.routing.sorting import Doing, order_afresh
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Placement:
    """Labels of a criterion that are placed, by task type; `trade`: what is expected of them, and
    what they say nothing about; `screens` that wait by now, of all kinds."""

    criterion: str
    title: str
    tasks: Mapping[str, Placed]
    trade: str
    screens: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The task types on which no more labels of a criterion are asked for, and how many screens are
    `left` with people."""

    criterion: str
    tasks: Sequence[str]
    left: int


@needs("route")
def place(
    scope: Scope,
    project_name: str,
    criterion: str,
    labels: int,
    *,
    task_type: str = "",
    new: NewTerms = AS_LOGGED,
    encoder: Encoders | None = None,
    doing: Doing | None = None,
) -> Placement:
    """Place up to `labels` labels of a criterion on cells of its task types (or of one), and queue
    those of the first test; returns per task type what is asked for.

    Terms, budget, region and order are logged before anything is shown. Conflict where labels of
    such cells are being placed already, or no cell is left that nobody has graded; InputError where
    so few labels could prove nothing.
    """
    project = scope.project(project_name)
    if not project.settings.get("routed"):
        raise Conflict(**error_parts("routing.never_routed", project=project.name))
    row = _criterion(scope, project, criterion)
    wanted = checked_task(task_type)
    with run_store.alone(scope.ws, f"route {project.id}"):
        tries = tries_of(scope.ws, project)
        kinds = {
            kind.task: kind
            for kind in proofs.kinds(
                scope.ws, project, row, tries, reference_people(scope, project)
            )
        }
        mine = [kinds[task] for task in wanted if task in kinds]
        _refuse_a_second(row, mine)
        order_afresh(scope, project, row, encoder, doing)
        expected = offers_split(scope, project, mine, list(kinds.values()), tries, labels, new)
        begun = begin(scope, project, row, mine, tries, labels, new)
        form_screens(scope.ws, project, Sampling.of(project.settings))
    return Placement(
        criterion=row.key,
        title=row.criterion.title,
        tasks=begun,
        trade=_trade(expected),
        screens=queue.open_screens(scope.ws.db, project),
    )


def _trade(expected: Sequence[Offer]) -> str:
    """What is expected of placed labels, and what they say nothing about."""
    words = [one.words for one in expected]
    if all(one.recommended is Way.PLACED for one in expected):
        return " ".join(words)  # the recommendation says so
    return " ".join([*words, say("routing.trade")])


@needs("route")
def stop_placing(scope: Scope, project_name: str, criterion: str, task_type: str = "") -> Stopped:
    """Ask for no more labels of a criterion (on one task type): what was labelled settles its
    cells, and proves no more than it does by now; returns the task types and how many screens are
    still with people. Conflict where none are being placed."""
    project = scope.project(project_name)
    row = _criterion(scope, project, criterion)
    wanted = checked_task(task_type)
    kinds = proofs.kinds(
        scope.ws, project, row, tries_of(scope.ws, project), reference_people(scope, project)
    )
    mine = [kind for kind in kinds if kind.task in wanted and kind.under_way]
    if not mine:
        raise Conflict(**error_parts("routing.none_placed", criterion=row.criterion.title))
    with scope.ws.write():
        left = sum(
            _end(scope, project, row, kind.placing.draw, STOPPED)
            for kind in mine
            if kind.placing is not None
        )
    with run_store.alone(scope.ws, f"route {project.id}"):
        form_screens(scope.ws, project, Sampling.of(project.settings))
    return Stopped(row.key, [kind.task for kind in mine], left)


@needs("review")
def after_label(scope: Scope, project_name: str, screen_id: int) -> bool:
    """After a save: where it was the last that a stage of a placed draw waited for, ask for what
    comes next; whether the queue changed."""
    project, db = scope.project(project_name), scope.ws.db
    criterion = store.criterion_of(db, screen_id)
    if criterion is None or store.any_waits(db, project, criterion, screen_id):
        return False
    found = go_on(scope, project, criterion)
    if found:
        with run_store.alone(scope.ws, f"route {project.id}"):
            form_screens(scope.ws, project, Sampling.of(project.settings))
    return found


def go_on(scope: Scope, project: Project, criterion_id: int | None = None) -> bool:
    """Ask for what placed draws (those of one criterion, by row) lack that no screen asks about,
    and end those that are over, void or no longer the ones that are tested; whether anything was
    done."""
    draws, done = (
        [draw for draw in all_draws(scope.ws, project).values() if not draw.stopped],
        False,
    )
    rows = {
        row.key: row for row in criteria_tested(scope, project) if criterion_id in (None, row.id)
    }
    tries, people = tries_of(scope.ws, project) if draws else {}, reference_people(scope, project)
    for key in {draw.criterion for draw in draws}.intersection(rows):
        kinds = {
            kind.task: kind for kind in proofs.kinds(scope.ws, project, rows[key], tries, people)
        }
        for draw in draws:
            kind = kinds.get(draw.task) if draw.criterion == key else None
            if kind is not None and kind.under_way and kind.placing is not None:
                missing = kind.placing.waits[~kind.placing.asked].tolist()
                done |= _ask(
                    scope, project, rows[key], draw, kind.cells, missing, kind.placing.stage.tested
                )
            elif draw.criterion == key and not draw.over:
                with scope.ws.write():
                    _end(
                        scope,
                        project,
                        rows[key],
                        draw,
                        VOID if kind is None or kind.placing is None or kind.void else DONE,
                    )
                done = True
    return done


def _end(scope: Scope, project: Project, row: CriterionRow, draw: Draw, how: str) -> int:
    """Log that no more is asked for, and take back what nobody has been given yet, in the caller's
    transaction; returns the screens of the draw that people still have."""
    body = {"design": PLACED, "criterion": draw.criterion, "task": draw.task, "over": how}
    projects.log_event(scope.ws, project, scope.actor.person_id, "draw", body)
    db = scope.ws.db
    waiting = [
        cell for cell, waits in store.asked(db, project, row, draw.at, draw.task).items() if waits
    ]
    return store.withdraw(db, project, row, waiting) if waiting else 0


def _criterion(scope: Scope, project: Project, key: str) -> CriterionRow:
    tested = criteria_tested(scope, project)
    row = next((one for one in tested if key in (one.key, one.criterion.name)), None)
    able = [one.key for one in tested if may_place(scope, project, one)]
    if row is None:
        raise NotFound(**error_parts("routing.no_criterion", criterion=key, able=_one_of(able)))
    if row.key not in able:
        raise InputError(
            **error_parts("routing.not_placeable", criterion=row.key, able=_one_of(able))
        )
    return row


def _one_of(able: Sequence[str]) -> str:
    if not able:
        return say("routing.placeable.none")
    return say("routing.placeable.some", criteria=", ".join(able))


def _refuse_a_second(row: CriterionRow, kinds: Sequence[Kind]) -> None:
    busy = [kind for kind in kinds if kind.under_way]
    if busy:
        raise Conflict(
            **error_parts(
                "routing.placing_already",
                criterion=row.criterion.title,
                task=busy[0].task,
                labels=several(
                    len(busy[0].placing.waits) if busy[0].placing else 0, "placed label"
                ),
            )
        )


def _ask(
    scope: Scope,
    project: Project,
    row: CriterionRow,
    draw: Draw,
    cells: Cells,
    missing: Sequence[int],
    tested: bool,
) -> bool:
    """Queue cells that no screen asks about, with what is logged of it; whether any were left. Two
    who come at once ask once."""
    with scope.ws.write() as db:
        open_ = store.asked(db, project, row, draw.at)
        still = [cell for cell in missing if not open_.get(cell, False)]
        if not still:
            return False
        body = {
            "design": PLACED,
            "criterion": row.key,
            "task": draw.task,
            "number": draw.number,
            "drawn": len(still),
            "tested": tested,
        }
        projects.log_event(scope.ws, project, scope.actor.person_id, "draw", body)
        ask_for(scope, project, cells, still, 1.0)
    return True
