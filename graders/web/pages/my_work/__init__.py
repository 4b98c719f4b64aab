"""My work: a person's own verdicts, found again by filters and reopened on the desk."""

from __future__ import annotations

from typing import Any

from graders.core.words import say
from graders.store.desk.own_verdicts import OwnFilters
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.workflows.review import own_work
from graders.workflows.review.own_work import OwnWork

#: What is shown: all verdicts, changed ones, skipped screens.
WHICH = ("", "changed", "skipped")


def build(frame: Frame) -> None:
    """Filters, and the list below them."""
    with gr.Row(elem_classes="k-filters", visible=False) as switch:
        which = gr.Radio(
            [(say(f"review.own.which.{name or 'all'}"), name) for name in WHICH],
            value="",
            label=say("review.own.which"),
        )
    with gr.Row(elem_classes="k-fields", visible=False) as choices:
        fields: dict[str, Any] = {
            "which": which,
            **{
                name: gr.Dropdown([], label=say(f"review.own.{name}"), visible=False)
                for name in ("criterion", "model", "category")
            },
            "q": gr.Textbox(label=say("review.own.search"), max_lines=1, max_length=200),
        }
    rows = frame.part()

    def draw(asked: Asked) -> Parts:
        if not asked.project:
            return {frame.top: drawn("empty.html", title=say("review.own.nothing"))}
        if not asked.scope.actor.person_id:
            top = drawn("top.html", title=say("review.own.nameless"), text="", notice="")
            return {frame.top: top, rows: ""}
        view = asked.view
        wanted = OwnFilters(
            criterion=view.one("criterion"),
            model=view.one("model"),
            category=view.one("category"),
            query=view.one("q").strip()[:200],
            changed=view.one("which") == "changed",
        )
        found = own_work.own_work(asked.scope, asked.project, wanted, view.number("p"))
        top = drawn("top.html", title=_title(found, asked), text=_today(found), notice="")
        part = drawn("my_work/rows.html", found=found, view=view, project=asked.project)
        shown = {one: gr.update(visible=True) for one in (switch, choices)}
        return {frame.top: top, rows: part, **shown, **_filled(fields, found, asked)}

    frame.draws(fields, draw, [rows, switch, choices], resets=("p",))


def _title(found: OwnWork, asked: Asked) -> str:
    if asked.view.one("which") == "skipped":
        return say("review.own.title.skipped", n=len(found.skipped))
    return say("review.own.title", n=found.count)


def _today(found: OwnWork) -> str:
    """The person's own pace, compared with nobody's."""
    today = found.today
    text = say("review.own.today", n=today.cells, screens=today.screens)
    if today.cells_per_hour is None:
        return text
    return f"{text} {say('review.own.pace', pace=today.cells_per_hour)}"


def _filled(fields: dict[str, Any], found: OwnWork, asked: Asked) -> Parts:
    """The fields with what there is to choose. Skipped screens have no verdict to narrow."""
    view, skipped = asked.view, asked.view.one("which") == "skipped"
    offered = {
        "criterion": list(found.criteria),
        "model": [(one, one) for one in found.models],
        "category": [(one, one) for one in found.categories],
    }
    parts: Parts = {
        fields["which"]: view.one("which") if view.one("which") in WHICH else "",
        fields["q"]: gr.update(value=view.one("q"), visible=not skipped),
    }
    for name, some in offered.items():
        parts[fields[name]] = gr.update(
            choices=[(say(f"review.own.{name}.all"), ""), *some],
            value=view.one(name),
            visible=len(some) > 1 and not skipped,
        )
    return parts


page = Page(
    path="/my-work",
    title="My work",
    nav="My work",
    group="review",
    order=25,
    css=("lead/lead.css", "lead/projects.css", "kit/kit.css"),
    build=build,
)
