"""Carrying requests to a provider: the only place that spends money.

Every request ends as an Outcome, usable or with a named cause, unless the run is stopped before.
Sends are repeated by cause, never silently. The ledger is told before a send, and keeps a reply
before anybody uses it, so that after a crash only what was on the way can be asked again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from graders.core.contracts import Provider
from graders.core.garbage import rarely_collecting
from graders.core.records import Reply, Request
from graders.workflows.calling._engine import Engine, Outbox
from graders.workflows.calling._journal import Journal, Ledger, Reserved, call_key
from graders.workflows.calling._limits import Gate, Patience
from graders.workflows.calling.records import (
    Budget,
    CallReport,
    Items,
    Outcome,
    Price,
    Wallet,
    unknown_price,
)

__all__ = [
    "Budget",
    "CallReport",
    "Delivery",
    "Ledger",
    "Outcome",
    "Reserved",
    "call_all",
    "call_key",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """How requests reach a provider, where its replies are kept, and what may be spent.

    `address` and `price` are the provider's. At most `concurrency` requests are under way, each for
    at most `timeout` seconds; both are upper bounds: how many the provider takes and how long its
    replies take is found on the way (`_limits`). Calls that travel `in_batches` have no limit of
    time. Once `should_stop` is true, nothing more is sent.
    """

    provider: Provider
    ledger: Ledger
    address: str = ""
    price: Price = unknown_price
    concurrency: int = 64
    limit: Budget | None = None
    timeout: float = 120.0
    in_batches: bool = False
    should_stop: Callable[[], bool] = lambda: False


async def call_all(
    requests: Iterable[Request],
    delivery: Delivery,
    *,
    read: Callable[[Request, Reply], Items],
    on_outcomes: Callable[[Sequence[Outcome]], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    rng: random.Random | None = None,
) -> CallReport:
    """Send all `requests` as `delivery` says, and report.

    `read` is pure and says what a reply holds; any Problem in it makes the reply unusable.
    `on_outcomes` gets groups of outcomes after their replies are stored, in one thread that is not
    the loop's, so it may write to a database. Raises only what the ledger, `read` or `on_outcomes`
    raise.
    """
    engine = Engine(
        provider=delivery.provider,
        journal=Journal(delivery.ledger),
        read=read,
        outbox=Outbox(on_outcomes),
        address=delivery.address,
        wallet=Wallet(delivery.limit or Budget(), delivery.price),
        gate=Gate(delivery.concurrency),
        patience=Patience(delivery.timeout, fixed=delivery.in_batches),
        should_stop=delivery.should_stop,
        sleep=sleep,
        rng=rng or random.Random(),
    )
    with rarely_collecting():
        return await engine.run(iter(requests))
