"""What a comparison of two sides shows: differences with verdicts, and questions side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.workflows.leaderboard.board import Only
from graders.workflows.opinions.label_choice import NO_CHOICE, LabelChoice
from graders.workflows.opinions.narrowing import Choice, Chosen
from graders.workflows.scope.project_head import ProjectHead


class Verdict(StrEnum):
    """What the interval of a difference says of the first side."""

    BETTER = "better"
    WORSE = "worse"
    UNTOLD = "cannot be told"


@dataclass(frozen=True, slots=True)
class SideName:
    """A side: the `ref` by which it is asked for, what people read, its model, and the version of
    the answers, None for the present ones."""

    ref: str
    label: str
    model: str
    version: int | None


@dataclass(frozen=True, slots=True)
class EarlierSide(SideName):
    """An earlier version that can be chosen, with how many answers it has."""

    answers: int


@dataclass(frozen=True, slots=True)
class Difference:
    """`a` minus `b` on a criterion or over all of them, in the units of an axis.

    The means of both sides, their difference `apart` with its 95 % interval, the chance `p_flip`, 0
    to 1, that its sign is wrong; the verdict, and `why` it cannot be told. `least`: the smallest
    difference that is told in four cases of five; `needed`: the questions that `target` takes, with
    the same share of them labelled. What cannot be computed is None. `weight` in the overall mean,
    None for that mean itself; `sentence` and `seen` say the difference and what can be seen.
    """

    key: str
    title: str
    question: str
    words: str
    decimals: int
    low_end: float
    high_end: float
    verdict: Verdict
    why: str
    questions: int = 0
    labelled: int = 0
    a: float | None = None
    b: float | None = None
    apart: float | None = None
    low: float | None = None
    high: float | None = None
    p_flip: float | None = None
    least: float | None = None
    target: float | None = None
    needed: int | None = None
    weight: float | None = None
    sentence: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Questions that both sides answered, and those that only one of them did."""

    both: int
    a: int
    b: int


@dataclass(frozen=True, slots=True)
class CaseSide(SideName):
    """A side's answer to a question: its text, `cut` where it is longer."""

    text: str
    cut: bool


@dataclass(frozen=True, slots=True)
class CaseValues:
    """Both sides' values of a question on a criterion in words, their difference, and who gave
    them."""

    key: str
    title: str
    a: str
    b: str
    apart: float | None
    by: str


@dataclass(frozen=True, slots=True)
class Case:
    """A question with both answers; `apart`: the difference in % of the scale."""

    question_id: str
    question: str
    apart: float
    values: Sequence[CaseValues]
    a: CaseSide
    b: CaseSide


@dataclass(frozen=True, slots=True)
class Cases:
    """How many questions got worse, better and stayed the same, and a page of them."""

    worse: int
    better: int
    same: int
    rows: Sequence[Case]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides compared: what can be chosen, sentences, a difference per criterion, the overall
    one first, and questions side by side.

    Where there is nothing to compare, `a`, `b`, `questions` and `cases` are None and `rows` is
    empty; `title` says why. `unconfirmed`, `choice`: as on a `Board`.
    """

    project: ProjectHead
    show: str
    view: str
    judges: Sequence[str]
    preferences: Sequence[str]
    filters: Mapping[str, Chosen]
    only: Only
    filter_choices: Mapping[str, Sequence[Choice]]
    choices: Sequence[SideName]
    order: str
    title: str = ""
    subtitle: str = ""
    rests_on: str = ""
    a: SideName | None = None
    b: SideName | None = None
    judge: str = ""
    questions: LeftOut | None = None
    rows: Sequence[Difference] = ()
    cases: Cases | None = None
    unconfirmed: bool = False
    choice: LabelChoice = NO_CHOICE

    @property
    def lead(self) -> Difference | None:
        """The difference that the view is of; None where there is none."""
        return next((row for row in self.rows if row.key == self.view), None)


@dataclass(frozen=True, slots=True)
class Gate:
    """Whether a comparison keeps a `rule`: `code` 0 where it does, 4 where it breaks it, else 5;
    the same in `words`."""

    rule: str
    code: int
    words: str
