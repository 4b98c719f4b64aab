"""Cells on which people differ, settled by one person.

Comes in: a cell, an adjudicator's verdict.
Goes out: the settled value, with advice from what others said.
Stands on: cells, opinions, results, review, scope.
"""

__all__ = ["adjudicate", "advice", "card", "cell_list"]
