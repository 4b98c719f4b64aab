"""Two sides of a comparison: what they are called, and their difference on one criterion or over
all, question by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graders.core.errors import NotFound
from graders.statistics.budget import detectable, more_labels
from graders.statistics.influence import Influence
from graders.statistics.prediction_powered import differences, intervals
from graders.store.projects import CriterionRow
from graders.workflows.leaderboard._rows import Axis, some
from graders.workflows.opinions import standings
from graders.workflows.opinions.standings import Field, Standing

BETTER, WORSE, UNTOLD = "better", "worse", "cannot be told"
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

    def json(self) -> dict[str, Any]:
        """The same for a page."""
        return {
            "ref": self.ref,
            "label": self.label,
            "model": self.model,
            "version": self.version or None,
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """One criterion: its cells on the shared questions, the means of them, what is said of it, and
    its weight in the overall mean."""

    criterion: CriterionRow
    cells: Standing
    means: Influence | None
    row: Mapping[str, Any]
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


def row(found: Influence | None, a: int, b: int, axis: Axis) -> dict[str, Any]:
    """Means of both sides, their difference with its interval, the verdict in a word, and what so
    many questions can show.

    The verdict is better or worse where the whole 95 % interval of the difference lies on one side
    of 0. `least`: the smallest difference that is told in four cases of five; `needed`: the
    questions that `target` takes, with the same share of them labelled.
    """
    words = {
        "words": axis.words,
        "decimals": axis.decimals,
        "low_end": axis.low,
        "high_end": axis.high,
    }
    if found is None or not (found.n_labelled[a] and found.n_labelled[b]):
        return {
            **words,
            **dict.fromkeys(_FIGURES),
            "verdict": UNTOLD,
            "why": "no verdicts that count on answers of both",
            "questions": 0,
            "labelled": 0,
        }
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
    verdict = UNTOLD if why else BETTER if low > 0 else WORSE if high < 0 else UNTOLD
    return {
        **words,
        "a": axis.json(sides[i])["value"],
        "b": axis.json(sides[j])["value"],
        "apart": axis.by(d),
        "low": axis.by(max(low, -1.0)),  # no difference is greater than the scale
        "high": axis.by(min(high, 1.0)),
        "p_flip": float(apart.p_flip[i, j]) if np.isfinite(apart.p_flip[i, j]) else None,
        **_seen(se, df, questions, axis),
        "verdict": verdict,
        "why": why,
        "questions": questions,
        "labelled": labelled,
    }


_FIGURES = ("a", "b", "apart", "low", "high", "p_flip", "least", "target", "needed")


def _seen(se: float, df: float, questions: int, axis: Axis) -> dict[str, Any]:
    """What can be seen with these questions, and how many a smaller difference needs: the error
    falls with their root."""
    if not (np.isfinite(se) and se > 0 and df >= 1):
        return {"least": None, "target": None, "needed": None}
    least = detectable(se, df)
    target = next((share for share in TARGETS if share < least), TARGETS[-1])
    return {
        "least": axis.by(least),
        "target": axis.by(target),
        "needed": questions + more_labels(questions, least, target),
    }
