"""The end of a batch: blind screens that were saved, shown once more with what the judges chose.

Off unless a lead switches it on, because it trains people towards the judges. What is given blind
after a person's first reveal carries `after_reveal` and does not count as blind; an amendment is a
second verdict, and the first one stays what agreement counts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from graders.core.errors import InputError, NotAllowed
from graders.store import projects
from graders.store.desk import assignments, queue, reveals
from graders.store.opinions import verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import Project
from graders.workflows.review import screens
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class RevealSettings:
    """Whether judges' values are revealed, and after how many saved blind screens."""

    reveal: bool = False
    reveal_batch: int = 10

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> RevealSettings:
        """From a project's settings."""
        found = settings.get("reveal") or {}
        return cls(**{name: found[name] for name in cls.__dataclass_fields__ if name in found})


def to_go(db: sqlite3.Connection, project: Project, person_id: str) -> int | None:
    """Blind screens that a person still has to save before a reveal; 0 while one is due or open,
    None where it is off."""
    wanted = RevealSettings.of(project.settings)
    if not wanted.reveal:
        return None
    shown = reveals.latest(db, project, person_id)
    if shown is not None and shown.open:
        return 0
    saved = reveals.blind_screens(db, project, person_id, shown.until if shown else "")
    return max(0, wanted.reveal_batch - len(saved))


def was_given(db: sqlite3.Connection, project: Project, person_id: str) -> bool:
    """Whether anything was ever revealed to a person here."""
    return reveals.latest(db, project, person_id) is not None


def marked(row: CellVerdict) -> CellVerdict:
    """The verdict, marked as given after a reveal."""
    assert row.verdict.provenance is not None
    return replace(
        row,
        verdict=replace(row.verdict, provenance=replace(row.verdict.provenance, after_reveal=True)),
    )


@needs("review")
def open_batch(scope: Scope, project_name: str) -> list[dict[str, Any]]:
    """The screens of the batch that is due or open, each cell with `mine` and the judges' values.
    Nothing else ever leaves here.

    NotAllowed where a lead left the reveal off; InputError before the last screen of the batch was
    saved.
    """
    project, person = scope.project(project_name), scope.actor.person_id
    if not person:
        raise InputError(
            "who are you", found="no name yet", expected="a name", remedy="Choose a name first."
        )
    wanted = RevealSettings.of(project.settings)
    if not wanted.reveal:
        raise NotAllowed(
            "reveal",
            found="a project whose lead left it off",
            expected="blind screens to stay blind",
        )
    with scope.ws.write() as db:
        shown = reveals.latest(db, project, person)
        if shown is not None and shown.open:
            batch = reveals.blind_screens(db, project, person, shown.after, shown.until)
        else:
            after = shown.until if shown else ""
            batch = reveals.blind_screens(db, project, person, after)
            if len(batch) < wanted.reveal_batch:
                expected = f"{wanted.reveal_batch} saved blind screens"
                raise InputError(
                    "reveal",
                    found=f"{len(batch)} since the last one",
                    expected=expected,
                    remedy="Save the others first.",
                )
            reveals.log(scope.ws, project, person, reveals.SHOWN, after, batch[-1][1], len(batch))
        given = [
            found
            for screen, _ in batch
            if (found := assignments.find(db, screen, person)) is not None
        ]
        for one in given:
            queue.mark_seen(db, scope.ws, person, one.subjects)
    return [_revealed(scope, project, one) for one in given]


@needs("review")
def close_batch(scope: Scope, project_name: str) -> None:
    """The person goes on; closing what is not open changes nothing."""
    project, person = scope.project(project_name), scope.actor.person_id
    with scope.ws.write() as db:
        shown = reveals.latest(db, project, person)
        if shown is not None and shown.open:
            reveals.log(scope.ws, project, person, reveals.CLOSED, shown.after, shown.until, 0)


def _revealed(scope: Scope, project: Project, given: assignments.Assignment) -> dict[str, Any]:
    """A blind screen with the judges' values beside the person's own; only cells that the person
    gave an opinion on."""
    screen, _ = screens.build(scope.ws, project, given)
    parts = [part for answer in screen["answers"] for part in (answer, *answer["twins"])]
    cells = [cell for part in parts for cell in part["cells"]]
    hashes = {c.key: c.hash for c in projects.criteria(scope.ws, project)}
    said = verdicts.verdicts_of(scope.ws.db, [cell["id"] for cell in cells])
    for cell in cells:
        cell["judges"] = [
            {
                "name": found.author,
                "value": found.mark.value,
                "status": found.mark.status,
                "reason": found.mark.reason,
            }
            for found in said.get(cell["id"], [])
            if found.author_kind == "judge" and found.criterion_hash == hashes[cell["criterion"]]
        ]
    for part in parts:
        part["cells"] = [cell for cell in part["cells"] if cell["mine"] is not None]
    return screen
