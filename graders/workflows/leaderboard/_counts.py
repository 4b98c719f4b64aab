"""How many cells and questions the leaderboard's figures are made of, and how many labels do not
count, by reason."""

from __future__ import annotations

from collections.abc import Sequence

from graders.statistics.standing import Counted, together
from graders.workflows.leaderboard.board import Counts

LEFT_OUT = ("partly", "assisted", "other_draws", "wordings", "judge_wordings", "unknown")


def counts_of(criteria: Sequence[Counted]) -> Counts:
    """The counts of several criteria; each question counts once."""
    return Counts(
        cells=sum(one.cells for one in criteria),
        questions=together([one.questions for one in criteria]),
        labels=sum(one.labels for one in criteria),
        labelled_questions=together([one.labelled for one in criteria]),
        unjudged=sum(one.unjudged for one in criteria),
        within=together([one.within for one in criteria]),
        **{name: sum(one.left_out.get(name, 0) for one in criteria) for name in LEFT_OUT},
    )
