"""Grade a project: rules, metrics and judges, then routes."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from graders.commands._grade_words import end_text, plan_text
from graders.commands._progress import work
from graders.commands._shell import (
    Context,
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    hint,
    messages,
    not_started,
    project_for,
    scope_for,
    show,
    start_question,
)
from graders.commands._values import above_zero, one_of
from graders.core.errors import CogradeError, InputError, StoppedEarly, UsageError
from graders.core.run_state import RunState
from graders.core.shapes import JSON
from graders.core.words import carried, error_parts
from graders.store.calls import runs as run_store
from graders.workflows.calling import run_options
from graders.workflows.measuring import text_scores
from graders.workflows.results import score_means
from graders.workflows.runs import run_control, runs, shown_run, tryout
from graders.workflows.runs.limits import RENEWED, Limit, reached
from graders.workflows.runs.shown_run import ShownRun
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import several

say = carried(
    "command_grade",
    {
        "judge.help": (
            "PROVIDER:MODEL, such as openai:gpt-4o-mini, or a judge that was set up; "
            "CRITERION=PROVIDER:MODEL for one criterion; may be repeated."
        ),
        "concurrency.help": "Max concurrent requests.",
        "budget.help": "Budget limit in US dollars.",
        "max_calls.help": "Limit on the number of calls.",
        "timeout.help": "Seconds for one call.",
        "try.help": "Ask about so many answers only, and show the replies.",
        "panel.help": "Combine the judges' verdicts: median or majority; none ends that.",
        "panel.default": "as before",
        "metric.help": (
            "A text score beside the rubrics' own, such as bleu; may be repeated. none ends them."
        ),
        "metric.default": "as before",
        "base_url.help": (
            "PROVIDER=ADDRESS, such as openai=http://127.0.0.1:8000/v1; may be repeated."
        ),
        "key_variable.help": "PROVIDER=NAME of the variable that holds its key; may be repeated.",
        "header.help": (
            'PROVIDER="Name: value" that goes with every call, $VARIABLE for a secret; may be '
            "repeated."
        ),
        "split.help": (
            "PROVIDER:MODEL that splits answers into claims, each then graded by itself."
        ),
        "split.default": "by sentence",
        "faults.help": "Ask the judges for named faults too: one more call per answer.",
        "no_anchors.help": "Do not ask judges that changed about the anchor questions first.",
        "batch.help": (
            "Use the provider's batch API: half the price, within a day. The command ends after "
            "that; --resume fetches the replies."
        ),
        "wait.help": "With --batch: wait until the batch is done.",
        "resume.help": "Resume the project's unfinished run; takes other limits.",
        "plan.help": "Show the plan and stop.",
        "yes.help": "Do not ask.",
        "help": (
            "Run rules, metrics and judges, then route. Only what is not known yet is done. Shows "
            "the plan with its price first.\n\n"
            "Ctrl-C pauses the run: replies to calls under way are kept. A second one ends it at "
            "once; --resume goes on after either.\n\n"
            "With --resume, --budget and --max-calls are limits for the whole run, what it spent "
            "before included.\n\n"
            "Example: cograde grade --judge openai:gpt-4o-mini --try 5, then the same with "
            "--concurrency 32 --budget 5 --yes"
        ),
        "error.resume.where": "option --resume",
        "error.resume.found": "{options} beside it",
        "error.resume.expected": "at most {renewed}",
        "error.resume.remedy": (
            "A run goes on with the options that it was started with. Leave that out, or start a "
            "new run without --resume."
        ),
        "error.nothing_to_resume.where": "project {name!r}",
        "error.nothing_to_resume.found": "no unfinished run",
        "error.nothing_to_resume.expected": "a run that was paused, stopped or interrupted",
        "error.nothing_to_resume.remedy": "Start one with: cograde grade.",
        "error.not_a_pair.where": "option {option}",
        "error.not_a_pair.found": "{word}",
        "error.not_a_pair.expected": "PROVIDER=VALUE, such as openai=...",
        "error.not_a_pair.remedy": "Write both.",
        "error.without_verdict.where": "run {run_id}",
        "error.without_verdict.found": "{cells} without a verdict by {silent}",
        "error.without_verdict.expected": "a verdict on every cell",
        "error.without_verdict.remedy": "This asks again: {hint}",
        "go_on": "Go on with: {hint}",
        "at_limit": " at its limit of ",
        "raise_limit": "Raise the limit: {hint}",
        "error.stopped.where": "run {run_id}",
        "error.stopped.found": "{state}",
        "error.stopped.expected": "a run to its end",
        "error.stopped.remedy": "{remedy}",
    },
)
ABOUT = say("help")


def command(
    context: typer.Context,
    judge: Annotated[
        list[str] | None,
        typer.Option(help=(say("judge.help"))),
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help=say("concurrency.help"))] = 64,
    budget: Annotated[float | None, typer.Option(min=0.0, help=say("budget.help"))] = None,
    max_calls: Annotated[int | None, typer.Option(min=0, help=say("max_calls.help"))] = None,
    timeout: Annotated[
        float, typer.Option(callback=above_zero(), help=say("timeout.help"))
    ] = 120.0,
    try_: Annotated[
        int,
        typer.Option(
            "--try",
            min=0,
            max=run_options.MOST_TRIES,
            help=say("try.help"),
        ),
    ] = 0,
    panel: Annotated[
        str,
        typer.Option(
            callback=one_of(run_options.PANELS),
            help=say("panel.help"),
            show_default=say("panel.default"),
        ),
    ] = "",
    metric: Annotated[
        list[str] | None,
        typer.Option(
            callback=one_of(lambda: (*text_scores.choosable(), text_scores.NO_SCORES)),
            help=(say("metric.help")),
            show_default=say("metric.default"),
        ),
    ] = None,
    base_url: Annotated[
        list[str] | None,
        typer.Option(
            "--base-url",
            help=say("base_url.help"),
        ),
    ] = None,
    key_variable: Annotated[
        list[str] | None,
        typer.Option(
            "--key-variable",
            help=say("key_variable.help"),
        ),
    ] = None,
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            help=(say("header.help")),
        ),
    ] = None,
    split: Annotated[
        str,
        typer.Option(
            help=say("split.help"),
            show_default=say("split.default"),
        ),
    ] = "",
    faults: Annotated[
        bool,
        typer.Option("--faults", help=say("faults.help")),
    ] = False,
    no_anchors: Annotated[
        bool,
        typer.Option(
            "--no-anchors",
            help=say("no_anchors.help"),
        ),
    ] = False,
    batch: Annotated[
        bool,
        typer.Option(
            "--batch",
            help=(say("batch.help")),
        ),
    ] = False,
    wait: Annotated[bool, typer.Option("--wait", help=say("wait.help"))] = False,
    resume: Annotated[
        bool,
        typer.Option("--resume", help=say("resume.help")),
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help=say("plan.help"))] = False,
    yes: Annotated[bool, typer.Option("--yes", help=say("yes.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Run rules, metrics and judges on what is not known yet, then route. Shows the plan with
    its price first."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    latest = shown_run.status(scope, name)
    if resume:
        run_id = _resumed(context, scope, name, latest)
    else:
        options = {
            "judges": judge or [],
            "concurrency": concurrency,
            "budget_money": budget,
            "budget_calls": max_calls,
            "timeout": timeout,
            "tries": try_ or None,
            "panel": panel,
            "metrics": metric or [],
            "base_urls": _by_name("--base-url", base_url or ()),
            "key_variables": _by_name("--key-variable", key_variable or ()),
            "headers": _lines_by_name("--header", header or ()),
            "split": split,
            "faults": faults,
            "anchors": not no_anchors,
            "batch": batch,
            "stay": wait or not batch,
        }
        agreed = runs.plan(scope, name, options)
        if plan:
            return show(agreed, as_json, lambda: plan_text(agreed))
        messages.print(plan_text(agreed), markup=False)
        if (
            not yes
            and sys.stdin.isatty()
            and not typer.confirm(start_question(), default=True, err=True)
        ):
            raise not_started()
        run_control.end_abandoned(scope, name)
        run_id = runs.start(scope, name, options).run
    begun = time.monotonic()
    state = work(scope, run_id, Context.settings.models())
    if state == RunState.RUNNING:  # another was faster
        raise run_control.busy(run_id)
    _tell(scope, name, run_id, state, time.monotonic() - begun, as_json)


#: Options that name the run or the output, and those that --resume hands on: parameter -> name in
#: the run's settings.
_BESIDE = ("resume", "yes", "workspace", "project", "as_json")
_RENEWED = {
    "budget": "budget_money",
    "max_calls": "budget_calls",
    "concurrency": "concurrency",
    "wait": "stay",
}


def _resumed(context: typer.Context, scope: Scope, name: str, latest: ShownRun | None) -> int:
    """Let the unfinished run go on, with the limits that were given; returns its number."""
    given = [
        p
        for p in context.params
        if str(getattr(context.get_parameter_source(p), "name", "")) == "COMMANDLINE"
        and p not in _BESIDE
    ]
    if other := [p for p in given if p not in _RENEWED]:
        raise UsageError(
            **error_parts(
                "command_grade.error.resume",
                options=" and ".join(f"--{p.strip('_').replace('_', '-')}" for p in other),
                renewed=", ".join(RENEWED.values()),
            )
        )
    if latest is None or latest.state == RunState.DONE:
        raise InputError(**error_parts("command_grade.error.nothing_to_resume", name=name))
    if latest.alive:
        raise run_control.busy(latest.id)
    run_control.resume(scope, name, latest.id, {_RENEWED[p]: context.params[p] for p in given})
    return latest.id


def _by_name(option: str, words: Sequence[str]) -> dict[str, str]:
    """``openai=VALUE`` several times as a mapping; the name is a provider's, or a judge's as it was
    given."""
    found = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise UsageError(
                **error_parts("command_grade.error.not_a_pair", option=option, word=repr(word))
            )
        found[name.strip()] = value.strip()
    return found


def _lines_by_name(option: str, words: Sequence[str]) -> dict[str, str]:
    """As `_by_name`; what is said of one name several times stands in lines."""
    found: dict[str, list[str]] = {}
    for word in words:
        for name, value in _by_name(option, [word]).items():
            found.setdefault(name, []).append(value)
    return {name: "\n".join(lines) for name, lines in found.items()}


def _tell(scope: Scope, name: str, run_id: int, state: str, seconds: float, as_json: bool) -> None:
    """Print what the run brought; raise what went wrong (exit code 1), else that it stopped or left
    cells (3)."""
    found = run_store.get_run(scope.ws, run_id)
    # A run that still waits for its key has no counts yet.
    counts = {
        "judges": [],
        "problems": [],
        "money": 0.0,
        "unpriced": 0,
        "without_verdict": 0,
        **found.progress,
    }
    result = {
        "run": run_id,
        "state": state,
        "message": found.message,
        "seconds": round(seconds, 3),
        **counts,
    }
    if limited := reached(found):
        result["reached"] = limited
    if found.settings.get("tries"):
        result["tried"] = tryout.tried(scope, name, run_id)
    problems = [
        CogradeError(p["where"], found=p["found"], expected=p["expected"], remedy=p["remedy"])
        for p in result["problems"]
    ]
    if found.settings.get("metrics"):
        result["scores"] = score_means.means(scope, name)
    show(
        result,
        as_json,
        lambda: end_text({**result, "message": _beside(found.message, problems)}),
    )
    stopped = None if state == RunState.DONE else _stopped(run_id, state, result.get("reached"))
    for problem in problems[:-1]:
        messages.print(str(problem), markup=False)
    if problems:
        if stopped is not None and result.get("reached"):
            messages.print(str(stopped), markup=False)
        raise problems[-1]
    if state == RunState.DONE and result["without_verdict"]:
        raise StoppedEarly(
            **error_parts(
                "command_grade.error.without_verdict",
                run_id=run_id,
                cells=several(result["without_verdict"], "cell"),
                silent=_silent(result),
                hint=hint("grade " + _judge_options(found.settings)),
            )
        )
    if stopped is not None:
        raise stopped


def _stopped(run_id: int, state: str, limits: Sequence[Limit] | None) -> StoppedEarly:
    """That a run did not come to its end, and how it goes on."""
    remedy, at = say("go_on", hint=hint("grade --resume")), ""
    if limits:
        at = say("at_limit") + " and ".join(limit.words for limit in limits)
        options = " ".join(f"{limit.option} {limit.enough}" for limit in limits)
        remedy = say("raise_limit", hint=hint(f"grade --resume {options}"))
    return StoppedEarly(
        **error_parts("command_grade.error.stopped", run_id=run_id, state=state + at, remedy=remedy)
    )


def _beside(message: str, problems: Sequence[CogradeError]) -> str:
    """What a run's last words say besides its problems, which stand on standard error."""
    for problem in problems:
        message = message.replace(str(problem), "")
    return " ".join(message.split())


def _silent(result: Mapping[str, Any]) -> str:
    """The judges that left cells without a verdict."""
    return " and ".join(judge["name"] for judge in result["judges"] if judge["without_verdict"])


def _judge_options(settings: JSON) -> str:
    asked = [f"--judge {shlex.quote(judge)}" for judge in shown_run.given_judges(settings)]
    asked += [f"--split {shlex.quote(split)}"] if (split := settings.get("split")) else []
    return " ".join([*asked, *(f"--{name}" for name in ("faults", "batch") if settings.get(name))])
