"""The plan's judge seconds against the real wall, at three latencies of a provider on loopback, 16
calls at once, 300 calls.

First six answers are tried, so that the model's latency is known; then the plan of the rest, and
the run that it speaks of. A bar is the larger of plan / wall and wall / plan; it holds from 1 to
1.25. Rules and metrics have run before, so that the wall is the judge's.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from graders.store.calls.runs import get_run
from graders.store.workspace import open_workspace
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.stub import provider_stub

LATENCIES, CALLS, FIRST, AT_ONCE, BAR = (0.05, 0.2, 0.5), 300, 6, 16, 1.25
RUBRIC = """
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge]}
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, graders: [judge]}
  clarity: {question: Can it be read once and understood?, scale: {from: 1, to: 5}, graders: [judge]}
"""


def project(folder: Path) -> Scope:
    """`CALLS` answers that no judge has graded, beside those of the first run."""
    scope = small.scope_of(open_workspace(folder / "plan.db"))
    count = (CALLS + FIRST) // 3
    files = small.folder(
        folder,
        "study",
        questions=small.questions(count),
        answers=small.answers(count, ["Ash", "Oak", "Elm"]),
    )
    small.bring(scope, files, rubric=RUBRIC)
    return scope


def work(scope: Scope, options: dict[str, Any]) -> tuple[float, float]:
    """Run to the end: the judge's seconds as planned, and as they were."""
    started = runs.start(scope, "study", options)
    state = runs.execute(scope.ws, started.run, key="bench")
    run = get_run(scope.ws, started.run)
    assert state == "done", run.message
    stage = next(stage for stage in run.progress["stages"] if stage["name"] == "judge")
    return started.plan.judges[0].seconds, stage["took_seconds"]


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    rows = []
    for latency in LATENCIES:
        with tempfile.TemporaryDirectory() as name, provider_stub(latency=latency) as stub:
            scope = project(Path(name))
            options = {
                "judges": ["openai:stub"],
                "base_url": stub.base_url,
                "concurrency": AT_ONCE,
                "needs_key": True,
            }
            work(scope, {**options, "tries": FIRST})
            planned, real = work(scope, options)
        print(f"plan: {planned:.2f} s planned, {real:.2f} s real at {latency} s a call.")
        rows.append(
            (
                f"plan: off by a factor of, at {latency} s a call",
                max(planned / real, real / planned),
            )
        )
    return [
        {"name": n, "figure": round(f, 3), "bar": BAR, "ratio": round(f / BAR, 3), "met": f <= BAR}
        for n, f in rows
    ]


if __name__ == "__main__":
    for row in main():
        print(
            f"{'MET   ' if row['met'] else 'MISSED'} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
        )
