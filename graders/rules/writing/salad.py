"""Real words in no order: little words beside each other that no sentence has side by side.

An article is not followed by a preposition, a preposition not by "and", a Chinese 的 not by 与. A
sentence may break one of these rules; text whose words were shuffled breaks them all the time.
"""

from __future__ import annotations

import re
from itertools import pairwise

Place = tuple[int, int]

_TOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[.!?;:,，。！？、；：()（）\"“”«»\n*|—–…/=]")
_EN_KINDS = {
    "article": "a an the",
    "preposition": "of to in on at by with from for into about under between during without "
    "against through",
    "joins": "and or but because than",
    "is": "is are was were be been has have had will would can could should must",
    "he": "he she it we they him us them its their his my your our",
}
_RU_KINDS = {
    "preposition": "в во на с со к ко у о об от из за под над при без для про через между до по",
    "joins": "и но или что чтобы если потому поэтому когда",
    "particle": "бы же ли",
}
#: Pairs of kinds that stand side by side in no sentence.
_EN_NEVER = {
    ("article", "article"), ("article", "preposition"), ("article", "joins"), ("article", "is"),
    ("article", "he"), ("preposition", "is"), ("preposition", "joins"), ("joins", "joins"),
    ("he", "article"),
}  # fmt: skip
_RU_NEVER = {
    ("preposition", "preposition"), ("preposition", "joins"), ("preposition", "particle"),
    ("particle", "particle"),
}  # fmt: skip
_EN_ALLOWED = {
    *["for and", "in and", "on and", "to and", "by and", "about and", "through and", "at or"],
    *["from and", "with and", "with or", "from or", "in or", "on or", "to or", "under and"],
    *["under or", "and because", "or because", "but because", "without and", "during and"],
    *["in but", "on but", "to be", "to have", "about is", "in is", "for is", "through is"],
    *["into and", "it the", "them the", "him the", "us the", "them a", "him a", "us a", "us an"],
    *["him an", "them an", "it a", "it an", "we the", "to but", "in because", "with is", "on is"],
    *["on are", "in are", "to is", "to are", "from is", "with are", "for are", "from are"],
    *["at is", "to was", "in was", "on was", "for was", "about was", "between and", "and but"],
    *["to can", "with can", "in can", "on can", "in will", "to will", "on will", "to should"],
    *["in has", "to has", "by is", "for and", "than because", "or than", "about are", "by and"],
    *["about but", "from but", "at and", "through or", "to because", "the can", "a can"],
    *["a will", "the will", "a must", "the must", "the its", "his a", "in had", "to had"],
}  # fmt: skip
_RU_ALLOWED = {
    *["за что", "на что", "о что", "про что", "до и", "по и", "в и", "для и", "за и", "над и"],
    *["из и", "с и", "под и", "без и", "до или", "за или", "на и", "от и", "из за", "из под"],
    *["в что", "у и", "к и", "по что", "с что", "для что", "по за", "из в", "из на"],
}  # fmt: skip
#: Three of these words in a row.
_ZH_RUN = re.compile(r"[的了是在与和之于将而若被把从向及或以因但者]{3,}")
_HAN = re.compile(r"[㐀-鿿]")
_KANA = re.compile(r"[ぁ-ヿ]")
_JA_NEVER = re.compile(
    r"を[がはへでを](?=[㐀-鿿ァ-ヺ])|[がもでにへは]を(?=[㐀-鿿ァ-ヺ])|がが(?=[㐀-鿿])|のを[がにはへ]|"
    r"[。、！？「][をゃゅょぁぃぅぇぉっー]|[がをへの]。|の、(?=[をがはに])|、[がはにをへ](?=[㐀-鿿ァ-ヺ])"
)
#: So many breaches, and one of so many words or characters.
_LEAST, _LEAST_TOKENS = 5, 25
_WORDS_FOR_ONE, _SIGNS_FOR_ONE = 14, 36
_LEAST_RUNS, _SIGNS_FOR_RUN = 2, 120
#: Of ordinary Chinese at most one character in ten is 的.
_MOST_OF = 0.14


def salad(text: str, language: str) -> list[Place]:
    """The places where words stand side by side that no sentence joins; empty where few do."""
    if language == "en":
        return _by_kinds(text, _EN_KINDS, _EN_NEVER, _EN_ALLOWED)
    if language == "ru":
        return _by_kinds(text, _RU_KINDS, _RU_NEVER, _RU_ALLOWED)
    if language == "zh":
        return _chinese(text)
    if language == "ja":
        found = [match.span() for match in _JA_NEVER.finditer(text)]
        return (
            found
            if _many(len(found), len(_HAN.findall(text) + _KANA.findall(text)), _SIGNS_FOR_ONE)
            else []
        )
    return []


def _many(found: int, units: int, for_one: int) -> bool:
    return found >= _LEAST and units >= _LEAST_TOKENS and found * for_one >= units


def _by_kinds(
    text: str, kinds: dict[str, str], never: set[tuple[str, str]], allowed: set[str]
) -> list[Place]:
    kind = {word: name for name, words in kinds.items() for word in words.split()}
    tokens = list(_TOKEN.finditer(text[:20_000]))
    words = sum(token.group()[0].isalpha() for token in tokens)
    found = []
    for one, other in pairwise(tokens):
        first, second = one.group().lower(), other.group().lower()
        same = first == second and first in kind and first not in ("had", "его")
        pair = (kind.get(first, ""), kind.get(second, ""))
        if same or (pair in never and f"{first} {second}" not in allowed):
            found.append((one.start(), other.end()))
    return found if _many(len(found), words, _WORDS_FOR_ONE) else []


def _chinese(text: str) -> list[Place]:
    signs = len(_HAN.findall(text))
    if signs < _LEAST_TOKENS or len(_KANA.findall(text)) > 2:
        return []
    found = [match.span() for match in _ZH_RUN.finditer(text)]
    if len(found) >= _LEAST_RUNS and len(found) * _SIGNS_FOR_RUN >= signs:
        return found
    particles = [match.span() for match in re.finditer("的", text)]
    return particles if len(particles) > _MOST_OF * signs and signs >= 60 else []
