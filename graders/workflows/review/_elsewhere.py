"""A screen that the same person saved elsewhere meanwhile: in another tab, or by a reply that was
lost on its way.

A page says which of the person's saves of the screen it knows (`after`). A save that does not know
the one that stands is kept aside: it is stored for whoever wants to trace it, none of its verdicts
count, and the person is told. To replace what stands the person goes back to the screen and saves
it again, which amends it, traceably, as any later save does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from graders.store.desk import saves
from graders.store.desk.assignments import Assignment
from graders.store.workspace import Workspace

_SAME = "You saved this screen in another tab already. Nothing was stored twice."
_OTHER = (
    "You saved this screen in another tab already, with other values; those stand. "
    "What you chose here is kept: go back to the screen, and "
    "save it to replace them."
)


def keep_aside(
    db: sqlite3.Connection, ws: Workspace, given: Assignment, save_id: str, body: Mapping[str, Any]
) -> dict[str, Any] | None:
    """The reply to a save that does not know the one that stands, which is kept aside; None for any
    other save.

    A screen that was skipped has no verdicts yet: what comes then is taken in.
    """
    unknown = given.save_id and str(body.get("after") or "") != given.save_id
    if not unknown or (given.state == "skipped" and not body.get("skipped")):
        return None
    saves.set_aside(db, ws, given, save_id, {k: v for k, v in body.items() if k != "save_id"})
    return told(db, given, save_id, body)


def told(
    db: sqlite3.Connection, given: Assignment, save_id: str, body: Mapping[str, Any]
) -> dict[str, Any]:
    """What a page is told of a save that was kept aside: whether it says the `same` as what stands,
    and that in words."""
    stands: dict[str, Any] = {}
    for one in saves.standing(db, given):
        stands |= _said(one["body"])
    mine = _said(body)
    same = bool(body.get("skipped")) or {**stands, **mine} == stands
    reply = {
        "ok": True,
        "save_id": save_id,
        "stored": False,
        "extra": False,
        "message": _SAME if same else _OTHER,
    }
    return {**reply, "elsewhere": {"save_id": given.save_id, "same": same}}


def _said(body: Mapping[str, Any]) -> dict[str, Any]:
    """What a save says, by what it is said of."""
    cells = {f"cell {one.get('cell')}": one.get("value") for one in body.get("verdicts") or []}
    faults = {
        f"fault {one.get('answer')} {one.get('name')}": one.get("value")
        for one in body.get("faults") or []
    }
    return {
        **cells,
        **faults,
        "comment": body.get("comment") or "",
        "flagged": bool(body.get("flagged")),
    }
