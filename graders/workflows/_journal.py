"""The ledger as the calling engine sees it, and the journal that writes to it in groups.

A ledger is what stands between a crash and paying twice. Its rule: a call is noted before it is sent, and its reply
is stored before it is used.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Literal, Protocol, TypeVar

from graders.core.hashing import canonical, hashed
from graders.core.records import Reply, Request

T = TypeVar("T")
Reserved = Literal["bought", "reserved", "elsewhere"]


class Ledger(Protocol):
    """What is kept about every call. All methods are called from one thread, inside a `batch`.

    A key goes through reserved -> sent (once per send) -> stored (once per reply) -> done, or is given up.
    """

    def batch(self) -> AbstractContextManager[object]:
        """One durable transaction around all that is noted inside; when it ends without an error, the notes are kept."""

    def hold(self) -> float:
        """Seconds after which a batch is better ended, because somebody else may be waiting to write."""

    def known(self, key: str) -> Reply | None:
        """The stored usable reply of a key, if there is one: it is never bought again."""

    def reserve(self, key: str, request: Request, payload: str) -> Reserved:
        """Take a key for this run; `payload` is what the request asks, as canonical JSON.

        ``bought``: there is a usable reply. ``elsewhere``: another living run holds it. ``reserved``: it is ours, also
        where an earlier run gave it up or died; if that run had sent it without storing a reply, this is where the
        ledger counts it as perhaps paid.
        """

    def sent(self, key: str, attempt: int, cause: str) -> None:
        """About to be sent for the `attempt`-th time (from 1); `cause` says why again, empty for the first. Renews the hold."""

    def stored(self, key: str, reply: Reply, money: float | None, usable: bool, cause: str) -> None:
        """A reply came. `money` is None where its price is unknown; `cause` names why it is not usable."""

    def give_up(self, key: str, cause: str, reply: Reply) -> None:
        """No further send in this run; `reply` is the last that said something, kept for people to look at."""

    def release(self, key: str) -> None:
        """The run stopped before the key was sent (again): another may take it at once."""


def call_key(request: Request, base_url: str) -> str:
    """The name of a purchase: provider, address, model, canonical request, sample and occasion."""
    return payload_key(canonical(request.payload()), base_url)


def payload_key(payload: str, base_url: str) -> str:
    """The name of a purchase whose request is known as canonical JSON."""
    return hashed(f"[{canonical(base_url.rstrip('/'))},{payload}]", length=32)


class Journal:
    """Writes notes to a ledger in one thread, all that gathered while the last group was written as one batch.

    `pause` is the time in seconds that a group may wait for company.
    """

    def __init__(self, ledger: Ledger, pause: float) -> None:
        self._ledger, self._pause = ledger, pause
        self._thread = ThreadPoolExecutor(1, "ledger")
        self._notes: list[Callable[[Ledger], object]] = []
        self._written: asyncio.Future[None] | None = None
        self._writer: asyncio.Task[None] | None = None

    def put(self, note: Callable[[Ledger], object]) -> asyncio.Future[None]:
        """Add a note. The future is done when it and all notes before it are durably kept."""
        self._notes.append(note)
        if self._written is None:
            self._written = asyncio.get_running_loop().create_future()
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        return self._written

    async def ask(self, questions: Sequence[Callable[[Ledger], T]]) -> list[T]:
        """The answers of the ledger to `questions`, which may also note, in batches of their own."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, questions)

    async def aclose(self) -> None:
        """Write what is left and end the thread."""
        while self._writer is not None:
            await asyncio.wait([self._writer])
        self._thread.shutdown()

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._notes:
                await asyncio.sleep(self._pause)
                notes, self._notes = self._notes, []
                written, self._written = self._written, None
                try:
                    await loop.run_in_executor(self._thread, self._run, notes)
                except Exception as error:  # whoever waits for the notes must learn that they are not kept
                    if written is not None and not written.done():
                        written.set_exception(error)
                else:
                    if written is not None and not written.done():
                        written.set_result(None)
        finally:
            self._writer = None

    def _run(self, notes: Sequence[Callable[[Ledger], T]]) -> list[T]:
        found: list[T] = []
        while len(found) < len(notes):
            with self._ledger.batch():
                until = time.perf_counter() + self._ledger.hold()
                while len(found) < len(notes):
                    found.append(notes[len(found)](self._ledger))
                    if time.perf_counter() > until:
                        break
        return found
