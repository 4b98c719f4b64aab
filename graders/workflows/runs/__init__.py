"""Runs: planned, started, paused, resumed; the work of a worker process.

Comes in: options of a run.
Goes out: progress, and everything that its stages leave in cells.
Stands on: calling, cells, collecting, learning, measuring, results, routing, scope.
"""

__all__ = [
    "corrections",
    "drift_anchors",
    "judges",
    "limits",
    "progress",
    "run_control",
    "run_page",
    "run_plan",
    "runs",
    "shown_run",
    "stages",
    "summary",
    "try_judge",
    "tryout",
]
