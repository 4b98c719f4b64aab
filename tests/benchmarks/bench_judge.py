"""The judge's bar: 1,490 real answers, five criteria, 0.2 s a call, 64 at once, against a bare loop
over the SDK.

Both loops run side by side: processes of their own, in turns, the same provider on loopback, the
same answers and fields. The bare loop is what one would write first: `chat.completions.create()` on
the SDK's default transport with a semaphore, the same prompt, one call per answer, a schema in
which every criterion is spelled out. The ledger of our loop is the workspace's, in a file with
durable commits. CPU is user and system time of the process between first and last call, imports
left out for both. Needs the optional data folder.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.core.records import Answer, Question, Request, Subject
from graders.core.rubric import Rubric, read_rubric
from graders.judges.asking.schema import opinion_schema
from graders.judges.llm import LLMJudge
from graders.providers.http.connected import Connected
from graders.providers.openai_chat import OpenAIChat
from graders.store.calls.ledger import SqlLedger
from graders.store.calls.runs import add_run, claim
from graders.store.projects import add_project
from graders.store.workspace import open_workspace
from graders.workflows.calling.call import Delivery, call_all
from tests.support.stub import StubProvider, provider_stub

DATA = Path(__file__).parents[2] / "../shared/data/nq301"
LATENCY, AT_ONCE, TURNS = 0.2, 64, 3
RUBRIC = """
rubric: short-answers
criteria:
  correctness: {question: Does the answer agree with a reference?, scale: ["No", "Yes"]}
  relevance: {question: Does it answer what was asked?, scale: ["No", "Yes"]}
  completeness: {question: Is everything there that was asked for?, scale: {from: 1, to: 5}}
  clarity: {question: Is it easy to understand?, scale: {from: 1, to: 5}}
  brevity: {question: Is it free of what nobody asked for?, scale: {from: 1, to: 5}}
"""


def subjects(folder: Path = DATA) -> list[Subject]:
    """All answers of nq301 with their questions."""
    asked = {
        row["id"]: row
        for row in map(json.loads, (folder / "questions.jsonl").open(encoding="utf-8"))
    }
    questions = {
        key: Question(
            id=key, text=row["text"], task_type=row["task_type"], references=tuple(row["reference"])
        )
        for key, row in asked.items()
    }
    answers = (json.loads(line) for line in (folder / "answers.jsonl").open(encoding="utf-8"))
    return [
        Subject(
            questions[row["question_id"]],
            Answer(question_id=row["question_id"], model=row["model"], text=row["text"]),
        )
        for row in answers
    ]


def spelled_schema(rubric: Rubric) -> dict[str, Any]:
    """A schema with one entry per criterion and nothing shared, as a data class per criterion gives
    it."""
    entries = {criterion.name: opinion_schema(criterion.scale) for criterion in rubric.criteria}
    return {
        "type": "object",
        "properties": entries,
        "required": list(entries),
        "additionalProperties": False,
    }


async def run_ours(base_url: str, cells: list[Subject], rubric: Rubric) -> dict[str, Any]:
    """One run of the engine over all answers."""
    return await run_engine(
        LLMJudge(model="stub", secret="bench"),
        OpenAIChat(base_url=base_url, api_key="bench", connections=AT_ONCE),
        cells,
        rubric,
    )


async def run_engine(
    judge: LLMJudge, provider: Connected, cells: list[Subject], rubric: Rubric
) -> dict[str, Any]:
    """One run of the engine over all answers, in a workspace of its own: seconds of wall and
    CPU."""
    by_key = {subject.key: subject for subject in cells}
    criteria = list(rubric.criteria)
    verdicts: list[Any] = []
    with tempfile.TemporaryDirectory() as folder:
        workspace = open_workspace(Path(folder) / "bench.db")
        project = add_project(workspace, "bench", title="bench", seed=1)
        run = add_run(workspace, project, {}, {}, "bench")
        claim(workspace, run)
        started, used = time.perf_counter(), time.process_time()
        report = await call_all(
            (
                request
                for start in range(0, len(cells), 64)
                for request in judge.requests(cells[start : start + 64], rubric, criteria)
            ),
            Delivery(
                provider=provider,
                ledger=SqlLedger(workspace, project, run),
                address=provider.address,
                price=provider.price,
                concurrency=AT_ONCE,
            ),
            read=lambda request, reply: judge.read(request, reply, by_key, rubric),
            on_outcomes=lambda outcomes: verdicts.extend(
                item for outcome in outcomes for item in outcome.items
            ),
        )
        figures = {"wall": time.perf_counter() - started, "cpu": time.process_time() - used}
    await provider.aclose()
    assert report.usable == len(cells) and len(verdicts) == len(cells) * len(criteria), report
    return figures


async def run_bare(base_url: str, cells: list[Subject], rubric: Rubric) -> dict[str, Any]:
    """The same over `create()`, as one would write it first."""
    from openai import AsyncOpenAI

    judge = LLMJudge(model="stub", secret="bench")
    schema = {"name": "verdicts", "strict": True, "schema": spelled_schema(rubric)}
    gate = asyncio.Semaphore(AT_ONCE)
    requests: list[Request] = judge.requests(cells, rubric, list(rubric.criteria))
    started, used = time.perf_counter(), time.process_time()
    async with AsyncOpenAI(base_url=base_url, api_key="bench", max_retries=0) as client:

        async def ask(request: Request) -> Any:
            async with gate:
                reply = await client.chat.completions.create(
                    model="stub",
                    temperature=0.0,
                    max_tokens=2000,
                    messages=[{"role": role, "content": text} for role, text in request.messages],  # type: ignore[misc]
                    response_format={"type": "json_schema", "json_schema": schema},  # type: ignore[typeddict-item]
                )
                return json.loads(reply.choices[0].message.content or "")

        found = await asyncio.gather(*(ask(request) for request in requests))
    figures = {"wall": time.perf_counter() - started, "cpu": time.process_time() - used}
    assert all(len(entry) == len(rubric.criteria) for entry in found)
    return figures


def one_turn(which: str, base_url: str, module: str = "bench_judge") -> dict[str, Any]:
    """Run one loop in a process of its own."""
    command = [sys.executable, "-m", f"tests.benchmarks.{module}", which, base_url]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env=os.environ,
        timeout=600,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    if not DATA.exists():
        print(f"the judge's bar is not measured: no data in {DATA}")
        return []
    found: dict[str, list[dict[str, Any]]] = {"ours": [], "bare": []}
    for _ in range(TURNS):
        for which, turns in found.items():
            with provider_stub(latency=LATENCY) as stub:
                turns.append({**one_turn(which, stub.base_url), **stub.stats()})
    ours = {
        key: statistics.median(turn[key] for turn in found["ours"])
        for key in ("wall", "cpu", "requests", "peak")
    }
    cpu = statistics.median(turn["cpu"] for turn in found["bare"])
    floor = math.ceil(len(subjects()) / AT_ONCE) * LATENCY
    tokens = {
        which: turns[0]["prompt_tokens"] + turns[0]["schema_tokens"]
        for which, turns in found.items()
    }
    answers = len(subjects())
    rows = [
        ("judge: wall seconds", ours["wall"], 1.10 * floor),
        ("judge: CPU seconds, against a bare create() loop", ours["cpu"], 0.5 * cpu),
        ("judge: calls per answer", ours["requests"] / answers, 1.0),
        (
            "judge: tokens of prompt and schema per answer",
            tokens["ours"] / answers,
            0.8 * tokens["bare"] / answers,
        ),
        ("judge: calls in flight at the peak", ours["peak"], AT_ONCE),
    ]
    return report(rows)


def report(rows: Sequence[tuple[str, float, float]]) -> list[dict[str, Any]]:
    """One entry per bar from (name, figure, bar)."""
    return [
        {
            "name": n,
            "figure": round(f, 3),
            "bar": round(b, 3),
            "ratio": round(f / b, 3),
            "met": f <= b + 1e-9,
        }
        for n, f, b in rows
    ]


def run_module(
    loops: Mapping[str, Callable[..., Any]],
    address: Callable[[StubProvider], str],
    measure: Callable[[], list[dict[str, Any]]],
) -> None:
    """The module as a program: with a loop's name and an address it runs that loop, else it prints
    all bars."""
    if len(sys.argv) == 3:
        loop, cells, rubric = loops[sys.argv[1]], subjects(), read_rubric(RUBRIC)
        with provider_stub() as stub:  # so that all modules are loaded before the clock starts
            asyncio.run(loop(address(stub), cells[:AT_ONCE], rubric))
        print(json.dumps(asyncio.run(loop(sys.argv[2], cells, rubric))))
        return
    for row in measure():
        print(
            f"{'MET   ' if row['met'] else 'MISSED'} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
        )


if __name__ == "__main__":
    run_module({"ours": run_ours, "bare": run_bare}, lambda stub: stub.base_url, main)
