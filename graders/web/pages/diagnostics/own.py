"""What a project has to watch its judges by: anchor questions, and copies with seeded faults."""

from __future__ import annotations

from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.kit.view import View
from graders.workflows.diagnostics import seeded_faults
from graders.workflows.diagnostics.seeded_faults import Detection
from graders.workflows.runs import drift_anchors
from graders.workflows.runs.drift_anchors import Anchors


class Own:
    """Both cards: their parts, and what is done on them."""

    def __init__(self, frame: Frame) -> None:
        with gr.Column(visible=False) as self.whole:
            with gr.Column(elem_classes="k-card"):
                self.anchors = frame.part()
                self.list = gr.Accordion(
                    say("diagnostics.page.anchors.list"),
                    open=False,
                    visible=False,
                    elem_classes="k-fold",
                )
                with self.list:
                    self.rows = frame.part()
                with gr.Row(elem_classes="dg-acts"):
                    self.count = _field(say("diagnostics.page.anchors.count"), 3)
                    draw = gr.Button(say("diagnostics.page.anchors.draw"), size="md", min_width=0)
                    self.key = _field(say("diagnostics.page.anchors.id"), 200)
                    add = gr.Button(say("diagnostics.page.anchors.add"), size="md", min_width=0)
            with gr.Column(elem_classes="k-card"):
                self.seeded = frame.part()
                with gr.Row(elem_classes="dg-acts"):
                    self.share = _field(say("diagnostics.page.seeded.share"), 5)
                    self.make = gr.Button(
                        say("diagnostics.page.seeded.make"), size="md", min_width=0
                    )
                self.told = frame.part()
        drawn_anew = [self.anchors, self.list, self.rows, self.count, self.key]
        self.outputs = [*drawn_anew, self.whole, self.seeded, self.share, self.make, self.told]
        buttons = {
            "draw": (draw, self.count),
            "add": (add, self.key),
            "seed": (self.make, self.share),
        }
        frame.does(self.act, [self.count, self.key, self.share], self.outputs, {}, buttons)

    def draw(self, asked: Asked) -> Parts:
        """Both cards as they are."""
        found = drift_anchors.listed(asked.scope, asked.project)
        seeded = seeded_faults.detection(asked.scope, asked.project)
        return {
            self.whole: gr.update(visible=True),
            self.count: str(min(found.enough, found.of)),
            self.key: "",
            self.share: f"{100 * seeded.share:g}",
            self.told: "",
            **self._anchors(found),
            **self._seeded(asked, seeded),
        }

    def act(self, asked: Asked, count: Any, key: Any, share: Any) -> Parts:
        """What was pressed."""
        scope, project, event = asked.scope, asked.project, asked.event
        if "remove" in event:
            return self._anchors(drift_anchors.change(scope, project, (), [str(event["remove"])]))
        match event.get("do"):
            case "draw":
                return self._anchors(drift_anchors.draw(scope, project, _count(count)))
            case "add":
                named = str(key or "").strip()
                if not named:
                    return {}
                return self._anchors(drift_anchors.change(scope, project, [named])) | {self.key: ""}
            case "seed":
                made = seeded_faults.seed(scope, project, _share(share))
                told = say("diagnostics.page.seeded.made", n=made.made)
                return self._seeded(asked, made) | {
                    self.told: drawn("diagnostics/told.html", text=told)
                }
        return {}

    def _anchors(self, found: Anchors) -> Parts:
        return {
            self.anchors: drawn("diagnostics/anchors.html", found=found),
            self.list: gr.update(visible=bool(found.questions)),
            self.rows: drawn("diagnostics/anchor_rows.html", found=found),
        }

    def _seeded(self, asked: Asked, found: Detection) -> Parts:
        plain = View({}).with_(project=asked.project)
        make = say("diagnostics.page.seeded.make")
        if found.copies:
            make = say("diagnostics.page.seeded.more")
        return {
            self.seeded: drawn("diagnostics/seeded.html", found=found, plain=plain),
            self.make: gr.update(value=make, variant="secondary" if found.copies else "primary"),
        }


def _field(label: str, most: int) -> Any:
    return gr.Textbox(label=label, max_lines=1, max_length=most, min_width=0)


def _count(typed: Any) -> int:
    """How many anchors to draw; the use case says how many may be."""
    text = str(typed or "").strip()
    if not text.isdecimal():
        raise InputError(**error_parts("diagnostics.error.typed_count", typed=repr(text)[:40]))
    return int(text)


def _share(typed: Any) -> float:
    """A share of the answers, typed in percent; the use case says which may be."""
    text = str(typed or "").strip().rstrip("%").strip().replace(",", ".")
    try:
        return float(text) / 100
    except ValueError:
        raise InputError(
            **error_parts("diagnostics.error.typed_share", share=repr(text)[:40])
        ) from None
