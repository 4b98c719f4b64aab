"""Carrying requests to a provider: the only place that spends money.

Every request ends as an Outcome, usable or with a named cause, unless the run is stopped before.
Sends are repeated by cause, never silently. The ledger is told before a send, and keeps a reply
before anybody uses it, so that after a crash only what was on the way can be asked again.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Sequence

from graders.core.collector import rarely_collecting
from graders.core.contracts import Provider
from graders.core.records import Reply, Request
from graders.workflows.calling._engine import Engine
from graders.workflows.calling._journal import Journal, Ledger, call_key
from graders.workflows.calling._limits import Gate, Patience
from graders.workflows.calling._outcome_groups import Outbox
from graders.workflows.calling.records import (
    Budget,
    CallReport,
    Items,
    Outcome,
    Price,
    Wallet,
    unknown_price,
)

__all__ = ["Budget", "CallReport", "Ledger", "Outcome", "call_all", "call_key"]


async def call_all(
    requests: Iterable[Request],
    *,
    provider: Provider,
    ledger: Ledger,
    read: Callable[[Request, Reply], Items],
    on_outcomes: Callable[[Sequence[Outcome]], None],
    address: str = "",
    price: Price = unknown_price,
    concurrency: int = 64,
    limit: Budget | None = None,
    timeout: float = 120.0,
    in_batches: bool = False,
    should_stop: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    rng: random.Random | None = None,
) -> CallReport:
    """Send all `requests`, at most `concurrency` at once and each within `timeout` seconds, and
    report.

    Both are upper bounds: how many the provider takes and how long its replies take is found on the
    way (`_limits`). Calls that travel `in_batches` have no limit of time.

    `read` is pure and says what a reply holds; any Problem in it makes the reply unusable.
    `on_outcomes` gets groups of outcomes after their replies are stored, in one thread that is not
    the loop's, so it may write to a database. `address` and `price` are the provider's. Raises only
    what `ledger`, `read` or `on_outcomes` raise.
    """
    engine = Engine(
        provider=provider,
        journal=Journal(ledger),
        read=read,
        outbox=Outbox(on_outcomes),
        address=address,
        wallet=Wallet(limit or Budget(), price),
        gate=Gate(concurrency),
        patience=Patience(timeout, fixed=in_batches),
        should_stop=should_stop,
        sleep=sleep,
        rng=rng or random.Random(),
    )
    with rarely_collecting():
        return await engine.run(iter(requests))
