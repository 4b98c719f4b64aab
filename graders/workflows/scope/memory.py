"""What reports are made of, kept in memory while nothing that they rest on changes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Made = TypeVar("Made")


class Memory:
    """Things by key, each with the mark under which it was made; of more than `most` the one made
    longest ago goes. For many threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: dict[Hashable, tuple[Hashable, Any]] = {}
        self._guard = threading.Lock()

    def peek(self, key: Hashable, mark: Hashable) -> Any:
        """What is kept under the key; None where there is nothing, or the mark is another."""
        with self._guard:
            found = self._kept.get(key)
        return found[1] if found is not None and found[0] == mark else None

    def keep(self, key: Hashable, mark: Hashable, made: Any) -> None:
        """Keep something in place of what the key had."""
        with self._guard:
            self._kept.pop(key, None)
            self._kept[key] = (mark, made)
            while len(self._kept) > self.most:
                self._kept.pop(next(iter(self._kept)))

    def get(self, key: Hashable, mark: Hashable, make: Callable[[], Made]) -> Made:
        """What is kept under the key while the mark is the same, else made anew; two threads may
        make it at the same time."""
        found: Made | None = self.peek(key, mark)
        if found is None:
            found = make()
            self.keep(key, mark, found)
        return found

    def forget(self) -> None:
        """Drop everything."""
        with self._guard:
            self._kept.clear()
