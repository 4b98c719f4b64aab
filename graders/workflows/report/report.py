"""The report: what was graded by whom, agreement, routing, leaderboard and costs in one document
that can be handed on.

Its figures are those of the pages; its formats (HTML, Markdown, workbook) show one and the same
document.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graders.core.errors import InputError, UsageError
from graders.core.hashing import digest
from graders.core.shapes import writable
from graders.core.words import error_parts, say
from graders.exporters.sheets.files import finished
from graders.store import projects
from graders.store.answers import content
from graders.store.transfer import snapshot
from graders.workflows.adjudication.cell_list import cells_to_settle
from graders.workflows.agreement import agree
from graders.workflows.agreement.work_left import progress
from graders.workflows.cells.state import FAULTS
from graders.workflows.diagnostics import anchoring as anchoring_use
from graders.workflows.leaderboard import ranking as leaderboard_use
from graders.workflows.promise import risk
from graders.workflows.report import _board, _method, _sections
from graders.workflows.report._data import read_data
from graders.workflows.report._formats import html, markdown, summary, write_workbook
from graders.workflows.report._method import Figures
from graders.workflows.report._parts import Gate, Made, ProjectName, Report, Section
from graders.workflows.report._summary import findings, missing
from graders.workflows.report.export import file_stem, fits, free
from graders.workflows.report.scope import Wanted
from graders.workflows.results import grid as results_grid
from graders.workflows.routing import page as routing_page
from graders.workflows.routing.labels_missing import labels_missing
from graders.workflows.scope.permissions import Scope, needs

__all__ = ["ALL", "ENDINGS", "FORMATS", "Report", "html", "report", "summary", "write_report"]

#: The endings that a file of each format may have.
ENDINGS = {"html": (".html", ".htm"), "md": (".md", ".markdown"), "xlsx": (".xlsx",)}
FORMATS = tuple(ENDINGS)
#: Nothing is narrowed down.
ALL = Wanted()


@needs("export")
def report(scope: Scope, project_name: str, format: str = "html", wanted: Wanted = ALL) -> Report:
    """The document. The same data give the same document.

    Its gates are the exit codes of ``cograde agree --gate``, ``cograde risk`` and ``cograde
    leaderboard``; `exit` is 4 where one of them is, else 5 where one is, else 0. `format` counts
    for the command that makes the report again. `wanted` narrows down Agreement and Leaderboard,
    as their pages do.
    """
    project = scope.project(project_name)
    figures = _figures_of(scope, project_name, wanted)
    data = read_data(scope, project, snapshot.rubric_sources(scope.ws, project))
    grid, models = _grid(scope, project.name)
    left = progress(scope, project.name)
    graded = _sections.graded(content.counts(scope.ws, project), grid, models, data.authors)
    sections = _narrowed(
        [
            graded,
            _sections.agreement(figures.agreement),
            _sections.routing(figures.routing),
            _board.leaderboard(figures.leaderboard),
            _sections.anchoring(figures.anchoring),
            _sections.progress(left),
            _board.costs(data.costs),
        ],
        wanted,
    )
    codes = {
        "agree --gate": agree.gate(figures.agreement),
        "risk": risk.gate(figures.routing.rows),
        "leaderboard": leaderboard_use.gate(
            figures.leaderboard.models, unconfirmed=figures.leaderboard.unconfirmed
        ),
    }
    made = Made(
        command=(
            f"cograde report --project {project.name} --format {format} --output "
            f"{file_stem(project.name)}.{format}{wanted.options}"
        ),
        data=data.name,
        figures=digest(_plain(sections), codes, length=24),
        upto=data.latest[:19].replace("T", " "),
        versions=_method.versions(),
    )
    criteria = [
        c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    ]
    return Report(
        project=ProjectName(project.name, project.title),
        title=say("report.title", project=project.title or project.name),
        notice=project.notice,
        illustrative="demo" in project.notice,
        findings=findings(sections, grid, figures, left, data.costs),
        missing=missing(
            labels_missing(scope, project.name),
            left,
            figures.routing,
            cells_to_settle(scope, project.name).left,
        ),
        sections=[*sections, _method.method(project, criteria, data.recipes, figures, made)],
        gates=[Gate(name, code, say(f"report.code.{code}")) for name, code in codes.items()],
        exit=next((code for code in (4, 5) if code in codes.values()), 0),
        made=made,
    )


def _figures_of(scope: Scope, project_name: str, wanted: Wanted) -> Figures:
    """What the pages show."""
    return Figures(
        agreement=agree.agreement(scope, project_name, **wanted.agreement),
        leaderboard=leaderboard_use.leaderboard(scope, project_name, wanted.leaderboard),
        routing=routing_page.routing(scope, project_name),
        anchoring=anchoring_use.anchoring(scope, project_name),
    )


def _narrowed(sections: Sequence[Section], wanted: Wanted) -> list[Section]:
    """The sections, where those that are narrowed down say so."""
    narrowed = wanted.words
    return [
        replace(part, words=[*part.words[:1], narrowed[part.key], *part.words[1:]])
        if narrowed.get(part.key)
        else part
        for part in sections
    ]


def _plain(sections: Sequence[Section]) -> Any:
    """Sections as JSON has them, to be hashed."""
    return json.loads(json.dumps(sections, default=writable))


@needs("export")
def write_report(
    scope: Scope,
    project_name: str,
    target: Path,
    format: str = "html",
    *,
    force: bool = False,
    wanted: Wanted = ALL,
) -> Report:
    """Write the report to a file and return it.

    InputError where the file's ending is another format's, or a file is there already, unless
    `force` says to write over it.
    """
    writers: Mapping[str, Callable[[Report, Path], None]] = {
        "html": _write(html),
        "md": _write(markdown),
        "xlsx": write_workbook,
    }
    if format not in writers:
        raise UsageError(
            **error_parts("report.export.no_format", format=format, formats=", ".join(FORMATS))
        )
    if target.is_dir():
        raise InputError(**error_parts("report.output_is_folder", target=target))
    fits(target, ENDINGS[format])
    free(target, force)
    found = report(scope, project_name, format, wanted)
    with finished(target) as temporary:
        writers[format](found, temporary)
    return found


def _write(render: Callable[[Report], str]) -> Callable[[Report, Path], None]:
    def write(found: Report, target: Path) -> None:
        target.write_text(render(found), "utf-8", errors="replace")

    return write


def _grid(scope: Scope, project_name: str) -> tuple[results_grid.Grid, list[results_grid.ModelRow]]:
    """The grid of Results, and its models from all its pages."""
    first = results_grid.grid(scope, project_name)
    models = list(first.models)
    for page in range(2, first.pages + 1):
        models += results_grid.grid(scope, project_name, page=page).models
    return first, models
