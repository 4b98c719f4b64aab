"""Workshop: a judge is changed, compared with what it was on labelled answers, and kept or
dropped."""

from graders.web.page import Page

page = Page(
    path="/workshop",
    title="Judge workshop",
    nav="Workshop",
    order=44,  # after Judges: pages of one number stand in the order of their names
    module="workshop/start.js",
    css=("lead/lead.css", "lead/projects.css", "judges/judges.css", "workshop/workshop.css"),
)
