"""Headers for a provider's endpoint, as people write them: ``Name: value`` in lines, secrets as
``$VARIABLE``.

What is kept with a judge or a run holds no secret: one that is typed on a page travels beside the
keys, under the name that `typed_name` gives it, and is kept nowhere.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.providers.http.headers import extra_headers, looks_secret

#: What names of typed headers begin with among the keys of a run.
TYPED = "header:"
_MOST = 4_000
_LINE = re.compile(r"([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*:[ \t]*([\x20-\x7e]*)")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def names_variable(text: str) -> bool:
    """Whether headers take something from the environment."""
    return _VARIABLE.search(text) is not None


def header_lines(where: str, text: str, fill: bool = True) -> dict[str, str]:
    """Headers from lines; with `fill` each ``$VARIABLE`` is replaced by what the environment holds.

    InputError for a line that is no header, a header that the connection decides, a key that is
    written out, a variable that is not set.
    """
    found = _pairs(where, text)
    for name, value in found.items():
        if _is_secret(name, value):
            raise InputError(**error_parts("scope.header.secret", where=where, name=name))
    return {
        name: _VARIABLE.sub(lambda part: _value(where, part[1] or part[2]), value)
        if fill
        else value
        for name, value in found.items()
    }


def without_secrets(lines: Mapping[str, str]) -> tuple[dict[str, str], dict[str, str]]:
    """Lines of headers that were typed, by provider: those that may be kept, and the values of the
    others by `typed_name`.

    InputError for a line that is no header, or one that the connection decides.
    """
    kept: dict[str, str] = {}
    typed: dict[str, str] = {}
    for provider, text in lines.items():
        found = _pairs(f"provider {provider}" if provider else "provider", text)
        secret = {name: value for name, value in found.items() if _is_secret(name, value)}
        typed |= {f"{TYPED}{provider}:{name}": value for name, value in secret.items()}
        if rest := [f"{name}: {value}" for name, value in found.items() if name not in secret]:
            kept[provider] = "\n".join(rest)
    return kept, typed


def headers_of(
    where: str, names: Sequence[str], lines: Mapping[str, str], keys: Mapping[str, str]
) -> dict[str, str]:
    """The headers of calls to what goes by `names` (the later before the earlier): `lines` by name,
    and what was typed among `keys`."""
    found = {
        k: v
        for name in names
        if lines.get(name)
        for k, v in header_lines(where, lines[name]).items()
    }
    typed = {key.removeprefix(TYPED): value for key, value in keys.items() if key.startswith(TYPED)}
    for name in names:
        own = [
            f"{header}: {value}"
            for key, value in typed.items()
            for who, _, header in [key.rpartition(":")]
            if who == name
        ]
        found |= _pairs(where, "\n".join(own))
    return found


def _is_secret(name: str, value: str) -> bool:
    return looks_secret(name, value) and not names_variable(value)


def _pairs(where: str, text: str) -> dict[str, str]:
    """Lines as headers, variables as they are written."""
    found: dict[str, str] = {}
    if len(text) > _MOST:
        raise InputError(
            **error_parts("scope.header.long", where=where, most=_MOST, count=len(text))
        )
    for line in (line.strip() for line in text.splitlines()):
        match = _LINE.fullmatch(line)
        if not line:
            continue
        if match is None:  # what cannot be read may hold a key: it is not repeated
            raise InputError(**error_parts("scope.header.no_header", where=where))
        found[match[1]] = match[2].strip()
    try:
        extra_headers(found)
    except ValueError as error:
        raise InputError(
            **error_parts("scope.header.other", where=where, found=str(error))
        ) from None
    return found


def _value(where: str, variable: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise InputError(**error_parts("scope.header.no_variable", where=where, variable=variable))
    return value
