"""Start a run."""

from __future__ import annotations

from graders.web.caller import Caller
from graders.web.calls._run import Run, options_of, run_of
from graders.workflows.runs import runs


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
) -> Run:
    """Start a run that grades what has no present verdict: rules, text metrics and each judge. It
    works on by itself; `run` tells how far it is. A reply that is stored is never bought again.

    A judge's key comes from the server's environment or, for this run alone, in the header
    x-cograde-key (x-cograde-key-openai where providers have different keys).

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
    scope = caller.writing()
    options = options_of(given, caller.keys())
    started = runs.start(scope, project, options, scope.actor.person_id)
    caller.work(scope, started)
    return run_of(scope, project, started.run)
