"""All projects at a glance.

Comes in: a workspace.
Goes out: what the Projects page and `cograde status` say of each project.
Stands on: adjudication, cells, projects, promise, routing, runs, scope.
"""

__all__ = ["cards", "overview", "status"]
