"""What routing saves of people's time, by task type: reading that proofs make needless, less what
calibration and audits took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.words import say
from graders.statistics.arrays import joined, present
from graders.statistics.effort import Cost
from graders.store.figures import risk as store
from graders.store.projects import Project
from graders.workflows.cells.routes import RouteSettings
from graders.workflows.promise.effort import asked, cost_of, spent
from graders.workflows.promise.kinds import PROVEN, Kind
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import listed
from graders.workflows.scope.units import unit_of

#: Less than this is not worth naming, in seconds.
LEAST = 60.0


@dataclass(frozen=True, slots=True)
class Saving:
    """What people need for the answers to questions of a task type on which something is proven, in
    seconds: `alone`, were a person to read each answer once, and `routed`, of which `sampled` are
    calibration and audits. `share`: what is saved, below 0 where routing costs more; `words`: all
    that in a sentence."""

    task_type: str
    alone: float
    routed: float
    sampled: float
    share: float
    words: str


def savings(scope: Scope, project: Project, kinds: Sequence[Kind]) -> list[Saving]:
    """By task type, under the terms that are fixed; none where no screens were timed, or where
    proofs decide nothing in this project.

    Drawn and audited answers count with the seconds that they took, of everybody who read them;
    where those are not known at the pace of the project, as all other reading does.
    """
    by_task: dict[str, list[Kind]] = {}
    for kind in kinds:
        by_task.setdefault(kind.task, []).append(kind)
    proven = {kind.task for kind in kinds if kind.state == PROVEN}
    settings, cost = RouteSettings.of(project.settings), cost_of(scope, project)
    if cost is None or not proven or not settings.promises:
        return []
    took = store.sampled_seconds(scope.ws.db, project)
    return [
        _saving(theirs, cost, took, whole=settings.whole)
        for task, theirs in by_task.items()
        if task in proven
    ]


def _saving(kinds: Sequence[Kind], cost: Cost, took: Mapping[int, float], *, whole: bool) -> Saving:
    ask = joined([asked(kind) for kind in kinds])
    subject = joined([kind.cells.subject for kind in kinds])[ask]
    people = ~joined([kind.automatic for kind in kinds])[ask]
    answers = {int(one) for one in present(subject)}
    sampling = [kind.tried.drawn | kind.tried.before for kind in kinds]
    drawn = answers & set(took).union(*sampling)
    read = {int(one) for one in present(subject[people])} - drawn
    each = cost.seconds(1, len(subject) / len(answers))
    sampled = sum(took.get(one) or each for one in drawn)
    cells = sum(int(one) in read for one in (subject if whole else subject[people]))
    alone = cost.seconds(len(answers), len(subject))
    routed = sampled + cost.seconds(len(read), cells)
    words = _words(kinds, alone, routed, sampled)
    return Saving(kinds[0].task, alone, routed, sampled, 1 - routed / alone, words)


def _words(kinds: Sequence[Kind], alone: float, routed: float, sampled: float) -> str:
    proven = [kind.tried for kind in kinds if kind.state == PROVEN]
    open_ = [kind.criterion.criterion.title for kind in kinds if kind.state != PROVEN]
    unit = unit_of(kind.criterion.scale for kind in kinds)
    if alone - routed < LEAST:
        if open_:
            titles = listed(open_)
            return say("promise.saving.open", task=kinds[0].task, units=unit.many, titles=titles)
        return say("promise.saving.none", task=kinds[0].task, units=unit.many)
    return say(
        "promise.saving",
        task=kinds[0].task,
        units=unit.many,
        share=1 - routed / alone,
        alpha=max(one.alpha for one in proven),
        level=1 - max(one.delta for one in proven),
        routed=spent(routed),
        alone=spent(alone),
        sampled=spent(sampled),
    )
