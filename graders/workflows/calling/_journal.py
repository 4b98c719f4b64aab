"""The ledger as the calling engine sees it, and the journal that writes to it in groups.

A ledger is what stands between a crash and paying twice. Its rule: a call is noted before it is
sent, and its reply is stored before it is used.
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

#: Seconds that groups wait for others before they are flushed to disk together.
FLUSH = 0.02
#: Notes after which a group waits for no others: the first of a burst of replies would else wait
#: for the last one's.
ENOUGH = 12
T = TypeVar("T")
Reserved = Literal["bought", "reserved", "elsewhere"]


class Ledger(Protocol):
    """What is kept about every call. All methods are called from one thread, inside a `batch`.

    A key goes through reserved -> sent (once per send) -> stored (once per reply) -> done, or is
    given up.
    """

    def batch(self) -> AbstractContextManager[object]:
        """One transaction around all that is noted inside; when it ends without an error, the notes
        outlive this process."""

    def flush(self) -> None:
        """Return when all notes of ended batches are on disk, and outlive a power cut. May be
        called beside a batch of another thread."""

    def hold(self) -> float:
        """Seconds after which a batch is better ended, because others may be waiting to write."""

    def known(self, key: str) -> Reply | None:
        """The stored usable reply of a key, if there is one: it is never bought again."""

    def reserve(self, key: str, request: Request, payload: str) -> Reserved:
        """Take a key for this run; `payload` is what the request asks, as canonical JSON.

        ``bought``: there is a usable reply. ``elsewhere``: another living run holds it.
        ``reserved``: it is ours, also where an earlier run gave it up or died; if that run had sent
        it without storing a reply, its next send counts as perhaps paid twice.
        """

    def sent(self, key: str, attempt: int, cause: str) -> str:
        """About to be sent for the `attempt`-th time (from 1); `cause` says why again, empty for
        the first. Renews the hold.

        Returns the cause; for a first send that of an earlier start's, if that had sent the key
        too.
        """

    def stored(self, key: str, reply: Reply, money: float | None, usable: bool, cause: str) -> None:
        """A reply came. `money` is None where its price is unknown; `cause` names why it is not
        usable."""

    def give_up(self, key: str, cause: str, reply: Reply) -> None:
        """No further send in this run; `reply` is the last that said something, kept for people to
        look at."""

    def release(self, key: str) -> None:
        """The run stopped before the key was sent (again): another may take it at once."""


def call_key(request: Request, base_url: str) -> str:
    """The name of a purchase: provider, address, model, canonical request, sample and occasion."""
    return payload_key(request.payload(), base_url)


def payload_key(payload: str, base_url: str) -> str:
    """The name of a purchase whose request is known as canonical JSON."""
    return hashed(f"[{canonical(base_url.rstrip('/'))},{payload}]", length=32)


class Journal:
    """Writes notes to a ledger in one thread, all that gathered while the last group was written as
    one batch; flushes in another."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._thread, self._flusher = (
            ThreadPoolExecutor(1, "ledger"),
            ThreadPoolExecutor(1, "ledger-flush"),
        )
        self._notes: list[Callable[[Ledger], object]] = []
        self._committed: _Wait = None
        self._stored: _Wait = None
        #: Those who wait for groups that are committed and not yet on disk.
        self._unflushed: list[asyncio.Future[None]] = []
        self._writing: asyncio.Task[None] | None = None
        self._flushing: asyncio.Task[None] | None = None

    def put(self, note: Callable[[Ledger], object]) -> asyncio.Future[None]:
        """Add a note. The future is done when it and all notes before it are on disk."""
        self._add(note)
        if self._stored is None:
            self._stored = asyncio.get_running_loop().create_future()
        return self._stored

    def put_quickly(self, note: Callable[[Ledger], object]) -> asyncio.Future[None]:
        """Add a note. The future is done when it and all notes before it outlive this process; they
        are on disk some milliseconds later."""
        self._add(note)
        if self._committed is None:
            self._committed = asyncio.get_running_loop().create_future()
        return self._committed

    def _add(self, note: Callable[[Ledger], object]) -> None:
        self._notes.append(note)
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())

    async def ask(self, questions: Sequence[Callable[[Ledger], T]]) -> list[T]:
        """The answers of the ledger to `questions`, which may also note, in batches of their
        own."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, questions)

    async def aclose(self) -> None:
        """Write what is left and end the threads."""
        while self._writing is not None or self._flushing is not None:
            await asyncio.wait(
                [task for task in (self._writing, self._flushing) if task is not None]
            )
        self._thread.shutdown()
        self._flusher.shutdown()

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._notes:
                await self._company()
                notes, self._notes = self._notes, []
                committed, self._committed = self._committed, None
                stored, self._stored = self._stored, None
                try:
                    await loop.run_in_executor(self._thread, self._run, notes)
                except (
                    Exception
                ) as error:  # callers that wait for the notes must learn that they are not kept
                    _tell((committed, stored), error)
                else:
                    _tell((committed,))
                    # flushed also where no caller waits for it
                    self._unflushed.append(stored or loop.create_future())
                    self._flushing = self._flushing or asyncio.create_task(self._flush())
        finally:
            self._writing = None

    async def _company(self) -> None:
        """Wait as long as each turn of the loop brings further notes, up to ENOUGH: replies come in
        bursts, and few batches serve one."""
        count = 0
        while count < len(self._notes) < ENOUGH:
            count = len(self._notes)
            await asyncio.sleep(0)

    async def _flush(self) -> None:
        try:
            while self._unflushed:
                await asyncio.sleep(FLUSH)
                waiting, self._unflushed = self._unflushed, []
                try:
                    await asyncio.get_running_loop().run_in_executor(
                        self._flusher, self._ledger.flush
                    )
                except Exception as error:
                    _tell(waiting, error)
                else:
                    _tell(waiting)
        finally:
            self._flushing = None

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


_Wait = asyncio.Future[None] | None


def _tell(waiting: Sequence[_Wait], error: Exception | None = None) -> None:
    for one in waiting:
        if one is None or one.done():
            continue
        if error is None:
            one.set_result(None)
        else:
            one.set_exception(error)
