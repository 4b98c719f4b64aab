"""Results: what each model reached on each criterion, and the answers behind every figure."""

from graders.web.page import Page

page = Page(
    path="/results",
    title="Results",
    nav="Results",
    order=30,
    module="results/start.js",
    css=("lead/lead.css", "results/results.css"),
)
