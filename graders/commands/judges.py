"""The judges of a project: list, set up, try on one answer, learn, delete what was recorded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from graders.commands._progress import work
from graders.commands._shell import (
    Context,
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    group,
    hint,
    messages,
    project_for,
    scope_for,
    show,
)
from graders.commands._values import one_of
from graders.core.errors import InputError, StoppedEarly, UsageError
from graders.core.money import dollars
from graders.core.shapes import as_dict
from graders.workflows.learning import learn
from graders.workflows.measuring import measure
from graders.workflows.runs import corrections, judges, try_judge
from graders.workflows.scope.phrases import several

app = group(
    "The judges of a project: list, set up, try, learn, forget.", "judges list --project support"
)

NameArgument = Annotated[
    str, typer.Argument(help="The judge: PROVIDER:MODEL, or the name of one that was set up.")
]


@app.command("list")
def list_(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show the judges with their fields, what they cost and could not say by criterion, and what
    the learned judge rests on.

    Example: cograde judges list --project study
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    found, figures = judges.judge_list(scope, name), judges.figures(scope, name)
    show({**as_dict(found), "figures": figures}, as_json, lambda: _list_text(found, figures))


@app.command("set")
def set_(
    name: Annotated[str, typer.Argument(help="A name of your own, such as strict.")],
    judge: Annotated[str, typer.Option(help="PROVIDER:MODEL, the model best with its date.")],
    temperature: Annotated[
        float | None, typer.Option(min=0.0, help="Sampling temperature.", show_default="0")
    ] = None,
    top_p: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=1.0, help="Share of the likeliest tokens.", show_default="the model's own"
        ),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Longest reply, in tokens.", show_default="2000")
    ] = None,
    effort: Annotated[
        str, typer.Option(help="Reasoning effort, such as low.", show_default="the model's own")
    ] = "",
    persona: Annotated[str, typer.Option(help="Completes: You are ...", show_default="none")] = "",
    prompt_language: Annotated[
        str, typer.Option(help="Show the criteria in this language, where the rubric has it.")
    ] = "",
    slot: Annotated[
        str,
        typer.Option(
            callback=one_of(("system", "user")),
            help="Where the instructions go: system or user.",
            show_default="system",
        ),
    ] = "",
    per: Annotated[
        str,
        typer.Option(
            callback=one_of(("answer", "criterion", "question")),
            help="What one call asks about: answer, criterion or question (all its answers).",
            show_default="answer",
        ),
    ] = "",
    order_seed: Annotated[
        int | None,
        typer.Option(help="With --per question: draws the order of the answers.", show_default="0"),
    ] = None,
    reference: Annotated[
        bool | None,
        typer.Option(
            "--reference/--no-reference",
            help="Show it the reference, or never.",
            show_default="reference",
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Tokens that a call to its model may have, the reply included.",
            show_default="as known",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, help="Ask so often and take the middle; needs a temperature.", show_default="1"
        ),
    ] = None,
    confidence: Annotated[
        str,
        typer.Option(
            callback=one_of(("stated", "logprobs")),
            help="stated, or logprobs: from the probabilities of the value's tokens.",
            show_default="stated",
        ),
    ] = "",
    base_url: Annotated[
        str,
        typer.Option("--base-url", help="An address of its own.", show_default="the provider's"),
    ] = "",
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            help='"Name: value" that goes with every call, $VARIABLE for a secret; several times.',
        ),
    ] = None,
    input_price: Annotated[
        float | None, typer.Option(min=0.0, help="US dollars per million tokens of the prompt.")
    ] = None,
    output_price: Annotated[
        float | None, typer.Option(min=0.0, help="US dollars per million tokens of the reply.")
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Keep a judge under a name, or change it; `cograde grade --judge NAME` takes it. Nothing is
    sent.

    Example: cograde judges set strict --judge openai:gpt-4o-2024-08-06 --persona "a strict teacher"
    """
    scope = scope_for(workspace)
    given = {
        "temperature": temperature,
        "top_p": top_p,
        "max_output_tokens": max_tokens,
        "reasoning_effort": effort,
        "persona": persona,
        "prompt_language": prompt_language,
        "slot": slot,
        "per": per,
        "order_seed": order_seed,
        "reference": reference,
        "window": window,
        "samples": samples,
        "confidence": confidence,
        "base_url": base_url,
        "headers": "\n".join(header or ()),
        "input_price": input_price,
        "output_price": output_price,
    }
    made = judges.set_up(scope, project_for(scope, project), name, judge, given)
    show(
        made,
        as_json,
        lambda: (
            "\n".join([_judge_text(made), *made.notes]) + f"\nNext: {hint(f'judges try {name}')}"
        ),
    )


@app.command("remove")
def remove(
    name: NameArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Forget how a judge was set up; what it said stays.

    Example: cograde judges remove strict --project support
    """
    scope = scope_for(workspace)
    judges.take_down(scope, project_for(scope, project), name)
    show({"removed": name}, as_json, lambda: f"{name} is no longer set up; what it said stays.")


@app.command("try")
def try_(
    name: Annotated[
        str,
        typer.Argument(
            help="The judge, or several with commas between them, or the panel as it is listed."
        ),
    ],
    question: Annotated[
        str, typer.Option(help="The question's id.", show_default="one that is drawn")
    ] = "",
    model: Annotated[str, typer.Option(help="Whose answer.", show_default="any")] = "",
    panel: Annotated[
        str,
        typer.Option(
            help="How several judges' verdicts become one: median or majority.",
            show_default="median",
        ),
    ] = "",
    prompt: Annotated[
        bool, typer.Option("--prompt", help="Show what it would be asked, and send nothing.")
    ] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Ask a judge about one answer, and show the prompt, the raw reply and the verdicts that are
    read from it.

    Example: cograde judges try openai:gpt-4o-mini --question q1 --model Oak
    """
    scope = scope_for(workspace)
    where = project_for(scope, project)
    row = try_judge.answer_row(scope, where, question, model)
    if not prompt:
        work(
            scope,
            try_judge.start_try(scope, where, name, row, {}).run,
            Context.settings.models(),
        )
    found = try_judge.tried(scope, where, name, row, panel=panel)
    show(found, as_json, lambda: _tried_text(found))
    if not prompt and not any(item.word for call in found.calls for item in call.read):
        raise StoppedEarly(
            f"judge {name}",
            found="no usable reply",
            expected="a verdict",
            remedy="See above what came back; the address and key may be wrong.",
        )


@app.command("examples")
def examples(
    name: Annotated[str, typer.Argument(help="A judge that was set up.")],
    cell: Annotated[
        list[int] | None,
        typer.Option(help="Take this correction, by its number in the list; several times."),
    ] = None,
    suggested: Annotated[
        bool, typer.Option("--suggested", help="Take those that are suggested.")
    ] = False,
    none: Annotated[bool, typer.Option("--none", help="Take all examples away.")] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """List where people decided otherwise than a judge, or give it such corrections as examples.
    Its verdicts are then asked for anew.

    Example: cograde judges examples strict --suggested
    """
    scope = scope_for(workspace)
    where = project_for(scope, project)
    if bool(cell) + suggested + none > 1:
        raise UsageError(
            "judges examples",
            found="several of --cell, --suggested and --none",
            expected="one of them",
        )
    if cell or suggested or none:
        done = corrections.pick(scope, where, name, None if suggested else cell or [])
        show(done, as_json, lambda: done.message)
        return
    found = corrections.corrections(scope, where, name)
    show(found, as_json, lambda: _corrections_text(found))


@app.command("learn")
def learn_(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Let the learned judge learn from people's blind verdicts now. Runs and the web app do so by
    themselves.

    Example: cograde judges learn --project study
    """
    scope = scope_for(workspace)
    found = learn.learn_now(
        scope, project_for(scope, project), measure.encoder_for(Context.settings.models(), scope.ws)
    )
    show(found, as_json, lambda: "\n".join(map(_lesson_text, found)))


@app.command("forget")
def forget(
    model: Annotated[str, typer.Option(help="Only this model's calls.", show_default="all")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Delete what was asked and replied. Verdicts, counts and money stay; nothing can be replayed
    any more.

    Example: cograde judges forget --model gpt-4o-mini --project support
    """
    scope = scope_for(workspace)
    where = project_for(scope, project)
    messages.print(judges.LOST, markup=False)
    if not yes:
        if not sys.stdin.isatty():
            raise InputError(
                "what was recorded",
                found="no yes",
                expected="a yes before anything is deleted",
                remedy="Add --yes.",
            )
        if not typer.confirm("Delete?", default=False, err=True):
            raise typer.Exit(3)
    done = judges.forget(scope, where, model)
    show(done, as_json, lambda: done.message)


def _list_text(found: judges.JudgeList, figures: Sequence[judges.JudgeFigures]) -> str:
    lines = [found.title, *map(_judge_text, found.judges)]
    for row in figures:
        price = dollars(row.money) + (
            f", {row.unpriced} without a known price" if row.unpriced and row.money else ""
        )
        share = f", {row.unreadable} replies not readable ({row.share:.1%})" if row.share else ""
        lines.append(
            f"  {row.judge}, {row.criterion}: {row.given} of {row.asked} cells{share}, {price}"
        )
        lines += [f"    {one.cells}: {one.why}" for one in row.reasons]
    lines += ["Learned judge:", *(f"  {_lesson_text(lesson)}" for lesson in found.lessons)]
    kept = sum(row.kept for row in found.recorded)
    return "\n".join(
        [*lines, f"Recorded: {kept} replies. Delete them with: {hint('judges forget')}"]
    )


def _judge_text(row: judges.JudgeRow) -> str:
    what = f" = {row.judge}" if row.judge != row.name else ""
    beside = {name: getattr(row, name) for name in judges.BESIDE}
    own = {
        **row.options,
        **{name: value for name, value in beside.items() if value not in (None, "")},
    }
    kind = ", made from other judges" if row.derived else ""
    kind += f", {several(row.examples, 'example')} from corrections" if row.examples else ""
    told = "".join(
        f", no {name.replace('_', ' ')}"
        if value is False
        else f", {name.replace('_', ' ')} {value}"
        for name, value in own.items()
    )
    only_tried = isinstance(row, judges.ListedJudge) and row.only_tried
    tried = " (only tried)" if only_tried and not row.set_up else ""
    return f"{row.name}{what}{kind}{told}{tried}" + (
        ", makes the suggestions" if row.present else ""
    )


def _corrections_text(found: corrections.Corrections) -> str:
    lines = [found.title]
    for row in found.corrections:
        part = f", {row.part}" if row.part else ""
        state = " (taken)" if row.picked else " (suggested)" if row.suggested else ""
        lines.append(
            f"  {row.cell}: {row.criterion}{part}: it said {row.judge}, people {row.people}{state}"
        )
        lines.append(f"      {row.model} on {row.question!r}" + (f": {row.why}" if row.why else ""))
    if found.corrections:
        lines.append(f"Next: {hint('judges examples ' + found.judge + ' --suggested')}")
    return "\n".join(lines)


def _lesson_text(lesson: learn.LessonReport) -> str:
    return f"{lesson.title}: {lesson.rests_on}"


def _tried_text(found: try_judge.TriedAnswer) -> str:
    lines = [f"{found.judge} on {found.question!r} by {found.model}: {found.title}"]
    for number, call in enumerate(found.calls, 1):
        whose = f" of {call.judge}" if found.method else ""
        settings = ", ".join(f"{name} {value}" for name, value in call.settings.items())
        lines.append(f"\nCall {number}{whose}, {settings or 'no settings'}")
        if call.left_out:
            lines.append(
                f"Not sent, because the model does not take it: {', '.join(call.left_out)}."
            )
        for message in call.messages:
            lines += [f"--- {message.role}", message.text]
        if call.raw is not None:
            lines += ["--- reply", call.raw, "--- read as"]
        lines += [
            f"{item.model + ', ' if item.model else ''}"
            f"{item.criterion}{' ' + item.part if item.part else ''}: {item.word or item.why}"
            for item in call.read
        ]
        lines += [call.cause] if call.cause else []
    if found.together:
        lines.append(f"\nTogether ({found.method or 'the middle of its samples'}):")
        for item in found.together:
            part = f" {item.part}" if item.part else ""
            note = f" {item.note}" if item.note else ""
            lines.append(f"  {item.criterion}{part}: {item.word or item.why}{note}")
    return "\n".join(lines)
