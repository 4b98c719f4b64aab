"""How vectors are kept: as bytes under a name, so that a workspace can store them without knowing
what they are."""

from __future__ import annotations

import struct
import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

_HEADER = struct.Struct("<HH")
_CUT = 1


class VectorCache(Protocol):
    """A store of vectors. A key ends in ``:sentence`` or ``:tokens``; a store may keep one kind and
    let the other go."""

    def get_many(self, keys: list[str]) -> Mapping[str, bytes]:
        """What is known among `keys`; the others are left out."""

    def put_many(self, items: dict[str, bytes]) -> None:
        """Keep `items`; putting the same key again changes nothing that matters."""


class MemoryCache:
    """Vectors in memory, at most `limit` bytes of them: the oldest go first."""

    def __init__(self, limit: int = 512 * 2**20) -> None:
        self.limit = limit
        self.bytes = 0
        self._items: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def get_many(self, keys: list[str]) -> dict[str, bytes]:
        """What is known among `keys`."""
        with self._lock:
            return {key: self._items[key] for key in keys if key in self._items}

    def put_many(self, items: dict[str, bytes]) -> None:
        """Keep `items`, and drop the oldest where they are too many."""
        with self._lock:
            for key, raw in items.items():
                self.bytes += len(raw) - len(self._items.pop(key, b""))
                self._items[key] = raw
            while self.bytes > self.limit:
                self.bytes -= len(self._items.pop(next(iter(self._items))))


def pack(rows: NDArray[Any], cut: bool) -> bytes:
    """`rows` of shape (n, d) as float16 bytes behind four bytes of header: flags and d."""
    return (
        _HEADER.pack(_CUT if cut else 0, rows.shape[1])
        + rows.astype(np.float16, copy=False).tobytes()
    )


def is_cut(raw: bytes) -> bool:
    """Whether the text was longer than the model's window."""
    return bool(_HEADER.unpack_from(raw)[0] & _CUT)


def unpack(raws: Sequence[bytes]) -> tuple[Vectors, NDArray[np.int64]]:
    """Packed vectors of several texts as one float32 array, and how many rows each text has.

    Every row is brought back to unit length, which float16 had changed in the fourth digit.
    """
    width = _HEADER.unpack_from(raws[0])[1]
    halves = [
        np.frombuffer(raw, dtype=np.float16, offset=_HEADER.size).reshape(-1, width) for raw in raws
    ]
    rows = np.concatenate(halves).astype(np.float32)
    rows /= np.maximum(np.sqrt(np.einsum("ij,ij->i", rows, rows)), 1e-12)[:, None]
    return rows, np.array([len(half) for half in halves], dtype=np.int64)
