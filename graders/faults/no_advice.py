"""Fault: advice was asked for and none is given."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class NoAdvice(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "No advice where advice was asked for"
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "relevance"
    about: ClassVar[str] = (
        "The question asks for advice, help or steps, and the answer has nothing that the "
        "asker could do: it comforts, explains or "
        "describes the problem. Where no advice was asked for, no answer has it."
    )
    why: ClassVar[str] = "Who asks for help stands where he or she stood before."
    misses: ClassVar[str] = (
        "Advice that hides in a question or in a story; questions that only seem to ask for advice."
    )
    present: ClassVar = (
        FaultExample(
            "I cannot fall asleep before exams. What should I do?",
            "Many students know this. Sleep is controlled by hormones, and worry disturbs it.",
            "It explains, and there is nothing to do.",
        ),
        FaultExample(
            "同僚とうまく話せません。どうすればいいですか。",
            "それはつらいですね。人間関係は誰にとっても難しいものです。",
            "慰めだけで、助言がない。",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "I cannot fall asleep before exams. What should I do?",
            "Put the books away an hour earlier.",
            "One step is advice.",
        ),
        FaultExample(
            "Почему перед экзаменом трудно заснуть?",
            "Тревога поднимает уровень кортизола.",
            "Совета не просили.",
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "My neighbour plays the drums at night. What can I do?",
            "Have you ever knocked at his door with a cake and asked how he sleeps himself?",
            "Taken for the fault: the advice hides in a question.",
            "knocked at his door with a cake",
        ),
    )
