"""Carrying requests in batches: what is sent is gathered, handed in together, and answered when the
provider is through with it.

To the engine of calls this is a provider whose replies take long; so the ledger, budgets, repeats
by cause and the reading of replies are the same. One may leave while a batch is under way, and come
back to it from any process.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from graders.core import discovery
from graders.core.contracts import BatchProvider, Provider
from graders.core.errors import BatchGone, BatchRefused, CogradeError, InputError, ProviderError
from graders.core.provider_names import batched_by, word_of
from graders.core.records import Reply, Request
from graders.core.words import error_parts, say
from graders.store.calls.batches import Batch, BatchLedger
from graders.workflows.calling._journal import call_key
from graders.workflows.calling.judge_setup import JudgeSetup
from graders.workflows.calling.records import LEFT, MAX_SENDS, RETRIED, Price
from graders.workflows.scope.phrases import several

#: Requests of one batch: the least that all providers take.
MOST = 50_000
#: Seconds without a further request after which what is there is handed in.
QUIET = 0.5
#: After these a batch may have been taken all the same: that is looked up.
UNSURE = ("timeout", "connection", "truncated_body", "server_error")
#: Seconds for which such a batch is looked for: the provider may still be making it, and its calls
#: must not go out twice.
GRACE = 300.0
#: Seconds between looks at a batch: the first, the factor of the next, the longest.
FIRST_LOOK, SLOWER, LONGEST_LOOK = 0.5, 1.5, 60.0


def batched(setup: JudgeSetup) -> BatchProvider:
    """The provider that hands in a judge's calls as batches. InputError where its provider takes
    none."""
    carriers = batched_by()
    if setup.provider.name not in carriers:
        raise InputError(
            **error_parts(
                "calling.no_batches",
                name=setup.name,
                provider=setup.provider.name,
                names=", ".join(sorted(map(word_of, carriers))),
            )
        )
    options = {name: getattr(setup.provider, name) for name in setup.provider.options()}
    made: BatchProvider = discovery.make(
        "providers",
        carriers[setup.provider.name],
        {**options, "api_key": setup.provider.api_key, "headers": setup.provider.headers},
    )
    return made


def price_of(setup: JudgeSetup, provider: BatchProvider) -> Price:
    """What a call in a batch costs."""

    def price(
        model: str, input_tokens: int, cached_tokens: int, output_tokens: int
    ) -> float | None:
        whole = setup.provider.price(model, input_tokens, cached_tokens, output_tokens)
        return None if whole is None else whole * provider.price_share

    return price


@dataclass(eq=False)
class BatchCarrier(Provider):
    """Answers each request from a batch. Use as an asynchronous context manager.

    With `stay` it waits until batches end, else it looks at each once and leaves. A caller that
    still waits when it leaves, because of that, because `should_stop` says so or because of an
    `error`, gets a reply with the cause LEFT: nothing is lost by leaving.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = (
        "Gathers requests, hands them in as batches, and waits for their replies."
    )

    inner: Any
    ledger: BatchLedger
    address: str
    price: Price
    should_stop: Callable[[], bool]
    stay: bool = True
    #: What made it leave, if a person has to act; and how far the batches are, in words.
    error: CogradeError | None = None
    news: str = ""
    #: Batches that were lost, in sentences.
    gone: str = ""

    def __post_init__(self) -> None:
        self._waiting: dict[str, tuple[Request, asyncio.Future[Reply]]] = {}
        self._fresh: list[str] = []
        self._last = time.monotonic()
        self._failures = 0

    async def __aenter__(self) -> BatchCarrier:
        self._task = asyncio.create_task(self._work())
        return self

    async def __aexit__(self, *error: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def send(self, request: Request, timeout: float) -> Reply:
        """The reply, when its batch has ended."""
        if self.error is not None:
            return Reply(cause=LEFT)
        key = call_key(request, self.address)
        waiting: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[key] = (request, waiting)
        if key not in self.ledger.under_way:
            self._fresh.append(key)
        self._last = time.monotonic()
        return await waiting

    def remedy(self, cause: str) -> str:
        """What the provider knows to do about a cause."""
        return str(self.inner.remedy(cause))

    async def aclose(self) -> None:
        """Close the provider's client."""
        await self.inner.aclose()

    async def _work(self) -> None:
        """Hand in what gathers and look at what is under way, until an error ends it; callers that
        wait then are told."""
        pause, look_at = FIRST_LOOK, 0.0
        while True:
            await asyncio.sleep(0.05)
            if self.should_stop():
                self._leave()
            now = time.monotonic()
            if now - self._last < QUIET or not self._waiting:
                continue
            try:
                if self._fresh:
                    await self._hand_in()
                    pause, look_at = FIRST_LOOK, 0.0
                elif now >= look_at:
                    ended = await self._look()
                    pause = FIRST_LOOK if ended else min(LONGEST_LOOK, pause * SLOWER)
                    look_at = time.monotonic() + pause
                    if not ended and not self.stay:
                        self._leave()
                self._failures = 0
            except CogradeError as error:
                self._failures += 1
                if self._failures >= MAX_SENDS or not _passes(error):
                    self._give_up(error)
                    return
                look_at = time.monotonic() + pause * 2.0**self._failures
                self._last = look_at - QUIET  # what is fresh waits as long
            except (
                Exception
            ) as error:  # of the store, say: this task must not end while anybody waits for it
                self._give_up(_unforeseen(error, self.address))
                return

    async def _hand_in(self) -> None:
        keys = self._fresh[:MOST]
        batch = await asyncio.to_thread(self.ledger.begin, keys)
        try:
            handle = await self.inner.submit(
                {key: self._waiting[key][0] for key in keys}, batch.mark
            )
        except CogradeError as error:
            if not isinstance(error, ProviderError) or error.cause not in UNSURE:
                await asyncio.to_thread(self.ledger.refused, batch)
                raise
        else:
            await asyncio.to_thread(self.ledger.named, batch.mark, handle)
        self._fresh = self._fresh[len(keys) :]  # others may have come meanwhile

    async def _look(self) -> int:
        """Look at all batches once; how many ended."""
        batches, ended, done, total = self.ledger.batches(), 0, 0, 0
        known = {batch.handle for batch in batches}
        for batch in batches:
            there = batch if batch.handle else await self._found(batch, known)
            if there is None:
                ended += 1
                continue
            total += len(there.keys)
            if not there.handle:
                continue
            try:
                state = await self.inner.poll(there.handle)
                if state.ended:
                    await self._take(there)
            except BatchGone as error:
                await self._drop_lost(there, error)
                ended += 1
                continue
            # a batch that was taken in by half counts all of it
            done += min(state.done, len(there.keys))
            ended += state.ended
        self.news = (
            say("calling.batches_done", n=done, calls=several(total, "call")) if total else ""
        )
        return ended

    async def _found(self, batch: Batch, known: set[str]) -> Batch | None:
        """A batch whose handle was not noted, as it is where it may yet appear; None for one that
        never arrived: then its calls are handed in anew."""
        handle = await self.inner.search(batch.mark, len(batch.keys), batch.at, known)
        if handle:
            await asyncio.to_thread(self.ledger.named, batch.mark, handle)
            return replace(batch, handle=handle)
        if self.ledger.age(batch) < GRACE:
            return batch
        await asyncio.to_thread(self.ledger.refused, batch)
        self._fresh.extend(key for key in batch.keys if key in self._waiting)
        return None

    async def _take(self, batch: Batch) -> None:
        """Hand out the replies of a batch; what it did not answer is asked again, by a cause that
        says so."""
        try:
            replies: Mapping[str, Reply] = await self.inner.fetch(batch.handle)
        except BatchRefused:
            # or every later run would fetch it again, and fail
            await asyncio.to_thread(self.ledger.refused, batch)
            raise
        self.ledger.under_way -= set(batch.keys)
        others, handed, fresh = {}, [], set(self._fresh)
        for key in batch.keys:
            waiting = None if key in fresh else self._waiting.pop(key, None)
            if waiting is not None:
                handed.append(key)
                waiting[1].set_result(
                    replies.get(
                        key,
                        Reply(cause="server_error", detail=say("calling.batch_no_reply")),
                    )
                )
            elif key in replies:
                others[key] = (replies[key], self._cost(replies[key]))
        # The batch is forgotten only when the engine has stored all that it was given: a crash
        # before that finds it again.
        while await asyncio.to_thread(self.ledger.awaited, handed):
            await asyncio.sleep(0.02)
        await asyncio.to_thread(self.ledger.ended, batch, others)

    async def _drop_lost(self, batch: Batch, error: BatchGone) -> None:
        """Drop a batch that the provider does not know: its calls are asked again, as perhaps paid,
        for a cause that says so."""
        await asyncio.to_thread(self.ledger.gone, batch)
        self.gone += " " + say("calling.batch_unknown", error=error, n=len(batch.keys))
        fresh = set(self._fresh)
        for key in batch.keys:
            waiting = None if key in fresh else self._waiting.pop(key, None)
            if waiting is not None:
                waiting[1].set_result(
                    Reply(cause="connection", detail=say("calling.batch_gone", found=error.found))
                )

    def _cost(self, reply: Reply) -> float | None:
        if reply.input_tokens is None or reply.output_tokens is None:
            return 0.0 if reply.cause else None
        return self.price(
            reply.model, reply.input_tokens, reply.cached_tokens or 0, reply.output_tokens
        )

    def _give_up(self, error: CogradeError) -> None:
        self.error = error
        self._leave()

    def _leave(self) -> None:
        """End all that wait; those that were not handed in were not sent."""
        self._fresh.clear()
        waiting, self._waiting = self._waiting, {}
        for _, reply in waiting.values():
            if not reply.done():
                reply.set_result(Reply(cause=LEFT))


def _passes(error: CogradeError) -> bool:
    """Whether an error may be gone at the next try."""
    return (
        isinstance(error, ProviderError)
        and not isinstance(error, BatchRefused)
        and error.cause in RETRIED
    )


def _unforeseen(error: Exception, address: str) -> ProviderError:
    """An unforeseen error, as a sentence."""
    return ProviderError(
        cause="server_error",
        **error_parts(
            "calling.batch_stopped", address=address, error=error, kind=type(error).__name__
        ),
    )
