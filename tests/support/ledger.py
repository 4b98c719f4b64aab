"""A ledger in memory that keeps the order of all notes, and one in an SQLite file for measurements."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from graders.core.hashing import canonical
from graders.core.records import Reply, Request


class MemoryLedger:
    """Implements graders.workflows.call.Ledger. `notes` holds (what, key, detail) in order, "commit" after each batch."""

    def __init__(self) -> None:
        self.notes: list[tuple[str, str, str]] = []
        self.usable: dict[str, Reply] = {}
        self.held: set[str] = set()
        self.held_elsewhere: set[str] = set()
        self.given_up: dict[str, tuple[str, Reply]] = {}
        self.money: list[float | None] = []

    @contextmanager
    def batch(self) -> Iterator[None]:
        yield
        self.notes.append(("commit", "", ""))

    def known(self, key: str) -> Reply | None:
        return self.usable.get(key)

    def reserve(self, key: str, request: Request) -> Literal["bought", "reserved", "elsewhere"]:
        if key in self.usable:
            return "bought"
        if key in self.held_elsewhere:
            return "elsewhere"
        self.held.add(key)
        self.notes.append(("reserve", key, ""))
        return "reserved"

    def sent(self, key: str, attempt: int, cause: str) -> None:
        assert key in self.held, "sent without being reserved"
        self.notes.append(("sent", key, cause))

    def stored(self, key: str, reply: Reply, money: float | None, usable: bool, cause: str) -> None:
        self.notes.append(("stored", key, cause))
        self.money.append(money)
        if usable:
            self.usable[key] = reply
            self.held.discard(key)

    def give_up(self, key: str, cause: str, reply: Reply) -> None:
        self.notes.append(("give_up", key, cause))
        self.given_up[key] = (cause, reply)
        self.held.discard(key)

    def release(self, key: str) -> None:
        self.notes.append(("release", key, ""))
        self.held.discard(key)


class FileLedger:
    """The same in an SQLite file with durable commits: what a ledger costs at least."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.execute("PRAGMA synchronous=FULL")
        self.db.execute(
            "CREATE TABLE call (key TEXT PRIMARY KEY, state TEXT, payload TEXT, reply TEXT, sends INT, money REAL) WITHOUT ROWID"
        )

    @contextmanager
    def batch(self) -> Iterator[None]:
        self.db.execute("BEGIN IMMEDIATE")
        yield
        self.db.execute("COMMIT")

    def known(self, key: str) -> Reply | None:
        row = self.db.execute("SELECT reply FROM call WHERE key = ? AND state = 'done'", [key]).fetchone()
        return Reply(**json.loads(row[0])) if row else None

    def reserve(self, key: str, request: Request) -> Literal["bought", "reserved", "elsewhere"]:
        self.db.execute("INSERT OR IGNORE INTO call VALUES (?, 'reserved', ?, NULL, 0, NULL)", [key, canonical(request.payload())])
        return "reserved"

    def sent(self, key: str, attempt: int, cause: str) -> None:
        self.db.execute("UPDATE call SET state = 'sent', sends = sends + 1 WHERE key = ?", [key])

    def stored(self, key: str, reply: Reply, money: float | None, usable: bool, cause: str) -> None:
        text = json.dumps(dict(zip((f.name for f in dataclasses.fields(reply)), reply_values(reply), strict=True)))
        self.db.execute("UPDATE call SET state = ?, reply = ?, money = ? WHERE key = ?", ["done" if usable else "sent", text, money, key])

    def give_up(self, key: str, cause: str, reply: Reply) -> None:
        self.db.execute("UPDATE call SET state = 'given_up' WHERE key = ?", [key])

    def release(self, key: str) -> None:
        self.db.execute("UPDATE call SET state = 'free' WHERE key = ?", [key])


def reply_values(reply: Reply) -> list[object]:
    """The fields of a reply in their order; faster than dataclasses.asdict, which copies."""
    return [getattr(reply, f.name) for f in dataclasses.fields(reply)]
