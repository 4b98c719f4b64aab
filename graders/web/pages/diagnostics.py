"""Diagnostics: bias, calibration and self-consistency of each judge."""

from graders.web.page import Page

page = Page(
    path="/diagnostics",
    title="Diagnostics",
    nav="Diagnostics",
    group="trust",
    order=43,
    module="diagnostics/start.js",
    css=(
        "lead/lead.css",
        "lead/figures.css",
        "agreement/agreement.css",
        "diagnostics/diagnostics.css",
    ),
)
