"""Projects: what is there, what to do next, and how a file comes in."""

from graders.web.page import Page

page = Page(
    path="/",
    title="Projects",
    nav="Projects",
    order=10,
    module="projects/start.js",
    css=("lead/lead.css", "lead/projects.css"),
)
