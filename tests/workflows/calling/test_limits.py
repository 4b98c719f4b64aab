"""Limits that are found: how many calls at once, and how long one may take. Time is simulated; one
test asks a real provider."""

from __future__ import annotations

import asyncio
import heapq
import math
import random

import pytest

from graders.workflows.calling._limits import FIRST_REPLIES, SHORTEST, Gate, Patience
from tests.support.caller import Run


def simulated(
    gate: Gate,
    calls: int,
    capacity: int,
    share: float = 0.0,
    latency: float = 0.2,
    again: float = 0.05,
) -> tuple[float, int]:
    """(seconds, refusals) of `calls` to a provider that takes `capacity` at once and refuses the
    others, and a `share` of all, at once."""
    dice = random.Random(5)

    async def run() -> tuple[float, int]:
        now, taken, refusals, left = 0.0, 0, 0, calls
        events: list[tuple[float, int, object]] = [(0.0, n, None) for n in range(calls)]
        heapq.heapify(events)
        idle: list[int] = []
        serial = calls
        while left:
            if idle and gate._has_room():
                idle.pop()
                ticket = await gate.enter()
                serial += 1
                if taken >= capacity or dice.random() < share:
                    refusals += 1
                    heapq.heappush(events, (now + 0.003, serial, (ticket, True)))
                else:
                    taken += 1
                    heapq.heappush(events, (now + latency, serial, (ticket, False)))
                continue
            now, _, what = heapq.heappop(events)
            if what is None:
                idle.append(0)
                continue
            ticket, refused = what  # type: ignore[misc]
            gate.leave(ticket, refused)
            if refused:
                serial += 1
                heapq.heappush(events, (now + again, serial, None))
            else:
                taken -= 1
                left -= 1
        return now, refusals

    return asyncio.run(run())


@pytest.mark.parametrize("capacity", [1, 5, 20, 50])
def test_a_provider_that_takes_fewer_at_once_is_hardly_asked_in_vain(capacity: int) -> None:
    seconds, refusals = simulated(Gate(64), 1500, capacity)
    assert refusals <= (64 - capacity) + 0.03 * 1500
    assert seconds <= 1.25 * math.ceil(1500 / capacity) * 0.2


def test_a_provider_that_takes_all_is_asked_at_the_set_limit() -> None:
    gate = Gate(64)
    assert simulated(gate, 640, 64) == (pytest.approx(10 * 0.2), 0)
    assert gate.limit == gate.peak == 64


def test_refusals_here_and_there_hardly_slow_a_run_down() -> None:
    """One send of twenty is refused whatever is on the way: waiting would not help."""
    seconds, refusals = simulated(Gate(64), 1500, 64, share=0.05)
    assert refusals > 50
    assert seconds <= 1.25 * math.ceil(1500 / 64) * 0.2


def test_a_cut_is_made_once_per_round_trip_to_half_of_where_refusals_began() -> None:
    """Sixteen go out and the last six are refused: eleven is where it began. Later the eleventh is
    refused again."""

    async def run() -> list[float]:
        gate, seen = Gate(16), []
        first = [await gate.enter() for _ in range(16)]
        for ticket in first[10:]:
            gate.leave(ticket, True)
            seen.append(gate.limit)
        for ticket in first[:10]:
            gate.leave(ticket, False)
        seen.append(round(gate.limit, 2))
        for _ in range(120):
            gate.leave(await gate.enter(), False)
        second = [await gate.enter() for _ in range(11)]  # the eleventh is what was too many before
        gate.leave(second[-1], True)
        return [*seen, gate.limit]

    assert asyncio.run(run()) == [16.0, 16.0, 5.5, 5.5, 5.5, 5.5, 10.05, 5.5]


def test_who_waits_at_the_gate_and_is_called_off_leaves_no_place_taken() -> None:
    async def run() -> int:
        gate = Gate(1)
        ticket = await gate.enter()
        waiting = [asyncio.create_task(gate.enter()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        gate.leave(ticket, False)
        waiting[1].cancel()  # it was let in already, and has not run since
        await asyncio.sleep(0)
        gate.leave(await waiting[2], False)
        return gate.flying

    assert asyncio.run(run()) == 0


def lognormal(count: int, middle: float, sigma: float, seed: int) -> list[float]:
    dice = random.Random(seed)
    return [middle * math.exp(sigma * dice.gauss()) for _ in range(count)]


def test_the_time_limit_is_the_set_one_before_fifty_replies() -> None:
    patience = Patience(120.0)
    for seconds in lognormal(FIRST_REPLIES - 1, 2.0, 0.6, 1):
        patience.took(seconds)
        assert patience.limit == 120.0
    patience.took(2.0)
    assert patience.limit < 120.0


@pytest.mark.parametrize("seed", range(5))
def test_the_found_time_limit_gives_up_few_replies_that_would_have_come(seed: int) -> None:
    """Fewer than one of 200 from the fiftieth reply on, though 3 % of the calls hang and are given
    up at the limit."""
    patience, dice, given_up = Patience(120.0), random.Random(seed), 0
    times = lognormal(1500, 2.0, 0.6, seed)
    for seconds in times:
        if dice.random() < 0.03:
            patience.took(patience.limit if patience.limit < 120.0 else 30.0)
        given_up += seconds > patience.limit
        patience.took(min(seconds, patience.limit))
    assert given_up <= 0.005 * len(times)
    # the 99.9 % point of the replies is at 6.4 times the middle
    assert 4 * 2.0 < patience.limit < 14 * 2.0


def test_the_time_limit_follows_a_provider_that_becomes_slow() -> None:
    patience = Patience(120.0)
    for seconds in lognormal(300, 1.0, 0.3, 1):
        patience.took(seconds)
    before, given_up = patience.limit, 0
    for seconds in lognormal(300, 10.0, 0.3, 2):
        given_up += seconds > patience.limit
        patience.took(min(seconds, patience.limit))
    assert before < 10.0 < patience.limit
    assert given_up < 60


def test_limits_of_time_have_a_floor_and_grow_for_a_call_that_was_given_up() -> None:
    patience = Patience(5.0)
    for _ in range(FIRST_REPLIES):
        patience.took(0.001)
    assert patience.limit == SHORTEST
    assert [patience.allowed(n) for n in range(4)] == [1.0, 2.0, 4.0, 5.0]


def test_calls_that_hang_are_given_up_by_the_times_of_the_others(stub) -> None:  # type: ignore[no-untyped-def]
    """Three of a hundred hang for ever, the set limit is a minute: they are asked again after a
    second or two."""
    stub.configure(faults={"hang": 0.03}, latency=0.005, seed=2)
    run = Run(stub.base_url, 80, timeout=60.0)
    hung = stub.stats()["faults"].get("hang", 0)
    stub.configure(faults={}, latency=0.0)
    assert hung > 0 and run.report.usable == 80
    assert run.report.resends["timeout"] == run.report.perhaps_paid_again >= hung
    assert all(outcome.reply.seconds < 10 for outcome in run.outcomes)
