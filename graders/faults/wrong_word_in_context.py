"""Fault: a word is translated by a meaning that it does not have here."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class WrongWordInContext(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Wrong translation of a word in context"
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "mistakes"
    about: ClassVar[str] = (
        "A word or phrase is translated by a meaning that it can have but does not have "
        "here, or word for word where the other language "
        "says it in another way. It counts in translations and in texts that were plainly "
        "thought in another language."
    )
    why: ClassVar[str] = (
        "The sentence is smooth and says something false: a learner keeps the wrong word."
    )
    misses: ClassVar[str] = (
        "Terms of a trade, dialects, and plays on words that no translation keeps."
    )
    present: ClassVar = (
        FaultExample(
            "Translate into Russian: The bank was covered with reeds.",
            "Банк был покрыт камышом.",
            "Here bank is the side of a river: берег.",
            "Банк был покрыт камышом.",
        ),
        FaultExample(
            "Translate into Japanese: He ran a small hotel.",
            "彼は小さなホテルを走りました。",
            "To run a hotel is 経営する, not 走る.",
            "ホテルを走りました",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "Translate into Russian: The bank was covered with reeds.",
            "Берег зарос камышом.",
            "The right meaning.",
        ),
        FaultExample(
            "Translate into Chinese: It rains cats and dogs.",
            "下着倾盆大雨。",
            "Free, and what Chinese says.",
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "Переведи: The carpenter checked the bit.",
            "Плотник проверил бит.",
            "Overlooked: a word of the trade (сверло), and another one that sounds like it.",
            "бит",
        ),
    )
