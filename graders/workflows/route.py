"""Routing: every cell gets a route and a reason; samples are drawn and screens formed before anything is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.core.errors import InputError
from graders.core.hashing import seeded
from graders.metrics._encoders import Encoders
from graders.store import cells, content, controls, projects, queue, reading
from graders.store import runs as run_store
from graders.store.projects import Project
from graders.store.queue import NewScreen
from graders.store.workspace import Workspace
from graders.workflows import ordering
from graders.workflows._rulings import settle
from graders.workflows._tries import TASK_TYPES, tries_of
from graders.workflows.cells import FAULTS, read_frame, refresh_all
from graders.workflows.permissions import Scope, needs
from graders.workflows.policy import DEFAULT_REVIEW, RouteSettings, asked_blind, measured
from graders.workflows.sorting import Doing, fix_orders


@dataclass(frozen=True, slots=True)
class Sampling:
    """Shares that are drawn, and the size of a screen. Probabilities are kept with every draw.

    `warm_up` screens at a person's start are never blind, and not drawn ones while there are others, so that
    newcomers first meet the tool as it is. `repeat`: screens that come back to the same person blind, of all that he or she does;
    `gold`: screens that check a person by an answer of which a lead knows the value; `control`: screens with a copy of an answer
    that has a known fault.
    """

    calibration: float = 0.10
    audit: float = 0.05
    blind: float = 0.20
    repeat: float = 0.02
    gold: float = 0.04
    control: float = 0.0
    answers_per_screen: int = 3
    overlap: int = 1
    warm_up: int = 0

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Sampling:
        """From a project's settings; InputError names a share outside 0 to 1."""
        found = dict(settings.get("sampling") or {})
        known = {name: found[name] for name in cls.__dataclass_fields__ if name in found}
        for name in ("calibration", "audit", "blind", "repeat", "gold", "control"):
            if not 0 <= float(known.get(name, 0)) <= 1:
                raise InputError(
                    f"setting sampling.{name}", found=str(known[name]), expected="a share from 0 to 1", remedy="Correct the setting."
                )
        return cls(**known)


@needs("route")
def route(scope: Scope, project_name: str, encoder: Encoders | None = None, doing: Doing | None = None) -> dict[str, Any]:
    """Route all cells of a project, fix the order in which promises are tested, draw calibration and audit, form the screens; returns
    the counts. With an `encoder` that order knows how near answers to a question are (see `sorting`);
    `doing` is told how far making it is."""
    project = scope.project(project_name)
    with run_store.alone(scope.ws, f"route {project.id}"):
        return _route(scope, project, encoder, doing)


def _route(scope: Scope, project: Project, encoder: Encoders | None, doing: Doing | None) -> dict[str, Any]:
    ws = scope.ws
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = content.subject_ids(ws.db, project)
    cells.ensure_cells(ws, project, criteria, subjects)
    decide(scope, project)
    fix_orders(scope, project, encoder, doing)  # before the draw: nobody has seen what is drawn
    sampling = Sampling.of(project.settings)
    known = controls.control_subjects(ws.db, project)  # no sample of models' answers holds an author's own text
    for design in ("calibration", "ordinary"):
        ws.background(
            queue.free_otherwise(ws.db, project, design, sampling.overlap),
            lambda db, batch: queue.set_needed(db, batch, sampling.overlap),
        )
    _draw_calibration(scope, project, sampling, [s for s in answers_to_ask(ws, project, subjects) if s not in known])
    _draw_audit(scope, project, sampling, [c.id for c in criteria if not measured(c.criterion)])
    _form_screens(ws, project, sampling)
    projects.set_settings(ws, project, {"routed": True})
    counts = reading.route_counts(ws.db, project)
    projects.log_event(ws, project, scope.actor.person_id, "route", {"cells": counts})
    return {"routes": counts, "screens": queue.open_screens(ws.db, project)}


def decide(scope: Scope, project: Project) -> None:
    """Give every cell its route, by what is proven and refuted as of now, else by rule. A proof that was voided has its cells decided
    by rule again; what an alarm or the labels speak against goes to people."""
    ws = scope.ws
    settle(scope, project)
    refresh_all(ws, project, cells.cell_ids(ws.db, project), route=True)
    if RouteSettings.of(project.settings).whole:
        read = frozenset(reading.subjects_waiting(ws.db, project))
        frame = replace(read_frame(ws, project, route=True), read_anyway=read)
        refresh_all(ws, project, [cell.id for cell in cells.cells_of(ws.db, sorted(read))], route=True, frame=frame)


@needs("review")
def after_audit(scope: Scope, project_name: str, screen_id: int) -> bool:
    """After a save: where an audit rang the alarm, its cells go back to people at once; whether one did."""
    project, ws = scope.project(project_name), scope.ws
    if queue.design_of(ws.db, screen_id) != "audit":
        return False
    alarms = len(projects.events(ws, project, "alarm", limit=1000))
    settle(scope, project)
    if len(projects.events(ws, project, "alarm", limit=1000)) == alarms:
        return False
    with run_store.alone(ws, f"route {project.id}"):
        decide(scope, project)
        _form_screens(ws, project, Sampling.of(project.settings))
    return True


def answers_to_ask(ws: Workspace, project: Project, subjects: Sequence[int]) -> Sequence[int]:
    """The subjects that a blind screen has something to ask about: an answer of which all is measured would come back empty, and so
    would one that is graded in pairs only."""
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    settings = RouteSettings.of(project.settings)
    asked = {task: [c.id for c in criteria if asked_blind(c.criterion, task, settings)] for task in DEFAULT_REVIEW}
    if all(len(ids) == len(criteria) for ids in asked.values()) and not cells.pair_criteria(ws.db, project):
        return subjects
    found = reading.subjects_with_cells(ws.db, project, asked)
    return [s for s in subjects if s in found]


def _draw_calibration(scope: Scope, project: Project, sampling: Sampling, subjects: Sequence[int]) -> None:
    """A simple random sample of the answers that came since the last draw, whatever their route; all their cells blind."""
    ws = scope.ws
    drawn = projects.events(ws, project, "draw", limit=10_000)
    upto = max((event["body"]["upto"] for event in drawn if event["body"]["design"] == "calibration"), default=0)
    fresh = [s for s in subjects if s > upto]
    size = min(len(fresh), max(1, round(sampling.calibration * len(fresh)))) if sampling.calibration and fresh else 0
    if not fresh or not size:
        return
    chosen = sorted(fresh, key=lambda s: seeded(project.seed, "calibration", s))[:size]
    probability = size / len(fresh)
    terms = tries_of(ws, project)[TASK_TYPES[0]]
    _draw(
        scope,
        project,
        partition(ws, project, sampling, "calibration", chosen, probability),
        "calibration",
        probability,
        population=len(fresh),
        drawn=size,
        upto=max(fresh),
        rule="simple random sample of answers, all their cells; hypergeometric test",
        alpha=terms.alpha,
        delta=terms.delta,
        within=terms.within,
    )


def _draw_audit(scope: Scope, project: Project, sampling: Sampling, criteria: Sequence[int]) -> None:
    """Answers with at least one automatic cell under `criteria` (row ids), each with the same chance by its own number; drawn ones
    stay drawn."""
    ws = scope.ws
    taken = queue.screened(ws.db, project, ("calibration", "audit"))
    eligible = [s for s in reading.subjects_with_automatic(ws.db, project, criteria) if s not in taken]
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


def _form_screens(ws: Workspace, project: Project, sampling: Sampling) -> None:
    """A seeded partition of the answers that have open cells and are not drawn.

    Screens that somebody was given stay as they are, and so do untouched ones that the partition still holds: the queue is
    never empty meanwhile.
    """
    busy = queue.screened(ws.db, project, ("calibration", "audit")) | reading.busy_subjects(ws.db, project)
    waiting = [s for s in reading.subjects_waiting(ws.db, project) if s not in busy]
    formed = partition(ws, project, sampling, "ordinary", waiting, 1.0)
    wanted = {(screen.needed, *sorted(screen.subjects)): screen for screen in formed}
    there = queue.untouched(ws.db, project, "ordinary")
    ws.background([row for key, row in there.items() if key not in wanted], queue.drop_screens)
    kept, busy = queue.untouched(ws.db, project, "ordinary"), reading.busy_subjects(ws.db, project)
    missing = [screen for key, screen in wanted.items() if key not in kept and busy.isdisjoint(screen.subjects)]
    ws.background(missing, lambda db, batch: queue.add_screens(db, ws, project, batch))
    ws.background(queue.begun(ws.db, project), queue.set_places)
    ordering.arrange(ws, project)


def partition(
    ws: Workspace, project: Project, sampling: Sampling, design: str, subjects: Iterable[int], probability: float
) -> list[NewScreen]:
    """Screens of up to so many answers of one question each; answers with the same text stand together.

    Overlap holds for the drawn sample too: two blind verdicts on the same cells, of known probability, say how far people agree.
    An audit only watches for drift of what the machine decides; one person is enough, and a second would double its price.
    """
    needed = 1 if design == "audit" else sampling.overlap
    screens = []
    rows = reading.screen_rows(ws.db, list(subjects))
    for place, (question_id, groups) in enumerate(rows.items()):
        ordered = sorted(groups, key=lambda group: seeded(project.seed, "screen", question_id, group))
        for start in range(0, len(ordered), max(1, sampling.answers_per_screen)):
            members = tuple(s for group in ordered[start : start + max(1, sampling.answers_per_screen)] for s in group)
            priority = float(question_id) + start / 10_000 + place / 10**9
            screens.append(NewScreen(question_id, design, members, probability, priority, needed))
    return screens


def _draw(scope: Scope, project: Project, screens: Sequence[NewScreen], design: str, probability: float, **more: Any) -> None:
    """Log a draw and queue its screens, both or neither."""
    body = {"design": design, "probability": probability, "seed": project.seed, **more}
    with scope.ws.write() as db:
        projects.log_event(scope.ws, project, scope.actor.person_id, "draw", body)
        queue.add_screens(db, scope.ws, project, screens)
