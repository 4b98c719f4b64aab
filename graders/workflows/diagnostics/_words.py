"""Diagnostics of judges in words: each figure, as a phrase and as a sentence to copy, and the
finding of the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from graders.statistics.resampling import Interval
from graders.workflows.agreement.sentences import share, size_words
from graders.workflows.opinions.pair_figures import interval_json
from graders.workflows.scope.phrases import listed, several

#: Figures whose value is a difference on the scale, and what their value is of.
LEANS = ("leniency", "length", "family", "position", "first", "drift")
NAMES = {
    "leniency": "leniency",
    "length": "length",
    "family": "own family",
    "position": "place in the call",
    "first": "place in the pair",
    "drift": "drift",
    "changed": "winner changed with the order",
    "spread": "use of the scale",
    "over": "confidence",
    "brier": "Brier score",
    "ece": "calibration error",
    "consistency": "self-consistency",
    "quotes": "quotes not in the answer",
    "unread": "replies that could not be read",
}
#: What a lean upwards and downwards is called, with the judge before it and the criterion behind.
_FOUND = {
    "leniency": ("is more lenient than people on", "is stricter than people on"),
    "length": ("rewards length on", "marks long answers down on"),
    "family": ("favours its own family on", "is harder on its own family on"),
    "position": (
        "prefers answers that stand late in a call on",
        "prefers answers that stand early in a call on",
    ),
    "first": ("prefers the answer shown first on", "prefers the answer shown second on"),
    "drift": ("gives more than before it changed on", "gives less than before it changed on"),
    "over": ("is surer than it is right on", "is right more often than it says on"),
}
NOBODY = "No judge has spoken here yet."
NOBODY_NOW = "No judge has spoken under the present wording yet."
#: Below the title where there is nothing.
NOTHING = (
    "Figures appear once a judge has graded answers; most of them need blind verdicts of people."
)
#: Figures about values that need verdicts of people, and those that need none.
BESIDE = ("leniency", "length", "family", "first")
FREE = ("consistency", "quotes", "unread", "position", "changed", "drift")


def speak(judge: str, row: dict[str, Any], tests: int) -> None:
    """Give each figure of a judge's row its `words` and its `sentence`, and the row the `findings`
    that are real."""
    row["findings"] = []
    for name, figure in row["figures"].items():
        found: Interval = figure["interval"]
        figure["words"] = _words(name, figure, row)
        figure["sentence"] = _sentence(judge, name, figure, row, tests)
        figure["title"] = NAMES[name]
        if figure.get("real") and found.value is not None:
            row["findings"].append({"name": name, "words": _FOUND[name][found.value < 0]})
        figure |= interval_json(figure.pop("interval"))


def title(
    judges: Sequence[Mapping[str, Any]], tests: int, old: tuple[int, int] = (0, 0)
) -> tuple[str, str]:
    """The finding as a sentence, and what stands below it. `old`: verdicts of people, and of
    judges, that were given under another wording and do not count; Agreement tells of those of
    people alone."""
    finding, below = _title(judges, tests)
    if not any(old):
        return finding, below
    whose = listed(
        [
            f"{several(count, 'verdict')} of {who}"
            for count, who in zip(old, ("people", "judges"), strict=True)
            if count
        ]
    )
    said = (
        f"{below} {whose} given under another wording {'is' if sum(old) == 1 else 'are'} left out."
    )
    return finding if judges else NOBODY_NOW, said


def _title(judges: Sequence[Mapping[str, Any]], tests: int) -> tuple[str, str]:
    if not judges:
        return NOBODY, NOTHING
    places: dict[tuple[str, str], list[str]] = {}
    for judge in judges:
        for row in judge["criteria"]:
            for one in row["findings"]:
                places.setdefault((judge["name"], one["words"]), []).append(row["title"])
    if places:
        real = sum(map(len, places.values()))
        (name, words), where = max(places.items(), key=lambda pair: len(pair[1]))
        of = (
            f"{real} of {tests} figures that may lean {'does' if real == 1 else 'do'} so beyond "
            "chance (Holm's correction, 5 %)."
        )
        return f"{name} {words} {listed(where)}.", of
    rows = [row["figures"] for judge in judges for row in judge["criteria"]]
    if all(figures["unread"]["value"] == 1 for figures in rows):
        names = listed([judge["name"] for judge in judges])
        return (
            f"No reply of {names} could be read.",
            (
                "Without a value there is nothing to hold against people's; "
                "Results lists these cells and why."
            ),
        )
    together = (
        f"{several(tests, 'figure that may lean was')} tested together (Holm's correction, 5 %)."
    )
    if any(
        figures[name]["p"] is not None for figures in rows for name in BESIDE if name in figures
    ):
        return "No judge leans in a way that can be told from chance.", together
    reasons = [figures[name]["reason"] for figures in rows for name in LEANS if name in figures]
    lacking = sorted(
        (reason for reason in reasons if " more question" in reason),
        key=lambda r: int(r.split()[0]),
    )
    least = (
        f"Nearest to a figure: {lacking[0]}."
        if lacking
        else "Most of these figures need blind verdicts of people."
    )
    return (
        "The labels do not suffice to say whether judges lean.",
        f"{least} What needs no labels is below.",
    )


def _words(name: str, figure: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    found: Interval = figure["interval"]
    if found.value is None:
        return f"No figure: {found.reason}."
    if name in (*LEANS, "over"):
        if found.status != "OK":
            return f"INCONCLUSIVE: {found.reason}."
        if not figure["real"]:
            return (
                "No lean that can be told from chance."
                if name != "drift"
                else f"No drift that can be told from chance.{_moved(figure)}"
            )
        if name == "drift":
            up = "more" if found.value > 0 else "less"
            return (
                f"It gives {_amount(abs(found.value), row['range'])} {up} than before it or the "
                f"wording changed.{_moved(figure)}"
            )
        return _lean(name, found, row, figure.get("contrast"))
    doubt = "" if found.status == "OK" else f" INCONCLUSIVE: {found.reason}."
    if name == "spread":
        return f"Its values spread {found.value:.2f} times as widely as people's.{doubt}"
    if name == "brier":
        return f"Brier score {found.value:.3f}.{doubt}"
    if name == "ece":
        return f"Its chances miss by {100 * found.value:.0f} of 100 on average.{doubt}"
    what = {
        "changed": "of the pairs have another winner when their answers change places",
        "consistency": "of two samples of one call say the same",
        "quotes": "of the verdicts with a quote have one that is not in the answer",
        "unread": (
            "of the cells that it was asked about have no value because the reply could not be read"
        ),
    }[name]
    return f"{_percent(found.value)} {what}.{doubt}"


def _moved(figure: Mapping[str, Any]) -> str:
    """How many cells have another value than before, beside how many do so by noise alone."""
    noise = (
        ""
        if figure["noise"] is None
        else f"; between two samples of one call, {100 * figure['noise']:.0f} %"
    )
    return f" {100 * figure['moved']:.0f} % of the cells moved{noise}."


def _lean(name: str, found: Interval, row: Mapping[str, Any], contrast: Interval | None) -> str:
    value, wide = abs(found.value or 0.0), row["range"]
    up = (found.value or 0.0) > 0
    if name == "over":
        return f"It states {100 * value:.0f} of 100 {'more' if up else 'less'} than it meets."
    if name == "leniency":
        return f"It gives {_amount(value, wide)} {'more' if up else 'less'} than people."
    if name == "length":
        return (
            f"An answer twice as long gets {_amount(value * math.log(2), wide)} "
            f"{'more' if up else 'less'} beyond what people give."
        )
    if name == "first":
        return (
            f"The answer shown first gets {_amount(value, wide)} {'more' if up else 'less'} than "
            "its place deserves."
        )
    if name == "position":
        return (
            f"The last answer of a call gets {_amount(value, wide)} {'more' if up else 'less'} "
            "than the first."
        )
    text = (
        f"Answers of its own family get {_amount(value, wide)} {'more' if up else 'less'} beyond "
        "what people give."
    )
    if contrast is None or contrast.value is None:
        return f"{text} No other judge graded them, so people may as well underrate these answers."
    return f"{text} The other judges: {contrast.value:+.2f}."


def _amount(value: float, wide: float) -> str:
    """A difference on the scale: on one of two values, as a share of answers."""
    return f"{100 * value:.0f} of 100 answers" if wide == 1 else f"{value:.2f} points"


def _sentence(
    judge: str, name: str, figure: Mapping[str, Any], row: Mapping[str, Any], tests: int
) -> str:
    found: Interval = figure["interval"]
    counted = "all its verdicts on the models' answers" if name in FREE else row["counted"]
    head = f"{judge} on {row['title']}, {NAMES[name]}: {figure['words']}"
    if found.value is None:
        return f"{head} Counted: {counted}."
    if name in ("consistency", "quotes", "unread", "changed"):
        return f"{head} {_capital(share(interval_json(found)))}. Counted: {counted}."
    bounds = (
        "no interval"
        if found.low is None or found.high is None
        else f"95 % interval {found.low:.3f} to {found.high:.3f}"
    )
    chance = (
        f"; p {figure['adjusted']:.3f} after Holm's correction over {tests}"
        if figure.get("adjusted") is not None
        else ""
    )
    size = size_words(interval_json(found))
    per = " per e-fold length" if name == "length" else ""
    return f"{head} Value {found.value:.3f}{per} ({bounds}; {size}{chance}). Counted: {counted}."


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %" if 0 < value < 0.1 or 0.9 < value < 1 else f"{100 * value:.0f} %"
