"""Notes, figures and tables that are not there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.writing.marks import flawed, refusal, span
from graders.rules.writing.pointers import dangling
from graders.rules.writing.prose import without_code, without_quotes

say = carried(
    "dangling_references",
    {
        "context": "References may point to the context of the question.",
        "none": "Nothing points to something that is not there.",
        "points": "The answer points to something that it does not have: {what}.",
    },
)

_READ = 100_000
_SHOWN = 10


@dataclass(frozen=True)
class DanglingReferences(Rule):
    """Decides that an answer points to a note, a source, a figure or a table that it does not have.

    A heading such as "Sources" counts as a list; where the question brings context, numbers in
    brackets may point there. Read are the first 100,000 characters.
    """

    version: ClassVar[str] = "8"
    about: ClassVar[str] = "Every note, figure and table that the answer points to is there."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "dangling_reference"
    fault_title: ClassVar[str] = "Reference to nothing"
    fault_about: ClassVar[str] = (
        "The answer points to something that is not there: a numbered source without an entry, "
        "a table, figure or section that it does not have."
    )
    severity: ClassVar[str] = "minor"
    speaks_to: ClassVar[str] = "mistakes"
    why: ClassVar[str] = (
        "The reader looks for the proof or the picture and finds that there is none."
    )
    misses: ClassVar[str] = (
        "A list of sources with gaps, notes by asterisk, notes glued to a word (word[1]) in "
        "an answer that speaks of programs, a table "
        "of something else than what is promised."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How old is the Earth?",
            "About 4.5 billion years, as rocks from the Moon show [2].",
            "No list of sources stands below.",
            "[2]",
        ),
        FaultExample("Полезен ли кофе?", "Кофе снижает риск диабета¹.", "Сноски нет.", "¹"),
        FaultExample("比较一下", "如上表所示，第二个方案更便宜。", "没有表。", "如上表所示"),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How old is the Earth?",
            "About 4.5 billion years [1].\n\nReferences\n[1] Dalrymple, The Age of the Earth.",
            "The source stands below.",
        ),
        FaultExample(
            "How do I read the second item?",
            "With a[1]; a room of 20 m² is an area, H₂O is water.",
            "An index, a unit and a formula are no notes.",
        ),
        FaultExample(
            "What does figure 2 show?",
            "As figure 2 shows, sales rose.",
            "The question has the figure.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Is tea healthy?",
            "Tea is good for the heart, as the second of these studies found.",
            "Overlooked: studies that nobody named.",
            "the second of these studies",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        if subject.question.context:
            return Mark.unscored("not_decisive", say("context"))
        text = subject.answer.text[:_READ]
        found = list(
            dangling(without_quotes(without_code(text)), text, subject.question.text[:20_000])
        )
        if not found:
            return Mark.unscored("not_decisive", say("none"))
        what = ", ".join(dict.fromkeys(pointer.what for pointer in found[:_SHOWN]))
        return flawed(
            criterion,
            say("points", what=what),
            [span(text, p.start, p.end) for p in found[:_SHOWN]],
        )
