"""What a run would do and cost."""

from __future__ import annotations

from graders.web.caller import Caller
from graders.web.calls._run import options_of
from graders.workflows.runs import runs
from graders.workflows.runs.run_plan import RunPlan


def call(
    caller: Caller,
    project: str,
    judge: list[str] | None = None,
    budget: float | None = None,
    max_calls: int | None = None,
    tries: int | None = None,
    panel: str = "",
    metrics: list[str] | None = None,
    faults: bool = False,
    batch: bool = False,
    concurrency: int | None = None,
    base_url: str = "",
) -> RunPlan:
    """What `grade` with the same arguments would do: cells, and per judge calls, tokens, US dollars
    and seconds. Nothing is sent anywhere.

    Args:
        project: the project's name
        judge: judges as PROVIDER:MODEL, such as openai:gpt-4o-mini, or the names of those that were
            set up; without one, rules and text metrics grade
        budget: stop at so many US dollars
        max_calls: stop at so many calls
        tries: ask judges about so many answers only, to see what comes back
        panel: make one verdict of several judges': median, majority, or none
        metrics: text scores, beside those of the rubric
        faults: ask judges for named faults too, in one more call per answer
        batch: hand calls in as batches: half the price, within a day
        concurrency: calls at once, 64 unless told otherwise
        base_url: the address of the judges, where it is not the provider's own
    """
    given = {
        "judge": judge,
        "budget": budget,
        "max_calls": max_calls,
        "tries": tries,
        "panel": panel,
        "metrics": metrics,
        "faults": faults,
        "batch": batch,
        "concurrency": concurrency,
        "base_url": base_url,
    }
    return runs.plan(caller.scope, project, options_of(given, caller.keys()))
