"""What Diagnostics shows of judges: their figures on each criterion, tested together, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.statistics.resampling import Estimate, Interval
from graders.workflows.agreement.records import PopulationShown
from graders.workflows.opinions.narrowing import Choice, Chosen
from graders.workflows.scope.project_head import ProjectHead


class Name(StrEnum):
    """The figures of a judge on a criterion, in the order of the page."""

    LENIENCY = "leniency"
    LENGTH = "length"
    FAMILY = "family"
    CONSISTENCY = "consistency"
    QUOTES = "quotes"
    UNREAD = "unread"
    #: Where an answer stands in a call, and which of two is shown first.
    POSITION = "position"
    FIRST = "first"
    CHANGED = "changed"
    SPREAD = "spread"
    #: Stated chances minus the share that comes true.
    OVER = "over"
    BRIER = "brier"
    ECE = "ece"
    DRIFT = "drift"


#: Figures that may lean either way: they are tested together.
TESTED = (
    Name.LENIENCY,
    Name.LENGTH,
    Name.FAMILY,
    Name.POSITION,
    Name.FIRST,
    Name.OVER,
    Name.DRIFT,
)
#: Those whose value is a difference on the scale.
LEANS = (
    Name.LENIENCY,
    Name.LENGTH,
    Name.FAMILY,
    Name.POSITION,
    Name.FIRST,
    Name.DRIFT,
)
#: Figures about values that need verdicts of people, and those that need none.
BESIDE = (Name.LENIENCY, Name.LENGTH, Name.FAMILY, Name.FIRST)
FREE = (
    Name.CONSISTENCY,
    Name.QUOTES,
    Name.UNREAD,
    Name.POSITION,
    Name.CHANGED,
    Name.DRIFT,
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure before it is tested together with the others.

    `lacking`: how many more questions it needs, None where that is not what it lacks. `contrast`
    of the own family: the same of the other judges. Of drift: `p` of its own test, the share of
    cells that `moved`, and the share that two samples of one call differ by (`noise`). None where
    there is nothing to say it of.
    """

    interval: Interval
    lacking: int | None = None
    contrast: Interval | None = None
    p: float | None = None
    moved: float | None = None
    noise: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFigure(Estimate):
    """A figure with its `title`, as a phrase (`words`) and as a `sentence` to copy.

    `p`, `adjusted` (by Holm's correction over all figures that may lean) and whether it is `real`:
    significant; None and False where it is not tested. The rest as in `Measured`.
    """

    title: str
    words: str
    sentence: str
    p: float | None = None
    adjusted: float | None = None
    real: bool = False
    lacking: int | None = None
    contrast: Estimate | None = None
    moved: float | None = None
    noise: float | None = None


@dataclass(frozen=True, slots=True)
class ScaleUse:
    """How often `judge` and `people` gave each of the `values`, or each fifth of a long range;
    `entropy`: the judge's over people's, None where people's values are all equal."""

    values: Sequence[str]
    judge: Sequence[int]
    people: Sequence[int]
    entropy: float | None


@dataclass(frozen=True, slots=True)
class ChanceBin:
    """Verdicts with similar stated chances: their mean `chance` and the `share` that came true."""

    chance: float
    share: float
    low: float | None
    high: float | None
    cells: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """What chances are worth after a `curve` learned from labels of other questions."""

    curve: str
    brier: Estimate


@dataclass(frozen=True, slots=True)
class Confidence:
    """What stated chances are worth: mean `stated` and `met`, the Brier score and the calibration
    error of a perfect judge on the same cells (`floor`, `ece_floor`), and after correction
    (`better`, None where the labels are too few)."""

    stated: float
    met: float
    floor: float | None
    ece_floor: float | None
    better: Corrected | None
    bins: Sequence[ChanceBin]


@dataclass(frozen=True, slots=True)
class Facts:
    """What a judge's figures on a criterion are of.

    `range` of the scale, `verdicts` of people beside the judge's values, cells `asked` about, which
    verdicts `counted`; `kin`: the judge's family, empty where its name does not tell; `kinds` of
    its confidence. `use` and `confidence` None where there is nothing to say.
    """

    key: str
    title: str
    range: float
    verdicts: int
    asked: int
    counted: str
    kin: str
    kinds: Sequence[str]
    use: ScaleUse | None
    confidence: Confidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Untested(Facts):
    """The figures of a judge on a criterion before all are tested together."""

    figures: Mapping[Name, Measured]


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure that is significant, and what it says with the judge before it and the criterion
    behind: ``is stricter than people on``."""

    name: Name
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCriterion(Facts):
    """A judge on a criterion: figures by name, and those that are significant."""

    figures: Mapping[Name, JudgeFigure]
    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class DiagnosedJudge:
    """A judge with its figures on each criterion that it was asked about."""

    ref: str
    name: str
    criteria: Sequence[JudgeCriterion]


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """Bias, calibration and self-consistency of judges.

    `tests`: how many figures were tested together. `population`, `filters` and `choices` as on
    Agreement.
    """

    project: ProjectHead
    title: str
    subtitle: str
    blind_only: bool
    population: PopulationShown
    filters: Mapping[str, Chosen]
    choices: Mapping[str, Sequence[Choice]]
    tests: int
    judges: Sequence[DiagnosedJudge]
