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
from graders.metrics.models.encoders import Encoders
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.promise.promise_tests import LEAST, MOST, NewTerms
from graders.workflows.routing.place_labels import place, stop_placing
from graders.workflows.routing.plan import labels_in, plan
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.permissions import Scope

app = group(
    "Fix the terms of a promise, and draw the answers or place the labels that test it.",
    "promise plan --people 2 --hours 6",
)

TaskOption = Annotated[
    str,
    typer.Option(
        "--task-type",
        callback=one_of(TASK_TYPES),
        help="factual, creative or unknown.",
        show_default="all",
    ),
]
AlphaOption = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        callback=a_risk(LEAST, MOST),
        help="Share of automatic cells that may differ from a person.",
    ),
]
DeltaOption = Annotated[
    float | None,
    typer.Option("--delta", callback=a_risk(LEAST, MOST), help="Chance that the promise fails."),
]
WithinOption = Annotated[
    int | None,
    typer.Option(
        "--within",
        min=0,
        help="Steps of a scale that do not count as a difference; of a numeric range tenths.",
    ),
]


@app.command("terms")
def terms(
    alpha: Annotated[
        float,
        typer.Option(
            "--alpha",
            callback=a_risk(LEAST, MOST),
            help="Share of automatic cells that may differ from a person.",
        ),
    ],
    delta: Annotated[
        float,
        typer.Option(
            "--delta", callback=a_risk(LEAST, MOST), help="Chance that the promise fails."
        ),
    ] = 0.1,
    within: Annotated[
        int,
        typer.Option(
            "--within",
            min=0,
            help="Steps of a scale that do not count as a difference; of a numeric range tenths.",
        ),
    ] = 0,
    task_type: TaskOption = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Fix alpha and delta before labels are opened; they are logged and stay.

    Example: cograde promise terms --alpha 0.1 --delta 0.1
    """
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
    said = (
        f"At most {100 * alpha:g} % may differ, sure to {100 * (1 - delta):g} %: "
        f"fixed for {', '.join(found.tasks)} questions."
    )
    show(found, as_json, lambda: said)


@app.command("draw")
def draw(
    answers: Annotated[int, typer.Option("--answers", min=1, help="How many answers to draw.")],
    task_type: TaskOption = "",
    alpha: AlphaOption = None,
    delta: DeltaOption = None,
    within: WithinOption = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Draw further answers at random for people to grade blind.

    After a test, or under other terms, fresh labels alone enter the next test.

    Example: cograde promise draw --answers 60 --task-type factual
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    with sorting() as doing:
        found = draw_more(
            scope,
            name,
            answers,
            task_type=task_type,
            new=NewTerms(alpha, delta, within),
            encoder=_encoder(scope),
            doing=doing,
        )
    lines = [
        f"{one.answers} of {one.of} {task} answers drawn (draw {one.draw})."
        for task, one in found.tasks.items()
    ]
    lines += [found.stake] if found.stake else []
    show(
        found,
        as_json,
        lambda: "\n".join([*lines, f"They wait blind for people; then: {hint('risk')}"]),
    )


@app.command("place")
def place_labels(
    criterion: Annotated[
        str,
        typer.Option(
            "--criterion", help="A criterion with two values, or with values without order."
        ),
    ],
    labels: Annotated[
        int | None, typer.Option("--labels", min=1, help="How many labels at most.")
    ] = None,
    people: Annotated[
        int, typer.Option("--people", min=1, max=1_000, help="With --hours: how many people grade.")
    ] = 1,
    hours: Annotated[
        float | None,
        typer.Option(
            "--hours",
            callback=above_zero(10_000),
            help="Instead of --labels: hours that each of them has.",
        ),
    ] = None,
    task_type: TaskOption = "",
    alpha: AlphaOption = None,
    delta: DeltaOption = None,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Place the labels of one criterion where they decide, instead of drawing answers at random.

    More of its cells become the machine's from the same labels; they say nothing about agreement,
    the leaderboard or other criteria.

    Example: cograde promise place --criterion relevance --labels 200
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    if (labels is None) == (hours is None):
        raise typer.BadParameter("give either --labels or --hours", param_hint="--labels")
    with sorting() as doing:
        found = place(
            scope,
            name,
            criterion,
            labels_in(scope, name, people, hours) if hours is not None else labels or 0,
            task_type=task_type,
            new=NewTerms(alpha, delta),
            encoder=_encoder(scope),
            doing=doing,
        )
    lines = [
        (
            f"{found.title}, {task}: up to {one.labels} labels among {one.of} cells; "
            f"{one.first} wait blind, before all else."
        )
        for task, one in found.tasks.items()
    ]
    show(found, as_json, lambda: "\n".join([*lines, found.trade]))


@app.command("stop")
def stop(
    criterion: Annotated[
        str, typer.Option("--criterion", help="The criterion whose labels are being placed.")
    ],
    task_type: TaskOption = "",
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Ask for no more placed labels of a criterion; those that are there settle their cells.

    Example: cograde promise stop --criterion relevance
    """
    scope = scope_for(workspace)
    found = stop_placing(scope, project_for(scope, project), criterion, task_type)
    left = f" People still have {found.left} of its screens." if found.left else ""
    show(
        found,
        as_json,
        lambda: f"No more labels are asked for: {', '.join(found.tasks)} questions.{left}",
    )


@app.command("plan")
def plan_hours(
    people: Annotated[
        int, typer.Option("--people", min=1, max=1_000, help="How many people grade.")
    ],
    hours: Annotated[
        float,
        typer.Option("--hours", callback=above_zero(10_000), help="Hours that each of them has."),
    ],
    draw_them: Annotated[bool, typer.Option("--draw", help="Draw the answers at once.")] = False,
    workspace: WorkspaceOption = None,
    project: ProjectOption = "",
    as_json: JsonOption = False,
) -> None:
    """Say what hours of people will show per criterion, and how many answers to draw for it.

    Example: cograde promise plan --people 2 --hours 6
    """
    scope = scope_for(workspace)
    name = project_for(scope, project)
    found = plan(scope, name, people, hours)
    drawn = None
    if draw_them and found.answers:
        with sorting() as doing:
            drawn = draw_more(scope, name, found.answers, encoder=_encoder(scope), doing=doing)
    lines = [
        found.words,
        *([found.stake] if found.stake else []),
        *(f"{row.title}, {row.task_type}: {row.words}" for row in found.rows),
    ]
    if found.labels:
        lines.append(
            f"Or {found.labels} labels of one criterion, placed where they decide "
            "(cograde promise place)."
        )
    document = as_dict(found)
    if drawn is not None:
        document["drawn"] = drawn
        lines.append(f"{drawn.answers} {found.unit.many} were drawn.")
    show(document, as_json, lambda: "\n".join(lines))


def _encoder(scope: Scope) -> Encoders:
    """For the order in which cells are tested: how near answers to a question are."""
    return encoder_for(Context.settings.models(), scope.ws)
