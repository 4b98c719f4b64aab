"""Why a cell was settled as it was: what Aiko writes, by criterion, part and value."""

from __future__ import annotations

from typing import Any

from graders.core.hashing import seeded
from tests.support.demo.minds import SEED

#: (criterion, part) -> sentences for the best value, then for any other.
SENTENCES: dict[tuple[str, str], tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("relevance", ""): (
        (
            "It does what was asked; what is wrong with it counts elsewhere.",
            "Short, but it is what was asked for, in the form that was asked.",
        ),
        (
            "It does something else than what was asked, however well.",
            "A condition of the question is broken, and that decides relevance.",
        ),
    ),
    ("completeness", ""): (
        (
            "Nothing that the question needs is missing; more detail was not asked for.",
            "Both points are there, the second one in other words.",
        ),
        (
            "The main point is there; a smaller one that the question needs is not.",
            "One statement is wrong, and the guide counts a wrong one like a missing one.",
            "What is there is right, but the answer stops before the part that matters most.",
        ),
    ),
    ("elements", ""): (("It is there, in other words.",), ("It is promised and never said.",)),
    ("clarity", "language"): (
        (
            "Plain words throughout; one rare word does not stop anybody.",
            "It is wholly in the language of the question.",
        ),
        (
            "The reader it is written for will not know these words.",
            "Part of it is in another language than the question.",
        ),
    ),
    ("clarity", "mistakes"): (
        ("I looked for a mistake and found none.", "What looks like a slip is correct usage."),
        (
            "A slip that one stumbles over once, no more.",
            "A sentence breaks off, so it cannot have full marks.",
        ),
    ),
    ("clarity", "structure"): (
        (
            "What was asked for comes first, and the rest follows.",
            "The list is what makes it easy to read.",
        ),
        (
            "The point comes late, after a detour.",
            "Easy to follow, but it says the same thing twice.",
        ),
    ),
}


def why(criterion: str, part: str, value: Any, best: bool) -> str:
    """A sentence, the same for the same place each time it is asked."""
    kinds = SENTENCES.get((criterion, part)) or SENTENCES[criterion, ""]
    found = kinds[0 if best else 1]
    return found[int(seeded(SEED, "why", criterion, part, value) * 1e6) % len(found)]
