"""Anchoring: what a suggestion in view does to people's verdicts."""

from graders.web.page import Page

page = Page(
    path="/anchoring",
    title="Anchoring",
    nav="Anchoring",
    group="trust",
    order=44,
    module="anchoring/start.js",
    css=("lead/lead.css", "lead/figures.css", "anchoring/anchoring.css"),
)
