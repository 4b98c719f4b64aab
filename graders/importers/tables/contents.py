"""What the cells of a column look like: the half of guessing that needs no headers."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graders.importers.tables.words import LANGUAGE_WORDS, TASK_WORDS, fold, language_code

_NUMBER = re.compile(r"[+-]?[\d\s\u00a0']*\d(?:[.,]\d+)*\s?%?$")
_DECIMAL = re.compile(r"[+-]?\d+[.,]\d+$")
_DATE = re.compile(r"\d{1,4}[-./年]\d{1,2}[-./月]\d{1,4}日?(?:[T\s]\d{1,2}:\d{2}.*)?$")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+$|\S+@\S+\.\w+$", re.IGNORECASE)
_CODE = re.compile(r"[^\W_]{0,12}[-_#.]?\d{1,8}$")


def cell_text(cell: Any) -> str:
    """A cell as text: nothing as ``""``, whole floats without ``.0``, a list of texts with ``|||``
    between them, other things as JSON."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return _nested_text(cell) if isinstance(cell, list | tuple | dict) else str(cell)


def _nested_text(cell: list[Any] | tuple[Any, ...] | dict[str, Any]) -> str:
    if not cell:
        return ""
    if not isinstance(cell, dict) and all(
        isinstance(item, str) and "|||" not in item for item in cell
    ):
        return " ||| ".join(cell)
    return json.dumps(cell, ensure_ascii=False, default=str)


#: No language or task type has a longer name; a cell may be megabytes long.
LONGEST_WORD = 40


@dataclass(frozen=True, slots=True)
class Facts:
    """Figures of one column over the sample rows; shares are of the filled cells, lengths in
    characters."""

    filled: float
    numbers: float
    unique: float
    distinct: int
    length: float
    asks: float
    codes: float
    dates: float
    languages: float
    tasks: float
    decimals: float

    @property
    def is_text(self) -> bool:
        """Whether the cells are words rather than numbers, dates, addresses or codes."""
        return self.filled > 0 and self.numbers < 0.7 and self.dates < 0.7 and self.codes < 0.9

    @property
    def is_ids(self) -> bool:
        """Whether the cells can be ids: codes or numbers, but not what was measured, such as
        1.5."""
        return (self.codes > 0.8 or self.numbers > 0.8) and self.decimals < 0.2

    @property
    def is_class(self) -> bool:
        """Whether the cells are a few short texts that come again; the shorter they are, the fewer
        need to."""
        return self.is_text and (
            (self.length <= 40 and self.unique <= 0.6) or (self.length <= 16 and self.unique <= 0.8)
        )


def facts_of(cells: Sequence[str]) -> Facts:
    """The figures of a column's cells."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    n = len(filled) or 1

    def share(count: int) -> float:
        return count / n

    distinct = len(set(filled))
    words = [cell for cell in filled if len(cell) <= LONGEST_WORD and not cell[0].isdigit()]
    return Facts(
        filled=len(filled) / (len(cells) or 1),
        numbers=share(sum(bool(_NUMBER.match(cell)) for cell in filled)),
        unique=distinct / n,
        distinct=distinct,
        length=sum(len(cell) for cell in filled) / n,
        asks=share(sum(cell.endswith(("?", "？", "か。")) for cell in filled)),
        codes=share(sum(bool(_CODE.fullmatch(cell)) for cell in filled)),
        dates=share(sum(bool(_DATE.match(cell)) or bool(_ADDRESS.match(cell)) for cell in filled)),
        languages=share(
            sum(cell.casefold() in LANGUAGE_WORDS or language_code(cell) != cell for cell in words)
        ),
        tasks=share(sum(fold(cell) in TASK_WORDS for cell in words)),
        decimals=share(sum(bool(_DECIMAL.match(cell)) for cell in filled)),
    )


def is_class_of(fact: Facts) -> str:
    """``language``, ``task_type`` or ``""``: what the words in the cells say by themselves."""
    if fact.is_text and fact.languages > 0.9:
        return "language"
    if fact.is_text and fact.tasks > 0.9:
        return "task_type"
    return ""


def constant_within(keys: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether equal keys always stand beside equal cells."""
    seen: dict[str, str] = {}
    return all(seen.setdefault(key, cell) == cell for key, cell in zip(keys, cells, strict=True))


def identifies(keys: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether no key meets the same cell twice (a model answers a question once)."""
    met: dict[str, set[str]] = defaultdict(set)
    for key, cell in zip(keys, cells, strict=True):
        if cell in met[key]:
            return False
        met[key].add(cell)
    return True


def roles_without_headers(columns: Sequence[Sequence[str]]) -> list[str]:
    """One role per column from contents alone; several ``answer`` columns mean a wide table.

    A question that comes again with other cells beside it means a long table: what is constant for
    it belongs to the question, what differs to the answers.
    """
    facts = [facts_of(cells) for cells in columns]
    texts = [i for i, fact in enumerate(facts) if fact.is_text and not is_class_of(fact)]
    if not texts:
        return ["metadata" if fact.filled else "ignore" for fact in facts]
    question = _repeated_question(columns, facts, texts)
    if question is not None:
        return _long_roles(columns, facts, question)
    return _wide_roles(facts, texts)


def _repeated_question(
    columns: Sequence[Sequence[str]], facts: Sequence[Facts], texts: Sequence[int]
) -> int | None:
    """The column of questions of a long table: asks or is long, comes again, and leaves some longer
    column unique."""
    possible = [
        i
        for i in texts
        if facts[i].unique <= 0.75 and (facts[i].asks >= 0.3 or facts[i].length >= 20)
    ]
    for i in sorted(possible, key=lambda i: (-facts[i].asks, -facts[i].length)):
        if any(
            j != i
            and facts[j].unique > facts[i].unique
            and not constant_within(columns[i], columns[j])
            for j in texts
        ):
            return i
    return None


def _long_roles(
    columns: Sequence[Sequence[str]], facts: Sequence[Facts], question: int
) -> list[str]:
    roles = ["metadata" if fact.filled else "ignore" for fact in facts]
    roles[question] = "question"
    keys = columns[question]
    varying = [
        i
        for i, fact in enumerate(facts)
        if i != question and fact.filled and not constant_within(keys, columns[i])
    ]
    answers = [i for i in varying if facts[i].is_text]
    answer = max(answers, key=lambda i: (facts[i].length, facts[i].unique), default=None)
    if answer is not None:
        roles[answer] = "answer"
    model = next(
        (
            i
            for i in varying
            if i != answer
            and facts[i].unique < 0.6
            and facts[i].length <= 60
            and facts[i].numbers < 0.7
        ),
        None,
    )
    if model is not None and identifies(keys, columns[model]):
        roles[model] = "model"
    for i, fact in enumerate(facts):
        if i in varying or i == question or not fact.filled:
            continue
        known = is_class_of(fact)
        if known:
            roles[i] = known
        elif fact.distinct == facts[question].distinct and fact.is_ids:
            roles[i] = "question_id"
        elif fact.is_text and fact.distinct < facts[question].distinct and fact.length <= 40:
            roles[i] = "category"
    return _once(roles, ("language", "task_type", "question_id", "category"))


def _wide_roles(facts: Sequence[Facts], texts: Sequence[int]) -> list[str]:
    roles = ["metadata" if fact.filled else "ignore" for fact in facts]
    body = [
        i
        for i in texts
        if not (facts[i].is_class or (facts[i].codes > 0.8 and facts[i].length <= 16))
    ] or list(texts)
    asking = [i for i in body if facts[i].asks >= 0.3]
    question = max(asking, key=lambda i: (round(facts[i].asks, 1), -i)) if asking else body[0]
    roles[question] = "question"
    for i, fact in enumerate(facts):
        if i == question or not fact.filled:
            continue
        known = is_class_of(fact)
        if known:
            roles[i] = known
        elif i in body and i > question:
            roles[i] = "answer"
        elif fact.unique > 0.98 and i < question and fact.is_ids:
            roles[i] = "question_id"
        elif fact.is_class and fact.distinct > 1:
            roles[i] = "category"
    return _once(roles, ("language", "task_type", "question_id", "category"))


def _once(roles: list[str], single: tuple[str, ...]) -> list[str]:
    seen: set[str] = set()
    for i, role in enumerate(roles):
        if role in single and role in seen:
            roles[i] = "metadata"
        seen.add(role)
    return roles
