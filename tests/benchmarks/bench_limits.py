"""The bars for limits that are found: a provider at which calls hang, and one that takes fewer at
once than we are set to.

The engine asks the stub provider about made-up answers, with a ledger in memory. Hanging: 3 % of
the calls never end, latencies are lognormal (sigma .6), the set time limit is 120 s; compared with
a run without hanging calls. Taking fewer: 20 at once, all others refused at once with 429; compared
with ``ceil(n / 20)`` rounds.
"""

from __future__ import annotations

import math
import time
from typing import Any

from tests.support.caller import Run
from tests.support.stub import StubProvider, provider_stub

CALLS, AT_ONCE = 1_490, 64
MIDDLE, SIGMA, HANGING = 0.25, 0.6, 0.03
LATENCY, CAPACITY = 0.2, 20


def asked(stub: StubProvider) -> tuple[Run, float]:
    """One run over all answers with the usual limits: what came of it, and its seconds."""
    begun = time.perf_counter()
    run = Run(stub.base_url, CALLS, concurrency=AT_ONCE, timeout=120.0, waits=1.0)
    return run, time.perf_counter() - begun


def hanging() -> list[dict[str, Any]]:
    """Rows for calls that hang."""
    with provider_stub(latency=MIDDLE, spread=SIGMA) as stub:
        _, clean = asked(stub)
    with provider_stub(latency=MIDDLE, spread=SIGMA, faults={"hang": HANGING}) as stub:
        run, wall = asked(stub)
        stats = stub.stats()
    hung = stats["faults"]["hang"]
    given_up = run.report.resends["timeout"] + run.report.unscored["timeout"]
    return [
        row(f"{hung} of {stats['requests']} calls hang: cells lost", CALLS - run.report.usable, 0),
        row("hanging calls: wall against a run without them", wall / clean, 2.0),
        row(
            "hanging calls: replies given up that would have come, share of the calls",
            max(0, given_up - hung) / stats["requests"],
            0.005,
        ),
        row(
            "hanging calls: given up and asked again, but not counted as perhaps paid",
            given_up - run.report.perhaps_paid_again,
            0,
        ),
    ]


def crowded() -> list[dict[str, Any]]:
    """Rows for a provider that takes 20 at once."""
    with provider_stub(latency=LATENCY, capacity=CAPACITY) as stub:
        run, wall = asked(stub)
        stats = stub.stats()
    refused = stats["faults"].get("rate_limited", 0)
    return [
        row(
            f"{CAPACITY} taken at once, {AT_ONCE} set: 429s as a share of the calls",
            refused / stats["requests"],
            0.05,
        ),
        row(
            "taken fewer than set: wall against full rounds",
            wall / (math.ceil(CALLS / CAPACITY) * LATENCY),
            1.25,
        ),
        row("taken fewer than set: cells lost", CALLS - run.report.usable, 0),
    ]


def row(name: str, figure: float, bar: float) -> dict[str, Any]:
    """One line of the report."""
    return {
        "name": name,
        "figure": round(figure, 4),
        "bar": bar,
        "ratio": round(figure / bar, 3) if bar else None,
        "met": figure <= bar,
    }


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    return [*hanging(), *crowded()]


if __name__ == "__main__":
    for line in main():
        print(line)
