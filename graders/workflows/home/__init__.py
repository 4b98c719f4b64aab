"""All projects at a glance.

Comes in: a workspace.
Goes out: what the Projects page, `cograde status` and the head of every page say of projects.
Stands on: adjudication, cells, diagnostics, opinions, projects, promise, results, routing, runs,
scope.
"""

__all__ = ["cards", "first_questions", "frame", "overview", "status"]
