"""Not in the language of the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.rules._asked_language import allowed_languages, language_name
from graders.rules._marks import best, refusal, span, worst
from graders.rules._segments import shares


@dataclass(frozen=True)
class AnswerLanguage(Rule):
    """Decides that an answer is in a language that was not asked for.

    Why it hurts: the reader may not understand a word.
    Has it: "The sky is blue because air scatters blue light." for "Почему небо голубое?"
    Has it not: "I have a cat." for "Переведи на английский: у меня есть кошка."
    Code, quotations, titles, addresses, lists of names and loan words do not count. At least 30 % of the text whose
    language is clear must be foreign. A clean answer says little about other criteria, so it is not decisive,
    unless `decide_good` is set.
    Known misses: a foreign clause inside a sentence, short answers in a related language of the same script,
    foreign verse without quotation marks (taken for a fault).
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = "The answer is in the question's language, or in the one that it asks for."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "wrong_language"
    fault_title: ClassVar[str] = "Wrong language"
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "language"

    decide_good: bool = False

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        allowed = allowed_languages(question.text, question.language, question.context)
        if not allowed.own:
            return Mark.unscored("language", "The language of the question is not known.")
        if allowed.languages is None:
            return Mark.unscored("not_decisive", "The question leaves the language of the answer open.")
        found = shares(text, allowed)
        if not found.known:
            return Mark.unscored("not_decisive", "Names, numbers or code: the answer has no language.")
        wanted = f"the question {'asks for' if allowed.directed else 'is in'} {language_name(allowed.directed or allowed.own)}"
        if found.first is not None and found.wrong:
            rationale = f"{found.foreign / found.known:.0%} of the text is {language_name(found.most)}, {wanted}."
            return worst(criterion, rationale, [span(text, found.first.start, found.first.end)])
        rationale = f"{1 - found.foreign / found.known:.0%} of the text is in a language that the question allows; {wanted}."
        return best(criterion, rationale) if self.decide_good else Mark.unscored("not_decisive", rationale)
