"""Headers that a request brings along, carried past the SDK: the client adds them last, so that
they win."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar

from graders.core.words import say

#: Of the send that is under way; each asyncio task has its own.
EXTRA: ContextVar[Mapping[str, str] | None] = ContextVar("extra headers", default=None)

#: What decides where a request goes and where it ends is not for settings to say.
_FIXED = ("host", "content-length", "transfer-encoding", "connection")
#: Names of headers that hold keys.
_SECRET = re.compile(
    r"auth(?!or)|token|secret|passw|credential|cookie|(?:^|[-_])key$|api-?key", re.I
)
#: Values that look like one: what providers begin their keys with, and long runs of letters and
#: digits.
_KEY = re.compile(
    (
        r"(?:bearer|basic|digest)\s|(?:sk|pk|rk|ghp|gho|hf|glpat|xox[abp])[-_]|eyJ|AKIA|AIza|"
        r"(?=\S*\d)(?=\S*[A-Za-z])[\w+/=]{20,}$"
    ),
    re.I,
)


def looks_secret(name: str, value: str) -> bool:
    """Whether a header seems to hold a key: by its name, or by its value."""
    return bool(value) and (
        _SECRET.search(name) is not None
        or any(_KEY.match(word) for word in (value, *value.split()))
    )


def extra_headers(found: object) -> Mapping[str, str] | None:
    """The setting ``headers`` checked, None without any; ValueError says what is off."""
    if not found:
        return None
    if not isinstance(found, Mapping) or not all(
        isinstance(text, str) for pair in found.items() for text in pair
    ):
        raise ValueError(say("providers.headers_form", headers=repr(found)[:60]))
    for name in found:
        if name.lower() in _FIXED:
            raise ValueError(say("providers.header_fixed", name=name))
    return found
