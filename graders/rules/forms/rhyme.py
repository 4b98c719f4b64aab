"""Whether two lines rhyme, by their spelling: True, False, or None where spelling does not tell.

English: the last vowel group and what follows, brought to a common spelling (night, kite, quite);
lines surely do not rhyme where the consonants at the end differ in kind (town, door). Russian: the
last vowel and what follows, with the consonant before an open end (саду, иду); voiced and voiceless
ends are alike, and so are и and ы, о and а.
Known misses: words outside the list below whose spelling hides their sound, words with two sounds
(read, bow), stress.
"""

from __future__ import annotations

import re

_LAST_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*(?=[\W\d_]*$)")

#: Common words whose spelling hides their sound, by a key for that sound.
_EN_WORDS = {
    "O": (
        "snow know show slow glow grow below flow low row throw blow window shadow follow "
        "tomorrow sorrow so go no ago though toe"
    ),
    "W": "now cow how brow allow vow bough plough",
    "On": (
        "own grown known shown thrown blown flown sown alone stone bone tone phone zone throne "
        "groan moan loan"
    ),
    "Wn": "town down brown crown gown drown frown noun",
    "Er": "ear near hear fear year dear clear appear here beer deer cheer steer sphere tear",
    "Ar": (
        "wear bear pear there where air hair fair care dare share chair stare rare bare square "
        "despair prayer"
    ),
    "ed": "bread head dead said bed red led fed thread spread ahead shed instead dread wed fled",
    "Ed": "need feed seed freed speed weed deed bleed heed indeed bead plead",
    "uv": "love above dove glove of",
    "Uv": "move prove groove improve remove",
    "ud": "good wood could should would stood understood hood neighbourhood childhood",
    "Ud": "food mood rude dude",
    "Vd": "blood flood mud bud",
    "U": "true blue you through new knew few view too do who two grew flew threw dew shoe anew",
    "Or": (
        "more door floor shore before roar soar war for store core four pour your explore adore "
        "ignore wore tore"
    ),
    "Wr": "hour flower power tower our shower sour devour",
    "um": "some come drum hum from become thumb numb",
    "Om": "home rome dome roam foam gnome poem",
    "Un": "moon soon June noon tune spoon balloon",
    "un": "one done son sun run fun won none gun bun ton begun spun undone",
    "Et": "feet meet street sweet heat beat eat seat treat greet sheet complete repeat retreat",
    "et": "sweat threat debt yet met set let wet forget regret net pet",
    "Os": "lost cost frost crossed tossed",
    "Ost": "most ghost coast toast host boast post roast",
    "E": "sea see me we be free tree he she three key tea plea knee agree",
    "I": (
        "sky fly cry try by my why dry shy die lie pie high sigh eye I bye goodbye nigh deny reply"
    ),
}
_EN_KEYS = {word.lower(): key for key, text in _EN_WORDS.items() for word in text.split()}
#: English endings that sound alike, in the order in which they are tried.
_EN_ALIKE = (
    (r"(?:eight|ate|ait)$", "At"),
    (r"(?:ight|ite|yte)$", "It"),
    (r"(?:ay|ey|eigh)$", "A"),
    (r"(?:ain|ane|eign|ein)$", "An"),
    (r"(?:ail|ale|eil)$", "Al"),
    (r"(?:aid|ade|ayed)$", "Ad"),
    (r"(?:ame|aim)$", "Am"),
    (r"(?:eep|eap)$", "Ep"),
    (r"(?:eam|eem|eme)$", "Em"),
    (r"(?:eel|eal)$", "El"),
    (r"(?:old|oled|olled)$", "Old"),
    (r"(?:irst|urst)$", "urst"),
    (r"(?:ird|urd|erd)$", "urd"),
    (r"(?:urn|ern|earn)$", "urn"),
    (r"(?:ire|yre|igher)$", "Ir"),
    (r"[a-z]{2}[aeiou][^aeiou]+y$", "E"),
)
_EN_CLASSES = {
    **dict.fromkeys("bp", "p"),
    **dict.fromkeys("dt", "t"),
    **dict.fromkeys("gkcqx", "k"),
    **dict.fromkeys("vf", "f"),
}
_EN_CLASSES |= {
    **dict.fromkeys("szj", "s"),
    **dict.fromkeys("mn", "n"),
    "l": "l",
    "r": "r",
    "h": "",
}
_RU_CLASSES = {
    **dict.fromkeys("бп", "п"),
    **dict.fromkeys("вф", "ф"),
    **dict.fromkeys("гкх", "к"),
    **dict.fromkeys("дт", "т"),
}
_RU_CLASSES |= {
    **dict.fromkeys("жшщч", "ш"),
    **dict.fromkeys("зсц", "с"),
    **dict.fromkeys("мн", "н"),
    "л": "л",
    "р": "р",
    "й": "й",
}
_RU_VOWELS = {
    **dict.fromkeys("ая", "а"),
    **dict.fromkeys("оё", "о"),
    **dict.fromkeys("еэ", "е"),
    **dict.fromkeys("иы", "и"),
    **dict.fromkeys("ую", "у"),
}


def rhymes(first: str, second: str, language: str) -> bool | None:
    """Whether two lines rhyme; for other languages than English and Russian always None."""
    words = [
        match.group().lower().rsplit("-", 1)[-1]
        if (match := _LAST_WORD.search(line[-200:]))
        else ""
        for line in (first, second)
    ]
    if not all(words):
        return None
    if language == "en":
        return _english(words[0].replace("’", "'"), words[1].replace("’", "'"))
    if language == "ru":
        return _russian(words[0], words[1])
    return None


def _english(first: str, second: str) -> bool | None:
    keys = [_english_key(word) for word in (first, second)]
    if first == second or (keys[0] and keys[0] == keys[1]):
        return True
    codas = [_english_coda(word) for word in (first, second)]
    if codas[0] is None or codas[1] is None:
        return None
    short, long = sorted((codas[0], codas[1]), key=len)
    # A consonant more at the end (sand, man) is a liberty, not a miss.
    return None if long == short or (short and long.startswith(short)) else False


def _english_key(word: str) -> str:
    """What the end of a word sounds like, as far as its spelling and the lists above tell; "" for a
    word without a vowel."""
    if word in _EN_KEYS:
        return _EN_KEYS[word]
    for pattern, key in _EN_ALIKE:
        if re.search(pattern, word):
            return key
    found = re.search(r"[aeiouy]+[^aeiouy]*e?$", word)
    return re.sub(r"(.)\1$", r"\1", re.sub(r"ck$", "k", found.group())) if found else ""


def _english_coda(word: str) -> str | None:
    """The kinds of the consonants at the end; None where letters may be silent."""
    # The t of French words (ballet) may be silent, and so may the e of the past tense.
    if re.search(r"[aeiouy].*[^aeiou]et$|[aeiouy].*[^aeiouy]ed$", word):
        return None
    if re.search(r"gh|mb$|lk$|lm$|[aeiou]r?h$|[aeiouy]{2}ed$|(?:[sxz]|[cs]h)es$|stle$|'", word):
        return None
    if len(word) < 3 or not re.search("[aeiouy]", word):
        return None
    if word.endswith("w"):
        return ""
    if re.search(r"[^s]s$", word) and len(word) > 3:
        bare = _english_coda(word[:-1])
        return None if bare is None else re.sub(r"s+$", "", bare) + "s"
    bare = re.sub(r"(?<=[aeiouy][^aeiouy])e$|(?<=[aeiouy][^aeiouy]{2})e$", "", word)
    bare = re.sub(
        r"(?:th|sh|ch|tch|dge|ge|ce)$",
        lambda m: {"th": "θ", "sh": "ʃ", "ch": "ʃ", "tch": "ʃ"}.get(m.group(), "s"),
        bare,
    )
    bare = re.sub(r"ng$", "n", bare)
    coda = re.search(r"[^aeiouy]*$", bare)
    kinds = [_EN_CLASSES.get(char, char) for char in (coda.group() if coda else "")]
    return re.sub(r"(.)\1+", r"\1", "".join(kinds))


def _russian(first: str, second: str) -> bool | None:
    if first == second:
        return True
    one, two = _russian_end(first), _russian_end(second)
    if one is None or two is None:
        return None
    (onset1, vowel1, coda1), (onset2, vowel2, coda2) = one, two
    if coda1 != coda2:
        # Poets let a last й or a second consonant go: гений, мгновенье; дождь, рожь. у never sounds
        # like another vowel.
        short, long = sorted((coda1.strip("й"), coda2.strip("й")), key=len)
        free = long == short or (short and long.startswith(short))
        return None if free and (vowel1 == vowel2 or "у" not in (vowel1, vowel2)) else False
    if not coda1 and onset1 != onset2:
        return False
    if vowel1 != vowel2:
        # Without stress a vowel may sound like another one; with it, it may not.
        return None
    if coda1:
        return True
    same = 0
    while same < min(len(first), len(second)) and first[-1 - same] == second[-1 - same]:
        same += 1
    return True if same >= 2 else None


def _russian_end(word: str) -> tuple[str, str, str] | None:
    """Kind of the consonant before the last vowel, the last vowel, kinds of the consonants behind
    it."""
    bare = re.sub(r"тся$|ться$", "ца", re.sub(r"(?:его|ого)$", lambda m: m.group()[0] + "во", word))
    found = re.search(r"([^аеёиоуыэюя]?)([аеёиоуыэюя])([^аеёиоуыэюя]*)$", bare)
    if not found:
        return None
    onset, vowel, coda = found.groups()
    kinds = re.sub(r"(.)\1+", r"\1", "".join(_RU_CLASSES.get(char, "") for char in coda))
    return _RU_CLASSES.get(onset, ""), _RU_VOWELS[vowel], kinds
