"""Verdicts and the present state of cells.

Comes in: verdicts, which are appended and never changed.
Goes out: each author's present opinion, cells, tallies.
Stands on: answers, desk.
"""

__all__ = [
    "cells",
    "earlier",
    "filters",
    "finder",
    "judges",
    "kept_labels",
    "lessons",
    "made_cells",
    "misquoted",
    "pairs",
    "recount",
    "rubrics",
    "stored_verdicts",
    "tallies",
    "uncounted",
    "unscored",
    "verdicts",
]
