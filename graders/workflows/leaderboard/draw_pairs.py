"""Drawing pairs: which two answers to a question people compare, and which of them stands first."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from graders.core.errors import InputError
from graders.core.hashing import seeded
from graders.core.shapes import without
from graders.core.words import error_parts
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import made_cells, pairs
from graders.store.projects import Project
from graders.workflows.opinions import standings
from graders.workflows.routing import route
from graders.workflows.scope.permissions import Scope, needs

DESIGNS = ("balanced", "baseline", "all")


@dataclass(frozen=True, slots=True)
class Drawn:
    """Pairs drawn by a design with the project's `seed`: `pairs` are new, `there` were before.

    `per_question`: how many on each question; `probability` of each pair of a question, 0 to 1;
    `routed`: they wait at the desk.
    """

    design: str
    baseline: str
    per_question: int
    probability: float
    seed: int
    pairs: int
    there: int
    routed: bool | None = None


@needs("settings")
def draw(
    scope: Scope,
    project_name: str,
    design: str = "balanced",
    *,
    per_question: int = 1,
    baseline: str = "",
) -> Drawn:
    """Make the pairs of a design that are not there yet.

    `all`: every two models on every question. `baseline`: the model of that name against every
    other. `balanced`: `per_question` pairs on each question, every two models equally often up to
    one (rounds through all of them in random order); each pair of a question then has the same
    `probability`. Which answer stands first is drawn too, by the project's seed. All is logged.
    """
    project, ws = scope.project(project_name), scope.ws
    criteria = standings.criteria_of_pairs(scope, project)
    answers = pairs.answers(ws.db, project)
    models = sorted({model for found in answers.values() for model in found})
    _checked(design, per_question, baseline, models, bool(criteria))
    every = list(combinations(models, 2))
    wanted = every if design != "baseline" else [pair for pair in every if baseline in pair]
    per = min(per_question, len(every)) if design == "balanced" else len(wanted)
    there = pairs.known(ws.db, project)
    fresh = [
        (question, *_turned(project, question, answers[question][a], answers[question][b]))
        for question, a, b in _chosen(project, answers, wanted, per)
        if a in answers[question]
        and b in answers[question]
        and frozenset((answers[question][a], answers[question][b])) not in there
    ]

    def work(db: sqlite3.Connection, batch: Sequence[tuple[int, int, int]]) -> None:
        pairs.add(db, project, batch)

    ws.background(fresh, work)
    made = Drawn(design, baseline, per, per / len(wanted), project.seed, len(fresh), len(there))
    projects.log_event(ws, project, scope.actor.person_id, "pairs", without(made, "routed"))
    made_cells.ensure_cells(ws, project, criteria, content.subject_ids(ws.db, project))
    routed = bool(project.settings.get("routed"))
    if fresh and routed:
        route.route(scope, project_name)
    return replace(made, routed=routed)


def _checked(
    design: str, per_question: int, baseline: str, models: Sequence[str], asked: bool
) -> None:
    if design not in DESIGNS:
        choices = ", ".join(DESIGNS)
        raise InputError(
            **error_parts("leaderboard.error.design", design=design[:40], choices=choices)
        )
    if not asked:
        raise InputError(**error_parts("leaderboard.error.no_pairs_asked"))
    if len(models) < 2:
        raise InputError(**error_parts("leaderboard.error.models", n=len(models)))
    if design == "baseline" and baseline not in models:
        choices = ", ".join(models)[:400]
        raise InputError(
            **error_parts("leaderboard.error.baseline", baseline=baseline[:80], choices=choices)
        )
    if per_question < 1:
        raise InputError(**error_parts("leaderboard.error.per_question", number=per_question))


def _chosen(
    project: Project,
    answers: Mapping[int, Mapping[str, int]],
    wanted: Sequence[tuple[str, str]],
    per: int,
) -> Iterator[tuple[int, str, str]]:
    """(question, two models): the next `per` pairs of rounds through all that are wanted, each
    round in an order of its own. A pair that the question has already comes first at the next one,
    so that no round loses it."""
    waiting: list[tuple[str, str]] = []
    turn = 0
    for question in answers:
        if len(set(waiting)) < per:
            waiting += sorted(wanted, key=lambda pair: seeded(project.seed, "pairs", turn, *pair))
            turn += 1
        taken = list(dict.fromkeys(waiting))[:per]
        for pair in taken:
            waiting.remove(pair)  # its first place
            yield question, *pair


def _turned(project: Project, question: int, a: int, b: int) -> tuple[int, int]:
    return (a, b) if seeded(project.seed, "side", question, a, b) < 0.5 else (b, a)
