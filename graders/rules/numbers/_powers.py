"""Powers, roots and factorials: what their signs and words say, and their exact values."""

from __future__ import annotations

import math
import re
from fractions import Fraction

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MOST_FACTORIAL = 300


def exponent_of(said: str) -> Fraction:
    """What a raised number, or a word such as squared, says."""
    digits = re.sub(r"\D", "", said.translate(_SUPERSCRIPTS))
    return (
        Fraction(-int(digits) if "⁻" in said else int(digits))
        if digits
        else Fraction(2 if re.search(r"squared|квадрат|平方|二乗", said, re.I) else 3)
    )


def degree_of(said: str) -> int:
    """Which root a sign or words name."""
    if found := re.search(r"[2-9]|[³⁴⁵]", said):
        return int(found.group().translate(_SUPERSCRIPTS))
    return 4 if "∜" in said else 3 if re.search(r"∛|cube|куб|立方", said, re.I) else 2


def whole_root(value: int, degree: int) -> int:
    """The largest whole number whose power is at most `value`."""
    if degree == 2:
        return math.isqrt(value)
    root = 1 << (-(-value.bit_length() // degree))
    while True:  # Newton's way, from above
        closer = ((degree - 1) * root + value // root ** (degree - 1)) // degree
        if closer >= root:
            return root
        root = closer


def factorial(value: Fraction) -> Fraction | None:
    """1 × 2 × … × `value`; None where it is no whole number, or too large."""
    if value.denominator != 1 or not 0 <= value <= _MOST_FACTORIAL:
        return None
    return Fraction(math.factorial(int(value)))
