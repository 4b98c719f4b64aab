"""Grade a project: rules, metrics and judges, then routes."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from graders.commands._progress import work
from graders.commands._shell import Context, JsonOption, ProjectOption, WorkspaceOption, messages, project_for, scope_for, show
from graders.core.errors import InputError, StoppedEarly
from graders.store import runs as run_store
from graders.workflows import run_options, runs, tryout, wishes


def command(
    judge: Annotated[list[str] | None, typer.Option(help="PROVIDER:MODEL, such as openai:gpt-4o-mini; may be given several times.")] = None,
    concurrency: Annotated[int, typer.Option(help="Calls at once.")] = 64,
    budget: Annotated[float | None, typer.Option(help="Stop at this many US dollars.")] = None,
    max_calls: Annotated[int | None, typer.Option(help="Stop at this many calls.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds for one call.")] = 120.0,
    try_: Annotated[
        int, typer.Option("--try", min=0, max=run_options.MOST_TRIES, help="Ask about so many answers only, and show what comes back.")
    ] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the project's unfinished run.")] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Show the plan and stop.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Run rules, metrics and judges on what is not known yet, then route. Shows the plan with its price first.

    Ctrl-C pauses the run: what is on its way is taken in. A second one ends at once; --resume goes on after either.

    Example: cograde grade --judge openai:gpt-4o-mini --try 5, then the same with --concurrency 32 --budget 5 --yes
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    latest = runs.status(scope, name)["run"]
    if resume and (latest is None or latest["state"] == "done"):
        raise InputError(
            f"project {name!r}",
            found="no unfinished run",
            expected="a run that was paused, stopped or interrupted",
            remedy="Start one with: cograde grade.",
        )
    if resume and latest is not None:
        run_id = latest["id"]
        if latest["alive"]:
            raise wishes.busy(run_id)
        runs.wish(scope, name, run_id, "run")
    else:
        options = {
            "judges": judge or [],
            "concurrency": concurrency,
            "budget_money": budget,
            "budget_calls": max_calls,
            "timeout": timeout,
            "tries": try_ or None,
        }
        agreed = runs.plan(scope, name, options)
        messages.print(_plan_text(agreed), markup=False)
        if plan:
            show(agreed, as_json, lambda: "")
            return
        if not yes and sys.stdin.isatty() and not typer.confirm("Start?", default=True, err=True):
            raise typer.Exit(3)
        if latest is not None and latest["state"] in run_store.ACTIVE and not latest["alive"]:
            run_store.end(scope.ws, latest["id"], "stopped", "Its process ended; what it bought is kept.", latest["progress"])
        run_id = runs.start(scope, name, options)["run"]
    state = work(scope, run_id, Context.settings.models())
    if state == "running":  # another was faster
        raise wishes.busy(run_id)
    found = run_store.get_run(scope.ws, run_id)
    result = {"run": run_id, "state": state, "message": found["message"], **found["progress"]}
    if found["settings"].get("tries"):
        result["tried"] = tryout.tried(scope, name, run_id)
    show(result, as_json, lambda: _end_text(result))
    if state == "done" and result["without_verdict"]:
        raise StoppedEarly(
            f"run {run_id}",
            found=f"{result['without_verdict']} cells without a verdict",
            expected="a verdict on every cell",
            remedy="Their reasons stand in the results; cograde grade asks again.",
        )
    if state != "done":
        raise StoppedEarly(
            f"run {run_id}", found=f"{state}: {found['message']}", expected="a run to its end", remedy="Go on with: cograde grade --resume"
        )


def _plan_text(plan: dict[str, Any]) -> str:
    rules, metrics = (", ".join(plan[kind]) or "none" for kind in ("rules", "metrics"))
    lines = [f"Plan: {plan['cells']} cells of {plan['subjects']} answers; rules {rules}; metrics {metrics}"]
    for judge in plan["judges"]:
        money = "price unknown" if judge["money"] is None else f"${judge['money']:.2f}"
        assumed = "" if judge["measured"] else " (assumed until the first replies)"
        lines.append(
            f"  {judge['name']}: {judge['calls']} calls, {judge['known']} known already, about {judge['input_tokens']} + "
            f"{judge['output_tokens']} tokens, {money}, {judge['seconds']:.0f} s{assumed}"
        )
    return "\n".join([*lines, *plan["problems"]])


def _money(judge: dict[str, Any]) -> str:
    """What a judge cost; an unknown price is unknown, not 0."""
    unpriced = judge.get("unpriced", 0)
    known = f"${judge['money']:.4f}"
    return known if not unpriced else f"{unpriced} replies of unknown price" + (f" beside {known}" if judge["money"] else "")


def _end_text(result: dict[str, Any]) -> str:
    lines = [f"Run {result['run']}: {result['state']}. {result['message']}".strip()]
    for judge in result["judges"]:
        resends = ", ".join(f"{cause} {n}" for cause, n in judge["resends"].items()) or "none"
        lines.append(
            f"  {judge['name']}: {judge['done']} calls, {judge['known']} known, {judge['without_verdict']} cells without a verdict, "
            f"sent again: {resends}, {_money(judge)}"
        )
    return "\n".join([*lines, *(_tried_lines(result["tried"]) if "tried" in result else [])])


def _tried_lines(found: dict[str, Any]) -> list[str]:
    """What a try brought: value, evidence and rationale of every cell, seconds and money of every answer."""
    lines = ["", found["title"]]
    for answer in found["answers"]:
        lines.append(f"\n{answer['model']} on {answer['question']!r}")
        for judge in answer["judges"]:
            seconds = "no usable reply" if judge["seconds"] is None else f"{judge['seconds']:.1f} s"
            price = "price unknown" if judge["money"] is None else f"${judge['money']:.4f}"
            lines.append(f"  {judge['name']}: {seconds}" + (f", {price}" if judge["seconds"] is not None else ""))
            for cell in judge["cells"]:
                value = cell["word"] or str(cell["value"]) if cell["value"] is not None else f"no verdict ({cell['reason']})"
                quotes = "; ".join(
                    f"“{e['quote']}”" + ("" if e["found"] else " (not in the answer)") for e in cell["evidence"] if e["quote"]
                )
                name = cell["title"] + (f", {cell['part']}" if cell["part"] else "")
                lines.append(f"    {name}: {value}" + (f" - {quotes}" if quotes else ""))
                lines += [f"      {cell['rationale']}"] if cell["rationale"] else []
    if found["measured"]:
        lines.append("\nPlans go by these calls from now on.")
    return lines
