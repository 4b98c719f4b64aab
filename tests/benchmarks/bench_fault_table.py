"""What a provider's faults cost: cells lost per fault, beside those that other graders lose on the
same stub.

The columns of the table of faults: 429 and malformed replies together over 600 calls, then one
fault alone over 400: refused for a while (429), cut at the limit, another schema, a body that ends
early, an error of the server, and no reply at all. The figures of the others were measured with the
same stub and shares, over as many calls with one cell each; a call here carries two cells.
"""

from __future__ import annotations

import time
from typing import Any

from tests.support.caller import Run
from tests.support.stub import provider_stub

AT_ONCE, LATENCY, HANG_LIMIT = 64, 0.05, 40.0
#: (name, calls, shares of faults, cells that others lost).
COLUMNS: tuple[tuple[str, int, dict[str, float], str], ...] = (
    (
        "429 and malformed together",
        600,
        {"rate_limited": 0.05, "malformed": 0.05},
        "openai SDK 29, openevals 29, ragas 1, inspect-ai 28, pydantic-evals 2, DeepEval 31",
    ),
    ("11 % 429", 400, {"rate_limited": 0.11}, "DeepEval 5, others 0"),
    (
        "7 % cut",
        400,
        {"cut": 0.07},
        "openai SDK, openevals, ragas, inspect-ai, DeepEval 28, pydantic-evals 1",
    ),
    (
        "7 % another schema",
        400,
        {"wrong": 0.07},
        "openai SDK, openevals, inspect-ai, DeepEval 28, ragas, pydantic-evals 1",
    ),
    ("7 % truncated", 400, {"truncated": 0.07}, "DeepEval 2, others 0"),
    ("11 % 500", 400, {"server_error": 0.11}, "DeepEval 2, others 0"),
    (
        "7 % hang",
        400,
        {"hang": 0.07},
        "openai SDK, ragas, inspect-ai, pydantic-evals, DeepEval still waiting at 40 s",
    ),
)


def column(name: str, calls: int, faults: dict[str, float], others: str) -> dict[str, Any]:
    """One row: calls without a usable reply at the end; what it took is printed."""
    with provider_stub(latency=LATENCY, faults=faults) as stub:
        begun = time.perf_counter()
        run = Run(stub.base_url, calls, concurrency=AT_ONCE, timeout=HANG_LIMIT, waits=1.0)
        seconds = time.perf_counter() - begun
        met, paid = sum(stub.stats()["faults"].values()), stub.stats()["paid"]
    print(f"{name}: {met} faults met in {paid} paid sends for {calls} calls, {seconds:.0f} s;")
    lost = calls - run.report.usable
    return {
        "name": f"{name}: lost of {calls} ({others})",
        "figure": lost,
        "bar": 0,
        "ratio": None,
        "met": lost == 0 and met > 0,
    }


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (none: the bar is 0), met."""
    return [column(*found) for found in COLUMNS]


if __name__ == "__main__":
    for line in main():
        print(line)
