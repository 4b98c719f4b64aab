"""Numbers with a unit of length, mass, time, volume or money, as far as one unit can be turned into
another without doubt.

Left out is what has several sizes: tons and ounces, gallons and cups, 斤 and 里, miles outside
English, キロ (metres or grams), 分 where it may be a mark. A month has no number of days, so that
months and years are compared among themselves only.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

#: (kind, how many of the kind's smallest unit, how it is written); one letter by itself is read in
#: its own case only.
_UNITS = (
    ("length", "1", r"mm|millimet(?:er|re)s?|мм|миллиметр\w{0,3}|毫米|ミリメートル"),
    ("length", "10", r"cm|centimet(?:er|re)s?|см|сантиметр\w{0,3}|厘米|公分|センチメートル|センチ"),
    ("length", "100", r"dm|decimet(?:er|re)s?|дм|дециметр\w{0,3}|分米"),
    ("length", "1000", r"(?-i:m)|met(?:er|re)s?|(?-i:м)|метр\w{0,3}|米|公尺|メートル"),
    ("length", "1000000", r"km|kilomet(?:er|re)s?|км|километр\w{0,3}|公里|千米|キロメートル"),
    ("length", "25.4", r"inch(?:es)?"),
    ("length", "304.8", r"ft|feet|foot"),
    ("length", "914.4", r"yards?"),
    ("length", "1609344", r"miles?"),
    ("mass", "1", r"mg|milligrams?|мг|миллиграмм\w{0,3}|毫克|ミリグラム"),
    ("mass", "1000", r"(?-i:g)|grams?|(?-i:г)|грамм\w{0,3}|克|グラム"),
    ("mass", "1000000", r"kg|kilograms?|kilos?|кг|килограмм\w{0,3}|公斤|千克|キログラム"),
    ("mass", "1000000000", r"tonnes?|metric tons?|(?-i:т)|тонн\w{0,3}|吨|噸|トン"),
    ("mass", "453592.37", r"lbs?"),
    ("time", "1", r"ms|milliseconds?|мс|миллисекунд\w{0,3}|毫秒|ミリ秒"),
    ("time", "1000", r"(?-i:s)|secs?|seconds?|сек|секунд\w{0,3}|秒|秒钟|秒鐘|秒間"),
    ("time", "60000", r"mins?|minutes?|мин|минут\w{0,3}|分钟|分鐘|分間"),
    (
        "time",
        "3600000",
        r"(?-i:h)|hrs?|hours?|(?-i:ч)|час(?:а|ов)?|小时|小時|个小时|個小時|钟头|時間",
    ),
    ("time", "86400000", r"days?|день|дн(?:я|ей)|сут(?:ки|ок)|天|日間"),
    ("time", "604800000", r"weeks?|недел(?:я|и|ь|ю)|周|週|个星期|星期|週間"),
    ("calendar", "1", r"months?|месяц(?:а|ев)?|个月|個月|か月|ヶ月|カ月|ヵ月"),
    ("calendar", "12", r"years?|год(?:а|ов)?|лет|年|年間"),
    ("volume", "1", r"ml|millilit(?:er|re)s?|мл|миллилитр\w{0,3}|毫升|ミリリットル"),
    ("volume", "10", r"cl|centilit(?:er|re)s?"),
    ("volume", "100", r"dl|decilit(?:er|re)s?|デシリットル"),
    ("volume", "1000", r"(?-i:l)|(?-i:L)|lit(?:er|re)s?|(?-i:л)|литр\w{0,3}|升|公升|リットル"),
    ("usd", "1", r"cents?"),
    ("usd", "100", r"dollars?|usd"),
    ("rub", "1", r"коп(?:\.|еек|ейк[аиу])?"),
    ("rub", "100", r"руб(?:\.|л\w{1,3})?|₽"),
    ("cny", "10", r"角|毛钱"),
    ("cny", "100", r"元|块钱|块"),
)
_COMPILED = tuple(
    (kind, Fraction(size), re.compile(pattern, re.I)) for kind, size, pattern in _UNITS
)
#: Any of these units, to be read without regard to case.
UNIT = "(?:" + "|".join(pattern for _, _, pattern in _UNITS) + ")"


def size_of(unit: str) -> tuple[str, Fraction] | None:
    """What a unit measures, and how many of the smallest unit of that kind it has; None for a word
    that is none of these units."""
    return next(
        ((kind, size) for kind, size, pattern in _COMPILED if pattern.fullmatch(unit)), None
    )


#: One unit of each kind as a number of its own, so that metres added to seconds, or compared with
#: them, never come out by chance.
_MARKS = {
    "length": 1_000_003,
    "mass": 1_000_033,
    "time": 1_000_037,
    "calendar": 1_000_039,
    "usd": 1_000_081,
    "rub": 1_000_099,
    "cny": 1_000_117,
}
_PART = re.compile(r"(?P<square>平方|立方)?(?P<name>.+?)(?:\^?(?P<power>[23²³]))?")
#: Minutes beside hours and seconds; alone it may be a mark.
_MINUTES = "分"
#: Units that people turn into others by rough numbers: miles into km, the weeks of a year into
#: days.
_CUSTOMARY = re.compile(r"inch|ft|feet|foot|yard|mile|lb|week|недел|周|週|个?星期", re.I)


@lru_cache(1_000)
def measured(unit: str) -> tuple[str, Fraction] | None:
    """`size_of`, and 分 as minutes: for numbers beside which a clearer unit of time stands."""
    return ("time", Fraction(60_000)) if unit == _MINUTES else size_of(unit)


@lru_cache(1_000)
def worth(unit: str, marked: bool) -> Fraction | None:
    """What one `unit` (km, m², km/h) is in the smallest units; `marked`: times a number that stands
    for what it measures.

    None for a unit that cannot be turned into others.
    """
    whole = Fraction(1)
    for at, part in enumerate(unit.split("/")):
        match = _PART.fullmatch(part)
        known = measured(match["name"]) if match else None
        if match is None or known is None:
            return None
        kind, size = known
        power = {"2": 2, "²": 2, "平方": 2, "3": 3, "³": 3, "立方": 3}.get(
            match["power"] or match["square"] or "", 1
        )
        if kind == "volume":  # a millilitre is a thousand cubic millimetres
            size = size * 1000 * (_MARKS["length"] ** 3 if marked else 1)
        value = size * (_MARKS.get(kind, 1) if marked else 1)
        whole = whole / value**power if at else whole * value**power
    return whole


def is_customary(unit: str) -> bool:
    """Whether a unit is one that people turn into others roughly."""
    return _CUSTOMARY.match(unit) is not None
