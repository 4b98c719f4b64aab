"""What pages and the terminal show of a kind of cells, a criterion on one task type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.core.shapes import JSON
from graders.workflows.scope.units import Unit


class KindState(StrEnum):
    """What is known of a kind of cells: nothing, so that the project's rule decides; that its
    promise holds; or that a proof was tried, or prepared, and does not stand."""

    BY_RULE = "BY YOUR RULE"
    PROVEN = "PROVEN"
    UNPROVEN = "UNPROVEN"


class DrawKind(StrEnum):
    """How the labels of a kind are chosen: answers at random, or cells where labels decide."""

    RANDOM = "random"
    PLACED = "placed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawShown:
    """How the labels of a kind are chosen: the `number` of its draw, and that in words."""

    kind: DrawKind = DrawKind.RANDOM
    number: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedShown(DrawShown):
    """A placed draw: when it was logged, its `budget` of labels, its terms, and how many labels are
    still asked for (`open`)."""

    kind: DrawKind = DrawKind.PLACED
    at: str
    budget: int
    alpha: float
    delta: float
    open: int


class OrderKind(StrEnum):
    """By what cells are sorted from sure to doubtful: what machines state, or an order that was
    fixed."""

    STATED = "stated"
    FIXED = "fixed"


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderShown:
    """By what the cells of a kind are sorted, in words."""

    kind: OrderKind = OrderKind.STATED
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsortedShown(OrderShown):
    """A `note` says why a kind has no order of its own, `waits` whether one can still be made."""

    note: str
    waits: bool


@dataclass(frozen=True, slots=True)
class Learned:
    """The earlier labels that an order was learned from: so many `labels` on so many `questions`,
    by design (`designs`), named by `digest`; values so many steps apart (`within`) were alike."""

    labels: int
    questions: int
    designs: Mapping[str, int]
    digest: str
    within: int

    @classmethod
    def of(cls, body: JSON) -> Learned:
        """As it is stored with the order."""
        return cls(
            body["labels"], body["questions"], body["designs"], body["digest"], body["within"]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedShown(OrderShown):
    """An order that was fixed, named by `digest` and `at`, and what it was made from; None where
    the stored order does not tell."""

    kind: OrderKind = OrderKind.FIXED
    at: str
    digest: str
    judges: Sequence[str] | None
    rules: Sequence[str] | None
    metrics: Sequence[str] | None
    siblings: bool | None
    vectors: bool | None
    machine_at: str | None
    learned: Learned | None


@dataclass(frozen=True, slots=True)
class Decided:
    """Cells by who decided them. `audit`: those of the machine that a person graded too."""

    people: int
    audit: int
    automatic: int
    pending: int
    closed: int


@dataclass(frozen=True, slots=True)
class Constant:
    """The answer that would be right most often if it were always given, and the share on which it
    would be off."""

    value: str
    off: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRow:
    """A kind of cells: the key and title of its criterion, what it is graded on (`unit`), its
    `cells` and how many are labelled, its `state`, and that in words.

    `missing`: labels to draw, None where none will do; `answers`: about how many answers that is;
    `threshold`: the confidence from which on the test passed; `automatic`: cells that the promise
    covers; `upper`: the bound on the share of errors among them; `people`: how often two people
    agree; `tested`: whether a test was made. None: unknown so far. `sentence` can stand alone.
    """

    criterion: str
    title: str
    unit: Unit
    task_type: str
    cells: int
    labels: int
    state: KindState
    words: str
    missing: int | None
    answers: int | None
    threshold: float | None
    automatic: int
    upper: float | None
    order: OrderShown
    draw: DrawShown
    people: float | None
    constant: Constant | None
    tested: bool
    decided: Decided
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditShown:
    """What audits of a kind found: so many, with errors, the share of these between `low` and
    `high` (95 % interval, None without audits), promised at most `alpha`; the `next` look and how
    many errors ring there (`rings`, None where none would); the `alarm` that rang and the
    `objection` of the labels, as sentences, empty for none. `sentence` can stand alone."""

    audits: int
    errors: int
    low: float | None
    high: float | None
    alpha: float
    next: int
    rings: int | None
    alarm: str
    objection: str
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutedKind(KindRow):
    """A kind of cells with its audits, and whether its labels can be placed."""

    audit: AuditShown
    placeable: bool


@dataclass(frozen=True, slots=True)
class TaskTerms:
    """The terms of a task type: `at`: when they were logged; `draw`: the number of its try, with so
    many answers `drawn`; `opened`: when the first of them was labelled, empty for none."""

    alpha: float
    delta: float
    within: int
    at: str
    draw: int
    drawn: int
    opened: str


@dataclass(frozen=True, slots=True)
class TermsShown:
    """The terms in force, those of the draw that came last, and of each of the `tasks` that have
    some. `drawn`: answers of the present tries; `earlier`: answers that were drawn before them."""

    alpha: float
    delta: float
    within: int
    at: str
    drawn: int
    earlier: int
    tasks: Mapping[str, TaskTerms]
