"""Questions: what each is held against, who was elected as reference and by what numbers, and how
much detail it asks for."""

from graders.web.page import Page

page = Page(
    path="/questions",
    title="Questions",
    nav="Questions",
    group="set_up",
    order=13,
    module="questions/start.js",
    css=("lead/lead.css", "results/results.css", "questions/questions.css"),
)
