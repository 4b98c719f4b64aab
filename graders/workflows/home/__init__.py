"""All projects at a glance.

Comes in: a workspace.
Goes out: what the Projects page, `cograde status` and the head of every page say of projects.
Stands on: adjudication, cells, projects, promise, routing, runs, scope.
"""

__all__ = ["cards", "frame", "overview", "status"]
