"""What a call costs. An unknown model has an unknown price: None, never 0."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

#: Addresses of this machine never have a price in a public list; looking them up would only cost
#: time.
_LOCAL = ("127.0.0.1", "localhost", "0.0.0.0", "[::1]")


def money(
    address: str, model: str, input_tokens: int, cached_tokens: int, output_tokens: int
) -> float | None:
    """US dollars for a call to `model` at `address` (the provider's base URL); None where no price
    is known.

    `input_tokens` includes `cached_tokens`. Prices come with the installed genai-prices, nothing is
    fetched.
    """
    if not is_priced(address, model):
        return None
    from genai_prices import Usage, calc_price

    usage = Usage(
        input_tokens=input_tokens,
        cache_read_tokens=min(cached_tokens, input_tokens),
        output_tokens=output_tokens,
    )
    return float(calc_price(usage, model, provider_api_url=address).total_price)


@cache
def is_priced(address: str, model: str) -> bool:
    """Whether a price of `model` at `address` is known."""
    if not address or any(f"//{host}" in address for host in _LOCAL):
        return False
    from genai_prices import Usage, calc_price

    try:
        calc_price(Usage(input_tokens=1, output_tokens=1), model, provider_api_url=address)
    except LookupError:
        return False
    return True


@cache
def window(address: str, model: str) -> int | None:
    """Tokens that `model` at `address` takes in one call, the reply included; None where that is
    unknown."""
    if not is_priced(address, model):
        return None
    from genai_prices.data_snapshot import get_snapshot

    _, found = get_snapshot().find_provider_model(model, None, None, address)
    return found.context_window


#: What stands in the names of models that write no text.
_NO_TEXT = (
    "audio",
    "embedding",
    "image",
    "realtime",
    "transcribe",
    "tts",
    "whisper",
)


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model of the price list, with US dollars per million tokens in and out."""

    model: str
    input_price: float
    output_price: float


@cache
def listed(address: str) -> tuple[ListedModel, ...]:
    """The models at `address` that write text and have a price, the newest names first; empty for
    an address that is in no list."""
    if not address or any(f"//{host}" in address for host in _LOCAL):
        return ()
    from genai_prices.data_snapshot import get_snapshot

    try:
        provider = get_snapshot().find_provider(None, None, address)
    except LookupError:
        return ()
    # models without a name are old forms, or prefixes of fine-tuned ones
    names = [
        model.id
        for model in provider.models
        if model.name and not model.deprecated and not any(word in model.id for word in _NO_TEXT)
    ]
    found = []
    for name in names:
        # a thousand tokens: some prices rise with the length of a call
        first, second = money(address, name, 1_000, 0, 0), money(address, name, 0, 0, 1_000)
        if first and second:
            found.append(ListedModel(name, 1_000 * first, 1_000 * second))
    return tuple(sorted(found, key=lambda one: one.model, reverse=True))
