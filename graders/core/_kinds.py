"""Checks that a class defines what its contract asks for: a text, a scale, or a method that takes
the right arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from graders.core.scale import Scale
from graders.core.words import say


def _is_text(found: Any) -> bool:
    return isinstance(found, str) and bool(found.strip())


def _are_texts(found: Any) -> bool:
    return isinstance(found, tuple) and bool(found) and all(isinstance(one, str) for one in found)


#: Class attribute -> whether a value will do, and the key of what is expected.
_ATTRIBUTES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "version": (_is_text, "version"),
    "about": (_is_text, "sentence"),
    "default_scale": (lambda found: isinstance(found, Scale), "scale"),
    "outputs": (_are_texts, "names"),
    "suffixes": (_are_texts, "suffixes"),
    "suffix": (_is_text, "suffix"),
}


def wrong_kind(cls: type, needs: Sequence[str]) -> tuple[str, str] | None:
    """The first of `needs` that `cls` defines as something else, in words, and what is expected in
    its place; None where all will do."""
    for need in needs:
        found = inspect.getattr_static(cls, need)
        if isinstance(found, property) or (
            hasattr(found, "__get__") and not callable(getattr(cls, need))
        ):
            continue  # made for each instance: what it gives is not known yet
        good, expected = _ATTRIBUTES.get(need, (None, ""))
        if good is not None and not good(found):
            return f"{need} = {found!r}"[:80], say(
                "core.kinds.attribute", what=say(f"core.kinds.{expected}"), name=need
            )
        asked = next(
            (
                vars(base)[need]
                for base in cls.__mro__[1:]
                if getattr(vars(base).get(need), "__isabstractmethod__", False)
            ),
            None,
        )
        if inspect.isfunction(asked):
            shown = ", ".join(inspect.signature(asked).parameters)
            if not callable(found) and not hasattr(found, "__get__"):
                return f"{need} = {found!r}"[:80], f"a method {need}({shown})"
            if not _takes(getattr(cls, need), asked, isinstance(found, staticmethod | classmethod)):
                return f"{need}{inspect.signature(getattr(cls, need))}"[
                    :80
                ], f"a method {need}({shown})"
    return None


def _takes(method: Any, asked: Any, without_self: bool) -> bool:
    """Whether `method` can be called with the arguments of `asked`."""
    needed = [p for p in inspect.signature(asked).parameters.values() if p.default is p.empty]
    try:
        inspect.signature(method).bind(*needed[int(without_self) :])
    except TypeError:
        return False
    except ValueError:  # a function of C tells nothing
        return True
    return True
