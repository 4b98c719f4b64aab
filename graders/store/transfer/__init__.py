"""Imports and exports of whole projects.

Comes in: rows under an import's id.
Goes out: plain rows in a stable order.
Stands on: answers, desk, figures, opinions.
"""

__all__ = [
    "bad_rows",
    "exchange",
    "holds",
    "imports",
    "labels",
    "names",
    "removal",
    "removing",
    "snapshot",
    "staged",
    "taking_back",
    "undo",
]
