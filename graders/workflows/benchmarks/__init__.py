"""Benchmarks: ask models the cases, score what they say, write reports.

Comes in: case files.
Goes out: scores and report files.
Stands on: calling, importing, measuring, scope.
"""

__all__ = ["benchmark", "cases", "markdown"]
