"""Grading in a spreadsheet.

Comes in: a project, a sheet that came back.
Goes out: a sheet brought up to date, its changes taken in as verdicts.
Stands on: cells, report, scope.
"""

__all__ = ["sheet"]
