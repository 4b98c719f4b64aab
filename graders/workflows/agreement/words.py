"""The finding of Agreement as a sentence, and whom the figures speak for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.statistics.arrays import Array, joined
from graders.store.figures.reports import DESIGNS
from graders.workflows.opinions.frame import NO_SAMPLE, POPULATIONS, Opinions
from graders.workflows.scope.phrases import listed, several

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DESIGNS = {
    "calibration": "of answers drawn for calibration",
    "imported": "that came with imported files",
    "": "given outside any draw",
    "blind_arm": "of the blind arm",
    "ordinary": "of ordinary screens",
    "audit": "of answers drawn for audit",
    "adaptive": "of screens in adaptive order",
    "placed": "placed where labels decide",
}

#: Above the figures while their intervals are not there yet: they decide the finding.
FIRST = "How far judges agree with people, beside how far people agree among themselves."

#: Below the title where nothing can be compared.
NOTHING = (
    "Figures appear once two have graded the same answers: a judge and a person, or two people."
)


def title(
    criteria: Sequence[Mapping[str, Any]],
    judges: int,
    left_out: Mapping[str, int],
    blind_only: bool,
    *,
    chosen: int = 0,
    intervals: bool = True,
) -> tuple[str, str]:
    """The finding and what stands below it; FIRST where the intervals that decide it are not there.
    `chosen`: adjudicated values that count, of cells that were chosen."""
    tail = _tail(left_out, blind_only, chosen)
    if not criteria:
        what = "blind verdicts by people" if blind_only else "verdicts by people"
        return f"No {what} meet a judge's or a colleague's yet.", f"{NOTHING} {tail}".strip()
    if not intervals:
        return FIRST, tail
    words: dict[str, list[str]] = {"good": [], "worse": [], "open": []}
    for criterion in criteria:
        found = {judge["verdict"]["word"] for judge in criterion["judges"]}
        kind = (
            "good" if found & {"as good", "better"} else "worse" if found == {"worse"} else "open"
        )
        words[kind].append(criterion["title"])
    if not judges or not any(criterion["judges"] for criterion in criteria):
        return "No judge has graded what people graded: only people are compared.", tail
    of = len(criteria)
    if words["good"]:
        names = (
            f": {listed(words['good'])}"
            if len(words["good"]) < of and len(words["good"]) <= 3
            else ""
        )
        head = f"Judges are as good as a person on {_count(len(words['good']), of)}{names}."
    elif words["worse"]:
        head = (
            "Judges agree with people less than people do with each other on "
            f"{_count(len(words['worse']), of)}."
        )
    else:
        return "The labels do not suffice to say whether a judge is as good as a person.", tail
    rest = []
    if words["good"] and words["worse"]:
        rest.append(f"On {_where(words['worse'])} they are worse than a person.")
    if words["open"]:
        unsure = words["open"]
        named = listed(unsure) if len(unsure) <= 2 else _number(len(unsure))
        rest.append(f"On {named} the labels do not suffice to say.")
    return head, " ".join([*rest, tail]).strip()


def population_json(
    name: str, loaded: Sequence[Opinions], blind_only: bool, only: str = ""
) -> dict[str, Any]:
    """The population that the figures speak for, in words, narrowed down to `only`, and the others
    that have blind verdicts."""
    have = {
        key: sum(int(opinions.of_population(key).sum()) for opinions in loaded)
        for key in POPULATIONS
    }
    choices = [
        {"name": key, "words": POPULATIONS[key].words, "verdicts": count}
        for key, count in have.items()
        if count
    ]
    designs = joined(o.design[o.of_population(name)] if blind_only else o.design for o in loaded)
    words = population_words(name, designs, blind_only) + (f"; only {only}" if only else "")
    return {"name": name if blind_only else "", "words": words, "choices": choices}


def population_words(name: str, designs: Array, blind_only: bool) -> str:
    """How many verdicts of which draws count, and whom they speak for: `designs` int[m], places in
    DESIGNS."""
    if not blind_only:
        more = "".join(
            f"; {count:,} {'is' if count == 1 else 'are'} on cells that were {chosen}"
            for design, chosen in NO_SAMPLE.items()
            if (count := int((designs == DESIGNS.index(design)).sum()))
        )
        return (
            "all verdicts at hand, unweighted; assisted ones partly measure agreement with the "
            f"suggestion that was shown{more}"
        )
    counts = {
        design: int((designs == DESIGNS.index(design)).sum())
        for design in POPULATIONS[name].designs
    }
    parts = [
        f"{count:,} verdict{'s' * (count != 1)} {_DESIGNS[design]}"
        for design, count in counts.items()
        if count
    ]
    speak = (
        POPULATIONS[name].words
        if counts.get("calibration") or name != "all"
        else "the cells that they cover"
    )
    return (
        f"{listed(parts)}, each weighted by 1/probability; they speak for {speak}"
        if parts
        else "no blind verdicts"
    )


def _tail(left_out: Mapping[str, int], blind_only: bool, chosen: int) -> str:
    if not blind_only:
        text = "Assisted verdicts are included: they lean towards the suggestion that was shown."
        return f"{text} {chosen_words(chosen)}" if chosen else text
    parts = []
    if left_out["assisted"]:
        count = left_out["assisted"]
        parts.append(
            f"{several(count, 'verdict')} given with suggestions in view "
            f"{'is' if count == 1 else 'are'} left out."
        )
    if left_out["other_draws"]:
        count = left_out["other_draws"]
        parts.append(
            f"{several(count, 'blind verdict')} of other draws "
            f"{'is' if count == 1 else 'are'} not counted."
        )
    for design, why in NO_SAMPLE.items():
        if left_out.get(design):
            count = left_out[design]
            parts.append(
                f"{count:,} of them {'is' if count == 1 else 'are'} on cells that were "
                f"{why}: no sample."
            )
    if left_out.get("earlier_wording"):
        count = left_out["earlier_wording"]
        parts.append(
            f"{several(count, 'verdict')} of people given under another wording "
            f"{'is' if count == 1 else 'are'} left out."
        )
    return " ".join(parts)


def chosen_words(count: int) -> str:
    """What figures against adjudicated values speak for."""
    values = f"{count:,} adjudicated value{'s' * (count != 1)} {'is' if count == 1 else 'are'}"
    return (
        f"{values} of cells that were chosen because people differ: figures against them speak "
        "for such cells alone."
    )


def _count(found: int, of: int) -> str:
    if found == of:
        return "every criterion" if of > 1 else "the one criterion"
    return f"{_number(found)} {'criterion' if found == 1 else 'criteria'} of {_number(of)}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _where(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= 2 else _number(len(names))
