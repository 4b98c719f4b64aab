"""Fault: a work in the style of a named author does not have that style."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class NotTheStyle(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Not the style of the named author"
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "style"
    about: ClassVar[str] = (
        "The question names an author, a work or a school whose style is wanted, "
        "and the answer does not have it: rhythm, sentences, "
        "choice of words and view of things are another's. The author's favourite words "
        "alone make no style. Where none is named, no "
        "answer has it."
    )
    why: ClassVar[str] = "The style was the task; what is left is any text on the subject."
    misses: ClassVar[str] = (
        "Authors of whom the judge has read little; parody, which overdoes a style on purpose."
    )
    present: ClassVar = (
        FaultExample(
            "Describe a bus stop in the style of Ernest Hemingway.",
            (
                "O shimmering temple of patience, in whose glassy bosom a thousand weary dreams "
                "entwine and softly expire!"
            ),
            "Ornate and exclaiming, where he is plain.",
            "O shimmering temple of patience",
        ),
        FaultExample(
            "用李白的风格写两句写月亮的诗。",
            "月亮是地球唯一的天然卫星，它的直径约三千四百公里。",
            "是说明文，没有李白的气势。",
            "月亮是地球唯一的天然卫星",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "Describe a bus stop in the style of Ernest Hemingway.",
            "The bus was late. The old man stood. It rained.",
            "Plain and short.",
        ),
        FaultExample(
            "Опиши остановку.",
            "О, храм терпения! Сколько надежд угасло под твоей крышей!",
            "Стиль не задан.",
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "Опиши дождь в манере Игоря Северянина.",
            "Дождь шёл. Я стоял у окна и думал о письме, которое не написал.",
            "Overlooked: the text is good, and of the author a judge may have read little.",
        ),
    )
