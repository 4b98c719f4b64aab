"""Foreign sentences to learn from, and no translation beside them."""

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
from graders.rules.languages.asked_language import code_of
from graders.rules.languages.learners import language_of_reader, learned_language
from graders.rules.languages.learning import sentences_to_learn
from graders.rules.languages.pieces import same_script
from graders.rules.writing.marks import refusal, span, worst

say = carried(
    "missing_translation",
    {
        "missing": "{bare} of {sentences} {language} sentences have no translation beside them.",
        "not_asked": "The question does not ask for foreign sentences to learn from.",
        "translated": "{translated} of {sentences} {language} sentences are translated.",
    },
)

_SHOWN = 20


@dataclass(frozen=True)
class MissingTranslation(Rule):
    """Decides that sentences of a foreign language, asked for to learn from, stand without a
    translation.

    Read are questions for sentences, phrases, dialogues, texts and examples, in English, Russian,
    Chinese and Japanese, of people who say that they learn, or let it be seen by a class, an exam
    (JLPT), a point of grammar, a journey; not where the question wants no translation, a letter, a
    text for customers or readers, or is itself a request to translate. Two thirds of the sentences
    must lack a translation.
    """

    version: ClassVar[str] = "6"
    about: ClassVar[str] = "Foreign sentences to learn from have a translation beside them."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "missing_translation"
    fault_title: ClassVar[str] = "No translation beside foreign sentences"
    fault_about: ClassVar[str] = (
        "The question asks for sentences in a foreign language with a translation, and some of "
        "them stand without one."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "completeness"
    why: ClassVar[str] = "A learner who does not know the words yet cannot use the examples at all."
    misses: ClassVar[str] = (
        "Single words, the sound in brackets (taken for a translation), "
        "learners who give no sign of it, two languages in one "
        "question, a translation that is there but wrong."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "I am learning Spanish. Give me useful sentences.",
            "1. Quisiera ver el menú, por favor.\n2. ¿Me puede traer la cuenta?",
            "No English beside them.",
            "Quisiera ver el menú, por favor.",
        ),
        FaultExample(
            "我在学英语，请给我几个用 although 的例句。",
            "1. Although it was raining, we went out.\n2. She smiled although she was tired.",
            "没有译文。",
            "Although it was raining, we went out.",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "I am learning Spanish. Give me useful sentences.",
            (
                "1. ¿Cuánto cuesta? (How much is it?)\n2. ¿Dónde está la estación? (Where is the "
                "station?)"
            ),
            "Each has its translation.",
        ),
        FaultExample(
            "Составь диалог на английском для практики, перевод не нужен.",
            "Anna: Hello! How are you?\nTom: I am fine, thank you.",
            "Перевод не нужен.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a short story in Spanish about a fox.",
            (
                "Había una vez un zorro que vivía cerca de un río. Cada noche miraba la luna y "
                "cantaba."
            ),
            "Overlooked: nothing shows that the reader learns.",
            (
                "Había una vez un zorro que vivía cerca de un río. Cada noche miraba la luna y "
                "cantaba."
            ),
        ),
    )

    @classmethod
    def can_have(cls, question: Question) -> bool:
        """Foreign sentences to learn from are asked for."""
        own = language_of_reader(question.text, code_of(question.language))
        return bool(own and learned_language(question.text, own))

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        own = language_of_reader(question.text, code_of(question.language))
        other = learned_language(question.text, own) if own else ""
        if not other:
            return Mark.unscored("not_decisive", say("not_asked"))
        found = sentences_to_learn(text, own, other)
        bare = [one for one in found if not one.translated]
        letters = sum(one.end - one.start for one in bare)
        of_all = sum(one.end - one.start for one in found)
        least = 2 if same_script(own, other) else 1
        if len(bare) < least or max(len(bare) / len(found), letters / of_all) < 2 / 3:
            return Mark.unscored(
                "not_decisive",
                say(
                    "translated",
                    translated=len(found) - len(bare),
                    sentences=len(found),
                    language=language_name(other),
                ),
            )
        rationale = say(
            "missing", bare=len(bare), sentences=len(found), language=language_name(other)
        )
        return worst(
            criterion, rationale, [span(text, one.start, one.end) for one in bare[:_SHOWN]]
        )
