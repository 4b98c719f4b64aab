"""A passage in another language, and nothing that explains it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.language import language_name
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import language_of, scripts
from graders.core.words import carried
from graders.rules.languages.asked_language import Allowed, allowed_languages
from graders.rules.languages.passages import foreign_passages
from graders.rules.languages.segments import LATIN_LANGUAGES, shares
from graders.rules.writing.marks import refusal, span, worst
from graders.rules.writing.unreadable import damages

say = carried(
    "foreign_passage",
    {
        "no_language": "The language of the question is not known.",
        "none": "No unexplained passage in another language stands in the answer.",
        "open": "The question leaves the language of the answer open.",
        "passage": "A passage in {language}, and nothing that explains it.",
        "whole": "The answer as a whole is in the wrong language, or in none.",
    },
)

_SHOWN = 20


@dataclass(frozen=True)
class ForeignPassage(Rule):
    """Decides that a sentence or more stands in a language that the question neither uses nor
    names, without an explanation.

    Quotations, titles, names, code, tables, and passages that a colon introduces or a bracket, a
    dash or a word such as "means" explains do not count. Where so much is foreign that the whole
    answer is in the wrong language, or languages are mixed within sentences, other rules speak.
    """

    version: ClassVar[str] = "7"
    about: ClassVar[str] = "No unexplained passage in another language stands in the answer."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "foreign_passage"
    fault_title: ClassVar[str] = "Unexplained passage in another language"
    fault_about: ClassVar[str] = (
        "A sentence or clause in another language stands in the answer, was not asked for, and "
        "is not explained or translated."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "language"
    why: ClassVar[str] = "The reader loses a part of the answer, in the middle of it."
    misses: ClassVar[str] = (
        "Passages of fewer than five words, passages in a related language of the same "
        "script, a passage after a colon that explains "
        "nothing."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Чем полезен сон?",
            "Сон помогает мозгу сохранять воспоминания, а телу восстанавливать силы. "
            "It also helps you to stay calm during "
            "the day. Поэтому ложиться спать лучше до полуночи, а перед сном не пить кофе.",
            "Одна фраза на чужом языке, без перевода.",
            "It also helps you to stay calm during the day.",
        ),
        FaultExample(
            "睡眠有什么好处？",
            "睡眠能帮助大脑保存记忆，也能让身体恢复体力。It also helps you to stay calm "
            "during the day. "
            "所以最好在午夜之前上床睡觉，睡前不要喝咖啡，也不要看手机。",
            "中间一句没有解释。",
            "It also helps you to stay calm during the day.",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Какой девиз у Олимпийских игр?",
            "Девиз: Citius, altius, fortius — быстрее, выше, сильнее.",
            "За чужими словами стоит перевод.",
        ),
        FaultExample(
            "What did Caesar say at the Rubicon?",
            (
                "He is said to have said: Alea iacta est, the die is cast. "
                "Then he crossed the river with one legion."
            ),
            "The words are introduced and explained.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Чем полезен сон?",
            "Сон помогает мозгу сохранять воспоминания и восстанавливать силы. "
            "Sleep well tonight. Поэтому ложитесь "
            "раньше, не позже полуночи.",
            "Overlooked: fewer than five words.",
            "Sleep well tonight.",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        allowed = _or_of_answer(
            allowed_languages(question.text, question.language, question.context),
            question.text,
            text,
        )
        if not allowed.own:
            return Mark.unscored("language", say("no_language"))
        if allowed.languages is None:
            return Mark.unscored("not_decisive", say("open"))
        found = foreign_passages(text, allowed, question.text)
        if not found:
            return Mark.unscored("not_decisive", say("none"))
        of_all = shares(text, allowed)
        if (of_all.wrong and of_all.foreign > 0.7 * of_all.known) or damages(
            text, allowed.own, allowed.languages, subject.question.text
        ):
            return Mark.unscored("not_decisive", say("whole"))
        rationale = say("passage", language=language_name(found[0].language))
        return worst(
            criterion, rationale, [span(text, one.start, one.end) for one in found[:_SHOWN]]
        )


def _or_of_answer(allowed: Allowed, question: str, answer: str) -> Allowed:
    """`allowed`, with the answer's main language where the question is in Latin letters and too
    short to tell ("Inflation?")."""
    if (
        allowed.own
        or allowed.languages is None
        or next(iter(scripts(question[:2_000])), "") != "Latin"
    ):
        return allowed
    main = language_of(answer)
    return (
        replace(allowed, own=main, languages=allowed.languages | {main})
        if main in LATIN_LANGUAGES
        else allowed
    )
