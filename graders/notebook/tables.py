"""The frames of a project: how rows become one, whose columns `columns.TABLES` describes.

Frames hold texts as they are; only exports guard what a spreadsheet would run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from graders.workflows.report.columns import TABLES, Type

__all__ = ["TABLES", "frame"]


def frame(table: str, rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """A frame of a table: its columns with their types, also where no row has them."""
    columns = TABLES[table]
    found: dict[str, list[Any]] = {name: [] for name in columns}
    known: dict[str, str] = {}  # of a million rows most texts are the same few
    for row in rows:
        for name, column in columns.items():
            value = row.get(column.of or name)
            if type(value) is str:
                value = known.setdefault(value, value)
            found[name].append(value)
    return pd.DataFrame({name: _series(found.pop(name), columns[name].dtype) for name in columns})


def _series(values: list[Any], dtype: Type) -> Any:
    if dtype == "datetime64[ns, UTC]":
        return pd.to_datetime(pd.Series(values, dtype="string"), utc=True, format="ISO8601").astype(
            dtype
        )
    if dtype == "category":
        return pd.Categorical(values, categories=sorted({v for v in values if v is not None}))
    return pd.Series(values, dtype=dtype)
