"""What the demo's two judges said of the answers from q23 on, drawn by stated rules.

North is a good judge: it mostly says what a careful reader says, and it is less sure where it does
not. South is a poor one: it prefers long answers, whatever is in them, and errs more often; it is
cheaper. South was asked about relevance and completeness of every second question only, and twice:
between September and October its provider changed it, and it became stricter.
"""

from __future__ import annotations

from typing import Any

from graders.core.hashing import seeded
from tests.support.demo.written import MODELS, SEED, Written

Row = dict[str, Any]
CLARITY = (0.0, 0.2, 0.4, 0.7, 1.0)
#: How often North says something else than a careful reader.
NORTH_ERRS = {"relevance": 0.008, "completeness": 0.1, "clarity": 0.015}
#: What it thinks of a poem is often not what people think, and it does not know that.
NORTH_ON_POEMS, FAR_OFF = 0.3, 0.4
#: How often South does, apart from what an answer's length does to it.
SOUTH_ERRS = {"relevance": 0.05, "completeness": 0.25}
#: How often South moves its value because of an answer's length: down by two points for the
#: shortest and by one for the next, up by one for the two longest.
BY_LENGTH = 0.8
#: South's recipes before and after its provider changed it; how often it gave a point more before.
BEFORE, NOW, MILDER = "south-september", "south-october", 0.45
#: South was asked about every second of these questions, twice: in September, and again in October.
SOUTH_READS = 2
#: What a verdict costs in dollars.
COST = {"judge-north": 0.00041, "judge-south": 0.00011}
WORDS = {
    "relevant": "It does what the question asks.",
    "irrelevant": "It does something else than what was asked.",
    "5": "Nothing that the question needs is missing.",
    "4": "Only a small thing is missing.",
    "3": "The main point is there, the rest is not.",
    "2": "A part is there; what matters is missing.",
    "1": "Nearly everything is missing or wrong.",
    "1.0": "Nothing stops the reader.",
    "0.7": "A small detour.",
    "0.4": "It slows the reader down.",
    "0.2": "It stops the reader more than once.",
    "0.0": "It stops the reader.",
}


def verdicts(of: Written) -> list[Row]:
    """All rows of both judges."""
    texts = {(row["question_id"], row["model"]): row["text"] for row in of.answers}
    creative = {row["id"] for row in of.questions if row["task_type"] == "creative"}
    rows: list[Row] = []
    for (question, model, criterion, part), right in of.careful.items():
        cell = (question, model, criterion, part)
        value, sure = _north(cell, right, question in creative)
        rows.append(_row("judge-north", cell, value, sure, texts[question, model]))
        if criterion == "clarity" or int(question[1:]) % SOUTH_READS:
            continue
        lengths = sorted(len(texts[question, one]) for one in MODELS)
        length = len(texts[question, model])
        place = (-2, -1, 0, 1, 1)[lengths.index(length)]
        value, sure = _south(cell, right, place)
        if criterion == "completeness":
            milder = seeded(SEED, "milder", question, model) < MILDER
            earlier = _row("judge-south", cell, min(5, value + milder), sure, "")
            earlier |= {"recipe_hash": BEFORE, "created_at": _at(question, "2026-09-21")}
            earlier["id"] = f"south-september-{question}-{model}"
            rows.append(earlier)
        found = _row("judge-south", cell, value, sure, texts[question, model])
        rows.append(found | ({"recipe_hash": NOW} if criterion == "completeness" else {}))
    return rows


def _north(cell: tuple[str, ...], right: Any, creative: bool) -> tuple[Any, float]:
    criterion = cell[2]
    taste = creative and criterion == "completeness"
    errs = seeded(SEED, "north", *cell) < (NORTH_ON_POEMS if taste else NORTH_ERRS[criterion])
    sure = seeded(SEED, "north sure", *cell)
    way = seeded(SEED, "north way", *cell)
    value = _beside(right, way, FAR_OFF if taste else 0.08) if errs else right
    if errs and not taste:
        return value, round(0.5 + 0.3 * sure, 2)
    return value, round(
        0.86 + 0.13 * sure if criterion == "completeness" else 0.99 - 0.03 * sure, 2
    )


def _south(cell: tuple[str, ...], right: Any, place: int) -> tuple[Any, float]:
    criterion = cell[2]
    value = right
    if seeded(SEED, "south", *cell) < SOUTH_ERRS[criterion]:
        value = _beside(right, seeded(SEED, "south way", *cell), 0.08)
    if criterion == "completeness" and seeded(SEED, "south long", *cell) < BY_LENGTH:
        value = min(5, max(1, value + place))
    sure = seeded(SEED, "south sure", *cell)
    return value, round(0.7 + 0.25 * sure if criterion == "completeness" else 0.9 + 0.09 * sure, 2)


def _beside(right: Any, draw: float, far: float) -> Any:
    """Another value: a step away, or two with the chance `far`."""
    if isinstance(right, str):
        return "irrelevant" if right == "relevant" else "relevant"
    steps = list(CLARITY) if isinstance(right, float) else [1, 2, 3, 4, 5]
    at = steps.index(right)
    step = 2 if draw < far else 1
    up = (draw * 1000) % 1 > 0.5 and at + step < len(steps)
    return steps[at + step if up or at < step else at - step]


def _at(question: str, day: str) -> str:
    number = int(question[1:])
    return f"{day}T{8 + number // 60:02}:{number % 60:02}:00Z"


def _row(judge: str, cell: tuple[str, ...], value: Any, sure: float, text: str) -> Row:
    question, model, criterion, part = cell
    row: Row = {
        "question_id": question,
        "model": model,
        "criterion": f"answer-quality/{criterion}",
        "judge": judge,
        "value": value,
        "confidence": sure,
        "confidence_kind": "stated",
        "rationale": WORDS[str(value)],
        "cost": COST[judge],
        "created_at": _at(question, "2026-10-12"),
    }
    if part:
        row["part"] = part
    if text and criterion == "completeness":
        row["evidence"] = [{"quote": text.replace("**", "").split("\n")[0][:60].strip()}]
    return row
