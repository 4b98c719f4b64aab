"""Fault: the structure is hard to follow, because the thing asked for comes last or stands between
other things."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class BuriedAnswer(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Structure hard to follow: the thing asked for is buried"
    severity: ClassVar[str] = "minor"
    speaks_to: ClassVar[str] = "structure"
    about: ClassVar[str] = (
        "What was asked for comes only after much that was not asked for, "
        "or is scattered so that it must be put together: a history "
        "before the one date wanted, steps out of order. Stories, proofs and derivations may "
        "keep the end for the end."
    )
    why: ClassVar[str] = (
        "The reader searches for what he or she asked for, and may give up before it."
    )
    misses: ClassVar[str] = (
        "Short answers in which nothing can be buried; texts whose order is a matter of taste."
    )
    present: ClassVar = (
        FaultExample(
            "At what temperature does the glue set?",
            "Glue has been used since antiquity. The Egyptians boiled hides. "
            "Today there are many kinds, sold in tubes and tins, for "
            "wood, paper and cloth. Some smell. This one sets at 20 degrees.",
            "One number was wanted, and it comes last.",
            "This one sets at 20 degrees.",
        ),
        FaultExample(
            "Как включить таймер?",
            (
                "Затем нажмите «Старт». Часы были изобретены давно. Сначала откройте меню. "
                "Таймер бывает полезен. Ещё раньше снимите крышку."
            ),
            "Шаги стоят не по порядку и перебиты посторонним.",
            "Ещё раньше снимите крышку.",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "At what temperature does the glue set?",
            "At 20 degrees. Below 10 it stays soft for days.",
            "The answer comes first.",
        ),
        FaultExample(
            "短い怪談を一つ。",
            "駅で毎晩同じ人に会った。ある夜、鏡を見て気づいた。それは私だった。",
            "物語は結末を最後に置く。",
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "When did the mill close?",
            "The mill closed a year after the bridge, and the bridge was built in 1931.",
            "Overlooked: in a short answer the reader has to do a sum to find the year.",
            "a year after the bridge",
        ),
    )
