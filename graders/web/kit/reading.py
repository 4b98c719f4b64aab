"""What a page shows while much has to be read: how far that is, until all is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graders.core.words import say
from graders.web.kit.drawing import drawn
from graders.web.kit.frame import Asked, Frame, Parts
from graders.web.kit.gradio import gr
from graders.workflows.scope.project_head import Waiting

#: Seconds after which a use case tells how far it is, and after which the page asks again.
PATIENCE, AGAIN = 0.5, 0.3


class Reading:
    """The place for it, and the clock that goes on with `read(asked)` and draws the page anew."""

    def __init__(self, frame: Frame, read: Callable[[Asked], Any]) -> None:
        def act(asked: Asked) -> Parts:
            read(asked)
            return {}

        self.frame, self.part = frame, frame.part()
        self.timer = gr.Timer(AGAIN, active=False)
        self.outputs = [self.part, self.timer]
        frame.acts(self.timer.tick, act, [], [], redraws=True, asks=True)

    def waiting(self, asked: Asked, found: Waiting) -> Parts:
        """How far reading is; what was drawn before stays."""
        told = drawn("reading.html", progress=found.progress)
        shown: Parts = {self.part: told, self.timer: gr.update(active=True)}
        if asked.before is None:
            title = say("kit.reading.title", project=found.project.title)
            shown[self.frame.top] = drawn("top.html", title=title, text="", notice="")
        return shown

    def done(self) -> Parts:
        """All is there."""
        return {self.part: "", self.timer: gr.update(active=False)}
