"""A ledger in memory that keeps the order of all notes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from graders.core.records import Reply, Request


class MemoryLedger:
    """Implements graders.workflows.calling.call.Ledger. `notes` holds (what, key, detail) in order,
    "commit" after each batch."""

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

    def flush(self) -> None:
        self.notes.append(("flush", "", ""))

    def known(self, key: str) -> Reply | None:
        return self.usable.get(key)

    def hold(self) -> float:
        return 1.0

    def reserve(
        self, key: str, request: Request, payload: str
    ) -> Literal["bought", "reserved", "elsewhere"]:
        if key in self.usable:
            return "bought"
        if key in self.held_elsewhere:
            return "elsewhere"
        self.held.add(key)
        self.notes.append(("reserve", key, ""))
        return "reserved"

    def sent(self, key: str, attempt: int, cause: str) -> str:
        assert key in self.held, "sent without being reserved"
        self.notes.append(("sent", key, cause))
        return cause

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
