"""Workshop: a judge is changed, compared with what it was on labelled answers, and kept or
dropped."""

from graders.web.page import Page

page = Page(
    path="/workshop",
    title="Judge workshop",
    nav="Workshop",
    group="set_up",
    order=16,
    module="workshop/start.js",
    css=("lead/lead.css", "lead/projects.css", "judges/judges.css", "workshop/workshop.css"),
)
