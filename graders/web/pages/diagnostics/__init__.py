"""Diagnostics: one judge at a time: which way it leans, how it uses the scale, what its confidence
is worth, how steady it is; then anchor questions and seeded faults of the project."""

from __future__ import annotations

from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.counted import Counted
from graders.web.kit.gradio import gr
from graders.web.kit.reading import PATIENCE, Reading
from graders.web.kit.view import View
from graders.web.page import Page
from graders.web.pages.diagnostics.lean import Scaled, follows_of, leans_of, why
from graders.web.pages.diagnostics.own import Own
from graders.workflows.agreement.ground import View as Ground
from graders.workflows.diagnostics.diagnose import diagnostics_so_far
from graders.workflows.diagnostics.judge_report import DiagnosedJudge, Diagnostics
from graders.workflows.scope.project_head import Waiting


class DiagnosticsPage:
    """The page under way: its parts, and how they are drawn."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.reading = Reading(frame, self._read)
        self.judge: Any = gr.Radio([], label=say("diagnostics.page.judge"), visible=False)
        self.counted = Counted(frame)
        self.body = frame.part()
        self.own = Own(frame)
        outputs = [*self.reading.outputs, self.body, *self.counted.outputs, *self.own.outputs]
        frame.draws({"judge": self.judge, **self.counted.fields}, self.draw, outputs)

    def _asked(self, asked: Asked) -> Ground:
        return Ground(**self.counted.of(asked.view))

    def _read(self, asked: Asked) -> Diagnostics | Waiting:
        return diagnostics_so_far(
            asked.scope, asked.project, self._asked(asked), patience=PATIENCE, begun=True
        )

    def draw(self, asked: Asked) -> Parts:
        """What the address asks for."""
        if not asked.project:
            return {self.frame.top: drawn("empty.html", title=say("diagnostics.page.empty"))}
        ground = self._asked(asked)
        own = self.own.draw(asked) if asked.changed() else {}
        found = diagnostics_so_far(
            asked.scope, asked.project, ground, patience=PATIENCE, begun=False
        )
        if isinstance(found, Waiting):
            return own | self.reading.waiting(asked, found)
        shown = found.population
        people = say("diagnostics.page.beside", words=shown.words) if shown.words else ""
        head = {"title": found.title, "text": found.subtitle, "notice": found.project.notice}
        return {
            **own,
            **self.reading.done(),
            **self._filled(asked, found),
            self.frame.top: drawn("diagnostics/top.html", **head, people=people),
            self.body: self._of_judge(asked, _chosen(found, asked)),
        }

    def _filled(self, asked: Asked, found: Diagnostics) -> Parts:
        """The judges and the filters."""
        asks = asked.view.one("judge")
        chosen = _chosen(found, asked)
        named = chosen is not None and chosen.ref == asks
        # the one that is shown where the address names none has no name in the list either
        judges = [
            (_titled(one), "" if one is chosen and not named else one.ref) for one in found.judges
        ]
        population = asked.view.one("population")
        draws = [
            (
                say("diagnostics.page.draw", words=one.words, n=one.verdicts),
                "" if not population and one.name == found.population.name else one.name,
            )
            for one in found.population.choices
        ]
        value = chosen.ref if chosen and named else ""
        return {
            self.judge: gr.update(
                choices=judges or [("", "")], value=value, visible=len(judges) > 1
            ),
            **self.counted.filled(asked.view, found.choices, draws, before=asked.before),
        }

    def _of_judge(self, asked: Asked, judge: DiagnosedJudge | None) -> str:
        plain = View({}).with_(project=asked.project)
        if judge is None:
            return drawn("diagnostics/nothing.html", plain=plain)
        return drawn(
            "diagnostics/judge.html",
            judge=judge,
            leans=leans_of(judge),
            follows=follows_of(judge),
            zero=Scaled(0.0),
            why=why,
            plain=plain,
        )


def _chosen(found: Diagnostics, asked: Asked) -> DiagnosedJudge | None:
    """The judge that the address names, or the first one."""
    asks = asked.view.one("judge")
    first = found.judges[0] if found.judges else None
    return next((one for one in found.judges if one.ref == asks), first)


def _titled(judge: DiagnosedJudge) -> str:
    """A judge's name, and how many of its leans are significant."""
    real = sum(len(row.findings) for row in judge.criteria)
    return f"{judge.name} ({real})" if real else judge.name


def build(frame: Frame) -> None:
    """Judges and filters, the cards of the judge, and what the project has for all of them."""
    DiagnosticsPage(frame)


page = Page(
    path="/diagnostics",
    title="Diagnostics",
    nav="Diagnostics",
    group="trust",
    order=43,
    css=("lead/lead.css", "kit/kit.css", "lead/figures.css", "diagnostics/diagnostics.css"),
    build=build,
)
