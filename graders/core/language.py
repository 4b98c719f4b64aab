"""Scripts and languages of texts.

Script first, then letters and common words; only what these leave open loads a model (lingua), for
the languages asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from graders.core.words import catalogue


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    if not char.isalpha():
        return ""
    name = (
        unicodedata.name(char, "")
        .replace("FULLWIDTH ", "")
        .replace("HALFWIDTH ", "")
        .replace("MODIFIER LETTER ", "")
    )
    if name.startswith(("CJK", "IDEOGRAPHIC")):
        return "Han"
    return name.replace("-", " ").split(" ")[0].capitalize() if name else ""


def scripts(text: str) -> dict[str, float]:
    """Share of each script (``Latin``, ``Cyrillic``, ``Han``, ``Hiragana``, ...) among the letters,
    largest first."""
    counts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        if script := _script(char):
            counts[script] += count
    total = counts.total()
    return {script: count / total for script, count in counts.most_common()}


_BY_SCRIPT = {
    "Hangul": "ko",
    "Thai": "th",
    "Lao": "lo",
    "Khmer": "km",
    "Greek": "el",
    "Hebrew": "he",
    "Georgian": "ka",
    "Armenian": "hy",
}
_BY_SCRIPT |= {"Devanagari": "hi", "Bengali": "bn", "Tamil": "ta"}
#: Letters that only one of the Cyrillic and Arabic languages below uses.
_BY_LETTER = (
    ("uk", "їєґ"),
    ("be", "ў"),
    ("mk", "ќѓѕ"),
    ("sr", "љњђћџ"),
    ("kk", "әқғұң"),
    ("ru", "ыэё"),
    ("uk", "і"),
    ("ur", "ٹڈڑے"),
)
#: Languages of Latin letters that are told apart.
LATIN = (
    "en",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "pl",
    "tr",
    "cs",
    "sv",
    "da",
    "fi",
    "ro",
    "hu",
    "id",
    "vi",
)
_AMONG = {
    "Cyrillic": ("ru", "bg", "uk", "sr", "mk", "be"),
    "Arabic": ("ar", "fa", "ur"),
    "Latin": LATIN,
}
_COMMON = {
    "en": "the a an and of to in is are was were be it that this for with you your they their not "
    "have has on as at by from i my we here "
    "how what why who when where which can could would should will do does no yes or but if "
    "because so there its some give list name "
    "than more most about me tell write make",
    "de": (
        "der die das und ist nicht ein eine einen mit zu den dem des auf für von sich wie ich "
        "sie wir es im durch an auch vergessen geht"
    ),
    "fr": (
        "le la les et est une des du je vous nous il elle pas ne que qui dans pour avec sur au "
        "aux en votre toujours par se ce"
    ),
    "es": (
        "el la los las y es una que por para con del se lo un no en su más todos muy porque "
        "puede está son al como"
    ),
    "it": (
        "il lo gli e è una che per con del della di si non un molto perché sono ti questo anche "
        "da al come nel"
    ),
    "pt": (
        "o os as e é uma que por para com do da dos não um se na no em mais seu são muito há até "
        "nem como tem"
    ),
    "nl": "de het een en is van niet op te dat die voor met zijn aan ik je wij naar ook er maar om",
}
#: Letters beside a to z that may stand in a text of the language; others speak against it.
_ACCENTS = {
    "en": "é",
    "de": "äöüß",
    "fr": "àâæçéèêëîïôœùûüÿ",
    "es": "áéíñóúü",
    "it": "àèéìíòóù",
    "pt": "áâãàçéêíóôõúü",
    "nl": "éèëïöü",
}
_COMMON_SETS = {language: frozenset(words.split()) for language, words in _COMMON.items()}


def language_name(code: str) -> str:
    """The name of a language, or its code."""
    return catalogue().text(f"rules.language.{code}") or code


def little_words(language: str) -> frozenset[str]:
    """Common words of a language in Latin letters, in small letters; empty where none are known."""
    return _COMMON_SETS.get(language, frozenset())


def language_of(text: str, among: Iterable[str] = ()) -> str:
    """Two-letter code of the language of `text`, or "" where nothing decides (no letters, a name,
    too short).

    Script first, then letters and common words, then lingua between the languages of the script;
    `among` (codes) narrows those. Long texts are judged by their first, middle and last 1,500
    characters.
    """
    if len(text) > 5000:
        middle = len(text) // 2
        text = f"{text[:1500]}\n{text[middle - 750 : middle + 750]}\n{text[-1500:]}"
    return _decided(text, frozenset(among))


#: Every rule that looks at an answer asks for the language of the same texts: the answer, its lines
#: and its question.
@lru_cache(maxsize=1024)
def _decided(text: str, narrowed: frozenset[str]) -> str:
    shares = scripts(unicodedata.normalize("NFKC", text))
    beside = {
        script: share
        for script, share in shares.items()
        if script in ("Cyrillic", "Han", "Hiragana", "Katakana", "Hangul")
    }
    # Latin names and terms inside a Russian or Chinese sentence are no language of their own.
    if sum(beside.values()) >= 0.15 and not _has_common_words(text):
        shares = beside
    kana = shares.get("Hiragana", 0.0) + shares.get("Katakana", 0.0)
    eastern = kana + shares.get("Han", 0.0)
    # One Chinese character or kana says about as much as three letters.
    if eastern and 3 * eastern >= max(shares.get("Latin", 0.0), shares.get("Cyrillic", 0.0)):
        return "ja" if kana > 0.08 * eastern else "zh"
    main = next(iter(shares), "")
    if main in _BY_SCRIPT:
        return _BY_SCRIPT[main]
    if main not in _AMONG:
        return ""
    asked = tuple(code for code in _AMONG[main] if code in narrowed) or _AMONG[main]
    return _by_words(text, asked) if main == "Latin" else _by_letters(text.casefold(), asked)


def _by_letters(text: str, asked: tuple[str, ...]) -> str:
    """The language of a Cyrillic or Arabic text by its own letters; lingua for long texts without
    any."""
    letters = Counter(text)
    total = sum(count for char, count in letters.items() if char.isalpha())
    for language, own in _BY_LETTER:
        if sum(letters[char] for char in own) > total * 0.004 and (
            language in asked or language == "kk"
        ):
            return language
    return asked[0] if total < 40 else _by_model(text, asked) or asked[0]


def _by_words(text: str, asked: tuple[str, ...]) -> str:
    """The language of a Latin text by its common words, else by lingua; "" for names and other
    lists."""
    found = [word.casefold() for word in re.findall(r"[^\W\d_]+", text)]
    if not found:
        return ""
    accents = Counter(char for word in found for char in word if char > "z")
    hits = {
        language: sum(word in common for word in found) / len(found)
        for language, common in _COMMON_SETS.items()
        if language in asked
        and sum(count for char, count in accents.items() if char not in _ACCENTS[language])
        <= 0.1 * len(found)
    }
    ranked = sorted(hits.items(), key=lambda pair: -pair[1])
    if ranked:
        language, share = ranked[0]
        rest = ranked[1][1] if len(ranked) > 1 else 0.0
        if share >= 0.15 and share >= rest + 0.08 and (len(found) > 2 or share == 1.0):
            return language
    return _by_model(text, asked) if sum(map(len, found)) >= 25 and _reads_as_prose(text) else ""


def _has_common_words(text: str) -> bool:
    found = [word.casefold() for word in re.findall(r"[A-Za-zÀ-ɏ]+", text)]
    return any(
        sum(word in common for word in found) >= 0.15 * len(found)
        for common in _COMMON_SETS.values()
    )


def _reads_as_prose(text: str) -> bool:
    """Whether most words begin small: names, titles and lists of products do not tell a
    language."""
    found = re.findall(r"[^\W\d_]+", text)
    return len(found) >= 3 and sum(word[0].islower() for word in found) > 0.6 * len(found)


def _by_model(text: str, asked: tuple[str, ...]) -> str:
    """lingua's choice where it is sure, else ""."""
    if len(asked) == 1:
        return asked[0]
    ranked = _detector(asked).compute_language_confidence_values(text)
    return (
        str(ranked[0].language.iso_code_639_1.name).lower()
        if ranked and ranked[0].value >= 0.75
        else ""
    )


@lru_cache(maxsize=8)
def _detector(asked: tuple[str, ...]) -> Any:
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    codes = [getattr(IsoCode639_1, code.upper()) for code in asked]
    # The accurate mode needs four seconds and 450 MB for the Latin languages; short texts are
    # decided above.
    return LanguageDetectorBuilder.from_iso_codes_639_1(*codes).with_low_accuracy_mode().build()
