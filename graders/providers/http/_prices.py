"""What a call costs. An unknown model has an unknown price: None, never 0."""

from __future__ import annotations

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
