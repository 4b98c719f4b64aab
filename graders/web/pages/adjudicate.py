"""Adjudicate: cells on which people differ, what each of them said side by side, and the verdict
that settles it."""

from graders.web.page import Page

page = Page(
    path="/adjudicate",
    title="Adjudicate",
    nav="Adjudicate",
    group="grade",
    order=31,
    module="adjudicate/start.js",
    css=("lead/lead.css", "adjudicate/adjudicate.css"),
)
