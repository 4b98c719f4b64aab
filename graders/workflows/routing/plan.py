"""What hours of people will show, and how many answers or labels to draw for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.effort import DEMO_PACE, Cost
from graders.store.projects import Project
from graders.workflows.promise.effort import Effort, cost_of
from graders.workflows.promise.forecast import Foreseen, foreseen
from graders.workflows.promise.promise_tests import tries_of
from graders.workflows.promise.risk import criteria_tested, stake
from graders.workflows.routing import terms
from graders.workflows.routing.draw_offers import Offer, Way, offers_of
from graders.workflows.routing.page import kinds_kept
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.units import Unit, unit_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What `hours` of each of `people` show: so many `answers` to draw, of those that they can
    `afford` and those that are `free`, each read by `overlap` people, in so many `seconds` of all
    together; a row per kind of cells.

    `labels`: single labels that the time buys, None where placing them is expected to gain nothing;
    `offers`: what they are expected to bring, placed and at random, by kind of cells; `stake`: what
    the draw puts at stake, empty for nothing; `assumed`: seconds per answer, the demo's pace, None
    where screens of this project were timed.
    """

    people: int
    hours: float
    answers: int
    afford: int
    free: int
    overlap: int
    seconds: float
    labels: int | None
    offers: Sequence[Offer]
    unit: Unit
    words: str
    stake: str
    rows: Sequence[Foreseen]
    assumed: float | None


@dataclass(frozen=True, slots=True)
class LabelsInHours:
    """How many single `labels` hours buy; `pace`: the pace that is assumed in words, empty where
    screens of this project were timed."""

    labels: int
    pace: str


@needs("look")
def plan(scope: Scope, project_name: str, people: int, hours: float) -> Plan:
    """What `hours` of each of `people` will show, per criterion, and how many answers to draw for
    it.

    Every drawn answer is read by as many people as the project asks for (its overlap). Until three
    screens were timed the demo's pace is assumed, and `words` say so.
    """
    project = scope.project(project_name)
    seconds, cost = _afforded(scope, project, people, hours)
    pace = _assumed(cost)
    tries = tries_of(scope.ws, project)
    kinds = kinds_kept(scope, project, tries)
    free, overlap, over = (
        terms.free_answers(scope, project),
        terms.overlap(project),
        terms.ended(scope, project, kinds),
    )
    left = sum(free.values())
    cells = sum(len(kind.cells) for kind in kinds) / max(1, Effort.of(kinds).answers)
    afford = int(seconds / max(1e-9, cost.seconds(1, cells) * overlap))
    single = _labels(seconds, cost)
    offered = offers_of(scope, project, kinds, tries, single) if single else []
    answers, unit = min(afford, left), unit_of(c.scale for c in criteria_tested(scope, project))
    return Plan(
        people=people,
        hours=hours,
        answers=answers,
        afford=afford,
        free=left,
        overlap=overlap,
        seconds=cost.seconds(1, cells) * overlap * answers,
        labels=single if any(one.recommended is Way.PLACED for one in offered) else None,
        offers=offered,
        unit=unit,
        words=" ".join(
            filter(None, [_planned(answers, afford, left, overlap, people, unit), pace])
        ),
        stake=stake(kinds, over & set(free)) if answers else "",
        rows=foreseen(kinds, terms.next_answers(scope, project, answers, over), over),
        assumed=cost.per_answer if pace else None,
    )


@needs("look")
def labels_in(scope: Scope, project_name: str, people: int, hours: float) -> LabelsInHours:
    """How many single labels `hours` of each of `people` buy, each on an answer that one of them
    reads for it."""
    seconds, cost = _afforded(scope, scope.project(project_name), people, hours)
    return LabelsInHours(_labels(seconds, cost), _assumed(cost))


def _afforded(scope: Scope, project: Project, people: int, hours: float) -> tuple[float, Cost]:
    """The seconds that people have, and what reading takes; the demo's pace until three screens of
    this project were timed."""
    if not 1 <= people <= 1000 or not 0 < hours <= 10_000:
        raise InputError(**error_parts("routing.plan_beyond", people=people, hours=hours))
    return people * hours * 3600, cost_of(scope, project) or DEMO_PACE


def _assumed(cost: Cost) -> str:
    """The pace that is assumed, in words; empty where it was measured."""
    if cost.screens:
        return ""
    return say("routing.plan.assumed", seconds=cost.per_answer)


def _labels(seconds: float, cost: Cost) -> int:
    return int(seconds / max(1e-9, cost.seconds(1, 1)))


def _planned(answers: int, afford: int, left: int, overlap: int, people: int, unit: Unit) -> str:
    if not left:
        return say("routing.plan.all_drawn", unit=unit.one, units=unit.many)
    if not answers:
        return say("routing.plan.too_short", unit=unit.one)
    each = "each" if overlap > 1 else "once"
    sentences = [
        say(f"routing.plan.{each}", answers=answers, units=unit.count(left), overlap=overlap)
    ]
    if afford > left:
        sentences.append(say("routing.plan.more", afford=afford, left=left))
    if people == 1 or overlap == 1:
        sentences.append(say("routing.plan.one_person"))
    return " ".join(sentences)
