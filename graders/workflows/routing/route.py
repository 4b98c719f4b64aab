"""Routing: every cell gets a route and a reason; samples are drawn and screens formed before
anything is shown."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from graders.core.hashing import seeded
from graders.metrics.models.encoders import Encoders
from graders.store import projects
from graders.store.answers import author_texts as stored_texts
from graders.store.answers import content
from graders.store.calls import runs as run_store
from graders.store.desk import queue, queued_screens
from graders.store.desk.queued_screens import NewScreen
from graders.store.figures import reading
from graders.store.opinions import cells, kept_labels, made_cells
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.cells.measured import measured
from graders.workflows.cells.quotes import look_up
from graders.workflows.cells.routes import RouteSettings
from graders.workflows.cells.state import FAULTS, read_frame, refresh_all
from graders.workflows.promise.promise_tests import TASK_TYPES, calibration_draws, tries_of
from graders.workflows.promise.rulings import settle
from graders.workflows.routing import calibration
from graders.workflows.routing.form_screens import form_screens, partition
from graders.workflows.routing.place_labels import go_on
from graders.workflows.routing.sorting import Doing, fix_orders
from graders.workflows.routing.terms import answers_to_ask
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Routed:
    """Cells by route and reason, and how many `screens` wait for people."""

    routes: Mapping[str, Mapping[str, int]]
    screens: int


@needs("route")
def route(
    scope: Scope, project_name: str, encoder: Encoders | None = None, doing: Doing | None = None
) -> Routed:
    """Route all cells of a project, fix the order in which promises are tested, draw calibration
    and audit, form the screens; returns the counts. With an `encoder` that order knows how near
    answers to a question are (see `sorting`);
    `doing` is told how far making it is."""
    project = scope.project(project_name)
    with run_store.alone(scope.ws, f"route {project.id}"):
        return _route(scope, project, encoder, doing)


def _route(scope: Scope, project: Project, encoder: Encoders | None, doing: Doing | None) -> Routed:
    ws = scope.ws
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = content.subject_ids(ws.db, project)
    made_cells.ensure_cells(ws, project, criteria, subjects)
    decide(scope, project)
    fix_orders(scope, project, encoder, doing)  # before the draw: nobody has seen what is drawn
    go_on(scope, project)
    sampling = Sampling.of(project.settings)
    # no sample of models' answers holds an author's own text
    known = stored_texts.control_subjects(ws.db, project)
    _ask_people(ws, project, sampling)
    _draw_calibration(
        scope,
        project,
        sampling,
        [s for s in answers_to_ask(ws, project, subjects) if s not in known],
    )
    _draw_audit(scope, project, sampling, [c.id for c in criteria if not measured(c.criterion)])
    form_screens(ws, project, sampling)
    projects.set_settings(ws, project, {"routed": True})
    counts = reading.route_counts(ws.db, project)
    projects.log_event(ws, project, scope.actor.person_id, "route", {"cells": counts})
    return Routed(counts, queue.open_screens(ws.db, project))


def _ask_people(ws: Workspace, project: Project, sampling: Sampling) -> None:
    """Ask for as many people on each screen as the settings say now; those that somebody has stay
    as they are."""
    drawn = queued_screens.count_of(ws.db, project, "calibration")
    for design, needed, places in (
        *(("calibration", *one) for one in calibration.people_by_places(sampling, drawn)),
        ("ordinary", sampling.overlap, queued_screens.EVERYWHERE),
    ):
        ws.background(
            queued_screens.free_otherwise(ws.db, project, design, needed, places),
            partial(_set_needed, needed=needed),
        )


def _set_needed(db: sqlite3.Connection, screens: Sequence[int], needed: int) -> None:
    queued_screens.set_needed(db, screens, needed)


def decide(scope: Scope, project: Project) -> None:
    """Give every cell its route, by what is proven and refuted as of now, else by rule. A proof
    that was voided has its cells decided by rule again; what an alarm or the labels speak against
    goes to people, and so does what rests on a quote that is not in the answer."""
    ws = scope.ws
    if astray := look_up(ws, project):  # before proofs are worked out, to which they do not belong
        refresh_all(ws, project, astray, route=True)
    settle(scope, project)
    refresh_all(ws, project, cells.cell_ids(ws.db, project), route=True)
    if RouteSettings.of(project.settings).whole:
        read = frozenset(reading.subjects_waiting(ws.db, project))
        frame = replace(read_frame(ws, project, route=True), read_anyway=read)
        refresh_all(
            ws,
            project,
            [cell.id for cell in cells.cells_of(ws.db, sorted(read))],
            route=True,
            frame=frame,
        )


@needs("review")
def after_audit(scope: Scope, project_name: str, screen_id: int) -> bool:
    """After a save: where an audit rang the alarm, its cells go back to people at once; whether one
    did."""
    project, ws = scope.project(project_name), scope.ws
    if queued_screens.design_of(ws.db, screen_id) != "audit":
        return False
    alarms = len(projects.events(ws, project, "alarm", limit=1000))
    settle(scope, project)
    if len(projects.events(ws, project, "alarm", limit=1000)) == alarms:
        return False
    with run_store.alone(ws, f"route {project.id}"):
        decide(scope, project)
        form_screens(ws, project, Sampling.of(project.settings))
    return True


def _draw_calibration(
    scope: Scope, project: Project, sampling: Sampling, subjects: Sequence[int]
) -> None:
    """A simple random sample of the answers that came since the last draw, whatever their route;
    all their cells blind."""
    ws = scope.ws
    draws = calibration_draws(ws, project)
    upto, last = max((draw.upto for draw in draws), default=0), draws[-1] if draws else None
    kept = kept_labels.closed_subjects(ws.db, project)
    if kept and not upto and not sampling.stated:
        return  # the labels that wait for their test are the sample
    fresh = [s for s in subjects if s > upto and s not in kept]
    # what comes later lengthens the sample at its share
    own = replace(sampling, stated=True) if upto else sampling
    if last and last.imported:
        own = replace(own, calibration=last.probability)
    size = calibration.answers_to_draw(own, len(fresh))
    if not size:
        return
    chosen = calibration.permuted(project, fresh)[:size]
    probability = size / len(fresh)
    before = len(queued_screens.screened(ws.db, project, ("calibration",))) if upto else 0
    sizes = [] if upto else calibration.planned_sizes(size)
    screens = (
        calibration.further_screens(ws, project, sampling, chosen, probability, before)
        if upto
        else calibration.drawn_screens(ws, project, sampling, chosen, probability, sizes)
    )
    terms = tries_of(ws, project)[TASK_TYPES[0]]
    _draw(
        scope,
        project,
        screens,
        "calibration",
        probability,
        population=len(fresh),
        drawn=size,
        upto=max(fresh),
        rule="simple random sample of answers, all their cells; hypergeometric test",
        alpha=terms.alpha,
        delta=terms.delta,
        within=terms.within,
        looks=sizes,
    )


def _draw_audit(
    scope: Scope, project: Project, sampling: Sampling, criteria: Sequence[int]
) -> None:
    """Answers with at least one automatic cell under `criteria` (row ids), each with the same
    chance by its own number; drawn ones stay drawn."""
    ws = scope.ws
    taken = queued_screens.screened(ws.db, project, ("calibration", "audit"))
    taken |= kept_labels.closed_subjects(ws.db, project)
    eligible = [
        s for s in reading.subjects_with_automatic(ws.db, project, criteria) if s not in taken
    ]
    chosen = [s for s in eligible if seeded(project.seed, "audit", s) < sampling.audit]
    if chosen:
        _draw(
            scope,
            project,
            partition(ws, project, sampling, "audit", chosen, sampling.audit),
            "audit",
            sampling.audit,
            population=len(eligible),
            drawn=len(chosen),
            upto=max(eligible),
            rule="each answer by its own number",
        )


def _draw(
    scope: Scope,
    project: Project,
    screens: Sequence[NewScreen],
    design: str,
    probability: float,
    **more: Any,
) -> None:
    """Log a draw and queue its screens, both or neither."""
    body = {"design": design, "probability": probability, "seed": project.seed, **more}
    with scope.ws.write() as db:
        projects.log_event(scope.ws, project, scope.actor.person_id, "draw", body)
        queued_screens.add_screens(db, scope.ws, project, screens)
