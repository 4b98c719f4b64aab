"""Seeded fault: one number of a factual answer is another."""

from __future__ import annotations

import re
from collections import Counter
from typing import ClassVar

from graders.core.seeded import Damaged, SeededFault, SeedExample
from graders.core.words import carried

say = carried(
    "number_changed",
    {
        "became": "{before} became {after}",
    },
)

#: A whole number of two to four digits that is part of no other number, code, date, list mark or
#: reference.
_NUMBER = re.compile(
    r"(?<![\w.,:/+\-–—−#№$€£\[(])[1-9]\d{1,3}(?![\w/:\])]|[.,]\d|[-–—−]\d|\s*[.)]\s*$)", re.M
)


class NumberChanged(SeededFault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Number changed"
    about: ClassVar[str] = (
        "A number that stands once in a factual answer, and not in its question, "
        "is half as large again."
    )
    factual: ClassVar[bool] = True
    present: ClassVar = (
        SeedExample(
            "How many bones has an adult?",
            "An adult has 206 bones.",
            "en",
            "An adult has 309 bones.",
        ),
        SeedExample(
            "Сколько костей у взрослого?",
            "У взрослого 206 костей.",
            "ru",
            "У взрослого 309 костей.",
        ),
    )
    absent: ClassVar = (
        SeedExample("What is 206 and 4?", "206 and 4 are 210, and 210 is even.", "en"),
        SeedExample("When?", "On 2024-05-17 at 10:30, version 3.11, page 12/40.", "en"),
    )

    def damage(self, question: str, answer: str, language: str, draw: float) -> Damaged | None:
        """The copy with n + n/2 in the place of n, where the result is new to question and
        answer."""
        if "```" in answer:
            return None
        there, asked = Counter(re.findall(r"\d+", answer)), set(re.findall(r"\d+", question))
        places = [
            found
            for found in _NUMBER.finditer(answer)
            if there[found[0]] == 1
            and found[0] not in asked
            and _other(found[0]) not in there.keys() | asked
        ]
        if not places:
            return None
        found = places[int(draw * len(places))]
        return Damaged(
            answer[: found.start()] + _other(found[0]) + answer[found.end() :],
            say("became", before=found[0], after=_other(found[0])),
        )


def _other(number: str) -> str:
    return str(int(number) + int(number) // 2)
