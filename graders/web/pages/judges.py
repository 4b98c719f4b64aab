"""Judges: set up, try on one answer, what they cost and could not say, what the learned judge rests
on."""

from graders.web.page import Page

page = Page(
    path="/judges",
    title="Judges",
    nav="Judges",
    group="set_up",
    order=15,
    module="judges/start.js",
    css=("lead/lead.css", "lead/projects.css", "judges/judges.css"),
)
