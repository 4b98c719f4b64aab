"""What the mean over criteria is made of, and every two models by it: the ranking, the pair,
comparisons and reports take their differences from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from graders.core.words import say
from graders.statistics.influence import Influence, combine
from graders.statistics.model_pairs import Pairs, Part, pairs_of
from graders.statistics.prediction_powered import MIN_QUESTIONS
from graders.statistics.ranking import partial
from graders.workflows.leaderboard import ground as leaderboard_ground
from graders.workflows.leaderboard._rows import Three
from graders.workflows.leaderboard.ground import Ground, Wish


@dataclass(frozen=True, slots=True)
class Mean:
    """The criteria with figures of the kind that is shown: the `shares` of their means in that over
    all, and why some are set `aside`."""

    shares: Mapping[str, float]
    aside: Mapping[str, str]


def mean_of(made: Mapping[str, Three], wish: Wish) -> Mean:
    """A weight for each criterion: the one that is given, else 1, or 0 for those set aside."""
    weights = wish.weights or {}
    ways = {key: way for key, three in made.items() if (way := three.way(wish.show)) is not None}
    aside = {key: why for key, why in _aside(ways).items() if key not in weights}
    shares = {key: 0.0 if key in aside else leaderboard_ground.weight(weights, key) for key in ways}
    return Mean(shares, aside)


def pairs(
    ground: Ground, wish: Wish, made: Mapping[str, Three], shares: Mapping[str, float], show: str
) -> Pairs | None:
    """Every two models by the mean over the criteria that have a share, each pair on the questions
    that both have; None where there is nothing to make a mean of."""
    parts = [
        Part(ground.loaded[key], way, share)
        for key, share in shares.items()
        if share > 0 and (way := made[key].way(show)) is not None
    ]
    if not parts or len(parts) < sum(share > 0 for share in shares.values()):
        return None
    key = ("pairs", tuple(sorted(shares.items())), show, wish.judge, ground.filters)
    return ground.known(key, lambda: pairs_of(parts, whole(parts), show))


def whole(parts: list[Part]) -> Influence:
    """The mean over parts."""
    if len(parts) == 1:
        return parts[0].means
    return combine([part.means for part in parts], [part.share for part in parts])


def three_of(ground: Ground, wish: Wish, key: str) -> Three:
    """The means on one criterion in three ways."""
    kept = ("three", key, wish.judge, wish.show == "judge", ground.filters)
    return ground.known(
        kept, lambda: leaderboard_ground.three(ground.loaded[key], ground.answers, wish.show)
    )


def _aside(ways: Mapping[str, Influence]) -> dict[str, str]:
    """The criteria that have weight 0 in the overall mean unless one is given, and why, where there
    are others. A mean takes all its criteria: one on which some models are not labelled would take
    those out of the ranking, and one on a handful of questions would leave all of them without an
    order."""
    lacking, few = partial(ways) if ways else (set(), set())
    return dict.fromkeys(lacking, say("leaderboard.aside.partial")) | dict.fromkeys(
        few, say("leaderboard.aside.few", least=MIN_QUESTIONS)
    )
