"""The pieces that equations are read in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a calculation: `kind` as in the table of `equations`, `text` as written, its
    offsets; `spaced` after white space."""

    kind: str
    text: str
    start: int
    end: int
    spaced: bool


def unit_at(side: Sequence[Token], at: int) -> str:
    """The unit whose first token stands at `at`, as a word: characters that stand together are one
    (公里); "" where none stands."""
    parts: list[str] = []
    for token in islice(side, at, None):
        if token.kind != "unit" or (parts and token.spaced):
            break
        parts.append(token.text)
    said = "".join(parts)
    if said.isalpha() and (said.isascii() or not said[0].isascii()):
        return said
    # Japanese and Chinese go on without a space: 46m²です.
    return re.sub(
        r"^([A-Za-z/]+[²³]?)[㐀-鿿ぁ-ヿ].*", r"\1", re.sub(r"\\text\{|[}.]", "", said).strip()
    )
