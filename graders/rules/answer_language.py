"""Not in the language of the question."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from graders.core.contracts import Rule
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import language_of, scripts, sentences
from graders.rules._asked_language import allowed_languages, language_name
from graders.rules._marks import best, refusal, span, worst
from graders.rules._prose import blank, fences, without_marks, without_quotes

_LATIN_WORD = re.compile(r"[A-Za-zÀ-ɏ]+")
#: Characters that Chinese sentences use all the time and Japanese ones seldom or never.
_CHINESE = re.compile(r"[的了是在很也不有我他她它你就把吧]")
_DENSE = re.compile(r"[㐀-鿿ぁ-ヿ가-힣]")
_MOST_SEGMENTS = 200
_MOST_CHARACTERS = 40_000
_LATIN_LANGUAGES = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "cs", "sv", "da", "fi", "ro", "hu", "id", "vi"})


class _Segment(NamedTuple):
    start: int
    end: int
    letters: int
    language: str


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

    version: ClassVar[str] = "1"
    about: ClassVar[str] = "The answer is in the question's language, or in the one that it asks for."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "wrong_language"
    fault_title: ClassVar[str] = "Wrong language"

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
        segments = _segments(text, allowed.own)
        total = sum(segment.letters for segment in segments)
        known = sum(segment.letters for segment in segments if segment.language)
        if not known:
            return Mark.unscored("not_decisive", "Names, numbers or code: the answer has no language.")
        if allowed.directed:
            foreign = [segment for segment in segments if segment.language not in (allowed.directed, "")]
            least, wanted = 0.9, f"the question asks for {language_name(allowed.directed)}"
        else:
            foreign = [segment for segment in segments if segment.language and segment.language not in allowed.languages]
            least, wanted = 0.3, f"the question is in {language_name(allowed.own)}"
        letters = sum(segment.letters for segment in foreign)
        if foreign and letters >= least * known and letters >= 0.25 * total:
            most = Counter[str]()
            for segment in foreign:
                most[segment.language] += segment.letters
            first = foreign[0]
            rationale = f"{letters / known:.0%} of the text is {language_name(most.most_common(1)[0][0])}, {wanted}."
            return worst(criterion, rationale, [span(text, first.start, first.end)])
        rationale = f"{1 - letters / known:.0%} of the text is in a language that the question allows; {wanted}."
        return best(criterion, rationale) if self.decide_good else Mark.unscored("not_decisive", rationale)


def _segments(text: str, own: str) -> list[_Segment]:
    """The lines of the prose (sentences where a line mixes scripts) with their languages; of long texts a fixed sample."""
    code = fences(text).blocks
    lines = [(match.start(), match.group()) for match in re.finditer(r"[^\n]+", blank(text, code))]
    lines = [(start, line) for start, line in lines if not line.isspace()]
    step = max(1, -(-len(lines) // _MOST_SEGMENTS))
    longest = max(200, _MOST_CHARACTERS // (len(lines) or 1))
    pieces: list[tuple[int, str]] = []
    for start, line in lines[::step]:
        line = without_quotes(without_marks(line[:longest]))
        if max([*scripts(line).values()][1:], default=0.0) < 0.25:
            pieces.append((start, line))
            continue
        at = 0
        for sentence in sentences(line):
            at = line.index(sentence, at)
            pieces.append((start + at, sentence))
            at += len(sentence)
    return [_Segment(start, start + len(piece), _letters(piece), _language(piece, own)) for start, piece in pieces]


def _letters(piece: str) -> int:
    """Letters, where one Chinese, Japanese or Korean character counts as three."""
    return sum(map(str.isalpha, piece)) + 2 * len(_DENSE.findall(piece))


def _language(piece: str, own: str) -> str:
    """The language of a piece, "" where it may as well be names or loan words."""
    found = language_of(piece)
    if found == own or not found:
        return found
    if found in _LATIN_LANGUAGES:
        latin = _LATIN_WORD.findall(piece[:5000])
        if own in _LATIN_LANGUAGES:
            return found if sum(map(len, latin)) >= 25 else ""
        return found if sum(word[0].islower() for word in latin) >= 0.4 * len(latin) else ""
    # A name with its original in brackets.
    if own in _LATIN_LANGUAGES and scripts(piece).get("Latin", 0.0) >= 0.4:
        return ""
    # Japanese lists of names may have no kana at all.
    if (own, found) == ("ja", "zh") and _chinese_signs(piece[:2000]) < 2:
        return ""
    return found


def _chinese_signs(piece: str) -> int:
    """How many characters only Chinese uses: words of its grammar, and simplified forms, which Japanese encodings lack."""
    foreign = sum(not char.encode("cp932", "ignore") for char in piece if char.isalpha())
    return foreign + len(_CHINESE.findall(piece))
