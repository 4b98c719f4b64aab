"""The same as a reference, but for case, punctuation and articles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Finding, Rule
from graders.core.plain import normalise
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import language_of
from graders.core.words import carried
from graders.rules.writing.marks import best, refusal, span, worst

say = carried(
    "exact_match",
    {
        "equal": "Equal to the reference, {reference!r}.",
        "equal_of_several": "Equal to reference {number} of {references}, {reference!r}.",
        "no_reference": "The question has no reference.",
        "unequal": "Equal to none of {references} references.",
    },
)

_LONG = 10_000


@dataclass(frozen=True)
class ExactMatch(Rule):
    """Decides that an answer which says no more and no less than a reference is right.

    Why it matters: such an answer needs no judge and no person.
    Decides: "The Eiffel Tower." for the reference "Eiffel tower". Does not: "It is the Eiffel
    Tower".
    An unequal answer may still be right, so it is not decisive; with `strict` it gets the worst
    value.
    Known misses: other spellings, numbers in words, answers in a sentence.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "The answer equals a reference, but for case, punctuation and articles."
    default_scale: ClassVar[Scale] = YES_NO
    finding: ClassVar[Finding] = Finding.MEASURED

    strict: bool = False

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        if not question.references:
            return Mark.unscored("no_reference", say("no_reference"))
        language = question.language[:2].lower() or language_of(question.text)
        # Folding never makes a text much shorter, so a long answer cannot equal short references.
        comparable = len(text) <= _LONG + 2 * max(map(len, question.references))
        found = normalise(text, language) if comparable else None
        for number, reference in enumerate(question.references, 1):
            if found and found == normalise(reference, language):
                rationale = say(
                    "equal" if len(question.references) == 1 else "equal_of_several",
                    number=number,
                    references=len(question.references),
                    reference=reference[:80],
                )
                return best(criterion, rationale, [span(text, 0, len(text))])
        rationale = say("unequal", references=len(question.references))
        return (
            worst(criterion, rationale) if self.strict else Mark.unscored("not_decisive", rationale)
        )
