"""Figures as sentences that can be copied into a report: value, interval, how many, which verdicts,
for whom they speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.statistics.arrays import among
from graders.workflows.agreement.ground import Ground
from graders.workflows.agreement.words import chosen_words, population_words
from graders.workflows.opinions.frame import Opinions

_TARGETS = {
    "others": "what the other people say",
    "people": "each person",
    "adjudicated": "the adjudicated values",
}
_OUTCOME = {
    "as good": "as good as a person",
    "better": "better than a person",
    "worse": "worse than a person",
    "INCONCLUSIVE": "INCONCLUSIVE",
}


def counted(found: Ground, opinions: Opinions, planned: Sequence[int]) -> str:
    """Which verdicts of which people figures on one criterion rest on, whom they speak for, and the
    filters that are set."""
    circle, view = found.circle, found.view
    designs = opinions.design[found.used(opinions) & among(opinions.author, planned)]
    names = sorted(circle.label(i) for i in planned)
    who = f" by {', '.join(names)}" if len(names) <= 3 else f" by {len(names)} people"
    words = population_words(found.population, designs, view.blind_only)
    return (
        f"{words}{'; given' + who if names else ''}{'; only ' + found.only if found.only else ''}"
    )


def headline(criterion: Mapping[str, Any], judge: Mapping[str, Any], counted_words: str) -> str:
    """A judge's row: the figure, the ceiling on the same targets, the verdict."""
    shown, ceiling, verdict = judge["shown"], judge["ceiling"], judge["verdict"]
    if shown["value"] is None:
        return (
            f"On {criterion['title']}, no figure can be given for {judge['name']}: "
            f"{shown['reason']}. Counted: {counted_words}."
        )
    against = _TARGETS[judge["shown_against"]]
    text = (
        f"On {criterion['title']}, {judge['name']} agrees with {against} with "
        f"{criterion['figure']} {figure(shown)}"
    )
    if ceiling["value"] is not None:
        text += f"; people do so, on the same cells, with {figure(ceiling)}"
    outcome = _OUTCOME.get(verdict["word"])
    if outcome:
        text += f": {outcome}" + (
            f", {verdict['reason']}" if verdict["reason"] and outcome == "INCONCLUSIVE" else ""
        )
    chosen = (
        criterion["left_out"].get("adjudicated", 0)
        if judge["shown_against"] == "adjudicated"
        else 0
    )
    return f"{text}. Counted: {counted_words}, {criterion['people']['population']}." + (
        f" {chosen_words(chosen)}" if chosen else ""
    )


def ceiling(criterion: Mapping[str, Any], counted_words: str) -> str:
    """How far people agree among themselves."""
    people = criterion["people"]
    text = (
        f"On {criterion['title']}, people agree among themselves with {criterion['figure']} "
        f"{figure(people['ceiling'])}"
    )
    if people["self"]["value"] is not None:
        text += f", and with themselves, when a screen came back, with {figure(people['self'])}"
    return f"{text}. Counted: {counted_words}, {people['population']}."


def pair(criterion: Mapping[str, Any], two: Mapping[str, Any], counted_words: str) -> str:
    """How far two authors agree."""
    text = (
        f"On {criterion['title']}, {two['a_name']} and {two['b_name']} agree with "
        f"{criterion['figure']} {figure(two['lead'])}"
    )
    return f"{text}; the same value: {share(two['raw'])}. Counted: {counted_words}."


def person(row: Mapping[str, Any], counted_words: str) -> str:
    """The figures of one person that there are."""
    named = (
        ("same", "the same value as colleagues"),
        ("self", "the same value again when a screen came back"),
        ("gold", "right on gold questions"),
        ("severity", "distance from the others' mean, in the scale"),
        ("accepted", "suggestions left as they were"),
    )
    parts = [
        f"{words} {share(row[name])}" for name, words in named if row[name]["value"] is not None
    ]
    if row["pace"]["value"] is not None:
        parts.append(f"seconds a screen {figure(row['pace'])}")
    return (
        f"{row['name']}: {'; '.join(parts) or 'no figure'}. Counted: {counted_words}; pace, "
        "gold and suggestions over all screens."
    )


def move(row: Mapping[str, Any], without: str, counted_words: str) -> str:
    """What setting people aside moves in the figure of a judge."""
    told = [
        f"{_OUTCOME.get(word, word)}, {figure(found)}" if found else "no figure"
        for word, found in zip(row["words"], row["figures"], strict=True)
    ]
    return (
        f"On {row['criterion']}, {row['judge']}'s {row['figure']} beside people: "
        f"with everybody {told[0]}; without the verdicts of "
        f"{without} {told[1]}. Counted: verdicts, {counted_words}."
    )


def one_figure(row: Mapping[str, Any], judge: str, criterion: str, counted_words: str) -> str:
    """A row of the details."""
    sides = [
        f"{judge} and people {figure(row['judge'])}" if row["judge"] else "",
        f"people {figure(row['people'])}" if row["people"] else "",
    ]
    return (
        f"{row['name'][0].upper()}{row['name'][1:]} on {criterion}: "
        f"{'; '.join(s for s in sides if s)}. Counted: {counted_words}."
    )


def alt_test(test: Mapping[str, Any], judge: str, criterion: str, counted_words: str) -> str:
    """The alternative annotator test."""
    if test["omega"] is None:
        return (
            f"The alternative annotator test says nothing of {judge} on {criterion}: "
            f"{test['reason']}. Counted: {counted_words}."
        )
    outcome = "passed" if test["passed"] else "not passed"
    doubt = f", INCONCLUSIVE: {test['reason']}" if test["reason"] else ""
    return (
        f"Alternative annotator test of {judge} on {criterion}, epsilon {test['epsilon']:g}: "
        f"winning rate {test['omega']:.2f}, "
        f"{outcome}{doubt}; advantage {figure(test['rho'])}. Counted: {counted_words}."
    )


def constant(row: Mapping[str, Any], judge: str, criterion: str, counted_words: str) -> str:
    """The best constant answer beside the judge."""
    near = (
        "the value of a person"
        if not row["tolerance"]
        else f"within {row['tolerance']:g} of a person's value"
    )
    best, own = row["constant"], row["judge"]
    if best["value"] is None:
        return f"No constant answer can be compared with {judge} on {criterion}: {best['reason']}."
    text = (
        f"On {criterion}, always saying {row['value']} gives {near} in {share(best)} of the "
        f"verdicts, {judge} does in {share(own)}"
    )
    return f"{text}. Counted: {counted_words}."


def figure(found: Mapping[str, Any]) -> str:
    """A value with its interval and how many cells and questions; or why there is none."""
    if found["value"] is None:
        return f"no figure ({found['reason']})"
    bounds = (
        "no interval"
        if found["low"] is None
        else f"95 % interval {found['low']:.2f} to {found['high']:.2f}"
    )
    doubt = "" if found["status"] == "OK" else f"; INCONCLUSIVE: {found['reason']}"
    return f"{found['value']:.2f} ({bounds}; {size_words(found)}{doubt})"


def share(found: Mapping[str, Any]) -> str:
    """The same for a share, in percent."""
    if found["value"] is None:
        return f"no share ({found['reason']})"
    bounds = (
        "no interval"
        if found["low"] is None
        else f"95 % interval {100 * found['low']:z.0f} to {100 * found['high']:z.0f} %"
    )
    doubt = "" if found["status"] == "OK" else f"; INCONCLUSIVE: {found['reason']}"
    return f"{100 * found['value']:z.0f} % ({bounds}; {size_words(found)}{doubt})"


def size_words(found: Mapping[str, Any]) -> str:
    """How many verdicts on how many questions a figure rests on."""
    cells, questions = found["n_cells"], found["n_questions"]
    return (
        f"{cells:,} verdict{'s' * (cells != 1)} on {questions:,} question{'s' * (questions != 1)}"
    )
