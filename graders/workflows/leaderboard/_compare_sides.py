"""Two sides of a comparison: what they are called, and their difference on one criterion or over
all, question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from graders.core.errors import NotFound
from graders.statistics.budget import detectable, more_labels
from graders.statistics.influence import Influence
from graders.statistics.prediction_powered import differences, intervals
from graders.store.projects import CriterionRow
from graders.workflows.leaderboard._rows import some
from graders.workflows.leaderboard.board import Axis
from graders.workflows.leaderboard.comparison import Difference, SideName, Verdict
from graders.workflows.opinions import standings
from graders.workflows.opinions.standings import Field, Standing

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
        return f"{self.model} (version {self.version})" if self.version else self.model

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
    """One criterion: its cells on the shared questions, the means of them, what is said of it, and
    its weight in the overall mean."""

    criterion: CriterionRow
    cells: Standing
    means: Influence | None
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
    raise NotFound(
        f"answers of {ref[:80]!r}",
        found="no such model or version",
        expected="one of " + (", ".join(known)[:400] or "none"),
    )


def column(answers: Field, side: Side) -> int:
    """The place of a side among the models of a field."""
    if side.version:
        return (
            len(answers.models)
            - len(answers.versions)
            + answers.versions.index((side.model, side.version))
        )
    return answers.models.index(side.model)


def shared(found: Standing, a: int, b: int, show: str) -> Standing:
    """The cells of the questions on which both sides have a figure of the kind that is shown."""
    judged = np.isfinite(found.f)
    usable = judged if show == "judge" or (judged & found.labelled).any() else found.labelled
    both = np.intersect1d(
        found.question[usable & (found.model == a)], found.question[usable & (found.model == b)]
    )
    return found.only(np.isin(found.question, both))


def means(found: Standing, answers: Field, show: str) -> Influence | None:
    """What the means of models are made of; None where there is nothing to make them of."""
    has = np.isfinite(found.f) if show == "judge" else found.labelled
    return (
        standings.parts(found, (len(answers.questions), len(answers.models)), show)
        if has.any()
        else None
    )


def row(found: Influence | None, a: int, b: int, axis: Axis, named: Named) -> Difference:
    """Means of both sides, their difference with its interval, the verdict in a word, and what so
    many questions can show.

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
        why="no verdicts that count on answers of both",
    )
    if found is None or not (found.n_labelled[a] and found.n_labelled[b]):
        return made
    usable = [m for m in range(len(found.theta)) if found.n_labelled[m]]
    few = some(found, usable)
    i, j = usable.index(a), usable.index(b)
    apart, sides = differences(few), intervals(few)
    d, se, low, high, df = (
        float(part[i, j]) for part in (apart.d, apart.se, apart.low, apart.high, apart.df)
    )
    labelled = int(min(few.n_labelled[i], few.n_labelled[j]))
    # Where the judge has no weight, questions that only it graded say nothing.
    questions = (
        int(min(few.n_questions[i], few.n_questions[j])) if few.lam[[i, j]].any() else labelled
    )
    doubts = [side.reason for side in (sides[i], sides[j]) if side.status != "OK"]
    if not (found.n_questions - found.n_labelled).any():
        # each has a value: the judge's, or people's alone
        doubts = [doubt.replace("labelled questions", "questions") for doubt in doubts]
    why = doubts[0] if doubts else "" if np.isfinite(low) else "no interval can be estimated"
    told = Verdict.BETTER if low > 0 else Verdict.WORSE if high < 0 else Verdict.UNTOLD
    least, target, needed = _seen(se, df, questions, axis)
    return replace(
        made,
        a=axis.shown(sides[i]).value,
        b=axis.shown(sides[j]).value,
        apart=axis.by(d),
        low=axis.by(max(low, -1.0)),  # no difference is greater than the scale
        high=axis.by(min(high, 1.0)),
        p_flip=float(apart.p_flip[i, j]) if np.isfinite(apart.p_flip[i, j]) else None,
        least=least,
        target=target,
        needed=needed,
        verdict=Verdict.UNTOLD if why else told,
        why=why,
        questions=questions,
        labelled=labelled,
    )


def _seen(
    se: float, df: float, questions: int, axis: Axis
) -> tuple[float | None, float | None, int | None]:
    """What can be seen with these questions, a smaller difference, and how many it needs: the error
    falls with their root. None where that is not known."""
    if not (np.isfinite(se) and se > 0 and df >= 1):
        return None, None, None
    least = detectable(se, df)
    target = next((share for share in TARGETS if share < least), TARGETS[-1])
    return axis.by(least), axis.by(target), questions + more_labels(questions, least, target)
