"""Fault: as many items as were asked for, but not of the thing that was asked for."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class WrongThingCounted(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Right count of the wrong thing"
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "relevance"
    about: ClassVar[str] = (
        "A number of things was asked for and the answer gives that many items, "
        "but of another kind: five whole parties for five ideas "
        "for one party. A wrong number of the right thing does not have it."
    )
    why: ClassVar[str] = (
        "A count looks right at a glance, so the reader trusts a list that does not serve."
    )
    misses: ClassVar[str] = (
        "Things that are two kinds at once, such as a proverb that is also a piece of advice."
    )
    present: ClassVar = (
        FaultExample(
            "Give me three ideas for a birthday party.",
            (
                "1. A party in the garden on Friday. 2. A party at the lake on Saturday. 3. "
                "A party at home on Sunday."
            ),
            "Three parties, where ideas for one were wanted.",
            "A party at the lake on Saturday",
        ),
        FaultExample(
            "请给我三个关于节约用水的口号。",
            "1. 关好水龙头。2. 修理漏水的管道。3. 缩短淋浴时间。",
            "三条做法，不是口号。",
            "修理漏水的管道",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "Give me three ideas for a birthday party.",
            "1. A treasure hunt. 2. A quiz about you. 3. Lanterns.",
            "Three ideas.",
        ),
        FaultExample(
            "Назови две причины читать вслух.",
            "Только одна: так учатся слушать.",
            "Число не то, но это причина: другая ошибка.",
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "Дай три пословицы о терпении.",
            (
                "1. Терпи, казак, атаманом будешь. 2. Не торопись в гневе. 3. "
                "Терпение и труд всё перетрут."
            ),
            "Overlooked: the advice sounds like a proverb.",
            "Не торопись в гневе.",
        ),
    )
