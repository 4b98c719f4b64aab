"""Equations that do not come out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import language_of
from graders.core.words import carried
from graders.rules.numbers.arithmetic import Computed, Percent, Style, computed, shown, terminates
from graders.rules.numbers.calculations import is_calculated, is_calculation, is_continued, runs_on
from graders.rules.numbers.conversions import (
    converted,
    has_bare_factor,
    is_rough,
    mixes_money,
    stands_alone,
)
from graders.rules.numbers.equations import claims, has_remainder
from graders.rules.numbers.tokens import Token
from graders.rules.numbers.units import fit
from graders.rules.numbers.worded_comparison import worded_faults
from graders.rules.writing.marks import refusal, span, worst
from graders.rules.writing.prose import without_code, without_quotes

say = carried(
    "arithmetic_error",
    {
        "is_not": "{text} is {value}, not {stated}.",
        "none": "No equation that could be computed is wrong.",
        "other_rules": "The question is about numbers that are not counted in tens, or no numbers.",
        "wrong": "{left} {relation} {right} does not hold.",
    },
)

_READ = 40_000
_SHOWN = 10
_DENIED = re.compile(
    r"wrong|incorrect|mistake|\bfalse|not true|isn't|is not|\berror|\bwait\b|\boops|instead "
    r"of|Orwell|\bmod(?:ulo)?\b|binary|hexadecimal|"
    r"\bbase[ -]?\d|octal|version|suppose|priorit|ranking|"
    r"неверн|неправильн|ошиб|ложн|нельзя|двоичн|шестнадцатеричн|по "
    r"модулю|верси|приоритет|рейтинг|вместо|если бы|"
    r"错|誤|优先|優先|排名|順位|不对|不等|不是|二进制|十六进制|版本|版号|模\s?\d|假如|間違|誤り|"
    r"ではな|ではありません|じゃない|二進|2進|バージョン|仮に",
    re.I,
)
#: A variable with its index is no number: S_{20}.
_INDEXED = re.compile(r"[A-Za-z]_(?:\{[^{}\n]{1,20}\}|\w)")
#: Questions about other number systems, versions, or signs that are given another meaning.
_OTHER_RULES = re.compile(
    r"\bbinary\b|\bhex(?:adecimal)?\b|\boctal\b|\bbase[ -](?:\d|two|three|eight|sixteen)|"
    r"\bmod(?:ulo|ular)?\b|\bversions?\b|new operation|defined? (?:as|by|the operation)|is defined|"
    r"двоичн|шестнадцатерич|восьмерич|систем\w+ счислени|по модулю|"
    r"верси[яию]|новая операция|二进制|八进制|十六进制|进制|新(?:定义|运算)|定义(?:的)?运算|"
    r"版本|取模|模\s?\d|二進|2進|16進|進数|進法|バージョン|演算を定義|"
    r"(?:python|java|ios|android|windows|php|node|go|ruby)(?:装的|用的|是|的|"
    r"\W){0,3}の?\s?\d+\.\d+",
    re.I,
)
#: Counting goes round, as the answer says.
_CLOCK = re.compile(
    r"clock arithmetic|\bmod(?:ulo|ular)?\b|циферблат|по модул|модульн|时钟算术|模\s?\d|取模|同余|"
    r"合同式",
    re.I,
)
#: A time of day: 22:40 + 3 h is no sum of numbers.
_TIME = re.compile(r"(?<!\d)[012]?\d[:：][0-5]\d(?!\d)")
#: "52 drops/min": the unit of a result.
_RATE = re.compile(r"(?<=\d)\s?[㐀-鿿]{1,3}\s?/\s?(?:[㐀-鿿]{1,3}|[a-z]{1,3})(?![\w/])")
_EASTERN_COMMA = re.compile(r"(?<=[㐀-鿿ぁ-ヿ]),(?=\s?\d)")
#: "3 sets of" 10 minutes + 5 minutes.
_OF = re.compile(r"\d \w{1,20} (?:of|по) ?$")
#: What is only supposed.
_IF = re.compile(r"(?:\b(?:if|whether|unless|если|либо)|如果|若|もし)[ \t*(]{0,3}$", re.I)
_ABOUT = re.compile(
    (
        r"\b(?:about|around|approximately|roughly|nearly|almost)\b|~|примерно|около|"
        r"приблизительно|почти|约|大概|左右|約|およそ|ほぼ"
    ),
    re.I,
)


@dataclass(frozen=True)
class ArithmeticFault(Rule):
    """Decides that an equation or comparison of numbers in the answer does not come out.

    Computed are + − × ÷ powers, roots, factorials, fractions and percentages in digits, and
    comparisons, one by one where they make a chain; a result may be rounded to the digits it shows,
    one that is called approximate may be off by a tenth. Units that are sure to be turned into each
    other are (3 km + 200 m, 2 h 30 min, 5元3角; no tons, miles at sea or months of so many days).
    Where a sign can be read in two ways (1,250; a percent sign; 2 + 3 = 5!) an equation is wrong
    only if it is so in both. Comparisons in words (is greater than) are read between numbers that
    are all of their clause. Read are the first 40,000 characters, without code and quotations.
    """

    version: ClassVar[str] = "8"
    about: ClassVar[str] = "Every equation or comparison of numbers that can be computed comes out."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "arithmetic_error"
    fault_title: ClassVar[str] = "Arithmetic error"
    fault_about: ClassVar[str] = (
        "An equation or comparison of numbers in the answer does not come out, in the notation "
        "that the answer uses. A rounded result that says so is no fault."
    )
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "mistakes"
    why: ClassVar[str] = (
        "A reader trusts a sum that is written out, and pays, builds or doses by it."
    )
    misses: ClassVar[str] = (
        "Variables, π, logarithms, numbers in words, sums set out in columns, "
        "8/2(2+2) and the like, which are read in two ways; units "
        "with several sizes, maps and games, words such as instead of beside an equation."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How much is left of the bill?",
            "Without the wine it is 86.40 − 16.80 = 71.60 euros.",
            "It is 69.60.",
            "86.40 − 16.80 = 71.60",
        ),
        FaultExample(
            "Сколько будет 20 % от 350?",
            "20 % от 350 — это 75 рублей.",
            "Это 70.",
            "20 % от 350 — это 75",
        ),
        FaultExample(
            "Сколько всего?", "3 км + 200 м = 3,5 км", "Это 3,2 км.", "3 км + 200 м = 3,5 км"
        ),
        FaultExample(
            "9.11和9.9哪个大？", "因为9.11>9.9，所以9.11更大。", "9.11小于9.9。", "9.11>9.9"
        ),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "What is a third?", "1/3 = 0.33", "It is rounded to the digits that it shows."
        ),
        FaultExample(
            "How long is it?",
            "1 h 30 min + 45 min = 2.25 h, and 3 km + 200 m = 3.2 km.",
            "The units are turned into each other.",
        ),
        FaultExample(
            "When was the war?", "1939-1945 = six years.", "A range of years is no subtraction."
        ),
        FaultExample(
            "Верно ли, что 2 + 2 = 5?",
            "Нет, 2 + 2 = 5 неверно: 2 + 2 = 4.",
            "Ошибка названа ошибкой.",
        ),
    )
    missed: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "Convert the recipe to 6 people.",
            "The factor is 6 / 4 = 1.4, so take 350 g instead of 250 g.",
            "Overlooked: instead of may deny what stands before it.",
            "6 / 4 = 1.4",
        ),
    )

    def grade(self, subject: Subject, criterion: Criterion) -> Mark:
        if refused := refusal(subject):
            return refused
        text = subject.answer.text[:_READ]
        prose = without_quotes(without_code(text))
        prose = _INDEXED.sub(lambda match: "x" * len(match.group()), prose)
        prose = _EASTERN_COMMA.sub("，", prose).replace("→", "，")
        prose = _RATE.sub(lambda match: " " * len(match.group()), prose)
        if _OTHER_RULES.search(subject.question.text[:20_000]) or _CLOCK.search(text):
            return Mark.unscored("not_decisive", say("other_rules"))
        language = subject.question.language[:2].lower() or language_of(
            subject.question.text[:2000]
        )
        asked = re.sub(r"\s", "", subject.question.text[:20_000])
        wrong = [
            one
            for one in _wrong(prose, language)
            if re.sub(r"\s", "", text[one[0] : one[1]]) not in asked
        ]
        if not wrong:
            return Mark.unscored("not_decisive", say("none"))
        evidence = [span(text, start, end) for start, end, _ in wrong[:_SHOWN]]
        return worst(criterion, " ".join(why for _, _, why in wrong[:_SHOWN]), evidence)


class Reading(NamedTuple):
    """Both sides of a relation in one way to read them; `turned` into one unit, which for some
    units is `rough`."""

    style: Style
    percent: Percent
    first: Computed
    second: Computed
    turned: bool = False
    rough: bool = False


def _wrong(text: str, language: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and a sentence for every pair of sides that does not come out."""
    styles: tuple[Style, ...] = (
        ("point", "comma") if language in ("", "en", "zh", "ja", "ko", "th") else ("comma", "point")
    )
    found = list(_wrong_claims(text, language, styles))
    worded = [one for one in worded_faults(text, styles) if not _denied(text, *one[:2])]
    found += [
        one for one in worded if not any(start < one[1] and one[0] < end for start, end, _ in found)
    ]
    yield from sorted(found)


def _wrong_claims(
    text: str, language: str, styles: Sequence[Style]
) -> Iterator[tuple[int, int, str]]:
    for claim in claims(text):
        calculated = is_calculated(claim)
        for at, relation in enumerate(claim.relations):
            left, right = claim.sides[at], claim.sides[at + 1]
            if not left or not right:
                continue
            start, end = left[0].start, right[-1].end
            turned = not fit(left, right) or mixes_money(text[start:end])
            equates = (
                turned
                and relation.kind == "eq"
                and (is_continued(claim, at) or stands_alone(text, start, end))
            )
            if not equates and not is_calculation(
                left, relation, right, claim, calculated, language
            ):
                continue
            if (
                _OF.search(text[max(0, start - 40) : start])
                or _TIME.search(text[max(0, start - 5) : end + 4])
                or _denied(text, start, end)
                or has_remainder(text, _end_of_number(right))
            ):
                continue
            loose = relation.kind == "approx" or bool(_ABOUT.search(_clause(text, start, end)))
            chained = at + 1 < len(claim.relations)
            why = _disproof(
                left, relation, right, _readings(left, right, styles, turned), loose, chained, text
            )
            if why:
                yield start, end, why


def _denied(text: str, start: int, end: int) -> bool:
    """Whether the sentence around asks for it, or calls it wrong."""
    asked = text[end : end + 3].lstrip("* ").startswith(("?", "？")) or _IF.search(
        text[max(0, start - 20) : start]
    )
    return bool(asked) or _DENIED.search(_around(text, start, end)) is not None


def _readings(
    left: Sequence[Token], right: Sequence[Token], styles: Sequence[Style], turned: bool
) -> Iterator[Reading]:
    """Both sides in each way to read them; `turned`: in units that have to be turned into each
    other.

    Dots, commas and percent signs have several meanings, and so has a sign of exclamation at the
    end: 2 + 3 = 5!
    """
    ends = [right, right[:-1]] if right[-1].kind == "factorial" else [right]
    separated = any(
        token.kind == "number" and not token.text.isdigit() for token in (*left, *right)
    )
    for style in styles if separated else styles[:1]:
        for end in ends:
            if turned and (pair := converted(left, end, style)):
                yield Reading(
                    style, "hundredth", *pair, turned=True, rough=is_rough(left, end, *pair)
                )
        if turned and not has_bare_factor((*left, *right)):
            continue
        percents: tuple[Percent, ...] = ("hundredth",)
        if any(token.kind.startswith("percent") for token in (*left, *right)):
            percents = ("hundredth", "share", "plain")
        for percent in percents:
            first = computed(left, style, percent)
            seconds = [computed(end, style, percent) for end in ends]
            yield from (
                Reading(style, percent, first, second) for second in seconds if first and second
            )


def _disproof(
    left: Sequence[Token],
    relation: Token,
    right: Sequence[Token],
    readings: Iterable[Reading],
    loose: bool,
    chained: bool,
    text: str,
) -> str:
    """A sentence that says what is right; "" if the relation holds in any reading, or can be
    computed in none."""
    wrong: Reading | None = None
    for one in readings:
        goes_on = chained and _runs_on(one.first, right, one.style, one.percent)
        if one.rough or _holds(one.first, relation.kind, one.second, loose, right) or goes_on:
            return ""
        wrong = wrong or one
    if wrong is None:
        return ""
    first, second = wrong.first, wrong.second
    said = [" ".join(text[side[0].start : side[-1].end].split()) for side in (left, right)]
    bare = first.step is not None and second.step is not None
    if bare or relation.kind in ("gt", "lt", "ge", "le") or (wrong.turned and second.step is None):
        return say("wrong", left=said[0], relation=relation.text, right=said[1])
    if first.step is not None and second.step is None:
        return say("is_not", text=said[1], value=shown(second.value, first.step), stated=said[0])
    unit = text[_end_of_number(right) : right[-1].end].rstrip("! ") if wrong.turned else ""
    value = f"{shown(first.value, second.step)}{unit}"
    return say("is_not", text=said[0], value=value, stated=said[1])


def _holds(
    first: Computed, relation: str, second: Computed, loose: bool, right: Sequence[Token]
) -> bool:
    a, b = first.value, second.value
    if relation in ("gt", "lt", "ge", "le"):
        return {"gt": a > b, "lt": a < b, "ge": a >= b, "le": a <= b}[relation]
    off = abs(a - b)
    if (
        not off
        or (loose and off <= abs(a) / 10)
        or (not (first.exact and second.exact) and off < Fraction(1, 10**9))
    ):
        return True
    # 0.1 + 0.2 = 0.30000000000000004, as machines have it
    if second.step is not None and off <= abs(a) / 10**14:
        return True
    return _is_rounding(first, second, right) or _is_rounding(second, first, ())


def _is_rounding(exact: Computed, result: Computed, tokens: Sequence[Token]) -> bool:
    """Whether `result`, a single number, is `exact` rounded (or, if it never ends, cut) to the
    digits it shows."""
    if result.powered and result.step is not None:
        return abs(exact.value - result.value) <= result.step / 2
    if result.step is None or exact.step is not None:
        return False
    off, endless = abs(exact.value - result.value), not exact.exact or not terminates(exact.value)
    # A quarter is no .3, unless that is called rounded.
    short = terminates(exact.value, 2) and result.step > Fraction(1, 100)
    if off <= result.step / 2 and (endless or (result.step < 1 and not short)):
        return True
    if (
        off < result.step
        and abs(result.value) < abs(exact.value)
        and (endless or any(token.kind == "dots" for token in tokens))
    ):
        return result.step < 1 or any(token.kind == "dots" for token in tokens)
    # 33.33 × 3 = 100 takes back a rounding of before; 365 × 24 × 3600 = 31,500,000 rounds to
    # hundreds of thousands.
    small = off * 100 <= abs(exact.value)
    takes_back = result.step == 1 and not terminates(exact.value, 1)
    return small and (takes_back or (result.value >= 10**5 and result.value % 1000 == 0))


def _runs_on(first: Computed, right: Sequence[Token], style: Style, percent: Percent) -> bool:
    """Whether the right side goes on calculating with the result: 5 + 3 = 8 − 2 = 6."""
    if not runs_on(right):
        return False
    start = computed(right[:1], style, percent)
    return start is not None and start.value == first.value


def _around(text: str, start: int, end: int) -> str:
    """The sentence in which ``text[start:end]`` stands, and a bit of the next one, where a denial
    may come."""
    before = re.split(r"[.!?](?=\s)|[。！？\n]", text[max(0, start - 120) : start])[-1]
    after = re.split(r"\n", text[end : end + 50])[0]
    return before + text[start:end] + after


def _clause(text: str, start: int, end: int) -> str:
    """``text[start:end]`` with the words beside it that no comma parts from it: "about" in them
    speaks of this equation."""
    before = re.split(
        r"[,;:!?](?=\s)|\.(?=\s)|[，、；：。！？]|\n\n", text[max(0, start - 60) : start]
    )[-1]
    after = re.split(r"[,;!?.](?=\s|$)|[，、；。！？\n]", text[end : end + 20])[0]
    return f"{before}{text[start:end]}{after}".replace("\n", " ")


def _end_of_number(side: Sequence[Token]) -> int:
    return next((token.end for token in side if token.kind == "number"), side[-1].end)
