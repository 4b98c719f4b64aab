"""What sentences of several pages are put together with."""

from __future__ import annotations

from collections.abc import Sequence


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def several(count: int, one: str, many: str = "") -> str:
    """``1 question``, ``1,425 questions``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
