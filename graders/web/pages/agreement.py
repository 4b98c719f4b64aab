"""Agreement: how far judges and people agree, and the answers on which they do not."""

from graders.web.page import Page

page = Page(
    path="/agreement",
    title="Agreement",
    nav="Agreement",
    group="trust",
    order=40,
    module="agreement/start.js",
    css=("lead/lead.css", "lead/figures.css", "agreement/agreement.css"),
)
