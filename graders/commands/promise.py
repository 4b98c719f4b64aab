"""What the machine's cells are promised at: terms, and draws of answers that test it."""

from __future__ import annotations

from typing import Annotated

import typer

from graders.commands._progress import sorting
from graders.commands._shell import (
    Context,
    JsonOption,
    ProjectOption,
    WorkspaceOption,
    group,
    hint,
    project_for,
    scope_for,
    show,
)
from graders.commands._values import a_risk, above_zero, one_of
from graders.core.records import TASK_TYPES
from graders.core.shapes import as_dict
from graders.core.words import carried
from graders.metrics.models.encoders import Encoders
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.promise.promise_tests import LEAST, MOST, NewTerms
from graders.workflows.routing.kept_labels import open_kept_half
from graders.workflows.routing.place_labels import place, stop_placing
from graders.workflows.routing.plan import labels_in, plan
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Scope

say = carried(
    "command_promise",
    {
        "help": (
            "Fix and test an error limit. The limit is for cells that are graded automatically; "
            "draw the answers, or place the labels, that test it.\n\n"
            "Example: cograde promise plan --people 2 --hours 6"
        ),
        "task.help": "factual, creative or unknown.",
        "task.default": "all",
        "alpha.help": (
            "Guaranteed maximum: the share of automatic cells that may differ from a person."
        ),
        "delta.help": "The chance that the guarantee fails.",
        "within.help": (
            "Steps of a scale that do not count as a difference; tenths of a numeric range."
        ),
        "terms.alpha.help": (
            "Guaranteed maximum: the share of automatic cells that may differ from a person."
        ),
        "terms.delta.help": "The chance that the guarantee fails.",
        "terms.within.help": (
            "Steps of a scale that do not count as a difference; tenths of a numeric range."
        ),
        "terms.help": (
            "Fix alpha and delta before labels are opened. They are logged and stay.\n\n"
            "Example: cograde promise terms --alpha 0.1 --delta 0.1"
        ),
        "fixed": (
            "At most {alpha:g} % may differ, with {sure:g} % confidence: fixed for {tasks} "
            "questions."
        ),
        "draw.answers.help": "How many answers to draw.",
        "draw.help": (
            "Draw answers at random for blind grading. They are further ones, beside those drawn "
            "before.\n\n"
            "After a test, or under other terms, only fresh labels count in the next test.\n\n"
            "Example: cograde promise draw --answers 60 --task-type factual"
        ),
        "drawn": "{answers} of {of_} {task} answers drawn (draw {draw}).",
        "waiting": "They wait for blind grading; then: {hint}",
        "open.import.help": "The number of the import; cograde labels lists them.",
        "open.default": "the only one",
        "open.help": (
            "Open the imported labels that are kept for a test. Terms and the order of cells are "
            "fixed and logged first; then the test is made, and what it proves is automatic.\n\n"
            "Labels are kept where an import states that they are of random answers and were given "
            "blind.\n\n"
            "Example: cograde promise open --alpha 0.1 --delta 0.1"
        ),
        "screens_wait.one": "{n} screen waits for people now.",
        "screens_wait.other": "{n:,} screens wait for people now.",
        "opened": (
            "{labels:,} labels of {answers:,} answers opened ({source}), after terms and order "
            "were fixed: at most {alpha:g} % may differ, with {sure:g} % confidence."
        ),
        "given_back": "{n:,} drawn answers that nobody had begun were given back.",
        "place.criterion.help": "A criterion with two values, or with values without order.",
        "place.labels.help": "Maximum number of labels.",
        "place.people.help": "With --hours: how many people grade.",
        "place.hours.help": "Instead of --labels: hours that each of them has.",
        "place.help": (
            "Sample actively for one criterion. Instead of drawing answers at random, its labels "
            "are placed on the cells that settle the decision.\n\n"
            "What to expect of that, and of answers drawn at random, is simulated and printed; the "
            "labels say nothing about agreement, the leaderboard or other criteria.\n\n"
            "Example: cograde promise place --criterion relevance --labels 200"
        ),
        "labels_or_hours": "give either --labels or --hours",
        "placed": (
            "{title}, {task}: up to {labels} labels among {of_} cells; {first} wait for blind "
            "grading, before all else."
        ),
        "stop.criterion.help": "The criterion with active sampling.",
        "stop.help": (
            "End active sampling of a criterion. The labels that people gave settle their "
            "cells.\n\n"
            "Example: cograde promise stop --criterion relevance"
        ),
        "left": " People still have {left} of its screens.",
        "stopped": "No more labels are asked for: {names} questions.{left}",
        "plan.people.help": "How many people grade.",
        "plan.hours.help": "Hours that each of them has.",
        "plan.draw_them.help": "Draw the answers at once.",
        "plan.help": (
            "Say what hours of people will show. Per criterion, and how many answers to draw for "
            "it.\n\n"
            "Example: cograde promise plan --people 2 --hours 6"
        ),
        "or_place": (
            "Or {labels} labels of one criterion, sampled actively (cograde promise place)."
        ),
        "now_drawn": "{answers} {many} were drawn.",
        "yes.help": "Agree to drawing more than half of the answers: these get no suggestion.",
    },
)


app = group(say("help"))

TaskOption = Annotated[
    str,
    typer.Option(
        "--task-type",
        callback=one_of(TASK_TYPES),
        help=say("task.help"),
        show_default=say("task.default"),
    ),
]
AlphaOption = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        callback=a_risk(LEAST, MOST),
        help=say("alpha.help"),
    ),
]
DeltaOption = Annotated[
    float | None,
    typer.Option("--delta", callback=a_risk(LEAST, MOST), help=say("delta.help")),
]
WithinOption = Annotated[
    int | None,
    typer.Option(
        "--within",
        min=0,
        help=say("within.help"),
    ),
]

YesOption = Annotated[bool, typer.Option("--yes", help=say("yes.help"))]


@app.command("terms", help=say("terms.help"))
def terms(
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha",
            callback=a_risk(LEAST, MOST),
            help=say("terms.alpha.help"),
        ),
    ],
    delta: Annotated[
        float,
        typer.Option("--delta", callback=a_risk(LEAST, MOST), help=say("terms.delta.help")),
    ] = 0.1,
    within: Annotated[
        int,
        typer.Option(
            "--within",
            min=0,
            help=say("terms.within.help"),
        ),
    ] = 0,
    task_type: TaskOption = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Fix alpha and delta before labels are opened; they are logged and stay."""
    scope = scope_for(workspace)
    with sorting() as doing:
        found = fix_terms(
            scope,
            project_for(scope, project),
            alpha,
            delta,
            within,
            task_type,
            _encoder(scope),
            doing,
        )
    said = say("fixed", alpha=100 * alpha, sure=100 * (1 - delta), tasks=", ".join(found.tasks))
    show(found, as_json, lambda: said)


@app.command("draw", help=say("draw.help"))
def draw(
    answers: Annotated[int, typer.Option("--answers", min=1, help=say("draw.answers.help"))],
    task_type: TaskOption = "",
    alpha: AlphaOption = None,
    delta: DeltaOption = None,
    within: WithinOption = None,
    yes: YesOption = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Draw further answers at random for people to grade blind."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    with sorting() as doing:
        found = draw_more(
            scope,
            name,
            answers,
            task_type=task_type,
            new=NewTerms(alpha, delta, within),
            consent=yes,
            encoder=_encoder(scope),
            doing=doing,
        )
    lines = [
        say("drawn", answers=one.answers, of_=one.of, task=task, draw=one.draw)
        for task, one in found.tasks.items()
    ]
    lines += [found.stake] if found.stake else []
    show(
        found,
        as_json,
        lambda: "\n".join([*lines, say("waiting", hint=hint("risk"))]),
    )


@app.command("open", help=say("open.help"))
def open_labels(
    number: Annotated[
        int,
        typer.Option("--import", help=say("open.import.help"), show_default=say("open.default")),
    ] = 0,
    alpha: AlphaOption = None,
    delta: DeltaOption = None,
    within: WithinOption = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Fix terms and order, then open the imported labels that wait for their test."""
    scope = scope_for(workspace)
    with sorting() as doing:
        found = open_kept_half(
            scope,
            project_for(scope, project),
            number,
            new=NewTerms(alpha, delta, within),
            encoder=_encoder(scope),
            doing=doing,
        )
    said = say(
        "opened",
        labels=found.labels,
        answers=found.answers,
        source=found.source,
        alpha=100 * found.alpha,
        sure=100 * (1 - found.delta),
    )
    back = say("given_back", n=found.returned) if found.returned else ""
    wait = say("screens_wait", n=found.screens) if found.screens else ""
    lines = [said, back, f"{found.title}.", found.stake, wait]
    show(found, as_json, lambda: "\n".join(filter(None, lines)))


@app.command("place", help=say("place.help"))
def place_labels(
    criterion: Annotated[
        str,
        typer.Option("--criterion", help=say("place.criterion.help")),
    ],
    labels: Annotated[
        int | None, typer.Option("--labels", min=1, help=say("place.labels.help"))
    ] = None,
    people: Annotated[
        int, typer.Option("--people", min=1, max=1_000, help=say("place.people.help"))
    ] = 1,
    hours: Annotated[
        float | None,
        typer.Option(
            "--hours",
            callback=above_zero(10_000),
            help=say("place.hours.help"),
        ),
    ] = None,
    task_type: TaskOption = "",
    alpha: AlphaOption = None,
    delta: DeltaOption = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Place the labels of one criterion where they decide, instead of drawing answers at
    random."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    if (labels is None) == (hours is None):
        raise typer.BadParameter(say("labels_or_hours"), param_hint="--labels")
    bought = None if hours is None else labels_in(scope, name, people, hours)
    with sorting() as doing:
        found = place(
            scope,
            name,
            criterion,
            labels or 0 if bought is None else bought.labels,
            task_type=task_type,
            new=NewTerms(alpha, delta),
            encoder=_encoder(scope),
            doing=doing,
        )
    lines = [
        (
            say(
                "placed",
                title=found.title,
                task=task,
                labels=one.labels,
                of_=one.of,
                first=one.first,
            )
        )
        for task, one in found.tasks.items()
    ]
    if bought is not None and bought.pace:
        lines.append(bought.pace)
    show(found, as_json, lambda: "\n".join([*lines, found.trade]))


@app.command("stop", help=say("stop.help"))
def stop(
    criterion: Annotated[str, typer.Option("--criterion", help=say("stop.criterion.help"))],
    task_type: TaskOption = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Ask for no more placed labels of a criterion; those that are there settle their cells."""
    scope = scope_for(workspace)
    found = stop_placing(scope, project_for(scope, project), criterion, task_type)
    left = say("left", left=found.left) if found.left else ""
    show(
        found,
        as_json,
        lambda: say("stopped", names=", ".join(found.tasks), left=left),
    )


@app.command("plan", help=say("plan.help"))
def plan_hours(
    people: Annotated[
        int, typer.Option("--people", min=1, max=1_000, help=say("plan.people.help"))
    ],
    hours: Annotated[
        float,
        typer.Option("--hours", callback=above_zero(10_000), help=say("plan.hours.help")),
    ],
    draw_them: Annotated[bool, typer.Option("--draw", help=say("plan.draw_them.help"))] = False,
    yes: YesOption = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say what hours of people will show per criterion, and how many answers to draw for it."""
    scope = scope_for(workspace)
    name = project_for(scope, project)
    found = plan(scope, name, people, hours)
    drawn = None
    if draw_them and found.answers:
        with sorting() as doing:
            drawn = draw_more(
                scope, name, found.answers, consent=yes, encoder=_encoder(scope), doing=doing
            )
    lines = [
        found.words,
        *([found.stake] if found.stake else []),
        *(f"{row.title}, {row.task_type}: {row.words}" for row in found.rows),
        *(offer.words for offer in found.offers),
    ]
    if found.labels:
        lines.append(say("or_place", labels=found.labels))
    document = as_dict(found)
    if drawn is not None:
        document["drawn"] = drawn
        lines.append(say("now_drawn", answers=drawn.answers, many=found.unit.many))
    show(document, as_json, lambda: "\n".join(lines))


def _encoder(scope: Scope) -> Encoders:
    """For the order in which cells are tested: how near answers to a question are."""
    return encoder_for(Context.settings.models(), scope.ws)
