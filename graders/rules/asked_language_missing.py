"""The language that was asked for is not used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.rules._asked_language import allowed_languages, language_name
from graders.rules._marks import refusal, span, worst
from graders.rules._requested_language import requested_language, used
from graders.rules._romanised import romanised
from graders.rules._segments import shares


@dataclass(frozen=True)
class AskedLanguageMissing(Rule):
    """Decides that an answer holds nothing in the language that the question asks for.

    Why it hurts: the very thing that was asked for, a translation, a letter, an example, is not there.
    Has it: "It is a common greeting." for "How do you say good morning in Chinese?". Has it not: "早上好".
    Read are requests to translate into, to write or answer in, and to say in a language, in English, Russian, Chinese
    and Japanese. An answer that as a whole is in a language which the question does not allow has the fault
    wrong_language instead, and one that gives the words in Latin letters the fault romanised: one fault, one rule.
    Known misses: requests in other words, a single foreign word in an answer that needed a text, two languages of Latin
    letters where the answer quotes or lists anything.
    """

    version: ClassVar[str] = "2"
    about: ClassVar[str] = "The language that the question asks for is used."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "asked_language_missing"
    fault_title: ClassVar[str] = "Asked-for language not used"
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "relevance"

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        asked = requested_language(question.text)
        if not asked:
            return Mark.unscored("not_decisive", "The question asks for no particular language.")
        allowed = allowed_languages(question.text, question.language, question.context)
        if used(text, asked, allowed.own, question.text) or sum(map(str.isalpha, text[:1000])) < 12:
            return Mark.unscored("not_decisive", f"{language_name(asked)} was asked for, and may be there.")
        if (allowed.languages is not None and shares(text, allowed).wrong) or romanised(text, question.text, allowed):
            return Mark.unscored("not_decisive", f"{language_name(asked)} was asked for; another rule says what is there instead.")
        return worst(criterion, f"{language_name(asked)} was asked for, nothing in the answer is in it.", [span(text, 0, len(text))])
