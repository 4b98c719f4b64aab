"""Numbers that a model writes in words: ``four``, ``zero point six``, ``четыре``, ``零点六``."""

from __future__ import annotations

import re

#: Whole numbers from 0 to 10 in each language, and the words between them and their decimals.
_WORDS: dict[str, tuple[str, str]] = {
    "en": ("zero one two three four five six seven eight nine ten", "point"),
    "ru": ("ноль один два три четыре пять шесть семь восемь девять десять", ""),
    "de": ("null eins zwei drei vier fünf sechs sieben acht neun zehn", "komma"),
    "fr": ("zéro un deux trois quatre cinq six sept huit neuf dix", "virgule"),
    "es": ("cero uno dos tres cuatro cinco seis siete ocho nueve diez", "coma punto"),
    "it": ("zero uno due tre quattro cinque sei sette otto nove dieci", "virgola"),
    "pt": ("zero um dois três quatro cinco seis sete oito nove dez", "vírgula"),
}
_NUMBERS = {
    language: {word: number for number, word in enumerate(words.split())}
    for language, (words, _) in _WORDS.items()
}
_HAN_DIGITS = {"零": 0, "〇": 0, "两": 2, "兩": 2} | {
    character: number for number, character in enumerate("一二三四五六七八九", 1)
}
_HAN = {**_HAN_DIGITS, "十": 10}
_HAN_NUMBER = re.compile(rf"([{''.join(_HAN)}])(?:[点點]([{''.join(_HAN_DIGITS)}]+))?分?")
#: ``ноль целых шесть десятых``; ``ноль целых двадцать пять сотых`` is left as a doubt.
_RUSSIAN = re.compile(r"(?P<whole>\w+) цел(?:ых|ая) (?:и )?(?P<tenths>\w+) десят(?:ых|ая)")
_RUSSIAN_TENTHS = {"одна": 1, "две": 2}


def number_in_words(text: str) -> float | None:
    """The number from 0 to 10, with its decimals, that a text is in words and nothing else.

    None for all else, and where two languages read different numbers.
    """
    body = text.casefold().strip()
    if match := _HAN_NUMBER.fullmatch(body):
        decimals = "".join(str(_HAN[character]) for character in match[2] or "")
        return float(f"{_HAN[match[1]]}.{decimals or 0}")
    if match := _RUSSIAN.fullmatch(body):
        whole = {"одна": 1, **_NUMBERS["ru"]}.get(match["whole"])
        tenths = (_NUMBERS["ru"] | _RUSSIAN_TENTHS).get(match["tenths"])
        return None if whole is None or tenths is None else whole + tenths / 10
    readings = {
        number for language in _WORDS if (number := _read(body.split(), language)) is not None
    }
    return readings.pop() if len(readings) == 1 else None


def _read(words: list[str], language: str) -> float | None:
    """``six``, ``zero point six two``, ``point six``."""
    numbers, points = _NUMBERS[language], _WORDS[language][1].split()
    place = next((place for place, word in enumerate(words) if word in points), len(words))
    whole, decimals = words[:place], words[place + 1 :]
    if len(whole) > 1 or (not whole and not decimals) or (place < len(words) and not decimals):
        return None
    if any(word not in numbers for word in (*whole, *decimals)):
        return None
    digits = [numbers[word] for word in decimals]
    if any(digit > 9 for digit in digits):
        return None
    return float(f"{numbers[whole[0]] if whole else 0}.{''.join(map(str, digits)) or 0}")
