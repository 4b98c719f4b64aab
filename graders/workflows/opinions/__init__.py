"""Who said what of which cell: the arrays that every figure about people and judges reads.

Comes in: a project, a criterion, filters.
Goes out: opinions as arrays, tables of two authors, the standing of each cell.
Stands on: cells, scope.
"""

__all__ = [
    "author_ceilings",
    "fast_work",
    "grid_cells",
    "label_choice",
    "narrowing",
    "pair_orders",
    "participants",
    "standings",
    "unscored",
]
