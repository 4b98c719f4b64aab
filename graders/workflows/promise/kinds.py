"""Kinds of cells, a criterion on one task type each: what is known of them, and why nothing is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from graders.statistics.arrays import Flags
from graders.statistics.risk_control import Selection
from graders.store.figures.confidence_orders import Order
from graders.store.projects import CriterionRow
from graders.workflows.promise.counted_cells import Cells
from graders.workflows.promise.kind_rows import KindState
from graders.workflows.promise.placed_draws import Placing
from graders.workflows.promise.promise_tests import Try

BY_RULE, PROVEN, UNPROVEN = KindState.BY_RULE, KindState.PROVEN, KindState.UNPROVEN


class Why(StrEnum):
    """Why no test can be made, or its result would prove nothing."""

    UNEQUAL = "unequal"
    PLACED_OPEN = "placed_open"
    REWORDED = "reworded"
    UNLABELLED = "unlabelled"
    OPENED_BEFORE_TERMS = "opened_before_terms"
    DOUBT = "doubt"
    WAITING = "waiting"
    LOOK = "look"
    NEWER = "newer"
    LEARNED = "learned"
    NO_VALUE = "no_value"


@dataclass(frozen=True, slots=True)
class Hindrance:
    """What hinders a test, with the `places` of its words. `void`: no further label of the same
    draw mends it; `reworded`: the labels answered an earlier wording."""

    why: Why
    places: Mapping[str, int] = field(default_factory=dict)
    void: bool = False
    reworded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A criterion on one task type: its cells, and the test where one was made.

    `cells`: all of them; `tested`: those that were tested, with whoever was tested together;
    `automatic`: bool over `cells`, what the promise covers; `error`, `known`: bool over `tested`.
    `hindrance`: why no test was made, None where one was; `labels`: cells labelled; `missing`:
    labels to draw, None where none will do; `people`: how far two people agree inside the strictest
    region; `together`: task types that were tested as one; `undecidable`: two people differ on more
    than the terms allow. `order`: the one that the cells are sorted by,
    None where they are sorted by the confidence that the machine states. `placing`: how far a
    placed draw is, None where answers were drawn at random. `share`: of delta, that of the planned
    look at which it was tested; `early`: whether a later look was planned.
    """

    criterion: CriterionRow
    task: str
    tried: Try
    cells: Cells
    state: KindState
    hindrance: Hindrance | None
    labels: int
    opened: str
    automatic: Flags
    tested: Cells
    known: Flags
    error: Flags
    missing: int | None = None
    selection: Selection | None = None
    people: float | None = None
    together: Sequence[str] = ()
    undecidable: bool = False
    constant: tuple[str, float] | None = None
    order: Order | None = None
    placing: Placing | None = None
    share: float = 1.0
    early: bool = False

    @property
    def void(self) -> bool:
        """Whether labels of this draw can prove nothing any more."""
        return self.hindrance is not None and self.hindrance.void

    @property
    def under_way(self) -> bool:
        """Whether its labels are being placed: some are asked for, and they can still prove
        something."""
        return self.placing is not None and self.placing.under_way and not self.void
