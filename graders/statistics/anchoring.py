"""By how much a suggestion in view pulls people towards it: the blind arm beside the assisted one.

Arms (0 blind, 1 assisted) are drawn per person and screen before the screen opens. A person's
screens of one question share what the question does to that person, so errors cluster by person and
question; the larger of that variance and the one by questions is used (Cameron, Gelbach, Miller
2011). The p-value permutes arms within each person, which is how they were drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.statistics.arrays import Array, same_length
from graders.statistics.confidence_level import LEVEL
from graders.statistics.proportion import clustered_interval
from graders.statistics.resampling import Interval, Status, undefined

#: With less in either arm a shift is INCONCLUSIVE.
MIN_CELLS, MIN_QUESTIONS = 100, 20
#: From this many people on a mean over them can speak for people in general.
ANY_PEOPLE = 5
#: Cells of a person's question are alike: this many say as much as one independent cell.
DESIGN_EFFECT = 1.6
PERMUTATIONS = 2000


class Shift(NamedTuple):
    """The pull, its p-value (None where no permutation exists) and each person's own, float[P] in
    ascending order of `person`, NaN for those who have one arm only."""

    interval: Interval
    p: float | None
    per_person: Array


@dataclass(frozen=True, slots=True)
class _Screens:
    """One entry per person, question and arm: mean of its cells; positions of the person and the
    question."""

    share: Array
    arm: Array
    person: Array
    question: Array
    people: int


def shift(
    equal: npt.ArrayLike,
    arm: npt.ArrayLike,
    person: npt.ArrayLike,
    question: npt.ArrayLike,
    population: Literal["these", "any"] = "these",
    level: float = LEVEL,
    draws: int = PERMUTATIONS,
    seed: int = 0,
) -> Shift:
    """Mean over people of (assisted - blind) of the share of cells where person and suggestion are
    equal, each question with equal weight.

    `equal`: float[n], 1 where the person's value is the suggestion's (or any number, as |y - f|;
    NaN is left out); `arm`: 0 blind, 1 assisted. `population` "these": t(questions - 1), for these
    people; "any": t(people - 1) on their own shifts, at least 5 people. `draws`: permutations
    behind the p-value, 0 for none.
    """
    value, side, who, about = same_length(equal, arm, person, question)
    if not np.all((side == 0) | (side == 1)):
        raise InputError(**error_parts("statistics.arms"))
    everybody = np.unique(who)
    kept = np.isfinite(value.astype(float))
    screens = _screens(value[kept].astype(float), side[kept], who[kept], about[kept], everybody)
    own = _per_person(screens.share[None], screens.arm[None], screens)[0]
    there = np.isfinite(own)
    n = int(kept.sum())
    if not there.any():
        reason = say("statistics.no_both_arms") if n else "no cells"
        return Shift(
            undefined(reason, n_cells=n, n_questions=len(np.unique(about[kept])), level=level),
            None,
            own,
        )
    short = shortfall(side[kept], about[kept])
    if population == "any":
        return Shift(
            _for_any(own[there], n, len(np.unique(about[kept])), short, level),
            _permuted(screens, draws, seed),
            own,
        )
    return Shift(_for_these(screens, own, n, short, level), _permuted(screens, draws, seed), own)


def time_ratio(
    seconds: npt.ArrayLike,
    arm: npt.ArrayLike,
    person: npt.ArrayLike,
    question: npt.ArrayLike,
    level: float = LEVEL,
) -> Interval:
    """Assisted over blind seconds per cell: ratio of geometric means, capped at the 99th
    percentile; below 1 suggestions save time.

    `seconds`: positive float[n], one per cell; NaN or not positive is left out.
    """
    spent = np.asarray(seconds, float)
    usable = np.isfinite(spent) & (spent > 0)
    logs = np.full(len(spent), np.nan)
    if usable.any():
        logs[usable] = np.log(np.minimum(spent[usable], np.quantile(spent[usable], 0.99)))
    found = shift(logs, arm, person, question, level=level, draws=0).interval
    parts = [
        None if part is None else float(np.exp(part))
        for part in (found.value, found.low, found.high)
    ]
    return replace(
        found,
        value=parts[0],
        low=parts[1],
        high=parts[2],
        method=say("statistics.ratio_of_means", method=found.method),
    )


def cells_per_arm(
    blind: float, pull: float, power: float = 0.8, level: float = LEVEL, deff: float = DESIGN_EFFECT
) -> int:
    """Cells that each arm needs to see a pull of `pull` above the share `blind`: (z + z')² (p0 q0 +
    p1 q1) / pull² deff."""
    from scipy.special import ndtri

    assisted = blind + pull
    if not (0 <= blind <= 1 and 0 <= assisted <= 1) or pull == 0:
        raise InputError(**error_parts("statistics.two_shares", blind=blind, assisted=assisted))
    z = float(ndtri((1 + level) / 2) + ndtri(power))
    return int(np.ceil(z**2 * (blind * (1 - blind) + assisted * (1 - assisted)) / pull**2 * deff))


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Verdicts on screens whose arm was drawn, one entry each.

    `person`, `question` int; `arm` 0 blind, 1 assisted; `equal`: the value is the suggestion's;
    `settled`: adjudication gave the cell a value; `right`: the verdict's; `wrong`: not the
    suggestion's; `seconds`, None where they are not known; `away`: value minus suggestion, None
    where values have no order.
    """

    person: Sequence[int]
    question: Sequence[int]
    arm: Sequence[int]
    equal: Sequence[bool]
    settled: Sequence[bool]
    right: Sequence[bool]
    wrong: Sequence[bool]
    seconds: Sequence[float | None]
    away: Sequence[float] | None


@dataclass(frozen=True, slots=True)
class ArmShares:
    """A share of cells in each arm, None in one without cells, of so many `blind_cells` and
    `assisted_cells` on so many `questions`, with 95 % intervals clustered by question
    (`*_between`); `short`: why that is too little to decide anything."""

    blind: float | None
    assisted: float | None
    blind_between: tuple[float, float] | None
    assisted_between: tuple[float, float] | None
    blind_cells: int
    assisted_cells: int
    questions: int
    short: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What a suggestion in view does: `pull` and `distance` of the values, shares that are `equal`
    to the suggestion, of all cells, of those where it is `wrong` (with the pull there, `harm`), and
    shares that are right by adjudication (`accuracy`); `time` assisted to blind."""

    pull: Shift
    equal: ArmShares
    distance: Interval | None
    harm: Interval
    wrong: ArmShares
    accuracy: ArmShares
    time: Interval


def effect(of: Verdicts) -> Effect:
    """All figures of one criterion's verdicts, for these people."""
    person, question, arm = (np.array(c, int) for c in (of.person, of.question, of.arm))
    equal, right = (np.array(column, float) for column in (of.equal, of.right))
    settled, wrong = (np.array(column, bool) for column in (of.settled, of.wrong))
    distance = None
    if of.away is not None and len(arm):
        away = np.abs(np.array(of.away, float))
        distance = shift(away, arm, person, question, draws=0).interval
    return Effect(
        pull=shift(equal, arm, person, question),
        equal=arm_shares(equal, arm, question),
        distance=distance,
        harm=shift(equal[wrong], arm[wrong], person[wrong], question[wrong]).interval,
        wrong=arm_shares(equal[wrong], arm[wrong], question[wrong]),
        accuracy=arm_shares(right[settled], arm[settled], question[settled]),
        # None becomes NaN
        time=time_ratio(np.array(of.seconds, float), arm, person, question),
    )


def arm_shares(values: Array, arm: Array, question: Array) -> ArmShares:
    """The mean of 0 and 1 in each arm; float[n], 0 blind and 1 assisted, int[n]."""
    blind, assisted = (
        float(values[arm == side].mean()) if (arm == side).any() else None for side in (0, 1)
    )
    return ArmShares(
        blind=blind,
        assisted=assisted,
        blind_between=_between(values[arm == 0], question[arm == 0]),
        assisted_between=_between(values[arm == 1], question[arm == 1]),
        blind_cells=int((arm == 0).sum()),
        assisted_cells=int((arm == 1).sum()),
        questions=len(np.unique(question)),
        short=shortfall(arm, question),
    )


def _between(values: Array, question: Array) -> tuple[float, float] | None:
    """The interval of a share of cells that come in questions; None without cells."""
    if not len(values):
        return None
    _, group = np.unique(question, return_inverse=True)
    return clustered_interval(np.bincount(group, weights=values), np.bincount(group))


def cells_needed(equal: ArmShares, pull: Interval, worth: float) -> int | None:
    """Cells that each arm needs to show a pull of `worth`; None where the arms can tell, or lack
    questions and not cells."""
    if pull.status == "OK" or equal.blind is None:
        return None
    try:
        needed = cells_per_arm(min(equal.blind, 1 - worth), worth)
    except InputError:
        return None
    return needed if needed > min(equal.blind_cells, equal.assisted_cells) else None


def _screens(value: Array, side: Array, who: Array, about: Array, everybody: Array) -> _Screens:
    questions, question = np.unique(about, return_inverse=True)
    person = np.searchsorted(everybody, who)
    place = (person * max(len(questions), 1) + question) * 2 + side.astype(int)
    names, at, counts = np.unique(place, return_inverse=True, return_counts=True)
    share = np.bincount(at, weights=value, minlength=len(names)) / counts
    rest = names // 2
    return _Screens(
        share,
        names % 2,
        rest // max(len(questions), 1),
        rest % max(len(questions), 1),
        len(everybody),
    )


def _per_person(share: Array, arm: Array, screens: _Screens) -> Array:
    """float[B, P]: assisted minus blind means of each person, for `share` and `arm` [B, screens];
    NaN where an arm is empty."""
    found = np.full((len(arm), screens.people), np.nan)
    for p in np.unique(screens.person):
        mine = screens.person == p
        assisted = arm[:, mine] == 1
        values = np.broadcast_to(share, arm.shape)[:, mine]
        counts = assisted.sum(axis=1), (~assisted).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            found[:, p] = (values * assisted).sum(axis=1) / counts[0] - (values * ~assisted).sum(
                axis=1
            ) / counts[1]
    return found


def _for_these(screens: _Screens, own: Array, n: int, short: str, level: float) -> Interval:
    from scipy.special import stdtrit

    there = np.isfinite(own)
    used = there[screens.person]
    share, arm, person, question = (
        column[used] for column in (screens.share, screens.arm, screens.person, screens.question)
    )
    side = person * 2 + arm
    sizes = np.bincount(side, minlength=screens.people * 2)
    means = np.bincount(side, weights=share, minlength=screens.people * 2) / np.maximum(sizes, 1)
    u = np.where(arm == 1, 1.0, -1.0) * (share - means[side]) / (sizes[side] * there.sum())
    Q = len(np.unique(question))
    by_person = np.bincount(
        np.unique(person * (question.max() + 1) + question, return_inverse=True)[1], weights=u
    )
    by_question = np.bincount(question, weights=u)
    se = float(np.sqrt(Q / max(Q - 1, 1) * max((by_person**2).sum(), (by_question**2).sum())))
    reach = float(stdtrit(Q - 1, (1 + level) / 2)) * se if Q > 1 and se > 0 else None
    reason = short or ("" if reach is not None else say("statistics.no_spread"))
    return _made(
        float(own[there].mean()),
        reach,
        n,
        Q,
        reason,
        level,
        say("statistics.method.these_people"),
    )


def _for_any(own: Array, n: int, questions: int, short: str, level: float) -> Interval:
    from scipy.special import stdtrit

    P = len(own)
    se = float(own.std(ddof=1) / np.sqrt(P)) if P > 1 else 0.0
    reach = float(stdtrit(P - 1, (1 + level) / 2)) * se if se > 0 else None
    reason = say("statistics.fewer_people", least=ANY_PEOPLE) if P < ANY_PEOPLE else short
    reason = reason or ("" if reach is not None else say("statistics.no_spread"))
    return _made(
        float(own.mean()),
        reach,
        n,
        questions,
        reason,
        level,
        say("statistics.method.people_like_these"),
    )


def _made(
    value: float,
    reach: float | None,
    n: int,
    questions: int,
    reason: str,
    level: float,
    method: str,
) -> Interval:
    status: Status = "INCONCLUSIVE" if reason else "OK"
    low, high = (None, None) if reach is None else (value - reach, value + reach)
    return Interval(
        value=value,
        low=low,
        high=high,
        level=level,
        n_cells=n,
        n_questions=questions,
        method=method,
        status=status,
        reason=reason,
    )


def shortfall(side: Array, about: Array) -> str:
    """Which arm lacks cells or questions, so that a figure of either decides nothing; empty where
    both suffice."""
    for which, name in ((0, "blind"), (1, "assisted")):
        inside = side == which
        if inside.sum() < MIN_CELLS:
            return say(f"statistics.fewer_cells.{name}", least=MIN_CELLS)
        if len(np.unique(about[inside])) < MIN_QUESTIONS:
            return say(f"statistics.fewer_questions_of.{name}", least=MIN_QUESTIONS)
    return ""


def _permuted(screens: _Screens, draws: int, seed: int) -> float | None:
    """Two-sided p-value of the mean shift when arms are dealt anew among each person's screens;
    itself counted, so never 0.

    A person keeps as many assisted screens as he or she had, so only their sum tells deals apart,
    and screens of one share are alike: how many of each share are assisted is multivariate
    hypergeometric. So a deal costs a number per share and not one per screen.
    """
    generator = np.random.default_rng(seed)
    observed = abs(_mean(_per_person(screens.share[None], screens.arm[None], screens))[0])
    if not np.isfinite(observed) or not draws:
        return None
    dealt = np.full((draws, screens.people), np.nan)
    for p in np.unique(screens.person):
        mine = screens.person == p
        shares, counts = np.unique(screens.share[mine], return_counts=True)
        n, assisted = int(counts.sum()), int((screens.arm[mine] == 1).sum())
        if 0 < assisted < n:
            total = (
                generator.multivariate_hypergeometric(
                    counts, assisted, size=draws, method="marginals"
                )
                @ shares
            )
            dealt[:, p] = total / assisted - (counts @ shares - total) / (n - assisted)
    found = np.abs(_mean(dealt))
    return float((1 + (found >= observed - 1e-12).sum()) / (draws + 1))


def _mean(own: Array) -> Array:
    there = np.isfinite(own)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(there, own, 0.0).sum(axis=1) / there.sum(axis=1))
