"""The policy of suggestions and final values: pure functions, the heart of Cograde. Who decides a
cell is in `routes`.

Suggestion, first row that fits:

| rules with a value | judges with a value (asked) | scale | suggestion | confidence |
|---|---|---|---|---|
| one measures: nothing to grade | any | any | none; the cell is closed | - |
| one measures, or several alike | any | any | their value | 1 |
| measure, differ, none the best | any | with an order | as if the lowest were alone | 1 |
| several that measure differ | any | any | none | - |
| measured between the ends | say less | with an order | what judges say | theirs |
| one detects: nothing to grade | any | any | none, in doubt | - |
| one detects | the same, or less than a flaw | any | what judges say | theirs |
| one detects | more | with an order | the rule's, in doubt | its precision |
| one detects | anything else | any | what judges say, in doubt | theirs |
| one detects | none | any | the rule's, in doubt | its precision |
| several detect and differ | any | with an order | as if the lowest were alone | as above |
| several detect and differ | any | nominal | none, in doubt | - |
| none, for want of a measurement | nobody asked | any | none; closed: nobody can know | - |
| none | none | any | none | - |
| none | 1 | any | its value | stated, times answered / asked |
| none | 2 alike | any | the value | mean stated, times alike / asked |
| none | 2 that differ | any | none | - |
| none | 3 or more | nominal | what over half say, else none | mean stated, times alike / asked |
| none | 3 or more | labels, whole numbers | the median; none between two values | the same |
| none | 3 or more | numeric | the median | mean stated, times answered / asked |

The confidence of one judge is what its verdict is marked with: from repeated samples, else from the
probabilities of its tokens, else what it says of itself (``samples``, ``logprobs``, ``stated``);
the table calls all three stated.

What is in doubt (`Suggestion.doubt`) is for people, whatever was proven: a rule that only detects
is right in most cases, and its suggestion says in how many (`rule_precision`). A rule
measures where its class says so (`graders.core.contracts.Finding`).

A missing verdict stays missing: it only lowers the confidence. Nothing is ever filled with a
default value.

A judge that is derived from others is heard in their place (`heard`): the project's panel instead
of its members, the learned judge only where no other gives a value.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.core.derived_judges import LEARNED, is_panel
from graders.core.records import AGAINST_JUDGE, CONFIRMED, RULE_ALONE
from graders.core.scale import Scale, Value


@dataclass(frozen=True, slots=True)
class Voice:
    """One author's opinion, as far as the policy cares: value None where there is none;
    `misquoted`: it rests on words that are not in the answer; `measured`: a rule measured it, and
    so it decides."""

    author: str
    value: Value | None
    confidence: float | None = None
    reason: str = ""
    misquoted: bool = False
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The value to pre-fill, or None, with the reason in words. `misquoted`: a judge among those
    that it is made from quotes what is not in the answer; `doubt`: why people decide, where a rule
    only detects, else empty."""

    value: Value | None
    confidence: float | None
    reason: str
    misquoted: bool = False
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Final:
    """The final value of a cell and who gave it: adjudicated, people, automatic, closed (not
    applicable) or pending."""

    value: Value | None
    source: str
    reason: str


def heard(judges: Sequence[Voice], panel: str = "", members: Sequence[str] = ()) -> list[Voice]:
    """The voices that make the suggestion: the present `panel` stands for its `members` on cells
    that it has judged; verdicts of earlier panels, and the learned judge's where another gives a
    value, are not heard."""
    asked = [
        voice
        for voice in judges
        if voice.author != LEARNED and (voice.author == panel or not is_panel(voice.author))
    ]
    if any(voice.author == panel for voice in asked):
        astray = any(voice.misquoted for voice in asked if voice.author in members)
        asked = [voice for voice in asked if voice.author == panel or voice.author not in members]
        asked = [
            replace(voice, misquoted=True) if astray and voice.author == panel else voice
            for voice in asked
        ]
    learned = [voice for voice in judges if voice.author == LEARNED and voice.value is not None]
    return learned if learned and all(voice.value is None for voice in asked) else asked


#: The reason of a rule that lacks a measurement which nobody can make up for by reading the answer.
NOT_MEASURED = "not_measured"
#: The reason of a rule where the answer cannot be read, so that nothing can be said of what it
#: holds: neither little nor much.
UNREADABLE = "unreadable"
_UNKNOWABLE = Suggestion(None, None, "not measured")
_UNREADABLE = Suggestion(None, None, f"unscored: {UNREADABLE}")
#: The reason of a rule where the question does not ask for what a criterion grades.
NOT_APPLICABLE = "not_applicable"
_NOT_ASKED = Suggestion(None, None, "not asked for")
#: Suggestions of cells that nobody could decide otherwise.
SETTLED = (_UNKNOWABLE, _UNREADABLE, _NOT_ASKED)


def suggest(scale: Scale, rules: Sequence[Voice], judges: Sequence[Voice]) -> Suggestion:
    """The suggestion for a cell (table above). `judges` holds all that were asked, with None where
    none answered."""
    measuring = [voice for voice in rules if voice.measured]
    if any(voice.reason == UNREADABLE for voice in measuring):
        return _UNREADABLE
    if any(voice.reason == NOT_APPLICABLE for voice in measuring):
        return _NOT_ASKED
    decided = [voice for voice in measuring if voice.value is not None]
    if decided:
        lowest = _lowest(scale, decided)
        if lowest is None:
            return Suggestion(None, None, _differing(decided))
        below = _below(scale, lowest, judges)
        return below or Suggestion(lowest.value, 1.0, f"rule {lowest.author}")
    detected = [voice for voice in rules if not voice.measured]
    for reason in (UNREADABLE, NOT_APPLICABLE):
        if closing := next((voice for voice in detected if voice.reason == reason), None):
            return Suggestion(None, None, f"rule {closing.author}", doubt=_doubt(judges))
    said = _of_judges(scale, rules, judges)
    if pointing := [voice for voice in detected if voice.value is not None]:
        return _pointed_out(scale, pointing, judges, said)
    return said


def _differing(rules: Sequence[Voice]) -> str:
    return "rules differ: " + ", ".join(f"{v.author} says {v.value}" for v in rules)


def _doubt(judges: Sequence[Voice]) -> str:
    return AGAINST_JUDGE if any(voice.value is not None for voice in judges) else RULE_ALONE


def _pointed_out(
    scale: Scale, rules: Sequence[Voice], judges: Sequence[Voice], said: Suggestion
) -> Suggestion:
    """The suggestion where rules only detect: never above what judges `said`, and in doubt unless
    these say so too."""
    lowest = _lowest(scale, rules)
    if lowest is None:
        return Suggestion(None, None, _differing(rules), doubt="rules differ")
    confirmed = lowest.reason == CONFIRMED
    doubt = CONFIRMED if confirmed else _doubt(judges)
    # by its precision a rule is right in most cases, never in all
    sure = lowest.confidence if lowest.confidence is not None and lowest.confidence < 1 else None
    who = f"{'fault' if confirmed else 'rule'} {lowest.author}"
    pointed = Suggestion(lowest.value, sure, who, said.misquoted, doubt)
    if said.value is None or lowest.value is None:
        return pointed
    if said.value == lowest.value or _below(scale, lowest, judges) is not None:
        return said
    if scale.is_ordered and scale.number(said.value) > scale.number(lowest.value):
        return pointed
    return replace(said, doubt=doubt)


def _of_judges(scale: Scale, rules: Sequence[Voice], judges: Sequence[Voice]) -> Suggestion:
    """What judges suggest."""
    spoke = [voice for voice in judges if voice.value is not None]
    if rules and not judges and all(voice.reason == NOT_MEASURED for voice in rules):
        return _UNKNOWABLE
    astray = any(voice.misquoted for voice in judges)
    if not spoke:
        return Suggestion(None, None, "no verdict" if not judges else "no usable verdict", astray)
    value = _centre(scale, [voice.value for voice in spoke if voice.value is not None])
    if value is None:
        return Suggestion(None, None, "judges differ", astray)
    exact = scale.kind != "numeric"
    alike = (
        [voice for voice in spoke if voice.value == value] if exact and len(spoke) > 1 else spoke
    )
    stated = [voice.confidence for voice in alike if voice.confidence is not None]
    share = len(alike) / len(judges)
    confidence = (
        share * (sum(stated) / len(stated)) if stated else (share if len(judges) > 1 else None)
    )
    who = (
        f"judge {spoke[0].author}" if len(judges) == 1 else f"{len(alike)} of {len(judges)} judges"
    )
    return Suggestion(value, confidence, who, astray)


def _lowest(scale: Scale, decided: Sequence[Voice]) -> Voice | None:
    """The rule whose value counts: each found another fault, and the worst of them tells; None
    where one contradicts another."""
    values = {voice.value for voice in decided if voice.value is not None}
    if len(values) == 1:
        return decided[0]
    if not scale.is_ordered or _place(scale, max(values, key=scale.number)) == 1:
        return None
    return min(
        decided, key=lambda voice: scale.number(voice.value) if voice.value is not None else 0.0
    )


def _below(scale: Scale, rule: Voice, judges: Sequence[Voice]) -> Suggestion | None:
    """What judges suggest where a rule found a minor fault and they find more: its value is the
    most that there can be."""
    if rule.value is None or not scale.is_ordered or not 0 < _place(scale, rule.value) < 1:
        return None
    found = suggest(scale, [], judges)
    return (
        found
        if found.value is not None and scale.number(found.value) < scale.number(rule.value)
        else None
    )


def _place(scale: Scale, value: Value) -> float:
    """Where a value stands on an ordered scale, from 0 to 1."""
    low, high = (
        (scale.numbers[0], scale.numbers[-1]) if scale.is_discrete else (scale.low, scale.high)
    )
    return (scale.number(value) - low) / (high - low)


def _centre(scale: Scale, values: Sequence[Value]) -> Value | None:
    """The value that stands for several: median or majority; None where it falls between two."""
    if len(set(values)) == 1:
        return values[0]
    if len(values) == 2 and scale.kind != "numeric":
        return None
    if scale.kind == "nominal":
        value, count = Counter(values).most_common(1)[0]
        return value if count * 2 > len(values) else None
    if scale.kind == "numeric":
        return None if len(values) == 2 else statistics.median(float(v) for v in values)
    ordered = sorted(values, key=scale.number)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else None


def final_value(
    scale: Scale,
    adjudicated: Voice | None,
    people: Sequence[Voice],
    suggestion: Suggestion,
    route: str,
) -> Final:
    """The final value: adjudicated before people before automatic; else pending.

    People: the median on ordered scales, the most frequent value on nominal ones; a tie is pending,
    "people differ". An answer that cannot be read is closed as unscored until people say something.
    Not applicable is a value of its own: it closes the cell when more than half say so, and where
    nothing was measured nobody need say it.
    """
    if adjudicated is not None and (
        adjudicated.value is not None or adjudicated.reason == "not_applicable"
    ):
        return (
            _closed("adjudicated")
            if adjudicated.value is None
            else Final(adjudicated.value, "adjudicated", "adjudicated")
        )
    spoke = [
        voice for voice in people if voice.value is not None or voice.reason == "not_applicable"
    ]
    if spoke:
        away = [voice for voice in spoke if voice.value is None]
        if len(away) * 2 > len(spoke):
            return _closed("people")
        values = [voice.value for voice in spoke if voice.value is not None]
        value = people_centre(scale, values) if len(away) * 2 < len(spoke) else None
        if value is None:
            return Final(None, "pending", "people differ")
        return Final(value, "people", "one person" if len(spoke) == 1 else f"{len(spoke)} people")
    if suggestion in (_UNKNOWABLE, _NOT_ASKED):
        return _closed(suggestion.reason)
    if suggestion == _UNREADABLE:
        return Final(None, "closed", suggestion.reason)
    if route == "automatic" and suggestion.value is not None:
        return Final(suggestion.value, "automatic", suggestion.reason)
    return Final(None, "pending", "" if route else "not routed yet")


def _closed(why: str) -> Final:
    return Final(None, "closed", f"not applicable ({why})")


def people_centre(scale: Scale, values: Sequence[Value]) -> Value | None:
    """The value that stands for several people's: median, or the most frequent on labels without
    order; None for a tie."""
    if scale.kind == "nominal":
        ranked = Counter(values).most_common(2)
        return None if len(ranked) == 2 and ranked[0][1] == ranked[1][1] else ranked[0][0]
    if scale.kind == "numeric":
        return statistics.median(float(v) for v in values)
    ordered = sorted(values, key=scale.number)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return low if low == high else None
