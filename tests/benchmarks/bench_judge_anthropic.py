"""The judge's bar over Anthropic's protocol: 1,490 real answers, five criteria, 0.2 s a call, 64 at
once, against a bare loop.

As in `bench_judge`: processes of their own, in turns, the same provider on loopback, the same
answers and fields. The bare loop is `messages.create()` on the SDK's default transport with a
semaphore, one call per answer, the same prompt and limits, a schema in which every criterion is
spelled out. Needs the optional data folder.
"""

from __future__ import annotations

import asyncio
import json
import math
import statistics
import time
from typing import Any

from graders.core.records import Request, Subject
from graders.core.rubric import Rubric
from graders.judges.llm import LLMJudge
from graders.providers.anthropic_messages import AnthropicMessages
from tests.benchmarks.bench_judge import (
    AT_ONCE,
    DATA,
    LATENCY,
    TURNS,
    one_turn,
    report,
    run_engine,
    run_module,
    spelled_schema,
    subjects,
)
from tests.support.stub import provider_stub

MODEL = "claude-haiku-5-5"
CPU_SHARE = 0.6


async def run_ours(root: str, cells: list[Subject], rubric: Rubric) -> dict[str, Any]:
    """One run of the engine over all answers."""
    judge = LLMJudge(model=MODEL, provider="anthropic_messages", secret="bench")
    return await run_engine(
        judge, AnthropicMessages(base_url=root, api_key="bench", connections=AT_ONCE), cells, rubric
    )


async def run_bare(root: str, cells: list[Subject], rubric: Rubric) -> dict[str, Any]:
    """The same over `create()`, as one would write it first."""
    from anthropic import AsyncAnthropic

    judge = LLMJudge(model=MODEL, provider="anthropic_messages", secret="bench")
    schema = spelled_schema(rubric)
    gate = asyncio.Semaphore(AT_ONCE)
    requests: list[Request] = judge.requests(cells, rubric, list(rubric.criteria))
    started, used = time.perf_counter(), time.process_time()
    async with AsyncAnthropic(base_url=root, api_key="bench", max_retries=0) as client:

        async def ask(request: Request) -> Any:
            async with gate:
                reply = await client.messages.create(
                    model=MODEL,
                    max_tokens=2000,
                    system="\n".join(text for role, text in request.messages if role == "system"),
                    messages=[
                        {"role": "user", "content": text}
                        for role, text in request.messages
                        if role == "user"
                    ],
                    output_config={"format": {"type": "json_schema", "schema": schema}},
                )
                return json.loads(
                    next(block.text for block in reply.content if block.type == "text")
                )

        found = await asyncio.gather(*(ask(request) for request in requests))
    figures = {"wall": time.perf_counter() - started, "cpu": time.process_time() - used}
    assert all(len(entry) == len(rubric.criteria) for entry in found)
    return figures


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    if not DATA.exists():
        print(f"the judge's bar over Anthropic's protocol is not measured: no data in {DATA}")
        return []
    found: dict[str, list[dict[str, Any]]] = {"ours": [], "bare": []}
    for _ in range(TURNS):
        for which, turns in found.items():
            with provider_stub(latency=LATENCY) as stub:
                turns.append(
                    {**one_turn(which, stub.root, "bench_judge_anthropic"), **stub.stats()}
                )
    ours = {
        key: statistics.median(turn[key] for turn in found["ours"])
        for key in ("wall", "cpu", "requests", "peak")
    }
    cpu = statistics.median(turn["cpu"] for turn in found["bare"])
    answers = len(subjects())
    rows = [
        (
            "judge, Anthropic: wall seconds",
            ours["wall"],
            1.10 * math.ceil(answers / AT_ONCE) * LATENCY,
        ),
        (
            "judge, Anthropic: CPU seconds, against a bare create() loop",
            ours["cpu"],
            CPU_SHARE * cpu,
        ),
        ("judge, Anthropic: calls per answer", ours["requests"] / answers, 1.0),
        ("judge, Anthropic: calls in flight at the peak", ours["peak"], AT_ONCE),
    ]
    return report(rows)


if __name__ == "__main__":
    run_module({"ours": run_ours, "bare": run_bare}, lambda stub: stub.root, main)
