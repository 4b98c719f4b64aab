"""Letters that form no words, though each of them can be read: escapes that nobody decoded, boxes
in place of letters, piled marks, spellings that no word of the language has."""

from __future__ import annotations

import re
from collections.abc import Iterator

Place = tuple[int, int]

#: Bytes and code points that stand in the text as they were written for a machine.
_ESCAPES = re.compile(
    r"(?:\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\U[0-9a-fA-F]{8}|<0x[0-9A-Fa-f]{2}>|"
    r"%[0-9A-F]{2}|&#x?[0-9a-fA-F]{2,6};|&[a-z]{2,6};|=[0-9A-F]{2}(?==[0-9A-F]{2}|=?$|\s)|"
    r"(?:\bU\+[0-9A-F]{4,5}\b[ ,]{0,2}){4,})+"
)
_LEAST_ESCAPES = 24
#: A box of a missing glyph; at the head of a line it is to be ticked.
_BOX = re.compile(r"(?<=\S)[ \t]?[□▯▢▒░▓█�]+|^[ \t]*[▒░▓█]+", re.M)
_TICKED = re.compile(r"^[ \t>*-]*[□▢]\s*\S", re.M)
_PILED = re.compile(r"[^\W\d_][\u0300-\u036f\u0489]{2,60}(?:\s?[\u0300-\u036f]+)*")
_UTF16 = re.compile(r"[㐀-鿿\u2000-\u2080\uf900-\ufaff가-힣\u3000-\u33ff\ua000-\uabff]{6,2000}")

_LATIN = re.compile(r"(?<![\w'’.@/\\-])[A-Za-z]{1,30}(?:['’][a-z]{1,2})?(?![\w@/\\]|[.-]\w)")
_CYRILLIC = re.compile(r"(?<![\w.-])[А-Яа-яЁё]{2,40}(?!\w)")
#: Three consonants or more at the head of a word, and four within, that English has.
_EN_HEAD = re.compile(
    r"(?:s[cpt][hr]|sph|spl|scl|squ|th[rw]|shr|shw|schm?|schl|schw|chr|phr|phl|thw|kn|ps|pn|gn|"
    r"wr|wh|rh|ts|tz|mn|sv|vl|dw|gw|zw|[bcdfghkpstw][lrwyhn]|s[cfklmnptqw]|"
    r"[bcdfghjklmnpqrstvwxz]?[aeiouy])",
    re.I,
)
_EN_TAIL = re.compile(
    r"(?:[aeiouyw]|[aeiouyw]['’]?[bcdfgklmnprstvxzhw]{1,2}s?|[lmnrsctdpkgfvbx][a-z]?s?|ngths?|"
    r"rlds?|"
    r"mpts?|tch|ght|rst|ldn't|['’][a-z]+)$",
    re.I,
)
_EN_NEVER = re.compile(
    r"q(?!u|\b)|[jv](?=[bcdfghjklmnpqrstvwxz])|(?<=[^aeiouyn\W])x(?=[bdfgjklmnrvwz])|"
    r"[bcdfghjklmnpqrstvwxz]{5}|jq|qj|vx|xj|zx|zq|gx|kx|wx|hx|cx|jx|vq|fq|wq|kq|"
    r"zj|vj|bq|mx|px|fz|vz|kz|pz|bz|dx|vw|vk|vf|xk|jz|fv|pv|tq|"
    r"gv|kg|mq|jf|jh|jd|jt|jm|jl|jb|jg|jw|jp|jr|zk|zd|zf|zt|zr|zn|zg",
    re.I,
)
_EN_UNITS_TEXT = (
    "mr mrs ms dr st vs km cm mm kg mg ml ft lb lbs oz hz khz mhz ghz kb mb gb tb pm am th nd rd "
    "pt ps tv tsp tbsp hr hrs hmm shh pst psst nth html css sql php xml txt pdf jpg png mp cd "
    "dvd www cc bc ad id ok etc ltd gmbh inc jr sr vol ch pp ed eds fig no nr cf bpm rpm mph kph "
    "kwh wh kw px src href div btn str len std cmd npm ssh ssl tls dns tcp vpn pc pcs pt qt n't"
)
_EN_UNITS = frozenset(_EN_UNITS_TEXT.split())
_VOWELS = re.compile(r"[aeiouy]", re.I)
_RU_VOWEL = re.compile(r"[аеёиоуыэюя]", re.I)
_RU_SHORT_TEXT = (
    "вы ты мы бы бр гр др кг км мг мл мм см тд тп ст стр гг вв вс пн вт ср чт пт сб св кв млн "
    "млрд трлн тыс руб коп шт мск рф ссср снг мгу вкл кбжу жкх нпвс лпнп лпвп ммоль мвд гбдд мрт "
    "узи кт"
)
_RU_SHORT = frozenset(_RU_SHORT_TEXT.split())
_RU_NEVER = re.compile(
    r"^[ьъы]|[аеёиоуыэюя][ьъ]|[йьъ][ьъы]|ъ[^еёюяи]|[бвгджзклмнпрстфхцчшщ]й|^й[^оеаёу]|"
    r"[жчшщ]ы|[чщ]я|[чщ]ю(?!\w*(?:ри|т\b))|э[эьъы]|[^\W]щ[бвгджзклмпстфхцчш]|"
    r"[бвгджзйклмнпрстфхцчшщ]{5}|[аеёиоуыэюя]{4}|ыы|ыэ|ыо|ыа|эы|аы|оы|иы|еы|уы|юы|яы|"
    r"[бвгджзклмнпрстфхцчшщ]э(?!р|с|т|к|н|м|л|п)|шщ|щш|жщ|цщ|щж|чщ|цж|хщ|щх|фщ|"
    r"пв(?!\w{0,3}$)|[йцукенгшщзхъ]{5}|[фывапролджэ]{6}",
    re.I,
)
_MIDDLE_CAPITAL = re.compile(r"^[А-ЯЁ]?[а-яё]+[А-ЯЁ]+[а-яё]")
_LEAST_WORDS, _LEAST_ODD = 12, 8
_SHARE = {"en": 0.3, "ru": 0.22}
#: Kana where no word has them: a long vowel behind a character, a small one without its large one.
_KANA_NEVER = re.compile(
    r"[㐀-鿿。、！？「」\n]ー|(?<![きぎしじちぢにひびぴみりキギシジチヂニヒビピミリ])[ゃゅょ]|"
    r"(?<![キギシジチヂニヒビピミリテデフヴウクグツス])[ャュョ]|"
    r"[っッ](?=[。、！？」』）\n]?[。、！？\n」]|"
    r"[あいうえおなにぬねのまみむめもアイウエオナニヌネノマミムメモ])|"
    r"(?<=[ぁ-ゖ])[ァィゥェォッ]|(?<=[ァ-ヺ])[ぁぃぅぇぉっ]|^[ーっッゃゅょャュョんン]|"
    r"[。、][っッゃゅょャュョんンー]",
    re.M,
)


def escapes(text: str) -> list[Place]:
    """Runs of escapes that nobody decoded; none where a few stand in a text."""
    found = [match.span() for match in _ESCAPES.finditer(text)]
    return found if sum(end - start for start, end in found) >= _LEAST_ESCAPES else []


def boxes(text: str) -> list[Place]:
    """Boxes in place of letters; none where they are to be ticked."""
    found = [match.span() for match in _BOX.finditer(text)]
    return found if len(found) >= 5 and len(_TICKED.findall(text)) < 0.5 * len(found) else []


def piled(text: str) -> list[Place]:
    """Letters under piles of marks."""
    found = [match.span() for match in _PILED.finditer(text)]
    return found if len(found) >= 6 else []


def two_bytes(text: str) -> list[Place]:
    """Western text whose bytes were read two at a time."""
    found = []
    for match in _UTF16.finditer(text):
        # Kana are such pairs, too.
        if len(_KANA.findall(match.group())) > 0.1 * len(match.group()):
            continue
        for order in ("utf-16-le", "utf-16-be"):
            data = match.group().encode(order, "ignore")
            if sum(32 <= byte < 127 or byte in (10, 13) for byte in data) >= 0.95 * len(data):
                found.append(match.span())
                break
    return found


def no_words(text: str, language: str) -> list[Place]:
    """The words of a text in English or Russian that no word of the language is spelled like; empty
    where few are."""
    pattern = {"en": _LATIN, "ru": _CYRILLIC}.get(language)
    if pattern is None:
        return []
    odd, every = [], 0
    for line in re.finditer(r"[^\n]+", text):
        formula = re.search(r"[=^√∑]|\s[+*/]\s", line.group()[:2_000]) is not None
        for match in pattern.finditer(text, line.start(), line.end()):
            word = match.group()
            if word.isupper() or (formula and len(word) < 3):
                continue
            every += 1
            if (odd_spelling if language == "en" else _odd_russian)(word):
                odd.append(match.span())
    if every < _LEAST_WORDS or len(odd) < _LEAST_ODD or len(odd) < _SHARE[language] * every:
        return []
    return odd


def odd_spelling(word: str) -> bool:
    """Whether no English word is spelled so."""
    small = word.lower()
    if small in _EN_UNITS:
        return False
    if len(small) == 1:
        return small not in "aio"
    if not _VOWELS.search(small):
        return True
    return bool(_EN_NEVER.search(small) or not _EN_HEAD.match(small) or not _EN_TAIL.search(small))


def _odd_russian(word: str) -> bool:
    small = word.lower()
    if small in _RU_SHORT:
        return False
    if not _RU_VOWEL.search(small):
        return len(small) > 2 or small.endswith(("й", "ь"))
    return bool(_RU_NEVER.search(small) or _MIDDLE_CAPITAL.match(word))


def broken_kana(text: str) -> list[Place]:
    """Kana that no word has, all over a text."""
    found = [match.span() for match in _KANA_NEVER.finditer(text)]
    return found if len(found) >= 5 else []


_KANA = re.compile("[ぁ-ヿ\u3000-\u303f]")


def noise(text: str) -> Iterator[Place]:
    """Lines that are mostly signs of many kinds."""
    for line in re.finditer(r"[^\n]+", text):
        bare = "".join(line.group()[:2_000].split())
        signs = [char for char in bare if not char.isalnum() and char in _SIGNS]
        wild = {char for char in signs if char in _WILD}
        if (
            len(wild) >= 4
            and len(signs) >= 15
            and len(set(signs)) >= 7
            and len(signs) >= 0.6 * len(bare)
        ):
            yield line.span()


#: Signs that neither JSON nor prose is full of.
_WILD = frozenset("@#$%^&*~|\\<>+_§¤¬¦￥¥…")
_SIGNS = frozenset("@#$%^&*~|\\<>{}[]=+_§¤¬¦()￥¥（）!?;:`…！？；：—-\"'.,")
