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
#: Where two people get screens again, once both have their first 30, and how many: with the first
#: ones they make 30 answers, which say how far people agree, and some more, since judges leave
#: answers open. Were they first, fewer answers would be labelled by then, and the judge's figure
#: would be less sure. A sample that ends before has them at its end.
AGAIN_AT, SHARED_AGAIN = 48, 24
#: The first place in the queue, and the step from each screen to the next.
FIRST, STEP = CALIBRATION[0], 1e-7


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


def _shared_again(screens: int) -> range:
    """The places at which two people get screens again, of a sample of so many."""
    start = max(SHARED, min(AGAIN_AT, screens - SHARED_AGAIN))
    return range(start, start + SHARED_AGAIN)


def people_at(sampling: Sampling, place: int, screens: int) -> int:
    """How many people the screen at a place of the sample's order is for; the sample has so many
    screens."""
    shared = place < SHARED or place in _shared_again(screens)
    return max(2, sampling.overlap) if shared else sampling.overlap


def people_by_places(sampling: Sampling, screens: int) -> list[tuple[int, tuple[float, float]]]:
    """How many people the screens of a sample are for, by their places in the queue, as priorities
    from the first to below the second."""
    again = _shared_again(screens)
    bounds = [0, SHARED, again.start, again.stop]
    ends = [*(FIRST + (place - 0.5) * STEP for place in bounds[1:]), float("inf")]
    return [
        (people_at(sampling, place, screens), (FIRST + (place - 0.5) * STEP, end))
        for place, end in zip(bounds, ends, strict=True)
    ]


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
    return _placed(sampling, screens, 0)


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
    return _placed(sampling, _shuffled(project, formed), SHARED + before)


def _placed(sampling: Sampling, screens: Sequence[NewScreen], start: int) -> list[NewScreen]:
    """Screens at their places in the queue, from `start` on, each for its number of people."""
    size = start + len(screens)
    return [
        replace(screen, priority=FIRST + place * STEP, needed=people_at(sampling, place, size))
        for place, screen in enumerate(screens, start)
    ]


def _shuffled(project: Project, screens: Sequence[NewScreen]) -> list[NewScreen]:
    return sorted(screens, key=lambda one: seeded(project.seed, "drawn screen", *one.subjects))
