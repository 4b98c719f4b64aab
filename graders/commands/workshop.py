"""The judge workshop: change a judge, ask it about labelled answers, compare, keep or drop."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated, Any

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
    not_started,
    project_for,
    scope_for,
    show,
    start_question,
)
from graders.commands._values import one_of
from graders.core.errors import StoppedEarly, UsageError
from graders.core.money import dollars
from graders.core.run_state import RunState
from graders.core.shapes import as_dict
from graders.core.words import carried, error_parts
from graders.workflows.rubrics import wording
from graders.workflows.runs import judges
from graders.workflows.scope.phrases import several
from graders.workflows.workshop import workshop
from graders.workflows.workshop.figures import PartFigures
from graders.workflows.workshop.kept import TryState
from graders.workflows.workshop.tries import ANSWERS

say = carried(
    "command_workshop",
    {
        "help": (
            "Compare a changed judge with the earlier one. Then keep or drop the change.\n\n"
            "Example: cograde workshop show strict --project support"
        ),
        "name.help": "A judge that was set up.",
        "number.help": "The number of the try.",
        "show.name.help": "A judge that was set up.",
        "show.name.default": "the first with tries",
        "show.help": (
            "Show the tries of a judge, before and after.\n\n"
            "Agreement with people's blind verdicts on the answers that are looked at and on those "
            "held out. Nothing is sent.\n\n"
            "Example: cograde workshop show strict --json"
        ),
        "try.set.help": "FIELD=VALUE as in `judges set`, such as persona=...; may be repeated.",
        "try.judge.help": "Another model, as PROVIDER:MODEL.",
        "try.judge.default": "the same",
        "try.examples.help": "same, suggested (from people's corrections) or none.",
        "try.examples.default": "same",
        "try.note.help": "What is tried, in a few words.",
        "try.answers.help": "Number of labelled answers to ask about.",
        "try.base_url.help": "Ask both at this address.",
        "try.base_url.default": "the judge's own",
        "try.again.help": (
            "Ask what is missing of this try instead, at the address where it was asked."
        ),
        "try.again.default": "a new try",
        "try.budget.help": "Budget limit in US dollars.",
        "try.max_calls.help": "Limit on the number of calls.",
        "try.concurrency.help": "Max concurrent calls.",
        "try.plan.help": "Show the plan and stop.",
        "try.yes.help": "Do not ask.",
        "try.help": (
            "Try a changed judge beside the judge as it was.\n\n"
            "Both are asked about answers that people graded blind, and compared. The plan comes "
            "first.\n\n"
            'Example: cograde workshop try strict --set persona="a kind teacher" --examples '
            "suggested --budget 1"
        ),
        "again.beside": "another change beside --again",
        "again.alone": "--again with limits alone",
        "error.again.where": "workshop try",
        "error.again.found": "{beside}",
        "error.again.expected": "{limits}",
        "error.again.remedy": "Leave --again out for a new try.",
        "ask_missing": "Ask what is missing: {hint}",
        "error.stopped.where": "run {run}",
        "error.stopped.found": "{state}",
        "error.stopped.expected": "a run to its end",
        "error.stopped.remedy": "{remedy}",
        "keep.help": (
            "Make a try the judge's setting.\n\n"
            "The verdicts and proofs of the earlier setting are then out of date; replies of the "
            "try are not bought again.\n\n"
            "Example: cograde workshop keep strict 2"
        ),
        "drop.help": (
            "Drop a try; it still counts among the tries.\n\n"
            "Example: cograde workshop drop strict 1"
        ),
        "wording.draft.help": "Let a judge draft a sentence for this RUBRIC/CRITERION.",
        "wording.judge.help": "PROVIDER:MODEL[@ADDRESS] that drafts.",
        "wording.help": (
            "Show where the rubric is unclear, or draft a sentence.\n\n"
            "People report this after a correction. A draft changes nothing: a person puts it in "
            "force in the rubric editor.\n\n"
            "Example: cograde workshop wording --draft answer-quality/completeness --judge "
            "openai:gpt-4o-mini"
        ),
        "nothing_unclear": "No person has reported an unclear rubric yet.",
        "error.draft_without_judge.where": "option --draft",
        "error.draft_without_judge.found": "no judge",
        "error.draft_without_judge.expected": "--judge PROVIDER:MODEL too",
        "error.draft_without_judge.remedy": "Name one.",
        "error.no_sentence.where": "judge {judge}",
        "error.no_sentence.found": "{why}",
        "error.no_sentence.expected": "a sentence",
        "error.no_sentence.remedy": "Ask again, or write it yourself.",
        "criterion": "{title}: {disagreements} that people attribute to the rubric",
        "case": "  {model} on {question!r}: {names}",
        "draft": "  draft by {by}{taken}: {sentence}",
        "error.set.where": "option --set",
        "error.set.found": "{word}",
        "error.set.expected": "FIELD=VALUE with one of {fields}",
        "error.set.remedy": "Correct it.",
        "labelled": (
            "{answers} of {questions} that people graded blind; {held_out_answers} of "
            "{questions_2} are held out"
        ),
        "address": "Both are asked at {address}",
        "price_unknown": "price unknown",
        "about": "about {dollars}",
        "calls": "{calls}, {known} known already",
        "left_out": "Left out, because an example is from there: {questions}",
        "labelled_more": (
            "Labelled: {answers}; a try asks about {answers_2}, {held_out_answers} of them held out"
        ),
        "try": "Try {number} of {of_}{state}: {names}",
        "asked_at": "  Asked at {address}",
        "replies": "  Replies: {known} of {calls} before, {known_2} of {calls_2} after",
        "looked_at": "looked at",
        "held_out": "HELD OUT",
        "next_again": "Next: {again}",
        "next_keep_or_drop": "Next: {keep}\n  or: {drop}",
        "next_label": (
            "Next: let people grade answers blind, so that tries can be compared with their "
            "labels: {hint}"
        ),
        "next_try": "Next: {hint}",
        "cells": "{cells} of {questions}",
        "interval": " ({low:+.2f} to {high:+.2f})",
        "draft.taken": ", taken",
    },
)


app = group(say("help"))

NameArgument = Annotated[str, typer.Argument(help=say("name.help"))]
NumberArgument = Annotated[int, typer.Argument(help=say("number.help"))]


@app.command("show", help=say("show.help"))
def show_(
    name: Annotated[
        str, typer.Argument(help=say("show.name.help"), show_default=say("show.name.default"))
    ] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show the tries of a judge, before and after."""
    scope = scope_for(workspace)
    found = workshop.workshop(scope, project_for(scope, project), name)
    show(found, as_json, lambda: _text(found))


@app.command("try", help=say("try.help"))
def try_(
    name: NameArgument,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", help=say("try.set.help")),
    ] = None,
    judge: Annotated[
        str, typer.Option(help=say("try.judge.help"), show_default=say("try.judge.default"))
    ] = "",
    examples: Annotated[
        str,
        typer.Option(
            callback=one_of(("same", "suggested", "none")),
            help=say("try.examples.help"),
            show_default=say("try.examples.default"),
        ),
    ] = "",
    note: Annotated[str, typer.Option(help=say("try.note.help"))] = "",
    answers: Annotated[int, typer.Option(min=1, help=say("try.answers.help"))] = ANSWERS,
    base_url: Annotated[
        str,
        typer.Option(
            "--base-url", help=say("try.base_url.help"), show_default=say("try.base_url.default")
        ),
    ] = "",
    again: Annotated[
        int,
        typer.Option(
            help=say("try.again.help"),
            show_default=say("try.again.default"),
        ),
    ] = 0,
    budget: Annotated[float | None, typer.Option(min=0.0, help=say("try.budget.help"))] = None,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", min=0, help=say("try.max_calls.help"))
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help=say("try.concurrency.help"))] = 64,
    plan: Annotated[bool, typer.Option("--plan", help=say("try.plan.help"))] = False,
    yes: Annotated[bool, typer.Option("--yes", help=say("try.yes.help"))] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Try a changed judge beside the judge as it was."""
    scope = scope_for(workspace)
    where = project_for(scope, project)
    if again and (set_ or judge or examples or note or answers != ANSWERS):
        beside, limits = say("again.beside"), say("again.alone")
        raise UsageError(
            **error_parts("command_workshop.error.again", beside=beside, limits=limits)
        )
    change: dict[str, Any] = {
        "judge": judge,
        "examples": examples,
        "note": note,
        "answers": answers,
    }
    if set_:
        card = workshop.workshop(scope, where, name).card
        change["fields"] = _fields(card.fields if card else {}, set_)
    options = {
        "budget_money": budget,
        "budget_calls": max_calls,
        "concurrency": concurrency,
        "base_url": base_url.strip(),
    }
    agreed = workshop.plan(scope, where, name, change, options, again)
    if plan:
        return show(agreed, as_json, lambda: _plan_text(agreed))
    messages.print(_plan_text(agreed), markup=False)
    if (
        not yes
        and sys.stdin.isatty()
        and not typer.confirm(start_question(), default=True, err=True)
    ):
        raise not_started()
    begun = workshop.start(scope, where, name, change, options, again)
    state = work(scope, begun.run, Context.settings.models())
    found = workshop.workshop(scope, where, name)
    show(
        {**as_dict(found), "run": begun.run, "number": begun.number, "state": state},
        as_json,
        lambda: _text(found),
    )
    if state != RunState.DONE:
        words = f"workshop try {name} --again {begun.number}"
        remedy = say("ask_missing", hint=hint(words))
        raise StoppedEarly(
            **error_parts(
                "command_workshop.error.stopped", run=begun.run, state=state, remedy=remedy
            )
        )


@app.command("keep", help=say("keep.help"))
def keep(
    name: NameArgument,
    number: NumberArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a try the judge's setting."""
    scope = scope_for(workspace)
    done = workshop.keep(scope, project_for(scope, project), name, number)
    show(done, as_json, lambda: done.message)


@app.command("drop", help=say("drop.help"))
def drop(
    name: NameArgument,
    number: NumberArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Put a try aside; it still counts among the tries."""
    scope = scope_for(workspace)
    done = workshop.drop(scope, project_for(scope, project), name, number)
    show(done, as_json, lambda: done.message)


@app.command("wording", help=say("wording.help"))
def wording_(
    draft: Annotated[str, typer.Option("--draft", help=say("wording.draft.help"))] = "",
    judge: Annotated[str, typer.Option(help=say("wording.judge.help"))] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show where the rubric is unclear, or draft a sentence."""
    scope = scope_for(workspace)
    where = project_for(scope, project)
    if not draft:
        found = wording.unclear(scope, where)
        show(
            found,
            as_json,
            lambda: "\n".join(map(_unclear_text, found)) or say("nothing_unclear"),
        )
        return
    if not judge:
        raise UsageError(**error_parts("command_workshop.error.draft_without_judge"))
    done = wording.draft(scope, where, draft, judge)
    show(done, as_json, lambda: done.sentence)
    if not done.sentence:
        raise StoppedEarly(
            **error_parts("command_workshop.error.no_sentence", judge=judge, why=done.why)
        )


def _unclear_text(row: wording.UnclearCriterion) -> str:
    lines = [(say("criterion", title=row.title, disagreements=several(row.total, "disagreement")))]
    for case in row.cases:
        words = [f"{judge.name} {judge.word}" for judge in case.judges]
        words += [
            f"{person.name} {person.word}" + (f" ({person.why})" if person.why else "")
            for person in case.people
        ]
        lines.append(
            say("case", model=case.model, question=case.question[:80], names="; ".join(words))
        )
    lines += [
        say(
            "draft",
            by=draft.by,
            taken=say("draft.taken") if draft.taken else "",
            sentence=draft.sentence,
        )
        for draft in row.drafts
    ]
    return "\n".join(lines)


def _fields(present: Mapping[str, Any], given: list[str]) -> dict[str, Any]:
    """The judge's fields with those that were given; an empty value takes one away."""
    fields = dict(present)
    for word in given:
        field, sign, value = word.partition("=")
        if not sign or field not in {**judges.FIELDS, **judges.BESIDE}:
            raise UsageError(
                **error_parts(
                    "command_workshop.error.set",
                    word=repr(word)[:80],
                    fields=", ".join([*judges.FIELDS, *judges.BESIDE]),
                )
            )
        fields[field] = value
    return fields


def _plan_text(agreed: workshop.TryPlan) -> str:
    part = agreed.part
    lines = [
        "; ".join(agreed.changed),
        say(
            "labelled",
            answers=several(part.answers, "answer"),
            questions=several(part.questions, "question"),
            held_out_answers=part.held_out_answers,
            questions_2=several(part.held_out_questions, "question"),
        ),
    ]
    lines += [_left_out(part.left_out)] if part.left_out else []
    lines += [say("address", address=agreed.address)] if agreed.address else []
    for judge in agreed.judges:
        price = (
            say("price_unknown")
            if judge.money is None
            else say("about", dollars=dollars(judge.money))
        )
        calls = say("calls", calls=several(judge.calls, "call"), known=judge.known)
        lines.append(f"  {judge.name}: {calls}{f', {price}' if judge.calls > judge.known else ''}")
        lines += [f"    {note}" for note in (*judge.notes, judge.key) if note]
    return "\n".join(lines)


def _left_out(count: int) -> str:
    return say("left_out", questions=several(count, "question"))


def _text(found: workshop.Workshop) -> str:
    part = found.part
    lines = [found.title]
    if found.judge:
        lines.append(
            say(
                "labelled_more",
                answers=several(part.labelled, "answer"),
                answers_2=part.answers,
                held_out_answers=part.held_out_answers,
            )
        )
    for one in found.tries:
        state = "" if one.state == TryState.OPEN else f", {one.state}"
        lines.append(
            say("try", number=one.number, of_=one.of, state=state, names="; ".join(one.changed))
            + (f" ({one.note})" if one.note else "")
        )
        lines += [f"  {_left_out(one.left_out)}"] if one.left_out else []
        lines += [say("asked_at", address=one.address)] if one.address else []
        before, after = one.asked
        if before.known < before.calls or after.known < after.calls:
            lines.append(
                say(
                    "replies",
                    known=before.known,
                    calls=before.calls,
                    known_2=after.known,
                    calls_2=after.calls,
                )
            )
        lines += [f"  {one.lost}"] if one.lost else []
        for figure in one.criteria:
            for part_name, words in (
                ("looked_at", say("looked_at")),
                ("held_out", say("held_out")),
            ):
                lines.append(
                    f"  {figure.title}, {words}: "
                    f"{_figure_text(figure.parts[part_name], figure.figure)}"
                )
    if found.tries and (latest := found.tries[0]).state == TryState.OPEN:
        missing = any(side.known < side.calls for side in latest.asked)
        number = latest.number
        steps = (("try", f"--again {number}"), ("keep", number), ("drop", number))
        again, keep, drop = (
            hint(f"workshop {verb} {found.judge} {number}") for verb, number in steps
        )
        lines.append(
            say("next_again", again=again)
            if missing
            else say("next_keep_or_drop", keep=keep, drop=drop)
        )
    elif found.judge and not part.labelled:
        lines.append(say("next_label", hint=hint("serve")))
    elif found.judge:
        lines.append(
            say("next_try", hint=hint("workshop try " + found.judge + " --set persona=... --plan"))
        )
    return "\n".join(lines)


def _figure_text(part: PartFigures, figure: str) -> str:
    of = say(
        "cells", cells=several(part.cells, "cell"), questions=several(part.questions, "question")
    )
    if part.difference.value is None:
        return f"{part.difference.reason} ({of})"
    apart = part.difference
    reach = "" if apart.low is None else say("interval", low=apart.low, high=apart.high)
    return (
        f"{figure} {part.before.value:.2f} -> {part.after.value:.2f}, "
        f"{apart.value:+.2f}{reach}, {part.word}; {of}"
    )
