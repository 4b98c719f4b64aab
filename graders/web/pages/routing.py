"""Routing: what the machine may decide alone, at which risk, and what people must read for it."""

from graders.web.page import Page

page = Page(
    path="/routing",
    title="Routing",
    nav="Routing",
    group="trust",
    order=41,
    module="routing/start.js",
    css=("lead/lead.css", "routing/routing.css"),
)
