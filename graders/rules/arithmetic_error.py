"""Equations that do not come out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from graders.core.contracts import Rule
from graders.core.examples import FaultExample
from graders.core.records import Mark, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO, Scale
from graders.core.text import language_of
from graders.rules._arithmetic import Computed, Percent, Style, computed, shown, terminates
from graders.rules._equations import Claim, Token, claims, has_remainder
from graders.rules._marks import refusal, span, worst
from graders.rules._prose import without_code, without_quotes
from graders.rules._units import fit
from graders.rules._worded_comparison import worded_faults

_READ = 40_000
_SHOWN = 10
_OPERATORS = frozenset({"plus", "minus", "times", "divide", "colon", "power", "sup", "root", "frac", "percent_of", "of_percent"})
_DENIED = re.compile(
    r"wrong|incorrect|mistake|\bfalse|not true|isn't|is not|\berror|\bwait\b|\boops|instead of|Orwell|\bmod(?:ulo)?\b|binary|hexadecimal|"
    r"\bbase[ -]?\d|octal|version|suppose|"
    r"неверн|неправильн|ошиб|ложн|нельзя|двоичн|шестнадцатеричн|по модулю|верси|вместо|если бы|"
    r"错|誤|不对|不等|不是|二进制|十六进制|版本|假如|間違|誤り|ではな|ではありません|じゃない|二進|2進|バージョン|仮に",
    re.I,
)
_ABOUT = re.compile(
    r"\b(?:about|around|approximately|roughly|nearly|almost)\b|~|примерно|около|приблизительно|почти|约|大概|左右|約|およそ|ほぼ", re.I
)


@dataclass(frozen=True)
class ArithmeticFault(Rule):
    """Decides that an equation or comparison of numbers in the answer does not come out.

    Computed are + − × ÷ powers, square roots, fractions and percentages in digits, with units beside the numbers; a
    result may be rounded to the digits it shows, one that is called approximate may be off by a tenth. Where a sign can
    be read in two ways (1,250; a percent sign) an equation is wrong only if it is so in both. Comparisons in words (is
    greater than) are read between numbers that are all of their clause, bare or with units that are sure to be turned into each other
    (2 km and 3000 m; no tons, miles at sea or months of so many days). Read are the first 40,000 characters, without code and quotations.
    """

    version: ClassVar[str] = "4"
    about: ClassVar[str] = "Every equation or comparison of numbers that can be computed comes out."
    default_scale: ClassVar[Scale] = YES_NO
    fault: ClassVar[str] = "arithmetic_error"
    fault_title: ClassVar[str] = "Arithmetic error"
    severity: ClassVar[str] = "critical"
    speaks_to: ClassVar[str] = "mistakes"
    why: ClassVar[str] = "A reader trusts a sum that is written out, and pays, builds or doses by it."
    misses: ClassVar[str] = (
        "Variables, π, logarithms, numbers in words, conversions of units in equations, chains such as 5 + 3 = 8 − 2 = 6, sums set out in "
        "columns, words such as instead of beside an equation."
    )
    present: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample(
            "How much is left of the bill?", "Without the wine it is 86.40 − 16.80 = 71.60 euros.", "It is 69.60.", "86.40 − 16.80 = 71.60"
        ),
        FaultExample("Сколько будет 20 % от 350?", "20 % от 350 — это 75 рублей.", "Это 70.", "20 % от 350 — это 75"),
        FaultExample("9.11和9.9哪个大？", "因为9.11>9.9，所以9.11更大。", "9.11小于9.9。", "9.11>9.9"),
    )
    absent: ClassVar[tuple[FaultExample, ...]] = (
        FaultExample("What is a third?", "1/3 = 0.33", "It is rounded to the digits that it shows."),
        FaultExample("When was the war?", "1939-1945 = six years.", "A range of years is no subtraction."),
        FaultExample("Верно ли, что 2 + 2 = 5?", "Нет, 2 + 2 = 5 неверно: 2 + 2 = 4.", "Ошибка названа ошибкой."),
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
        language = subject.question.language[:2].lower() or language_of(subject.question.text[:2000])
        asked = re.sub(r"\s", "", subject.question.text[:20_000])
        wrong = [one for one in _wrong(prose, language) if re.sub(r"\s", "", text[one[0] : one[1]]) not in asked]
        if not wrong:
            return Mark.unscored("not_decisive", "No equation that could be computed is wrong.")
        evidence = [span(text, start, end) for start, end, _ in wrong[:_SHOWN]]
        return worst(criterion, " ".join(why for _, _, why in wrong[:_SHOWN]), evidence)


def _wrong(text: str, language: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and a sentence for every pair of sides that does not come out."""
    styles: tuple[Style, ...] = ("point", "comma") if language in ("", "en", "zh", "ja", "ko", "th") else ("comma", "point")
    found = [*_wrong_claims(text, language, styles), *(one for one in worded_faults(text, styles) if not _denied(text, *one[:2]))]
    yield from sorted(found)


def _wrong_claims(text: str, language: str, styles: Sequence[Style]) -> Iterator[tuple[int, int, str]]:
    for claim in claims(text):
        calculated = any({token.kind for token in side} & (_OPERATORS - {"minus", "divide", "colon"}) for side in claim.sides)
        for at, relation in enumerate(claim.relations):
            left, right = claim.sides[at], claim.sides[at + 1]
            if not left or not right or not _is_calculation(left, relation, right, claim, calculated, language) or not fit(left, right):
                continue
            start, end = left[0].start, right[-1].end
            if _denied(text, start, end) or has_remainder(text, _end_of_number(right)):
                continue
            loose = relation.kind == "approx" or bool(_ABOUT.search(_clause(text, start, end)))
            chained = at + 1 < len(claim.relations)
            if why := _disproof(left, relation, right, styles, loose, chained, text):
                yield start, end, why


def _denied(text: str, start: int, end: int) -> bool:
    """Whether the sentence around asks for it, or calls it wrong."""
    asked = text[end : end + 3].lstrip("* ").startswith(("?", "？"))
    return asked or _DENIED.search(_around(text, start, end)) is not None


def _is_calculation(left: Sequence[Token], relation: Token, right: Sequence[Token], claim: Claim, calculated: bool, language: str) -> bool:
    """Whether this is an equation or comparison at all, and not a range, a ratio, a definition or a path in a menu; `calculated`: a side of
    the claim is."""
    operators = {token.kind for token in (*left, *right)} & _OPERATORS
    if relation.kind in ("gt", "lt", "ge", "le"):
        single = sum(one.kind != "word_eq" for one in claim.relations) == 1
        return single and not (relation.kind == "gt" and not right[0].spaced and left[-1].end != relation.start)
    if not operators:
        return relation.kind == "eq" and calculated and _is_result_of(left, right)
    if "colon" in operators and language not in ("ru", "uk", "be", "kk", "de") and not _is_division(left, relation, right):
        return False
    if relation.kind == "word_eq" and not {token.kind for token in left} & (_OPERATORS - {"minus", "divide", "colon"}):
        return False
    return not _is_range(left)


def _is_result_of(left: Sequence[Token], right: Sequence[Token]) -> bool:
    """Two bare results of one calculation, 1 + 9 = 10 = 11: no sum of digits (10 = 1), no rounding of one to the other."""
    if [token.kind for token in (*left, *right)] != ["number", "number"]:
        return False
    if right[0].text == str(sum(int(char) for char in left[0].text if char.isdigit())):
        return False
    readings = [(computed(left, style, "hundredth"), computed(right, style, "hundredth")) for style in ("point", "comma")]
    return all(abs(a.value - b.value) > max(a.step or 0, b.step or 0) / 2 for a, b in readings if a and b)


def _is_division(left: Sequence[Token], relation: Token, right: Sequence[Token]) -> bool:
    """ "8:2=3" is a division also where the colon is seldom its sign: it comes out even, and is no time of day and no score."""
    if relation.kind != "eq" or [t.kind for t in left] != ["number", "colon", "number"] or [t.kind for t in right] != ["number"]:
        return False
    top, bottom = left[0].text, left[2].text
    if not (top.isdigit() and bottom.isdigit() and right[0].text.isdigit()):
        return False
    time = len(top) <= 2 and len(bottom) == 2
    return not time and int(bottom) > 1 and int(top) % int(bottom) == 0


def _is_range(side: Sequence[Token]) -> bool:
    """ "1939-1945", "5–10": two whole numbers, the second one larger, no white space between."""
    if [token.kind for token in side if token.kind != "unit"] != ["number", "minus", "number"]:
        return False
    first, minus, second = (token for token in side if token.kind != "unit")
    tight = not minus.spaced and not second.spaced
    return tight and first.text.isdigit() and second.text.isdigit() and int(first.text) < int(second.text)


def _disproof(
    left: Sequence[Token], relation: Token, right: Sequence[Token], styles: Sequence[Style], loose: bool, chained: bool, text: str
) -> str:
    """A sentence that says what is right; "" if the relation holds in any reading, or can be computed in none."""
    readings: list[tuple[Style, Percent]] = [(style, "hundredth") for style in styles]
    if any(token.kind.startswith("percent") for token in (*left, *right)):
        readings += [(style, percent) for style in styles for percent in ("share", "plain")]
    wrong: tuple[Computed, Computed] | None = None
    for style, percent in readings:
        first, second = computed(left, style, percent), computed(right, style, percent)
        if first is None or second is None:
            continue
        if _holds(first, relation.kind, second, loose, right) or (chained and _runs_on(first, right, style, percent)):
            return ""
        wrong = wrong or (first, second)
    if wrong is None:
        return ""
    bare = wrong[0].step is not None and wrong[1].step is not None
    said = [" ".join(text[side[0].start : side[-1].end].split()) for side in (left, right)]
    if bare or relation.kind in ("gt", "lt", "ge", "le"):
        return f"{said[0]} {relation.text} {said[1]} does not hold."
    first, second = wrong
    if first.step is not None and second.step is None:
        return f"{said[1]} is {shown(second.value, first.step)}, not {said[0]}."
    return f"{said[0]} is {shown(first.value, second.step)}, not {said[1]}."


def _holds(first: Computed, relation: str, second: Computed, loose: bool, right: Sequence[Token]) -> bool:
    a, b = first.value, second.value
    if relation in ("gt", "lt", "ge", "le"):
        return {"gt": a > b, "lt": a < b, "ge": a >= b, "le": a <= b}[relation]
    off = abs(a - b)
    if not off or (loose and off <= abs(a) / 10) or (not (first.exact and second.exact) and off < Fraction(1, 10**9)):
        return True
    return _is_rounding(first, second, right) or _is_rounding(second, first, ())


def _is_rounding(exact: Computed, result: Computed, tokens: Sequence[Token]) -> bool:
    """Whether `result`, a single number, is `exact` rounded (or, if it never ends, cut) to the digits it shows."""
    if result.step is None or exact.step is not None:
        return False
    off, endless = abs(exact.value - result.value), not exact.exact or not terminates(exact.value)
    if off <= result.step / 2 and (endless or result.step < 1):
        return True
    if off < result.step and abs(result.value) < abs(exact.value) and (endless or any(token.kind == "dots" for token in tokens)):
        return result.step < 1 or any(token.kind == "dots" for token in tokens)
    # 33.33 × 3 = 100 takes back a rounding of before; 365 × 24 × 3600 = 31,500,000 rounds to hundreds of thousands.
    small = off * 100 <= abs(exact.value)
    takes_back = result.step == 1 and not terminates(exact.value, 1)
    return small and (takes_back or (result.value >= 10**5 and result.value % 1000 == 0))


def _runs_on(first: Computed, right: Sequence[Token], style: Style, percent: Percent) -> bool:
    """Whether the right side goes on calculating with the result: 5 + 3 = 8 − 2 = 6."""
    if len(right) < 3 or right[1].kind not in _OPERATORS:
        return False
    start = computed(right[:1], style, percent)
    return start is not None and start.value == first.value


def _around(text: str, start: int, end: int) -> str:
    """The sentence in which ``text[start:end]`` stands, and a bit of the next one, where a denial may come."""
    before = re.split(r"[.!?](?=\s)|[。！？\n]", text[max(0, start - 120) : start])[-1]
    after = re.split(r"\n", text[end : end + 50])[0]
    return before + text[start:end] + after


def _clause(text: str, start: int, end: int) -> str:
    """``text[start:end]`` with the words beside it that no comma parts from it: "about" in them speaks of this equation."""
    before = re.split(r"[,;:!?](?=\s)|\.(?=\s)|[，、；：。！？]", text[max(0, start - 60) : start])[-1]
    after = re.split(r"[,;!?.](?=\s|$)|[，、；。！？\n]", text[end : end + 20])[0]
    return f"{before}{text[start:end]}{after}".replace("\n", " ")


def _end_of_number(side: Sequence[Token]) -> int:
    return next((token.end for token in side if token.kind == "number"), side[-1].end)
