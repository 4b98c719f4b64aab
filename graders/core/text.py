"""Texts as people see them: folding, quotes, characters, scripts, languages, sentences, words, names.

Pure functions. Only `language_of` may load a model (lingua), and only where script and common words do not decide.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

#: What stands in the place of a model's name after `mask_names`.
MASK = "[model]"

_MARKS = "".join(re.escape(chr(c)) for c in range(0x300, 0x2000) if unicodedata.category(chr(c))[0] == "M")
_WORD = re.compile(rf"[^\W_][\w{_MARKS}]*(?:['’\-][^\W_][\w{_MARKS}]*)*")
_BY_CHARACTER = r"㐀-䶿一-鿿豈-﫿々〇ぁ-ゟァ-ヺー\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e4e\u0e80-\u0eff\u1780-\u17d3"
_CHARACTER = re.compile(rf"[{_BY_CHARACTER}]|[^\W_{_BY_CHARACTER}]+")
_BY_CHARACTER_LANGUAGES = ("zh", "ja", "th", "lo", "km")

_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u00ad"))
_TYPOGRAPHY = str.maketrans({**dict.fromkeys("“”„‟«»「」『』〝〞", '"'), **dict.fromkeys("‘’‚‛ʼ′", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})
# A base character with what NFKC may join to it; Hangul jamo join without being combining marks.
_CLUSTER = re.compile(rf"\r\n|[\u1100-\u115f][\u1160-\u11a7]*[\u11a8-\u11ff]*|.[{_MARKS}\uff9e\uff9f\u3099\u309a]*", re.DOTALL)
# All repetitions are bounded: a megabyte of dots must not take quadratic time.
_SENTENCE = re.compile(
    r".+?(?:[。！？｡]{1,8}[」』”’）)\"']{0,4}|[.!?…]{1,8}[)\]\"'”’»]{0,4}(?=\s)(?!\s{1,3}[^\W\d_A-ZÀ-ÞЀ-Я])|$)", re.DOTALL
)
_ABBREVIATION = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|vs|etc|e\.g|i\.e|no|fig|[^\W\d_]|т\.е|т\.д|т\.п|им|ул|г|гг|руб|стр|рис|напр|см))\.$", re.I
)


def fold(text: str, *, case: bool = False) -> str:
    """`text` after NFKC, without invisible characters, every run of white space one space, ends stripped.

    With `case` it is also case folded.
    """
    folded = " ".join(unicodedata.normalize("NFKC", text).translate(_INVISIBLE).split())
    return folded.casefold() if case else folded


def characters(text: str) -> int:
    """The number of characters that a person sees (extended grapheme clusters): an emoji family counts one."""
    if text.isascii():
        return len(text) - text.count("\r\n")
    import regex  # type: ignore[import-untyped]  # the standard library knows no grapheme clusters

    return sum(1 for _ in regex.finditer(r"\X", text))


class Folded(NamedTuple):
    """A folded text whose characters remember where they came from: `starts[i]`, `ends[i]` are offsets of `text[i]`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original text of the non-empty span `start`..`end` of the folded one."""
        return self.starts[start], self.ends[end - 1]


@lru_cache(maxsize=16)
def folded(text: str) -> Folded:
    """`fold` with typographic quotes and dashes made plain and with the way back to the original offsets."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in [*_changing(text).finditer(text), None]:
        upto = match.start() if match else len(text)
        out.append(text[done:upto])
        starts.extend(range(done, upto))
        ends.extend(range(done + 1, upto + 1))
        if match is None:
            break
        done = match.end()
        clusters = [match] if match.group()[0].isspace() else _CLUSTER.finditer(text, upto, done)
        for cluster in clusters:
            plain = " " if cluster is match else unicodedata.normalize("NFKC", cluster.group()).translate(_INVISIBLE)
            out.append(plain)
            starts.extend([cluster.start()] * len(plain))
            ends.extend([cluster.end()] * len(plain))
    plain = re.sub(r"\s", " ", "".join(out)).translate(_TYPOGRAPHY)
    return Folded(plain, starts, ends)


def _changing(text: str) -> re.Pattern[str]:
    """A pattern for the places of `text` that fold to something of another length or form."""
    odd = _INVISIBLE.keys() & set(map(ord, set(text)))
    unseen = "".join(map(chr, sorted(odd)))
    if not unicodedata.is_normalized("NFKC", text):
        changed = (c for c in set(text) if not unicodedata.is_normalized("NFKC", c) or unicodedata.category(c)[0] == "M")
        odd |= {*map(ord, changed), *range(0x1100, 0x1200)}
    signs = "".join(re.escape(chr(code)) for code in sorted(odd) if not chr(code).isspace())
    return re.compile(rf"\s[\s{unseen}]+|[^\s{signs}]?[{signs}]+" if signs else r"\s{2,}")


def _bare(quote: str) -> str:
    """`quote` without quotation marks, dashes, brackets and ellipses at its ends."""
    while True:
        cut = quote.strip(" \"'-[]")
        cut = cut.lstrip(".") if cut.startswith("..") else cut
        cut = cut.rstrip(".") if cut.endswith("..") else cut
        if cut == quote:
            return cut
        quote = cut


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """Where `quote` stands in `text`, as offsets into `text`, or None.

    Both are compared after NFKC and white-space folding, with typographic quotes and dashes made plain. Quotation
    marks, dashes, brackets and ellipses at the quote's ends are tolerated, words are not.
    """
    if not quote.strip():
        return None
    start = text.find(quote)
    if start >= 0:
        return start, start + len(quote)
    hay = folded(text)
    needle = fold(quote.translate(_TYPOGRAPHY)).translate(_TYPOGRAPHY)
    for wanted in (needle, _bare(needle)):
        start = hay.text.find(wanted) if wanted else -1
        if start >= 0:
            return hay.original(start, start + len(wanted))
    return None


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    if not char.isalpha():
        return ""
    name = unicodedata.name(char, "").replace("FULLWIDTH ", "").replace("HALFWIDTH ", "").replace("MODIFIER LETTER ", "")
    if name.startswith(("CJK", "IDEOGRAPHIC")):
        return "Han"
    return name.replace("-", " ").split(" ")[0].capitalize() if name else ""


def scripts(text: str) -> dict[str, float]:
    """Share of each script (``Latin``, ``Cyrillic``, ``Han``, ``Hiragana``, ...) among the letters, largest first."""
    counts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        if script := _script(char):
            counts[script] += count
    total = counts.total()
    return {script: count / total for script, count in counts.most_common()}


_BY_SCRIPT = {"Hangul": "ko", "Thai": "th", "Lao": "lo", "Khmer": "km", "Greek": "el", "Hebrew": "he", "Georgian": "ka", "Armenian": "hy"}
_BY_SCRIPT |= {"Devanagari": "hi", "Bengali": "bn", "Tamil": "ta"}
#: Letters that only one of the Cyrillic and Arabic languages below uses.
_BY_LETTER = (("uk", "їєґ"), ("be", "ў"), ("mk", "ќѓѕ"), ("sr", "љњђћџ"), ("kk", "әқғұң"), ("ru", "ыэё"), ("uk", "і"), ("ur", "ٹڈڑے"))
_AMONG = {
    "Cyrillic": ("ru", "bg", "uk", "sr", "mk", "be"),
    "Arabic": ("ar", "fa", "ur"),
    "Latin": ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "cs", "sv", "da", "fi", "ro", "hu", "id", "vi"),
}
_COMMON = {
    "en": "the a an and of to in is are was were be it that this for with you your they their not have has on as at by from i my we here "
    "how what why who when where which can could would should will do does no yes or but if because so there its some give list name "
    "than more most about me tell write make",
    "de": "der die das und ist nicht ein eine einen mit zu den dem des auf für von sich wie ich sie wir es im durch an auch vergessen geht",
    "fr": "le la les et est une des du je vous nous il elle pas ne que qui dans pour avec sur au aux en votre toujours par se ce",
    "es": "el la los las y es una que por para con del se lo un no en su más todos muy porque puede está son al como",
    "it": "il lo gli e è una che per con del della di si non un molto perché sono ti questo anche da al come nel",
    "pt": "o os as e é uma que por para com do da dos não um se na no em mais seu são muito há até nem como tem",
    "nl": "de het een en is van niet op te dat die voor met zijn aan ik je wij naar ook er maar om",
}
#: Letters beside a to z that may stand in a text of the language; others speak against it.
_ACCENTS = {"en": "é", "de": "äöüß", "fr": "àâæçéèêëîïôœùûüÿ", "es": "áéíñóúü", "it": "àèéìíòóù", "pt": "áâãàçéêíóôõúü", "nl": "éèëïöü"}
_COMMON_SETS = {language: frozenset(words.split()) for language, words in _COMMON.items()}


def language_of(text: str, among: Iterable[str] = ()) -> str:
    """Two-letter code of the language of `text`, or "" where nothing decides (no letters, a name, too short).

    Script first, then letters and common words, then lingua between the languages of the script; `among` (codes)
    narrows those. Long texts are judged by their first, middle and last 1,500 characters.
    """
    if len(text) > 5000:
        middle = len(text) // 2
        text = f"{text[:1500]}\n{text[middle - 750 : middle + 750]}\n{text[-1500:]}"
    shares = scripts(unicodedata.normalize("NFKC", text))
    kana = shares.get("Hiragana", 0.0) + shares.get("Katakana", 0.0)
    han = shares.get("Han", 0.0)
    # One Chinese character or kana says about as much as three letters.
    eastern = 3 * (kana + han)
    if eastern and eastern >= max((share for script, share in shares.items() if script in ("Latin", "Cyrillic")), default=0.0):
        return "ja" if kana > 0.08 * (kana + han) else "zh"
    main = next(iter(shares), "")
    if main in _BY_SCRIPT:
        return _BY_SCRIPT[main]
    if main not in _AMONG:
        return ""
    narrowed = set(among)
    asked = tuple(code for code in _AMONG[main] if code in narrowed) or _AMONG[main]
    return _by_words(text, asked) if main == "Latin" else _by_letters(text.casefold(), asked)


def _by_letters(text: str, asked: tuple[str, ...]) -> str:
    """The language of a Cyrillic or Arabic text by its own letters; lingua for long texts without any."""
    letters = Counter(text)
    total = sum(count for char, count in letters.items() if char.isalpha())
    for language, own in _BY_LETTER:
        if sum(letters[char] for char in own) > total * 0.004 and (language in asked or language == "kk"):
            return language
    return asked[0] if total < 40 else _by_model(text, asked) or asked[0]


def _by_words(text: str, asked: tuple[str, ...]) -> str:
    """The language of a Latin text by its common words, else by lingua; "" for names and other lists."""
    found = [word.casefold() for word in re.findall(r"[^\W\d_]+", text)]
    if not found:
        return ""
    accents = Counter(char for word in found for char in word if char > "z")
    hits = {
        language: sum(word in common for word in found) / len(found)
        for language, common in _COMMON_SETS.items()
        if language in asked and sum(count for char, count in accents.items() if char not in _ACCENTS[language]) <= 0.1 * len(found)
    }
    ranked = sorted(hits.items(), key=lambda pair: -pair[1])
    if ranked:
        language, share = ranked[0]
        rest = ranked[1][1] if len(ranked) > 1 else 0.0
        if share >= 0.15 and share >= rest + 0.08 and (len(found) > 2 or share == 1.0):
            return language
    return _by_model(text, asked) if sum(map(len, found)) >= 15 and _reads_as_prose(text) else ""


def _reads_as_prose(text: str) -> bool:
    """Whether most words begin small: names, titles and lists of products do not tell a language."""
    found = re.findall(r"[^\W\d_]+", text)
    return len(found) >= 3 and sum(word[0].islower() for word in found) > 0.6 * len(found)


def _by_model(text: str, asked: tuple[str, ...]) -> str:
    """lingua's choice where it is sure, else ""."""
    if len(asked) == 1:
        return asked[0]
    ranked = _detector(asked).compute_language_confidence_values(text)
    return str(ranked[0].language.iso_code_639_1.name).lower() if ranked and ranked[0].value >= 0.75 else ""


@lru_cache(maxsize=8)
def _detector(asked: tuple[str, ...]) -> Any:
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    codes = [getattr(IsoCode639_1, code.upper()) for code in asked]
    # The accurate mode needs four seconds and 450 MB for the Latin languages; short texts are decided above.
    return LanguageDetectorBuilder.from_iso_codes_639_1(*codes).with_low_accuracy_mode().build()


def sentences(text: str, language: str = "") -> list[str]:
    """The sentences of `text`, stripped; a line never holds part of two. Thai and Lao split at spaces."""
    out: list[str] = []
    for line in text.splitlines():
        if language in ("th", "lo"):
            out += line.split()
            continue
        pending = ""
        for match in _SENTENCE.finditer(line):
            pending += match.group()
            if not _ABBREVIATION.search(pending):
                out.append(pending.strip())
                pending = ""
        out.append(pending.strip())
    return [sentence for sentence in out if sentence]


def words(text: str, language: str = "") -> list[str]:
    """The words of `text` as written, punctuation left out.

    Characters for Chinese, Japanese, Thai, Lao and Khmer, in which Latin words and numbers stay whole. Without a
    `language` the script decides.
    """
    normal = unicodedata.normalize("NFKC", text)
    if not language:
        shares = scripts(normal[:2000])
        mixed = sum(shares.get(script, 0.0) for script in ("Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer"))
        language = "zh" if mixed > 0.3 else ""
    pattern = _CHARACTER if language[:2].lower() in _BY_CHARACTER_LANGUAGES else _WORD
    return pattern.findall(normal)


def mask_names(text: str, names: Iterable[str]) -> str:
    """`text` with every model name replaced by MASK: any case, any of space, hyphen or nothing between its parts.

    The last part of a name with slashes counts too. Names of one character stay: they are words as well.
    """
    known = {part for name in names for part in (name.strip(), name.strip().rsplit("/", 1)[-1]) if len(part) > 1}
    if not known:
        return text
    pattern = "|".join(_name_pattern(name) for name in sorted(known, key=lambda n: (-len(n), n)))
    return re.sub(pattern, MASK, text, flags=re.I)


def _name_pattern(name: str) -> str:
    # Chinese, Japanese and Korean write a Latin name without a space beside it, so only other letters are borders.
    beside = r"[^\W㐀-鿿ぁ-ヿ가-힣]"
    body = r"[\s_\-‐‑–]{0,3}".join(re.escape(part) for part in re.split(r"[\s_\-]+", name) if part)
    first, last = re.match(beside, name), re.match(beside, name[-1])
    return (f"(?<!{beside})" if first else "") + body + (f"(?!{beside})" if last else "")
