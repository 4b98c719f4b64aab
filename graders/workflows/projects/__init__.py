"""Projects: settings, task types, the demo.

Comes in: a lead's choices.
Goes out: a project that is ready to be graded.
Stands on: cells, importing, leaderboard, measuring, promise, review, routing, rubrics, runs,
scope.
"""

__all__ = ["check", "delete", "demo", "prices", "rename", "settings", "task_types"]
