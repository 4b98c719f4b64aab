"""Report: what is known and what is missing, to be read here, saved and handed on."""

from __future__ import annotations

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.counted import Counted
from graders.web.page import Page
from graders.workflows.opinions.narrowing import choices
from graders.workflows.report import export, report
from graders.workflows.report.scope import Wanted


def build(frame: Frame) -> None:
    """What comes first in the report, how it is saved, which verdicts count, the whole of it."""
    first = frame.part()
    counted = Counted(frame)
    preview = frame.part()

    def draw(asked: Asked) -> Parts:
        if not asked.project:
            return {frame.top: drawn("empty.html", title=say("report.shown.none"))}
        wanted, project = counted.of(asked.view), asked.scope.project(asked.project)
        found = report.report(asked.scope, asked.project, wanted=Wanted(**wanted))
        made = say("report.shown.made", title=found.title, upto=found.made.upto)
        if not found.made.upto:
            made = say("report.shown.made.no_verdict", title=found.title)
        summary = report.summary(found)
        first_words = next(words for _, sentences in summary for _, words in sentences)
        files = {"formats": report.FORMATS, "exports": export.formats(), "view": asked.view}
        return {
            frame.top: drawn("top.html", title=first_words, text=made, notice=found.notice),
            first: drawn("report/first.html", summary=summary, **files),
            preview: drawn("report/preview.html", document=report.html(found)),
            **counted.filled(asked.view, choices(asked.scope, project), hidden=("population",)),
        }

    frame.draws(counted.fields, draw, [first, preview, *counted.outputs])


page = Page(
    path="/report",
    title="Report",
    nav="Report",
    group="results",
    order=58,
    css=("lead/lead.css", "kit/kit.css", "report/report.css"),
    build=build,
)
