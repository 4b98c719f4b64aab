"""What a page is told of a save; and a screen that the same person saved elsewhere meanwhile: in
another tab, or by a request whose reply was lost on its way.

A page says which of the person's saves of the screen it knows (`after`). A save that does not know
the one that stands is kept aside: it is stored so that it can be traced, none of its verdicts
count, and the person is told. To replace what stands the person goes back to the screen and saves
it again, which amends it, traceably, as any later save does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.core.shapes import JSON
from graders.core.words import say
from graders.store.desk import saves
from graders.store.desk.assignments import Assignment
from graders.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class SavedElsewhere:
    """The save of the screen that stands, and whether it says the `same`."""

    save_id: str
    same: bool


@dataclass(frozen=True, slots=True)
class Explained:
    """What is right in a practice question, and why: the criterion, the part of it, what the person
    `said` (empty for nothing) and what is `right`, in words, and whether they are the `same`."""

    criterion: str
    part: str
    said: str
    right: str
    why: str
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveReply:
    """The reply to a save. `stored`: it was stored by this request; `extra`: colleagues had done
    all that was needed; `message`: what the person is to know, empty for nothing.

    `pace`: that the person works too fast to read, once. `elsewhere` None unless the save was kept
    aside; `explained` None unless the screen is one of practice.
    """

    ok: bool = True
    save_id: str
    stored: bool
    extra: bool = False
    message: str = ""
    pace: str = ""
    elsewhere: SavedElsewhere | None = None
    explained: Sequence[Explained] | None = None


def keep_aside(
    db: sqlite3.Connection, ws: Workspace, given: Assignment, save_id: str, body: JSON
) -> SaveReply | None:
    """The reply to a save that does not know the one that stands, which is kept aside; None for any
    other save.

    A screen that was skipped has no verdicts yet: what comes then is taken in.
    """
    unknown = given.save_id and str(body.get("after") or "") != given.save_id
    if not unknown or (given.state == "skipped" and not body.get("skipped")):
        return None
    saves.set_aside(db, ws, given, save_id, {k: v for k, v in body.items() if k != "save_id"})
    return reply_aside(db, given, save_id, body)


def reply_aside(db: sqlite3.Connection, given: Assignment, save_id: str, body: JSON) -> SaveReply:
    """What a page is told of a save that was kept aside."""
    stands: dict[str, Value | bool | None] = {}
    for save in saves.standing(db, given):
        stands |= _statements(save.body)
    same = bool(body.get("skipped")) or {**stands, **_statements(body)} == stands
    return SaveReply(
        save_id=save_id,
        stored=False,
        message=say("review.elsewhere.same") if same else say("review.elsewhere.other"),
        elsewhere=SavedElsewhere(given.save_id, same),
    )


def _statements(body: JSON) -> dict[str, Value | bool | None]:
    """What a save says, by what it is said of."""
    cells = {f"cell {item.get('cell')}": item.get("value") for item in body.get("verdicts") or []}
    faults = {
        f"fault {item.get('answer')} {item.get('name')}": item.get("value")
        for item in body.get("faults") or []
    }
    return {
        **cells,
        **faults,
        "comment": body.get("comment") or "",
        "flagged": bool(body.get("flagged")),
    }
