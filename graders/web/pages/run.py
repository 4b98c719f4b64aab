"""Run: the plan with its price, the graders at work, what may be changed before and after."""

from graders.web.page import Page

page = Page(
    path="/run",
    title="Run",
    nav="Run",
    order=15,
    module="run/start.js",
    css=("lead/lead.css", "lead/projects.css"),
)
