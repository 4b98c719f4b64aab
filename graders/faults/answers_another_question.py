"""Fault: the answer is about something else than what was asked."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class AnswersAnotherQuestion(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Answers another question"
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "relevance"
    about: ClassVar[str] = (
        "The answer is mainly about something else than what was asked: another subject, "
        "another thing of the same name, or a question "
        "next to the one that was put. An answer that gets to the point late, or is wrong, "
        "does not have it."
    )
    why: ClassVar[str] = "The reader gets a text that cannot help, and may notice only at its end."
    misses: ClassVar[str] = (
        "Questions that can be read in two ways; a request that is refused with a reason "
        "(refusal_talk)."
    )
    present: ClassVar = (
        FaultExample(
            "Why do cats purr when they are ill?",
            "Cats sleep up to sixteen hours a day, mostly in short naps.",
            "It is about sleep.",
            "Cats sleep up to sixteen hours a day",
        ),
        FaultExample(
            "Как ухаживать за кактусом зимой?",
            "Кактус родом из Америки. Его открыли для Европы в XVI веке.",
            "Об уходе ни слова.",
            "Кактус родом из Америки.",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "Why do cats purr when they are ill?",
            "Nobody knows for sure. Purring may calm them.",
            "Short and careful, but about it.",
        ),
        FaultExample(
            "香蕉为什么会变黑？", "因为果皮里的酶和氧气反应，低温也会伤害果皮。", "直接回答了问题。"
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "What do you make of Tom's being late?",
            "I make a point of being early: I leave at seven and read on the train.",
            "Overlooked: the question can be read in two ways.",
            "I make a point of being early",
        ),
    )
