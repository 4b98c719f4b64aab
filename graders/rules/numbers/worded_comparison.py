"""Comparisons of two numbers in words: "9.11 is greater than 9.9", "100 больше, чем 200",
"100大于200", "100は200より大きい".

Numbers with units are compared where both measure the same and are sure to be turned into each
other: "2 km is more than 3000 m". Only numbers that are all of their clause are read: "the sum of 3
and 5 is greater than 7", "5 is less than 2 to the third" and "twice 4 is more than 7" compare
something else than the numbers beside the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from graders.core.words import say
from graders.rules.numbers._quantities import UNIT, size_of
from graders.rules.numbers.arithmetic import Style, number

_NUMBER = r"[-−]?\d(?:[\d.,]{0,30}\d)?(?:/\d{1,9})?"
_A, _B = (
    rf"\*{{0,2}}(?P<a>{_NUMBER})\*{{0,2}}",
    rf"\*{{0,2}}(?P<b>{_NUMBER})(?![A-Za-zА-яё0-9_%°]|[.,:/^*×+-]\d)\*{{0,2}}",
)
#: The same with a unit, at which nothing may hang that makes another one of it (m², km/h).
_QA, _QB = (
    (
        rf"\*{{0,2}}(?P<{name}>{_NUMBER})[ "
        rf"\u00a0\u202f]?(?P<u{name}>{UNIT})(?![A-Za-zА-яё0-9²³^/·°%])\*{{0,2}}"
    )
    for name in ("a", "b")
)
_LEAD_WEST = (
    r"(?:^|[.!?;:(\n]|(?<!\d),|\b(?:because|since|so|that|means|therefore|thus|hence|"
    r"numbers?|value|yes|clearly|"
    r"потому что|так как|поскольку|что|значит|число|итак|да|следовательно),?)[ \t*]{0,4}$"
)
_LEAD_EAST = (
    r"(?:^|[，。；：！？、（(\n,;:]|"
    r"因为|所以|因此|由于|可见|显然|数字|说明|于是|つまり|よって|なので|だから|したがって|"
    r"数字の|数の)[ "
    r"\t*]{0,4}$"
)
_TAIL_WEST = (
    r"[ \t]{0,3}(?:$|[,;!)\n]|\.(?!\d)|:(?!\d)|"
    r"(?:so|because|since|as|which|therefore|поэтому|потому|так как|значит|а значит)\b(?! "
    r"(?:long|many|much)))"
)
_TAIL_EAST = r"(?:です|ので|ため|から)?[ \t]{0,3}(?:$|[，。；！）)、\n,;!]|\.(?!\d)|所以|因此)"
#: Words of which one stands in all that a form finds; the form; what comes before it and behind.
_FORMS = (
    (
        ("than",),
        rf"{_A}\s(?:is|was)\s(?:(?:clearly|actually|indeed|slightly|"
        r"much)\s)?(?:(?P<gt>greater|larger|bigger|more|higher)|"
        rf"(?P<lt>less|smaller|lower))\sthan\s{_B}",
        _LEAD_WEST,
        _TAIL_WEST,
    ),
    (
        ("больше", "меньше"),
        rf"{_A}\s(?:(?P<gt>больше)|(?P<lt>меньше))(?:,?\sчем)?\s{_B}",
        _LEAD_WEST,
        _TAIL_WEST,
    ),
    (
        ("大于", "大於", "小于", "小於"),
        rf"{_A}\s?(?:(?P<gt>大于|大於)|(?P<lt>小于|小於))\s?{_B}",
        _LEAD_EAST,
        _TAIL_EAST,
    ),
    (
        ("比",),
        rf"{_A}\s?比\s?{_B}\s?(?:更|还|要)?(?:(?P<gt>大)|(?P<lt>小))(?![多\w])",
        _LEAD_EAST,
        _TAIL_EAST,
    ),
    (
        ("than",),
        rf"{_QA}\s(?:is|are|was|weighs?|lasts?)\s(?:(?:clearly|actually|indeed|slightly|"
        r"much)\s)?(?:(?P<gt>greater|larger|bigger|more|higher|"
        r"longer|farther|further|heavier|taller)|(?P<lt>less|smaller|lower|shorter|"
        rf"lighter))\sthan\s{_QB}",
        _LEAD_WEST,
        _TAIL_WEST,
    ),
    (
        (
            "больше",
            "длиннее",
            "дольше",
            "тяжелее",
            "выше",
            "дальше",
            "меньше",
            "короче",
            "легче",
            "ниже",
            "ближе",
        ),
        rf"{_QA}\.?\s(?:[—–-]\s)?(?:это\s)?(?:(?P<gt>больше|длиннее|дольше|тяжелее|выше|"
        r"дальше)|(?P<lt>меньше|короче|легче|ниже|ближе))"
        rf"(?:,?\sчем)?\s{_QB}",
        _LEAD_WEST,
        _TAIL_WEST,
    ),
    (
        (">", "<"),
        rf"{_QA}\s(?:(?P<gt>>)|(?P<lt><))\s{_QB}",
        _LEAD_WEST + "|" + _LEAD_EAST,
        _TAIL_WEST + "|" + _TAIL_EAST,
    ),
    (
        ("大于", "大於", "多于", "長於", "长于", "小于", "小於", "少于", "短于"),
        rf"{_QA}\s?(?:(?P<gt>大于|大於|多于|長於|长于)|(?P<lt>小于|小於|少于|短于))\s?{_QB}",
        _LEAD_EAST,
        _TAIL_EAST,
    ),
    (
        ("比",),
        (
            rf"{_QA}\s?比\s?{_QB}\s?(?:更|还|要)?(?:(?P<gt>[大多长長远遠重久高])|"
            r"(?P<lt>[小少短近轻輕低]))(?!\w)"
        ),
        _LEAD_EAST,
        _TAIL_EAST,
    ),
    (
        ("より",),
        (
            rf"{_QA}\s?(?:は|のほうが|の方が)\s?{_QB}\s?より(?:も)?(?:(?P<gt>大きい|多い|長い|"
            r"遠い|重い|高い)|(?P<lt>小さい|少ない|短い|近い|軽い|低い))"
        ),
        _LEAD_EAST,
        _TAIL_EAST,
    ),
    (
        ("より",),
        rf"{_A}\s?(?:は|のほうが|の方が)\s?{_B}\s?より(?:も)?(?:(?P<gt>大きい)|(?P<lt>小さい))",
        _LEAD_EAST,
        _TAIL_EAST,
    ),
)
_BEFORE = r"(?<![A-Za-zА-яё\d_.,/:^*×+-])"
_COMPILED = tuple(
    (words, re.compile(_BEFORE + form, re.I), re.compile(lead, re.I), re.compile(tail, re.I))
    for words, form, lead, tail in _FORMS
)
#: What is only supposed, asked or told of others.
_SUPPOSED = re.compile(
    r"\bif\b|whether|think|thought|believ|claim|\bsa(?:y|id)|seem|looks?\b|appear|might|"
    r"would|could|assum|absurd|contradict|nonsense|"
    r"impossible|\bmyth|confus|\bnot\b|n't\b|\bnever\b|"
    r"\bесли|дума|счита|кажется|\bбы\b|якобы|\bли\b|\bне\b|противореч|абсурд|говор|утвержд|"
    r"如果|若|认为|以为|觉得|看似|似乎|是否|不|矛盾|并非|もし|思|なら|ない|矛盾|見え",
    re.I,
)
#: Numbers with dots that are no decimal fractions.
_NUMBERED = re.compile(
    (
        r"version|release|semver|python|chapter|section|верси|релиз|глав[аеы]|раздел|版本|章节|"
        r"バージョン|第\d"
    ),
    re.I,
)
#: Either side of a comparison, in characters, that may deny it.
_AROUND = 80


def worded_faults(text: str, styles: Sequence[Style]) -> Iterator[tuple[int, int, str]]:
    """Start, end and a sentence for every comparison in words that holds in no way to read its
    numbers."""
    small = text.casefold()
    present = [patterns for words, *patterns in _COMPILED if any(word in small for word in words)]
    numbered = bool(present) and _NUMBERED.search(text) is not None
    for form, lead, tail in present:
        for match in form.finditer(text):
            start, end = match.start("a"), max(match.end("b"), match.end())
            while text[end - 1] == "*":
                end -= 1
            if not lead.search(text[max(0, match.start() - 20) : match.start()]) or not tail.match(
                text, match.end()
            ):
                continue
            if (numbered and "." in match["a"] + match["b"]) or _SUPPOSED.search(
                _sentence(text, match.start(), match.end())
            ):
                continue
            scale = _scale(match)
            if scale is not None and _wrong(
                match["a"], match["b"], bool(match["gt"]), styles, scale
            ):
                yield (
                    start,
                    end,
                    say(
                        "rules.comparison", words=" ".join(text[start:end].replace("*", "").split())
                    ),
                )


def _scale(match: re.Match[str]) -> Fraction | None:
    """How many of the second unit the first one has; None where they measure different things. Bare
    numbers have the same."""
    named = match.groupdict()
    if "ua" not in named:
        return Fraction(1)
    first, second = size_of(named["ua"]), size_of(named["ub"])
    return first[1] / second[1] if first and second and first[0] == second[0] else None


def _wrong(
    first: str, second: str, greater: bool, styles: Sequence[Style], scale: Fraction
) -> bool:
    pairs = [(_value(first, style), _value(second, style)) for style in styles]
    known = [(a * scale, b) for a, b in pairs if a is not None and b is not None]
    return bool(known) and all(a <= b if greater else a >= b for a, b in known)


def _value(text: str, style: Style) -> Fraction | None:
    negative, bare = text[0] in "-−", text.lstrip("-−")
    top, _, bottom = bare.partition("/")
    read, below = number(top, style), number(bottom or "1", style)
    if read is None or below is None or not below[0]:
        return None
    return (-read[0] if negative else read[0]) / below[0]


def _sentence(text: str, start: int, end: int) -> str:
    before = re.split(r"[.!?](?=\s)|[。！？\n]", text[max(0, start - _AROUND) : start])[-1]
    return before + text[start:end] + text[end : end + _AROUND].partition("\n")[0]
