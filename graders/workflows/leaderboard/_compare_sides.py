"""Two sides of a comparison: what they are called, and their difference on one criterion or over
all, question by question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from graders.core.errors import NotFound
from graders.core.words import error_parts, say
from graders.statistics.budget import detectable, more_labels
from graders.statistics.model_pairs import Pairs
from graders.statistics.ranking import two
from graders.statistics.standing import Standing
from graders.store.projects import CriterionRow
from graders.workflows.leaderboard.board import Axis
from graders.workflows.leaderboard.comparison import Difference, SideName, Verdict
from graders.workflows.opinions import standings
from graders.workflows.opinions.standings import Field

#: Shares of an axis for which the questions are counted: the first that is smaller than what can be
#: seen already.
TARGETS = (0.1, 0.05, 0.02, 0.01, 0.005)


@dataclass(frozen=True, slots=True)
class Side:
    """The present answers of a model, or (`version` above 0) those of an earlier version."""

    model: str
    version: int = 0

    @property
    def ref(self) -> str:
        """The name under which pages and commands ask for it."""
        return standings.version_name(self.model, self.version) if self.version else self.model

    @property
    def label(self) -> str:
        """What people read."""
        if not self.version:
            return self.model
        return say("leaderboard.compare.version", model=self.model, version=self.version)

    @property
    def name(self) -> SideName:
        """The same for a page."""
        return SideName(self.ref, self.label, self.model, self.version or None)


class Named(NamedTuple):
    """What a difference is of."""

    key: str
    title: str
    question: str


@dataclass(frozen=True, slots=True)
class Compared:
    """One criterion: its cells on the shared questions, what is said of it, and its weight in the
    overall mean."""

    criterion: CriterionRow
    cells: Standing
    row: Difference
    weight: float = 1.0


def side_of(ref: str, models: Sequence[str], earlier: Mapping[Side, int]) -> Side:
    """The side of that name: MODEL, or MODEL@VERSION for answers that later ones have taken the
    place of."""
    if ref in models:
        return Side(ref)
    model, _, number = ref.rpartition("@")
    if number.isascii() and number.isdigit() and (found := Side(model, int(number))) in earlier:
        return found
    known = [*models, *(side.ref for side in earlier)]
    choices = ", ".join(known)[:400] or say("leaderboard.error.none")
    raise NotFound(**error_parts("leaderboard.error.no_side", side=ref[:80], choices=choices))


def column(answers: Field, side: Side) -> int:
    """The place of a side among the models of a field."""
    if side.version:
        return (
            len(answers.models)
            - len(answers.versions)
            + answers.versions.index((side.model, side.version))
        )
    return answers.models.index(side.model)


def row(pairs: Pairs | None, a: int, b: int, axis: Axis, named: Named) -> Difference:
    """Means of both sides on the questions that they share, their difference with its interval, the
    verdict in a word, and what so many questions can show.

    The verdict is better or worse where the whole 95 % interval of the difference lies on one side
    of 0.
    """
    made = Difference(
        *named,
        words=axis.words,
        decimals=axis.decimals,
        low_end=axis.low,
        high_end=axis.high,
        verdict=Verdict.UNTOLD,
        why=say("leaderboard.compare.no_verdicts"),
    )
    if pairs is None or not pairs.sums.both[a, b]:
        return made
    usable = [m for m, figure in enumerate(pairs.figures) if figure.value is not None]
    of = two(pairs.of(usable), usable.index(a), usable.index(b))
    labelled, questions = (int(n[a, b]) for n in (pairs.sums.both, pairs.sums.questions))
    # Where the judge has no weight, questions that only it graded say nothing.
    questions = questions if pairs.lam.any() else labelled
    why = pairs.doubt(a, b)
    if pairs.whole:  # each has a value: the judge's, or people's alone
        why = why.replace("labelled questions", "questions")
    if not why and not math.isfinite(of.low):
        why = say("leaderboard.no_interval")
    told = Verdict.UNTOLD if why or of.tied else Verdict.BETTER if of.d > 0 else Verdict.WORSE
    least, target, needed = _seen(of.se, of.questions - 1, questions, axis)
    mine, other = (min(max(float(pairs.sums.value[at]), 0.0), 1.0) for at in ((a, b), (b, a)))
    return replace(
        made,
        a=axis.at(mine),
        b=axis.at(other),
        apart=axis.by(of.d),
        low=axis.by(max(of.low, -1.0)),  # no difference is greater than the scale
        high=axis.by(min(of.high, 1.0)),
        p_flip=of.p_flip,
        least=least,
        target=target,
        needed=needed,
        verdict=told,
        why=why,
        questions=questions,
        labelled=labelled,
    )


def _seen(
    se: float, df: float, questions: int, axis: Axis
) -> tuple[float | None, float | None, int | None]:
    """What can be seen with these questions, a smaller difference, and how many it needs: the error
    falls with their root. None where that is not known."""
    if not (math.isfinite(se) and se > 0 and df >= 1):
        return None, None, None
    least = detectable(se, df)
    target = next((share for share in TARGETS if share < least), TARGETS[-1])
    return axis.by(least), axis.by(target), questions + more_labels(questions, least, target)
