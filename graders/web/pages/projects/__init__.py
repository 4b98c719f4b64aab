"""Projects: what is there, what to do next, how a file comes in, and what a lead changes of a
project.

The address says what is shown: ``?import=TOKEN`` a file that is looked at, ``?staged=ID`` the
report of an import, ``?manage=NAME`` one project, else all.
"""

from __future__ import annotations

from typing import Any

from graders.core.errors import CogradeError
from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.projects.home import Home
from graders.web.pages.projects.look import LookedAt
from graders.web.pages.projects.manage import Managed
from graders.web.pages.projects.report import Report


def build(frame: Frame) -> None:
    """The four things that the page shows, one at a time, and the clock of those that wait."""
    steps = frame.part()
    timer = gr.Timer(1, active=False)
    home, looked = Home(frame, timer), LookedAt(frame, timer)
    report, managed = Report(frame), Managed(frame)
    every = (home, looked, report, managed)
    by_name = {"staged": report, "import": looked, "manage": managed}

    def draw(asked: Asked) -> Parts:
        shown: Any = next((one for name, one in by_name.items() if name in asked.view), home)
        try:
            parts = shown.draw(asked)
        except CogradeError as error:
            if shown is home:
                raise
            shown, lost = None, {"screen": "lost", "title": say("home.page.lost"), "text": ""}
            parts = {
                frame.top: drawn("projects/top.html", **lost, back=True),
                frame.alert: drawn("alert.html", text=str(error)),
            }
        at = parts.pop("step", 0)
        boxes = {one.box: gr.update(visible=one is shown) for one in every}
        stop = {timer: gr.update(active=False), steps: _steps(at)}
        return {**boxes, looked.wait: gr.update(visible=False), **stop, **parts}

    def act(asked: Asked, *values: Any) -> Parts:
        owner = next((one for one in every if asked.event.get("do") in one.buttons), None)
        if asked.event.get("do") == "tick":
            owner = looked if "import" in asked.view else home
        elif owner is None:
            owner = report if "category" in asked.event else looked
        done: Parts = owner.act(asked, dict(zip(inputs, values, strict=True)))
        return done

    inputs = [*looked.inputs, *managed.inputs]
    outputs = [steps, timer, *(part for one in every for part in one.outputs)]
    frame.draws({}, draw, outputs)
    pressed = {**looked.pressed, **report.pressed, **managed.pressed, "tick": timer}
    frame.does(act, inputs, [frame.top, *outputs], looked.fields, pressed)


def _steps(at: int) -> str:
    """The steps of an import, where it is at one of them."""
    words = ("file", "columns", "where", "read", "came")
    steps = [say(f"importing.page.step.{word}") for word in words]
    return drawn("steps.html", label=say("importing.page.steps"), steps=steps, at=at) if at else ""


page = Page(
    path="/",
    title="Projects",
    nav="Projects",
    group="set_up",
    order=10,
    css=("lead/lead.css", "lead/projects.css", "kit/kit.css"),
    build=build,
)
