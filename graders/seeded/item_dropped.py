"""Seeded fault: of a list of as many items as the question asks for, one is missing."""

from __future__ import annotations

import re
from typing import ClassVar

from graders.core.seeded import Damaged, SeededFault, SeedExample
from graders.core.words import carried

say = carried(
    "item_dropped",
    {
        "taken_out": "item {item} of {items} taken out",
    },
)

#: Words for the numbers 3 to 10, by language; inflected forms by their beginnings.
WORDS = {
    "en": ("three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    "ru": (
        "три|трёх|трех",
        "четыр",
        "пять|пяти",
        "шест",
        "сем[ьи]",
        "восем|восьм",
        "девят",
        "десят",
    ),
    "zh": ("三", "四", "五", "六", "七", "八", "九", "十"),
    "ja": ("三つ|3つ|三", "四つ|四", "五つ|五", "六つ|六", "七つ|七", "八つ|八", "九つ|九", "十"),
}
_ITEM = re.compile(r"^(\d{1,2})([.)、．])", re.M)


class ItemDropped(SeededFault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Item dropped"
    about: ClassVar[str] = (
        "The question asks for a number of things, the answer numbers them, "
        "and one is taken out; the rest is numbered anew."
    )
    languages: ClassVar[tuple[str, ...]] = ("en", "ru", "zh", "ja")
    present: ClassVar = (
        SeedExample("Name three colours.", "1. Red\n2. Green\n3. Blue", "en", "1. Red\n2. Blue"),
        SeedExample(
            "Назови три цвета.", "1) Красный\n2) Зелёный\n3) Синий", "ru", "1) Красный\n2) Синий"
        ),
        SeedExample("请说出三种颜色。", "1. 红\n2. 绿\n3. 蓝", "zh", "1. 红\n2. 蓝"),
        SeedExample("色を3つ挙げてください。", "1. 赤\n2. 緑\n3. 青", "ja", "1. 赤\n2. 青"),
    )
    absent: ClassVar = (
        SeedExample("Name some colours.", "1. Red\n2. Green\n3. Blue", "en"),
        SeedExample("Name three colours.", "Red, green and blue.", "en"),
    )

    def damage(self, question: str, answer: str, language: str, draw: float) -> Damaged | None:
        """The list without one of its middle items."""
        items = list(_ITEM.finditer(answer))
        count = len(items)
        if not 3 <= count <= 10 or [int(item[1]) for item in items] != list(range(1, count + 1)):
            return None
        word = WORDS.get(language.partition("-")[0], ("",) * 8)[count - 3]
        if not word or not re.search(
            rf"(?<!\d){count}(?!\d)|(?<![a-zа-яё])(?:{word})", question.casefold()
        ):
            return None
        gone = 1 + int(draw * (count - 2))
        start, end = items[gone].start(), items[gone + 1].start()
        renumbered = _ITEM.sub(lambda item: f"{int(item[1]) - 1}{item[2]}", answer[end:])
        return Damaged(answer[:start] + renumbered, say("taken_out", item=gone + 1, items=count))
