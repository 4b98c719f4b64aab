"""The language of a number that is written in words."""

from __future__ import annotations

import re

_WORDS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
    "billion and point",
    "fr": "zéro un une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze "
    "quinze seize vingt vingts trente quarante "
    "cinquante soixante septante octante nonante cent cents mille million millions et virgule",
    "es": "cero uno una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce "
    "quince dieciséis diecisiete dieciocho "
    "diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco treinta "
    "cuarenta cincuenta sesenta setenta ochenta noventa "
    "cien ciento doscientos trescientos cuatrocientos quinientos mil millón millones y coma",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici "
    "quattordici quindici sedici diciassette "
    "diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta "
    "cento mille mila milione milioni virgola",
}
_SETS = {language: frozenset(words.split()) for language, words in _WORDS.items()}
_GERMAN = re.compile(
    r"(?:null|eins?|eine|zwei|drei(?:ß|ss)?|vier|fünf|sech|sechs|sieb|sieben|acht|neun|zehn|"
    r"elf|zwölf|zwan|zig|ßig|ssig|hundert|tausend|und|"
    r"million|millionen|komma)+"
)
_ITALIAN = re.compile(
    r"(?:zero|uno|un|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|venti?|trent[aio]?|"
    r"quarant[ao]?|cinquant[ao]?|sessant[ao]?|settant[ao]?|"
    r"ottant[ao]?|novant[ao]?|cento|mille|mila)+"
)
#: Letters that say enough: "six" and "once" stand in several languages, and for other things.
_LEAST = 9


def number_language(text: str) -> str:
    """The two-letter code of the one language (of five) in which a text is a number in words and
    nothing else; "" for all other texts.

    Words that all begin with a capital are a title.
    """
    words = re.findall(r"[^\W\d_]+", text[:300])
    if (
        len(words) > 20
        or sum(map(len, words)) < _LEAST
        or (len(words) > 1 and all(word[0].isupper() for word in words))
    ):
        return ""
    lower = [word.lower() for word in words]
    found = [language for language, known in _SETS.items() if all(word in known for word in lower)]
    if not found:
        found += ["de"] if all(_GERMAN.fullmatch(word) for word in lower) else []
        found += ["it"] if all(_ITALIAN.fullmatch(word) for word in lower) else []
    return found[0] if len(found) == 1 else ""
