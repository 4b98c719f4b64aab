"""Words of a language with a script of its own in Latin letters, whatever the language: told by
their syllables, and by being words of no language that is written in Latin letters.

Looked for is what the question wants: where it wants words, verse or sentences of such a language,
and the answer has its script nowhere, or where lines of the question's own language stand in Latin
letters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from graders.core.language import language_of
from graders.rules.languages.asked_language import LANGUAGES
from graders.rules.writing.known_words import likelihood

Place = tuple[int, int]

#: Scripts of the languages that are not written in Latin letters.
SCRIPTS = {
    **dict.fromkeys(("ru", "uk", "bg", "sr", "kk", "mn"), "[\u0400-\u04ff]"),
    "zh": "[㐀-鿿]",
    "ja": "[ぁ-ヿ㐀-鿿]",
    "ko": "[가-힣]",
    **dict.fromkeys(("ar", "fa"), "[\u0600-\u06ff]"),
    "el": "[\u0370-\u03ff]",
    "he": "[\u0590-\u05ff]",
    "hi": "[\u0900-\u097f]",
    "th": "[\u0e00-\u0e7f]",
    "ka": "[\u10a0-\u10ff]",
    "hy": "[\u0530-\u058f]",
}
#: Countries whose songs, sayings and greetings are in their language.
_COUNTRIES = {
    "ru": r"\bRussia\b|\bMoscow\b|Росси[июя]|俄罗斯|俄国|ロシア",
    "zh": r"\bChina\b|\bBeijing\b|Кита[йею]|Пекин|中国|北京|上海",
    "ja": r"\bJapan\b|\bTokyo\b|\bhaiku\b|Япони|Токио|хокку|хайку|日本|东京|俳句|短歌",
    "ko": r"\bKorea\b|\bSeoul\b|Коре[йюяе]|Сеул|韩国|首尔|韓国|ソウル|K-?POP",
    "el": r"\bGreece\b|\bAthens\b|Греци|希腊|ギリシャ",
    "th": r"\bThailand\b|\bBangkok\b|Таиланд|Тайланд|泰国|曼谷|タイ(?:の|へ|に|で|旅行)",
    "ar": r"\bEgypt\b|\bMorocco\b|\bDubai\b|Егип|埃及|迪拜|エジプト|ドバイ",
    "he": r"\bIsrael\b|Израил|以色列|イスラエル",
    "hi": r"\bIndia\b|Инди[июя]|印度|インド(?!ネシア)",
    "ka": r"\bTbilisi\b|Грузи[июя]|格鲁吉亚|ジョージア",
}
#: What is quoted from a language, written, sung and said in it.
_WANTED = re.compile(
    r"\b(?:words?|verbs?|nouns?|adjectives?|particles?|grammar|vocab\w*|lyrics|song|anthem|prayer|"
    r"characters?|sentences?|phrases?|say|writ(?:e|ten|ing)|spell|translat\w+|numbers?|count|"
    r"poems?|"
    r"haiku|verse|proverbs?|sayings?|idioms?|quotes?|quotation|letter|message|greet(?:ings?)?|"
    r"expressions?|dialogue|conversation|example|original|introduc\w+|toast|text|how (?:do|to|"
    r"would) "
    r"\w+ ?(?:ask|order|thank|call)|alphabet|days of the week|months|colou?rs)\b|"
    r"слов|фраз|предложени|глагол|прилагательн|частиц|грамматик|перевед|перевод|переведи|сказать|"
    r"как (?:будет|пишется|написать|поздоров|представит|попросить|заказать)|напиши|диалог|стих|"
    r"текст|"
    r"песн|куплет|припев|гимн|молитв|пословиц|поговор|цитат|строк|хокку|хайку|пример|выражени|"
    r"приветстви|оригинал|счита|числ|поздрав|тост|"
    r"单词|词汇|词语|形容词|动词|名词|助词|语法|歌词|民歌|国歌|例句|句子|句|怎么说|怎么写|翻译|"
    r"短语|数字|"
    r"对话|会话|汉字|谚语|俗语|诗|俳句|名言|原文|自我介绍|问候|打招呼|表达|祝福|"
    r"単語|形容詞|動詞|名詞|助詞|文法|歌詞|民謡|国歌|例文|フレーズ|書き|書く|書い|言い|言う|訳|"
    r"会話|漢字|"
    r"挨拶|あいさつ|ことわざ|俳句|短歌|川柳|詩|名言|原文|原語|自己紹介|表現|数え",
    re.I,
)
_FOOD_OR_NAMES = re.compile(
    r"\b(?:dish(?:es)?|foods?|cuisine|restaurants?|cit(?:y|ies)|brands?|compan(?:y|ies)|names? "
    r"(?:of|"
    r"for)|baby names?|surnames?|cars?|films?|movies?|anime|manga|author|poets?\b|composers?|"
    r"martial|"
    r"judo|karate|yoga)\b|"
    r"блюд|кухн|город|марк[аи]|бренд|фамили|имена|фильм|аниме|автор|дзюдо|каратэ|йог[аеи]|"
    r"菜|料理|城市|品牌|公司|电影|动漫|柔道|瑜伽|都市|ブランド|会社|映画|アニメ|柔道|ヨガ",
    re.I,
)
_SPAN = re.compile(
    r"\*{1,3}(?P<bold>[^*\n]{2,200})\*{1,3}|[\"“「『«](?P<quote>[^\"”」』»\n]{2,200})[\"”」』»]|"
    r"_(?P<low>[^_\n]{2,200})_|"
    r"(?:^|\|)[ \t>]*(?:[-*•–]\s+|\d{1,2}[.)、．]\s*)?(?:(?:\*\*)?[^\W\d_]{1,15}[:：](?:\*\*)?\s*)?"
    r"(?P<head>[A-Za-zÀ-ɏḀ-ỿ'’ʼ`,.!?; -]{2,200}?)\s*(?=[|…—–(（=:：]|\s-\s|[。，,]?\s*(?:$|"
    r"[\u0400-\u04ff㐀-鿿ぁ-ヿ]))",
    re.M,
)
_WORD = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ'’ʼ`]*")
_TONE = re.compile("[\u0304\u030c]")
_MARK = re.compile("[\u0300-\u030c]")
_SYLLABLES = {
    "zh": re.compile(
        r"(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?(?:iang|iong|uang|ang|eng|ong|ing|ian|iao|uai|uan|"
        r"ai|ei|ao|ou|an|en|in|un|ia|ie|iu|ui|uo|ua|ue|üe|er|a|o|e|i|u|ü|v)['’]?){1,6}"
    ),
    "ja": re.compile(
        r"(?:(?:[kgsztdnhbpmrfjwy]|[kgnhbpmrsj]y|sh|ch|ts|kk|ss|tt|pp|kky|ssh|tch|cch|ppy|tts)?"
        r"[aiueo]|n(?![aiueoy])|n['’]|-)+"
    ),
    "ru": re.compile(r"(?!\w*(?:th|w|q|x(?!o)|ck|oo))[a-z'’`]+"),
}
#: Words of the Latin alphabet's languages that have such syllables, too.
_COMMON_TEXT = (
    "a an the to do no so go me he she we be i it in on at as are am one same name made take "
    "make some come use date more here there were home note piano hero zero tomato banana "
    "sake tea you your is of and or not for with can say use than then this that will my man "
    "men sushi anime manga karate mean means ten pan fan can ban long song "
)
_COMMON = frozenset(_COMMON_TEXT.split())
#: Below this likelihood of its letters, a word is of no language in Latin letters.
_STRANGE = -2.9
_LONG_PAIR = 12
_MOST = 30_000


def languages_wanted(question: str, own: str) -> list[str]:
    """The languages with another script that a question names, by themselves or by their country,
    where it wants something that is written in them."""
    question = question[:4_000]
    if not _WANTED.search(question) or _FOOD_OR_NAMES.search(question):
        return []
    found = []
    for code in SCRIPTS:
        names = f"{LANGUAGES.get(code, 'x^')}|{_COUNTRIES.get(code, 'x^')}"
        if code != own and re.search(names, question, re.I):
            found.append(code)
    return found


def in_latin_letters(text: str, question: str, own: str) -> list[tuple[int, int, str]]:
    """Marked words and lines of a wanted language in Latin letters, with the language, where the
    answer has its script nowhere; empty where they are few."""
    for code in languages_wanted(question, own):
        script = "[ぁ-ヿ]" if code == "ja" and own in ("zh", "ja") else SCRIPTS[code]
        if (code == "zh" and own == "ja") or not re.search(script, text[:_MOST]):
            found = list(_spans_of(text, code, own))
            words = sum(len(_WORD.findall(text[start:end])) for start, end in found)
            letters = sum(end - start for start, end in found)
            if words >= 3 or len(found) >= 2 or (words == 2 and letters >= _LONG_PAIR):
                return [(start, end, code) for start, end in found]
    others = "|".join(pattern for code, pattern in LANGUAGES.items() if code != own)
    if own in ("ru", "zh", "ja") and not re.search(others, question[:4_000], re.I):
        return [(start, end, own) for start, end in _own_lines(text, own)]
    return []


def _spans_of(text: str, code: str, own: str) -> Iterator[Place]:
    for match in _SPAN.finditer(text[:_MOST]):
        kind = match.lastgroup or "head"
        said = match.group(kind)
        # A word beside its script needs no more.
        if code in ("zh", "ja") and re.match(
            r"[\s*_]*[(（\[|]\s*[㐀-鿿]", text[match.end(kind) :][:8]
        ):
            continue
        if _may_be(said, code, own):
            yield match.span(kind)


def _may_be(said: str, code: str, own: str) -> bool:
    """Whether a span in Latin letters is of a language: by its syllables and as words of no other
    one."""
    words = _WORD.findall(said)
    if not words or re.search(r"[㐀-鿿ぁ-ヿ\u0400-\u04ff]", said):
        return False
    plain = [_plain(word) for word in words]
    if all(word in _COMMON for word in plain) or max(map(len, plain)) < 2:
        return False
    if code == "zh" and _TONE.search(unicodedata.normalize("NFD", said)):
        return True
    if len(words) == 1 and words[0][0].isupper() and own not in ("zh", "ja", "ru"):
        return False
    shape = _SYLLABLES.get(code)
    if shape and not all(shape.fullmatch(word) for word in plain):
        return False
    strange = sum(
        len(word) for word in plain if word not in _COMMON and likelihood(word) < _STRANGE
    )
    if own in ("ru", "zh", "ja") and shape and code != "ru":
        return len("".join(plain)) >= 4 and language_of(said) not in ("en", "de", "fr", "es")
    if code == "zh" and len(plain) >= 3:
        return language_of(said) not in ("en", "de", "fr", "es") or strange > 0
    return strange >= 0.5 * sum(map(len, plain))


def _plain(word: str) -> str:
    return _MARK.sub("", unicodedata.normalize("NFD", word)).casefold().replace("’", "'")


def _own_lines(text: str, own: str) -> list[Place]:
    """Lines of the reader's own language in Latin letters: four words and more, of its syllables
    and of no other language, and what stands in brackets behind them too short to be the same."""
    found = []
    for line in re.finditer(r"[^\n]+", text[:_MOST]):
        for run in re.finditer(
            r"[A-Za-zÀ-ɏ'’`][A-Za-zÀ-ɏ'’`-]*(?:[ ,.!?;:-]{1,3}[A-Za-zÀ-ɏ'’`][A-Za-zÀ-ɏ'’`-]*){3,}",
            line.group()[:600],
        ):
            given = _WORD.findall(run.group())
            words = [_plain(word) for word in given]
            fits = sum(_SYLLABLES[own].fullmatch(word) is not None for word in words)
            odd = sum(word not in _COMMON and likelihood(word) < _STRANGE for word in words)
            beside = re.findall(SCRIPTS[own], line.group()[run.end() :][:80])
            syllables = len(re.findall("[aeiouy]", " ".join(words)))
            if (
                fits >= 0.9 * len(words)
                and sum(word[0].islower() for word in given) >= 0.5 * len(words)
                and odd >= (0.5 if own == "ru" else 0.3) * len(words)
                and language_of(run.group()) not in ("en", "de", "fr", "es", "pt")
                and 2 * len(beside) < 0.7 * syllables
            ):
                found.append((line.start() + run.start(), line.start() + run.end()))
    return found
