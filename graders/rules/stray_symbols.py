"""Leftovers of markup, templates and model tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.languages.asked_language import allowed_languages
from graders.rules.writing.leftovers import leftovers
from graders.rules.writing.marks import flawed, refusal, span

say = carried(
    "stray_symbols",
    {
        "found": "{what}.",
        "found_more": "{what} and {more} more.",
        "none": "Nothing stands in the text that was not meant for the reader.",
    },
)

_SHOWN = 20


#: Answers to these show what broke.
_ABOUT_ENCODINGS = re.compile(
    r"mojibake|garbled|kryakozyabr|кракозябр|иероглифы вместо|кодировк|乱码|锟斤拷|烫烫|文字化け",
    re.I,
)


@dataclass(frozen=True)
class StraySymbols(Rule):
    """Decides that signs stand in the text that were not meant for the reader.

    Read are placeholders, gaps that were not filled, tokens of models, marks of sources, entities
    and tags of HTML, escaped line breaks, stars of emphasis and formulas without a partner, single
    broken characters. Not where the question is about them, and not in code. The signs are the same
    in every language; emoji are fine.
    """

    version: ClassVar[str] = "5"
    about: ClassVar[str] = "No leftovers of markup, templates or model tokens stand in the text."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "stray_symbols"
    fault_title: ClassVar[str] = "Stray symbols"
    fault_about: ClassVar[str] = (
        "Signs that belong to no word stand in the text: left-over markup, doubled punctuation, "
        "placeholders."
    )
    severity: ClassVar[str] = "minor"
    speaks_to: ClassVar[str] = "mistakes"
    why: ClassVar[str] = (
        "The reader stumbles, wonders whether something is missing, and trusts the rest less."
    )
    misses: ClassVar[str] = (
        "Single underscores and stars, unusual tags, headings without their space, "
        "placeholders in other words."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a thank-you note.",
            "Dear {{name}}, thank you for the lovely flowers.",
            "A gap that a program should have filled.",
            "{{name}}",
        ),
        FaultExample(
            "天空为什么是蓝色的？", "因为空气散射蓝光。<|im_end|>", "这是模型的记号。", "<|im_end|>"
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What is 2**3 in Python?",
            "2**3 is 8, because ** means power.",
            "The question is about the signs.",
        ),
        FaultExample(
            "Дай шаблон письма.",
            "Уважаемый [Имя]!\n\nБлагодарю вас за письмо.\n\n[Ваше имя]",
            "Пропуски заполнит человек.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What is a comet?",
            "A comet is a _ball of ice and dust.",
            "Overlooked: a single underscore.",
            "_ball",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        question, text = subject.question, subject.answer.text
        if _ABOUT_ENCODINGS.search(question.text[:4_000]):
            return Mark.unscored("not_decisive", say("none"))
        found = leftovers(
            text, question.text, allowed_languages(question.text, question.language).own
        )
        if not found:
            return Mark.unscored("not_decisive", say("none"))
        what = f"{found[0].what[0].upper()}{found[0].what[1:]}"
        rationale = say("found_more" if len(found) > 1 else "found", what=what, more=len(found) - 1)
        return flawed(
            criterion, rationale, [span(text, one.start, one.end) for one in found[:_SHOWN]]
        )
