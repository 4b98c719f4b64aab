"""Where what is done on the page leads to, and what its parameters say."""

from __future__ import annotations

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.web.kit import Asked


def weighed(asked: Asked) -> str:
    """The address with another weight of a criterion."""
    key, value = str(asked.event.get("key")), str(asked.event.get("value")).strip()
    weights = dict(weight_of(text) for text in asked.view.one("weights").split(";") if text)
    weights[key] = weight_of(f"{key}:{value or 1}")[1]
    text = ";".join(f"{name}:{weight:g}" for name, weight in weights.items() if weight != 1)
    return asked.view.to(weights=text)


def anew(asked: Asked) -> str:
    """The same address, in the place of itself."""
    return "=" + asked.view.to()


def paired(asked: Asked, side: str) -> str:
    """The address with another model on one side; where that was on the other, they change
    places."""
    shown = {name: str(asked.event.get(f"of_{name}") or "") for name in ("a", "b")}
    other = "b" if side == "a" else "a"
    value = str(asked.event.get("value") or "")
    if value == shown[other]:
        shown[other] = shown[side]
    return asked.view.to(**{**shown, side: value, "cpage": ""})


def import_of(number: object) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 2**53:
        raise InputError(**error_parts("importing.page.number"))
    return number


def weight_of(text: str) -> tuple[str, float]:
    """CRITERION:NUMBER, read."""
    key, _, number = text.rpartition(":")
    try:
        return key, float(number)
    except ValueError:
        raise InputError(**error_parts("leaderboard.error.typed_weight", typed=text)) from None
