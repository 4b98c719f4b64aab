"""The next screens without waiting for the write lock: in a long queue, a few more are leased than were asked for.

Whoever asks is given what is leased already, by reading alone; a thread beside leases the following ones and prolongs the
leases. In a short queue nothing is held back: each screen is leased when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from graders.store import queue
from graders.store.projects import Project
from graders.store.queue import LEASE_SECONDS, Assignment, Draw
from graders.store.workspace import Workspace

#: Screens leased ahead for each person, in a queue with at least so many open screens.
AHEAD, LONG_QUEUE = 2, 1_000
#: A screen is given without a new lease while this much of its lease is left, in seconds.
FRESH_SECONDS = LEASE_SECONDS / 2


def take(
    ws: Workspace,
    project: Project,
    person_id: str,
    count: int,
    draw: Draw,
    *,
    have: Sequence[int] = (),
    question_id: int | None = None,
    warm_up: int = 0,
    only: tuple[str, str] | None = None,
) -> list[Assignment]:
    """Up to `count` screens for a person, as `queue.take` gives them."""
    ready = queue.held(ws.db, project, person_id, question_id, only, ws.clock() + FRESH_SECONDS)
    chosen = [screen for screen in ready if screen not in have][:count]
    if len(chosen) == count:
        found = queue.assignments(ws.db, chosen, person_id)
    else:
        found = queue.take(ws, project, person_id, count, draw, have=have, question_id=question_id, warm_up=warm_up, only=only)

    def follow() -> None:
        given = [*have, *(assignment.screen_id for assignment in found)]
        queue.lease(ws, project, person_id, AHEAD, draw, have=given, question_id=None, warm_up=warm_up, only=only)

    if question_id is None and queue.free_screens(ws.db, project) >= LONG_QUEUE:
        ws.soon((project.id, person_id), follow)
    return found
