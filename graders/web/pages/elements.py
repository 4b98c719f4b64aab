"""Elements: what every complete answer to a question must have; drafted by a judge, in force when a
person has accepted it."""

from graders.web.page import Page

page = Page(
    path="/elements",
    title="Elements",
    nav="Elements",
    group="set_up",
    order=14,
    module="elements/start.js",
    css=("lead/lead.css", "elements/elements.css"),
)
