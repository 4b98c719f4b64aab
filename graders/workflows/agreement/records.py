"""What Agreement tells: figures of judges and people by criterion, of every two authors, and the
answers behind a cell of a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from graders.statistics.ceiling import Short
from graders.statistics.pair_figures import Lead
from graders.statistics.resampling import Estimate
from graders.workflows.opinions.author_ceilings import Opinion
from graders.workflows.opinions.label_choice import NO_CHOICE, LabelChoice
from graders.workflows.opinions.narrowing import Choice, Chosen
from graders.workflows.results.answer_row import AnswerRow
from graders.workflows.scope.project_head import ProjectHead


class Word(StrEnum):
    """How a judge's agreement with people stands beside theirs with each other."""

    BETTER = "better"
    AS_GOOD = "as good"
    WORSE = "worse"
    #: while the interval that decides it is being computed
    COMPUTING = "…"
    INCONCLUSIVE = "INCONCLUSIVE"

    @property
    def is_good(self) -> bool:
        """Whether the judge may stand in for a person."""
        return self in (Word.BETTER, Word.AS_GOOD)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a judge in a `word`, its `sign`, the `reason` where there is one, about
    how many labels are `missing`, None where that is not known, and of what there is too little
    (`short`), None where there is enough of both."""

    word: Word
    sign: str
    reason: str = ""
    missing: int | None = None
    short: Short | None = None


class JudgeKind(StrEnum):
    """What a judge is: one that was asked, a panel of them, or the one learned from people (whose
    figures are out of fold)."""

    JUDGE = "judge"
    PANEL = "panel"
    LEARNED = "learned"


class Against(StrEnum):
    """What a judge is compared with: each person, adjudicated values."""

    PEOPLE = "people"
    ADJUDICATED = "adjudicated"


@dataclass(frozen=True, slots=True)
class AdjudicatedFigures:
    """A judge against adjudicated values: the lead figure and raw agreement."""

    lead: Estimate
    raw: Estimate


@dataclass(frozen=True, slots=True)
class Assisted:
    """A judge with people who saw suggestions, by a `measure`: an early estimate that is
    optimistic, and decides nothing; the `anchoring` effect, not OK where it is not known; in words
    why the figure is too good."""

    measure: Lead
    figure: Estimate
    anchoring: Estimate
    words: str


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """A judge on a criterion: the mean over its pairs with `people`, people's own figure on the
    cells that the judge graded too (`ceiling`), mean raw agreement from 0 to 1, None where no pair
    has enough cells.

    `shown` is the headline: the judge with each person on the `cells` that both graded, never
    pooled with them; where no person counts, against adjudicated: `shown_against` says which.
    `apart`: the judge minus the ceiling on the cells that two people graded, on which the `verdict`
    rests. `assisted`: an estimate from assisted verdicts, while `shown` is none or an early one.
    `sentence` can stand alone.
    """

    ref: str
    name: str
    kind: JudgeKind
    people: Estimate
    ceiling: Estimate
    raw: float | None
    adjudicated: AdjudicatedFigures | None
    cells: int
    questions: int
    shown: Estimate
    shown_against: Against
    apart: Estimate
    verdict: Verdict
    assisted: Assisted | None = None
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class PeopleAmong:
    """People among themselves: the `mean` over pairs, the `ceiling` from every pair on every cell
    that two of them graded, which so many (`graders`) did, and how far they agree with themselves
    (`self`); what the ceiling lacks, empty where nothing; whom it speaks for; mean raw agreement;
    whose verdicts count, and who was called in on disagreements."""

    mean: Estimate
    ceiling: Estimate
    graders: int
    self: Estimate
    lacking: str
    population: str
    raw: float | None
    names: Sequence[str]
    called_in: Sequence[str]
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class GroupJudge:
    """A judge's mean figure with the people of a group."""

    name: str
    people: Estimate


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group of so many people whose verdicts do not count, with figures of its own."""

    group: str
    people: int
    mean: Estimate
    judges: Sequence[GroupJudge]


@dataclass(frozen=True, slots=True)
class LeftOut:
    """How many verdicts of people do not count: given with suggestions in view, of other samples,
    among these those of cells that are no sample (`adaptive`, `placed`), and those given under an
    earlier wording."""

    assisted: int
    other_draws: int
    adaptive: int
    placed: int
    earlier_wording: int


@dataclass(frozen=True, slots=True)
class Silent:
    """A judge, or several of one reason, without a figure on a criterion: the `cells` that it
    graded, and why, in words."""

    name: str
    cells: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionReport:
    """A criterion: the name of its lead figure, which is Krippendorff's alpha where not everybody
    graded every cell (`gaps`), and of that of pairs; whether a cell is an answer (`unit`); the
    values of a matrix (`ranges`, with their anchors in `words`), the `cells` and questions that
    people graded, `labels` that count, people among themselves, judges with the best first, groups
    apart, judges without a figure; what people and judges gave the authors' own texts (`control`),
    and which verdicts are `counted`, in words."""

    key: str
    title: str
    question: str
    rubric: str
    figure: Lead
    pair_figure: Lead
    gaps: bool
    unit: Literal["answer", "cell"]
    ranges: Sequence[str]
    words: Sequence[str]
    ordered: bool
    cells: int
    questions: int
    labels: int
    people: PeopleAmong
    judges: Sequence[JudgeRow]
    groups: Sequence[GroupRow]
    left_out: LeftOut
    control: Sequence[Opinion]
    counted: str
    silent: Sequence[Silent]


class PairKind(StrEnum):
    """Which two authors a pair is of."""

    JUDGE_ADJUDICATED = "judge-adjudicated"
    JUDGE_PERSON = "judge-person"
    PERSON_ADJUDICATED = "person-adjudicated"
    PERSON_PERSON = "person-person"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRow:
    """Two authors on a criterion: the lead figure, raw agreement, Gwet's (None where there is
    none); `counts[k][l]`: cells where `a` gave the value k and `b` the value l."""

    criterion: str
    kind: PairKind
    a: str
    b: str
    a_name: str
    b_name: str
    groups: Sequence[str]
    cells: int
    questions: int
    raw: Estimate
    lead: Estimate
    ac: float | None
    counts: Sequence[Sequence[int]]
    sentence: str


@dataclass(frozen=True, slots=True)
class PopulationChoice:
    """A population with so many blind verdicts."""

    name: str
    words: str
    verdicts: int


@dataclass(frozen=True, slots=True)
class PopulationShown:
    """Whom figures speak for (`name` is empty where all verdicts count), in words, and the
    populations that have blind verdicts."""

    name: str
    words: str
    choices: Sequence[PopulationChoice]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """How far judges and people agree: the finding (`title`), what it leaves out, figures by
    criterion, titles of criteria `without` two graders, every pair of authors, and judges that are
    `idle` (empty for none). `intervals` False: they are still being computed. `choice`: how
    imported labels were chosen, with a warning where they differ from the rest."""

    project: ProjectHead
    title: str
    subtitle: str
    blind_only: bool
    intervals: bool
    population: PopulationShown
    filters: Mapping[str, Chosen]
    choices: Mapping[str, Sequence[Choice]]
    reference_group: str
    left_out: LeftOut
    criteria: Sequence[CriterionReport]
    without: Sequence[str]
    pairs: Sequence[PairRow]
    idle: str = ""
    choice: LabelChoice = NO_CHOICE


@dataclass(frozen=True, slots=True)
class CriterionName:
    """A criterion's key and title."""

    key: str
    title: str


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A cell of a criterion's confusion matrix: author `a` gave `value_a`, `b` gave `value_b`.
    Authors are ``judge:NAME`` or ``person:ID``, values the words of the matrix's rows."""

    criterion: str
    a: str
    b: str
    value_a: str
    value_b: str


@dataclass(frozen=True, slots=True)
class AuthorValue:
    """An author and the value that he, she or it gave."""

    ref: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class MatrixAnswers:
    """The answers behind a cell of a matrix: how many (`total`), and a page of them without those
    that the actor may still grade blind (`hidden`: how many)."""

    criterion: CriterionName
    a: AuthorValue
    b: AuthorValue
    total: int
    rows: Sequence[AnswerRow]
    hidden: int
    page: int
    pages: int
