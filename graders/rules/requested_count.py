"""More or fewer items than asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from graders.core.contracts import Finding, Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.words import carried
from graders.rules.counts.asked_count import Asked, asked_count, fold_lines
from graders.rules.counts.asked_loosely import asked_paragraphs, paragraphs_given
from graders.rules.counts.asked_one import asked_one, several_of_one_kind
from graders.rules.counts.asked_sentences import asked_sentences, sentences_given
from graders.rules.counts.counted import Counted, How, counted_items
from graders.rules.counts.one_given import one_given
from graders.rules.counts.ordinals import ordinals_given
from graders.rules.writing.marks import refusal, span, worst

say = carried(
    "requested_count",
    {
        "counted": "{asked} asked for, {count} counted ({how}).",
        "maybe_parts": "{asked} asked for; the lists of the answer may be parts of it.",
        "no_list": "{asked} asked for; the answer has no list that could be counted.",
        "no_number": "The question asks for no number of items that could be counted.",
        "paragraphs": "{asked} paragraphs asked for, {count} counted.",
        "sentences": "{asked} sentences asked for, {count} counted.",
        "unclear": "{asked} asked for; the lists of the answer can be counted in several ways.",
    },
)

_SHOWN = 20


@dataclass(frozen=True)
class RequestedCount(Rule):
    """Decides that an answer gives another number of items than the question asks for.

    Read are numbers in digits and words, ranges, at least, at most and about, in English, Russian,
    Chinese and Japanese; counted are numbered items, headings, bullets, rows, parts between rules,
    plain lines and enumerations. Of running text only this is counted: items that count themselves
    ("First, ... Second, ..."), one thing that is named as one, and a single short sentence where
    three or more were asked for.
    One is read before a riddle, a joke, a name and other short things, against an answer that is a
    numbering of several; of riddles, jokes and their like "a" is read as one.
    The right number says nothing about what the items are worth, so it is not decisive. A wrong one
    is measured where the number was asked for in digits and the items can be counted in one way.
    """

    version: ClassVar[str] = "8"
    about: ClassVar[str] = "The answer gives as many items as the question asks for."
    default_scale: ClassVar[Scale] = YES_NO
    finding: ClassVar[Finding] = Finding.EITHER
    fault: ClassVar[str] = "wrong_count"
    fault_title: ClassVar[str] = "Wrong number of items"
    fault_about: ClassVar[str] = (
        "The question asks for a number of items, and the answer gives more or fewer."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "relevance"
    why: ClassVar[str] = (
        "Who asked for five and gets three must ask again; who gets eight must throw three away."
    )
    misses: ClassVar[str] = (
        "Several numbers in one question, lengths (words, sentences, days), "
        "several items in plain paragraphs without ordinals, a wrong "
        "number that another way of counting explains, several things without a numbering "
        "where one was asked for."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Give me five ideas for a rainy day.",
            "1. Bake bread\n2. Read a novel\n3. Build a fort",
            "Three of five.",
            "1. Bake bread",
        ),
        FaultExample(
            "为校报提出八个选题。",
            "1. 食堂饭菜\n2. 运动会\n3. 好书推荐",
            "只有三个。",
            "1. 食堂饭菜",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Recommend 3-5 books on history.",
            "1. SPQR\n2. The Guns of August\n3. Sapiens\n4. 1491",
            "Four lie between three and five.",
        ),
        FaultExample(
            "Write a story about three friends.",
            "1. The start\nAnna met Ben.\n2. The end\nThey were happy.",
            "Three friends are no number of items.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Give me five ideas for a rainy day.",
            (
                "You could bake bread, which takes the whole morning and smells good. "
                "Or read a novel that you left half finished in summer."
            ),
            "Overlooked: items in plain paragraphs.",
        ),
    )

    @classmethod
    def can_have(cls, question: Question) -> bool:
        """A number of something is asked for, or may be: what asks for several kinds is read by
        nobody here."""
        text = question.text[:4_000]
        if any(map(str.isdigit, text)) or asked_paragraphs(fold_lines(text).casefold()) is not None:
            return True
        return any(read(text) is not None for read in (asked_sentences, asked_count, asked_one))

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        paragraphs = asked_paragraphs(fold_lines(subject.question.text[:4_000]).casefold())
        if paragraphs is not None:
            given = paragraphs_given(subject.answer.text)
            return _prose(subject.answer.text, criterion, paragraphs, given, "paragraphs")
        wanted = asked_sentences(subject.question.text)
        if wanted is not None:
            given = sentences_given(subject.answer.text)
            return _prose(subject.answer.text, criterion, wanted, given, "sentences")
        asked = asked_count(subject.question.text)
        one = asked_one(subject.question.text) if asked is None else None
        asked = asked or one
        if asked is None:
            return Mark.unscored("not_countable", say("no_number"))
        counted = self._counted(subject.answer.text, None if one else asked)
        if not counted.counts:
            return Mark.unscored(
                "not_countable",
                say("no_list", asked=asked.describe()),
            )
        if one and not several_of_one_kind(subject.answer.text, counted):
            return Mark.unscored(
                "not_countable",
                say("maybe_parts", asked=one.describe()),
            )
        fitting = next((count for count in counted.counts if asked.fits(count)), None)
        if fitting is not None:
            return Mark.unscored(
                "not_decisive",
                say("counted", asked=asked.describe(), count=fitting, how=counted.words),
            )
        rationale = say(
            "counted", asked=asked.describe(), count=counted.counts[0], how=counted.words
        )
        if not counted.sure and max(counted.counts) >= asked.low:
            return Mark.unscored(
                "not_countable",
                say("unclear", asked=asked.describe()),
            )
        text = subject.answer.text
        mark = worst(
            criterion, rationale, [span(text, start, end) for start, end in counted.spans[:_SHOWN]]
        )
        measured = counted.sure and not one and re.search(r"\d", asked.words)
        return replace(mark, confidence=1.0, confidence_kind="measured") if measured else mark

    def _counted(self, answer: str, several: Asked | None) -> Counted:
        """The items of an answer; in running text those that count themselves, or the one that is
        named, where `several` were asked for."""
        counted = counted_items(answer)
        if several is None or (counted.counts and counted.how is not How.ITEMS):
            return counted
        by_words = ordinals_given(answer, several.words)
        if by_words is not None:
            return by_words
        return counted if counted.counts else one_given(answer, several.low, several.words)


def _prose(answer: str, criterion: Criterion, asked: int, counts: Sequence[int], key: str) -> Mark:
    """Paragraphs or sentences of a text without lists against their number: `counts` are those
    that a reader may come to, `key` that of what is said."""
    if not counts:
        return Mark.unscored("not_countable", say("no_list", asked=str(asked)))
    words = say(key, asked=asked, count=counts[-1])
    if asked in counts:
        return Mark.unscored("not_decisive", words)
    return worst(criterion, words, [span(answer, 0, len(answer))])
