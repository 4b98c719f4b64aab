"""Pieces of replies and bodies that several protocols write alike."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from graders.core.hashing import SharedPart
from graders.core.words import say


def written(tree: Any) -> str:
    """JSON as bodies are sent."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))


def encoded(tree: Any, schema: Mapping[str, Any] | None = None) -> bytes:
    """JSON in UTF-8, as bodies are sent. A `schema` stands where the tree has SharedPart.PLACE."""
    return _BODIES.text(tree, schema).encode("utf-8", "replace")


_BODIES = SharedPart(written)


def count(found: Any) -> int | None:
    """A number of tokens as a provider states it; None where it is none."""
    return found if isinstance(found, int) and not isinstance(found, bool) and found >= 0 else None


def plain_text(found: Any) -> str:
    """A text as a file or database takes it: JSON can write half a character (a lone surrogate),
    which they do not."""
    return found.encode("utf-8", "replace").decode() if isinstance(found, str) else ""


def as_list(found: Any) -> Any:
    """One stop sequence as a list of one, for protocols that take lists only."""
    return [found] if isinstance(found, str) else found


def read_logprobs(found: Any) -> tuple[tuple[str, float], ...] | None:
    """(token, logarithm of its probability) of a list as OpenAI and Ollama write it; None where it
    is none."""
    if not isinstance(found, list) or not found:
        return None
    try:
        pairs = tuple((plain_text(entry["token"]), float(entry["logprob"])) for entry in found)
    except (TypeError, KeyError, ValueError):
        return None
    return pairs if all(math.isfinite(value) for _, value in pairs) else None


def at_length() -> tuple[str, str]:
    """The cause, and what happened, of a reply that reached the limit of output tokens."""
    return "length_stop", say("providers.length")


def no_text() -> tuple[str, str]:
    """The cause, and what happened, of a reply without a text."""
    return "empty", say("providers.empty")
