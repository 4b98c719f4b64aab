"""Judges that a run may pick from: those of the project, and the models whose price is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graders.core import discovery, provider_names
from graders.core.errors import CogradeError
from graders.core.words import say
from graders.workflows.scope.permissions import Scope, needs


@dataclass(frozen=True, slots=True)
class OfferedJudge:
    """A judge as a run names it, and in words, with US dollars per million tokens in and out, None
    where no price is known."""

    name: str
    words: str
    input_price: float | None
    output_price: float | None


@needs("look")
def offered(scope: Scope, project_name: str, asked: Iterable[str] = ()) -> list[OfferedJudge]:
    """The judges that are set up in a project, those that were `asked` there, and all models of
    providers with a price list."""
    cards: Mapping[str, Any] = scope.project(project_name).settings.get("judges") or {}
    prices = {name: price for word in _words() for name, price in _models(word).items()}
    mine = {name: _own(card) or prices.get(str(card.get("judge"))) for name, card in cards.items()}
    names = dict.fromkeys([*mine, *asked, *prices])
    return [_offered(name, mine.get(name) or prices.get(name)) for name in names]


def models() -> list[OfferedJudge]:
    """All models of providers with a price list."""
    return [_offered(name, price) for word in _words() for name, price in _models(word).items()]


def _offered(name: str, price: tuple[float, float] | None) -> OfferedJudge:
    if price is None:
        return OfferedJudge(name, name, None, None)
    first, second = price
    words = say("scope.offered_judge", name=name, input=_short(first), output=_short(second))
    return OfferedJudge(name, words, first, second)


def _short(price: float) -> str:
    return f"${price:.2f}" if price < 10 else f"${price:.0f}"


def _words() -> list[str]:
    return [named.word for named in provider_names.offered()]


def _models(word: str) -> dict[str, tuple[float, float]]:
    """The models of a provider, as a run names them, with their prices."""
    provider = discovery.find("providers", provider_names.provider_of(word))
    if not hasattr(provider, "models"):
        return {}
    try:
        listed = provider().models()
    except (CogradeError, ValueError):  # its address in the environment is none
        return {}
    return {f"{word}:{one.model}": (one.input_price, one.output_price) for one in listed}


def _own(card: Mapping[str, Any]) -> tuple[float, float] | None:
    """The price that a judge was set up with."""
    first, second = card.get("input_price"), card.get("output_price")
    return None if first is None or second is None else (float(first), float(second))
