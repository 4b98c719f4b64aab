"""What the demo's invented people think: a careful reader's values (opinions.csv), from which each
of them differs in a way of one's own.

All is drawn by seed, so that the demo is made alike each time.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders.core.hashing import seeded
from tests.support.demo.written import written

SEED = 2611
HERE = Path(__file__).parent
#: On how many cells a person differs from the careful reader, and towards the better value on what
#: share of them.
DIFFERS = {"relevance": 0.02, "completeness": 0.09, "elements": 0.06, "clarity": 0.045}
#: The same on the short texts from q23 on, which leave less to differ on; what is complete is a
#: matter of taste on creative ones.
DIFFERS_SHORT = {"relevance": 0.004, "completeness": 0.02, "clarity": 0.006}
TASTE = 0.22
#: How far a person's share is from these, and the share of differences that are towards the better
#: value.
PEOPLE = {
    "mira": (0.8, 0.5),
    "jonas": (1.0, 0.75),
    "aiko": (0.8, 0.45),
    "noor": (1.3, 0.3),
    "ravi": (1.5, 0.6),
}
#: Values of each criterion, worst first.
STEPS: dict[str, list[Any]] = {
    "relevance": ["irrelevant", "relevant"],
    "completeness": [1, 2, 3, 4, 5],
    "elements": ["no", "yes"],
    "brevity": ["too long", "fitting"],
    "clarity": [0.0, 0.2, 0.4, 0.7, 1.0],
}
#: The chance that somebody who thinks otherwise takes over a suggestion in view: a number from 1 to
#: 5 is taken over easily, other values less so.
PULL = {"completeness": 0.75, "clarity": 0.15, "relevance": 0.1, "elements": 0.3}
#: The chance that somebody who differs from a judge says whose fault that was.
BLAMES = 0.8
#: Whose fault a difference from a judge was, each with its share; the reference only where there is
#: one.
FAULTS = (
    ("judge wrong", 0.50),
    ("matter of taste", 0.21),
    ("rubric unclear", 0.17),
    ("reference wrong", 0.12),
)

Key = tuple[str, str, str, str]


def _table(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _value(criterion: str, text: str) -> Any:
    return next(step for step in STEPS[criterion] if str(step) == text)


CAREFUL: dict[Key, Any] = {
    (row["question_id"], row["model"], row["criterion"], row["part"]): _value(
        row["criterion"], row["value"]
    )
    for row in _table("opinions.csv")
}
_SHORT = written()
CAREFUL.update(_SHORT.careful)
CREATIVE = {row["id"] for row in _SHORT.questions if row["task_type"] == "creative"}
SHORT = {row["id"] for row in _SHORT.questions}
COMMENTS = {(row["question_id"], row["model"]): row["comment"] for row in _table("comments.csv")}


def own(person: str, key: Key, look: str = "") -> Any:
    """The value that a person has in mind for a cell; `look` names a second look, at which some
    change their minds."""
    steps, right = STEPS[key[2]], CAREFUL[key]
    share, up = PEOPLE[person]
    at = steps.index(right)
    if seeded(SEED, "differs", person, *key) < share * _differs(key):
        at += 1 if seeded(SEED, "up", person, *key) < up else -1
    if look and seeded(SEED, look, person, *key) < 0.05:
        at += 1 if seeded(SEED, look, "up", person, *key) < 0.5 else -1
    return steps[min(max(at, 0), len(steps) - 1)]


def _differs(key: Key) -> float:
    if key[0] not in SHORT:
        return DIFFERS[key[2]]
    if key[2] == "completeness" and key[0] in CREATIVE:
        return TASTE
    return DIFFERS_SHORT[key[2]]


@dataclass(frozen=True, slots=True)
class Said:
    """A value with how it came about."""

    value: Any
    action: str
    fault_of: str = ""


def beside(
    person: str, key: Key, suggested: Any, judged: Sequence[Any], has_reference: bool
) -> Said:
    """What a person says with a suggestion, and what judges said, in view. Whoever differs from a
    judge mostly says whose fault it was."""
    mine = own(person, key)
    if suggested is not None and (
        suggested == mine or seeded(SEED, "pull", person, *key) < PULL[key[2]]
    ):
        return Said(suggested, "accepted")
    differs = (
        any(value != mine for value in judged) and seeded(SEED, "blames", person, *key) < BLAMES
    )
    return Said(
        mine,
        "typed" if suggested is None else "edited",
        _fault(person, key, has_reference) if differs else "",
    )


def _fault(person: str, key: Key, has_reference: bool) -> str:
    draw, total = seeded(SEED, "fault", person, *key), 0.0
    for fault, share in FAULTS:
        total += share
        if draw < total and (has_reference or fault != "reference wrong"):
            return fault
    return "judge wrong"


def prefers(person: str, question: str, first: str, second: str) -> str:
    """Which of two answers a person would rather have been given: A, tie or B."""
    ahead = (
        _worth(question, first)
        - _worth(question, second)
        + 0.5 * (seeded(SEED, "taste", person, question, *sorted((first, second))) - 0.5)
    )
    return "tie" if abs(ahead) < 0.3 else "A" if ahead > 0 else "B"


def _worth(question: str, model: str) -> float:
    """What a careful reader's values of an answer come to: 0 to about 3."""
    mine = {key: value for key, value in CAREFUL.items() if key[:2] == (question, model)}
    parts = [STEPS[key[2]].index(value) / (len(STEPS[key[2]]) - 1) for key, value in mine.items()]
    return 3 * sum(parts) / len(parts)


#: How slowly each of them reads.
SLOW = {"mira": 1.0, "jonas": 0.85, "aiko": 1.1, "noor": 0.95, "ravi": 1.2}


def seconds(person: str, key: Key, blind: bool, length: int) -> float:
    """How long a cell takes once its answer is read: a little longer for long answers, without a
    suggestion, and for some people."""
    middle = (2.2 + length / 500) * SLOW[person] * (1.0 if blind else 0.7)
    return round(middle * math.exp(0.7 * (seeded(SEED, "seconds", person, *key) - 0.5)), 1)


def reading(person: str, answer: str, length: int) -> float:
    """How long reading an answer takes, named by what makes it one."""
    draw = seeded(SEED, "reading", person, answer)
    return (14 + length / 20) * SLOW[person] * math.exp(0.6 * (draw - 0.5))


def comparing(person: str, key: Key, blind: bool, length: int) -> float:
    """How long comparing two answers takes."""
    middle = (4.0 + length / 150) * SLOW[person] * (1.0 if blind else 0.7)
    draw = seeded(SEED, "seconds", person, *key)
    return round(middle * math.exp(0.7 * (draw - 0.5)), 1)
