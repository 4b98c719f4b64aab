"""The learned judge: how likely each suggestion is right.

Comes in: blind verdicts of people and what machines said of the same cells.
Goes out: lessons, and a chance per cell.
Stands on: cells, opinions, scope.
"""

__all__ = ["known_of_cells", "learn"]
