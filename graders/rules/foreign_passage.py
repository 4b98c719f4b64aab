"""A passage in another language, and nothing that explains it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.rules._asked_language import allowed_languages, language_name
from graders.rules._marks import refusal, span, worst
from graders.rules._passages import foreign_passages
from graders.rules._segments import shares
from graders.rules._unreadable import damages

_SHOWN = 20


@dataclass(frozen=True)
class ForeignPassage(Rule):
    """Decides that a sentence or more stands in a language that the question neither uses nor names, without an explanation.

    Why it hurts: the reader loses a part of the answer, in the middle of it.
    Has it: "Сон помогает памяти. It also helps you to stay calm. Поэтому ложитесь раньше."
    Has it not: "Девиз: Citius, altius, fortius — быстрее, выше, сильнее."
    Quotations, titles, names, code, tables, and passages that a colon introduces or a bracket, a dash or a word such
    as "means" explains do not count. Where so much is foreign that the whole answer is in the wrong language, or
    languages are mixed within sentences, other rules speak.
    Known misses: passages of fewer than five words, passages in a related language of the same script, a passage after
    a colon that explains nothing.
    """

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "No unexplained passage in another language stands in the answer."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "foreign_passage"
    fault_title: ClassVar[str] = "Unexplained passage in another language"
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "language"

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        allowed = allowed_languages(question.text, question.language, question.context)
        if not allowed.own:
            return Mark.unscored("language", "The language of the question is not known.")
        if allowed.languages is None:
            return Mark.unscored("not_decisive", "The question leaves the language of the answer open.")
        found = foreign_passages(text, allowed, question.text)
        if not found:
            return Mark.unscored("not_decisive", "No unexplained passage in another language stands in the answer.")
        if shares(text, allowed).wrong or damages(text, allowed.own):
            return Mark.unscored("not_decisive", "The answer as a whole is in the wrong language, or in none.")
        rationale = f"A passage in {language_name(found[0].language)}, and nothing that explains it."
        return worst(criterion, rationale, [span(text, one.start, one.end) for one in found[:_SHOWN]])
