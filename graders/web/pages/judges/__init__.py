"""Judges: set up, tried on one answer, shown people's corrections; what they cost and could not
say, what the learned judge rests on, what is recorded of them.

The address says what is shown: ``?change=NAME`` the form with a judge in it, ``?like=NAME`` with
its settings under no name yet, ``?examples=NAME`` its corrections, ``?forget=MODEL`` the question
whether what a model was asked and replied is deleted.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.judges import examples, listing, setup, trying
from graders.workflows.runs import judges

#: Seconds after which what the learned judge learned is looked at.
LEARNS = 4.0


def build(frame: Frame) -> None:
    """The judges, what they are shown, a try and their figures; beside them the form that sets one
    up, the learned judge and the recorded content."""
    with gr.Row(elem_classes="k-two") as box:
        with gr.Column(elem_classes="k-main", min_width=0):
            rows = frame.part(acts=True)
            shown = examples.card(frame)
            attempt = trying.card(frame)
            figures = frame.part(acts=True)
        with gr.Column(elem_classes="k-main", min_width=0):
            form = setup.card(frame)
            with gr.Column(elem_classes="k-card"):
                lessons = frame.part(acts=True)
                learning = frame.part()
            with gr.Column(elem_classes="k-card"):
                recorded = frame.part(acts=True)
                forgotten = frame.part()
    timer: Any = gr.Timer(LEARNS, active=False)
    parts = [box, rows, figures, lessons, recorded]

    def draw(asked: Asked) -> Parts:
        if not asked.project:
            top = drawn("empty.html", title=say("runs.judges.page.nothing"))
            return {frame.top: top, box: gr.update(visible=False)}
        found = judges.judge_list(asked.scope, asked.project)
        notice = asked.scope.project(asked.project).notice
        return {
            frame.top: drawn("top.html", title=found.title, text=found.subtitle, notice=notice),
            rows: listing.rows(found, asked.view),
            figures: listing.later(),
            lessons: drawn("judges/lessons.html", lessons=found.lessons),
            recorded: listing.recorded(found, asked.view),
            **shown.draw(asked),
            **attempt.draw(asked, found),
            **form.draw(asked, found),
        }

    frame.draws({}, draw, [*parts, *shown.outputs, *attempt.outputs, *form.outputs])
    frame.acts(rows.act, _removed, [], [], redraws=None, mode="once")
    frame.acts(figures.act, partial(_figures, figures), [], [figures], asks=True)
    outputs = [learning, timer]
    frame.acts(lessons.act, partial(_learned, frame, *outputs), [], outputs, mode="once")
    frame.acts(timer.tick, lambda asked: {timer: gr.update(active=False)}, [], [timer], None)
    frame.acts(
        recorded.act,
        partial(_forgotten, forgotten),
        [],
        [forgotten],
        redraws=None,
        mode="once",
    )


def _removed(asked: Asked) -> Parts:
    """Forget how a judge was set up."""
    judges.take_down(asked.scope, asked.project, str(asked.event.get("remove") or ""))
    return {}


def _figures(figures: Any, asked: Asked) -> Parts:
    """What judges cost and could not say, which takes longer to read than the rest of the page."""
    if not asked.project:
        return {}
    found = judges.figures(asked.scope, asked.project)
    return {figures: drawn("judges/figures.html", rows=found, view=asked.view)}


def _learned(frame: Frame, learning: Any, timer: Any, asked: Asked) -> Parts:
    """Let the learned judge learn in a process of its own, and look at what it learned."""
    judges.may_learn(asked.scope, asked.project)
    frame.site.supervisor.learn(asked.scope.ws, asked.project, now=True)
    told = drawn("judges/said.html", text=say("runs.judges.page.learning"))
    return {learning: told, timer: gr.update(active=True)}


def _forgotten(said: Any, asked: Asked) -> Parts:
    """Delete what a model was asked and replied, which was asked about first."""
    done = judges.forget(asked.scope, asked.project, str(asked.event.get("forget") or ""))
    return {said: drawn("judges/said.html", text=done.message)}


page = Page(
    path="/judges",
    title="Judges",
    nav="Judges",
    group="set_up",
    order=15,
    css=("lead/lead.css", "lead/projects.css", "kit/kit.css", "judges/judges.css"),
    build=build,
)
