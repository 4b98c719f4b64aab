"""Opinions of people and judges as arrays, without a workspace."""

from __future__ import annotations

from typing import Any

import numpy as np

from graders.core.scale import Scale
from graders.statistics import ceiling, pair_figures
from graders.statistics.ceiling import Ceiling, Pairs, Planned
from graders.statistics.opinions import Opinions, couples
from graders.store.figures.agreement import DESIGNS

Numbers = np.ndarray[Any, Any]
#: The author row of the judge.
JUDGE = 9


def opinions_of(people: Numbers, g: Numbers, judge: Numbers | None = None) -> Opinions:
    """Opinions of people float[P, n] (NaN missing) on cells in questions g, a judge beside them."""
    who, at = np.nonzero(~np.isnan(people))
    m = len(who)
    return Opinions(
        who,
        at,
        people[who, at],
        np.ones(m, bool),
        np.ones(m),
        np.full(m, DESIGNS.index("imported")),
        np.zeros(m, bool),
        g,
        int(g.max()) + 1,
        {} if judge is None else {JUDGE: judge},
    )


def beside(
    scale: Scale, people: Numbers, judge: Numbers | None, g: Numbers | None = None
) -> Ceiling:
    """People float[P, n] (NaN missing) among themselves, and a judge beside them; each cell is a
    question of its own unless `g` names them."""
    opinions = opinions_of(people, np.arange(people.shape[1]) if g is None else g, judge)
    used, rows = np.ones(len(opinions.author), bool), opinions.graders(opinions.everything())
    of = Planned.of(scale, opinions, used, rows, weighted=True)
    wanted = couples(rows) + [(JUDGE, p) for p in rows if judge is not None]
    known = pair_figures.pairs(scale, opinions, used, wanted, weighted=True)
    return ceiling.ceiling(
        of,
        Pairs(known, pair_figures.pairs),
        None if judge is None else (JUDGE, judge),
        intervals=True,
    )
