"""Rubrics: form and text side by side, checked while they are typed, tried on an answer; versions,
and what became stale."""

from graders.web.page import Page

page = Page(
    path="/rubrics",
    title="Rubrics",
    nav="Rubrics",
    group="set_up",
    order=12,
    module="rubrics/start.js",
    css=("lead/lead.css", "rubrics/rubrics.css"),
)
