"""What is odd about judges, or missing, as soon as they are named: before a plan is made and before
anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.workflows.runs import _judge_notes, runs
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class Noted:
    """A judge with sentences about it."""

    name: str
    notes: list[str]


@needs("run")
def check(scope: Scope, project_name: str, options: Mapping[str, Any]) -> list[Noted]:
    """The judges of a run's `options` that have something to be said of. Raises as a plan would for
    one that is none."""
    chosen = runs.settled(scope.ws, scope.project(project_name), options)
    own_key = scope.actor.own_key_only and not chosen.all_keys_typed()
    found = []
    for setup in chosen.setups(scope.ws, chosen.stand_ins()):
        lacking = _judge_notes.lacking(setup, own_key)
        if said := [*_judge_notes.odd(setup), *([lacking] if lacking else [])]:
            found.append(Noted(setup.name, said))
    return found
