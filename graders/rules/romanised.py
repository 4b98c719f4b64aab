"""Pinyin, romaji or transliterated Russian in place of the script."""

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
from graders.rules.languages.romanised import romanised
from graders.rules.writing.marks import refusal, span, worst

say = carried(
    "romanised",
    {
        "none": "No Chinese, Japanese or Russian stands in Latin letters alone.",
        "romanised": "{language} in Latin letters, without its script beside it.",
    },
)

_SHOWN = 20


@dataclass(frozen=True)
class RomanisedText(Rule):
    """Decides that Chinese, Japanese or Russian is written in Latin letters only, where its own
    script belongs.

    Looked at are the question's own language and those that it names. Names, loan words, addresses
    and code do not count, nor anything where the question asks for pinyin, romaji, Latin letters or
    the sound.
    """

    version: ClassVar[str] = "6"
    about: ClassVar[str] = "Chinese, Japanese and Russian stand in their own script."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "romanised"
    fault_title: ClassVar[str] = "Latin letters in place of the script"
    fault_about: ClassVar[str] = (
        "Words of a language that has its own script, such as Russian, Chinese or Japanese, are "
        "written in Latin letters though nobody asked for that. Pronunciation beside the script "
        "is no fault."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "language"
    why: ClassVar[str] = (
        "Who reads the language stumbles over every word, and who learns it learns no script."
    )
    misses: ClassVar[str] = (
        "A single word that is no usual greeting or where the question does not name the "
        "language, pinyin without tones and without "
        "common words, other languages with a script of their own (Korean, Arabic and more)."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Translate into Chinese: I like you very much.",
            "Wo hen xihuan ni.",
            "Not one Chinese character.",
            "Wo hen xihuan ni",
        ),
        FaultExample(
            "Почему небо голубое?",
            "Nebo goluboe, potomu chto vozdukh rasseivaet siniy svet silnee krasnogo.",
            "По-русски пишут кириллицей.",
            "Nebo goluboe, potomu chto vozdukh rasseivaet siniy svet silnee krasnogo",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Translate into Chinese: I like you very much.",
            "我很喜欢你 (wǒ hěn xǐhuan nǐ)",
            "The sound stands beside the script.",
        ),
        FaultExample(
            "有哪些知名的日本公司？",
            "Toyota、Honda、Nintendo、Sony 和 Panasonic。",
            "这些是公司名。",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What do Japanese people say before a meal?",
            'They put their hands together and say "Itadakimasu".',
            "Overlooked: one word, and the question does not name the language.",
            "Itadakimasu",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        found = romanised(
            text,
            question.text,
            allowed_languages(question.text, question.language, question.context),
        )
        if not found:
            return Mark.unscored("not_decisive", say("none"))
        rationale = say("romanised", language=language_name(found[0].language))
        return worst(
            criterion, rationale, [span(text, one.start, one.end) for one in found[:_SHOWN]]
        )
