"""Words of a language with a script of its own that an answer gives in Latin letters alone: bold,
quoted, in cells or lines of their own, where the question wants words of that language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from graders.core.text import language_of

Place = tuple[int, int]

#: Questions that want words, sentences or texts of a language.
_WANTED = re.compile(
    r"\b(?:words?|adjectives?|verbs?|nouns?|vocab\w*|lyrics?|characters?|sentences?|phrases?|say|"
    r"write|written|"
    r"translat\w+|call(?:ed)?|names? for|numbers?|menu|sign|poem|haiku|letter|message|greetings?|"
    r"expressions?|"
    r"give the|dialogue|conversation)\b|"
    r"слов|фраз|предложени|глагол|прилагательн|перевед|перевод|как (?:будет|сказать|пишется|"
    r"написать)|напиши|"
    r"диалог|стих|текст|"
    r"单词|词汇|形容词|动词|名词|歌词|例句|句子|怎么说|怎么写|翻译|短语|数字|对话|汉字|"
    r"単語|形容詞|動詞|名詞|歌詞|例文|フレーズ|書き|書く|書い|言い|言う|訳|会話|漢字|挨拶",
    re.I,
)
_SPAN = re.compile(
    r"(?:是|叫做?|读作|写作|写成|说成)\s*(?P<said>[a-z][A-Za-z' ]{2,40})(?=[，。、；,.;]|$)|"
    r"\*{1,2}(?P<bold>[^*\n]{2,120})\*{1,2}|[\"“「『](?P<quote>[^\"”」』\n]{2,160})[\"”」』]|"
    r"(?:^|\|)[ \t>]*(?:[-*•]\s+|\d{1,2}[.)、．]\s*)?(?P<head>[A-Za-zÀ-ɏ'’ -]{2,80}?)\s*(?=[|"
    r"…—–(（=:：]|\s-\s|$)",
    re.M,
)
_WORD = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’]*")
_EASTERN = re.compile(r"[㐀-鿿ぁ-ヿ\u0400-\u04ff]")
_TONED = re.compile("[\u0300\u0301\u0304\u030c]")
_PINYIN_MARK = re.compile("[\u0304\u030c]")
_ROMAJI = re.compile(
    r"(?:(?:[kgsztdnhbpmrfjwy]|[kgsnhbpmr]y|sh|ch|ts|kk|ss|tt|pp|kky|ssh|tch|ppy)?[aiueoāīūēō]|"
    r"n(?![aiueoy])|n['’]){1,14}",
    re.I,
)
_RUSSIAN = re.compile(r"(?![^\W\d_]*(?:th|w|q|x|ck|ee|oo|ea))[A-Za-z']{1,20}", re.I)
#: English words that a Japanese one may look like.
_ENGLISH = frozenset(
    [
        "a",
        "i",
        "no",
        "to",
        "do",
        "so",
        "go",
        "me",
        "he",
        "she",
        "we",
        "be",
        "the",
        "tomato",
        "banana",
        "sauna",
        "hero",
        "zero",
        "piano",
        "note",
        "home",
        "one",
        "done",
        "are",
        "same",
        "name",
        "made",
        "take",
        "make",
        "some",
        "come",
        "use",
        "date",
        "more",
        "here",
        "there",
        "were",
        "pure",
        "nature",
        "base",
    ]
)
_PARTICLES = frozenset(
    ["wo", "ga", "wa", "ni", "no", "to", "de", "mo", "ka", "he", "kara", "made", "shite", "suru"]
)
#: What only pinyin has, beside its syllables.
_PINYIN_ONLY = re.compile(
    r"zh|(?<!e)x[iu]|q(?:i|u[ane]|ing)|iang|uang|iong|ong(?:y|$)|iao|[zcs]h?uan|uai|üe", re.I
)
_SYLLABLES = re.compile(
    r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ong|ing|ian|iao|uai|uan|"
    r"ai|ei|ao|ou|"
    r"an|en|in|un|ia|ie|iu|ui|uo|ua|ue|er|a|o|e|i|u|ü)){2,5}",
    re.I,
)


def words_wanted(question: str) -> bool:
    return _WANTED.search(question[:4_000]) is not None


def latin_only(text: str, code: str, own: str) -> list[Place]:
    """The marked words of `text` that are in the language `code` but for their letters; empty where
    its script stands anywhere (kana for Japanese beside Chinese), or where they are few."""
    fits = _FITS[code]
    found = [(start, end) for start, end, said in _spans(text) if fits(said, own)]
    words = sum(len(_WORD.findall(text[start:end])) for start, end in found)
    return found if len(found) >= 2 or words >= 3 else []


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _SPAN.finditer(text[:20_000]):
        kind = match.lastgroup or "head"
        said = match.group(kind)
        if not _EASTERN.search(said) and _WORD.search(said):
            yield *match.span(kind), said


def _is_romaji(said: str, own: str) -> bool:
    words = _WORD.findall(said)
    plain = [word.lower() for word in words]
    if not all(_ROMAJI.fullmatch(word) for word in plain) or (
        plain[0] in _ENGLISH and len(words) == 1
    ):
        return False
    # A single word with a capital is a name.
    if len(words) < 3 and words[0][0].isupper():
        return False
    return max(map(len, plain)) >= 4 and not (
        own == "en" and language_of(said) == "en" and len(words) > 3
    )


def _is_pinyin(said: str, own: str) -> bool:
    marks = unicodedata.normalize("NFD", said)
    return (
        bool(_TONED.search(marks))
        and len(_WORD.findall(said)) <= 12
        and bool(_PINYIN_MARK.search(marks) or len(_TONED.findall(marks)) >= 2 or len(said) <= 8)
        and not re.search("[êçñœøåß]", said)
    )


def _is_russian(said: str, own: str) -> bool:
    words = _WORD.findall(said)
    if not all(_RUSSIAN.fullmatch(word) for word in words) or len(said) < 5:
        return False
    return len(words) >= 2 and language_of(said) not in ("en", "de", "fr", "es")


_FITS: dict[str, Callable[[str, str], bool]] = {
    "ja": _is_romaji,
    "zh": _is_pinyin,
    "ru": _is_russian,
}


def steps_in_romaji(text: str) -> list[Place]:
    """Lines of an answer in Japanese that are Japanese in Latin letters: particles among words of
    its syllables."""
    found = []
    for line in re.finditer(r"[^\n]+", text[:40_000]):
        words = [word.lower() for word in _WORD.findall(line.group()[:400])]
        if len(words) < 4 or _EASTERN.search(line.group()):
            continue
        fits = sum(_ROMAJI.fullmatch(word) is not None or word == "n" for word in words)
        small = sum(word in _PARTICLES for word in words)
        if fits >= 0.9 * len(words) and small >= 1 and small >= 0.15 * len(words):
            found.append(line.span())
    return found


def words_in_pinyin(text: str) -> list[Place]:
    """Words of an answer in Chinese that are pinyin without tones; empty for fewer than four."""
    found = [
        match.span()
        for match in re.finditer(
            r"(?<![\w.@/-])[A-Za-z]{4,24}(?:[ ][a-z]{3,20})*(?![\w.@/-])", text[:40_000]
        )
        if all(_SYLLABLES.fullmatch(word) for word in match.group().split())
        and (_PINYIN_ONLY.search(match.group()) or not language_of(match.group()))
    ]
    marked = sum(_PINYIN_ONLY.search(text[start:end]) is not None for start, end in found)
    return found if len(found) >= 4 and marked >= 2 else []
