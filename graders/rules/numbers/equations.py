"""Finding equations and comparisons in prose: text -> tokens -> claims. Nothing is computed here.

A claim is two or more sides, each a run of tokens, joined by ``=``, ``≈``, ``<`` and the like.
Words, variables and everything else that is no part of a calculation end a run; a run that touches
a variable or a function is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graders.rules.numbers._quantities import measured
from graders.rules.numbers.tokens import Token, unit_at

#: Full-width digits and signs read like plain ones; each stands for one character, so that offsets
#: stay true.
_PLAIN = str.maketrans(
    {
        code: code - 0xFEE0
        for code in range(0xFF01, 0xFF5F)
        if chr(code - 0xFEE0) in "0123456789()+-*/=<>%,.:xXmgk"
    }
)
_SPACE = r"[ \t\u00a0\u2009\u202f]"
_AFTER = rf"(?={_SPACE}{{0,3}}[\d(√$€£¥\\])"
#: Order decides: the longest and most telling first.
_TOKENS = (
    (
        "skip",
        (
            r"\\[()\[\]]|\$\$?|\\,|\\;|\\!|\\ "
            r"|\\left|\\right|\\(?=[$%])|\\displaystyle|&(?==)|[€£¥₽](?=\s?[\d(])|\*\*(?!\d)|"
            r"(?<!\d)\*\*"
        ),
    ),
    ("frac", r"\\[dt]?frac"),
    (
        "root",
        r"[³⁴⁵]?√|[∛∜]|\\sqrt(?:\[[2-9]\])?|\b(?:the )?(?:square|cube) root of\b|"
        r"\b(?:квадратный |кубический )?корень (?:квадратный |кубический )?из\b|"
        r"\bsqrt(?=\()|根号|ルート",
    ),
    ("root_of", r"的(?:算术)?平方根|的立方根|の平方根|の立方根"),
    ("factorial", r"(?<=[\d)])!(?![!=\w])"),
    (
        "approx",
        r"≈|≒|≃|\\approx|\bis about\b|\bis approximately\b|\bis roughly\b|\bequals about\b|"
        r"=\s{0,2}(?:about|примерно|около|約|约|大约|~)|约等于|约为|約は",
    ),
    (
        "bad",
        (
            r"(?<=\d)['’](?=\d)|!=|≠|=>|->|→|⇒|<-|<=>|={3,}|<{2,}|>{2,}|-{2,}|\\(?:ne|neq|equiv|"
            r"pmod|to)\b|≡|±|\\pm"
        ),
    ),
    ("ge", r">=|≥|⩾|\\geq?\b"),
    ("le", r"<=|≤|⩽|\\leq?\b"),
    ("eq", r"==?|等于|等於|равно\b|равняется|равен\b|\bequals?\b(?: to)?|\bis equal to\b"),
    ("gt", r">|\\gt\b"),
    ("lt", r"<|\\lt\b"),
    ("word_eq", rf"\bis\b|\bare\b|\bgives\b|\bmakes\b|[—–-]{_SPACE}это\b|\bэто\b|\bбудет\b|是|は"),
    (
        "number",
        r"\d{1,12}\{,\}\d{1,12}|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d{1,12})?(?!\d)|"
        r"\d{1,3}(?:['’]\d{3})+(?:\.\d{1,12})?(?![\d'’])|\d{0,6}[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|"
        r"\d[\d.,]{0,40}\d(?:[eE][+-]?\d{1,2})?|\d(?:[eE][+-]?\d{1,2}(?!\d))?",
    ),
    ("dots", r"\.{3}|…{1,2}"),
    (
        "percent_of",
        rf"%{_SPACE}?of\b|%{_SPACE}?от\b|{_SPACE}?percent of\b|{_SPACE}?процент(?:а|ов)? от\b",
    ),
    ("percent", r"%|％|\bpercent\b|процент(?:а|ов)?\b"),
    ("power", r"\^|\*\*|\bto the power of\b|\bв степени\b"),
    (
        "sup",
        r"⁻?[⁰¹²³⁴-⁹]{1,3}|(?<=[\d)] )(?:squared|cubed|в квадрате|в кубе)\b|"
        r"的\d{1,2}次方|的平方(?=[=＝是等为])|的立方(?=[=＝是等为])|の\d{1,2}乗|の二乗|の三乗",
    ),
    (
        "times",
        (
            rf"[×·⋅∙]|\\times|\\cdot|(?<!^)\*{_AFTER}|\btimes\b|\bmultiplied by\b|умножить "
            rf"на\b|乘以|乘|かける|(?<=[\d) ])[xXхХ]{_AFTER}"
        ),
    ),
    ("divide", r"÷|/|\\div\b|\bdivided by\b|разделить на\b|(?:除以|割る|わる)"),
    # "That is 36: 240 × 0.15": a division has spaces on both sides of its colon, or on none.
    ("colon", rf"(?:(?<=[\d)]):(?=\S)|(?<= ):){_AFTER}"),
    ("plus", r"\+|\bplus\b|\bплюс\b|加上|加|足す|たす"),
    ("minus", r"[-−–—]|\bminus\b|\bминус\b|减去|减|引く|ひく"),
    ("open", r"[(\[{]"),
    ("close", r"[)\]}]"),
    (
        "scale",
        (
            r"million\b|billion\b|trillion\b|thousand\b|тыс(?:\.|яч[аи]?\b)|млн\b|млрд\b|"
            r"миллион(?:а|ов)?\b|万|亿|萬|億"
        ),
    ),
    ("of_percent", r"的(?=\d{1,3}(?:\.\d{1,4})?[%％])|の(?=\d{1,3}(?:\.\d{1,4})?[%％])"),
    ("space", rf"{_SPACE}+"),
    ("line", r"\n"),
    (
        "unit",
        (
            r"(?:\\text\{[^{}\n]{1,20}\}|[^\W\d_]{1,24}|°|₽|€|£)(?:/[^\W\d_]{1,10})?(?:\^[23]|"
            r"⁻?[¹²³])?\.?(?=[^\w]|$|\d)|[㎡㎥㎞㎏㎝㎜]"
        ),
    ),
)
_TOKEN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _TOKENS), re.I)
_HAN = re.compile(r"[㐀-鿿々ぁ-ヺー]")
_HAN_UNIT = re.compile(r"[㐀-鿿々ァ-ヺーー](?:ページ|キロ|グラム|メートル|センチ|リットル)?")
RELATIONS = frozenset({"eq", "word_eq", "approx", "gt", "lt", "ge", "le"})
_BINARY = frozenset({"plus", "minus", "times", "divide", "colon", "power"})
_INSIDE = (
    RELATIONS
    | _BINARY
    | frozenset(
        [
            "number",
            "frac",
            "root",
            "root_of",
            "factorial",
            "percent",
            "percent_of",
            "of_percent",
            "sup",
            "open",
            "close",
            "scale",
            "dots",
            "unit",
        ]
    )
)
#: Words that say that what stands after a result is still part of it.
_REMAINDER = re.compile(
    r"\s{0,2}(?:[,(]\s{0,1})?(?:remainder|with a remainder|R\s?\d|r\.?\s?\d|остаток|ост\.|"
    r"и остаток|с остатком|余|餘|あまり|余り|(?:…{1,2}|\.{3,6})\s?\d)",
    re.I,
)
_MOST_TOKENS = 200
#: A line in which something can be computed.
_NUMBERED = re.compile(r"^.*[\d½⅓⅔¼¾⅕-⅞].*$", re.M)


@dataclass(frozen=True, slots=True)
class Claim:
    """``sides[0] relations[0].kind sides[1] ...``; a side is empty where something that cannot be
    computed stands."""

    sides: tuple[tuple[Token, ...], ...]
    relations: tuple[Token, ...]


def claims(text: str) -> Iterator[Claim]:
    """All claims of `text`, in order; the time is linear in its length."""
    plain = text.translate(_PLAIN)
    # every other line is prose, and a line's end is the end of a run
    for line in _NUMBERED.finditer(plain):
        for run in _runs(plain, line.start(), line.end()):
            if any(token.kind in RELATIONS for token in run):
                yield from _split(run)


def _runs(text: str, at: int, until: int) -> Iterator[list[Token]]:
    """Runs of tokens without a break, of one line. The mark ``bad`` at an end says that a variable
    or function touches the run."""
    run: list[Token] = []
    spaced = False
    while at < until:
        match = _TOKEN.match(text, at)
        kind = str(match.lastgroup) if match else ""
        end = match.end() if match else at + 1
        if kind == "unit" and match and _HAN.match(text[at]):
            unit = _HAN_UNIT.match(text, at)
            end = at + len(unit.group() if unit else text[at])
        if kind in ("space", "skip"):
            spaced = spaced or kind == "space"
        elif not run and kind in _BINARY:
            run, spaced = _opened(kind, text, at, end), False
        elif (
            kind in _INSIDE
            and len(run) < _MOST_TOKENS
            and (kind != "unit" or _is_unit(run, text, at, end, spaced))
        ):
            run.append(Token(kind, text[at:end], at, end, spaced))
            spaced = False
        else:
            touches = kind == "bad" or (kind == "unit" and not _plain_word(text, at, end))
            if run:
                yield [*run, Token("bad", "", at, end, spaced)] if touches else run
            run, spaced = ([Token("bad", text[at:end], at, end, spaced)] if touches else []), False
        at = end
    if run:
        yield run


def _opened(kind: str, text: str, at: int, end: int) -> list[Token]:
    """How a run begins with a sign: a bullet is nothing, a minus at a number is its sign, after a
    word it belongs to a variable."""
    before = text[max(0, at - 40) : at].rstrip(" \t*_")
    if before and (before[-1].isalnum() or before[-1] in ")]}"):
        return [Token("bad", text[at:end], at, end, False)]
    if kind == "minus" and text[end : end + 1].isdigit():
        return [Token(kind, text[at:end], at, end, False)]
    return []


def _is_unit(run: list[Token], text: str, at: int, end: int, spaced: bool) -> bool:
    """Whether the word at `at` is a unit of the number before it: a word, or one of the letters
    that are units."""
    if not run or run[-1].kind not in ("number", "percent", "scale", "close", "unit"):
        return False
    word = text[at:end].rstrip(".")
    if re.match("[ぁ-ゖ]", word):
        return word[0] == "つ"
    if word in "㎡㎥㎞㎏㎝㎜":
        return True
    if _HAN.match(word):
        return run[-1].kind != "unit" or (
            at == run[-1].end and bool(_HAN.match(run[-1].text)) and at - run[-1].start < 3
        )
    if run[-1].kind == "unit" or (not spaced and run[-1].kind == "close"):
        return False
    if len(word) == 1:
        return word in "mglhsкгмлчсLVWAKCF°₽€£" and (spaced or word in "mgмгLл°₽€£")
    return word.casefold() not in _STOP


_STOP_WORDS = (
    "they it we he she you i can be must there would will has have had was were not does do "
    "a an per each "
    "and or of in is are the to so then but if for with by from at as on that this which "
    "because since mod sin cos tan log ln lg exp "
    "и или в на то так значит если для с по из что а но где при от до поэтому потому also "
    "plus et und"
)
_STOP = frozenset(_STOP_WORDS.split())
_FUNCTION_WORDS = (
    "sin cos tan tg ctg log lg ln exp max min det mod gcd lcm lim sum avg mean нод нок мод"
)
_FUNCTIONS = frozenset(_FUNCTION_WORDS.split())


def _plain_word(text: str, at: int, end: int) -> bool:
    """Whether the word at `at` only ends a run: prose, no variable and no function."""
    word = text[at:end].rstrip(".").casefold()
    if word in _FUNCTIONS or text[end : end + 1] in "(_^":
        return False
    if _HAN.match(word):
        return True
    return len(word) > 1 or (
        word in "aiявскоу"
        and text[end : end + 1].isspace()
        and not re.match(r"\s?[-+*/=<>^×·]", text[end : end + 3])
    )


def _split(run: list[Token]) -> Iterator[Claim]:
    """Claims of one run: cut where a bracket has no partner or holds a relation, and where two
    numbers stand side by side."""
    cuts, opened, holds = {-1, len(run)}, [], []
    for at, token in enumerate(run):
        if token.kind == "open":
            opened.append(at)
            holds.append(False)
        elif token.kind == "close" and opened:
            start, held = opened.pop(), holds.pop()
            cuts |= {start, at} if held else set()
        elif token.kind == "close":
            cuts.add(at)
        elif token.kind in RELATIONS and holds:
            holds[-1] = True
    # A relation counts for all brackets around it.
    cuts |= set(opened)
    ordered = sorted(cuts)
    for left, right in pairwise(ordered):
        piece = run[left + 1 : right]
        if any(token.kind in RELATIONS for token in piece):
            yield _claim(piece)


def _claim(piece: list[Token]) -> Claim:
    sides: list[list[Token]] = [[]]
    relations: list[Token] = []
    for token in piece:
        if token.kind in RELATIONS:
            relations.append(token)
            sides.append([])
        else:
            sides[-1].append(token)
    last = len(sides) - 1
    return Claim(
        tuple(tuple(_whole(side, first=at == 0, last=at == last)) for at, side in enumerate(sides)),
        tuple(relations),
    )


def _whole(side: list[Token], first: bool, last: bool) -> list[Token]:
    """The part of a side that belongs to its relation: after the last break on the left, before the
    first one on the right."""
    breaks = [at for at in range(1, len(side)) if _apart(side, at)]
    if breaks and not (first or last):
        return []
    if breaks:
        at = breaks[-1] if first else breaks[0]
        # 1 1/2 may be one and a half
        if [one.kind for one in side[at - 1 : at + 2]] == [
            "number",
            "number",
            "divide",
        ]:
            return []
        side = side[at:] if first else side[:at]
    if any(token.kind == "bad" for token in side):
        return []
    return side


def _apart(side: Sequence[Token], at: int) -> bool:
    """Whether a token and the one before it cannot stand in one expression: two numbers, a unit and
    a number."""
    before, after = side[at - 1], side[at]
    if before.kind == "factorial":
        return after.kind in ("number", "frac", "root") or (after.kind == "open" and after.spaced)
    if after.kind == "root" and before.kind == "number" and not after.spaced:  # 5√2
        return False
    if after.kind not in ("number", "frac", "root") or before.kind not in (
        "number",
        "unit",
        "percent",
        "scale",
        "dots",
    ):
        return False
    return not (before.kind == "unit" and after.kind == "number" and is_compound(side, at))


def is_compound(side: Sequence[Token], at: int) -> bool:
    """Whether the number at `at` goes on with the quantity before it in a smaller unit of its kind:
    1 h 30 min."""
    first = at - 1
    while first > 0 and side[first - 1].kind == "unit" and not side[first].spaced:
        first -= 1
    larger, smaller = measured(unit_at(side, first)), measured(unit_at(side, at + 1))
    return (
        larger is not None
        and smaller is not None
        and larger[0] == smaller[0]
        and larger[1] > smaller[1]
    )


def has_remainder(text: str, end: int) -> bool:
    """Whether what stands at `end` of the text says that a division left something over."""
    return bool(_REMAINDER.match(text, end))
