"""Models ranked."""

from __future__ import annotations

from graders.web.caller import Caller
from graders.workflows.leaderboard import ranking
from graders.workflows.report import rows
from graders.workflows.report.rows import LeaderboardRow


def call(caller: Caller, project: str) -> list[LeaderboardRow]:
    """Models with intervals and the ranks that the data allow: one row per model overall, then one
    per model and criterion, the best first.

    Args:
        project: the project's name
    """
    return list(rows.leaderboard(ranking.leaderboard(caller.scope, project)))
