"""How a report's figures were made: settings, versions and hashes, so that one command makes them
again."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from graders.core.words import say
from graders.store.projects import CriterionRow, Project
from graders.workflows.agreement.records import Agreement
from graders.workflows.cells.routes import RouteSettings
from graders.workflows.diagnostics.anchoring import Anchoring
from graders.workflows.leaderboard.board import Board
from graders.workflows.promise.kind_rows import FixedShown, PlacedShown, RoutedKind
from graders.workflows.report._data import Recipe
from graders.workflows.report._parts import TEXT, Made, Section, Table, section, table
from graders.workflows.routing.page import Routing
from graders.workflows.scope.phrases import several
from graders.workflows.scope.sampling import Sampling

#: What figures depend on besides Cograde's own code.
PACKAGES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True, slots=True)
class Figures:
    """What the pages show, from which the other sections come."""

    agreement: Agreement
    leaderboard: Board
    routing: Routing
    anchoring: Anchoring


def versions() -> dict[str, str]:
    """Cograde's version, Python's, and those of the packages that compute."""
    return {
        "cograde": _version("cograde"),
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
    }


def method(
    project: Project,
    criteria: Sequence[CriterionRow],
    recipes: Sequence[Recipe],
    figures: Figures,
    made: Made,
) -> Section:
    """The section on method: what counts, settings, how each figure is made, criteria, recipes and
    versions."""
    latest = say("report.method.latest", moment=made.upto)
    return section(
        "method",
        say("report.method.title"),
        [
            say("report.method.counts"),
            say("report.method.command", command=made.command),
            say("report.method.names", data=made.data, figures=made.figures),
            latest if made.upto else "",
        ],
        [
            table(
                say("report.method.settings"),
                [(say("report.head.setting"), TEXT), (say("report.head.value"), TEXT)],
                list(_settings(project, figures.leaderboard)),
            ),
            table(
                say("report.method.how"),
                [(say("report.head.figure"), TEXT), (say("report.head.method"), TEXT)],
                sorted(_methods(figures)),
            ),
            _criteria(criteria),
            _recipes(project, recipes),
            table(
                say("report.method.versions"),
                [(say("report.head.part"), TEXT), (say("report.head.version"), TEXT)],
                list(made.versions.items()),
            ),
        ],
    )


def _criteria(criteria: Sequence[CriterionRow]) -> Table:
    return table(
        say("report.method.criteria"),
        [
            (say("report.head.criterion"), TEXT),
            (say("report.head.rubric_version"), TEXT),
            (say("report.head.hash"), TEXT),
            (say("report.head.question"), TEXT),
        ],
        [[c.key, str(c.rubric.version), c.hash, c.criterion.question] for c in criteria],
    )


def _recipes(project: Project, recipes: Sequence[Recipe]) -> Table:
    cards: Mapping[str, Any] = project.settings.get("judges") or {}
    models = {name: str(card.get("judge") or name) for name, card in cards.items()}
    return table(
        say("report.method.recipes"),
        [
            (say("report.head.kind"), TEXT),
            (say("report.head.grader"), TEXT),
            (say("report.head.model"), TEXT),
            (say("report.head.recipe_hash"), TEXT),
            (say("report.head.version"), TEXT),
            (say("report.head.criteria"), TEXT),
        ],
        [
            [one.kind, one.name, models.get(one.name, ""), one.recipe, one.version, one.criteria]
            for one in recipes
        ],
    )


def _settings(project: Project, board: Board) -> Iterator[tuple[str, str]]:
    """(setting, value) of all that figures depend on."""
    drawn, routes = Sampling.of(project.settings), RouteSettings.of(project.settings)
    group = project.settings.get("reference_group") or say("report.setting.everybody")
    aside = ", ".join(map(str, project.settings.get("set_aside") or ()))
    yield say("report.setting.seed"), str(project.seed)
    yield say("report.setting.calibration"), f"{100 * drawn.calibration:g} %"
    yield say("report.setting.audit"), f"{100 * drawn.audit:g} %"
    yield say("report.setting.blind"), f"{100 * drawn.blind:g} %"
    yield say("report.setting.overlap"), str(drawn.overlap)
    yield say("report.setting.low_confidence"), f"{routes.low_confidence:g}"
    yield say("report.setting.promises"), _yes_or_no(routes.promises)
    yield say("report.setting.whole"), _yes_or_no(routes.whole)
    yield say("report.setting.group"), str(group)
    yield say("report.setting.aside"), aside or say("report.setting.none")
    yield say("report.setting.judge"), board.judge or say("report.setting.none")
    if board.lambda_ is not None:
        yield say("report.setting.lambda"), f"{board.lambda_:.2f}"
    for criterion in board.criteria:
        if criterion.weight is not None:
            yield (
                say("report.setting.weight", criterion=criterion.title),
                f"{criterion.weight:g}",
            )


def _yes_or_no(setting: bool) -> str:
    return say("report.yes") if setting else say("report.no")


def _methods(figures: Figures) -> set[tuple[str, str]]:
    """(what, how) of every interval that is shown."""
    shown = set()
    for criterion in figures.agreement.criteria:
        title = criterion.title
        name = say("report.figure.agreement", criterion=title, figure=criterion.figure)
        for judge in criterion.judges:
            for interval in (judge.shown, judge.ceiling):
                if interval.status == "OK":
                    shown.add((name, interval.method))
    for model in figures.leaderboard.models:
        if model.figure is not None and model.figure.status == "OK":
            shown.add((say("report.figure.leaderboard"), str(model.figure.method)))
    for row in figures.anchoring.rows:
        if row.pull.status == "OK":
            shown.add((say("report.figure.pull"), str(row.pull.method)))
    kinds = figures.routing.rows
    return shown | {_sorted(kind) for kind in kinds} | {_chosen(kind) for kind in kinds}


def _sorted(row: RoutedKind) -> tuple[str, str]:
    """By what the cells of a criterion on a task type are sorted, so that a promise can be tested
    from sure to doubtful."""
    order = row.order
    how = order.words.rstrip(".")
    if isinstance(order, FixedShown):
        how = say(
            "report.order.fixed",
            how=how,
            judges=", ".join(order.judges or ()),
            near=_near(order),
            moment=order.at[:19].replace("T", " "),
            name=order.digest,
        )
    return say("report.figure.order", criterion=row.title, task=row.task_type), how


def _near(order: FixedShown) -> str:
    """How an order weighs the answers that it learned from."""
    if order.learned:
        drawn = ", ".join(
            say("report.order.design", labels=several(count, "label"), design=design)
            for design, count in order.learned.designs.items()
        )
        steps = several(order.learned.within, "step")
        return say("report.order.learned", drawn=drawn, name=order.learned.digest, steps=steps)
    if order.vectors:
        return say("report.order.near")
    return say("report.order.alike") if order.siblings else ""


def _chosen(row: RoutedKind) -> tuple[str, str]:
    """How the labels that test a criterion on a task type are chosen."""
    draw = row.draw
    how = draw.words.rstrip(".")
    if isinstance(draw, PlacedShown):
        moment = draw.at[:19].replace("T", " ")
        how = say("report.draw.placed", how=how, draw=draw.number, moment=moment)
    return say("report.figure.labels", criterion=row.title, task=row.task_type), how


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # run from a folder that was never installed
        return say("report.not_installed")
