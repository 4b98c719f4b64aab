"""Not in the language of the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.language import language_name
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.languages.asked_language import allowed_languages
from graders.rules.languages.segments import shares
from graders.rules.writing.marks import best, refusal, span, worst

say = carried(
    "answer_language",
    {
        "allowed": "{share:.0%} of the text is in a language that the question allows; {wanted}.",
        "asked_for": "the question asks for {language}",
        "asked_in": "the question is in {language}",
        "foreign": "{share:.0%} of the text is {language}, {wanted}.",
        "no_language": "The language of the question is not known.",
        "no_words": "Names, numbers or code: the answer has no language.",
        "open": "The question leaves the language of the answer open.",
    },
)


@dataclass(frozen=True)
class AnswerLanguage(Rule):
    """Decides that an answer is in a language that was not asked for.

    Code, quotations, titles, addresses, lists of names (of dishes, where food is asked about) and
    loan words do not count; a number in words does. At least 30 % of the text whose language is
    clear must be foreign. A clean answer says little about other criteria, so it is not decisive,
    unless `decide_good` is set.
    """

    version: ClassVar[str] = "8"
    about: ClassVar[str] = (
        "The answer is in the question's language, or in the one that it asks for."
    )
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "wrong_language"
    fault_title: ClassVar[str] = "Wrong language"
    fault_about: ClassVar[str] = (
        "Most of the answer, or a large part of it, is in a language that the question neither "
        "uses nor asks for. Quotations, titles, names, code and loan words are no fault."
    )
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "language"
    why: ClassVar[str] = "The reader may not understand a word."
    misses: ClassVar[str] = (
        "A foreign clause inside a sentence, short answers in a related language of the same "
        "script; foreign verse without quotation "
        "marks is taken for a fault."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Почему небо голубое?",
            "The sky is blue because air scatters blue light.",
            "A Russian question wants a Russian answer.",
            "The sky is blue because air scatters blue light.",
        ),
        FaultExample(
            "What is the capital of Australia?",
            "澳大利亚的首都是堪培拉。",
            "Nothing in it is English.",
            "澳大利亚的首都是堪培拉。",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Переведи на английский: у меня есть кошка.", "I have a cat.", "English was asked for."
        ),
        FaultExample(
            "Which Japanese dishes are famous?",
            "Sushi (寿司), ramen (ラーメン) and tempura (天ぷら) are the most famous ones abroad.",
            "Names beside their script are no other language.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Why is the sky blue?",
            (
                "Air scatters blue light, потому что его волны короче, more strongly than red "
                "light from the same sun."
            ),
            "Overlooked: a foreign clause inside a sentence.",
            "потому что его волны короче",
        ),
    )

    decide_good: bool = False

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        allowed = allowed_languages(question.text, question.language, question.context)
        if not allowed.own:
            return Mark.unscored("language", say("no_language"))
        if allowed.languages is None:
            return Mark.unscored("not_decisive", say("open"))
        found = shares(text, allowed)
        if not found.known:
            return Mark.unscored("not_decisive", say("no_words"))
        wanted = say(
            "asked_for" if allowed.directed else "asked_in",
            language=language_name(allowed.directed or allowed.own),
        )
        if found.first is not None and found.wrong:
            rationale = say(
                "foreign",
                share=found.foreign / found.known,
                language=language_name(found.most),
                wanted=wanted,
            )
            return worst(criterion, rationale, [span(text, found.first.start, found.first.end)])
        rationale = say("allowed", share=1 - found.foreign / found.known, wanted=wanted)
        return (
            best(criterion, rationale)
            if self.decide_good
            else Mark.unscored("not_decisive", rationale)
        )
