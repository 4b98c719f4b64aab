"""Asking models for answers.

Comes in: questions and the models to ask.
Goes out: answers in the project, each bought once.
Stands on: calling, importing, scope.
"""

__all__ = ["collect", "collect_run", "sources"]
