"""The calibration sample: how many answers are drawn, in which order people get them, and who gets
them twice.

The drawn answers are a prefix of one seeded random permutation of all answers. It is cut into
planned looks (`graders.statistics.looks`), so that the answers up to each look are a simple random
sample too. Their screens come before all others: within a look by chance, so that the labels which
are there at any moment favour no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from graders.core.hashing import seeded
from graders.statistics import looks
from graders.store.desk.queued_screens import CALIBRATION, NewScreen
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.routing.form_screens import partition
from graders.workflows.scope.sampling import Sampling

#: Answers that are drawn at least, where no lead has set a share: what two people label in some
#: hours. Never more than half of all answers, since a drawn answer gets no suggestion.
LEAST, MOST_SHARE = 120, 0.5
#: Screens that two people get, first of all: what each says of them tells how far people agree.
SHARED = 12
#: The first place in the queue, and the step from each screen to the next.
FIRST, STEP = CALIBRATION[0], 1e-7
SHARED_PLACES = (FIRST, FIRST + SHARED * STEP)
OTHER_PLACES = (SHARED_PLACES[1], float("inf"))


def answers_to_draw(sampling: Sampling, answers: int) -> int:
    """How many of so many answers are drawn: the share that a lead set, else the default share but
    at least `LEAST` and at most half."""
    if not sampling.calibration or not answers:
        return 0
    share = min(answers, max(1, round(sampling.calibration * answers)))
    if sampling.stated:
        return share
    return max(share, min(LEAST, int(answers * MOST_SHARE)))


def permuted(project: Project, subjects: Sequence[int]) -> list[int]:
    """The subjects in the order in which they are drawn."""
    return sorted(subjects, key=lambda subject: seeded(project.seed, "calibration", subject))


def planned_sizes(drawn: int) -> list[int]:
    """After how many labels looks are planned; one look alone is none."""
    sizes = [look.labels for look in looks.planned(drawn, 1.0)]
    return sizes if len(sizes) > 1 else []


def overlap_of_shared(sampling: Sampling) -> int:
    """How many people the first screens are for."""
    return max(2, sampling.overlap)


def drawn_screens(
    ws: Workspace,
    project: Project,
    sampling: Sampling,
    chosen: Sequence[int],
    probability: float,
    sizes: Sequence[int],
) -> list[NewScreen]:
    """Screens of answers that are drawn first, look by look; `chosen` in the order of the
    permutation."""
    screens: list[NewScreen] = []
    bounds = [0, *(sizes or [len(chosen)])]
    for look, (start, end) in enumerate(pairwise(bounds), 1):
        formed = partition(ws, project, sampling, "calibration", chosen[start:end], probability)
        screens += [
            replace(screen, look=look if sizes else 0) for screen in _shuffled(project, formed)
        ]
    people = overlap_of_shared(sampling)
    return [
        replace(
            screen,
            priority=FIRST + place * STEP,
            needed=people if place < SHARED else screen.needed,
        )
        for place, screen in enumerate(screens)
    ]


def further_screens(
    ws: Workspace,
    project: Project,
    sampling: Sampling,
    chosen: Sequence[int],
    probability: float,
    before: int,
) -> list[NewScreen]:
    """Screens of answers that are drawn later: they lengthen the permutation's end, behind so many
    answers that were drawn `before`."""
    formed = partition(ws, project, sampling, "calibration", chosen, probability)
    return [
        replace(screen, priority=FIRST + (SHARED + before + place) * STEP)
        for place, screen in enumerate(_shuffled(project, formed))
    ]


def _shuffled(project: Project, screens: Sequence[NewScreen]) -> list[NewScreen]:
    return sorted(screens, key=lambda one: seeded(project.seed, "drawn screen", *one.subjects))
