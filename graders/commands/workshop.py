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
    project_for,
    scope_for,
    show,
)
from graders.commands._values import one_of
from graders.core.errors import StoppedEarly, UsageError
from graders.core.money import dollars
from graders.core.run_state import RunState
from graders.core.shapes import as_dict
from graders.workflows.rubrics import wording
from graders.workflows.runs import judges
from graders.workflows.scope.phrases import several
from graders.workflows.workshop import workshop
from graders.workflows.workshop.figures import PartFigures
from graders.workflows.workshop.kept import TryState
from graders.workflows.workshop.tries import ANSWERS

app = group(
    "Change a judge, compare it with what it was, keep or drop the change.",
    "workshop show strict --project support",
)

NameArgument = Annotated[str, typer.Argument(help="A judge that was set up.")]
NumberArgument = Annotated[int, typer.Argument(help="The number of the try.")]


@app.command("show")
def show_(
    name: Annotated[
        str, typer.Argument(help="A judge that was set up.", show_default="the first with tries")
    ] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show the tries of a judge, before and after.

    Agreement with people's blind verdicts on what is looked at and on what is held out. Nothing is
    sent.

    Example: cograde workshop show strict --json
    """
    scope = scope_for(workspace)
    found = workshop.workshop(scope, project_for(scope, project), name)
    show(found, as_json, lambda: _text(found))


@app.command("try")
def try_(
    name: NameArgument,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="FIELD=VALUE as `judges set` has it, such as persona=...; several."
        ),
    ] = None,
    judge: Annotated[
        str, typer.Option(help="Another model, as PROVIDER:MODEL.", show_default="the same")
    ] = "",
    examples: Annotated[
        str,
        typer.Option(
            callback=one_of(("same", "suggested", "none")),
            help="same, suggested (from people's corrections) or none.",
            show_default="same",
        ),
    ] = "",
    note: Annotated[str, typer.Option(help="What is tried, in a few words.")] = "",
    answers: Annotated[
        int, typer.Option(min=1, help="How many labelled answers to ask about.")
    ] = ANSWERS,
    base_url: Annotated[
        str,
        typer.Option(
            "--base-url", help="Ask both at this address.", show_default="the judge's own"
        ),
    ] = "",
    again: Annotated[
        int,
        typer.Option(
            help="Ask what is missing of this try instead, where it was asked.",
            show_default="a new try",
        ),
    ] = 0,
    budget: Annotated[
        float | None, typer.Option(min=0.0, help="Stop at so many US dollars.")
    ] = None,
    max_calls: Annotated[
        int | None, typer.Option("--max-calls", min=0, help="Stop after so many calls.")
    ] = None,
    concurrency: Annotated[int, typer.Option(min=1, help="Calls at once.")] = 64,
    plan: Annotated[bool, typer.Option("--plan", help="Show the plan and stop.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Try a changed judge beside the judge as it was.

    Both are asked about answers that people graded blind, and compared. The plan comes first.

    Example: cograde workshop try strict --set persona="a kind teacher" --examples suggested
    --budget 1
    """
    scope = scope_for(workspace)
    where = project_for(scope, project)
    if again and (set_ or judge or examples or note or answers != ANSWERS):
        beside, limits = "another change beside --again", "--again with limits alone"
        raise UsageError(
            "workshop try", found=beside, expected=limits, remedy="Leave --again out for a new try."
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
    if not yes and sys.stdin.isatty() and not typer.confirm("Start?", default=True, err=True):
        raise StoppedEarly(
            "the plan", found="no", expected="a yes to start", remedy="Nothing was sent."
        )
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
        remedy = f"Ask what is missing: {hint(words)}"
        raise StoppedEarly(
            f"run {begun.run}", found=state, expected="a run to its end", remedy=remedy
        )


@app.command("keep")
def keep(
    name: NameArgument,
    number: NumberArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a try the judge's setting.

    Its verdicts and proofs are out of date then; what the try bought is not bought again.

    Example: cograde workshop keep strict 2
    """
    scope = scope_for(workspace)
    done = workshop.keep(scope, project_for(scope, project), name, number)
    show(done, as_json, lambda: done.message)


@app.command("drop")
def drop(
    name: NameArgument,
    number: NumberArgument,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Put a try aside; it still counts among the tries.

    Example: cograde workshop drop strict 1
    """
    scope = scope_for(workspace)
    done = workshop.drop(scope, project_for(scope, project), name, number)
    show(done, as_json, lambda: done.message)


@app.command("wording")
def wording_(
    draft: Annotated[
        str, typer.Option("--draft", help="Let a judge draft a sentence for this RUBRIC/CRITERION.")
    ] = "",
    judge: Annotated[str, typer.Option(help="PROVIDER:MODEL[@ADDRESS] that drafts.")] = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Show where the rubric is unclear, or draft a sentence.

    People say so after a correction. A draft changes nothing: a person puts it in force in the
    rubric editor.

    Example: cograde workshop wording --draft answer-quality/completeness --judge openai:gpt-4o-mini
    """
    scope = scope_for(workspace)
    where = project_for(scope, project)
    if not draft:
        found = wording.unclear(scope, where)
        show(
            found,
            as_json,
            lambda: (
                "\n".join(map(_unclear_text, found))
                or "Nobody has said yet that the rubric is unclear."
            ),
        )
        return
    if not judge:
        raise UsageError(
            "option --draft",
            found="no judge",
            expected="--judge PROVIDER:MODEL too",
            remedy="Name one.",
        )
    done = wording.draft(scope, where, draft, judge)
    show(done, as_json, lambda: done.sentence)
    if not done.sentence:
        raise StoppedEarly(
            f"judge {judge}",
            found=done.why,
            expected="a sentence",
            remedy="Ask again, or write it yourself.",
        )


def _unclear_text(row: wording.UnclearCriterion) -> str:
    lines = [
        (f"{row.title}: {several(row.total, 'disagreement')} that people put down to the rubric")
    ]
    for case in row.cases:
        words = [f"{judge.name} {judge.word}" for judge in case.judges]
        words += [
            f"{person.name} {person.word}" + (f" ({person.why})" if person.why else "")
            for person in case.people
        ]
        lines.append(f"  {case.model} on {case.question[:80]!r}: {'; '.join(words)}")
    lines += [
        f"  draft by {draft.by}{', taken' if draft.taken else ''}: {draft.sentence}"
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
                "option --set",
                found=repr(word)[:80],
                expected="FIELD=VALUE with one of " + ", ".join([*judges.FIELDS, *judges.BESIDE]),
                remedy="Correct it.",
            )
        fields[field] = value
    return fields


def _plan_text(agreed: workshop.TryPlan) -> str:
    part = agreed.part
    lines = [
        "; ".join(agreed.changed),
        f"{several(part.answers, 'answer')} of {several(part.questions, 'question')} "
        "that people graded blind; "
        f"{part.held_out_answers} of {several(part.held_out_questions, 'question')} "
        "are held out",
    ]
    lines += [_left_out(part.left_out)] if part.left_out else []
    lines += [f"Both are asked at {agreed.address}"] if agreed.address else []
    for judge in agreed.judges:
        price = "price unknown" if judge.money is None else f"about {dollars(judge.money)}"
        calls = f"{several(judge.calls, 'call')}, {judge.known} known already"
        lines.append(f"  {judge.name}: {calls}{f', {price}' if judge.calls > judge.known else ''}")
        lines += [f"    {note}" for note in (*judge.notes, judge.key) if note]
    return "\n".join(lines)


def _left_out(count: int) -> str:
    return f"Left out, because an example is from there: {several(count, 'question')}"


def _text(found: workshop.Workshop) -> str:
    part = found.part
    lines = [found.title]
    if found.judge:
        lines.append(
            f"Labelled: {several(part.labelled, 'answer')}; a try asks about {part.answers}, "
            f"{part.held_out_answers} of them held out"
        )
    for one in found.tries:
        state = "" if one.state == TryState.OPEN else f", {one.state}"
        lines.append(
            f"Try {one.number} of {one.of}{state}: {'; '.join(one.changed)}"
            + (f" ({one.note})" if one.note else "")
        )
        lines += [f"  {_left_out(one.left_out)}"] if one.left_out else []
        lines += [f"  Asked at {one.address}"] if one.address else []
        before, after = one.asked
        if before.known < before.calls or after.known < after.calls:
            lines.append(
                f"  Replies: {before.known} of {before.calls} before, "
                f"{after.known} of {after.calls} after"
            )
        lines += [f"  {one.lost}"] if one.lost else []
        for figure in one.criteria:
            for part_name, words in (("looked_at", "looked at"), ("held_out", "HELD OUT")):
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
        lines.append(f"Next: {again}" if missing else f"Next: {keep}\n  or: {drop}")
    elif found.judge and not part.labelled:
        lines.append(
            "Next: let people grade answers blind, so that a try has something to be held "
            f"against: {hint('serve')}"
        )
    elif found.judge:
        lines.append(f"Next: {hint('workshop try ' + found.judge + ' --set persona=... --plan')}")
    return "\n".join(lines)


def _figure_text(part: PartFigures, figure: str) -> str:
    of = f"{several(part.cells, 'cell')} of {several(part.questions, 'question')}"
    if part.difference["value"] is None:
        return f"{part.difference['reason']} ({of})"
    apart = part.difference
    reach = "" if apart["low"] is None else f" ({apart['low']:+.2f} to {apart['high']:+.2f})"
    return (
        f"{figure} {part.before['value']:.2f} -> {part.after['value']:.2f}, "
        f"{apart['value']:+.2f}{reach}, {part.word}; {of}"
    )
