"""Fault: case, declension, agreement, particle or rhyme is wrong."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class FaultyGrammar(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Grammar: case, declension, agreement, rhyme"
    severity: ClassVar[str] = "minor"
    speaks_to: ClassVar[str] = "mistakes"
    about: ClassVar[str] = (
        "A grammatical mistake that a teacher would mark: wrong case, declension, agreement, "
        "tense, particle or measure word, or, where "
        "verse should rhyme, an end that does not. Style, spelling variants and liberties of "
        "verse and speech do not count."
    )
    why: ClassVar[str] = "Mistakes slow the reader down, and make him or her doubt the rest."
    misses: ClassVar[str] = (
        "Mistakes that are correct in a dialect; quotations of somebody's faulty speech; "
        "slant rhymes."
    )
    present: ClassVar = (
        FaultExample(
            "Расскажи о сестре.",
            "Моя сестра любит гулять с собака в парке и читает много книг.",
            "Нужен творительный падеж: с собакой.",
            "с собака",
        ),
        FaultExample(
            "Describe the market.",
            "The stalls on the left sells fruit, and those on the right sell fish.",
            "The stalls sell.",
            "The stalls on the left sells",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "Describe the market.",
            "Fruit on the left. Fish on the right. Noise everywhere.",
            "Fragments are a choice of style.",
        ),
        FaultExample(
            "用一句话介绍你的家。", "我家有三口人，住在河边的一栋小楼里。", "量词和语序都对。"
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "Write down what the old sailor said.",
            '"We was three weeks out," he said, "and the cook were ill."',
            "Taken for the fault: somebody's speech is quoted.",
            "We was three weeks out",
        ),
    )
