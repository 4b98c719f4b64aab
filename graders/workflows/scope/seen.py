"""What an actor has seen, and may not see yet: blind screens with answers that were seen go to
others."""

from __future__ import annotations

from collections.abc import Iterable

from graders.store import projects
from graders.store.desk import annotators, queue
from graders.workflows.scope.permissions import Scope


def mark_seen(scope: Scope, subjects: Iterable[int]) -> None:
    """Remember that the actor saw what machines or colleagues think of these answers."""
    ids = sorted(set(subjects))
    if ids and scope.actor.person_id in projects.people(scope.ws):
        with scope.ws.write(durable=False) as db:
            queue.mark_seen(db, scope.ws, scope.actor.person_id, ids)


def still_blind(scope: Scope, subjects: Iterable[int]) -> set[int]:
    """Those of the answers that the actor may still grade blind, being a person: what machines and
    colleagues think of them stays hidden until then."""
    ids = sorted(set(subjects))
    if not ids or scope.actor.person_id not in projects.people(scope.ws):
        return set()
    return annotators.waits_blind(scope.ws.db, scope.actor.person_id, ids)
