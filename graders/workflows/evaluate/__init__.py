"""Grading from Python: one answer or many, for test suites.

Comes in: cases and a rubric.
Goes out: results in memory; only replies are kept.
Stands on: calling, cells, scope.
"""

__all__ = ["carry", "evaluate"]
