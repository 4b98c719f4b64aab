"""How ordinary screens are mixed with drawn ones, so that anchoring and figures of assisted grading
exist early."""

from __future__ import annotations

from dataclasses import dataclass

from graders.statistics import looks
from graders.store.desk import annotators, queue
from graders.store.desk.queued_screens import CALIBRATION
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows.scope.sampling import Sampling

#: Until both arms of ordinary screens have so many questions, every fifth screen of a person is an
#: ordinary one, blind half of the time, so that anchoring and assisted figures exist.
ARM_QUESTIONS, UNDRAWN, MIXED_BLIND = 20, 5, 0.5
#: A person's first screens are drawn ones alone. With every fifth an ordinary one from the start,
#: 54 to 82 of 100 simulated studies have a first answer after 30 screens each, instead of 97 to 99
#: (docs/routing.md; ``python -m tests.benchmarks first_labels`` prints both).
DRAWN_FIRST = looks.FIRST


@dataclass(frozen=True, slots=True)
class Mixing:
    """Each `undrawn`-th screen of a person is an ordinary one (0: none needs to be), after the
    first `DRAWN_FIRST`; ordinary ones are blind with a chance of `blind`."""

    undrawn: int
    blind: float


def mixing_of(ws: Workspace, project: Project, sampling: Sampling) -> Mixing:
    """How ordinary screens are mixed with drawn ones now."""
    usual = Mixing(0, sampling.blind)
    if not queue.any_at(ws.db, project, CALIBRATION):
        return usual
    arms = annotators.arm_questions(ws.db, project, ARM_QUESTIONS)
    wanted = {"blind": sampling.blind > 0, "assisted": sampling.blind < 1}
    if all(arms[arm] >= ARM_QUESTIONS for arm, asked in wanted.items() if asked):
        return usual
    both = 0 < sampling.blind < 1
    return Mixing(UNDRAWN, max(sampling.blind, MIXED_BLIND) if both else sampling.blind)
