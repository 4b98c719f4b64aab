"""Hashes that name things: the same content gives the same name on every machine."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def canonical(value: Any) -> str:
    """JSON text of `value` with sorted keys and no spaces: equal values give equal texts."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest(*parts: Any, length: int = 16) -> str:
    """Hex SHA-256 of the canonical JSON of `parts`, cut to `length` characters."""
    return hashed(canonical(parts), length)


def hashed(text: str, length: int = 16) -> str:
    """Hex SHA-256 of a canonical JSON text, cut to `length` characters."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def text_hash(text: str) -> str:
    """The name of a text: 24 hex characters of SHA-256 over its UTF-8 bytes (lone surrogates kept)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def seeded(seed: int, *parts: Any) -> float:
    """A number in [0, 1) drawn by hashing: the same seed and parts always give the same number.

    Used for every draw that must be reproducible without keeping a generator's state.
    """
    raw = hashlib.sha256(canonical([seed, *parts]).encode()).digest()
    return int.from_bytes(raw[:7], "big") / 2**56
