"""The next screens without waiting for the write lock: in a long queue, a few more are leased than
were asked for.

Whoever asks is given what is leased already, by reading alone; a thread beside leases the following
ones and prolongs the leases. In a short queue nothing is held back: each screen is leased when it
is asked for.
"""

from __future__ import annotations

from dataclasses import replace

from graders.store.desk import queue
from graders.store.desk.assignments import Assignment, Wanted, find_all, ready
from graders.store.desk.queue import LEASE_SECONDS, Draw
from graders.store.projects import Project
from graders.store.workspace import Workspace

#: Screens leased ahead for each person, in a queue with at least so many open screens.
AHEAD, LONG_QUEUE = 3, 1_000
#: A screen is given without a new lease while this much of its lease is left, in seconds.
FRESH_SECONDS = LEASE_SECONDS / 2


def take(ws: Workspace, project: Project, wanted: Wanted, draw: Draw) -> list[Assignment]:
    """The next screens of a person: first those already leased and not in hand, then the next open
    ones."""
    chosen, free = ready(ws.db, project, wanted, ws.clock() + FRESH_SECONDS)
    if len(chosen) < wanted.count:
        chosen = find_all(ws.db, queue.lease(ws, project, wanted, draw), wanted.person_id)
    free = queue.free_screens(ws.db, project) if free is None else free
    if wanted.question_id is None and free >= LONG_QUEUE:
        following = replace(
            wanted, count=AHEAD, have=(*wanted.have, *(given.screen_id for given in chosen))
        )
        ws.soon((project.id, wanted.person_id), lambda: queue.lease(ws, project, following, draw))
    return chosen
