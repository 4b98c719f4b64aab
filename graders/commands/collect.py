"""Ask models the questions of a project and bring their answers in."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from graders.commands._shell import (
    JsonOption,
    NewWorkspaceOption,
    ProjectOption,
    hint,
    messages,
    paid_words,
    placed,
    project_for,
    scope_for,
    show,
    start_question,
)
from graders.core.errors import InputError, StoppedEarly, UsageError
from graders.core.shapes import as_dict
from graders.core.words import carried, error_parts
from graders.workflows.collecting import collect
from graders.workflows.scope.missing_reasons import cause_counts, cause_words
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import several

say = carried(
    "command_collect",
    {
        "questions.help": "A file of questions, imported first.",
        "questions.default": "the project's questions",
        "model.help": (
            "[NAME=]PROVIDER:MODEL[@ADDRESS], such as openai:gpt-4o-mini; may be repeated."
        ),
        "models.help": "A TOML file with a table per model.",
        "models.default": "none",
        "concurrency.help": "Max concurrent calls: N, or PROVIDER=N; may be repeated.",
        "concurrency.default": "as each provider says, mostly 8",
        "temperature.help": "Sampling temperature.",
        "temperature.default": "the model's own",
        "max_tokens.help": "Longest answer, in tokens.",
        "max_tokens.default": "the model's own",
        "system.help": "A system prompt for all models.",
        "system.default": "none",
        "set.help": "A further setting, NAME=VALUE; may be repeated.",
        "budget.help": "Budget limit in US dollars.",
        "max_calls.help": "Limit on the number of calls.",
        "timeout.help": "Seconds for one call.",
        "occasion.help": "Ask again under this name; replies of other occasions are not used.",
        "missing.help": (
            "Leave out questions that a model has answered already, imported or collected."
        ),
        "rubric.help": "The project's rubric: the name of a bundled one, or a file.",
        "verbose.help": "Print the result of every question.",
        "plan.help": "Show the plan and stop.",
        "yes.help": "Do not ask.",
        "help": (
            "Ask models questions and keep their answers. Each question is sent without history. "
            "Shows the plan first; stored replies are not bought again.\n\n"
            "Example: cograde collect questions.csv --model openai:gpt-4o-mini --model "
            "ollama:llama3 --budget 2"
        ),
        "error.setting.where": "option --set",
        "error.setting.found": "{word}",
        "error.setting.expected": "NAME=VALUE, such as top_p=0.9",
        "error.not_confirmed.where": "plan",
        "error.not_confirmed.found": "{calls} calls and no yes",
        "error.not_confirmed.expected": "a yes before anything is sent",
        "error.not_confirmed.remedy": "Add --yes.",
        "asking": "Asking",
        "known": "known already",
        "bad_rows": ", {bad_rows} bad rows left out",
        "plan": (
            "Plan: {questions}{bad}, {models}: {calls} calls, {known} known already, {money}, "
            "about {seconds:.0f} s"
        ),
        "assumed": " (assumed until the first replies)",
        "model_plan": (
            "  {name}: {calls} calls to {address}, {concurrency} at once, {known} known already, "
            "about {input_tokens} + {output_tokens} tokens, {money}, {seconds:.0f} s{assumed}"
        ),
        "unsupported": "; it does not take {names}",
        "replaces": (
            "; {replaces} answers are there already, another text becomes a new version (--missing "
            "leaves them)"
        ),
        "price_unknown": "price unknown",
        "first_token": "first token {seconds:.1f} s",
        "whole": "whole {seconds:.1f} s",
        "model_end": "{name}: {answered} of {questions} answers, {known} known already",
        "cut": ", {cut} cut at the limit",
        "sent_again": ", sent again: {again}",
        "median": ", median {times}",
        "end": (
            "{project}: {answers} came in ({new_versions}), {unchanged} unchanged. Next: {hint}"
        ),
        "budget_reached": "the budget is reached, ",
        "stopped": "it was stopped, ",
        "error.unanswered.where": "collect",
        "error.unanswered.found": "{why}{questions} without an answer",
        "error.unanswered.expected": "an answer to every question",
        "error.unanswered.remedy": "The same command asks only these.",
        "answered": "answered",
    },
)
ABOUT = say("help")


def command(
    questions: Annotated[
        Path | None,
        typer.Argument(help=say("questions.help"), show_default=say("questions.default")),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help=say("model.help"),
        ),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option("--models", help=say("models.help"), show_default=say("models.default")),
    ] = None,
    concurrency: Annotated[
        list[str] | None,
        typer.Option(
            "--concurrency",
            help=say("concurrency.help"),
            show_default=say("concurrency.default"),
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            min=0.0, help=say("temperature.help"), show_default=say("temperature.default")
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(min=1, help=say("max_tokens.help"), show_default=say("max_tokens.default")),
    ] = None,
    system: Annotated[
        str, typer.Option(help=say("system.help"), show_default=say("system.default"))
    ] = "",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help=say("set.help")),
    ] = None,
    budget: Annotated[float | None, typer.Option(min=0.0, help=say("budget.help"))] = None,
    max_calls: Annotated[int | None, typer.Option(min=0, help=say("max_calls.help"))] = None,
    timeout: Annotated[float, typer.Option(min=1.0, help=say("timeout.help"))] = 300.0,
    occasion: Annotated[
        str,
        typer.Option(help=say("occasion.help")),
    ] = "",
    missing: Annotated[
        bool,
        typer.Option("--missing", help=say("missing.help")),
    ] = False,
    rubric: Annotated[str, typer.Option(help=say("rubric.help"))] = "",
    verbose: Annotated[bool, typer.Option("--verbose", help=say("verbose.help"))] = False,
    plan: Annotated[bool, typer.Option("--plan", help=say("plan.help"))] = False,
    yes: Annotated[bool, typer.Option("--yes", help=say("yes.help"))] = False,
    workspace: NewWorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Ask models questions, each without history, and keep the answers. Shows the plan first;
    what is stored is not asked again."""
    limits = collect.concurrency_of(concurrency or ())
    sources = [collect.source_of(words, limits) for words in model or ()]
    order = collect.Order(
        sources=collect.all_different(
            [*sources, *(collect.read_models(models, os.environ, limits) if models else ())]
        ),
        questions=questions,
        system=system,
        settings=_settings(temperature, max_tokens, set_ or ()),
        limit=collect.Budget(budget, max_calls),
        timeout=timeout,
        occasion=occasion,
        missing=missing,
        rubric=rubric,
    )
    scope = scope_for(workspace, make=questions is not None)
    name = project or questions.stem if questions is not None else project_for(scope, project)
    agreed = collect.plan(scope, name, order)
    messages.print(_plan_text(agreed), markup=False)
    if plan:
        show(agreed, as_json, lambda: "")
        return
    if agreed.calls and not yes:
        _agree(agreed.calls)
    result = _run(placed(scope) or scope_for(workspace), name, order, verbose)
    show(result, as_json, lambda: _end_text(result))
    _end(result)


def _settings(temperature: float | None, max_tokens: int | None, words: Any) -> dict[str, Any]:
    """The settings of all calls; a value that is JSON (0.9, true, ["a"]) is taken as such, else as
    text."""
    found: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name.strip().isidentifier():
            raise UsageError(**error_parts("command_collect.error.setting", word=repr(word)))
        try:
            found[name.strip()] = json.loads(value)
        except ValueError:
            found[name.strip()] = value
    given = {"temperature": temperature, "max_output_tokens": max_tokens}
    return {**found, **{name: value for name, value in given.items() if value is not None}}


def _agree(calls: int) -> None:
    """Ask before money is spent; without a terminal the answer is no."""
    if not sys.stdin.isatty():
        raise InputError(**error_parts("command_collect.error.not_confirmed", calls=calls))
    if not typer.confirm(start_question(), default=True, err=True):
        raise typer.Exit(3)


def _run(scope: Scope, name: str, order: collect.Order, verbose: bool) -> collect.Collected:
    columns = (
        TextColumn("{task.description:<9}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=messages, disable=verbose or not messages.is_terminal) as bars:
        task = bars.add_task(say("asking"), total=None)

        def listen(heard: collect.Heard) -> None:
            bars.update(task, completed=heard.done, total=heard.total)
            if verbose:
                how = cause_words(heard.cause) or (say("known") if heard.known else say("answered"))
                messages.print(
                    f"[{heard.done}/{heard.total}] {heard.model}, {heard.question}: {how}",
                    markup=False,
                )

        return collect.collect(scope, name, order, listen)


def _plan_text(plan: collect.CollectPlan) -> str:
    bad = say("bad_rows", bad_rows=plan.bad_rows) if plan.bad_rows else ""
    lines = [
        say(
            "plan",
            questions=several(plan.questions, "question"),
            bad=bad,
            models=several(len(plan.models), "model"),
            calls=plan.calls,
            known=plan.known,
            money=_money(plan.money),
            seconds=plan.seconds,
        )
    ]
    for one in plan.models:
        assumed = "" if one.measured else say("assumed")
        line = say(
            "model_plan",
            name=one.name,
            calls=one.calls,
            address=one.address,
            concurrency=one.concurrency,
            known=one.known,
            input_tokens=one.input_tokens,
            output_tokens=one.output_tokens,
            money=_money(one.money),
            seconds=one.seconds,
            assumed=assumed,
        )
        if one.left_out:
            line += say("unsupported", names=", ".join(one.left_out))
        if one.replaces:
            line += say("replaces", replaces=one.replaces)
        lines.append(line + (f"; {one.lacking}" if one.lacking else ""))
        lines += [f"    {one.key}"] if one.key else []
    return "\n".join(lines)


def _money(money: float | None) -> str:
    return say("price_unknown") if money is None else f"${money:.4f}"


def _end_text(result: collect.Collected) -> str:
    lines = []
    for one in result.models:
        causes, again = cause_counts(one.failed), cause_counts(one.resends)
        first, whole = one.first_token_seconds, one.seconds
        times = [say("first_token", seconds=first)] if first is not None else []
        times += [say("whole", seconds=whole)] if whole is not None else []
        lines.append(
            (
                say(
                    "model_end",
                    name=one.name,
                    answered=one.answered,
                    questions=one.questions,
                    known=one.known,
                )
            )
            + (f" ({causes})" if causes else "")
            + (say("cut", cut=one.cut) if one.cut else "")
            + (say("sent_again", again=again) if again else "")
            + (say("median", times=", ".join(times)) if times else "")
            + f", {paid_words(as_dict(one))}"
        )
    if found := result.imported:
        lines.append(
            say(
                "end",
                project=found.project,
                answers=several(found.answers, "answer"),
                new_versions=several(found.new_versions, "new version"),
                unchanged=found.unchanged,
                hint=hint("grade", found.project),
            )
        )
    return "\n".join(lines)


def _end(result: collect.Collected) -> None:
    """Say which models could not be asked (exit code 1), else that questions have no answer (3)."""
    errors = [one.error for one in result.models if one.error]
    for sentence in errors:
        messages.print(sentence, markup=False)
    if errors:
        raise typer.Exit(1)
    left = sum(sum(one.failed.values()) for one in result.models)
    if left:
        why = {"budget": say("budget_reached"), "wish": say("stopped")}.get(result.stopped, "")
        raise StoppedEarly(
            **error_parts(
                "command_collect.error.unanswered", why=why, questions=several(left, "question")
            )
        )
