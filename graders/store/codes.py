"""The short codes of people, kept as hashes with the number of wrong ones that were typed in a
row."""

from __future__ import annotations

from typing import NamedTuple

from graders.store.workspace import Workspace


class Kept(NamedTuple):
    """What is kept of a person's code: `salt$hash`, "" for none; wrong ones in a row, and when the
    last of them was typed."""

    code: str
    wrong: int
    wrong_at: str


def kept(ws: Workspace, person_id: str) -> Kept:
    """What is kept of the code of a person who is there."""
    row = ws.db.execute(
        "SELECT code, wrong_codes, wrong_at FROM person WHERE id = ?", (person_id,)
    ).fetchone()
    return Kept(*row) if row is not None else Kept("", 0, "")


def keep(ws: Workspace, person_id: str, code: str) -> None:
    """Let a person have another code; wrong ones are forgotten."""
    with ws.write() as db:
        db.execute(
            "UPDATE person SET code = ?, wrong_codes = 0, wrong_at = '' WHERE id = ?",
            (code, person_id),
        )


def count_try(ws: Workspace, person_id: str, most: int, since: str) -> bool:
    """Count a try before it is looked at, so that many at once are no more than `most` in a row;
    False, and nothing is counted, where so many were wrong and the last came after `since`."""
    with ws.write() as db:
        db.execute(
            "UPDATE person SET wrong_codes = 0 WHERE id = ? AND wrong_at <= ?", (person_id, since)
        )
        done = db.execute(
            "UPDATE person SET wrong_codes = wrong_codes + 1, wrong_at = ? "
            "WHERE id = ? AND wrong_codes < ?",
            (ws.now(), person_id, most),
        )
        return done.rowcount > 0


def forgive(ws: Workspace, person_id: str) -> None:
    """The right code was typed: wrong ones are forgotten."""
    with ws.write() as db:
        db.execute("UPDATE person SET wrong_codes = 0, wrong_at = '' WHERE id = ?", (person_id,))
