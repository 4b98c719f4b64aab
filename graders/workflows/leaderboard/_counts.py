"""How many cells and questions the leaderboard's figures are made of, and how many labels do not
count, by reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from graders.statistics.resampling import Array
from graders.workflows.leaderboard.board import Counts
from graders.workflows.opinions.standings import Standing

LEFT_OUT = ("partly", "assisted", "other_draws", "wordings", "judge_wordings")


class Counted(NamedTuple):
    """One criterion: cells that the judge graded and their questions, labels that count and theirs,
    and labels that do not."""

    cells: int
    questions: Array
    labels: int
    labelled: Array
    unjudged: int
    left_out: dict[str, int]


def counted(one: Standing) -> Counted:
    """What the figures of a criterion are made of. Labels count where the judge said something, or
    everywhere where there is no judge."""
    judged = one.only(np.isfinite(one.f))
    used = judged if judged.labelled.any() else one
    labels = int(used.cells[used.labelled].sum())
    return Counted(
        int(judged.cells.sum()),
        np.unique(judged.question),
        labels,
        np.unique(used.question[used.labelled]),
        int(one.cells[one.labelled].sum()) - labels,
        {name: int(one.left_out[name].sum()) if name in one.left_out else 0 for name in LEFT_OUT},
    )


def together(found: Sequence[Counted]) -> Counts:
    """The same of several criteria; each question counts once."""

    def questions(parts: Sequence[Array]) -> int:
        return len(np.unique(np.concatenate([*parts, np.zeros(0, int)])))

    return Counts(
        cells=sum(one.cells for one in found),
        questions=questions([one.questions for one in found]),
        labels=sum(one.labels for one in found),
        labelled_questions=questions([one.labelled for one in found]),
        unjudged=sum(one.unjudged for one in found),
        **{name: sum(one.left_out[name] for one in found) for name in LEFT_OUT},
    )
