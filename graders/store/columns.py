"""Columns of numbers, read into typed arrays as the database hands rows over."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

#: The kinds of a column of whole numbers, and of any.
WHOLE, ANY = "i8", "f8"
#: A column of numbers.
Column = npt.NDArray[Any]


def read(db: sqlite3.Connection, sql: str, values: Sequence[Any], **kinds: npt.DTypeLike) -> Column:
    """The rows of a query as a structured array, whose fields have these names and `kinds`."""
    cursor = db.cursor()
    cursor.row_factory = None
    return np.fromiter(cursor.execute(sql, values), np.dtype(list(kinds.items())))


def pair(
    db: sqlite3.Connection, sql: str, values: Sequence[Any], kind: npt.DTypeLike = WHOLE
) -> tuple[Column, Column]:
    """The rows of a query of two columns: whole numbers, and numbers of a `kind`."""
    rows = read(db, sql, values, first=WHOLE, second=kind)
    return np.ascontiguousarray(rows["first"]), np.ascontiguousarray(rows["second"])


def column(db: sqlite3.Connection, sql: str, values: Sequence[Any]) -> Column:
    """The rows of a query of one column of whole numbers."""
    return np.ascontiguousarray(read(db, sql, values, only=WHOLE)["only"])


def nothing(**kinds: npt.DTypeLike) -> Column:
    """What `read` gives of a query without rows."""
    return np.zeros(0, np.dtype(list(kinds.items())))
