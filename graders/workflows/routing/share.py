"""A changed share of drawn answers takes effect at once: further answers are drawn, or drawn ones
that nobody began are given back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graders.core.hashing import seeded
from graders.core.words import say
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.desk import queued_screens
from graders.store.figures import risk as store
from graders.store.projects import Project
from graders.workflows.promise.promise_tests import GIVEN_BACK, Try, tries_of
from graders.workflows.routing.calibration import MOST_SHARE, answers_to_draw, planned_sizes
from graders.workflows.routing.form_screens import form_screens
from graders.workflows.routing.terms import draw_more, free_answers
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.sampling import Sampling


@dataclass(frozen=True, slots=True)
class CalibrationSample:
    """The calibration sample: so many answers are `drawn` `of` those that were routed, of which a
    change of its share `added` some or gave some back (`returned`); all that in `words`."""

    drawn: int
    of: int
    added: int
    returned: int
    words: str


@dataclass(frozen=True, slots=True)
class _Return:
    """Answers (subjects) to give back, and the looks that are left of those that were `planned`."""

    subjects: frozenset[int]
    looks: list[int]
    planned: list[int]


def calibration_sample(scope: Scope, project: Project) -> CalibrationSample:
    """The calibration sample as it is; of a project that was not routed only the share is known."""
    return _sample(scope, project, added=0, returned=0)


@needs("route")
def draw_to_share(scope: Scope, project_name: str) -> CalibrationSample:
    """Bring the calibration sample of a routed project to the share of its settings.

    What is missing is drawn at random from what is left, as `draw_more` does. What is too much is
    given back from the permutation's end, where nobody began it. Once labels are open only whole
    planned looks are, beyond the one that people are at: else labels would choose the sample.
    """
    project = scope.project(project_name)
    sampling = Sampling.of(project.settings)
    now = calibration_sample(scope, project)
    wanted = answers_to_draw(sampling, now.of)
    if wanted > now.drawn:
        free = sum(free_answers(scope, project).values())
        size = min(wanted - now.drawn, free)
        if not size:
            return now
        drawn = draw_more(scope, project_name, size, consent=True)  # to a share that has it
        return _sample(scope, project, added=drawn.answers, returned=0, stake=drawn.stake)
    returned = _give_back(scope, project, sampling, now.drawn - wanted)
    more = now.drawn - wanted - returned
    begun = say("routing.share.begun", n=more) if more else ""
    return _sample(scope, project, added=0, returned=returned, stake=begun)


def _sample(
    scope: Scope, project: Project, *, added: int, returned: int, stake: str = ""
) -> CalibrationSample:
    """The sample, and in words what became of it; `stake`: what else is to be said."""
    ws, share = scope.ws, Sampling.of(project.settings).calibration
    if not project.settings.get("routed"):
        return CalibrationSample(0, 0, 0, 0, _without_suggestions(share))
    drawn = queued_screens.screened(ws.db, project, ("calibration",))
    audited = queued_screens.screened(ws.db, project, ("audit",)) - drawn
    of = len(drawn) + len(audited) + sum(free_answers(scope, project).values())
    key, n = ("added", added) if added else ("returned", returned) if returned else ("none", 0)
    said = [
        say(f"routing.share.{key}", n=n) if n else "",
        say("routing.share.drawn", drawn=len(drawn), n=of),
        stake,
        _without_suggestions(len(drawn) / of if of else 0.0),
    ]
    return CalibrationSample(len(drawn), of, added, returned, " ".join(filter(None, said)))


def _without_suggestions(share: float) -> str:
    """What a share of drawn answers costs; empty up to half."""
    if share <= MOST_SHARE:
        return ""
    return say(f"routing.share.{'whole' if share >= 1 else 'above_half'}")


def _give_back(scope: Scope, project: Project, sampling: Sampling, answers: int) -> int:
    """Give back up to so many answers; returns how many."""
    if answers < 1:
        return 0
    ws = scope.ws
    with run_store.alone(ws, f"route {project.id}"):
        with ws.write():
            tries = tries_of(ws, project)
            gone = _to_return(scope, project, tries, answers)
            if not gone.subjects:
                return 0
            kept = {
                task: len(one.drawn - gone.subjects) / len(one.drawn)
                for task, one in tries.items()
                if one.drawn
            }
            for task, one in tries.items():
                # labels that are there keep the chance with which they came
                if one.drawn and not one.opened:
                    store.scale_chances(ws.db, project, one.since, task, kept[task])
            queued_screens.take_off(ws.db, project, "calibration", sorted(gone.subjects))
            body = {
                "design": GIVEN_BACK,
                "seed": project.seed,
                "drawn": len(gone.subjects),
                "population": sum(len(one.drawn) for one in tries.values()),
                "kept": kept,
                "looks": gone.looks,
                "planned": gone.planned,
                "rule": "from the permutation's end, answers that no person was given",
            }
            projects.log_event(ws, project, scope.actor.person_id, "draw", body)
        form_screens(ws, project, sampling)
    return len(gone.subjects)


def _to_return(scope: Scope, project: Project, tries: Mapping[str, Try], answers: int) -> _Return:
    drawn = frozenset(subject for one in tries.values() for subject in one.drawn)
    untouched = queued_screens.untouched(scope.ws.db, project, "calibration")
    waiting = drawn.intersection(subject for _, *subjects in untouched for subject in subjects)
    sizes = [look.labels for look in max((one.looks for one in tries.values()), key=len)]
    if any(one.opened for one in tries.values()):
        planned = _planned_then(tries, sizes)
        for number in range(1, len(sizes)):
            later = frozenset(
                subject
                for one in tries.values()
                if one.looks
                for subject in one.drawn - one.at_look(number - 1).drawn
            )
            if later <= waiting and len(later) <= answers:
                return _Return(later, sizes[:number], planned)
        return _Return(frozenset(), sizes, planned)
    last_first = sorted(
        waiting, key=lambda subject: seeded(project.seed, "calibration", subject), reverse=True
    )
    left = planned_sizes(len(drawn) - len(last_first[:answers])) if sizes else []
    return _Return(frozenset(last_first[:answers]), left, left)


def _planned_then(tries: Mapping[str, Try], sizes: list[int]) -> list[int]:
    """The looks by which delta is shared: as they were planned when labels were opened."""
    return next((list(one.planned) for one in tries.values() if one.looks), sizes)
