"""All projects at a glance, imports that wait, and where a file is dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.words import say
from graders.web import import_choices
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.home import overview
from graders.workflows.home.cards import Overview
from graders.workflows.importing import look, stage

#: Seconds between two looks at the cards while a run is under way or a file is read.
EVERY = 4


class Home:
    """The cards of the projects, and beside them the place for a file."""

    buttons = ("sent", "discard")

    def __init__(self, frame: Frame, timer: Any) -> None:
        self.frame, self.timer = frame, timer
        words = [ending[1:].upper() for ending in look.endings() if ending != ".zip"]
        with gr.Row(visible=False, elem_classes="k-two k-aside") as self.box:
            self.cards = frame.part(elem_classes="k-main")
            with gr.Column(elem_classes="k-main"):
                frame.upload(
                    say("home.page.kinds", kinds=", ".join(words)),
                    ",".join(look.endings()),
                    act="sent",
                    template="projects/new.html",
                    most=frame.site.resolver.most_upload(),
                )
                then = frame.part()
                then.value = drawn("projects/then.html")
        self.outputs = [self.box, self.cards]

    def draw(self, asked: Asked) -> Parts:
        """All of it."""
        return self._shown(overview.all_projects(asked.scope))

    def act(self, asked: Asked, values: Mapping[Any, Any]) -> Parts:
        """A file was sent, an import is discarded, or time has passed."""
        did = asked.event.get("do")
        if did == "sent":
            return self._look(asked)
        if did == "discard":
            stage.drop(asked.scope, import_choices.import_number(asked.event.get("import")))
        if {"staged", "import", "manage"} & set(asked.view):
            return {}
        return self._shown(overview.all_projects(asked.scope))

    def _shown(self, found: Overview) -> Parts:
        top = {"screen": "home", "title": found.title, "text": found.subtitle, "back": False}
        running = any(project.next.kind == "run" for project in found.projects)
        running = running or any(one.state == "staging" for one in found.imports)
        return {
            self.frame.top: drawn("projects/top.html", **top),
            self.cards: drawn("projects/home.html", found=found),
            self.timer: gr.update(value=EVERY, active=running),
        }

    def _look(self, asked: Asked) -> Parts:
        """A file that cannot be read is refused at once."""
        token, kept = str(asked.event.get("token") or ""), self.frame.site.uploads
        try:
            import_choices.seen(asked.scope, kept, token, {})
        except BaseException:
            kept.drop(token)
            raise
        return {self.frame.acting: asked.view.only("project").to(**{"import": token})}
