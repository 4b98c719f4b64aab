"""The language that was asked for is not used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.language import language_name
from graders.core.records import Mark, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.languages.asked_language import allowed_languages
from graders.rules.languages.language_used import used
from graders.rules.languages.requested_language import requested_language
from graders.rules.languages.romanised import romanised
from graders.rules.writing.marks import refusal, span, worst

say = carried(
    "asked_language_missing",
    {
        "another_rule": "{language} was asked for; another rule says what is there instead.",
        "maybe": "{language} was asked for, and may be there.",
        "missing": "{language} was asked for, nothing in the answer is in it.",
        "not_asked": "The question asks for no particular language.",
    },
)


@dataclass(frozen=True)
class AskedLanguageMissing(Rule):
    """Decides that an answer holds nothing in the language that the question asks for.

    Read are requests to translate into, to write or answer in, and to say in a language, in
    English, Russian, Chinese and Japanese. An answer that as a whole is in a language which the
    question does not allow has the fault wrong_language instead, and one that gives the words in
    Latin letters the fault romanised: one fault, one rule.
    """

    version: ClassVar[str] = "8"
    about: ClassVar[str] = "The language that the question asks for is used."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "asked_language_missing"
    fault_title: ClassVar[str] = "Asked-for language not used"
    fault_about: ClassVar[str] = (
        "The question asks for an answer, or for a translation, in a certain language, and "
        "nothing in the answer is in that language."
    )
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "relevance"
    why: ClassVar[str] = (
        "The very thing that was asked for, a translation, a letter, an example, is not there."
    )
    misses: ClassVar[str] = (
        "Requests in other words, a single foreign word in an answer that needed a text, "
        "two languages of Latin letters where the "
        "answer quotes or lists anything."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How do you say good morning in Chinese?",
            "It is a common greeting that people use before noon.",
            "No Chinese stands in it.",
            "It is a common greeting that people use before noon.",
        ),
        FaultExample(
            "「おはよう」は中国語で何と言いますか？",
            "朝の挨拶で、友だちや同僚に会ったときに使う言葉です。",
            "中国語がない。",
            "朝の挨拶で、友だちや同僚に会ったときに使う言葉です。",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample("How do you say good morning in Chinese?", "早上好", "Here it is."),
        FaultExample(
            "Сколько людей говорит на французском в Канаде?",
            "Около десяти миллионов, большинство живут в Квебеке.",
            "О французском спросили, но не на нём.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "I wonder what good morning might be for a Chinese ear.",
            "It is a common greeting that people use before noon.",
            "Overlooked: the wish is put in other words.",
        ),
    )

    @classmethod
    def can_have(cls, question: Question) -> bool:
        """A language is asked for."""
        return bool(requested_language(question.text))

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        asked = requested_language(question.text)
        if not asked:
            return Mark.unscored("not_decisive", say("not_asked"))
        allowed = allowed_languages(question.text, question.language, question.context)
        if used(text, asked, allowed.own, question.text) or sum(map(str.isalpha, text[:1000])) < 12:
            return Mark.unscored("not_decisive", say("maybe", language=language_name(asked)))
        if romanised(text, question.text, allowed):
            return Mark.unscored(
                "not_decisive",
                say("another_rule", language=language_name(asked)),
            )
        return worst(
            criterion,
            say("missing", language=language_name(asked)),
            [span(text, 0, len(text))],
        )
