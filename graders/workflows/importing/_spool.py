"""Records set aside on disk while an import goes through its file once: verdicts wait until all
answers are known."""

from __future__ import annotations

import pickle
import tempfile
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Spool(Generic[T]):
    """A first-in, first-out list in a temporary file of this process, which ends with it. `size`
    items go in and out at once."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.count = 0
        self._batch: list[T] = []
        # It lives as long as the list; `close` ends it.
        self._file = tempfile.TemporaryFile()  # noqa: SIM115

    def put(self, item: T) -> None:
        """Add an item."""
        self.count += 1
        self._batch.append(item)
        if len(self._batch) >= self.size:
            self._write()

    def batches(self) -> Iterator[list[T]]:
        """All items in the order they came, in lists of at most `size`."""
        self._write()
        self._file.seek(0)
        for _ in range(-(-self.count // self.size)):
            yield pickle.load(self._file)
        self._file.seek(0, 2)

    def close(self) -> None:
        """Give the file back."""
        self._file.close()

    def _write(self) -> None:
        if self._batch:
            pickle.dump(self._batch, self._file, pickle.HIGHEST_PROTOCOL)
            self._batch = []
