"""Sides of an equation whose units have to be turned into each other: 3 km + 200 m = 3.2 km."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from graders.rules.numbers._quantities import is_customary, worth
from graders.rules.numbers.arithmetic import Computed, Style, computed
from graders.rules.numbers.tokens import Token, unit_at

#: What may follow a unit without a space and belongs to the sentence: 3.5公里的路.
_GOES_ON = re.compile("[的了所以就和也左右长远重高整路 ]")
_LONGEST_UNIT = 8
#: A conversion by itself is read only where it begins a clause: "3 songs of 20 minutes = 1 hour" is
#: none.
_BEGINS = re.compile(
    r"(?:^|[.!?;:：。！？；，、,(（|\n]|\b(?:because|since|so|that|means|therefore|thus|"
    r"hence|know|and|"
    r"потому что|так "
    r"как|поскольку|что|значит|итак|и|а)|因为|所以|因此|由于|即|つまり|よって|なので|だから)[ "
    r"\t*$-]{0,4}$"
)
#: Maps, games and lessons, where a centimetre stands for a kilometre and an hour has 45 minutes.
_SCALED = re.compile(
    r"\bgames?\b|in-game|planet|lesson|academic|урок|заняти|академич|игр[еыоа]|游戏|课|ゲーム|授業|"
    r"\bmaps?\b|\bscale|drawing|blueprint|\bmodel|масштаб|карт|чертеж|чертёж|макет|地图|比例|"
    r"图上|模型|地図|縮尺|図面",
    re.I,
)
_OF = re.compile(r"\s{0,2}(?:of|per|an?|each|в|на|за|работы|занятий|的|の)(?!\w)|[的の]", re.I)
_CUSTOMARY_SHARE = Fraction(1, 20)


def converted(
    left: Sequence[Token], right: Sequence[Token], style: Style
) -> tuple[Computed, Computed] | None:
    """Both sides in the unit of the right one; None where a unit has no worth, or the sides do not
    measure the same."""
    sides = [computed(side, style, "hundredth", _plain) for side in (left, right)]
    marked = [computed(side, style, "hundredth", _marked) for side in (left, right)]
    bare = computed(right, style, "hundredth")
    if (
        sides[0] is None
        or sides[1] is None
        or marked[0] is None
        or marked[1] is None
        or bare is None
    ):
        return None
    first, second = sides[0], sides[1]
    if (
        not (first.value and second.value)
        or marked[0].value / first.value != marked[1].value / second.value
    ):
        return None
    unit = second.value / bare.value if second.step is not None and bare.value else Fraction(1)
    step = second.step / unit if second.step is not None else None
    return Computed(first.value / unit, first.exact), replace(
        second, value=second.value / unit, step=step
    )


def is_rough(
    left: Sequence[Token], right: Sequence[Token], first: Computed, second: Computed
) -> bool:
    """Whether miles, feet or pounds are turned into others as one does by heart."""
    customary = {
        is_customary(unit_at(side, at))
        for side in (left, right)
        for at, token in enumerate(side)
        if token.kind == "unit"
    }
    return (
        len(customary) > 1
        and abs(first.value - second.value) <= abs(first.value) * _CUSTOMARY_SHARE
    )


def has_bare_factor(side: Sequence[Token]) -> bool:
    """Whether a number without a unit multiplies or divides: "2 h × 60 = 120 min" leaves out what
    the 60 are."""
    bare = [
        at
        for at, token in enumerate(side)
        if token.kind == "number" and [one.kind for one in side[at + 1 : at + 2]] != ["unit"]
    ]
    return any(
        one.kind in ("times", "divide", "colon")
        for at in bare
        for one in (*side[max(0, at - 1) : at], *side[at + 1 : at + 2])
    )


def stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a conversion without a calculation is no part of a longer quantity (8 hours of work),
    and no map is spoken of."""
    before = text[max(0, start - 200) : start]
    if not _BEGINS.search(before[-24:]) or _OF.match(text, end):
        return False
    return not _SCALED.search(f"{before}{text[start : end + 50]}")


def mixes_money(claim: str) -> bool:
    """Whether a sign of money, which stands before its number, meets a smaller coin: $5 + 50
    cents."""
    return (
        re.search(r"[$€£₽]", claim) is not None
        and re.search(r"cents?\b|pence\b|коп|\d ?[¢p]\b", claim, re.I) is not None
    )


def _plain(unit: str) -> Fraction | None:
    return _worth(unit, marked=False)


def _marked(unit: str) -> Fraction | None:
    return _worth(unit, marked=True)


def _worth(unit: str, marked: bool) -> Fraction | None:
    known = worth(unit, marked)
    for length in range(min(len(unit) - 1, _LONGEST_UNIT), 0, -1):
        if known is not None:
            break
        if _GOES_ON.match(unit[length]):
            known = worth(unit[:length], marked)
    return known
