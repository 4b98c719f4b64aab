"""Units beside numbers: whether the numbers of an equation may be compared as they stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graders.rules.numbers.tokens import Token, unit_at

#: Units of one kind; two different ones in an equation need a conversion. Patterns are matched in
#: full.
_KINDS = (
    (
        r"s|sec|seconds?|сек|секунд\w*|с|秒|秒間",
        r"min|mins|minutes?|мин|минут\w*|分|分钟|分間|分鐘",
        r"h|hrs?|hours?|ч|час\w*|小时|小時|時間|时",
        r"days?|дн\w*|день|天|日|日間",
        r"weeks?|недел\w*|周|週|週間",
        r"months?|месяц\w*|月|ヶ月",
        r"years?|yrs?|год\w*|лет|年|年間",
    ),
    (
        r"mm|мм|毫米|㎜",
        r"cm|см|厘米|㎝|センチ",
        r"dm|дм",
        r"m|met(?:er|re)s?|м|метр\w*|米|メートル|㎡|㎥",
        r"km|kilomet\w+|км|километр\w*|公里|千米|キロ|㎞",
        r"in|inch(?:es)?|дюйм\w*",
        r"ft|feet|foot|фут\w*",
        r"yards?|ярд\w*",
        r"miles?|mi|мил[яиь]\w*",
    ),
    (
        r"mg|мг",
        r"g|grams?|г|грамм\w*|克|グラム",
        r"kg|kilograms?|kilos?|кг|килограмм\w*|公斤|千克|㎏",
        r"t|tons?|т|тонн\w*|吨",
        r"lbs?|pounds?",
        r"oz|ounces?",
    ),
    (
        r"ml|мл|毫升",
        r"l|lit(?:er|re)s?|л|литр\w*|升|リットル",
        r"cups?",
        r"tbsp|tablespoons?",
        r"tsp|teaspoons?",
    ),
    (r"cents?|pence|коп\w*|角|毛钱?|分", r"dollars?|euros?|euro|usd|eur|руб\w*|р|元|块|円|₽|€|£"),
    (r"bits?|бит\w*", r"bytes?|байт\w*", r"kb|кб", r"mb|мб", r"gb|гб", r"tb|тб"),
    (r"°c|c", r"°f|f", r"k"),
)
#: Units that are numbers: three dozen are 36.
_NUMBER = re.compile(r"dozens?|дюжин\w*|打|pairs?|пар\w{0,2}|对|双|ダース", re.I)
_COMPILED = tuple(tuple(re.compile(pattern, re.I) for pattern in kind) for kind in _KINDS)


def fit(left: Sequence[Token], right: Sequence[Token]) -> bool:
    """Whether no unit of either side would have to be converted into another one of its kind.

    A single letter that stands alone counts as a unit only if the other side carries one too; else
    it may be a variable.
    """
    units = [_names(side) for side in (left, right)]
    letters = [{name for name in names if len(name) == 1 and name.isascii()} for names in units]
    alone = [letters[at] if not _compound(side) else set() for at, side in enumerate((left, right))]
    if (alone[0] and not letters[1]) or (alone[1] and not letters[0]):
        return False
    every = units[0] | units[1]
    counted = [bool(_NUMBER.fullmatch(name)) for name in every]
    if any(counted) and not (all(counted) and _all_have_units((*left, *right))):
        return False
    return all(
        sum(any(pattern.fullmatch(name) for name in every) for pattern in kind) < 2
        for kind in _COMPILED
    )


def _all_have_units(tokens: Sequence[Token]) -> bool:
    return sum(token.kind == "number" for token in tokens) == sum(
        token.kind == "unit" for token in tokens
    )


def _compound(side: Sequence[Token]) -> bool:
    """Whether a unit of two parts stands on the side, such as km/h, whose letters are surely
    units."""
    return any(token.kind == "unit" and re.match(r"[^\W\d_]{2,}/", token.text) for token in side)


def _names(side: Sequence[Token]) -> set[str]:
    names: set[str] = set()
    for at, token in enumerate(side):
        if token.kind == "unit":
            for text in (unit_at([token], 0), unit_at(side, at)):
                bare = re.sub(r"[²³]|\^[23]", "", text)
                names |= {"m" if part in "㎡㎥" else part for part in bare.split("/") if part}
    return names
