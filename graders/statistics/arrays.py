"""Columns of numbers as use cases hand them over and get them back, and what is asked of any
column: which entries are known, which belong to a set, where a key stands. Figures are computed in
the other files of this layer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts

#: A column of any kind; of numbers with NaN where one is missing; of whole numbers; of yes and no.
Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def floats(values: Iterable[Any] = ()) -> Floats:
    """float[n]; None becomes NaN."""
    return np.array(list(values), np.float64)


def ints(values: Iterable[Any] = ()) -> Ints:
    """int[n]."""
    return np.array(list(values), np.int64)


def flags(values: Iterable[Any] = ()) -> Flags:
    """bool[n]."""
    return np.array(list(values), np.bool_)


def blank(size: int) -> Floats:
    """float[size] of NaN."""
    return np.full(size, np.nan)


def known(values: Array) -> Flags:
    """Which entries are numbers: neither NaN nor infinite."""
    return np.asarray(np.isfinite(values), np.bool_)


def among(values: Array, wanted: Collection[Any] | Array) -> Flags:
    """Which entries are one of those `wanted`, bool as `values`."""
    return np.isin(values, wanted if isinstance(wanted, np.ndarray) else list(wanted))


def joined(parts: Iterable[Array], empty: Array | None = None) -> Array:
    """Columns behind one another; `empty` (float[0] unless given) where there is none."""
    found = list(parts)
    return np.concatenate(found) if found else floats() if empty is None else empty


def distinct(values: Array) -> Array:
    """The values that there are, ascending, each once."""
    return np.unique(values)


def present(numbers: Array) -> Ints:
    """The numbers from 0 up that there are, ascending: faster than to sort a million of them."""
    return np.flatnonzero(np.bincount(numbers))


def find(ascending: Array, wanted: Array) -> tuple[Ints, Flags]:
    """Positions in `ascending` of those `wanted` that are there, and which of `wanted` these
    are."""
    if not len(ascending):
        return ints(), np.zeros(len(wanted), np.bool_)
    at = np.minimum(np.searchsorted(ascending, wanted), len(ascending) - 1)
    there = ascending[at] == wanted
    return at[there], there


def mean_of(values: Sequence[float] | Array) -> float:
    """The plain mean of at least one number."""
    return float(np.mean(values))


def repeated(values: Array) -> Array:
    """The values that there are more than once, ascending."""
    names, count = np.unique(values, return_counts=True)
    return np.asarray(names[count > 1])


def latest_counts(keys: Any, states: Any, kinds: int) -> list[int]:
    """How many keys have which state, by what was said last of each: `keys`, a buffer of whole
    numbers of 8 bytes, and `states`, one byte each below `kinds`, in the order they were said."""
    _, last = np.unique(np.frombuffer(keys, np.int64)[::-1], return_index=True)
    counted = np.bincount(np.frombuffer(states, np.uint8)[::-1][last], minlength=kinds)
    found: list[int] = counted.tolist()
    return found


def same_length(*arrays: npt.ArrayLike) -> list[Array]:
    """The arguments as arrays with one entry per cell; InputError if their lengths differ."""
    found = [np.asarray(a) for a in arrays]
    if len({a.shape for a in found}) != 1 or found[0].ndim != 1:
        raise InputError(**error_parts("statistics.shapes", shapes=[a.shape for a in found]))
    return found
