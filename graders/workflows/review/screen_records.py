"""What a screen of the desk holds: a question, its answers, their cells, and on assisted screens
what machines say of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.core.records import Arm
from graders.core.scale import Value
from graders.workflows.cells.told import Chip, FaultShown, GivenMark, MachineVerdict, MetricShown


class FinalSource(StrEnum):
    """Who decided a cell that is not asked about: machines, or nobody, because its value cannot be
    known."""

    AUTOMATIC = "automatic"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class FinalShown:
    """The final value of a cell that is not asked about, and where it is from."""

    value: Value | None
    source: FinalSource


@dataclass(frozen=True, slots=True)
class SuggestionShown:
    """The value that is suggested for a cell, with its confidence (0 to 1, None where no judge
    states one), where it is from, and the learned chance that it is right (None where nothing was
    learned)."""

    value: Value
    confidence: float | None
    reason: str
    chance: float | None


@dataclass(frozen=True, slots=True)
class RevealedVerdict:
    """What a judge said of a cell of a blind screen, shown at the end of a batch."""

    name: str
    value: Value | None
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class CellShown:
    """A criterion of an answer, or a `part` of it: whether it waits for a person (`open`), and what
    this person said of it (`mine`). The rest comes from machines: empty on blind screens."""

    id: int
    criterion: str
    part: str
    open: bool = True
    route: str | None = None
    route_reason: str = ""
    suggestion: SuggestionShown | None = None
    judges: Sequence[MachineVerdict | RevealedVerdict] = ()
    rules: Sequence[MachineVerdict] = ()
    metrics: Sequence[MetricShown] = ()
    mine: GivenMark | None = None
    final: FinalShown | None = None


@dataclass(frozen=True, slots=True)
class Twin:
    """An answer with the same text as the one it stands with; `model` None where names are
    hidden."""

    id: int
    model: str | None
    faults: Sequence[FaultShown]
    cells: Sequence[CellShown]


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """An answer, or the first of two that are compared (`other` is the second): its row `id`,
    `model` (None where names are hidden), text and `length` in characters, `chips` and the `faults`
    that were found, its cells, and its `twins`."""

    id: int
    model: str | None
    text: str
    other: str | None
    length: int
    chips: Sequence[Chip]
    faults: Sequence[FaultShown]
    cells: Sequence[CellShown]
    twins: Sequence[Twin]


@dataclass(frozen=True, slots=True)
class QuestionShown:
    """A question as pages show it; `impossible`: named faults that no answer to it can have."""

    id: str
    text: str
    category: str
    task_type: str
    language: str
    references: Sequence[str]
    facts: Sequence[str]
    must_have: Sequence[str]
    context: Sequence[str]
    impossible: Sequence[str]


@dataclass(frozen=True, slots=True)
class SavedHere:
    """The person's last save of a screen: its id (empty after it was taken back), and what goes
    with the screen as a whole."""

    save_id: str
    comment: str
    flagged: bool


@dataclass(frozen=True, slots=True)
class PracticePlace:
    """Which practice question of how many."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen as it is given to a person. `saved` None before its first save; `practice` None
    unless it is a practice question."""

    id: int
    design: str
    arm: Arm
    question: QuestionShown
    answers: Sequence[AnswerShown]
    saved: SavedHere | None
    practice: PracticePlace | None
