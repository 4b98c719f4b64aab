"""Computing what `equations` finds, with fractions: a small parser with limits, no eval, no
floating point.

Grammar: sum = product (± product)*; product = power (×÷ power)*; power = atom (^ whole number)*; an
atom is a number, a bracket, a fraction or a root, perhaps with a unit or a percent sign. Everything
else, and everything that grows beyond the limits, is "cannot be computed" (None).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from graders.core.words import say
from graders.rules.numbers._powers import degree_of, exponent_of, factorial, whole_root
from graders.rules.numbers.tokens import Token, unit_at

#: How a number is written: "1,250.5" (point), "1.250,5" or "1 250,5" (comma).
Style = Literal["point", "comma"]
#: What a percent sign means: a hundredth, a share of what stands before (100 + 10 %), or nothing
#: (25 % as 25).
Percent = Literal["hundredth", "share", "plain"]

#: What a unit is worth; None for one that has no worth here.
Worth = Callable[[str], Fraction | None]

_MOST_BITS = 4000
_MOST_EXPONENT = 200
_MOST_DEGREE = 6
_MOST_DEPTH = 30
_SCALES = (
    (r"trillion", 10**12),
    (r"billion|млрд|миллиард", 10**9),
    (r"million|млн|миллион", 10**6),
    (r"thousand|тыс", 10**3),
    (r"万|萬", 10**4),
    (r"亿|億", 10**8),
)
_VULGAR = dict(
    zip(
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞",
        map(
            Fraction,
            [
                "1/2",
                "1/3",
                "2/3",
                "1/4",
                "3/4",
                "1/5",
                "2/5",
                "3/5",
                "4/5",
                "1/6",
                "5/6",
                "1/8",
                "3/8",
                "5/8",
                "7/8",
            ],
        ),
        strict=True,
    )
)
_GROUPED = {
    # Thousands, and lakhs as in 12,34,567.
    "point": re.compile(r"\d{1,3}(?:[, \u00a0\u2009\u202f'’]\d{3})+|\d{1,2}(?:,\d{2})+,\d{3}"),
    "comma": re.compile(r"\d{1,3}(?:[. \u00a0\u2009\u202f'’]\d{3})+"),
}


@dataclass(frozen=True, slots=True)
class Computed:
    """An exact value, or one to 30 digits where a root is irrational (`exact` false).

    `step` is the worth of the last digit where the side is a single number, else None; `powered`
    where it is written as 1.5 × 10^8.
    """

    value: Fraction
    exact: bool = True
    step: Fraction | None = None
    powered: bool = False


class _NotComputable(Exception):
    """Inside this module only: the side is no calculation, or too large."""


def computed(
    side: Sequence[Token], style: Style, percent: Percent, worth: Worth | None = None
) -> Computed | None:
    """The value of a side; None if it is no calculation, is too large, or its numbers are not
    written in `style`.

    Units say nothing, or with `worth` they are what they are worth: then a unit without a worth
    makes the side none.
    """
    parser = _Parser(side, style, percent, worth)
    try:
        value = parser.sum(0)
        if parser.at != len(parser.tokens):
            return None
    except (_NotComputable, ZeroDivisionError):
        return None
    if is_powered(parser.tokens) and value:
        first = number(side[0].text, style)
        return Computed(value, step=value / first[0] * first[1], powered=True) if first else None
    return Computed(
        value, parser.exact, parser.step if parser.numbers == 1 and not parser.operators else None
    )


def is_powered(tokens: Sequence[Token]) -> bool:
    """Whether the side is one number in the way of 1.5 × 10^8."""
    kinds = [token.kind for token in tokens if token.kind not in ("unit", "minus")]
    if kinds not in (
        ["number", "times", "number", "sup"],
        ["number", "times", "number", "power", "number"],
    ):
        return False
    return tokens[0].kind == "number" and tokens[1].kind == "times" and tokens[2].text == "10"


def number(text: str, style: Style) -> tuple[Fraction, Fraction] | None:
    """The number that `text` writes in `style`, and the worth of its last digit."""
    text = text.replace("{,}", ",")
    if text[-1] in _VULGAR:
        return int(text[:-1] or 0) + _VULGAR[text[-1]], Fraction(1, 100)
    point, comma = (".", ",") if style == "point" else (",", ".")
    mantissa, _, exponent = text.lower().partition("e")
    whole, dot, decimals = mantissa.partition(point)
    if _GROUPED[style].fullmatch(whole):
        whole = re.sub(r"\D", "", whole)
    if not whole.isdigit() or (dot and not decimals.isdigit()) or comma in decimals:
        return None
    power = int(exponent or 0)
    if abs(power) > _MOST_EXPONENT:
        return None
    step = Fraction(10) ** (power - len(decimals))
    return int(whole + decimals) * step, step


class _Parser:
    """Recursive descent over the tokens of one side."""

    def __init__(
        self, tokens: Sequence[Token], style: Style, percent: Percent, worth: Worth | None
    ) -> None:
        self.tokens = [token for token in tokens if token.kind != "dots"]
        self.style, self.percent_means, self.worth = style, percent, worth
        self.at = self.numbers = self.operators = 0
        self.exact = True
        self.step: Fraction | None = None
        self.was_percent = False

    def kind(self) -> str:
        return self.tokens[self.at].kind if self.at < len(self.tokens) else ""

    def take(self, *kinds: str) -> str:
        if self.kind() not in kinds:
            return ""
        self.at += 1
        return self.tokens[self.at - 1].kind

    def sum(self, depth: int) -> Fraction:
        if depth > _MOST_DEPTH:
            raise _NotComputable
        value = self.product(depth)
        while sign := self.take("plus", "minus"):
            self.operators += 1
            self.was_percent = False
            other = self.product(depth)
            if self.was_percent and self.percent_means == "share":
                other *= value
            value = _kept(value + other if sign == "plus" else value - other)
        return value

    def product(self, depth: int) -> Fraction:
        value, divided = self.power(depth), False
        while True:
            sign = self.take("times", "divide", "colon", "of_percent", "percent_of")
            if not sign and self.kind() in ("open", "root", "frac"):
                if divided:  # 8/2(2+2) is read in both ways
                    raise _NotComputable
                sign = "times"
            if not sign:
                return value
            self.operators += 1
            value = value / 100 if sign == "percent_of" else value
            other = self.power(depth)
            if sign == "of_percent" and self.percent_means != "hundredth":
                raise _NotComputable
            self.was_percent = False
            divided = divided or sign in ("divide", "colon")
            value = _kept(value / other if sign in ("divide", "colon") else value * other)

    def power(self, depth: int) -> Fraction:
        if self.take("minus"):
            return -self.power(depth + 1) if depth < _MOST_DEPTH else _fail()
        value = self.atom(depth)
        while sign := self.take("power", "sup", "root_of", "factorial"):
            self.operators += 1
            said = self.tokens[self.at - 1].text
            if sign == "root_of":
                value = self.root(value, degree_of(said))
            elif sign == "factorial":
                value = factorial(value) or _fail()
            else:
                exponent = (
                    exponent_of(said)
                    if sign == "sup"
                    else self.power(depth + 1)
                    if depth < _MOST_DEPTH
                    else _fail()
                )
                value = self.raised(value, exponent)
            value *= self.unit()
        return value

    def raised(self, value: Fraction, exponent: Fraction) -> Fraction:
        if exponent.denominator > _MOST_DEGREE or abs(exponent) > _MOST_EXPONENT:
            raise _NotComputable
        # Looked at before the power is taken: 10^200 squared, and squared again, must never be
        # built.
        if (
            abs(exponent.numerator)
            * max(value.numerator.bit_length(), value.denominator.bit_length())
            > _MOST_BITS
        ):
            raise _NotComputable
        power = value**exponent.numerator
        return self.root(power, exponent.denominator) if exponent.denominator > 1 else power

    def unit(self) -> Fraction:
        """What the unit that stands here is worth; 1 where none stands, or units say nothing."""
        said = unit_at(self.tokens, self.at)
        while self.take("unit"):
            pass
        if not said or self.worth is None:
            return Fraction(1)
        known = self.worth(said)
        return known if known is not None else _fail()

    def atom(self, depth: int) -> Fraction:
        kind = self.take("number", "open", "root", "frac")
        if kind == "number":
            return self.one_number()
        if kind == "open":
            value = self.sum(depth + 1)
            if not self.take("close"):
                raise _NotComputable
            return self.percent_of(value * self.unit())
        if kind == "root":
            self.operators += 1
            degree = degree_of(self.tokens[self.at - 1].text)
            return self.root(self.atom(depth + 1) if depth < _MOST_DEPTH else _fail(), degree)
        if kind == "frac" and depth < _MOST_DEPTH:
            self.operators += 1
            return _kept(self.atom(depth + 1) / self.atom(depth + 1))
        raise _NotComputable

    def one_number(self) -> Fraction:
        read = number(self.tokens[self.at - 1].text, self.style)
        if read is None:
            raise _NotComputable
        value, step = read
        if self.take("scale"):
            factor = next(
                factor
                for pattern, factor in _SCALES
                if re.match(pattern, self.tokens[self.at - 1].text, re.I)
            )
            value, step = value * factor, step * factor
        self.numbers += 1
        unit = self.unit()
        value, self.step = value * unit, step * unit
        # 1 h 30 min: `equations` keeps the two together only where they are one quantity
        if self.kind() == "number":
            self.operators, self.at = self.operators + 1, self.at + 1
            return _kept(value + self.one_number())
        return self.percent_of(value)

    def percent_of(self, value: Fraction) -> Fraction:
        if not self.take("percent"):
            return value
        self.was_percent = True
        if self.percent_means == "plain":
            return value
        self.step = self.step / 100 if self.step is not None else None
        return value / 100

    def root(self, value: Fraction, degree: int) -> Fraction:
        if value < 0:
            raise _NotComputable
        top, bottom = whole_root(value.numerator, degree), whole_root(value.denominator, degree)
        if top**degree == value.numerator and bottom**degree == value.denominator:
            return Fraction(top, bottom)
        self.exact = False
        return Fraction(
            whole_root(value.numerator * 10 ** (30 * degree) // value.denominator, degree), 10**30
        )


def _kept(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _MOST_BITS:
        raise _NotComputable
    return value


def _fail() -> Fraction:
    raise _NotComputable


def terminates(value: Fraction, digits: int = 12) -> bool:
    """Whether `value` can be written with at most `digits` decimals."""
    return bool((value * 10**digits).denominator == 1)


def shown(value: Fraction, step: Fraction | None = None) -> str:
    """`value` in digits: exact where six decimals are enough, else rounded, with "about"; at least
    as many decimals as `step` has."""
    decimals = 0
    while decimals < 6 and (
        not terminates(value, decimals) or (step is not None and Fraction(10) ** -decimals > step)
    ):
        decimals += 1
    exact = terminates(value, decimals)
    decimals = decimals if exact else 3
    scaled = round(value * 10**decimals)
    digits = (
        f"{abs(scaled):,}"
        if not decimals
        else f"{abs(scaled) // 10**decimals:,}.{abs(scaled) % 10**decimals:0{decimals}d}"
    )
    if len(digits) > 40:
        digits = say("rules.digits", digits=len(digits))
    return f"{'' if exact else 'about '}{'-' if scaled < 0 else ''}{digits}"
