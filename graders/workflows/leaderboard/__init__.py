"""Models ranked, compared and preferred.

Comes in: standings of cells, preferences between pairs.
Goes out: ranks with intervals, comparisons, sentences that say them.
Stands on: opinions, routing, scope.
"""

__all__ = [
    "board",
    "compare",
    "compare_words",
    "comparison",
    "draw_pairs",
    "ground",
    "preferences",
    "ranking",
    "words",
]
