"""What the demo's invented people prefer: the answer to which a careful reader gives the better values (opinions.csv), and each by taste.

All is drawn by seed, so that the demo is made alike each time.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

from graders.core.hashing import seeded

SEED = 2611
HERE = Path(__file__).parent
#: Values of each criterion, worst first.
STEPS: dict[str, list[Any]] = {
    "relevance": ["irrelevant", "relevant"],
    "completeness": [1, 2, 3, 4, 5],
    "elements": ["no", "yes"],
    "brevity": ["too long", "fitting"],
    "clarity": [0.0, 0.2, 0.4, 0.7, 1.0],
}

Key = tuple[str, str, str, str]


def _table(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _value(criterion: str, text: str) -> Any:
    return next(step for step in STEPS[criterion] if str(step) == text)


CAREFUL: dict[Key, Any] = {
    (row["question_id"], row["model"], row["criterion"], row["part"]): _value(row["criterion"], row["value"])
    for row in _table("opinions.csv")
}


def prefers(person: str, question: str, first: str, second: str) -> str:
    """Which of two answers a person would rather have been given: A, tie or B."""
    ahead = (
        _worth(question, first) - _worth(question, second) + 0.5 * (seeded(SEED, "taste", person, question, *sorted((first, second))) - 0.5)
    )
    return "tie" if abs(ahead) < 0.3 else "A" if ahead > 0 else "B"


def _worth(question: str, model: str) -> float:
    """What a careful reader's values of an answer come to: 0 to about 3."""
    mine = {key: value for key, value in CAREFUL.items() if key[:2] == (question, model)}
    parts = [STEPS[key[2]].index(value) / (len(STEPS[key[2]]) - 1) for key, value in mine.items()]
    return 3 * sum(parts) / len(parts)


def seconds(person: str, question: str, length: int) -> float:
    """How long a comparison takes: longer for long answers, and for some people."""
    middle = (4.0 + length / 150) * {"mira": 1.0, "jonas": 0.85, "noor": 0.95}[person]
    return round(middle * math.exp(0.7 * (seeded(SEED, "seconds", person, question, length) - 0.5)), 1)
