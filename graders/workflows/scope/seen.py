"""What an actor has seen: blind screens with these answers go to others."""

from __future__ import annotations

from collections.abc import Iterable

from graders.store import projects
from graders.store.desk import queue
from graders.workflows.scope.permissions import Scope


def mark_seen(scope: Scope, subjects: Iterable[int]) -> None:
    """Remember that the actor saw what machines or colleagues think of these answers."""
    ids = sorted(set(subjects))
    if ids and scope.actor.person_id in projects.people(scope.ws):
        with scope.ws.write(durable=False) as db:
            queue.mark_seen(db, scope.ws, scope.actor.person_id, ids)
