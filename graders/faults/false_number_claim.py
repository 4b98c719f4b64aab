"""Fault: numbers are said to relate in a way in which they do not."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class FalseNumberClaim(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "False claim about numbers"
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "mistakes"
    about: ClassVar[str] = (
        "The answer says in words how numbers relate, and they do not: "
        "36 and 1066 called similar, a fall called a rise, a third called "
        "the majority. Equations are checked apart; a number that is merely wrong does not have it."
    )
    why: ClassVar[str] = (
        "Who reads the sentence and skips the numbers takes away the opposite of what they say."
    )
    misses: ClassVar[str] = (
        "Words without a fixed limit, such as many or nearly; numbers that stand far apart "
        "in the text."
    )
    present: ClassVar = (
        FaultExample(
            "Compare the two villages.",
            "With 36 and 1066 inhabitants the two villages are of similar size.",
            "One is thirty times the other.",
            "With 36 and 1066 inhabitants the two villages are of similar size",
        ),
        FaultExample(
            "売り上げはどう変わりましたか。",
            "売り上げは900万円から700万円へと順調に伸びました。",
            "減っているのに「伸びた」とある。",
            "900万円から700万円へと順調に伸びました",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "Compare the two villages.",
            "With 36 and 1066 inhabitants the two could hardly differ more.",
            "It says what the numbers say.",
        ),
        FaultExample(
            "Как изменились продажи?", "Продажи почти не изменились: 900 и 907.", "Так и есть."
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "How did the club grow?",
            (
                "It had 212 members in spring, then came the fire, the move and a new chair. "
                "In autumn it had 180, so many had joined."
            ),
            "Overlooked: the numbers stand far apart.",
            "so many had joined",
        ),
    )
