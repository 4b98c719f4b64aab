"""Shares corrected by the judge's own errors (Rogan and Gladen 1978), which a lead may ask for beside the leaderboard's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graders.statistics.prediction_powered import rogan_gladen
from graders.statistics.resampling import Array, Interval, undefined
from graders.store.projects import CriterionRow
from graders.workflows._leaderboard import Axis
from graders.workflows._standings import Standing

NOT_HERE = "this method needs one criterion with two values in order, and no parts"


def possible(criterion: CriterionRow) -> bool:
    """Whether a criterion's cells are ones and zeros."""
    two = criterion.scale.is_ordered and criterion.scale.is_discrete and len(criterion.scale.values) == 2
    return two and not (criterion.criterion.parts or criterion.criterion.elements)


def figures(criterion: CriterionRow | None, loaded: Mapping[str, Standing], models: Sequence[str], axis: Axis) -> dict[str, Any]:
    """{why, figures: model -> interval}: of each model on its own labels, since a judge's errors pooled over models mislead.

    Cells on which people differ are no label here: they are neither one nor zero.
    """
    if criterion is None:
        return {"why": NOT_HERE, "figures": {}}
    one = loaded[criterion.key]
    judged = one.only(np.isfinite(one.f))
    return {"why": "", "figures": {name: axis.json(_share(judged, judged.model == at)) for at, name in enumerate(models)}}


def _share(found: Standing, mine: Array) -> Interval:
    labelled = mine & np.isin(found.y, (0, 1))
    if labelled.any() and np.ptp(found.pi[labelled]) > 1e-9:
        return undefined("labels were drawn with different chances, which this method cannot weigh", n_cells=int(mine.sum()))
    return rogan_gladen(found.y[labelled], found.f[labelled], found.f[mine])
