"""Passages of Chinese, Japanese or Russian in Latin letters: pinyin, romaji, transliteration."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from graders.core.text import language_of
from graders.rules.languages.asked_language import Allowed, exams_named
from graders.rules.languages.latin_only import (
    latin_only,
    steps_in_romaji,
    words_in_pinyin,
    words_wanted,
)
from graders.rules.languages.latin_words import in_latin_letters
from graders.rules.languages.requested_language import requested_language
from graders.rules.languages.segments import LATIN_LANGUAGES
from graders.rules.writing.prose import without_code

#: Languages that have a script of their own, with a pattern of its letters.
SCRIPTS = {
    "zh": re.compile(r"[㐀-鿿]"),
    "ja": re.compile(r"[㐀-鿿ぁ-ヿ]"),
    "ru": re.compile(r"[Ѐ-ӿ]"),
}
_KANA = re.compile(r"[ぁ-ヿ]")
_MOST = 60_000
#: Questions about the sound or the Latin form of words.
_ASKS_FOR_LATIN = re.compile(
    r"pinyin|romaji|romani[sz]|translit|transcri|latin "
    r"(?:letters?|script|alphabet|characters?)|pronounc|pronunciation|\bsounds?\b|латиниц|"
    r"латинск\w+ букв|транслит|транскрип|произно|читается|звучит|пиньинь|ромадзи|ромадзи|拼音|"
    r"罗马|拼写|怎么拼|如何拼|英文地址|护照|パスポート|英語表記|英字|загранпаспорт|\bpassport|"
    r"罗马|读音|怎么读|怎么念|发音|注音|拉丁字母|ローマ字|"
    r"ピンイン|読み方|発音|どう読|ヘボン",
    re.I,
)
_RUN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’ʼ-]*(?:[\s,.!?;:…]{1,3}[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’ʼ-]*)*")
_WORD = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’ʼ]*")
_TONE = re.compile("[\u0304\u030c]")
#: Letters of other languages that pinyin has not.
_NO_TONE = re.compile("[ýčřžšůďťňäößçñøåæőűþðłśźżąęćń]", re.I)
_ANY_TONE = re.compile("[\u0300\u0301\u0304\u030c]")
_VOWELS = re.compile(r"[aeiouyüv]+")

_FINAL = (
    r"(?:iang|iong|uang|ueng|ang|eng|ong|ing|ian|iao|uai|uan|üan|ue|üe|ai|ei|ao|ou|an|en|"
    r"in|un|ia|ie|iu|ui|uo|ua|er|a|o|e|i|u|ü)"
)
_PINYIN = re.compile(
    rf"(?:(?:(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?{_FINAL}|[nljqxy]v(?:an|e)?)['’]?){{1,6}}"
)
_ROMAJI = re.compile(
    r"(?:(?:[kgsztdnhbpmrfjwy]|[kgsnhbpmr]y|sh|ch|ts|kk|ss|tt|pp|kky|ssh|tch|ppy)?[aiueo]|"
    r"n(?![aiueoy])|n['’]){1,14}"
)
_ZH_SIGNS_TEXT = (
    "wo ni shi hen hao xie xiexie nihao zhe bu xihuan yinwei keyi shenme zenme mingzi qing "
    "jiao xue zhong guo women tamen zai ye "
    "dou hui yao xuesheng laoshi pengyou jintian mingtian ranhou suoyi danshi duibuqi meiyou "
    "de le ma ta yi"
)
_ZH_SIGNS = frozenset(_ZH_SIGNS_TEXT.split())
#: Of those, the ones that no other language has.
_ZH_SURE = _ZH_SIGNS - {
    "de",
    "le",
    "ma",
    "ta",
    "yi",
    "ye",
    "bu",
    "hen",
    "hui",
    "shi",
    "zai",
    "qing",
    "wo",
    "ni",
    "dou",
}
_JA_SURE = re.compile(
    r"desu|deshita|deshou|\w{2,}(?:masu|mashita|masen|mashou)|watashi|anata|arigat(?:ou?|ō)|"
    r"kon(?:nichi|ban)wa|ohayou?|sumimasen|gozaimasu|"
    r"kudasai|onegaishimasu|hajimemashite|yoroshiku|sayou?nara|oyasumi(?:nasai)?|genki|"
    r"gomennasai|itadakimasu|\w{2,}(?:kute|shite|kara)"
)
_JA_POLITE = re.compile(r"\w{3,}(?:masu|masen|mashita|mashou)")
_JA_SMALL_TEXT = "wa ga no o wo ni to de mo ka ne yo kore sore are nani doko hai iie totemo"
_JA_SMALL = frozenset(_JA_SMALL_TEXT.split())
_RU_SIGNS_TEXT = (
    "privet spasibo zdravstvuyte zdravstvuy pozhaluysta izvinite dobroe dobroye dobryy "
    "dobriy dobraya utro vecher menya tebya "
    "zovut kak dela chto eto ochen potomu nuzhno mozhno nado gde kogda pochemu kotoryy "
    "kotoraya takzhe khorosho horosho "
    "harasho ili dlya ego yego yeyo vam nam moy moya vy ya chtoby esli yesli budet bylo "
    "svidaniya poka nebo vozdukh iz vse "
    "est bolshoye priyatno nad pod pered posle mezhdu cherez okolo potom pryamo nalevo "
    "napravo zdes seychas segodnya zavtra "
    "vchera vsegda tozhe tolko yeshche uzhe kto kuda lyublyu khochu mogu znayu dom dome "
    "rekoy vremya lyudi "
    "ponedelnik vtornik sreda chetverg pyatnitsa subbota voskresenye voskresene odin dva tri "
    "chetyre pyat shest vosem devyat desyat"
)
_RU_SIGNS = frozenset(_RU_SIGNS_TEXT.split())
_RU_SMALL_TEXT = "i v na s u ne po k za ot my on ona oni ty da net"
_RU_SMALL = frozenset(_RU_SMALL_TEXT.split())
_RU_FORM = re.compile(
    r"\w*(?:zh[aeiouy]|kh[aeiouy]|shch)\w+|\w+(?:tsya|tes|ogo|nyy|skiy|iy|yy|aya|oye|iye|aet|"
    r"ayut|ayte|uyte|eniye|eniya|aniye|akh|yami|omu|emu|lsya)|"
    r"(?!enjoy|destroy|employ|annoy|deploy)\w{3,}oy"
)
_GREETINGS = {
    "zh": re.compile(
        r"(?<!\w)(?:ni ?hao|xie ?xie|zai ?jian|zao ?shang ?hao|dui ?bu ?qi|bu ?ke ?qi|wan "
        r"?an|zao ?an)(?!\w)"
    ),
    "ja": re.compile(
        r"(?<!\w)(?:arigat(?:ou?|ō)|kon(?:nichi|ban)wa|ohayou?|sumimasen|gozaimasu|"
        r"sayou?nara|oyasumi(?:nasai)?|hajimemashite|gomennasai|"
        r"tadaima|okaeri(?:nasai)?|itadakimasu|gochisou?sama|moshi ?moshi)(?!\w)"
    ),
    "ru": re.compile(
        r"(?<!\w)(?:privet|spasibo|zdravstvuy(?:te)?|pozhaluysta|izvinite|do "
        r"svidaniya|dobr(?:oe|oye) utro|dobryy (?:den|vecher))(?!\w)"
    ),
}
_JOINED_BEFORE = re.compile(r"[Ѐ-ӿ㐀-鿿ぁ-ヿ]\W{0,3}[(（\[【—–=|/-]\W{0,3}$")
_JOINED_AFTER = re.compile(r"\W{0,3}[(（\[【—–=|/-]\W{0,3}[Ѐ-ӿ㐀-鿿ぁ-ヿ]")
_ENGLISH_TEXT = (
    "the a an and or to of in on at is are was you your i we he she it they say says said "
    "means mean meaning this that for with "
    "from as by be can use will word words phrase hello hi good morning thank thanks very "
    "much which who when how what where all "
    "there some so not have has do me my"
)
_ENGLISH = frozenset(_ENGLISH_TEXT.split())


@dataclass(frozen=True, slots=True)
class Romanised:
    """A passage in Latin letters and the language that it is in."""

    start: int
    end: int
    language: str


def romanised(text: str, question: str, allowed: Allowed) -> list[Romanised]:
    """Passages of `text` in Latin letters, in a language with another script, that have not that
    script beside them.

    Looked for are the question's own language and those that it names; none where it asks for Latin
    letters or a sound.
    """
    own = allowed.own or allowed.directed
    named = (allowed.languages or frozenset()) - {allowed.own} | exams_named(question, allowed.own)
    # A question that holds words in the script is about those words.
    wanted = [
        code
        for code, script in SCRIPTS.items()
        if code == allowed.own or (code in named and not _discussed(script, question, allowed.own))
    ]
    if _ASKS_FOR_LATIN.search(question[:20_000]):
        return []
    asked = requested_language(question)
    if asked in LATIN_LANGUAGES and language_of(text[:3_000]) == asked:
        # Names of the reader's own country in a text in English.
        return []
    prose = without_code(text[:_MOST])
    return _in_script(prose, question, own, wanted, named) or [
        Romanised(*place) for place in in_latin_letters(prose, question, own)
    ]


def _in_script(
    prose: str, question: str, own: str, wanted: list[str], named: frozenset[str]
) -> list[Romanised]:
    """Words and passages of the languages `wanted`."""
    bare = _bare(prose, question, own, wanted, named)
    if bare:
        return bare
    lines = [(match.start(), match.group()) for match in re.finditer(r"[^\n]+", prose)]
    found = []
    for number, (start, line) in enumerate(lines):
        for run in _RUN.finditer(line[:4000]):
            for code in wanted:
                passage = _passage(run.group(), code, code in named)
                if passage is None:
                    continue
                begin, end = run.start() + passage[0], run.start() + passage[1]
                near = [
                    lines[place] for place in (number - 1, number + 1) if 0 <= place < len(lines)
                ]
                if not _script_beside(start, line, (begin, end), near, code, own):
                    found.append(Romanised(start + begin, start + end, code))
                break
    return found


def _bare(
    prose: str, question: str, own: str, wanted: list[str], named: frozenset[str]
) -> list[Romanised]:
    """Words and lines in Latin letters in an answer that has the script of their language
    nowhere."""
    for code in wanted:
        script = _KANA if code == "ja" and own in ("zh", "ja") else SCRIPTS[code]
        if code in named and words_wanted(question):
            bare = (code == "zh" and own == "ja") or not script.search(prose)
            if bare and (found := latin_only(prose, code, own)):
                return [Romanised(*place, code) for place in found]
        elif (code == own and code == "ja" and len(found := steps_in_romaji(prose)) >= 2) or (
            code == own and code == "zh" and (found := words_in_pinyin(prose))
        ):
            return [Romanised(*place, code) for place in found]
    return []


def _discussed(script: re.Pattern[str], question: str, own: str) -> bool:
    return own not in SCRIPTS and script.search(question) is not None


def _plain(word: str) -> str:
    return _ANY_TONE.sub("", unicodedata.normalize("NFD", word)).casefold().replace("u\u0308", "ü")


def _passage(run: str, code: str, named: bool) -> tuple[int, int] | None:
    """The part of a run of Latin words that is in the language, as offsets."""
    words = list(_WORD.finditer(run))
    if code == "zh" and _NO_TONE.search(run):
        return None
    if named and (
        greeting := _GREETINGS[code].search("".join(_plain(char) or char for char in run))
    ):
        return greeting.start(), min(len(run), greeting.end())
    if (
        named
        and code == "ja"
        and (
            polite := next(
                (word for word in words if _JA_POLITE.fullmatch(_plain(word.group()))), None
            )
        )
    ):
        return polite.span()
    for first, last in _stretches(words, code):
        part = words[first:last]
        if {"zh": _is_pinyin, "ja": _is_romaji, "ru": _is_russian}[code](
            [word.group() for word in part]
        ):
            return part[0].start(), part[-1].end()
    return None


def _stretches(words: list[re.Match[str]], code: str) -> list[tuple[int, int]]:
    """Longest rows of words that may be of the language."""
    fits = [_may_be(word.group(), code) for word in words]
    rows, first = [], 0
    while first < len(words):
        last = first
        while last < len(words) and fits[last]:
            last += 1
        if last > first:
            rows.append((first, last))
        first = last + 1
    return rows


def _may_be(word: str, code: str) -> bool:
    plain = _plain(word)
    if code == "ru":
        return word == "i" or plain not in _ENGLISH
    return len(plain) <= 30 and (_PINYIN if code == "zh" else _ROMAJI).fullmatch(plain) is not None


def _is_pinyin(words: list[str]) -> bool:
    small = [word for word in words if word[0].islower()]
    toned = [word for word in words if _TONE.search(unicodedata.normalize("NFD", word))]
    if toned and small and len(words) >= 2:
        return True
    plain = {_plain(word) for word in words}
    return (
        len(words) >= 3
        and bool(small)
        and len(plain & _ZH_SIGNS) >= 2
        and (bool(plain & _ZH_SURE) or len(plain & _ZH_SIGNS) >= 3)
    )


def _is_romaji(words: list[str]) -> bool:
    plain = [_plain(word) for word in words]
    sure = sum(_JA_SURE.fullmatch(word) is not None for word in plain)
    small = sum(word in _JA_SMALL for word in plain)
    return len(words) >= 2 and sure >= 1 and (sure + small >= 2 or len(words) == 2)


def _is_russian(words: list[str]) -> bool:
    plain = [word.casefold() for word in words]
    signs = sum(word in _RU_SIGNS for word in plain)
    # A name inside the sentence has the forms of the language, too.
    inner = [word for place, word in enumerate(words) if not place or word[0].islower()]
    forms = sum(
        _RU_FORM.fullmatch(word.casefold()) is not None
        for word in inner
        if word.casefold() not in _RU_SIGNS
    )
    small = sum(given in _RU_SMALL for given in words)
    letters = sum(given in ("v", "i", "k", "s", "u") for given in words)
    score = signs + forms + 0.5 * small + 0.25 * letters
    return (
        len(words) >= 2
        and score >= 2
        and score >= 0.3 * len(words)
        and (signs >= 1 or forms >= 3 or letters >= 2)
    )


def _script_beside(
    at: int, line: str, passage: tuple[int, int], near: list[tuple[int, str]], code: str, own: str
) -> bool:
    """Whether the words stand in their script next to the passage: in the line (at offset `at`), or
    in one of the lines `near`."""
    script, eastern, (start, end) = SCRIPTS[code], {"zh", "ja"}, passage
    if own != code and not ({own, code} <= eastern):
        return any(script.search(text) for text in (line, *(text for _, text in near)))
    if (
        code == "ja"
        and own != "ja"
        and any(_KANA.search(text) for text in (line, *(text for _, text in near)))
    ):
        return True
    # The answer is in the same script anyway: the words must stand in brackets, after a dash or in
    # the next cell,
    if _JOINED_BEFORE.search(line[max(0, start - 12) : start]) or _JOINED_AFTER.match(
        line[end : end + 12]
    ):
        return True
    if code == "ru":
        return False
    # or fill the line before or after, or all before a colon, character by syllable.
    syllables = len(_VOWELS.findall(_plain(line[start:end])))
    if any(
        0.75 * syllables <= len(script.findall(text)) <= 1.34 * syllables
        for place, text in near
        if _touches(at, line, place, text)
    ):
        return True
    return len(script.findall(line[:start])) == syllables and line[:start].rstrip()[-1:] in (
        ":",
        "：",
    )


def _touches(at: int, line: str, place: int, text: str) -> bool:
    """Whether two lines follow each other without an empty one between."""
    return place + len(text) + 1 == at or at + len(line) + 1 == place
