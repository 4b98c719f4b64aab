"""How a report's figures were made: settings, versions and hashes, so that one command makes them
again."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.policy import RouteSettings
from graders.workflows.leaderboard.board import Board
from graders.workflows.promise.kind_rows import FixedShown, PlacedShown, RoutedKind
from graders.workflows.report._parts import TEXT, section, table
from graders.workflows.routing.form_screens import Sampling
from graders.workflows.scope.phrases import several

#: What figures depend on besides Cograde's own code.
PACKAGES = ("numpy", "scipy", "scikit-learn")


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
    graders: Sequence[Sequence[str]],
    figures: Mapping[str, Any],
    made: Mapping[str, Any],
    command: str,
) -> dict[str, Any]:
    """The section on method. `graders`: (kind, name, recipe hash, version, criteria); `figures`:
    what the other sections came from."""
    settings = [[name, words] for name, words in _settings(project, figures)]
    cards: Mapping[str, Any] = project.settings.get("judges") or {}
    models = {name: str(card.get("judge") or name) for name, card in cards.items()}
    return section(
        "method",
        "Method, versions and hashes",
        [
            "Verdicts count in figures of agreement only where they were given blind, "
            "on answers drawn with known chances or imported as "
            "blind; each weighs 1/probability. Intervals are 95 % intervals by questions. "
            "What labels do not suffice for is shown as "
            "INCONCLUSIVE, without a figure.",
            f"This command makes the report again from the same data: {command}",
            (
                f"Data {made['data']}, figures {made['figures']}: both names are the same "
                "wherever the same versions report the same data."
            ),
            f"The latest verdict is of {made['upto']}." if made["upto"] else "",
        ],
        [
            table("Settings", [("Setting", TEXT), ("Value", TEXT)], settings),
            table(
                "How figures are made",
                [("Figure", TEXT), ("Method", TEXT)],
                sorted(_methods(figures)),
            ),
            table(
                "Criteria",
                [("Criterion", TEXT), ("Rubric version", TEXT), ("Hash", TEXT), ("Question", TEXT)],
                [[c.key, str(c.rubric.version), c.hash, c.criterion.question] for c in criteria],
            ),
            table(
                "Recipes",
                [
                    ("Kind", TEXT),
                    ("Grader", TEXT),
                    ("Model", TEXT),
                    ("Recipe hash", TEXT),
                    ("Version", TEXT),
                    ("Criteria", TEXT),
                ],
                [[kind, name, models.get(name, ""), *rest] for kind, name, *rest in graders],
            ),
            table(
                "Versions",
                [("Part", TEXT), ("Version", TEXT)],
                [[name, found] for name, found in made["versions"].items()],
            ),
        ],
    )


def _settings(project: Project, figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    drawn, routes = Sampling.of(project.settings), RouteSettings.of(project.settings)
    yield "seed of every draw", str(project.seed)
    yield "answers drawn for calibration", f"{100 * drawn.calibration:g} %"
    yield "answers with automatic cells drawn for audit", f"{100 * drawn.audit:g} %"
    yield "blind share of the screens people see anyway", f"{100 * drawn.blind:g} %"
    yield "people a drawn answer", str(drawn.overlap)
    yield "confidence below which a cell goes to people", f"{routes.low_confidence:g}"
    yield "what is proven decides", "yes" if routes.promises else "no"
    yield "an answer that people read is graded whole", "yes" if routes.whole else "no"
    yield "people whose verdicts count", str(project.settings.get("reference_group") or "everybody")
    yield (
        "people set aside",
        ", ".join(map(str, project.settings.get("set_aside") or ())) or "nobody",
    )
    board: Board = figures["leaderboard"]
    yield "judge that people correct in the leaderboard", board.judge or "none"
    if board.lambda_ is not None:
        yield "weight of that judge (lambda)", f"{board.lambda_:.2f}"
    for criterion in board.criteria:
        if criterion.weight is not None:
            yield f"weight of {criterion.title} in the overall mean", f"{criterion.weight:g}"


def _methods(figures: Mapping[str, Any]) -> set[tuple[str, str]]:
    """(what, how) of every interval that is shown."""
    found = set()
    for criterion in figures["agreement"]["criteria"]:
        for judge in criterion["judges"]:
            for one in (judge["shown"], judge["ceiling"]):
                if one is not None and one["status"] == "OK":
                    found.add(
                        (
                            f"agreement on {criterion['title']} ({criterion['figure']})",
                            str(one["method"]),
                        )
                    )
    for row in figures["leaderboard"].models:
        if row.figure is not None and row.figure.status == "OK":
            found.add(("leaderboard", str(row.figure.method)))
    for row in figures["anchoring"].rows:
        if row.pull.status == "OK":
            found.add(("pull of suggestions", row.pull.method))
    rows = figures["routing"].rows
    return found | {_sorted(row) for row in rows} | {_chosen(row) for row in rows}


def _sorted(row: RoutedKind) -> tuple[str, str]:
    """By what the cells of a criterion on a task type are sorted, so that a promise can be tested
    from sure to doubtful."""
    order = row.order
    how = order.words.rstrip(".")
    if isinstance(order, FixedShown):
        near = (
            "; near answers count more"
            if order.vectors
            else "; all answers count alike"
            if order.siblings
            else ""
        )
        if learned := order.learned:
            drawn = ", ".join(
                f"{several(count, 'label')} of design {design}"
                for design, count in learned.designs.items()
            )
            near = f"; {drawn}, name {learned.digest}; {several(learned.within, 'step')} may pass"
        how += (
            f" ({', '.join(order.judges or ())}{near}; fixed {order.at[:19].replace('T', ' ')}, "
            f"name {order.digest})"
        )
    return f"order of the cells of {row.title}, {row.task_type}", how


def _chosen(row: RoutedKind) -> tuple[str, str]:
    """How the labels that test a criterion on a task type are chosen."""
    draw = row.draw
    how = draw.words.rstrip(".")
    if isinstance(draw, PlacedShown):
        how += (
            f" (draw {draw.number}, logged {draw.at[:19].replace('T', ' ')}; "
            "no sample for any other figure)"
        )
    return f"labels that test {row.title}, {row.task_type}", how


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # run from a folder that was never installed
        return "not installed"
