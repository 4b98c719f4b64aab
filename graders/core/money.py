"""US dollars as people read them."""

from __future__ import annotations


def dollars(value: float | None, *, each: bool = False) -> str:
    """``$3.42``; ``under $0.01`` for what is less than a cent and not nothing; ``price unknown``
    for None, which is not 0.

    `each`: the price of one reply or answer, which keeps four digits.
    """
    if value is None:
        return "price unknown"
    if each:
        return f"${value:,.4f}"
    return "under $0.01" if 0 < value < 0.01 else f"${value:,.2f}"
