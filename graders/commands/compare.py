"""Two models, or two versions of one, question by question."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._only import OnlyOption
from graders.commands._ranking import (
    CategoryOption,
    JudgeOption,
    LanguageOption,
    TaskTypeOption,
    WayOption,
    WeightOption,
    board_filters,
    weights_of,
)
from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.workflows.leaderboard.compare import compare, gate
from graders.workflows.leaderboard.compare_words import signed
from graders.workflows.leaderboard.comparison import Cases, Comparison, Gate
from graders.workflows.leaderboard.ground import Wish

say = carried(
    "command_compare",
    {
        "new.help": "The new model, or MODEL@VERSION.",
        "old.help": "The model that it is compared with.",
        "criterion.help": "Base the verdict on this criterion.",
        "criterion.default": "the mean of all",
        "rule.help": (
            '"not worse by X" or "better by X": exit with 4 where that does not hold, with 5 '
            "where it is open."
        ),
        "help": (
            "Compare two models or versions. NEW with OLD on the questions that both answered: "
            "differences with intervals, a verdict, and what got worse.\n\n"
            "MODEL@VERSION names answers that a later import replaced.\n\n"
            'Example: cograde compare new old --project support --gate "not worse by 2"'
        ),
        "by_question": (
            "Question by question: {worse:,} worse, {better:,} better, {same:,} equal."
        ),
        "pair": "{title} {a} against {b} by {by}",
    },
)
ABOUT = say("help")


#: Questions that the text names; the document holds a page of them.
CASES = 5


def command(
    new: Annotated[str, typer.Argument(help=say("new.help"), metavar="NEW")],
    old: Annotated[str, typer.Argument(help=say("old.help"), metavar="OLD")],
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    criterion: Annotated[
        str,
        typer.Option(
            "--criterion", help=say("criterion.help"), show_default=say("criterion.default")
        ),
    ] = "",
    way: WayOption = "",
    judge: JudgeOption = "",
    weight: WeightOption = None,
    category: CategoryOption = "",
    task_type: TaskTypeOption = "",
    language: LanguageOption = "",
    only: OnlyOption = None,
    rule: Annotated[
        str,
        typer.Option("--gate", help=say("rule.help")),
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Compare NEW with OLD on the questions that both answered: differences with intervals, a
    verdict, and what got worse."""
    scope = scope_for(workspace)
    found = compare(
        scope,
        project_for(scope, project),
        new,
        old,
        Wish(
            view=criterion,
            show=way,
            judge=judge,
            weights=weights_of(weight),
            filters=board_filters(only, category, task_type, language),
        ),
    )
    kept = gate(found.lead, rule, unconfirmed=found.unconfirmed) if rule else None
    document = {**as_dict(found), "gate": kept} if kept else found
    show(document, as_json, lambda: _text(found, kept))
    if kept and kept.code:
        raise typer.Exit(kept.code)


def _text(found: Comparison, kept: Gate | None) -> str:
    last = [kept.words] if kept else []
    lines = [
        line for line in (found.title, found.subtitle, found.rests_on, found.choice.warning) if line
    ]
    if not found.rows:
        return "\n".join([*lines, *last])
    lines.append("")
    lines.append(f"{'criterion':<24}{'difference':<28}verdict")
    for row in found.rows:
        if row.apart is None:
            lines.append(f"{row.title:<24}{'-':<28}{row.why}")
            continue
        bounds = (
            f" [{signed(row.low, row.decimals)}, {signed(row.high, row.decimals)}]"
            if row.low is not None and row.high is not None
            else ""
        )
        why = f" ({row.why})" if row.why else ""
        lines.append(
            f"{row.title:<24}{signed(row.apart, row.decimals) + bounds:<28}{row.verdict}{why}"
        )
    lines += [
        "",
        *([found.lead.seen] if found.lead and found.lead.seen else []),
        *_cases(found.cases),
    ]
    return "\n".join([*lines, *last])


def _cases(cases: Cases | None) -> list[str]:
    if cases is None or not cases.rows:
        return []
    lines = [(say("by_question", worse=cases.worse, better=cases.better, same=cases.same))]
    for row in cases.rows[: min(CASES, cases.worse)]:
        values = "; ".join(
            say("pair", title=one.title, a=one.a, b=one.b, by=one.by)
            for one in row.values
            if one.apart
        )
        lines.append(f"  {row.question_id}: {values}")
    return lines
