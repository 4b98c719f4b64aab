"""Whether anything in an answer is in the language that was asked for."""

from __future__ import annotations

import re

from graders.core.language import little_words
from graders.core.text import language_of, scripts
from graders.rules.languages.segments import LATIN_LANGUAGES, chinese_signs

#: Who wants the sound or Latin letters reads no script.
_IN_LATIN = re.compile(
    r"latin (?:letters?|script|alphabet)|romaji|pinyin|translit|romani[sz]|phonetic|pronounc|"
    r"латиниц|латинск\w+ "
    r"букв|транслит|транскрип|русскими буквами|произно|拼音|罗马|音译|谐音|读音|ローマ字|"
    r"カタカナ|カナ|読み方|発音",
    re.I,
)


_SCRIPTS = {
    "zh": r"[㐀-鿿]",
    "ja": r"[ぁ-ヿ]",
    "ru": r"[Ѐ-ӿ]",
    "uk": r"[Ѐ-ӿ]",
    "ko": r"[가-힣]",
    "ar": r"[\u0600-\u06ff]",
    "fa": r"[\u0600-\u06ff]",
    "bg": r"[Ѐ-ӿ]",
    "sr": r"[Ѐ-ӿA-Za-z]",
    **dict.fromkeys(("kk", "be", "ky", "tt", "ba"), r"[Ѐ-ӿ]"),
    **dict.fromkeys(("ur",), r"[\u0600-\u06ff]"),
    "ne": r"[\u0900-\u097f]",
    "bn": r"[\u0980-\u09ff]",
    "my": r"[\u1000-\u109f]",
    "km": r"[\u1780-\u17ff]",
    "mn": r"[Ѐ-ӿ\u1800-\u18af]",
    "th": r"[\u0e00-\u0e7f]",
    "ka": r"[\u10a0-\u10ff]",
    "hy": r"[\u0530-\u058f]",
    "he": r"[\u0590-\u05ff]",
    "hi": r"[\u0900-\u097f]",
    "el": r"[Ͱ-Ͽ]",
}
_PIECE = re.compile(r"[^\s,，.。、:：;；!！?？()（）\[\]「」『』“”\"«»|*–—=]+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]{2,}")
_MARKED = re.compile(r"[\"“«„「『*`](?!\s)[^\n]{1,200}?[\"”»“」』*`]|[:：–—=(（]\s*[^\W\d_]")


def used(text: str, language: str, own: str, question: str) -> bool:
    """Whether `text`, an answer to a question in `own`, may hold anything in `language`; in doubt
    it does."""
    text = text[:60_000]
    if _IN_LATIN.search(question):
        return True
    script = _SCRIPTS.get(language)
    if language == own and not script:
        lines = [line for line in text.splitlines() if len(line.split()) >= 3][:60]
        return language_of(text[:3_000]) in (own, "") or any(
            word in little_words(own)
            for line in lines
            for piece in re.split(r"[()（）*_|]|\s[—–-]\s", line[:1000])
            for word in piece.casefold().split()
            if language_of(piece) == own
        )
    if {language, own} <= {"zh", "ja"} and language != own:
        return _japanese_used(text, question) if language == "ja" else _chinese_used(text, question)
    if language in _CYRILLIC and own in _CYRILLIC and language != own:
        lines = [line for line in text.splitlines() if len(line.split()) >= 3][:60]
        return (
            re.search(_OWN_LETTERS.get(language, "x^"), text, re.I) is not None
            or any(language_of(line[:1000]) not in (own, "") for line in lines)
            or not lines
        )
    if script and language != own:
        return re.search(script, text) is not None
    if script:
        there = len(re.findall(script, text)) * (3 if own in ("zh", "ja", "ko") else 1)
        return there >= 0.3 * sum(map(str.isalpha, text))
    if own in _SCRIPTS:
        return _latin_used(text, language, question)
    return _among_latin(text, language, own, question)


def _japanese_used(text: str, question: str) -> bool:
    """Kana; without any, a sign, a title, a word that is quoted, where the question wants one."""
    if re.search("[ぁ-ヿ]", text):
        return True
    if _TEXT_WANTED.search(question):
        return False
    return any(piece not in question for piece in _SIGN.findall(text))


def _chinese_used(text: str, question: str) -> bool:
    """Characters that only Chinese uses, without kana beside them; where words are wanted, any word
    in characters alone."""
    lines = [
        part for part in re.split(r"[\n。！？!?「」『』（）()*:：]", text) if not _KANA.search(part)
    ]
    if any(chinese_signs(line) >= 1 and len(re.findall("[㐀-鿿]", line)) >= 2 for line in lines):
        return True
    if _TEXT_WANTED.search(question):
        return any(len(re.findall("[㐀-鿿]", line)) >= 6 for line in lines)
    found = [one for one in _PIECE.findall(text) if re.fullmatch("[㐀-鿿]{2,}", one)]
    return any(piece not in question for piece in found)


_KANA = re.compile("[ぁ-ヿ]")
#: A text or sentences, not a word or a sign.
_TEXT_WANTED = re.compile(
    r"信|邮件|短文|文章|作文|段|句|对话|会话|自我介绍|演讲|回答|回复|写一|介绍|故事|日记|留言|"
    r"祝福|贺|"
    r"文を|挨拶文|メール|手紙|返事|返信|例文|スピーチ|お礼|メッセージ|説明|作成|紹介",
)
#: Letters that Russian has not.
_OWN_LETTERS = {
    "uk": "[їєґі]", "sr": "[ђјљњћџ]", "kk": "[әғқңөұүһі]", "mn": "[өү]",
    "be": "[ўі]", "ky": "[өүң]", "tt": "[әөүҗңһ]", "ba": "[әөүҙңҫһғҡ]",
    "bg": r"[^\W]ъ[бвгджзклмнпрст]",
}  # fmt: skip
_ENGLISH_TEXT = (
    "a an the i you he she it we they me him her us them my your his its our their this that these "
    "those here there what which who whom whose when where why how and or but if so because as "
    "than "
    "then not no yes to of in on at by for with from about into over under up down out off again "
    "is am "
    "are was were be been being have has had do does did will would can could may might must shall "
    "should please thank thanks hello hi hey goodbye bye good morning evening night day "
    "afternoon sorry "
    "excuse welcome cheers congratulations happy birthday much many more most very too some any "
    "all "
    "every each one two three four five six seven eight nine ten first second last next now today "
    "tomorrow yesterday always never soon late early time hour minute week month year get got "
    "give go "
    "going come coming see look want need like love know think say speak tell ask help make take "
    "eat "
    "drink buy pay cost price cheap expensive bill menu table water coffee tea beer wine food "
    "delicious "
    "bread milk train bus station airport hotel room key ticket left right straight near far "
    "street "
    "where's what's i'm i'd i'll don't it's man woman boy girl friend family mother father brother "
    "sister child children name nice meet old new big small great fine well bad hot cold open "
    "close "
    "closed save cancel delete edit send search account settings button login log sign add remove "
    "submit back continue start stop yes ok okay red green blue black white house home car city "
    "country "
    "work school book dog cat sun moon rain snow weather doctor police emergency toilet bathroom "
    "language english phrase sentence word example translation key label note formal informal "
    "casual "
    "polite greeting introduction shopping restaurant travel demand cost push pull may your "
    "forever "
    "wish wishes best luck dear sincerely regards yours team meeting project email"
)
ENGLISH = frozenset(_ENGLISH_TEXT.split())
_SIGN = re.compile(r"(?:^\W*|[「『“\"*：:]\s*)([㐀-鿿]{2,10})(?=\W*$|[」』”\"*])", re.M)
_CYRILLIC = frozenset(("ru", "uk", "bg", "sr", "kk", "mn", "be", "ky", "tt", "ba"))
_LATIN_RUN = re.compile(
    r"[A-Za-zÀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ'’-]*(?:[ ,.!?;:¿¡]{1,3}[A-Za-zÀ-ɏḀ-ỿ][A-Za-zÀ-ɏḀ-ỿ'’-]*)*"
)


def _latin_used(text: str, language: str, question: str) -> bool:
    """Whether an answer in another script has Latin words that may be in `language`: a word in
    small letters, or two side by side; not where all of them are sure to be in another one."""
    asked, sure = question.casefold(), False
    for run in _LATIN_RUN.findall(text):
        words = [word for word in _LATIN.findall(run) if word.casefold() not in asked]
        if not words or (len(words) < 2 and not words[0][0].islower() and language != "de"):
            # German nouns have a capital.
            continue
        if language != "en" and all(word.casefold() in ENGLISH for word in words):
            sure = True
            continue
        found = language_of(run) if len(words) >= 4 else ""
        if language not in LATIN_LANGUAGES and found != "en":
            # Nothing tells a language that is not known from its neighbours.
            return True
        if found in ("", language) or language_of(run, (found, language)) == language:
            return True
        sure = True
    return not sure and any(
        len(word) >= 2 and word.casefold() not in asked
        for line in text.splitlines()
        for word in re.findall(r"^\W*([A-Za-zÀ-ɏ]+)\W*$", line)
    )


def _among_latin(text: str, language: str, own: str, question: str) -> bool:
    """Whether an answer in Latin letters to a question in such letters has lines, cells or marked
    words that may be in `language`: in doubt it has."""
    asked = question.casefold()
    lines = [line for line in text.splitlines() if line.strip()][:60]
    long = sum(len(line.split()) for line in lines) >= 40
    said: list[str] = []
    if long and len(lines) >= 2 and _CHEER.fullmatch(lines[-1]):
        # "Happy baking!": how an answer ends, in whatever words.
        lines.pop()
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if "|" not in line:
            # A name below a letter is in no language.
            said += [] if long and _NAME.fullmatch(line) else [line]
        elif not re.match(r"\s*\|?\s*:?-{2,}", below):
            said += [cell for cell in line.split("|") if cell.strip()]
    marked = _MARKED_WORDS.findall(text[:20_000])
    for piece in [*said, *(next(filter(None, groups), "") for groups in marked)]:
        words = re.findall(r"[^\W\d_]+", piece)
        if scripts(piece[:1000]).get("Latin", 0.0) < 0.5:
            continue
        if not any(word.casefold() not in asked for word in words):
            continue
        if len(words) < 3 and piece.isascii() and _SENTENCES_WANTED.search(question):
            continue
        if own == "en" and all(word.casefold() in ENGLISH for word in words):
            continue
        among = (own, language) if len(words) < 7 else ()
        found = language_of(piece[:1000], among)
        if found not in (own, "") or (found == "" and len(words) < 4):
            return True
    return False


_SENTENCES_WANTED = re.compile(
    r"\b(?:sentences?|paragraph|letter|e-?mail|dialogue|conversation|stor(?:y|ies)|essay|speech|"
    r"poem|"
    r"answer|reply|respond|explain|describe|summary)\b",
    re.I,
)
_CHEER = re.compile(r"\W*[A-Z][a-z]+(?: [a-z]+){0,3}!\W*")
_NAME = re.compile(r"\W*[A-ZÀ-Þ]\w+(?: [A-ZÀ-Þ]\w+)?\W*")
_MARKED_WORDS = re.compile(
    r"[\"“«„](?!\s)([^\n\"”»]{1,200})[\"”»]|(?<!\w)'([^'\n]{2,80})'(?!\w)|"
    r"\*{1,2}([^*\n]{1,200})\*{1,2}|"
    r"(?<=[:=—–(])\s*([^\n()|—–]{2,120})"
)
