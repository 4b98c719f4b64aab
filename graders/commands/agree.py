"""Agreement between judges and people."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graders.commands._only import AllOption, OnlyOption, PopulationOption, only_filters
from graders.commands._shell import (
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    project_for,
    scope_for,
    show,
)
from graders.core.errors import UsageError
from graders.core.shapes import JSON, as_dict
from graders.core.words import carried, error_parts
from graders.statistics.resampling import Estimate
from graders.workflows.agreement.agree import agreement, gate
from graders.workflows.agreement.by_wording import Versions, versions
from graders.workflows.agreement.details import Details, details
from graders.workflows.agreement.records import Agreement, PeopleAmong
from graders.workflows.agreement.words import ceiling_size
from graders.workflows.routing.labels_missing import LabelsMissing, labels_missing
from graders.workflows.scope.phrases import several

say = carried(
    "command_agree",
    {
        "row.people": "people among themselves",
        "row.self": "people with themselves",
        "row.adjudicated": "  against adjudicated",
        "row.assisted": "  from assisted ratings",
        "judge.help": "Show every figure of this judge on --criterion.",
        "criterion.help": "RUBRIC/CRITERION of --judge, or of --gate.",
        "gated.help": (
            "Exit with 4 where no judge is as good as a person, with 5 where that is open."
        ),
        "wordings.help": "Show each version of a criterion's text beside the one in force.",
        "help": (
            "Show how far judges agree with people. Per criterion, and people with each other, "
            "from blind verdicts.\n\n"
            "Example: cograde agree --project support --only category=chess --json"
        ),
        "error.judge_without_criterion.where": "option --judge",
        "error.judge_without_criterion.found": "no criterion",
        "error.judge_without_criterion.expected": "--criterion RUBRIC/CRITERION too",
        "error.judge_without_criterion.remedy": "Name one.",
        "population": "Population: {words}.",
        "own_text": "  on the author's own text: ",
        "no_figure": "no figure",
        "early": "early estimate, {cells}",
        "in_force": "in force",
        "version_cells": " ({cells} cells)",
        "version": "  version {version} since {since}, {state}: {question}{cells}",
        "no_figure_because": "no figure ({reason})",
        "earlier": "earlier",
        "no_pair": "no pair",
    },
)
ABOUT = say("help")


def command(
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    all_verdicts: AllOption = False,
    only: OnlyOption = None,
    population: PopulationOption = "",
    judge: Annotated[str, typer.Option("--judge", help=say("judge.help"))] = "",
    criterion: Annotated[str, typer.Option("--criterion", help=say("criterion.help"))] = "",
    gated: Annotated[
        bool,
        typer.Option("--gate", help=say("gated.help")),
    ] = False,
    wordings: Annotated[
        bool,
        typer.Option("--versions", help=say("wordings.help")),
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show per criterion how far each judge agrees with people, and people with each other,
    from blind verdicts."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    view: dict[str, Any] = {
        "blind_only": not all_verdicts,
        "population": population,
        "filters": only_filters(only),
    }
    if judge:
        if not criterion:
            raise UsageError(**error_parts("command_agree.error.judge_without_criterion"))
        ref = judge if judge.startswith("judge:") else f"judge:{judge}"
        found = details(scope, name, criterion, ref, **view)
        show(found, as_json, lambda: _details(found))
        return
    if wordings:
        split = versions(scope, name, **view)
        show(split, as_json, lambda: _versions(split))
        return
    report = agreement(scope, name, **view)
    labels = labels_missing(scope, name)
    shown = as_dict(report) if report.criteria else _without_choices(report)
    show({**shown, "labels_missing": labels}, as_json, lambda: _text(report, labels))
    if gated:
        raise typer.Exit(gate(report, criterion))


def _without_choices(report: Agreement) -> JSON:
    """A report without figures, and so without anything to narrow down."""
    return {name: value for name, value in as_dict(report).items() if name != "choices"}


def _text(report: Agreement, labels: LabelsMissing) -> str:
    below = [] if report.criteria or not report.subtitle else [report.subtitle]
    lines = [report.title, *below, say("population", words=report.population.words)]
    lines += [report.choice.warning] if report.choice.warning else []
    if labels.words:
        lines.append(f"{labels.words}. {labels.note}".rstrip())
    for criterion in report.criteria:
        size = f"{several(criterion.cells, 'cell')}, {several(criterion.questions, 'question')}"
        lines.append(f"\n{criterion.title} ({criterion.figure}; {size})")
        lines.append(f"  {say('row.people'):<28} {_ceiling(criterion.people)}")
        if criterion.people.self.value is not None:
            lines.append(f"  {say('row.self'):<28} {_figure(criterion.people.self)}")
        if criterion.control:
            lines.append(
                say("own_text") + ", ".join(f"{one.by} {one.shown}" for one in criterion.control)
            )
        for judge in criterion.judges:
            verdict = judge.verdict
            why = f": {verdict.reason}" if verdict.reason else ""
            # Where there is no figure for want of labels, the verdict says so, and how many.
            shown = judge.shown
            told = (
                say("no_figure")
                if shown.value is None and verdict.reason.startswith(shown.reason)
                else _figure(shown, because=False)
            )
            lines.append(f"  {judge.name:<28} {told}  {verdict.sign} {verdict.word}{why}")
            if judge.assisted:
                told = f"{judge.assisted.measure} {_figure(judge.assisted.figure)}"
                lines.append(f"  {say('row.assisted'):<28} {told}")
            if judge.adjudicated:
                lines.append(f"  {say('row.adjudicated'):<28} {_figure(judge.adjudicated.lead)}")
        lines += [f"  {one.words}" for one in criterion.silent]
    return "\n".join([*lines, *([f"\n{report.idle}"] if report.idle else [])])


def _versions(found: Versions) -> str:
    lines = [found.title]
    for criterion in found.criteria:
        lines.append(f"\n{criterion.title}")
        for one in criterion.wordings:
            state = say("in_force") if one.present else say("earlier")
            cells = say("version_cells", cells=one.cells) if one.figure else ""
            lines.append(
                say(
                    "version",
                    version=one.version,
                    since=one.since,
                    state=state,
                    question=one.question,
                    cells=cells,
                )
            )
            lines += [
                f"    {judge.name:<26} {_figure(judge.shown)}  {judge.verdict.word}"
                for judge in one.judges
            ]
            lines += [f"    {one.words}"] if one.words else []
    return "\n".join(lines)


def _details(found: Details) -> str:
    return "\n".join([*(row.sentence for row in found.figures), *found.sentences])


def _ceiling(people: PeopleAmong) -> str:
    found = people.ceiling
    size = f" ({ceiling_size(people)})" if found.value is not None else ""
    return f"{_figure(found)}{size}"


def _figure(found: Estimate | None, *, because: bool = True) -> str:
    """A figure; with the reason of an early one unless a verdict beside it gives that."""
    if found is None or found.value is None:
        return say("no_figure_because", reason=found.reason if found else say("no_pair"))
    bounds = f" [{found.low:.3f}, {found.high:.3f}]" if found.low is not None else ""
    value = f"{found.value:.4f}{bounds}"
    if found.status == "EARLY":
        early = say("early", cells=several(found.n_cells, "cell"))
        return f"{value} {early}: {found.reason}" if because else f"{value} {early}"
    return value + (f" {found.status}: {found.reason}" if found.status != "OK" else "")
