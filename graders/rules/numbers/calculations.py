"""Whether an equals sign or a sign of comparison between numbers speaks of a calculation, and not
of a range, a score or a menu."""

from __future__ import annotations

from collections.abc import Sequence

from graders.rules.numbers.arithmetic import computed, is_powered
from graders.rules.numbers.equations import Claim
from graders.rules.numbers.tokens import Token, unit_at

_OPERATORS = frozenset(
    {
        "plus",
        "minus",
        "times",
        "divide",
        "colon",
        "power",
        "sup",
        "root",
        "root_of",
        "factorial",
        "frac",
        "percent_of",
        "of_percent",
    }
)
#: Signs that a date, a ratio or a path may have, too.
_WEAK = frozenset({"minus", "divide", "colon"})


def is_calculated(claim: Claim) -> bool:
    """Whether some side is surely a calculation."""
    return any({token.kind for token in side} & (_OPERATORS - _WEAK) for side in claim.sides)


def is_continued(claim: Claim, at: int) -> bool:
    """Whether an equals sign stands before the left side of the relation at `at`, too: 1 h = 60 min
    = 3600 s."""
    return at > 0 and claim.relations[at - 1].kind == "eq" and bool(claim.sides[at - 1])


def runs_on(side: Sequence[Token]) -> bool:
    """Whether a side begins with a number and goes on calculating with it."""
    return len(side) >= 3 and side[1].kind in _OPERATORS


def is_calculation(
    left: Sequence[Token],
    relation: Token,
    right: Sequence[Token],
    claim: Claim,
    calculated: bool,
    language: str,
) -> bool:
    """Whether this is an equation or comparison at all, and not a range, a ratio, a definition or a
    path in a menu; `calculated`: a side of the claim is."""
    operators = {token.kind for token in (*left, *right)} & _OPERATORS
    if relation.kind in ("gt", "lt", "ge", "le"):
        single = sum(one.kind != "word_eq" for one in claim.relations) == 1
        if not single and _is_order(claim):
            return False
        return not (
            relation.kind == "gt" and not right[0].spaced and left[-1].end != relation.start
        )
    if left[-1].kind == "root_of" and any(token.kind == "minus" for token in right):  # 4 and -4
        return False
    # 1.5 × 10^8 km = 1 AU
    if (is_powered(left) or is_powered(right)) and _is_other_unit(left, right):
        return False
    if not operators:
        return relation.kind == "eq" and calculated and _is_result_of(left, right)
    if (
        "colon" in operators
        and language not in ("ru", "uk", "be", "kk", "de")
        and not _is_division(left, relation, right)
    ):
        return False
    if relation.kind == "word_eq" and not {token.kind for token in left} & (_OPERATORS - _WEAK):
        return False
    return not _is_range(left)


def _is_other_unit(left: Sequence[Token], right: Sequence[Token]) -> bool:
    named = [
        {unit_at(side, at) for at, token in enumerate(side) if token.kind == "unit"}
        for side in (left, right)
    ]
    return named[0] != named[1] and bool(named[0]) and bool(named[1])


def _is_order(claim: Claim) -> bool:
    """Whether a chain of comparisons may be something else: a path in a menu, an order of ranks (2
    > 3 > 1), steps (5 > 10 > 20)."""
    if not all(claim.sides):
        return True
    bare = [int(side[0].text) for side in claim.sides if len(side) == 1 and side[0].text.isdigit()]
    if len(bare) < len(claim.sides):
        return False
    arrows = all(one.kind == "gt" for one in claim.relations) and bare == sorted(bare)
    return arrows or sorted(bare) == list(range(1, len(bare) + 1))


def _is_result_of(left: Sequence[Token], right: Sequence[Token]) -> bool:
    """Two bare results of one calculation, 1 + 9 = 10 = 11: no sum of digits (10 = 1), no rounding
    of one to the other."""
    if [token.kind for token in (*left, *right)] != ["number", "number"]:
        return False
    if right[0].text == str(sum(int(char) for char in left[0].text if char.isdigit())):
        return False
    readings = [
        (computed(left, style, "hundredth"), computed(right, style, "hundredth"))
        for style in ("point", "comma")
    ]
    return all(
        abs(a.value - b.value) > max(a.step or 0, b.step or 0) / 2 for a, b in readings if a and b
    )


def _is_division(left: Sequence[Token], relation: Token, right: Sequence[Token]) -> bool:
    """``8:2=3`` is a division also where the colon is seldom its sign: it comes out even, and is no
    time of day and no score."""
    if (
        relation.kind != "eq"
        or [t.kind for t in left] != ["number", "colon", "number"]
        or [t.kind for t in right] != ["number"]
    ):
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
    return (
        tight
        and first.text.isdigit()
        and second.text.isdigit()
        and int(first.text) < int(second.text)
    )
