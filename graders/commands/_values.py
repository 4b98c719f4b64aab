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
from graders.workflows.importing.look_choices import separator_of

Check = Callable[[typer.CallbackParam, Any], Any]


def one_of(values: Iterable[str] | Callable[[], Iterable[str]]) -> Check:
    """The callback of an option that takes one of `values`, or several; what is not given is left
    alone."""

    def check(option: typer.CallbackParam, value: Any) -> Any:
        given = [value] if isinstance(value, str) else value or ()
        known = None
        for word in given:
            known = known or tuple(values() if callable(values) else values)
            if word and word not in known:
                raise _refused(
                    option, repr(word[:60]), "one of " + ", ".join(known), "Choose one of these."
                )
        return value

    return check


def above_zero(most: float = 0.0) -> Check:
    """The callback of an option whose number is above 0, and at most `most` where that is not 0."""

    def check(option: typer.CallbackParam, value: Any) -> Any:
        if value is not None and not (value > 0 and (value <= most or not most)):
            raise _refused(
                option,
                f"{value:g}",
                "a number above 0" + (f", at most {most:g}" if most else ""),
                "Correct the number.",
            )
        return value

    return check


def a_risk(least: float, most: float) -> Check:
    """The callback of an option whose number is a share that may fail."""

    def check(option: typer.CallbackParam, value: Any) -> Any:
        if value is not None and not least <= value <= most:
            remedy = (
                "None at all cannot be promised from a sample."
                if value <= 0
                else "Correct the number."
            )
            raise _refused(option, f"{value:g}", f"a share from {least:g} to {most:g}", remedy)
        return value

    return check


def a_separator(option: typer.CallbackParam, value: Any) -> Any:
    """The callback of an option that names the sign between two columns."""
    sign = separator_of(value or "")
    if len(sign) > 1 or sign in tuple('"\r\n'):
        raise _refused(
            option,
            repr(value[:60]),
            "one character, such as , ; | or a tab",
            "Choose one of these.",
        )
    return value


def an_encoding(option: typer.CallbackParam, value: Any) -> Any:
    """The callback of an option that names an encoding of Python."""
    try:
        codecs.lookup(value or "utf-8")
    except LookupError:
        expected = "utf-8, utf-16, cp1251, gb18030, shift_jis or another encoding of Python"
        raise _refused(option, repr(value[:60]), expected, "Choose one of these.") from None
    return value


def _refused(option: typer.CallbackParam, found: str, expected: str, remedy: str) -> UsageError:
    return UsageError(f"option {option.opts[0]}", found=found, expected=expected, remedy=remedy)
