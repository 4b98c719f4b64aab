"""Which questions of a project are held out: drawn by its seed, so that they are the same for every
try of every judge.

A judge that is changed until it fits the answers in view fits those answers alone. So half of the
questions are never shown and give no example: only on them does a figure say what a change is worth
(Pitfall 10 of the house's statistics).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from graders.core.hashing import seeded
from graders.store import projects
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: The share of questions that is held out, and the kind of the event that tells of the draw.
SHARE, EVENT = 0.5, "held_out"


def is_held_out(project: Project, question: str) -> bool:
    """Whether a question (its id) is held out in a project."""
    return seeded(project.seed, EVENT, question) < SHARE


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The questions of a project that one may look at, by id: all that are not held out."""

    project: Project

    def __contains__(self, question: object) -> bool:
        return not is_held_out(self.project, str(question))


def in_turn(project: Project, questions: Iterable[str]) -> list[str]:
    """Questions in an order that the project's seed draws: the first n of them are a random part,
    the same each time."""
    return sorted(
        questions, key=lambda question: (seeded(project.seed, "workshop", question), question)
    )


def log_once(ws: Workspace, project: Project, actor: str, questions: Collection[str]) -> None:
    """Keep, when a project's held-out part is first used, by which seed it was drawn and how large
    it was."""
    if not projects.events(ws, project, EVENT, limit=1):
        held = sum(is_held_out(project, question) for question in questions)
        projects.log_event(
            ws,
            project,
            actor,
            EVENT,
            {"seed": project.seed, "share": SHARE, "questions": len(questions), "held_out": held},
        )
