"""Where people say that the rubric is unclear, and sentences that a model drafted for it; in the
rubric editor one is taken."""

from __future__ import annotations

from functools import partial
from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.rubrics import wording as use


def card(frame: Frame) -> None:
    """The card: whoever looks has seen marks of answers, so that it waits to be asked."""
    with gr.Column(elem_classes="k-card"):
        rows = frame.part(acts=True, value=drawn("workshop/unclear.html", rows=None, view=None))
        said = frame.part()
    frame.acts(rows.act, partial(_done, frame, rows, said), [], [rows, said], mode="once")


def _done(frame: Frame, rows: Any, said: Any, asked: Asked) -> Parts:
    """Look, or let a model draft a sentence first."""
    told = ""
    if "draft" in asked.event:
        criterion, judge = (str(asked.event.get(name) or "") for name in ("draft", "model"))
        found = use.draft(asked.scope, asked.project, criterion, judge.strip())
        if not found.sentence:
            why = say("workshop.page.no_sentence", why=found.why)
            return {frame.alert: drawn("alert.html", text=why)}
        told = drawn("judges/said.html", text=say("workshop.page.drafted"))
    unclear = use.unclear(asked.scope, asked.project)
    view = asked.view.only("project")
    return {rows: drawn("workshop/unclear.html", rows=unclear, view=view), said: told}
