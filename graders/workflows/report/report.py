"""The report: what was graded by whom, agreement, routing, leaderboard and costs in one document
that can be handed on.

Its figures are those of the pages; its formats (HTML, Markdown, workbook) show one and the same
document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graders.core.errors import InputError, UsageError
from graders.core.hashing import digest
from graders.exporters.sheets.files import finished
from graders.store import projects
from graders.store.answers import content
from graders.store.transfer import snapshot
from graders.workflows.agreement import agree
from graders.workflows.agreement import people as people_use
from graders.workflows.benchmarks.cases import BUNDLED
from graders.workflows.cells.state import FAULTS
from graders.workflows.diagnostics import anchoring as anchoring_use
from graders.workflows.leaderboard import ranking as leaderboard_use
from graders.workflows.promise import risk
from graders.workflows.report import _method, _sections
from graders.workflows.report._data import read_data
from graders.workflows.report._markdown import markdown
from graders.workflows.report._parts import FIGURE, TEXT
from graders.workflows.report._workbook import write_workbook
from graders.workflows.report.export import file_stem, fits, free
from graders.workflows.report.scope import Wanted
from graders.workflows.results import tables
from graders.workflows.routing import page as routing_page
from graders.workflows.scope.permissions import Scope, needs

#: The endings that a file of each format may have.
ENDINGS = {"html": (".html", ".htm"), "md": (".md", ".markdown"), "xlsx": (".xlsx",)}
FORMATS = tuple(ENDINGS)
#: Nothing is narrowed down.
ALL = Wanted()
#: Exit codes of the gates in words.
CODES = {0: "passed", 4: "not trusted", 5: "inconclusive"}


@needs("export")
def report(
    scope: Scope, project_name: str, format: str = "html", wanted: Wanted = ALL
) -> dict[str, Any]:
    """The document: {project, title, findings, notice, illustrative, sections, gates, exit, made}.

    `gates` are the exit codes of ``cograde agree --gate``, ``cograde risk`` and ``cograde
    leaderboard``; `exit` is 4 where one of them is, else 5 where one is, else 0. `made` holds
    versions, the names of data and figures, and the command that makes the report again, for which
    `format` counts. `wanted` narrows down Agreement and Leaderboard, as their pages do. The same
    data give the same document.
    """
    project = scope.project(project_name)
    agreement = agree.agreement(scope, project_name, **wanted.agreement)
    board = leaderboard_use.leaderboard(scope, project_name, wanted.leaderboard)
    routes, anchors = (
        routing_page.routing(scope, project_name),
        anchoring_use.anchoring(scope, project_name),
    )
    data = read_data(scope, project, snapshot.rubric_sources(scope.ws, project))
    grid, models = _grid(scope, project_name)
    sections = [
        _sections.graded(content.counts(scope.ws, project), grid, models, data.who),
        _sections.agreement(agreement),
        _sections.routing(routes),
        _sections.leaderboard(board),
        _sections.anchoring(anchors),
        _sections.progress(people_use.progress(scope, project_name)),
        _sections.costs(data.costs),
    ]
    for one in sections:
        if narrowed := wanted.words.get(one["key"]):
            one["words"].insert(1, narrowed)
    gates = {
        "agree --gate": agree.gate(agreement),
        "risk": risk.gate(routes.rows),
        "leaderboard": leaderboard_use.gate(board.models),
    }
    made: dict[str, Any] = {
        "command": (
            f"cograde report --project {project.name} --format {format} --output "
            f"{file_stem(project.name)}.{format}{wanted.options}"
        ),
        "data": data.name,
        "figures": digest(sections, gates, length=24),
        "upto": data.latest[:19].replace("T", " "),
        "versions": _method.versions(),
    }
    figures = {
        "agreement": agreement,
        "leaderboard": board,
        "anchoring": anchors,
        "routing": routes,
    }
    criteria = [
        c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    ]
    sections.append(_method.method(project, criteria, data.graders, figures, made, made["command"]))
    return {
        "project": {"name": project.name, "title": project.title},
        "title": f"{project.title or project.name}: report",
        "notice": project.notice,
        "illustrative": "demo" in project.notice,
        "findings": [
            {"section": one["key"], "words": one["words"][0]}
            for one in sections
            if one["key"] != "method" and one["words"]
        ],
        "sections": sections,
        "gates": [
            {"command": name, "exit": code, "words": CODES[code]} for name, code in gates.items()
        ],
        "exit": next((code for code in (4, 5) if code in gates.values()), 0),
        "made": made,
    }


@needs("export")
def write_report(
    scope: Scope,
    project_name: str,
    target: Path,
    format: str = "html",
    *,
    force: bool = False,
    wanted: Wanted = ALL,
) -> dict[str, Any]:
    """Write the report to a file and return it.

    InputError where the file's ending is another format's, or a file is there already, unless
    `force` says to write over it.
    """
    writers: Mapping[str, Callable[[Mapping[str, Any], Path], None]] = {
        "html": _write(html),
        "md": _write(markdown),
        "xlsx": write_workbook,
    }
    if format not in writers:
        raise UsageError(
            f"format {format!r}",
            found="no such format",
            expected="one of " + ", ".join(FORMATS),
            remedy="Choose one of these.",
        )
    if target.is_dir():
        raise InputError(
            f"output {target}",
            found="a folder",
            expected="the name of a file",
            remedy="Name a file in it.",
        )
    fits(target, ENDINGS[format])
    free(target, force)
    found = report(scope, project_name, format, wanted)
    with finished(target) as temporary:
        writers[format](found, temporary)
    return found


def _write(render: Callable[[Mapping[str, Any]], str]) -> Callable[[Mapping[str, Any], Path], None]:
    def write(found: Mapping[str, Any], target: Path) -> None:
        target.write_text(render(found), "utf-8", errors="replace")

    return write


def _grid(scope: Scope, project_name: str) -> tuple[tables.Grid, list[tables.ModelRow]]:
    """The grid of Results, and its models from all its pages."""
    first = tables.grid(scope, project_name)
    models = list(first.models)
    for page in range(2, first.pages + 1):
        models += tables.grid(scope, project_name, page=page).models
    return first, models


# -- the report as one HTML file that needs nothing beside it. All texts are escaped; it holds no
# script, and charts are inline SVG

_PLACE = Path(__file__).resolve().parents[3] / "data" / "report"


def html(report: Mapping[str, Any]) -> str:
    """The whole report as one page, light or dark as the reader's machine is set; it prints too."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_PLACE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # One look for all reports: what is said of pages of reports in general, then what is particular
    # to this one.
    style = [(place / "page.css").read_text("utf-8") for place in (BUNDLED / "report", _PLACE)]
    return environment.get_template("page.html").render(
        report=report, style="".join(style), FIGURE=FIGURE, TEXT=TEXT
    )
