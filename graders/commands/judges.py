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
from graders.core.words import carried, error_parts
from graders.workflows.learning import learn
from graders.workflows.measuring import measure
from graders.workflows.runs import corrections, judges, try_judge
from graders.workflows.scope.phrases import several

say = carried(
    "command_judges",
    {
        "help": (
            "List, set up, try and teach judges. Or delete what was recorded of them.\n\n"
            "Example: cograde judges list --project support"
        ),
        "name.help": "The judge: PROVIDER:MODEL, or the name of one that was set up.",
        "list.help": (
            "List the judges. With their fields, cost, unscored cells by criterion, and the labels "
            "of the learned judge.\n\n"
            "Example: cograde judges list --project study"
        ),
        "set.name.help": "A name of your own, such as strict.",
        "set.judge.help": "PROVIDER:MODEL, best with the model's date.",
        "set.temperature.help": "Sampling temperature.",
        "set.temperature.default": "0",
        "set.top_p.help": "Nucleus sampling: share of the likeliest tokens.",
        "set.top_p.default": "the model's own",
        "set.max_tokens.help": "Longest reply, in tokens.",
        "set.max_tokens.default": "2000",
        "set.effort.help": "Reasoning effort, such as low.",
        "set.effort.default": "the model's own",
        "set.persona.help": "System role; completes: You are ...",
        "set.persona.default": "none",
        "set.prompt_language.help": (
            "Show the criteria in this language, where the rubric has it."
        ),
        "set.slot.help": "Where the instructions go: system or user.",
        "set.slot.default": "system",
        "set.per.help": (
            "What one call asks about: answer, criterion or question (all its answers)."
        ),
        "set.per.default": "answer",
        "set.order_seed.help": "With --per question: the seed for the order of the answers.",
        "set.order_seed.default": "0",
        "set.reference.help": "Show it the reference, or never.",
        "set.reference.default": "reference",
        "set.window.help": "Tokens that a call to its model may have, including the reply.",
        "set.window.default": "as known for the model",
        "set.samples.help": "Ask so often and take the median; needs a temperature.",
        "set.samples.default": "1",
        "set.confidence.help": (
            "stated, or logprobs: from the probabilities of the value's tokens."
        ),
        "set.confidence.default": "stated",
        "set.base_url.help": "An address of its own.",
        "set.base_url.default": "the provider's",
        "set.header.help": (
            '"Name: value" that goes with every call, $VARIABLE for a secret; may be repeated.'
        ),
        "set.input_price.help": "US dollars per million tokens of the prompt.",
        "set.output_price.help": "US dollars per million tokens of the reply.",
        "set.help": (
            "Set up a judge under a name, or change it. `cograde grade --judge NAME` uses it. "
            "Nothing is sent.\n\n"
            'Example: cograde judges set strict --judge openai:gpt-4o-2024-08-06 --persona "a '
            'strict teacher"'
        ),
        "next": "\nNext: {hint}",
        "remove.help": (
            "Remove a judge's setup. Its verdicts stay.\n\n"
            "Example: cograde judges remove strict --project support"
        ),
        "removed": "{name} is no longer set up; its verdicts stay.",
        "try.name.help": (
            "The judge, or several with commas between them, or the panel as the list names it."
        ),
        "try.question.help": "The question's id.",
        "try.question.default": "one drawn at random",
        "try.model.help": "The model whose answer is graded.",
        "try.model.default": "any",
        "try.panel.help": "How several judges' verdicts become one: median or majority.",
        "try.panel.default": "median",
        "try.prompt.help": "Show the prompt, and send nothing.",
        "try.help": (
            "Try a judge on one answer. Shows the prompt, the raw reply, and the verdicts that are "
            "read from it.\n\n"
            "Example: cograde judges try openai:gpt-4o-mini --question q1 --model Oak"
        ),
        "error.no_usable_reply.where": "judge {name}",
        "error.no_usable_reply.found": "no usable reply",
        "error.no_usable_reply.expected": "a verdict",
        "error.no_usable_reply.remedy": "See the reply above; the address or key may be wrong.",
        "examples.name.help": "A judge that was set up.",
        "examples.cell.help": "Use this correction, by its number in the list; may be repeated.",
        "examples.suggested.help": "Use the suggested corrections.",
        "examples.none.help": "Remove all examples.",
        "examples.help": (
            "Teach a judge by people's corrections. Lists where people decided otherwise, or makes "
            "such corrections its examples. Its verdicts are then asked for again.\n\n"
            "Example: cograde judges examples strict --suggested"
        ),
        "error.choose_examples.where": "judges examples",
        "error.choose_examples.found": "several of --cell, --suggested and --none",
        "error.choose_examples.expected": "one of them",
        "learn.help": (
            "Train the learned judge on people's blind verdicts now. Runs and the web app do so by "
            "themselves.\n\n"
            "Example: cograde judges learn --project study"
        ),
        "forget.model.help": "Only this model's calls.",
        "forget.model.default": "all",
        "forget.yes.help": "Do not ask.",
        "forget.help": (
            "Delete recorded prompts and replies. Verdicts, counts and money stay; nothing can be "
            "replayed any more.\n\n"
            "Example: cograde judges forget --model gpt-4o-mini --project support"
        ),
        "error.forget_not_confirmed.where": "what was recorded",
        "error.forget_not_confirmed.found": "no yes",
        "error.forget_not_confirmed.expected": "a yes before anything is deleted",
        "error.forget_not_confirmed.remedy": "Add --yes.",
        "confirm_delete": "Delete?",
        "unpriced": ", {unpriced} without a known price",
        "unreadable": ", {unreadable} replies not readable ({share:.1%})",
        "figures": "  {judge}, {criterion}: {given} of {asked} cells{share}, {price}",
        "learned": "Learned judge:",
        "recorded": "Recorded: {kept} replies. Delete them with: {hint}",
        "row.derived": ", made from other judges",
        "row.examples": ", {examples} from corrections",
        "row.without": ", no {field}",
        "row.only_tried": " (only tried)",
        "row.suggests": ", makes the suggestions",
        "correction": "  {cell}: {criterion}{part}: it said {judge}, people {people}{state}",
        "correction_answer": "      {model} on {question!r}",
        "next_examples": "Next: {hint}",
        "tried": "{judge} on {question!r} by {model}: {title}",
        "call_of": " of {judge}",
        "call": "\nCall {number}{whose}, {settings}",
        "unsupported": "Not sent, because the model does not take it: {names}.",
        "reply": "--- reply",
        "read_as": "--- read as",
        "together": "\nTogether ({method}):",
        "no_settings": "no settings",
        "median_of_samples": "the median of its samples",
    },
)


app = group(say("help"))

NameArgument = Annotated[str, typer.Argument(help=say("name.help"))]


@app.command("list", help=say("list.help"))
def list_(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Show the judges with their fields, what they cost and could not say by criterion, and
    what the learned judge rests on."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    found, figures = judges.judge_list(scope, name), judges.figures(scope, name)
    show({**as_dict(found), "figures": figures}, as_json, lambda: _list_text(found, figures))


@app.command("set", help=say("set.help"))
def set_(
    name: Annotated[str, typer.Argument(help=say("set.name.help"))],
    judge: Annotated[str, typer.Option(help=say("set.judge.help"))],
    temperature: Annotated[
        float | None,
        typer.Option(
            min=0.0, help=say("set.temperature.help"), show_default=say("set.temperature.default")
        ),
    ] = None,
    top_p: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=1.0, help=say("set.top_p.help"), show_default=say("set.top_p.default")
        ),
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(
            min=1, help=say("set.max_tokens.help"), show_default=say("set.max_tokens.default")
        ),
    ] = None,
    effort: Annotated[
        str, typer.Option(help=say("set.effort.help"), show_default=say("set.effort.default"))
    ] = "",
    persona: Annotated[
        str, typer.Option(help=say("set.persona.help"), show_default=say("set.persona.default"))
    ] = "",
    prompt_language: Annotated[str, typer.Option(help=say("set.prompt_language.help"))] = "",
    slot: Annotated[
        str,
        typer.Option(
            callback=one_of(("system", "user")),
            help=say("set.slot.help"),
            show_default=say("set.slot.default"),
        ),
    ] = "",
    per: Annotated[
        str,
        typer.Option(
            callback=one_of(("answer", "criterion", "question")),
            help=say("set.per.help"),
            show_default=say("set.per.default"),
        ),
    ] = "",
    order_seed: Annotated[
        int | None,
        typer.Option(help=say("set.order_seed.help"), show_default=say("set.order_seed.default")),
    ] = None,
    reference: Annotated[
        bool | None,
        typer.Option(
            "--reference/--no-reference",
            help=say("set.reference.help"),
            show_default=say("set.reference.default"),
        ),
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            min=1,
            help=say("set.window.help"),
            show_default=say("set.window.default"),
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option(min=1, help=say("set.samples.help"), show_default=say("set.samples.default")),
    ] = None,
    confidence: Annotated[
        str,
        typer.Option(
            callback=one_of(("stated", "logprobs")),
            help=say("set.confidence.help"),
            show_default=say("set.confidence.default"),
        ),
    ] = "",
    base_url: Annotated[
        str,
        typer.Option(
            "--base-url", help=say("set.base_url.help"), show_default=say("set.base_url.default")
        ),
    ] = "",
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            help=say("set.header.help"),
        ),
    ] = None,
    input_price: Annotated[
        float | None, typer.Option(min=0.0, help=say("set.input_price.help"))
    ] = None,
    output_price: Annotated[
        float | None, typer.Option(min=0.0, help=say("set.output_price.help"))
    ] = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Keep a judge under a name, or change it; `cograde grade --judge NAME` takes it. Nothing
    is sent."""
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
            "\n".join([_judge_text(made), *made.notes])
            + say("next", hint=hint(f"judges try {name}"))
        ),
    )


@app.command("remove", help=say("remove.help"))
def remove(
    name: NameArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Forget how a judge was set up; what it said stays."""
    scope = scope_for(workspace)
    judges.take_down(scope, project_for(scope, project), name)
    show({"removed": name}, as_json, lambda: say("removed", name=name))


@app.command("try", help=say("try.help"))
def try_(
    name: Annotated[
        str,
        typer.Argument(help=say("try.name.help")),
    ],
    question: Annotated[
        str, typer.Option(help=say("try.question.help"), show_default=say("try.question.default"))
    ] = "",
    model: Annotated[
        str, typer.Option(help=say("try.model.help"), show_default=say("try.model.default"))
    ] = "",
    panel: Annotated[
        str,
        typer.Option(
            help=say("try.panel.help"),
            show_default=say("try.panel.default"),
        ),
    ] = "",
    prompt: Annotated[bool, typer.Option("--prompt", help=say("try.prompt.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Ask a judge about one answer, and show the prompt, the raw reply and the verdicts that
    are read from it."""
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
        raise StoppedEarly(**error_parts("command_judges.error.no_usable_reply", name=name))


@app.command("examples", help=say("examples.help"))
def examples(
    name: Annotated[str, typer.Argument(help=say("examples.name.help"))],
    cell: Annotated[
        list[int] | None,
        typer.Option(help=say("examples.cell.help")),
    ] = None,
    suggested: Annotated[
        bool, typer.Option("--suggested", help=say("examples.suggested.help"))
    ] = False,
    none: Annotated[bool, typer.Option("--none", help=say("examples.none.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """List where people decided otherwise than a judge, or give it such corrections as
    examples. Its verdicts are then asked for anew."""
    scope = scope_for(workspace)
    where = project_for(scope, project)
    if bool(cell) + suggested + none > 1:
        raise UsageError(**error_parts("command_judges.error.choose_examples"))
    if cell or suggested or none:
        done = corrections.pick(scope, where, name, None if suggested else cell or [])
        show(done, as_json, lambda: done.message)
        return
    found = corrections.corrections(scope, where, name)
    show(found, as_json, lambda: _corrections_text(found))


@app.command("learn", help=say("learn.help"))
def learn_(
    workspace: WorkspaceOption = None, project: ProjectOption = "", as_json: JsonOption = False
) -> None:
    """Let the learned judge learn from people's blind verdicts now. Runs and the web app do so
    by themselves."""
    scope = scope_for(workspace)
    found = learn.learn_now(
        scope, project_for(scope, project), measure.encoder_for(Context.settings.models(), scope.ws)
    )
    show(found, as_json, lambda: "\n".join(map(_lesson_text, found)))


@app.command("forget", help=say("forget.help"))
def forget(
    model: Annotated[
        str, typer.Option(help=say("forget.model.help"), show_default=say("forget.model.default"))
    ] = "",
    yes: Annotated[bool, typer.Option("--yes", help=say("forget.yes.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Delete what was asked and replied. Verdicts, counts and money stay; nothing can be
    replayed any more."""
    scope = scope_for(workspace)
    where = project_for(scope, project)
    messages.print(judges.lost_words(), markup=False)
    if not yes:
        if not sys.stdin.isatty():
            raise InputError(**error_parts("command_judges.error.forget_not_confirmed"))
        if not typer.confirm(say("confirm_delete"), default=False, err=True):
            raise typer.Exit(3)
    done = judges.forget(scope, where, model)
    show(done, as_json, lambda: done.message)


def _list_text(found: judges.JudgeList, figures: Sequence[judges.JudgeFigures]) -> str:
    lines = [found.title, *map(_judge_text, found.judges)]
    for row in figures:
        price = dollars(row.money) + (
            say("unpriced", unpriced=row.unpriced) if row.unpriced and row.money else ""
        )
        share = say("unreadable", unreadable=row.unreadable, share=row.share) if row.share else ""
        lines.append(
            say(
                "figures",
                judge=row.judge,
                criterion=row.criterion,
                given=row.given,
                asked=row.asked,
                share=share,
                price=price,
            )
        )
        lines += [f"    {one.cells}: {one.why}" for one in row.reasons]
    lines += [say("learned"), *(f"  {_lesson_text(lesson)}" for lesson in found.lessons)]
    kept = sum(row.kept for row in found.recorded)
    return "\n".join([*lines, say("recorded", kept=kept, hint=hint("judges forget"))])


def _judge_text(row: judges.JudgeRow) -> str:
    what = f" = {row.judge}" if row.judge != row.name else ""
    beside = {name: getattr(row, name) for name in judges.BESIDE}
    own = {
        **row.options,
        **{name: value for name, value in beside.items() if value not in (None, "")},
    }
    kind = say("row.derived") if row.derived else ""
    kind += say("row.examples", examples=several(row.examples, "example")) if row.examples else ""
    told = "".join(
        say("row.without", field=name.replace("_", " "))
        if value is False
        else f", {name.replace('_', ' ')} {value}"
        for name, value in own.items()
    )
    only_tried = isinstance(row, judges.ListedJudge) and row.only_tried
    tried = say("row.only_tried") if only_tried and not row.set_up else ""
    return f"{row.name}{what}{kind}{told}{tried}" + (say("row.suggests") if row.present else "")


def _corrections_text(found: corrections.Corrections) -> str:
    lines = [found.title]
    for row in found.corrections:
        part = f", {row.part}" if row.part else ""
        state = " (taken)" if row.picked else " (suggested)" if row.suggested else ""
        lines.append(
            say(
                "correction",
                cell=row.cell,
                criterion=row.criterion,
                part=part,
                judge=row.judge,
                people=row.people,
                state=state,
            )
        )
        lines.append(
            say("correction_answer", model=row.model, question=row.question)
            + (f": {row.why}" if row.why else "")
        )
    if found.corrections:
        lines.append(
            say("next_examples", hint=hint("judges examples " + found.judge + " --suggested"))
        )
    return "\n".join(lines)


def _lesson_text(lesson: learn.LessonReport) -> str:
    return f"{lesson.title}: {lesson.rests_on}"


def _tried_text(found: try_judge.TriedAnswer) -> str:
    lines = [
        say(
            "tried",
            judge=found.judge,
            question=found.question,
            model=found.model,
            title=found.title,
        )
    ]
    for number, call in enumerate(found.calls, 1):
        whose = say("call_of", judge=call.judge) if found.method else ""
        settings = ", ".join(f"{name} {value}" for name, value in call.settings.items())
        lines.append(
            say("call", number=number, whose=whose, settings=settings or say("no_settings"))
        )
        if call.left_out:
            lines.append(say("unsupported", names=", ".join(call.left_out)))
        for message in call.messages:
            lines += [f"--- {message.role}", message.text]
        if call.raw is not None:
            lines += [say("reply"), call.raw, say("read_as")]
        lines += [
            f"{item.model + ', ' if item.model else ''}"
            f"{item.criterion}{' ' + item.part if item.part else ''}: {item.word or item.why}"
            for item in call.read
        ]
        lines += [call.cause] if call.cause else []
    if found.together:
        lines.append(say("together", method=found.method or say("median_of_samples")))
        for item in found.together:
            part = f" {item.part}" if item.part else ""
            note = f" {item.note}" if item.note else ""
            lines.append(f"  {item.criterion}{part}: {item.word or item.why}{note}")
    return "\n".join(lines)
