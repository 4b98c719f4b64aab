"""Long lists, a page at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

#: Models on one page of a table, answers on one page of a drill-down.
MODELS_A_PAGE, ANSWERS_A_PAGE = 50, 50


def page_of(items: Sequence[T], page: int, size: int) -> tuple[int, int, Sequence[T]]:
    """(page within bounds, pages, the items on it); pages count from 1."""
    pages = max(1, math.ceil(len(items) / size))
    page = min(max(1, page), pages)
    return page, pages, items[(page - 1) * size : page * size]
