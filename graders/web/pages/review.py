"""The review desk: no Gradio event on this page, so that nothing ever reloads it under an
annotator's hands."""

from graders.web.page import Page

page = Page(
    path="/review",
    title="Review",
    nav="Review",
    group="review",
    order=20,
    module="review.js",
    css=("lead/lead.css", "desk.css", "review.css"),
)
