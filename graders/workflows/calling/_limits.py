"""Limits that are found while calls are made: how many a provider takes at once, and how long a
reply may take.

Both are set from outside only as what they may not exceed.
"""

from __future__ import annotations

import asyncio
import math
import time
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from graders.core.contracts import Provider
from graders.core.records import Reply, Request
from graders.core.words import say

#: Sends that the gate remembers: how many were on the way when each began, and whether it was let
#: in.
REMEMBERED = 128
#: Refusals at some number at once are what that number brought, and not chance, where more than
#: FREE + SHARE * (sends at it) are known.
FREE, SHARE = 1.3, 0.15
#: After a cut the way back is quick to one below where refusals began; above it, one more for so
#: many full rounds, and for no fewer than so many replies; where that goes well for this much, the
#: quick way goes on to twice as many.
ROUNDS, REPLIES, BEYOND = 10, 50, 0.5
#: Replies before the time limit is found; the newest of which it is found.
FIRST_REPLIES, LAST_REPLIES = 50, 1000
#: Seconds below which no found time limit goes: a busy machine of one's own can take as long.
SHORTEST = 1.0
#: Standard deviations of the logarithm above its middle: so many, and more while replies are few
#: (``MARGIN + FEW / sqrt(n)``).
MARGIN, FEW = 3.0, 8.0
#: The 90 % point of the normal distribution, by which the spread is told from the 90 % point of
#: what was seen.
_Z90 = 1.2816


@dataclass(slots=True, eq=False)
class Ticket:
    """One send: its number, how many were on the way when it began (itself included), and whether
    it was refused, as far as known."""

    number: int
    at_once: int
    refused: bool = False


@dataclass(slots=True)
class Gate:
    """How many calls may be on the way at once: starts at `most`, halves when the provider refuses
    for rate, and grows again step by step.

    It halves at most once per round trip: a refusal of a send that began before the last cut says
    nothing new. After a cut it grows with every reply to just below where refusals began, then by
    one every few rounds. Refusals here and there, at a number that mostly is let in, bring no cut:
    fewer at once would meet them too.
    """

    most: int
    limit: float = 0.0
    flying: int = 0
    peak: int = 0
    #: Where refusals began at the last cut.
    ceiling: float = 0.0
    #: Sends so far, and how many there were at the last cut.
    count: int = 0
    cut_at: int = 0
    #: Places of refused sends, which stay empty until a reply comes.
    empty: int = 0
    recent: deque[Ticket] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.limit = self.ceiling = float(self.most)

    async def enter(self) -> Ticket:
        """Wait for a place."""
        if self.waiting or not self._has_room():
            place = asyncio.get_running_loop().create_future()
            self.waiting.append(place)
            try:
                await place  # the call that left has counted us in
            except asyncio.CancelledError:
                if place.done() and not place.cancelled():
                    self.flying -= 1
                    self._let_in()
                raise
        else:
            self.flying += 1
        self.count += 1
        self.peak = max(self.peak, self.flying)
        ticket = Ticket(self.count, self.flying)
        self.recent.append(ticket)
        return ticket

    def leave(self, ticket: Ticket, refused: bool) -> None:
        """A send is over; whether the provider `refused` it for rate."""
        self.flying -= 1
        if refused:
            ticket.refused = True
            self.empty += 1
            began = self._began() if ticket.number > self.cut_at else None
            if began is not None:
                self.ceiling, self.limit, self.cut_at = began, max(1.0, began / 2), self.count
        else:
            self.empty = 0
            if self.limit < self.most:
                self._grow()
        self._let_in()

    def _grow(self) -> None:
        if self.limit >= self.ceiling + BEYOND:
            self.ceiling *= 2
        near = self.ceiling - 1
        step = (
            min(1.0, near - self.limit)
            if self.limit < near
            else 1 / max(REPLIES, ROUNDS * self.limit)
        )
        self.limit = min(float(self.most), self.limit + step)

    def _began(self) -> float | None:
        """The lowest number at once at which sends since the last cut were refused, and too often
        for chance; None without one."""
        for level in sorted(
            {
                ticket.at_once
                for ticket in self.recent
                if ticket.refused and ticket.number > self.cut_at
            }
        ):
            there = [ticket.refused for ticket in self.recent if ticket.at_once >= level]
            # or it was too many before
            if sum(there) > FREE + SHARE * len(there) or (self.cut_at and level >= self.ceiling):
                return float(level)
        return None

    def _has_room(self) -> bool:
        return self.flying == 0 or self.flying + self.empty < int(self.limit)

    def _let_in(self) -> None:
        while self.waiting and self._has_room():
            place = self.waiting.popleft()
            if not place.done():
                self.flying += 1
                place.set_result(None)


@dataclass(slots=True)
class Patience:
    """How long a reply may take: at most `most` seconds, and after enough replies what their times
    say.

    Times of replies are taken to be lognormal about their middle, spread as their upper half is:
    the limit is where one of them in about a thousand lies. A call that was given up counts as one
    that took as long, so that the limit follows a provider that becomes slow; a few calls that hang
    hardly move it. With `fixed` there is no limit at all: replies of batches take a day.
    """

    most: float
    clock: Callable[[], float] = time.monotonic
    fixed: bool = False
    limit: float = 0.0
    flights: dict[asyncio.Timeout, tuple[float, int]] = field(default_factory=dict)
    newest: deque[float] = field(default_factory=lambda: deque(maxlen=LAST_REPLIES))
    ordered: list[float] = field(default_factory=list)
    looked: float = 0.0

    def __post_init__(self) -> None:
        if self.fixed:
            self.most = math.inf
        self.limit, self.looked = self.most, self.clock()

    def allowed(self, timeouts: int) -> float:
        """Seconds for a call that was given up `timeouts` times before: twice as many each time."""
        return min(self.most, self.limit * 2.0**timeouts)

    async def carry(self, provider: Provider, request: Request, timeouts: int) -> Reply:
        """The reply to one send; one whose time is over is given up, also where the limit was found
        while it was on the way."""
        begun, scope = self.clock(), asyncio.timeout(None)
        try:
            async with scope:
                self.flights[scope] = (begun, timeouts)
                reply = await provider.send(request, self.allowed(timeouts))
        except TimeoutError:
            seconds = self.clock() - begun
            reply = Reply(
                cause="timeout",
                detail=say("calling.no_reply_within", seconds=seconds),
                seconds=seconds,
            )
        except (
            Exception
        ) as error:  # a provider from outside that breaks its contract must not take the run down
            reply = Reply(
                cause="bad_request",
                detail=say("calling.provider_raised", error=error, kind=type(error).__name__),
            )
        finally:
            self.flights.pop(scope, None)
        if reply.output_tokens is not None or reply.cause == "timeout":
            self.took(self.clock() - begun)
        return reply

    def took(self, seconds: float) -> None:
        """A reply came after `seconds`, or was given up then."""
        if len(self.newest) == LAST_REPLIES:
            del self.ordered[bisect_left(self.ordered, self.newest[0])]
        self.newest.append(seconds)
        insort(self.ordered, seconds)
        count = len(self.ordered)
        if count >= FIRST_REPLIES and not self.fixed:
            middle, high = self.ordered[count // 2], self.ordered[count * 9 // 10]
            spread = math.log(max(high, 1e-6) / max(middle, 1e-6)) / _Z90
            found = max(middle, 1e-6) * math.exp(
                min(50.0, (MARGIN + FEW / math.sqrt(count)) * spread)
            )
            self.limit = min(self.most, max(SHORTEST, found))

    def look(self, every: float) -> None:
        """Give up the calls whose time is over; to be called every so many seconds.

        A look that comes late was held up by our own machine, and replies may lie unread: it gives
        up nothing.
        """
        now, late = self.clock(), self.clock() - self.looked > 2 * every
        self.looked = now
        if late or self.limit >= self.most:
            return
        due = [
            flight
            for flight, (begun, timeouts) in self.flights.items()
            if now - begun > self.allowed(timeouts)
        ]
        for flight in due:
            del self.flights[flight]
            flight.reschedule(0.0)
