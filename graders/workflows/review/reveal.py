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
from graders.core.words import error_parts
from graders.store import projects
from graders.store.desk import assignments, queue, reveals
from graders.store.opinions import stored_verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import Project
from graders.workflows.review import screens
from graders.workflows.review.screen_records import CellShown, RevealedVerdict, Screen
from graders.workflows.scope.permissions import Nameless, Scope, needs


@dataclass(frozen=True, slots=True)
class RevealSettings:
    """Whether judges' values are revealed, and after how many saved blind screens."""

    reveal: bool = False
    reveal_batch: int = 10

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> RevealSettings:
        """From a project's settings."""
        stored = settings.get("reveal") or {}
        return cls(**{name: stored[name] for name in cls.__dataclass_fields__ if name in stored})


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
def open_batch(scope: Scope, project_name: str) -> list[Screen]:
    """The screens of the batch that is due or open, each cell with `mine` and the judges' values.
    Nothing else ever leaves here.

    NotAllowed where a lead left the reveal off; InputError before the last screen of the batch was
    saved.
    """
    project, person = scope.project(project_name), scope.actor.person_id
    if not person:
        raise Nameless
    wanted = RevealSettings.of(project.settings)
    if not wanted.reveal:
        raise NotAllowed(**error_parts("review.reveal.off"))
    with scope.ws.write() as db:
        shown = reveals.latest(db, project, person)
        if shown is not None and shown.open:
            batch = reveals.blind_screens(db, project, person, shown.after, shown.until)
        else:
            after = shown.until if shown else ""
            batch = reveals.blind_screens(db, project, person, after)
            if len(batch) < wanted.reveal_batch:
                raise InputError(
                    **error_parts(
                        "review.reveal.early", saved=len(batch), batch=wanted.reveal_batch
                    )
                )
            reveals.log(scope.ws, project, person, reveals.SHOWN, after, batch[-1][1], len(batch))
        given = [
            assignment
            for screen, _ in batch
            if (assignment := assignments.find(db, screen, person)) is not None
        ]
        for assignment in given:
            queue.mark_seen(db, scope.ws, person, assignment.subjects)
    return [_revealed(scope, project, assignment) for assignment in given]


@needs("review")
def close_batch(scope: Scope, project_name: str) -> None:
    """The person goes on; closing what is not open changes nothing."""
    project, person = scope.project(project_name), scope.actor.person_id
    with scope.ws.write() as db:
        shown = reveals.latest(db, project, person)
        if shown is not None and shown.open:
            reveals.log(scope.ws, project, person, reveals.CLOSED, shown.after, shown.until, 0)


def _revealed(scope: Scope, project: Project, given: assignments.Assignment) -> Screen:
    """A blind screen with the judges' values beside the person's own; only cells that the person
    gave an opinion on."""
    screen, _ = screens.build(scope.ws, project, given)
    hashes = {c.key: c.hash for c in projects.criteria(scope.ws, project)}
    said = stored_verdicts.verdicts_of(scope.ws.db, [cell.id for cell in screens.cells_of(screen)])

    def revealed(cell: CellShown) -> CellShown | None:
        if cell.mine is None:
            return None
        judges = [
            RevealedVerdict(
                name=verdict.author,
                value=verdict.mark.value,
                status=verdict.mark.status,
                reason=verdict.mark.reason,
            )
            for verdict in said.get(cell.id, [])
            if verdict.author_kind == "judge" and verdict.criterion_hash == hashes[cell.criterion]
        ]
        return replace(cell, judges=judges)

    return screens.with_cells(screen, revealed)
