"""Leaderboard: the models ranked, by criterion and overall, corrected by people."""

from graders.web.page import Page

page = Page(
    path="/leaderboard",
    title="Leaderboard",
    nav="Leaderboard",
    group="results",
    order=51,
    module="leaderboard/start.js",
    css=("lead/lead.css", "lead/figures.css", "leaderboard/leaderboard.css"),
)
