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
)
from graders.core.errors import InputError, StoppedEarly, UsageError
from graders.core.shapes import as_dict
from graders.workflows.collecting import collect
from graders.workflows.scope.missing_reasons import cause_counts, cause_words
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import several


def command(
    questions: Annotated[
        Path | None,
        typer.Argument(
            help="A file of questions, imported first.", show_default="the project's questions"
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            help="[NAME=]PROVIDER:MODEL[@ADDRESS], such as openai:gpt-4o-mini; several times.",
        ),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option("--models", help="A TOML file with a table per model.", show_default="none"),
    ] = None,
    concurrency: Annotated[
        list[str] | None,
        typer.Option(
            "--concurrency",
            help="Calls at once: N, or PROVIDER=N; several times.",
            show_default="as each provider says, mostly 8",
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(min=0.0, help="Sampling temperature.", show_default="the model's own"),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="Longest answer, in tokens.", show_default="the model's own"),
    ] = None,
    system: Annotated[
        str, typer.Option(help="A system prompt for all models.", show_default="none")
    ] = "",
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help="A further setting, NAME=VALUE; several times."),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(min=0.0, help="Stop at this many US dollars.")
    ] = None,
    max_calls: Annotated[int | None, typer.Option(min=0, help="Stop at this many calls.")] = None,
    timeout: Annotated[float, typer.Option(min=1.0, help="Seconds for one call.")] = 300.0,
    occasion: Annotated[
        str,
        typer.Option(
            help="Ask once more, under this name; replies of other occasions are not used."
        ),
    ] = "",
    missing: Annotated[
        bool,
        typer.Option(
            "--missing", help="Leave out what a model has answered already, imported or collected."
        ),
    ] = False,
    rubric: Annotated[
        str, typer.Option(help="The project's rubric: a bundled one's name, or a file.")
    ] = "",
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Say what becomes of every question.")
    ] = False,
    plan: Annotated[bool, typer.Option("--plan", help="Show the plan and stop.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: NewWorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Ask models questions, each without history, and keep the answers. Shows the plan first; what
    is stored is not asked again.

    Example: cograde collect questions.csv --model openai:gpt-4o-mini --model ollama:llama3 --budget
    2
    """
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
            raise UsageError(
                "option --set", found=repr(word), expected="NAME=VALUE, such as top_p=0.9"
            )
        try:
            found[name.strip()] = json.loads(value)
        except ValueError:
            found[name.strip()] = value
    given = {"temperature": temperature, "max_output_tokens": max_tokens}
    return {**found, **{name: value for name, value in given.items() if value is not None}}


def _agree(calls: int) -> None:
    """A yes before money is spent; nobody there to say it is no yes."""
    if not sys.stdin.isatty():
        raise InputError(
            "plan",
            found=f"{calls} calls and no yes",
            expected="a yes before anything is sent",
            remedy="Add --yes.",
        )
    if not typer.confirm("Start?", default=True, err=True):
        raise typer.Exit(3)


def _run(scope: Scope, name: str, order: collect.Order, verbose: bool) -> collect.Collected:
    columns = (
        TextColumn("{task.description:<9}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=messages, disable=verbose or not messages.is_terminal) as bars:
        task = bars.add_task("Asking", total=None)

        def listen(heard: collect.Heard) -> None:
            bars.update(task, completed=heard.done, total=heard.total)
            if verbose:
                how = cause_words(heard.cause) or ("known already" if heard.known else "answered")
                messages.print(
                    f"[{heard.done}/{heard.total}] {heard.model}, {heard.question}: {how}",
                    markup=False,
                )

        return collect.collect(scope, name, order, listen)


def _plan_text(plan: collect.CollectPlan) -> str:
    bad = f", {plan.bad_rows} bad rows left out" if plan.bad_rows else ""
    lines = [
        f"Plan: {several(plan.questions, 'question')}{bad}, "
        f"{several(len(plan.models), 'model')}: {plan.calls} calls, "
        f"{plan.known} known already, {_money(plan.money)}, about {plan.seconds:.0f} s"
    ]
    for one in plan.models:
        assumed = "" if one.measured else " (assumed until the first replies)"
        line = (
            f"  {one.name}: {one.calls} calls to {one.address}, "
            f"{one.concurrency} at once, {one.known} known already, about "
            f"{one.input_tokens} + {one.output_tokens} tokens, {_money(one.money)}, "
            f"{one.seconds:.0f} s{assumed}"
        )
        if one.left_out:
            line += f"; it does not take {', '.join(one.left_out)}"
        if one.replaces:
            line += (
                f"; {one.replaces} answers are there already, another text becomes a new "
                "version (--missing leaves them)"
            )
        lines.append(line + (f"; {one.lacking}" if one.lacking else ""))
        lines += [f"    {one.key}"] if one.key else []
    return "\n".join(lines)


def _money(money: float | None) -> str:
    return "price unknown" if money is None else f"${money:.4f}"


def _end_text(result: collect.Collected) -> str:
    lines = []
    for one in result.models:
        causes, again = cause_counts(one.failed), cause_counts(one.resends)
        times = ", ".join(
            f"{words} {figure:.1f} s"
            for figure, words in ((one.first_token_seconds, "first token"), (one.seconds, "whole"))
            if figure is not None
        )
        lines.append(
            (f"{one.name}: {one.answered} of {one.questions} answers, {one.known} known already")
            + (f" ({causes})" if causes else "")
            + (f", {one.cut} cut at the limit" if one.cut else "")
            + (f", sent again: {again}" if again else "")
            + (f", median {times}" if times else "")
            + f", {paid_words(as_dict(one))}"
        )
    if found := result.imported:
        lines.append(
            f"{found.project}: {several(found.answers, 'answer')} came in "
            f"({several(found.new_versions, 'new version')}), "
            f"{found.unchanged} unchanged. "
            f"Next: {hint('grade', found.project)}"
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
        why = {"budget": "the budget is reached, ", "wish": "it was stopped, "}.get(
            result.stopped, ""
        )
        raise StoppedEarly(
            "collect",
            found=f"{why}{several(left, 'question')} without an answer",
            expected="an answer to every question",
            remedy="The same command asks only these.",
        )
