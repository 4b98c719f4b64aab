"""Fault: a main point that the question needs is missing."""

from __future__ import annotations

from typing import ClassVar

from graders.core.faults import Fault, FaultExample


class IncompleteMainPoints(Fault):
    version: ClassVar[str] = "1"
    title: ClassVar[str] = "Incomplete on main points"
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "completeness"
    about: ClassVar[str] = (
        "A main point is missing without which the question is not answered: "
        "a part of a question in several parts, a required element, "
        "what the reference names first. Details that are missing do not count, "
        "and brevity is no fault. The rationale names the point."
    )
    why: ClassVar[str] = "The reader acts on half an answer, and does not know that it is half."
    misses: ClassVar[str] = (
        "Points that only somebody who knows the topic misses, where no reference or list of "
        "elements is given."
    )
    present: ClassVar = (
        FaultExample(
            "When was the bridge built, and why was it closed?",
            "The bridge was built in 1931 by two brothers.",
            "Why it was closed is missing.",
        ),
        FaultExample(
            "Чем отличаются дождевые черви от гусениц и кто из них полезен в саду?",
            "У гусениц есть ножки, у червей их нет.",
            "Нет второй половины: кто полезен.",
        ),
    )
    absent: ClassVar = (
        FaultExample(
            "When was the bridge built, and why was it closed?",
            "In 1931; rust closed it.",
            "Short, and both parts are there.",
        ),
        FaultExample(
            "月はなぜ満ち欠けするのですか。",
            "太陽に照らされた面の見え方が、月の位置で変わるからです。",
            "要点がある。",
        ),
    )
    missed: ClassVar = (
        FaultExample(
            "What does the law of the mill stream demand?",
            "A gauge at the weir, a yearly report and a pass for fish.",
            "Overlooked: only who knows the law misses the closing of the weir in spring.",
        ),
    )
