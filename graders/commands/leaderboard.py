"""The models ranked, with intervals."""

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
    padded,
    weights_of,
    width,
)
from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.core.errors import NotFound, UsageError
from graders.core.words import carried, error_parts
from graders.workflows.leaderboard.board import Board, Pair
from graders.workflows.leaderboard.ground import Wish
from graders.workflows.leaderboard.ranking import gate, leaderboard
from graders.workflows.leaderboard.words import tied

say = carried(
    "command_leaderboard",
    {
        "criterion.help": "Rank by this criterion.",
        "criterion.default": "the mean of all",
        "better.help": "Ask whether this model is better ...",
        "than.help": "... than this one: exit with 0 yes, 4 no, 5 cannot be told.",
        "rogan.help": "Add shares corrected by Rogan and Gladen (two-valued scales).",
        "help": (
            "Rank the models. Judges' values are corrected by people's blind verdicts; with "
            "intervals, ranks and ties.\n\n"
            "Exits with 5 where no model has a figure that can carry a decision.\n\n"
            "Example: cograde leaderboard --project support --better new --than old"
        ),
        "error.one_model.where": "--better and --than",
        "error.one_model.found": "one of them",
        "error.one_model.expected": "both",
        "error.one_model.remedy": "Name the two models to compare.",
        "rogan.expected": "a criterion with two values in order",
        "rogan.remedy": "Name one with --criterion.",
        "error.rogan.where": "--rogan-gladen",
        "error.rogan.found": "{view}",
        "error.rogan.expected": "{expected}",
        "error.rogan.remedy": "{remedy}",
        "error.no_answer.where": "option {option}",
        "error.no_answer.found": "no answer of {model!r}",
        "error.no_answer.expected": "one of {models}",
        "misleads": "{judge} alone would mislead. {warning}",
        "why.judge_graded_none": "the judge graded none",
        "why.no_blind_label": "no blind rating counts",
        "rogan": (
            "\n"
            "By Rogan and Gladen, each model's share corrected by the judge's errors on its own "
            "labels:"
        ),
        "inconclusive": "{words}  INCONCLUSIVE: {doubt}",
        "chance": "; chance that the order is wrong {chance}",
        "more_questions": "; under 5 % with about {more:,} more labelled questions",
        "under_1": "under 1 %",
        "no_figure": "no figure ({reason})",
        "difference": "{a} minus {b}: {apart}",
    },
)
ABOUT = say("help")


def command(
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
    better: Annotated[str, typer.Option("--better", help=say("better.help"))] = "",
    than: Annotated[str, typer.Option("--than", help=say("than.help"))] = "",
    rogan: Annotated[
        bool,
        typer.Option("--rogan-gladen", help=say("rogan.help")),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Rank the models: judges' values corrected by people's blind verdicts, with intervals,
    ranks and ties."""
    if bool(better) != bool(than):
        raise UsageError(**error_parts("command_leaderboard.error.one_model"))
    scope = scope_for(workspace)
    filters = board_filters(only, category, task_type, language)
    weights = weights_of(weight)
    name = project_for(scope, project)
    found = leaderboard(
        scope,
        name,
        Wish(view=criterion, show=way, judge=judge, weights=weights, filters=filters),
        a=better,
        b=than,
        rogan_gladen=rogan,
    )
    if found.rogan_gladen and found.rogan_gladen.why:
        expected, remedy = say("rogan.expected"), say("rogan.remedy")
        raise UsageError(
            **error_parts(
                "command_leaderboard.error.rogan", view=found.view, expected=expected, remedy=remedy
            )
        )
    known = [row.model for row in found.models]
    for option, model in (("--better", better), ("--than", than)):
        if model and model not in known:
            raise NotFound(
                **error_parts(
                    "command_leaderboard.error.no_answer",
                    option=option,
                    model=model,
                    models=", ".join(known)[:400],
                )
            )
    show(found, as_json, lambda: _text(found))
    code = gate(found.models, found.pair, better, than, unconfirmed=found.unconfirmed)
    if code:
        raise typer.Exit(code)


def _text(found: Board) -> str:
    lines = [
        found.title,
        found.subtitle,
        found.rests_on,
        *(more for more in (found.choice.warning, found.alone, found.ceiling) if more),
    ]
    if found.warning:
        lines.append(say("misleads", judge=found.judge, warning=found.warning))
    decimals = found.axis.decimals
    wide = width([row.model for row in found.models])
    lines.append(f"\n{'rank':<8}{padded('model', wide)}{found.axis.words}")
    for row in found.models:
        figure = row.figure
        if figure is None or figure.value is None:
            why = (
                figure.reason
                if figure
                else say("why.judge_graded_none")
                if found.show == "judge"
                else say("why.no_blind_label")
            )
            lines.append(f"{'-':<8}{padded(row.model, wide)}no figure ({why})")
            continue
        low, high = row.ranks or ("-", "-")
        ranks = f"{low}" if low == high else f"{low}-{high}"
        bounds = (
            f" [{figure.low:.{decimals}f}, {figure.high:.{decimals}f}]"
            if figure.low is not None
            else ""
        )
        note = f"  {figure.status}: {figure.reason}" if figure.status != "OK" else ""
        lines.append(
            f"{ranks:<8}{padded(row.model, wide)}{figure.value:.{decimals}f}{bounds}{note}"
        )
    return "\n".join(
        [
            *lines,
            *tied([row.model for row in found.models], found.ties),
            *_pair(found.pair, decimals),
            *_shares(found, decimals),
        ]
    )


def _shares(found: Board, decimals: int) -> list[str]:
    """Shares by Rogan and Gladen, where they were asked for."""
    if not found.rogan_gladen:
        return []
    lines = [(say("rogan"))]
    wide = width(found.rogan_gladen.figures)
    for model, figure in found.rogan_gladen.figures.items():
        if figure.value is None:
            lines.append(f"{'':<8}{padded(model, wide)}{say('no_figure', reason=figure.reason)}")
            continue
        note = f"  {figure.status}: {figure.reason}" if figure.status != "OK" else ""
        low, value, high = (
            f"{part:.{decimals}f}" for part in (figure.low, figure.value, figure.high)
        )
        lines.append(f"{'':<8}{padded(model, wide)}{value} [{low}, {high}]{note}")
    return lines


def _pair(pair: Pair | None, decimals: int) -> list[str]:
    if pair is None or (pair.p_flip is None and not pair.doubt):
        return []
    words = say("difference", a=pair.a, b=pair.b, apart=f"{pair.apart:+.{decimals}f}")
    if pair.low is not None:
        words += f" [{pair.low:+.{decimals}f}, {pair.high:+.{decimals}f}]"
    if pair.doubt or pair.p_flip is None:
        return [say("inconclusive", words=words, doubt=pair.doubt)]
    words += say("chance", chance=_chance(pair.p_flip))
    if pair.more:
        words += say("more_questions", more=pair.more)
    return [words + (f" ({pair.why})." if pair.why else ".")]


def _chance(share: float) -> str:
    return say("under_1") if share < 0.01 else f"{100 * share:.0f} %"
