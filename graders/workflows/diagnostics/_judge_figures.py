"""Figures of one judge on one criterion: bias against people, calibration, self-consistency."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from graders.core.errors import ScaleError
from graders.core.preference import outcome
from graders.core.scale import Scale
from graders.core.words import say
from graders.providers.http.families import family
from graders.statistics import beside as beside_people
from graders.statistics import bias, pair_figures
from graders.statistics.beside import Beside, Chances
from graders.statistics.means import share_interval, share_of_counts
from graders.statistics.resampling import Interval, shown, undefined
from graders.workflows.diagnostics.judge_report import (
    ChanceBin,
    Confidence,
    Corrected,
    Measured,
    Name,
    ScaleUse,
)
from graders.workflows.opinions.pair_orders import Orders

#: Values of a plain range that lie within this share of it are the same, as where a judge's samples
#: are made one.
NEAR = 0.1
#: Samples of one verdict that are looked at.
MOST_SAMPLES = 20
_FEWER = re.compile(r"fewer than (\d+) questions")

#: A pair that a judge compared in one order: (question, first model, second model, value).
Compared = tuple[int, str, str, float]
#: One that it was asked about in both: (question, what was said in each order).
Asked = tuple[int, Orders]


@dataclass(frozen=True, slots=True)
class Steadiness:
    """A judge's replies. By question: how many cells it was `asked` about, those `unread`, those
    `quoted` (that rest on a quote) and `lost` (whose quote is not in the answer).

    `repeats` as the store has them: (question, number, place, answers, samples); `changes`:
    (question, value before its recipe or the wording changed, value now).
    """

    questions: Sequence[int]
    asked: Sequence[int]
    unread: Sequence[int]
    quoted: Sequence[int]
    lost: Sequence[int]
    repeats: Sequence[tuple[int, float | None, Any, Any, Any]]
    changes: Sequence[tuple[int, Any, Any]] = ()


def leans(scale: Scale, of: Beside, models: Sequence[str], judge: str) -> dict[Name, Measured]:
    """Severity, length and family; only where values have an order. `models` are named by the
    places in `of.model`.

    The family's `contrast`: the same answers as the other judges grade them, None where no other
    graded them. Favour is this judge's alone.
    """
    mine = kin(judge)
    contrast = _family(of, models, mine, of_rivals=True) if mine and of.has_rivals else None
    if not scale.is_ordered or not len(of.f):
        none = Measured(undefined(_no_order() if len(of.f) else _unmet()))
        family_figure = replace(none, contrast=contrast)
        return {Name.LENIENCY: none, Name.LENGTH: none, Name.FAMILY: family_figure}
    return {
        Name.LENIENCY: _measured(bias.severity(of.f, of.y, of.g, w=of.w)),
        Name.LENGTH: _measured(of.length()),
        Name.FAMILY: _measured(_family(of, models, mine), contrast),
    }


def _family(of: Beside, models: Sequence[str], mine: str, *, of_rivals: bool = False) -> Interval:
    if not mine:
        return undefined(say("diagnostics.reason.no_family"))
    own = [place for place, model in enumerate(models) if family(model) == mine]
    if not own:
        return undefined(say("diagnostics.reason.no_own_answer", family=mine))
    return of.family(own, of_rivals=of_rivals)


def kin(judge: str) -> str:
    """The family of a judge by its name, with or without its provider before a colon."""
    return family(judge) or family(judge.partition(":")[2])


def use_of_scale(scale: Scale, of: Beside) -> ScaleUse | None:
    """How often judge and people gave each value (or a fifth of a long range) on the same verdicts;
    None without such verdicts."""
    if not len(of.f):
        return None
    rows = pair_figures.ranges(scale)
    use = beside_people.use_of_scale(of, [(low, below) for _, low, below in rows])
    return ScaleUse([words for words, _, _ in rows], use.judge, use.people, use.entropy)


def spread(scale: Scale, of: Beside) -> Measured:
    """How widely the judge's values spread, to people's."""
    if not scale.is_ordered:
        return Measured(undefined(_no_order()))
    return _measured(bias.spread_ratio(of.f, of.y, of.g, w=of.w))


def chances(scale: Scale, of: Beside) -> Chances | None:
    """What stated chances are worth, against "a person gives the same value"; None where the judge
    stated none."""
    return beside_people.chances(of, _near(scale))


def confidence(found: Chances) -> Confidence:
    """Stated chances as they are shown beside their figures."""
    better = None
    if found.curve is not None and found.better is not None:
        better = Corrected(found.curve, shown(found.better))
    return Confidence(
        stated=found.stated,
        met=found.met,
        floor=found.brier.floor,
        ece_floor=found.ece.floor,
        better=better,
        bins=[ChanceBin(b.chance, b.share, b.low, b.high, b.n_cells) for b in found.bins],
    )


def of_confidence(found: Chances) -> dict[Name, Measured]:
    """The figures of stated chances."""
    return {
        Name.OVER: _measured(found.over),
        Name.BRIER: _measured(found.brier.figure),
        Name.ECE: _measured(found.ece.figure),
    }


def replies(of: Steadiness, scale: Scale) -> dict[Name, Measured]:
    """Shares without a label: samples that say the same, quotes not in the answer, replies that
    could not be read; and the pull of the place in a call."""
    return {
        Name.CONSISTENCY: _measured(_consistency(of, scale)),
        Name.QUOTES: _share(of.lost, of.quoted, of.questions, say("diagnostics.reason.no_quote")),
        Name.UNREAD: _share(of.unread, of.asked, of.questions, say("diagnostics.reason.not_asked")),
        Name.POSITION: _measured(_position(of, scale)),
    }


def _share(
    hits: Sequence[int], sizes: Sequence[int], questions: Sequence[int], none: str
) -> Measured:
    """A share of cells, from counts by question; `none`: why there is none."""
    if not sum(sizes):
        return Measured(undefined(none))
    return _measured(share_of_counts(hits, sizes, questions))


def _consistency(of: Steadiness, scale: Scale) -> Interval:
    shares, questions = [], []
    for question, _, _, _, text in of.repeats:
        numbers = _samples(text, scale)
        if len(numbers) > 1:
            shares.append(beside_people.alike_pairs(numbers, _near(scale)))
            questions.append(question)
    if not shares:
        return undefined(say("diagnostics.reason.asked_once"))
    return share_interval(shares, questions)


def _samples(text: Any, scale: Scale) -> list[float]:
    """The values of a verdict's samples. Files may bring anything under that name: what is no value
    of the scale is none."""
    try:
        samples = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return []
    numbers = []
    for value in samples[:MOST_SAMPLES] if isinstance(samples, list) else ():
        with suppress(ScaleError):
            numbers += [] if value is None else [scale.number(scale.parse(value))]
    return numbers


def _position(of: Steadiness, scale: Scale) -> Interval:
    if not scale.is_ordered:
        return undefined(_no_order())
    rows = [
        (number, (at - 1) / (among - 1), question)
        for question, number, at, among, _ in of.repeats
        if number is not None
        and isinstance(at, int)
        and isinstance(among, int)
        and 1 <= at <= among > 1
    ]
    if not rows:
        return undefined(say("diagnostics.reason.no_shared_call"))
    values, places, questions = zip(*rows, strict=True)
    return bias.place_in_call(values, places, questions)


def drift(of: Steadiness, scale: Scale, consistency: Interval) -> Measured:
    """What a judge gives more since it, or the wording, changed, on the same answers; the test that
    statistics.md names. `consistency`: how often two samples of one call say the same."""
    if not scale.is_ordered:
        return Measured(undefined(_no_order()))
    rows = []
    for question, before, now in of.changes:
        # values of an earlier wording may not be on the scale
        with suppress(ScaleError, ValueError):
            old, new = (scale.number(scale.parse(json.loads(value))) for value in (before, now))
            rows.append((old, new, question))
    if not rows:
        return Measured(undefined(say("diagnostics.reason.no_change")))
    earlier, later, questions = zip(*rows, strict=True)
    found, p = bias.drift(earlier, later, questions)
    return Measured(
        missing(found),
        lacking(found),
        p=p,
        moved=beside_people.moved(earlier, later, _near(scale)),
        noise=None if consistency.value is None else 1 - consistency.value,
    )


def of_pairs(
    scale: Scale, of: Beside, compared: Iterable[Compared], asked: Iterable[Asked] = ()
) -> dict[Name, Measured]:
    """``first``: how much more the answer shown first wins; ``changed``: share of pairs whose
    winner changes with the order.

    From pairs that are there in both orders (`compared`) and those that the judge was `asked` about
    in both, which need no label; where there are none, ``first`` is what it wins more often than
    people say.
    """
    won = [outcome(label) for label in scale.labels]
    rows = _both_orders(won, compared, asked)
    if rows:
        first, second, questions = zip(*rows, strict=True)
        return {
            Name.FIRST: _measured(bias.severity(first, second, questions)),
            Name.CHANGED: _measured(bias.position(first, second, questions).changed),
        }
    changed = Measured(undefined(say("diagnostics.reason.one_order")))
    if not len(of.f):
        return {Name.FIRST: Measured(undefined(_unmet())), Name.CHANGED: changed}
    judged, human = ([won[int(value)] for value in values.tolist()] for values in (of.f, of.y))
    first_wins = bias.position_from_one_order(judged, human, of.g, w=of.w)
    return {Name.FIRST: _measured(first_wins), Name.CHANGED: changed}


def _both_orders(
    won: Sequence[float], compared: Iterable[Compared], asked: Iterable[Asked]
) -> list[tuple[float, float, int]]:
    """What one answer of each pair gets when it stands first, and when it stands second, and the
    question; `won`: what the first answer gets by each value."""
    by_order = {(question, a, b): won[int(number)] for question, a, b, number in compared}
    rows = [(*orders, question) for question, orders in asked]
    return rows + [
        (value, 1 - by_order[question, b, a], question)
        for (question, a, b), value in by_order.items()
        if a < b and (question, b, a) in by_order
    ]


def _measured(found: Interval, contrast: Interval | None = None) -> Measured:
    return Measured(missing(found), lacking(found), contrast)


def lacking(found: Interval) -> int | None:
    """How many more questions a figure needs; None where that is not what it lacks."""
    least = _FEWER.fullmatch(found.reason)
    if found.status != "INCONCLUSIVE" or not least:
        return None
    return int(least[1]) - found.n_questions


def missing(found: Interval) -> Interval:
    """A figure on too few questions says how many more it needs."""
    more = lacking(found)
    if more is None:
        return found
    have = found.n_questions
    reason = say("diagnostics.reason.few_questions", n=more, have=have, least=have + more)
    return replace(found, reason=reason)


def _near(scale: Scale) -> float:
    """Numbers that differ by at most so much are the same value."""
    return 1e-9 if scale.is_discrete else NEAR * (scale.high - scale.low) + 1e-9


def _no_order() -> str:
    return say("diagnostics.reason.no_order")


def _unmet() -> str:
    return say("diagnostics.reason.unmet")
