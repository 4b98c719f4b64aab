"""Imports and exports of whole projects.

Comes in: rows under an import's id.
Goes out: plain rows in a stable order.
Stands on: answers, desk, figures, opinions.
"""

__all__ = [
    "bad_rows",
    "exchange",
    "imports",
    "labels",
    "names",
    "project_removal",
    "replaced_by_import",
    "row_removal",
    "snapshot",
    "staged",
    "taking_back",
    "taking_back_obstacles",
]
