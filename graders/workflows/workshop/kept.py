"""The tries of a judge as a project keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any

from graders.core.errors import NotFound
from graders.core.shapes import JSON, without
from graders.core.words import say
from graders.store import projects
from graders.store.projects import Project
from graders.workflows.runs import corrections
from graders.workflows.scope.permissions import Scope

#: The setting that holds the tries: judge -> its tries, oldest first.
SETTING = "workshop"


class TryState(StrEnum):
    """What became of a try: nothing yet, it is the judge's setting, or it was put aside."""

    OPEN = "open"
    KEPT = "kept"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Try:
    """A try of a judge: its number from 1 (0 where it is not begun), the card of the judge
    `before` it and its own, what was noted, and how many `answers` it asks about.

    `base_url` is the address that was typed for it, `addresses` those that were asked (the judge as
    it was first) and `from_page` whether a page named one; None where an earlier version kept
    neither. `at` is a time, `by` a person.
    """

    number: int
    before: JSON
    card: JSON
    note: str
    answers: int
    base_url: str = ""
    from_page: bool | None = None
    addresses: list[str] | None = None
    state: TryState = TryState.OPEN
    at: str = ""
    by: str = ""

    @classmethod
    def of(cls, row: JSON) -> Try:
        """As the project keeps it."""
        known = {field.name: row[field.name] for field in fields(cls) if field.name in row}
        return replace(cls(**known), state=TryState(row["state"]), answers=int(row["answers"]))

    def to_json(self) -> JSON:
        """As the project keeps it."""
        return without(self, "from_page", "addresses")


def tries_of(project: Project, name: str) -> list[Try]:
    """The tries of a judge, oldest first."""
    return [Try.of(row) for row in (project.settings.get(SETTING) or {}).get(name) or ()]


def find_try(project: Project, name: str, number: int) -> Try:
    """A try by its number; NotFound where there is no such judge or try."""
    corrections.card_of(project, name)
    tries = tries_of(project, name)
    found = next((one for one in tries if one.number == number), None)
    if found is None:
        raise NotFound(
            say("workshop.error.try", name=name, number=number),
            found=say("workshop.error.no_try.found"),
            expected=say("workshop.error.no_try.expected", count=len(tries))
            if tries
            else say("workshop.error.no_try.expected_none"),
            remedy=say("workshop.error.no_try.remedy", name=name),
        )
    return found


def add_try(scope: Scope, project: Project, name: str, one: Try) -> Try:
    """A new try, numbered and kept."""
    with scope.ws.write():
        now = scope.project(project.name)
        tries = tries_of(now, name)
        made = replace(one, number=len(tries) + 1)
        _write(scope, now, name, [*tries, made])
    return made


def change_try(
    scope: Scope, project: Project, name: str, number: int, changes: dict[str, Any]
) -> list[Try]:
    """Write fields of a try, as the tries are by now; returns them all."""
    with scope.ws.write():
        now = scope.project(project.name)
        tries = [
            replace(one, **changes) if one.number == number else one for one in tries_of(now, name)
        ]
        _write(scope, now, name, tries)
    return tries


def _write(scope: Scope, project: Project, name: str, tries: Sequence[Try]) -> None:
    kept = [one.to_json() for one in tries]
    projects.set_settings(
        scope.ws, project, {SETTING: {**(project.settings.get(SETTING) or {}), name: kept}}
    )
