"""Headers for a provider's endpoint, as people write them: ``Name: value`` in lines, secrets as ``$VARIABLE``."""

from __future__ import annotations

import os
import re

from graders.core.errors import InputError
from graders.providers._headers import extra_headers

#: Headers that hold keys: what is kept with a judge or a run must not.
SECRET = frozenset({"authorization", "proxy-authorization", "x-api-key", "api-key", "cookie"})
_LINE = re.compile(r"([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*:[ \t]*([\x20-\x7e]*)")
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def names_variable(text: str) -> bool:
    """Whether headers take something from the environment."""
    return _VARIABLE.search(text) is not None


def header_lines(where: str, text: str, fill: bool = True) -> dict[str, str]:
    """Headers from lines; with `fill` each ``$VARIABLE`` is replaced by what the environment holds.

    InputError for a line that is no header, a header that the connection decides, a key that is written out, a variable that is not set.
    """
    found: dict[str, str] = {}
    for line in (line.strip() for line in text.splitlines()):
        match = _LINE.fullmatch(line)
        if not line:
            continue
        if match is None:
            raise InputError(
                f"{where}, headers", found=repr(line)[:60], expected="Name: value in plain ASCII, one in a line", remedy="Correct the line."
            )
        name, value = match[1], match[2].strip()
        if name.lower() in SECRET and not names_variable(value):
            raise InputError(
                f"{where}, headers",
                found=f"a value for {name}",
                expected="a variable that holds it, such as $GATEWAY_KEY",
                remedy="Keys are kept nowhere: set a variable and name it.",
            )
        found[name] = _VARIABLE.sub(lambda part: _value(where, part[1] or part[2]), value) if fill else value
    try:
        extra_headers(found)
    except ValueError as error:
        raise InputError(f"{where}, headers", found=str(error), expected="other headers", remedy="Leave it out.") from None
    return found


def _value(where: str, variable: str) -> str:
    value = os.environ.get(variable, "").strip()
    if not value:
        raise InputError(
            f"{where}, headers", found=f"no variable {variable}", expected="a variable that holds the value", remedy="Set the variable."
        )
    return value
