"""Values of options that are wrong whatever a workspace holds: they are refused before anything is
read, with the option as it is typed.

Such words do not fit (exit code 2); a value that only this workspace lacks, such as a category, is
bad input (1).
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from typing import Any

import typer

from graders.core.errors import UsageError
from graders.core.words import error_parts
from graders.workflows.importing.look_choices import separator_of

Check = Callable[[typer.CallbackParam, Any], Any]


def one_of(values: Iterable[str] | Callable[[], Iterable[str]]) -> Check:
    """The callback of an option that takes one of `values`, or several; what is not given is left
    alone."""

    def check(option: typer.CallbackParam, value: Any) -> Any:
        given = [value] if isinstance(value, str) else value or ()
        known = None
        for word in given:
            # A class of an enum is both: it can be called, and it has members.
            known = known or tuple(values if isinstance(values, Iterable) else values())
            if word and word not in known:
                raise _refused(option, word[:60], "one_of", values=", ".join(known))
        return value

    return check


def above_zero(most: float = 0.0) -> Check:
    """The callback of an option whose number is above 0, and at most `most` where that is not 0."""

    def check(option: typer.CallbackParam, value: Any) -> Any:
        if value is not None and not (value > 0 and (value <= most or not most)):
            key = "above_0_at_most" if most else "above_0"
            raise _refused(option, value, key, most=most)
        return value

    return check


def a_risk(least: float, most: float) -> Check:
    """The callback of an option whose number is a share that may fail."""

    def check(option: typer.CallbackParam, value: Any) -> Any:
        if value is not None and not least <= value <= most:
            raise _refused(
                option, value, "no_risk" if value <= 0 else "share", least=least, most=most
            )
        return value

    return check


def a_separator(option: typer.CallbackParam, value: Any) -> Any:
    """The callback of an option that names the sign between two columns."""
    sign = separator_of(value or "")
    if len(sign) > 1 or sign in tuple('"\r\n'):
        raise _refused(option, value[:60], "separator")
    return value


def an_encoding(option: typer.CallbackParam, value: Any) -> Any:
    """The callback of an option that names an encoding of Python."""
    try:
        codecs.lookup(value or "utf-8")
    except LookupError:
        raise _refused(option, value[:60], "encoding") from None
    return value


def _refused(
    option: typer.CallbackParam, value: str | float, key: str, **places: object
) -> UsageError:
    shown = repr(value) if isinstance(value, str) else f"{value:g}"
    return UsageError(
        **error_parts(f"terminal.value.{key}", option=option.opts[0], value=shown, **places)
    )
