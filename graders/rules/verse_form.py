"""The form of verse, as far as it can be counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Evidence, Mark, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import language_of
from graders.core.words import carried
from graders.rules.forms.edges import missed_edge, missed_heads
from graders.rules.forms.rhyme import rhymes
from graders.rules.forms.syllables import (
    english_syllables,
    han_characters,
    morae,
    morae_between,
    russian_syllables,
    words,
)
from graders.rules.forms.verse import candidates, clauses, is_regular
from graders.rules.forms.verse_asked import VerseAsked, verse_asked
from graders.rules.writing.marks import best, refusal, span, worst

say = carried(
    "verse_form",
    {
        "counted.characters": "{asked} characters asked for, {shown} counted.",
        "counted.morae": "{asked} morae asked for, {shown} counted.",
        "counted.syllables": "{asked} syllables asked for, {shown} counted.",
        "any_rhyme": "Rhyme asked for; no two lines near each other rhyme.",
        "each": "{asked} lines in each stanza asked for, {lines} counted in one.",
        "edge": "All lines should begin or end with {edge!r}.",
        "heads": "The lines should begin with {heads}.",
        "lines": "{asked} lines asked for, {lines} counted.",
        "no_rhyme": "{scheme} asked for; {first!r} and {second!r} do not rhyme.",
        "no_syllables": "Syllables cannot be counted in this language.",
        "no_verse": "No verse can be told from prose in the answer.",
        "not_asked": "Nothing is asked of verse that could be counted.",
        "rhyme": "{scheme} asked for; the lines rhyme so.",
        "counted.words": "{asked} words asked for, {shown} counted.",
        "shape_found": "Stanzas of {asked} lines asked for, {found} counted.",
        "shape": "{shape} asked for, {lines} lines counted.",
        "stanzas": "{asked} stanzas asked for, {stanzas} counted.",
        "unclear_rhyme": (
            "{scheme} asked for; {pairs} pairs of lines cannot be decided by spelling."
        ),
        "undivided.one": "{shape} asked for, one line that cannot be divided.",
        "undivided.other": "{shape} asked for, {n} lines that cannot be divided.",
        "undivided_by": "{scheme} asked for; {lines} lines cannot be divided by it.",
    },
)

_READ = 30_000
_COUNT: dict[str, tuple[str, Callable[[str], int | None], int]] = {
    # What is counted, by what, and by how much the count may be off.
    "en": ("syllables", english_syllables, 1),
    "ru": ("syllables", russian_syllables, 0),
    "zh": ("characters", han_characters, 0),
    "ja": ("morae", morae, 0),
    "words": ("words", words, 0),
}


@dataclass(frozen=True)
class Finding:
    """What came of one demand: held, broken, or open (None), with a sentence and the line that it
    is about."""

    held: bool | None
    text: str
    line: str = ""


@dataclass(frozen=True)
class VerseForm(Rule):
    """Decides whether verse keeps to what was asked and can be counted: lines, stanzas, syllables,
    rhyme scheme, fixed forms.

    Read are the question and its required elements. Counted are lines and stanzas in any language;
    syllables in English (by spelling, one off is left open) and Russian, characters in Chinese,
    morae in Japanese where a line is in kana; rhyme schemes in English and Russian by spelling.
    haiku and tanka, limerick (with its AABBA), sonnet, couplet, quatrain, 绝句 and 律诗 bring their
    own numbers. A haiku may be one syllable off unless 5-7-5 is asked for in so many words.
    The best value where all demands hold, the worst where one is surely broken, else
    ``not_countable``. Read are the first 30,000 characters.
    """

    version: ClassVar[str] = "6"
    about: ClassVar[str] = "The verse has the lines, syllables and rhymes that were asked for."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "broken_verse_form"
    fault_title: ClassVar[str] = "Form of the verse broken"
    fault_about: ClassVar[str] = (
        "The question asks for a fixed form, a number of lines, stanzas or syllables, or a "
        "rhyme scheme, and the verse does not keep to it."
    )
    severity: ClassVar[str] = "major"
    speaks_to: ClassVar[str] = "form"
    why: ClassVar[str] = (
        "A haiku of seven lines or a sonnet of four is not what was asked, however beautiful it is."
    )
    misses: ClassVar[str] = (
        "Eye rhymes and words whose spelling hides their sound (then open), "
        "stress and metre, tones, readings of kanji, several poems "
        "in one answer, one line too many that may be a closing sentence, at least and about."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a poem of eight lines about the sea.",
            (
                "The sea is wide and blue,\nthe waves come rolling in,\nI walk along with "
                "you\nand feel them on my skin."
            ),
            "Four lines of eight.",
        ),
        FaultExample(
            "写一首五言绝句",
            "春天来了花儿开，\n小鸟枝头唱起来。\n我和朋友去郊外，\n风筝飞到白云外。",
            "每句七个字。",
            "春天来了花儿开",
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a haiku about autumn.",
            "Red leaves on the path\nThe wind takes them one by one\nA bench stays empty",
            "5-7-5.",
        ),
        FaultExample(
            "Напиши двустишие о реке.",
            "**Река**\n\nРека течёт в туман,\nИ берег тих и пьян.",
            "Заглавие не строка стихов.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Write a limerick about a teacher.",
            "A teacher who came from Peru\nonce taught all her students to moo,\nand when "
            "they had learned,\nthe headmaster "
            "turned\nand said that he liked it, too,\nbut asked for a bark from a few.",
            "Overlooked: the sixth line may be a closing sentence.",
            "but asked for a bark from a few.",
        ),
    )

    @classmethod
    def can_have(cls, question: Question) -> bool:
        """A form of verse is asked for."""
        return verse_asked(question.text, question.must_have).any

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        asked = verse_asked(subject.question.text, subject.question.must_have)
        if not asked.any:
            return Mark.unscored("not_countable", say("not_asked"))
        text = subject.answer.text[:_READ]
        poems = candidates(text)
        if not poems or len(subject.answer.text) > _READ:
            return Mark.unscored("not_countable", say("no_verse"))
        # A poem that has its lines has no title directly above the first one.
        wanted = len(asked.pattern) or asked.lines
        if sum(map(len, poems[0])) == wanted:
            poems = [poem for poem in poems if sum(map(len, poem)) >= wanted]
        if asked.pattern:
            # What is said of a haiku may stand in short lines, too.
            size = len(asked.pattern)
            poems += [
                [one] for poem in poems for one in poem if len(one) == size < sum(map(len, poem))
            ]
        language = language_of(text[:3000])
        readings = [list(_findings(asked, stanzas, language)) for stanzas in poems]
        # The reading that fits best counts: a line at the end may belong to the poem, or speak
        # about it.
        found = min(
            readings,
            key=lambda one: (sum(f.held is False for f in one), sum(f.held is None for f in one)),
        )
        broken = [finding for finding in found if finding.held is False]
        said = " ".join(finding.text for finding in (broken or found))
        if broken:
            return worst(criterion, said, _evidence(text, broken))
        if any(finding.held is None for finding in found):
            return Mark.unscored("not_countable", said)
        return best(criterion, said)


def _evidence(text: str, broken: Sequence[Finding]) -> list[Evidence]:
    places = [
        (at, len(finding.line))
        for finding in broken
        if finding.line and (at := text.find(finding.line)) >= 0
    ]
    return [span(text, at, at + length) for at, length in places] or [Evidence(absent=True)]


def _findings(asked: VerseAsked, stanzas: list[list[str]], language: str) -> Iterator[Finding]:
    """What came of each demand on these stanzas."""
    lines = [line for stanza in stanzas for line in stanza]
    doubled = 2 * len(lines) == asked.lines or len(lines) <= 1 or is_regular(clauses(lines))
    if language == "zh" and (asked.characters or (doubled and len(clauses(lines)) == asked.lines)):
        lines = clauses(lines)
    if asked.lines:
        yield Finding(len(lines) == asked.lines, say("lines", asked=asked.lines, lines=len(lines)))
    if asked.stanzas:
        yield Finding(
            len(stanzas) == asked.stanzas,
            say("stanzas", asked=asked.stanzas, stanzas=len(stanzas)),
        )
    if asked.each and any(len(stanza) != asked.each for stanza in stanzas):
        wrong = next(stanza for stanza in stanzas if len(stanza) != asked.each)
        yield Finding(False, say("each", asked=asked.each, lines=len(wrong)), wrong[-1])
    if asked.least:
        said = say("lines", asked=asked.least, lines=len(lines))
        yield Finding(len(lines) >= asked.least or False, said)
    if asked.sizes:
        found = tuple(map(len, stanzas))
        shapes = ["-".join(map(str, one)) for one in (asked.sizes, found)]
        said = say("shape_found", asked=shapes[0], found=shapes[1])
        yield Finding(found == asked.sizes, said)
    if asked.pattern:
        size = len(asked.pattern)
        several = len(stanzas) > 1 and all(len(stanza) == size for stanza in stanzas)
        for part in stanzas if several else [lines]:
            yield from _patterned(asked, part, language)
    if asked.rhymed and len(lines) >= 4:
        yield _rhymed_at_all(lines, language)
    if asked.edges.heads:
        missed = missed_heads(asked.edges.heads, lines)
        said = say("heads", heads="-".join(asked.edges.heads))
        yield Finding(missed is None, said, missed or "")
    if asked.edges.every:
        missed = missed_edge(asked.edges, lines)
        yield Finding(missed is None, say("edge", edge=asked.edges.every), missed or "")
    if asked.units:
        yield from _measured(
            lines,
            [asked.units] * len(lines),
            language,
            slack=_COUNT.get(language, ("", None, 0))[2],
        )
    if asked.characters:
        yield from _measured(lines, [asked.characters] * len(lines), "zh", slack=0)
    if asked.scheme:
        yield _rhymed(asked.scheme, lines, language)


def _rhymed_at_all(lines: list[str], language: str) -> Finding:
    """Whether any two lines near each other may rhyme."""
    pairs = [
        rhymes(lines[one], lines[other], language)
        for one in range(len(lines))
        for other in range(one + 1, min(one + 4, len(lines)))
    ]
    held = False if all(pair is False for pair in pairs) else (True if True in pairs else None)
    return Finding(held, say("any_rhyme"), lines[1])


def _patterned(asked: VerseAsked, lines: Sequence[str], language: str) -> Iterator[Finding]:
    """A haiku or tanka: its number of lines, and what each of them holds."""
    shape = "-".join(map(str, asked.pattern))
    if len(lines) == 1 or (language == "ja" and len(lines) < len(asked.pattern)):
        # One line, or three of a tanka, as it is printed in Japan: the whole can be counted where
        # all of it is in kana.
        total = morae("".join(lines)) if language == "ja" else None
        if language == "ja" and total is None and (short := _too_short(lines, asked.pattern)):
            yield Finding(False, say("undivided", shape=shape, n=len(lines)), short)
            return
        held = (
            None
            if total is None
            else total == sum(asked.pattern)
            or (None if abs(total - sum(asked.pattern)) < 3 else False)
        )
        yield Finding(held, say("undivided", shape=shape, n=len(lines)), lines[0])
    elif len(lines) != len(asked.pattern):
        yield Finding(False, say("shape", shape=shape, lines=len(lines)))
    elif asked.by_words:
        yield from _measured(lines, asked.pattern, "words", slack=0)
    else:
        # A foot more or less is a liberty that poets take, unless the numbers themselves were asked
        # for.
        yield from _measured(
            lines,
            asked.pattern,
            language,
            slack=_COUNT.get(language, ("", None, 0))[2] if asked.strict else 1,
        )


def _too_short(lines: Sequence[str], pattern: tuple[int, ...]) -> str:
    """The first line, where three lines fit a haiku and hold too little for the longer form that
    was asked for; a kanji is read with two and a half morae at most on average."""
    if len(lines) != 3 or sum(pattern) <= 17:
        return ""
    bounds = [morae_between(line) for line in lines]
    haiku = all(low <= n <= high for (low, high), n in zip(bounds, (5, 7, 5), strict=True))
    # Of each kanji 4 morae are the most and 1 the least: 2.5 lies in the middle.
    most = sum((low + high) / 2 for low, high in bounds)
    return lines[0] if haiku and most < sum(pattern) - 2 else ""


def _measured(
    lines: Sequence[str], wanted: Sequence[int], language: str, slack: int
) -> Iterator[Finding]:
    """Lines against their numbers; a difference within `slack` is left open."""
    if language not in _COUNT:
        yield Finding(None, say("no_syllables"))
        return
    what, count, _ = _COUNT[language]
    counts = [count(line) for line in lines]
    shown = "-".join("?" if one is None else str(one) for one in counts)
    summary = say(f"counted.{what}", asked="-".join(map(str, wanted)), shown=shown)
    far = [
        line
        for line, one, number in zip(lines, counts, wanted, strict=True)
        if one is not None and abs(one - number) > slack
    ]
    if language == "ja":
        bounds = [
            (line, number, morae_between(line)) for line, number in zip(lines, wanted, strict=True)
        ]
        far += [
            line
            for line, number, (low, high) in bounds
            if low > number + max(slack, 1) or high < number - max(slack, 1)
        ]
    if far:
        yield Finding(False, summary, far[0])
    else:
        yield Finding(True if list(counts) == list(wanted) else None, summary)


def _rhymed(scheme: str, lines: list[str], language: str) -> Finding:
    """Lines that must rhyme do; the scheme begins anew after its last line."""
    if len(lines) % len(scheme):
        return Finding(None, say("undivided_by", scheme=scheme, lines=len(lines)))
    open_pairs = 0
    for start in range(0, len(lines), len(scheme)):
        part = lines[start : start + len(scheme)]
        for letter in dict.fromkeys(scheme):
            same = [line for line, own in zip(part, scheme, strict=True) if own == letter]
            for first, second in pairwise(same):
                held = rhymes(first, second, language)
                if held is False:
                    return Finding(
                        False,
                        say("no_rhyme", scheme=scheme, first=_end(first), second=_end(second)),
                        second,
                    )
                open_pairs += held is None
    if open_pairs:
        return Finding(None, say("unclear_rhyme", scheme=scheme, pairs=open_pairs))
    return Finding(True, say("rhyme", scheme=scheme))


def _end(line: str) -> str:
    return line.split()[-1].strip(".,;:!?…—–-\"'”’»") if line.split() else line
