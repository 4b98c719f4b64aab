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
    rf"(?<![\w-]){_N}[\s-]+(?:(?!{_N})\w+\s)?lines?\b(?! (?:stanzas?|verses?|poems|each|per))|"
    rf"(?<!\w){_N}\s+(?:строк[аи]?|строчк[аи]|строчек|"
    rf"стих(?:а|ов))(?!\w)|{_N}\s?(?:行|"
    rf"句)(?!以上|以内|话)(?:诗|的诗|の詩|詩|で)?",
    re.I,
)
_STANZAS = re.compile(
    rf"(?<![\w-]){_N}[\s-]+(?:[\w-]+\s)?(?:stanzas?|quatrains|verses)\b|"
    rf"(?<!\w){_N}\s+(?:строф[аы]?|"
    r"куплет(?:а|ов)?|четверостиши[яй])(?!\w)|"
    rf"(?<![每第各]){_N}(?:节|節|段|连|連)(?!は|ごと|に)(?:的)?(?:诗|詩|の詩)?",
    re.I,
)
_SYLLABLES = re.compile(
    rf"(?:each|every|per|all)\b[^.;\n]{{0,30}}?(?<![\w-]){_N}\s+syllables|"
    rf"(?<![\w-]){_N}\s+syllables\s+(?:per|each|in "
    r"each|in every|a)\b|"
    rf"кажд\w+(?: строк\w*)?[^.;\n]{{0,20}}?{_N}\s+слог|строк\w* по {_N} слог|"
    rf"по\s+{_N}\s+слог(?:ов|а|у)?|{_N}\s+слог(?:ов|а)?\s+в\s+(?:каждой\s+)?строк",
    re.I,
)
_CHARACTERS = re.compile(
    rf"[每各][行句](?:都|必须|须|要|得|为|是|有|固定|严格|正好|"
    rf"限){{0,3}}\s?{_N}\s?(?:个)?(?:汉)?字|"
    rf"{_N}\s?(?:个)?(?:汉)?字(?:一|每)[行句]|([五七])言"
)
_SCHEME = re.compile(
    r"(?<![A-Za-z])((?:A[AB][ABC]{1,2}(?:[\s,-]?[A-G]{2,4}){0,4}))(?![A-Za-z])|"
    r"(?<![А-Яа-я])((?:А[АБ][АБВ]{1,2}))(?![А-Яа-я])"
)
_LOOSE = re.compile(
    r"(?:at least|at most|up to|less than|under|about|around|no more than|no fewer "
    r"than|fewer than|minimum|maximum|не менее|не более|менее|"
    r"меньше|"
    rf"{_N}\s?(?:to|or|до|или|到|至|か|から|[~〜～–—-])|около|минимум|максимум|"
    r"хотя бы|до|至少|最多|不超过|少于|不到|约|大约|程度|ほど|くらい)\s*$",
    re.I,
)
_LOOSE_BEHIND = re.compile(r"\s?(?:or more|или больше|以上|以内|左右|程度)")
#: "От четырёх до восьми".
_FROM_TO = re.compile(rf"(?<!\w)(?:от|between|from)\s{_N}\s(?:до|and|to)\s", re.I)
_EACH = re.compile(r"\b(?:each|every|per)\b|кажд|в строфе|每|各|ずつ", re.I)


@dataclass(frozen=True, slots=True)
class VerseAsked:
    """Countable demands; None where there is none. `pattern` gives units per line (5-7-5), in words
    where `by_words`, `strict` whether one off counts; `sizes` are the lines of each stanza, and
    `least` the lines of several poems together."""

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
    by_words: bool = False
    sizes: tuple[int, ...] = ()
    least: int | None = None

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
            or self.sizes
            or self.least
        )


#: Fixed forms: how they are asked for, and what they demand.
_FIXED = (
    (r"\bhaikus?\b|хокку|хайку|俳句|川柳", VerseAsked(pattern=(5, 7, 5))),
    (r"\btanka\b|танка(?!\w)|短歌|和歌", VerseAsked(pattern=(5, 7, 5, 7, 7))),
    (r"\blimericks?\b|лимерик", VerseAsked(lines=5, scheme="AABBA")),
    (r"\bsonnets?\b|(?<!\w)сонет|十四行诗|ソネット", VerseAsked(lines=14)),
    (r"\bcinquain\b|синквейн на слоги", VerseAsked(pattern=(2, 4, 6, 8, 2))),
    (r"(?<!\w)синквейн", VerseAsked(pattern=(1, 2, 3, 4, 1))),
    (r"都々逸|都都逸|どどいつ", VerseAsked(pattern=(7, 7, 7, 5))),
    (r"\bcouplet\b|(?<!\w)двустишие", VerseAsked(lines=2)),
    (r"\bquatrain\b|(?<!\w)четверостишие|四行詩|四行诗", VerseAsked(lines=4)),
    (r"(?<!\w)рубаи|\brubai", VerseAsked(lines=4, scheme="AABA")),
    (r"(?<!\w)терцет|\btercet\b", VerseAsked(lines=3)),
    (r"汉俳|漢俳", VerseAsked(pattern=(5, 7, 5))),
    (r"三行(?:情书|詩|诗|俳句)", VerseAsked(lines=3)),
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
    r"俳句|短歌|川柳|绝句|律诗|絶句|五绝|七绝|五律|七律|"
    r"rubai|jingle|lullaby|nursery|tercet|villanelle|\bsong\b|chorus|slogan in|"
    r"рубаи|песн|куплет|колыбельн|считалк|слог(?:ов|а)|дразнилк|терцет|синквейн|потешк|"
    r"儿歌|童谣|顺口溜|打油诗|汉俳|三行情书|对联|歌词|快板|三句半|わらべ歌|童謡|歌詞|標語|"
    r"ソネット|連の",
    re.I,
)


#: Numbers of units per line, as the question writes them.
_PATTERN = re.compile(
    r"(?<![\d-])\d{1,2}(?:\s?[-–—/、,・]\s?\d{1,2}){2,7}(?![\d-])|"
    r"[二三四五六七八九](?:・?[二三四五六七八九]){2,5}"
)
_LINES_BEHIND = re.compile(r"\s?(?:行|lines?\b|строк|строч|стих(?:а|ов)\b)", re.I)
_BY_WORDS = re.compile(r"\bwords?\b|(?<!\w)слов(?:а|о)?(?!\w)|синквейн|个词|語ずつ", re.I)
#: Several poems of one form.
_POEMS = re.compile(
    rf"(?<![\w-]){_N}\s+(?:\w+\s+)?(?:limericks|sonnets|couplets|quatrains)\b|"
    rf"(?<!\w){_N}\s+(?:\w+\s+)?(?:лимерик(?:а|ов)|сонет(?:а|ов)|двустиши[яй]|"
    r"рубаи)(?!\w)"
)
_UNITS = re.compile(r"syllab|слог|слов|words?|字|音|mora|拍|形式|調|厳守", re.I)
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
    rf"{_N}[\s-]line (?:stanzas?|verses?)|(?:stanzas?|verses?)[^.?!]{{0,30}}\beach (?:of|with) "
    rf"{_N} lines|"
    rf"(?:строф|куплет)\w* (?:по|из) {_N} (?:стро|стих)|по {_N} (?:строк|строч|стих)\w* (?:в "
    rf")?кажд|"
    rf"[每各][节節段连連](?:[にはも]|とも|都|均|要|有|必须){{0,2}}\s?{_N}\s?[行句]|"
    rf"{_N}\s?[行句](?:ずつ|一?[节節连連])",
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
    if not wanted:
        return VerseAsked()
    if _SEVERAL.search(text) or (_number(_POEMS, text) or 0) > 1:
        return VerseAsked(least=_lines_of_several(text))
    waived = _WAIVED.search(text) is not None
    fixed = next(
        (demand for pattern, demand in _FIXED if re.search(pattern, text, re.I)), VerseAsked()
    )
    units, characters = _number(_SYLLABLES, text), _number(_CHARACTERS, text)
    lines, stanzas = _number(_LINES, text), _number(_STANZAS, text)
    each = _number(_IN_EACH, text) if stanzas else None
    in_each = _IN_EACH.search(text) is not None
    if lines and (
        in_each or (_EACH.search(text) and (stanzas or units or characters or fixed.any))
    ):
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
        by_words=bool(pattern and _BY_WORDS.search(text)),
        sizes=_sizes(text),
    )


def _lines_of_several(text: str) -> int | None:
    """How many lines several poems of one fixed form have together; None for other poems."""
    number = _number(_POEMS, text)
    form = next((demand for pattern, demand in _FIXED if re.search(pattern, text, re.I)), None)
    if form is None or not number or not (form.lines or form.pattern):
        return None
    return number * (form.lines or len(form.pattern))


def _sizes(text: str) -> tuple[int, ...]:
    """How many lines each stanza has, where a question writes the numbers in a row: 4-4-3-3."""
    for match in _PATTERN.finditer(text):
        if _LINES_BEHIND.match(text, match.end()):
            return tuple(map(int, re.findall(r"\d{1,2}", match.group())))
    return ()


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
