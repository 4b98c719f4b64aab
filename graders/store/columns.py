"""Columns of numbers, read into typed arrays as the database hands rows over."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

#: A column of whole numbers, and one of any.
WHOLE, ANY = "i8", "f8"


def read(
    db: sqlite3.Connection, sql: str, values: Sequence[Any], **kinds: npt.DTypeLike
) -> npt.NDArray[Any]:
    """The rows of a query as a structured array, whose fields have these names and `kinds`."""
    cursor = db.cursor()
    cursor.row_factory = None
    return np.fromiter(cursor.execute(sql, values), np.dtype(list(kinds.items())))


def nothing(**kinds: npt.DTypeLike) -> npt.NDArray[Any]:
    """What `read` gives of a query without rows."""
    return np.zeros(0, np.dtype(list(kinds.items())))
