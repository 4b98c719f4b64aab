"""The engine of `call_all`: what is reserved, sent, sent again by cause, stored and handed over."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice

from graders.core.contracts import Provider
from graders.core.errors import CogradeError, ProviderError
from graders.core.records import Problem, Reply, Request
from graders.core.words import say
from graders.workflows.calling._journal import Journal, Ledger, Reserved, payload_key
from graders.workflows.calling._limits import Gate, Patience, Ticket
from graders.workflows.calling.records import (
    HALTING,
    LEFT,
    MAX_SENDS,
    PATIENCE,
    CallReport,
    Items,
    Job,
    Outcome,
    Pace,
    Wallet,
    asked_again,
    no_price,
    paid,
)

#: Seconds between looks at a stop wish, and at calls that another run holds.
LOOK = 0.2
#: Requests that are looked up and reserved in one batch.
CHUNK = 64


@dataclass(eq=False, kw_only=True)
class Engine:
    """The state of one `call_all`: a feeder reserves ahead, `concurrency` workers send, a journal
    writes."""

    provider: Provider
    journal: Journal
    read: Callable[[Request, Reply], Items]
    outbox: Outbox
    address: str
    wallet: Wallet
    gate: Gate
    patience: Patience
    should_stop: Callable[[], bool]
    sleep: Callable[[float], Awaitable[None]]
    rng: random.Random

    def __post_init__(self) -> None:
        self.report = CallReport()
        self.concurrency = self.gate.most
        self.queue: asyncio.Queue[Job | None] = asyncio.Queue(self.concurrency)
        self.open: dict[str, Job] = {}
        self.elsewhere: list[Job] = []
        self.sleepers: set[asyncio.Task[None]] = set()
        self.pace = Pace(spacing=0.0) if self.patience.fixed else Pace()
        self.fed = False
        #: The last send and what came of it, as long as every one met nobody.
        self.silent: tuple[Request, str, str] | None = None
        self.heard = False
        self.idle, self.settled = asyncio.Event(), asyncio.Event()

    async def run(self, requests: Iterator[Request]) -> CallReport:
        if self.should_stop():
            self.report.stopped = "wish"
        try:
            async with asyncio.TaskGroup() as self.group:
                watcher = self.group.create_task(self._watch())
                self.group.create_task(self._feed(requests))
                for _ in range(self.concurrency):
                    self.group.create_task(self._work())
                await self.idle.wait()
                self.outbox.hurry()
                watcher.cancel()
                for _ in range(self.concurrency):
                    await self.queue.put(None)
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None
        finally:
            await self.journal.aclose()
            self.outbox.close()
        self.report.peak = self.gate.peak
        if self.report.stopped == "budget" and self.silent is not None:
            # The limit ran out on sends that met nobody: raising it would meet nobody again.
            self.report.stopped, self.report.error = "unreachable", self._halted(*self.silent)
        if self.silent is not None:
            # they met nobody: what the run may still call is left to others, and to the next start
            self.report.sends = 0
        return self.report

    # What is asked

    async def _feed(self, requests: Iterator[Request]) -> None:
        while not self.report.stopped and (chunk := list(islice(requests, CHUNK))):
            fresh = []
            for request in chunk:
                payload = request.payload()
                key = payload_key(payload, self.address)
                if key in self.open:
                    self.open[key].requests.append(request)
                else:
                    self.open[key] = job = Job(key, [request], payload)
                    fresh.append(job)
            await self._take(fresh)
            while len(self.elsewhere) > 4 * self.concurrency and not self.report.stopped:
                await asyncio.sleep(LOOK)
        self.fed = True
        self._rest()

    async def _take(self, jobs: Sequence[Job]) -> None:
        """Look up and reserve `jobs`; hand on those that are ours."""

        def look(job: Job, ledger: Ledger) -> tuple[Reserved, Reply | None]:
            reply = ledger.known(job.key)
            taken: Reserved = (
                "bought"
                if reply is not None
                else ledger.reserve(job.key, job.requests[0], job.payload)
            )
            return taken, ledger.known(job.key) if reply is None and taken == "bought" else reply

        found = await self.journal.ask([partial(look, job) for job in jobs])
        for job, (taken, reply) in zip(jobs, found, strict=True):
            if reply is not None:
                self._close(job, reply, known=True)
            elif taken == "elsewhere":
                self.elsewhere.append(job)
            else:
                await self.queue.put(job)

    async def _watch(self) -> None:
        """Look at the wish to stop, at calls whose time is over, and at calls that another run
        holds."""
        while True:
            await asyncio.sleep(LOOK)
            self.patience.look(LOOK)
            if self.should_stop():
                self._stop("wish")
            jobs, self.elsewhere = self.elsewhere, []
            if self.report.stopped:
                for job in jobs:
                    self._forget(job)
            elif jobs:
                await self._take(jobs)

    # What is sent

    async def _work(self) -> None:
        while (job := await self.queue.get()) is not None:
            ticket = await self.gate.enter()
            share = await self._afford(job)
            if share is None:
                self.gate.leave(ticket, refused=False)
                self._release(job)
            else:
                await self._send(job, share, ticket)

    async def _afford(self, job: Job) -> float | None:
        """Money set aside for a send of `job`; None if the run is stopped, or stops here for want
        of it."""
        while not self.report.stopped:
            share = self.wallet.take(job.requests[0])
            if isinstance(share, float):
                return share
            if share == "wait":
                await self.settled.wait()
            elif share == "empty":
                self._stop("budget")
            else:
                self._stop("unknown_price", no_price(job.requests[0].model, self.address))
        return None

    async def _send(self, job: Job, share: float, ticket: Ticket) -> None:
        request, key, again = job.requests[0], job.key, job.resends[-1] if job.resends else ""
        job.sends += 1
        attempt = job.sends
        self.report.sends += 1
        if again:
            self.report.again(job.last, again)
        named: list[str] = []
        # no reply comes before it is on disk
        await self.journal.put_quickly(
            lambda ledger: named.append(ledger.sent(key, attempt, again))
        )
        if named[0] and not again:  # an earlier start had sent it
            self.report.resumed(named[0])
            job.resends.append(named[0])
        once_more = request.again if attempt == 1 and not named[0] else ""
        if once_more:  # its like was answered
            self.report.resends[once_more] += 1
            job.resends.append(once_more)
        await self.pace.turn()
        reply = await self.patience.carry(self.provider, request, job.resends.count("timeout"))
        self.gate.leave(ticket, reply.cause == "rate_limited")
        money = self.wallet.settle(share, request, reply)
        self._wake()
        if reply.cause == LEFT:
            self.report.sends -= 1  # it counts when its reply is taken in
            self.report.resends.subtract([once_more] if once_more else [])
            self._stop(LEFT)
            self._release(job)
            return
        self._hear(request, reply)
        self.report.add(reply, money)
        job.money = None if job.money is None or money is None else job.money + money
        job.unpriced += money is None and paid(reply) == "certainly"
        job.last = reply
        items = () if reply.cause else self.read(request, reply)
        problem = next((item for item in items if isinstance(item, Problem)), None)
        cause = reply.cause or (problem.cause if problem else "")
        detail = reply.detail or (problem.detail if problem else "")
        if reply.text or reply.raw:
            job.said, job.items = reply, items
        written = self.journal.put(
            lambda ledger: ledger.stored(key, reply, money, not cause, cause)
        )
        self._follow(job, cause, detail, written)

    def _follow(self, job: Job, cause: str, detail: str, written: asyncio.Future[None]) -> None:
        """What comes after a reply: use it, ask again, or end."""
        wait = job.last.retry_after
        if not cause:
            self.group.create_task(self._end(job, "", "", written))
        elif (
            asked_again(job.requests[0], job.last, cause)
            and job.sends < MAX_SENDS
            and (wait is None or wait <= PATIENCE)
        ):
            if self.report.stopped:
                self._release(job)
                return
            job.resends.append(cause)
            task = self.group.create_task(self._again(job, job.pause(cause, self.rng)))
            self.sleepers.add(task)
            task.add_done_callback(partial(self._awake, job))
        else:
            said = job.said or job.last
            written = self.journal.put(lambda ledger: ledger.give_up(job.key, cause, said))
            if cause in HALTING:
                self._stop(cause, self._halted(job.requests[0], cause, detail))
                self._forget(job)
            else:
                self.group.create_task(self._end(job, cause, detail, written))

    def _hear(self, request: Request, reply: Reply) -> None:
        """Note a send that met nobody; once somebody answered, a limit that runs out is a limit."""
        self.heard |= reply.cause != "unreachable"
        self.silent = None if self.heard else (request, reply.cause, reply.detail)

    def _halted(self, request: Request, cause: str, detail: str) -> ProviderError:
        """The sentence for a cause that every further call would meet too."""
        return ProviderError(
            f"{request.provider} {request.model} at {self.address}",
            cause=cause,
            found=detail,
            expected=say(f"calling.halting.{cause}.expected"),
            remedy=self.provider.remedy(cause) or say(f"calling.halting.{cause}.remedy"),
        )

    async def _again(self, job: Job, seconds: float) -> None:
        await self.sleep(seconds)
        await self.queue.put(job)

    def _awake(self, job: Job, task: asyncio.Task[None]) -> None:
        """The wait before a repeat is over: `job` is in the queue, or the run was stopped
        meanwhile."""
        self.sleepers.discard(task)
        if task.cancelled():
            self._release(job)

    # How it ends

    async def _end(self, job: Job, cause: str, detail: str, written: asyncio.Future[None]) -> None:
        await written
        self._close(job, (job.said if cause else None) or job.last, cause, detail)

    def _close(
        self, job: Job, reply: Reply, cause: str = "", detail: str = "", known: bool = False
    ) -> None:
        """An outcome for every request of `job`; its reply is stored."""
        made: list[Outcome] = []
        for position, request in enumerate(job.requests):
            items = (
                job.items
                if position == 0 and not known
                else ()
                if reply.cause
                else self.read(request, reply)
            )
            problem = (
                next((item for item in items if isinstance(item, Problem)), None) if known else None
            )
            why, words = (problem.cause, problem.detail) if problem else (cause, detail)
            sends = (
                (0, (), 0.0)
                if known or position
                else (job.sends, tuple(job.resends), job.money, job.unpriced)
            )
            made.append(
                Outcome(request, job.key, reply, items, why, words, known or position > 0, *sends)
            )
            self.report.known += known or position > 0
            if why:
                self.report.unscored[why] += 1
            else:
                self.report.usable += 1
        self._forget(job)
        self.outbox.put(made, self.group)

    def _release(self, job: Job) -> None:
        """The run stops before `job` is sent (again)."""
        self.journal.put(lambda ledger: ledger.release(job.key))
        self._forget(job)

    def _forget(self, job: Job) -> None:
        self.open.pop(job.key, None)
        self._rest()

    def _rest(self) -> None:
        if self.fed and not self.open:
            self.idle.set()

    def _stop(self, why: str, error: CogradeError | None = None) -> None:
        if not self.report.stopped:
            self.report.stopped, self.report.error = why, error
            for task in self.sleepers:
                task.cancel()
            self._wake()

    def _wake(self) -> None:
        self.settled.set()
        self.settled = asyncio.Event()


#: Seconds that outcomes wait for company before they are handed over.
HAND_OVER = 0.05


class Outbox:
    """Hands outcomes over to `take`, which may write to a database. What it raises is raised in the
    task `group`."""

    def __init__(self, take: Callable[[Sequence[Outcome]], None]) -> None:
        self._take = take
        self._outcomes: list[Outcome] = []
        self._delivering = False
        self._last = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "outcomes")

    def put(self, outcomes: Sequence[Outcome], group: asyncio.TaskGroup) -> None:
        """Add outcomes; they are handed over soon."""
        self._outcomes += outcomes
        if not self._delivering:
            self._delivering = True
            group.create_task(self._deliver())

    def hurry(self) -> None:
        """No more outcomes come: those that wait are handed over at once."""
        self._last.set()

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()

    async def _deliver(self) -> None:
        while self._outcomes:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._last.wait(), HAND_OVER)
            group, self._outcomes = self._outcomes, []
            await asyncio.get_running_loop().run_in_executor(self._thread, self._take, group)
        self._delivering = False
