"""What a question or its required elements ask of verse that can be counted: lines, stanzas,
syllables, rhyme, a fixed form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graders.rules.forms.asked_forms import forms_asked
from graders.rules.forms.edges import NONE_ASKED, Edges, edges_asked

_EN = {
    word: n
    for n, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        1,
    )
}
_EN |= {"fourteen": 14, "sixteen": 16, "twenty": 20}
_RU_WORDS = (
    "одной двух трёх трех четырёх четырех пяти шести семи восьми девяти десяти двенадцати "
    "четырнадцати шестнадцати двадцати "
    "одна две три четыре пять шесть семь восемь девять десять двенадцать четырнадцать "
    "шестнадцать двадцать"
)
_RU_NUMBERS = [
    1,
    2,
    3,
    3,
    4,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    12,
    14,
    16,
    20,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    12,
    14,
    16,
    20,
]
_HAN = dict(zip("一二两三四五六七八九十", [1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10], strict=True))
_NUMBERS = {
    **_EN,
    **dict(zip(_RU_WORDS.split(), _RU_NUMBERS, strict=True)),
    **_HAN,
    "十二": 12,
    "十四": 14,
    "十六": 16,
    "二十": 20,
}
_N = rf"(\d{{1,3}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"

_LINES = re.compile(
    rf"(?<![\w-]){_N}[\s-]+(?:\w+\s)?lines?\b|(?<!\w){_N}\s+(?:строк[аи]?|строчк[аи]|строчек|"
    rf"стих(?:а|ов))(?!\w)|{_N}\s?(?:行|"
    rf"句)(?!以上|以内|话)(?:诗|的诗|の詩|詩|で)?",
    re.I,
)
_STANZAS = re.compile(
    rf"(?<![\w-]){_N}[\s-]+(?:\w+\s)?(?:stanzas?|quatrains)\b|(?<!\w){_N}\s+(?:строф[аы]?|"
    r"куплет(?:а|ов)?|четверостиши[яй])(?!\w)|"
    rf"{_N}(?:节|節|段|连|連)(?:的)?(?:诗|詩|の詩)?",
    re.I,
)
_SYLLABLES = re.compile(
    rf"(?:each|every|per|all)\b[^.;\n]{{0,30}}?(?<![\w-]){_N}\s+syllables|"
    rf"(?<![\w-]){_N}\s+syllables\s+(?:per|each|in "
    r"each|in every|a)\b|"
    rf"по\s+{_N}\s+слог(?:ов|а|у)?|{_N}\s+слог(?:ов|а)?\s+в\s+(?:каждой\s+)?строк",
    re.I,
)
_CHARACTERS = re.compile(rf"每[行句]\s?{_N}\s?(?:个)?字|([五七])言")
_SCHEME = re.compile(
    r"(?<![A-Za-z])((?:A[AB][ABC]{1,2}(?:[\s,-]?[A-G]{2,4}){0,4}))(?![A-Za-z])|"
    r"(?<![А-Яа-я])((?:А[АБ][АБВ]{1,2}))(?![А-Яа-я])"
)
_LOOSE = re.compile(
    r"(?:at least|at most|up to|less than|under|about|around|no more than|no fewer "
    r"than|fewer than|minimum|maximum|не менее|не более|менее|"
    r"меньше|"
    r"\d\s?(?:to|or|до|или|到|–|から)|около|минимум|максимум|"
    r"хотя бы|до|至少|最多|不超过|少于|不到|约|大约|程度|ほど|くらい)\s*$",
    re.I,
)
_LOOSE_BEHIND = re.compile(r"\s?(?:or more|или больше|以上|以内|左右|程度)")
_EACH = re.compile(r"\b(?:each|every|per)\b|кажд|в строфе|每|各|ずつ", re.I)


@dataclass(frozen=True, slots=True)
class VerseAsked:
    """Countable demands; None where there is none. `pattern` gives units per line (5-7-5), `strict`
    whether one off counts."""

    lines: int | None = None
    stanzas: int | None = None
    units: int | None = None
    characters: int | None = None
    pattern: tuple[int, ...] = ()
    strict: bool = False
    scheme: str = ""
    rhymed: bool = False
    each: int | None = None
    edges: Edges = NONE_ASKED

    @property
    def any(self) -> bool:
        return bool(
            self.lines
            or self.stanzas
            or self.units
            or self.characters
            or self.pattern
            or self.scheme
            or self.rhymed
            or self.edges.any
        )


#: Fixed forms: how they are asked for, and what they demand.
_FIXED = (
    (r"\bhaikus?\b|хокку|хайку|俳句|川柳", VerseAsked(pattern=(5, 7, 5))),
    (r"\btanka\b|танка(?!\w)|短歌|和歌", VerseAsked(pattern=(5, 7, 5, 7, 7))),
    (r"\blimericks?\b|лимерик", VerseAsked(lines=5, scheme="AABBA")),
    (r"\bsonnets?\b|(?<!\w)сонет|十四行诗|ソネット", VerseAsked(lines=14)),
    (r"\bcinquain\b|синквейн на слоги", VerseAsked(pattern=(2, 4, 6, 8, 2))),
    (r"都々逸|都都逸|どどいつ", VerseAsked(pattern=(7, 7, 7, 5))),
    (r"\bcouplet\b|(?<!\w)двустишие", VerseAsked(lines=2)),
    (r"\bquatrain\b|(?<!\w)четверостишие|四行詩|四行诗", VerseAsked(lines=4)),
    (r"五言绝句|五绝|五言絶句", VerseAsked(lines=4, characters=5)),
    (r"七言绝句|七绝|七言絶句", VerseAsked(lines=4, characters=7)),
    (r"五言律诗|五律", VerseAsked(lines=8, characters=5)),
    (r"七言律诗|七律", VerseAsked(lines=8, characters=7)),
    (r"绝句|絶句", VerseAsked(lines=4)),
    (r"律诗", VerseAsked(lines=8)),
)
_SEVERAL = re.compile(
    r"\b(?:limericks|sonnets|(?<!rhyming )couplets|quatrains|poems)\b|"
    r"[二两三四五六七八九\d]\s?首|стихотворений",
    re.I,
)
_SCHEME_WORDS = (
    (r"перекр[её]стн", "ABAB"),
    (
        r"парн\w+ рифм|рифм\w+ парн|смежн|rhyming couplets|1\s?[-–и]\s?2[^\d]{1,12}3\s?[-–и]\s?4",
        "AABB",
    ),
    (r"1\s?[-–и]\s?3[^\d]{1,12}2\s?[-–и]\s?4|cross(?:ed)? rhym", "ABAB"),
    (r"кольцев|опоясыва|охватн", "ABBA"),
    (r"alternat\w+ rhym", "ABAB"),
)
_VERSE = re.compile(
    r"poem|verse|rhym|haiku|tanka|limerick|sonnet|ballad|couplet|quatrain|stanza|\bode\b|"
    r"lyric|стих|четверостиш|строф|рифм|хокку|"
    r"хайку|сонет|"
    r"лимерик|басн|частушк|акростих|рифм|акростих|cinquain|acrostic|诗|詩|藏头|都々逸|"
    r"あいうえお作文|"
    r"俳句|短歌|川柳|绝句|律诗|絶句|五绝|七绝|五律|七律",
    re.I,
)


#: Numbers of units per line, as the question writes them.
_PATTERN = re.compile(
    r"(?<![\d-])\d{1,2}(?:\s?[-–—/、,・]\s?\d{1,2}){2,7}(?![\d-])|"
    r"[二三四五六七八九](?:・?[二三四五六七八九]){2,5}"
)
_UNITS = re.compile(r"syllab|слог|字|音|mora|拍|形式|調|厳守", re.I)
_WAIVED = re.compile(
    r"без (?:\w+ )?(?:счёта|счета|подсч[её]та|учёта)|не (?:обязательно )?(?:считай|соблюда)|"
    r"верлибр|свободн\w+ "
    r"(?:стих|форм)|нестрог|don'?t (?:have to |need to )?count|(?:no|without) (?:need to count|"
    r"counting|strict)|"
    r"free (?:verse|form)|not strict|needn'?t|doesn'?t have to|need not|不(?:必|用|要求)|"
    r"自由(?:诗|律|詩|体|に)|"
    r"定型で(?:なく|は)|でなくて(?:も)?(?:かま|い|よ)|なくてもいい|字余り",
    re.I,
)
_RHYME = re.compile(r"\brhym(?:e|es|ed|ing)\b|в рифму|рифмованн|зарифмуй|с рифм\w+|рифмой", re.I)
_NO_RHYME = re.compile(
    r"не рифм|без рифм|unrhymed|no rhyme|without rhyme|not rhyme|n'?t (?:have to )?rhyme|"
    r"белы[йем]\w* стих",
    re.I,
)
_IN_EACH = re.compile(
    rf"\b(?:stanzas?|quatrains?|verses?)\b (?:of|with|having) {_N} lines|{_N}[\s-]+lines?\b "
    rf"(?:each|per|in each|a)\b|"
    rf"строф\w* по {_N} стро|по {_N} строк\w* (?:в )?кажд",
    re.I,
)
_NOT_WRITTEN = re.compile(
    r"\b(?:how (?:do|to|can|many|should)|what (?:is|are|makes)|explain|who wrote|analy[sz]e|"
    r"famous|meaning of|why|essay|article|report|review)\b|эссе|стать[юя]|сочинени|小论文|论文|"
    r"エッセイ|小論文|"
    r"что такое|как (?:написать|писать|сочин)|объясни|кто написал|разбери|чем отлич|"
    r"什么是|怎么写|如何写|赏析|解释|有名|とは|説明して|教えて|違い|鑑賞",
    re.I,
)


def verse_asked(question: str, must_have: tuple[str, ...] = ()) -> VerseAsked:
    """The countable demands on verse; nothing where none is to be written, or several poems are."""
    text = "\n".join((question[:4000], *(element[:300] for element in must_have[:50])))
    wanted = (
        any(form.key == "verse" for form in forms_asked(question))
        or any(_VERSE.search(element[:300]) for element in must_have[:50])
        or (_VERSE.search(question[:4000]) and not _NOT_WRITTEN.search(question[:4000]))
    )
    if not wanted or _SEVERAL.search(text):
        return VerseAsked()
    waived = _WAIVED.search(text) is not None
    fixed = next(
        (demand for pattern, demand in _FIXED if re.search(pattern, text, re.I)), VerseAsked()
    )
    units, characters = _number(_SYLLABLES, text), _number(_CHARACTERS, text)
    lines, stanzas = _number(_LINES, text), _number(_STANZAS, text)
    each = _number(_IN_EACH, text) if stanzas else None
    if lines and (each or _EACH.search(text)) and (stanzas or units or characters or fixed.any):
        # "three stanzas of four lines each": which number belongs to what is left to the stanzas.
        lines = None
    written = _pattern(text)
    pattern = () if waived else written or fixed.pattern
    strict = bool(written) or bool(re.search(r"五七五|exactly|ровно|строго|五・七・五", text, re.I))
    scheme = "" if waived else _scheme(text, fixed.scheme)
    return VerseAsked(
        lines=fixed.lines or lines if not (pattern or fixed.pattern) else None,
        stanzas=stanzas,
        units=None if waived or pattern else units,
        characters=characters or fixed.characters,
        pattern=pattern,
        strict=strict,
        scheme=scheme,
        rhymed=not scheme and bool(_RHYME.search(text)) and not _NO_RHYME.search(text),
        each=each,
        edges=edges_asked(question),
    )


def _pattern(text: str) -> tuple[int, ...]:
    """Units line by line, where a question writes them in a row: 2-4-6-8-2, 七七七五."""
    for match in _PATTERN.finditer(text):
        numbers = tuple(
            int(part) if part.isdigit() else _HAN[part]
            for part in re.findall(r"\d{1,2}|[二三四五六七八九]", match.group())
        )
        near = text[max(0, match.start() - 40) : match.end() + 40]
        usual = numbers in ((5, 7, 5), (5, 7, 5, 7, 7))
        if (usual or _UNITS.search(near)) and all(1 <= one <= 20 for one in numbers):
            return numbers
    return ()


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    """The one number that `pattern` finds; None for several different ones, or with "at least" and
    the like beside it."""
    found = set()
    for match in pattern.finditer(text):
        word = next(group for group in match.groups() if group).lower()
        if _LOOSE.search(text[max(0, match.start() - 20) : match.start()]) or re.match(
            r"\s?(?:or more|или больше|以上|以内|左右|程度)", text[match.end() :]
        ):
            return None
        found.add(int(word) if word.isdigit() else _NUMBERS[word])
    return found.pop() if len(found) == 1 else None


def _scheme(text: str, own: str) -> str:
    """The rhyme scheme in letters from A; where none is named the form's `own`, "" if it has
    none."""
    if match := _SCHEME.search(text):
        letters = re.sub(r"[\s,-]", "", next(filter(None, match.groups())))
        return letters.translate(str.maketrans("АБВ", "ABC"))
    if _NO_RHYME.search(text):
        return ""
    return next(
        (scheme for pattern, scheme in _SCHEME_WORDS if re.search(pattern, text, re.I)), own
    )
