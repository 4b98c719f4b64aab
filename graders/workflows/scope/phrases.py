"""What sentences of several pages are put together with."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.words import say


def listed(words: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def several(count: int, noun: str) -> str:
    """``1 question``, ``1,425 questions``; `noun` is a key of `words/en/units.json`, in English its
    form for one."""
    return say(f"units.{noun}", n=count)


def span(minutes: float) -> str:
    """``3 minutes``, ``2 hours``, to about a tenth."""
    if minutes < 90:
        rounded = round(minutes) if minutes < 20 else round(minutes / 5) * 5
        return say("units.span.minutes", n=max(1, rounded))
    return say("units.span.hours", n=round(minutes / 60))
