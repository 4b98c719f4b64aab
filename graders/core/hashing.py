"""Hashes that name things: the same content gives the same name on every machine."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

Part = TypeVar("Part")
Made = TypeVar("Made")

# `json.dumps` with these options would make an encoder for every value.
_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def canonical(value: Any) -> str:
    """JSON text of `value` with sorted keys and no spaces: equal values give equal texts."""
    return _encode(value)


class Remembered(Generic[Part, Made]):
    """What was made of the last few objects, known by identity: they must not change while they are
    in use."""

    _KEPT = 16

    def __init__(self, make: Callable[[Part], Made]) -> None:
        self._make = make
        self._known: dict[int, tuple[Part, Made]] = {}
        self._guard = threading.Lock()

    def of(self, part: Part) -> Made:
        """What is made of `part`; made once."""
        known = self._known.get(id(part))
        if known is None or known[0] is not part:
            known = part, self._make(part)
            with self._guard:
                self._known[id(part)] = known
                while len(self._known) > self._KEPT:
                    del self._known[next(iter(self._known))]
        return known[1]


class SharedPart:
    """JSON of trees that have one large part in common, such as thousands of requests with one
    schema: it is encoded once.

    A tree names the part by `PLACE`, a random word, which no text in it can hold.
    """

    PLACE = f"shared {secrets.token_hex(16)}"

    def __init__(self, encode: Callable[[Any], str]) -> None:
        self._encode = encode
        self._parts: Remembered[Mapping[str, Any], str] = Remembered(encode)

    def text(self, tree: Any, part: Mapping[str, Any] | None) -> str:
        """The JSON of `tree` with `part`, which must not change while it is in use, in its
        place."""
        text = self._encode(tree)
        return text if part is None else text.replace(f'"{self.PLACE}"', self._parts.of(part), 1)


def digest(*parts: Any, length: int = 16) -> str:
    """Hex SHA-256 of the canonical JSON of `parts`, cut to `length` characters."""
    return hashed(canonical(parts), length)


def digest_tables(
    parts: Sequence[Any], tables: Iterable[tuple[str, Iterable[Any]]], length: int = 16
) -> str:
    """`digest` of `parts` and then [name, [row, ...]] of each table, whose rows are read one after
    the other and never held together."""
    sha = hashlib.sha256(("[" + ",".join(map(_encode, parts))).encode())
    comma = "," if parts else ""
    for name, rows in tables:
        sha.update(f"{comma}[{_encode(name)},[".encode())
        comma = ""
        for row in rows:
            sha.update((comma + _encode(row)).encode())
            comma = ","
        sha.update(b"]]")
        comma = ","
    sha.update(b"]")
    return sha.hexdigest()[:length]


def hashed(text: str, length: int = 16) -> str:
    """Hex SHA-256 of a canonical JSON text, cut to `length` characters."""
    return hashlib.sha256(text.encode()).hexdigest()[:length]


def text_hash(text: str) -> str:
    """The name of a text: 24 hex characters of SHA-256 over its UTF-8 bytes (lone surrogates
    kept)."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def seeded(seed: int, *parts: Any) -> float:
    """A number in [0, 1) drawn by hashing: the same seed and parts always give the same number.

    Used for every draw that must be reproducible without keeping a generator's state.
    """
    raw = hashlib.sha256(canonical([seed, *parts]).encode()).digest()
    return int.from_bytes(raw[:7], "big") / 2**56
