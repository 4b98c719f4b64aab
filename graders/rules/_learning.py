"""Questions that ask for sentences of a foreign language to learn from, and whether an answer translates them."""

from __future__ import annotations

import re
from typing import NamedTuple

from graders.core.text import language_of
from graders.rules._asked_language import LANGUAGES
from graders.rules._pieces import Piece, pieces, weight
from graders.rules._prose import without_code

_MOST, _MOST_LINES, _WIDEST = 40_000, 300, 1_000
#: Weighted letters from which a piece is a sentence.
_SENTENCE = 12

_LEARNS = re.compile(
    r"\blearn|practi[sc]|beginner|\bteach me\b|\bstudy|\bstudent|example sentences?|travell?er|tourist|useful phrases|\blevel\b|"
    r"\b[ABC][12]\b|\bwith (?:an? |the |its )?(?:english |side-by-side )?translations?\b|с (?:русским )?переводом|"
    r"(?:附|带|配)(?:上|有)?(?:中文)?(?:翻译|译文)|"
    r"(?:和訳|翻訳|日本語訳|訳)(?:付き|つき|を付け|をつけ)|"
    r"\bучу\b|\bучим\b|изуча|\bнаучи|практик|начинающ|для урока|уровн|пример\w* предложений|полезн\w* фраз|турист|"
    r"在学|学习|想学|练习|初学|教我|例句|旅行用|学生|勉強|練習|初心者|学ん|学び|学習|教えて|例文|旅行用",
    re.I,
)
_MATERIAL = re.compile(
    r"sentences?|phrases?|dialogue|conversation|\btext\b|\bstory\b|\bexamples?\b|предложени|фраз|диалог|текст|рассказ|пример|разговор|"
    r"例句|句子|对话|会话|短文|文章|造句|[几一二两三四五六七八九十\d]句|用语|故事|用語|例文|会話|フレーズ|文章|文を|物語",
    re.I,
)
#: Other wishes: a translation into the language, or expressly none, or a letter to somebody.
_OTHERWISE = re.compile(
    r"\btranslate\b|\bwithout (?:a |any )?translation|\bno translation|not translate|e-?mail|\bletter\b|\bpoem\b|haiku|"
    r"переведи|без перевода|перевод не нуж|не переводи|письмо|стих|翻译成|译成|不要翻译|不用翻译|无需翻译|邮件|写信|诗|"
    r"に訳して|翻訳して|訳は不要|訳なし|"
    r"訳さ|メール|手紙|俳句|詩を",
    re.I,
)
_HEADING = re.compile(r"[:：]\W*$|^\s*#|^\s*\*\*[^*\n]*[^*\W]\*\*\s*$")
#: How an answer begins before its sentences: no translation of the first one.
_OPENING = re.compile(r"^\W*(?:here (?:is|are)|here's|sure|of course|certainly|вот|конечно|以下|这是|好的|はい|こちら)", re.I)
#: A line translates its neighbour if it has at least this share of its letters.
_LEAST_SHARE = 0.3


class Sentence(NamedTuple):
    """A sentence of the learned language in the answer, and whether a translation stands beside it."""

    start: int
    end: int
    translated: bool


def learned_language(question: str, own: str) -> str:
    """The language of which `question` (in `own`) wants sentences to learn from; "" where it wants none, or no translation."""
    question = question[:4_000]
    if not (_LEARNS.search(question) and _MATERIAL.search(question)) or _OTHERWISE.search(question):
        return ""
    named = {code for code, (_, names) in LANGUAGES.items() if re.search(names, question, re.I)} - {own}
    return named.pop() if len(named) == 1 else ""


def sentences_to_learn(text: str, own: str, other: str) -> list[Sentence]:
    """The sentences of `other` in `text`, in order; all count as translated where a block of `own` follows that is as long."""
    prose = without_code(text[:_MOST])
    lines = [(match.start(), match.group()[:_WIDEST]) for match in re.finditer(r"[^\n]+", prose) if not match.group().isspace()][
        :_MOST_LINES
    ]
    parts = [pieces(line, own, other) for _, line in lines]
    found: list[tuple[int, Sentence]] = []
    for number, (start, line) in enumerate(lines):
        foreign = [part for part in parts[number] if part.language == other and weight(line[part.start : part.end], other) >= _SENTENCE]
        # A line of the reader's language stands for one sentence: the one before it, or after it.
        near = [place for place in (number - 1, number + 1) if 0 <= place < len(lines) and not (place == 0 and _OPENING.match(lines[0][1]))]
        least = _LEAST_SHARE * sum(weight(line[part.start : part.end], other) for part in foreign)
        beside = _has_own(line, parts[number], own) or any(
            _is_translation(lines[place][1], parts[place], own, other, least) for place in near
        )
        found += [(number, Sentence(start + part.start, start + part.end, beside)) for part in foreign]
    own_letters = sum(
        weight(line[part.start : part.end], own)
        for (_, line), row in zip(lines, parts, strict=True)
        for part in row
        if part.language == own and not _HEADING.search(line)
    )
    foreign_letters = sum(weight(text[one.start : one.end], other) for _, one in found)
    return [one if own_letters < 0.6 * foreign_letters else one._replace(translated=True) for _, one in found]


def _has_own(line: str, row: list[Piece], own: str, least: float = 4) -> bool:
    return any(part.language == own and weight(line[part.start : part.end], own) >= max(4, least) for part in row)


def _is_translation(line: str, row: list[Piece], own: str, other: str, least: float) -> bool:
    return _has_own(line, row, own, least) and not any(part.language == other for part in row) and not _HEADING.search(line)


def language_of_reader(question: str, label: str) -> str:
    """The language that a question is asked in, or the one that its table states."""
    return label or language_of(re.sub(r"[\"“«„「『][^\"”»“」』\n]{1,200}[\"”»“」』]", " ", question[:4_000]))
