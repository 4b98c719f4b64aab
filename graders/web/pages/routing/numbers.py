"""The numbers of the sentence, as sliders: each is a parameter of the address, so that what is
tried can be sent to somebody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, View
from graders.web.kit.gradio import gr
from graders.workflows.promise.effort import Point
from graders.workflows.routing.page import Routing

#: Steps of the slider of answers.
STEPS = 100


class Numbers:
    """How many answers people read, the risk, how sure that is, and whether what is read is graded
    whole."""

    def __init__(self, frame: Frame) -> None:
        with gr.Row(elem_classes="k-fields rt-numbers"):
            self.read = _slider("read", 0, 1, 1)
            self.risk = _slider("risk", 1, 30, 10)
            self.sure = _slider("sure", 70, 99, 90)
        self.whole = gr.Checkbox(
            label=say("routing.page.whole", many=""), info=say("routing.page.whole.why")
        )
        frame.sets({"read": self.read}, resets=("risk",))
        frame.sets({"risk": self.risk}, resets=("read",))
        frame.sets({"sure": self.sure})
        frame.sets({"whole": self.whole})
        self.inputs = [self.read, self.risk, self.sure]
        self.outputs = [*self.inputs, self.whole]

    def wanted(self, view: View) -> dict[str, Any]:
        """What the address asks for, as the use case takes it."""
        sure, whole = view.one("sure"), view.one("whole")
        return {
            "delta": round(1 - view.number("sure", 0) / 100, 2) if sure else None,
            "whole": whole in ("true", "1") if whole else None,
        }

    def terms(self, risk: Any, sure: Any) -> Mapping[str, float]:
        """Terms as the sliders say them."""
        return {"alpha": _share(risk), "delta": round(1 - _share(sure), 2)}

    def filled(self, asked: Asked, found: Routing, now: Point) -> Parts:
        """The sliders at what is shown; one that stands there already is left in the hand."""
        reach = [point.answers for point in found.curve]
        least, most = min(reach), max(reach)
        read = now.answers
        if "read" in asked.view and "risk" not in asked.view:
            read = min(max(asked.view.number("read", 0), least), most)
        values = {
            self.read: read,
            self.risk: round(100 * now.alpha),
            self.sure: round(100 * (1 - found.delta)),
        }
        held = dict(zip(self.inputs, asked.values[1:], strict=True))
        parts: Parts = {one: value for one, value in values.items() if held[one] != value}
        if asked.changed("sure", "whole"):
            many = found.unit.many[0].upper() + found.unit.many[1:]
            parts[self.read] = gr.update(
                minimum=least,
                maximum=max(most, least + 1),
                step=max(1, (most - least) // STEPS),
                label=say("routing.page.slider.read", many=many),
                value=read,
            )
            label = say("routing.page.whole", many=many)
            parts[self.whole] = gr.update(value=found.whole, label=label)
        return parts


def _share(typed: Any) -> float:
    """Per cent as a share; what is no number goes on as it is, to be refused."""
    return round(typed / 100, 4) if isinstance(typed, int | float) else typed


def _slider(name: str, low: int, high: int, value: int) -> Any:
    return gr.Slider(
        low,
        high,
        value,
        step=1,
        label=say(f"routing.page.slider.{name}", many=""),
        buttons=[],
        elem_classes=f"rt-{name}",
    )
