"""Results: what each model reached on each criterion, and the answers behind every figure."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.markdown import render
from graders.web.page import Page
from graders.web.pages.results import listed as listing
from graders.web.pages.results.listed import Listed
from graders.web.pages.results.sheet import section
from graders.workflows.opinions.unscored import unscored
from graders.workflows.report import export
from graders.workflows.results import answer, cell_answers, score_means
from graders.workflows.results import grid as results_grid

FILTERS = ("category", "task_type", "language")
#: Models up to which nobody has to search for one.
FEW_MODELS = 12
#: Parameters that number the pages of lists: another filter begins each list anew.
PAGES = ("p", "spage", "apage", "lpage")
ANY = "any"


def build(frame: Frame) -> None:
    """Filters, the grid, the answers behind a cell, text scores, and one answer beside them."""
    without, views = frame.part(), frame.part()
    with gr.Row(elem_classes="k-filters"):
        fields = {
            "sort": gr.Radio(
                [(say("results.sort.best"), ""), (say("results.sort.name"), "name")],
                label=say("results.sort"),
                value="",
            ),
            "search": gr.Textbox(label=say("results.search"), visible=False, max_lines=1),
            **{
                name: gr.Dropdown([], label=say(f"results.filter.{name}"), visible=False)
                for name in FILTERS
            },
        }
        downloads = frame.part()
    with gr.Row(elem_classes="k-beside"):
        with gr.Column(elem_classes="k-main", scale=3):
            listed = Listed(frame)
            grid, answers, scores = frame.part(), frame.part(), frame.part()
            section(frame)
        beside = frame.part(elem_classes="k-side")
    outputs = [without, views, downloads, grid, answers, scores, beside, listed.table]

    def draw(asked: Asked) -> Parts:
        view = asked.view
        if not asked.project:
            return {frame.top: drawn("empty.html", title=say("results.none"))}
        filters = view.some(*FILTERS)
        search, sort = view.one("search"), view.one("sort") or "best"
        found = results_grid.grid(
            asked.scope, asked.project, filters, view.number("p"), search, sort
        )
        shown: Parts = {}
        rows = view.one("view") == "answers"
        if asked.changed("view", *FILTERS):
            shown[views] = drawn("results/views.html", view=view, listed=rows)
        if asked.changed("view", *FILTERS, *listing.PARAMETERS, "lpage", "question", "model"):
            shown |= listed.drawn(asked, filters) if rows else listed.hidden()
        if asked.changed("view", *FILTERS, "search", "sort", "p", "model", "criterion"):
            notice = found.project.notice
            text = found.subtitle
            if not rows and not found.counts.decided and not _marked(found):
                means = score_means.means(asked.scope, asked.project, filters)
                text = " ".join(filter(None, (score_means.finding(means), text)))
            shown |= {
                frame.top: drawn("top.html", title=found.title, text=text, notice=notice),
                grid: ""
                if rows
                else drawn("results/grid.html", found=found, view=view, marked=_marked(found)),
                downloads: drawn("results/downloads.html", view=view, formats=export.formats()),
                **_filled(fields, found, asked, rows),
            }
        if asked.changed("view", *FILTERS, "model", "criterion", "state", "apage", "question"):
            shown[answers] = "" if rows else _answers(asked, filters, found)
        if rows:
            shown[scores] = ""
        elif asked.changed("view", *FILTERS, "search", "spage"):
            means = score_means.means(
                asked.scope, asked.project, filters, view.number("spage"), search
            )
            shown[scores] = drawn("results/scores.html", found=means, view=view)
        if asked.changed("unscored", "judge", "upage"):
            shown[without] = _without(asked)
        if asked.changed("question", "model", "version"):
            shown[beside] = _answer(asked)
        return shown

    frame.draws(fields | listed.fields, draw, outputs, resets=PAGES)


def _filled(fields: dict[str, Any], found: results_grid.Grid, asked: Asked, rows: bool) -> Parts:
    """The fields with what there is to choose, and what is chosen; those of the grid alone are not
    shown beside `rows` of answers."""
    many = found.counts.models > FEW_MODELS or "search" in asked.view
    parts: Parts = {
        fields["sort"]: gr.update(value=asked.view.one("sort"), visible=not rows),
        fields["search"]: gr.update(value=asked.view.one("search"), visible=many and not rows),
    }
    for name in FILTERS:
        values = found.filter_values[name]
        chosen = asked.view.one(name)
        every = say(f"results.filter.{name}.all")
        choices = [(every, ""), *((f"{v.value}  {v.cells:,}", v.value) for v in values)]
        parts[fields[name]] = gr.update(
            choices=choices, value=chosen, visible=len(values) > 1 or bool(chosen)
        )
    return parts


def _marked(found: results_grid.Grid) -> bool:
    """Whether values stand in the grid that no person confirmed."""
    return any(cell.unconfirmed for row in found.models for cell in row.cells.values())


def _answers(asked: Asked, filters: dict[str, str], grid: results_grid.Grid) -> str:
    view = asked.view
    model, criterion = view.one("model"), view.one("criterion")
    if not (model and criterion):
        return ""
    wanted = {**filters, "state": view.one("state")}
    found = cell_answers.answers(
        asked.scope, asked.project, model, criterion, wanted, view.number("apage")
    )
    cells = next((row.cells for row in grid.models if row.model == model), {})
    return drawn("results/answers.html", found=found, cell=cells.get(criterion), view=view)


def _without(asked: Asked) -> str:
    view = asked.view
    if "unscored" not in view:
        return ""
    reason = "" if view.one("unscored") == ANY else view.one("unscored")
    found = unscored(asked.scope, asked.project, view.one("judge"), reason, view.number("upage"))
    return drawn("results/unscored.html", found=found, view=view)


def _answer(asked: Asked) -> str:
    view = asked.view
    if not ("question" in view and "model" in view):
        return ""
    found = answer.answer(
        asked.scope,
        asked.project,
        view.one("question"),
        view.one("model"),
        view.number("version", 0) or None,
    )
    quotes = [
        {"owner": f"{cell.criterion}/{cell.part}", "hue": cell.hue, "quote": one.quote}
        for cell in found.cells
        for verdict in cell.verdicts
        for one in verdict.evidence
        if one.quote
    ]
    text = Markup(render(found.text))
    return drawn("results/answer.html", found=found, text=text, quotes=quotes, view=view)


page = Page(
    path="/results",
    title="Results",
    nav="Results",
    group="results",
    order=50,
    css=("lead/lead.css", "kit/kit.css", "results/results.css"),
    build=build,
)
