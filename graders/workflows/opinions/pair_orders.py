"""What judges said of pairs in both orders of the answers."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from graders.core.preference import outcome
from graders.store.opinions import pairs
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow

#: What a pair's first answer got when it stood first, and when it stood second: 1 it won, .5 a tie,
#: 0 it lost.
Orders = tuple[float, float]


def orders_of(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    judges: Sequence[int],
    filters: Filters = EVERYTHING,
) -> dict[int, dict[int, Orders]]:
    """Judge -> cell -> what it said in each order; where a value is missing, or is none of the
    scale (a file may say so), no entry."""
    known, found = criterion.scale.labels, dict[int, dict[int, Orders]]()
    for judge, cell, text in pairs.orders(db, criterion, judges, filters):
        said = json.loads(text)
        if isinstance(said, list) and len(said) == 2 and all(one in known for one in said):
            found.setdefault(judge, {})[cell] = outcome(said[0]), outcome(said[1])
    return found
