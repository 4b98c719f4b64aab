"""The card that draws pairs of answers, for people to say which is better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.leaderboard import draw_pairs


class DrawingPairs:
    """Which pairs, and the button that draws them."""

    def __init__(self, frame: Frame) -> None:
        designs = [(say(f"leaderboard.page.design.{name}"), name) for name in draw_pairs.DESIGNS]
        with gr.Column(elem_classes="k-card", visible=False) as self.card:
            self.head = frame.part()
            self.design = gr.Dropdown(
                designs, value=draw_pairs.DESIGNS[0], label=say("leaderboard.page.design")
            )
            self.per = gr.Number(
                1,
                label=say("leaderboard.page.per_question"),
                minimum=1,
                maximum=100,
                precision=0,
                elem_classes="k-number",
            )
            self.baseline = gr.Dropdown([], label=say("leaderboard.page.baseline"), visible=False)
            with gr.Row(elem_classes="k-bar"):
                self.button = gr.Button(say("leaderboard.page.draw"))
            self.said = frame.part()
        self.inputs = [self.design, self.per, self.baseline]
        self.outputs = [self.card, self.head, self.per, self.baseline, self.said]

    def hidden(self) -> Parts:
        """Where no pairs are shown."""
        return {self.card: gr.update(visible=False)}

    def drawn(self, answering: Sequence[str], fresh: bool) -> Parts:
        """The card, with the models that have answers; what was chosen stays but where it is
        `fresh`."""
        if not fresh:
            return {self.card: gr.update(visible=True)}
        first = answering[0] if answering else ""
        return {
            self.card: gr.update(visible=True),
            self.head: drawn("leaderboard/pairs.html"),
            self.baseline: gr.update(choices=[(name, name) for name in answering], value=first),
        }

    def chosen(self, design: object) -> Parts:
        """The fields that the design needs."""
        return {
            self.per: gr.update(visible=design == "balanced"),
            self.baseline: gr.update(visible=design == "baseline"),
        }

    def draw(self, asked: Asked, design: Any, per: Any, baseline: Any) -> Parts:
        """Draw the pairs, and say how many there are now."""
        made = draw_pairs.draw(
            asked.scope,
            asked.project,
            str(design or ""),
            per_question=_count(per) if design == "balanced" else 1,
            baseline=str(baseline or "") if design == "baseline" else "",
        )
        return {self.said: drawn("leaderboard/drawn.html", made=made, project=asked.project)}


def _count(found: Any) -> int:
    try:
        return int(found)
    except (TypeError, ValueError, OverflowError):
        typed = repr(found)[:40]
        raise InputError(**error_parts("leaderboard.error.typed_count", typed=typed)) from None
