"""Figures of one judge on one criterion: which way it leans beside people, what its confidence is
worth, how steady its replies are."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from graders.core.errors import ScaleError
from graders.core.scale import Scale
from graders.providers.http.families import family
from graders.statistics import bias, calibration
from graders.statistics.means import mean_interval
from graders.statistics.resampling import Array, Interval, undefined
from graders.workflows.opinions import pair_figures
from graders.workflows.opinions.pair_figures import interval_json

#: Values of a plain range that lie within this share of it are the same, as where a judge's samples
#: are made one.
NEAR = 0.1
#: Samples of one verdict that are looked at.
MOST_SAMPLES = 20
_FEWER = re.compile(r"fewer than (\d+) questions")
UNMET = "no verdict of a person that counts meets one of this judge's"
ASKED_ONCE = "asked once: with more samples it would show"


@dataclass(frozen=True, slots=True)
class Beside:
    """A judge's values beside people's, one entry per verdict of a person on a cell that the judge
    graded.

    `f`, `y` float[n] numbers on the scale; `g` int[n] questions; `w` float[n] 1/probability;
    `confidence` float[n], NaN where the judge stated none; `characters` float[n] of the answer;
    `model` int[n] places in `models`; `rivals` float[n], mean of the other judges.
    """

    f: Array
    y: Array
    g: Array
    w: Array
    confidence: Array
    characters: Array
    model: Array
    models: Sequence[str]
    rivals: Array


@dataclass(frozen=True, slots=True)
class Steadiness:
    """A judge's replies: by question how many cells it was asked about, unread, with quotes, with
    lost ones; repeats as the store has them: (question, number, place, answers, samples); and
    changes: (question, value before its recipe or the wording changed, now)."""

    questions: Array
    asked: Array
    unread: Array
    quoted: Array
    lost: Array
    repeats: Sequence[tuple[int, float | None, Any, Any, Any]]
    changes: Sequence[tuple[int, Any, Any]] = ()


def leans(scale: Scale, of: Beside, judge: str) -> dict[str, Interval]:
    """Severity, length and family by name; only where values have an order."""
    if not scale.is_ordered or not len(of.f):
        none = undefined("the values have no order" if len(of.f) else UNMET)
        return {"leniency": none, "length": none, "family": none}
    error, some = of.f - of.y, of.characters > 0
    length = bias.length(error[some], of.characters[some], of.g[some], w=of.w[some])
    return {
        "leniency": bias.severity(of.f, of.y, of.g, w=of.w),
        "length": length,
        "family": _family(of, error, kin(judge)),
    }


def family_contrast(of: Beside, judge: str) -> Interval | None:
    """The same answers through the eyes of the other judges: favour is this judge's alone. None
    where no other graded them."""
    mine = kin(judge)
    if not mine or not np.isfinite(of.rivals).any():
        return None
    return _family(of, of.rivals - of.y, mine)


def _family(of: Beside, error: Array, mine: str) -> Interval:
    if not mine:
        return undefined("the judge's name does not tell its family")
    own = np.array([family(name) == mine for name in of.models], bool)
    if not own.any():
        return undefined(f"no answer is by a model of its family ({mine})")
    return bias.family(error, own[of.model], of.g, w=of.w)


def kin(judge: str) -> str:
    """The family of a judge by its name, with or without its provider before a colon."""
    return family(judge) or family(judge.partition(":")[2])


def use_of_scale(scale: Scale, of: Beside) -> dict[str, Any]:
    """How often judge and people gave each value (or a fifth of a long range) on the same verdicts;
    spread, entropy: judge to people."""
    rows = pair_figures.ranges(scale)
    counts = {
        name: [int(((values >= low) & (values < below)).sum()) for _, low, below in rows]
        for name, values in (("judge", of.f), ("people", of.y))
    }
    ordered = scale.is_ordered
    spread = (
        bias.spread_ratio(of.f, of.y, of.g, w=of.w)
        if ordered
        else undefined("the values have no order")
    )
    return {
        "values": [words for words, _, _ in rows],
        **counts,
        "entropy": bias.central_tendency(of.f, of.y).entropy,
        "spread": spread,
    }


def confidence(scale: Scale, of: Beside) -> dict[str, Any] | None:
    """What stated chances are worth, against "a person gives the same value"; None where the judge
    stated none.

    ``bins``; ``brier`` and ``ece`` with their floors; ``over``: stated minus met; ``better``: the
    curve that labels of other questions would correct it by, with its Brier score (None where they
    are too few).
    """
    seen = np.isfinite(of.confidence)
    if not seen.any():
        return None
    p, g, w = of.confidence[seen], of.g[seen], of.w[seen]
    hit = alike(scale, of.f[seen], of.y[seen]).astype(float)
    score, error = calibration.brier(p, hit, g, w), calibration.ece(p, hit, g, w=w)
    found = calibration.recalibrated(p, hit, g, w)
    return {
        "stated": float(np.average(p, weights=w)),
        "met": float(np.average(hit, weights=w)),
        "over": bias.severity(p, hit, g, w=w),
        "brier": score.figure,
        "floor": score.floor,
        "ece": error.figure,
        "ece_floor": error.floor,
        "better": None if found is None else {"curve": found[0], "brier": found[1].figure},
        "bins": [
            {"chance": b.chance, "share": b.share, "low": b.low, "high": b.high, "cells": b.n_cells}
            for b in calibration.reliability(p, hit, g)
            if b.shown
        ],
    }


def alike(scale: Scale, one: Array, other: Array) -> Array:
    """Whether two values are the same; on a plain range within NEAR of it."""
    near = 1e-9 if scale.is_discrete else NEAR * (scale.high - scale.low) + 1e-9
    return np.asarray(np.abs(one - other) <= near)


def replies(of: Steadiness, *, steps: Scale) -> dict[str, Interval]:
    """Shares without a label: samples that say the same, quotes not in the answer, replies that
    could not be read; and the pull of the place in a call."""
    quoted = _share(of.lost, of.quoted, of.questions, "no verdict rests on a quote")
    return {
        "consistency": _consistency(of, steps),
        "quotes": quoted,
        "unread": _share(of.unread, of.asked, of.questions, "nothing was asked"),
        "position": _position(of, steps),
    }


def _share(hits: Array, sizes: Array, questions: Array, none: str) -> Interval:
    """A share of cells with its interval by questions, from counts by question."""
    if not sizes.sum():
        return undefined(none)
    each = np.concatenate(
        [np.repeat(np.ones(len(hits)), hits), np.repeat(np.zeros(len(hits)), sizes - hits)]
    )
    where = np.concatenate([np.repeat(questions, hits), np.repeat(questions, sizes - hits)])
    return share_of(each, where)


def share_of(values: Sequence[float] | Array, g: Sequence[Any] | Array) -> Interval:
    """A mean of values in 0..1 with its interval by questions; questions that are all alike are no
    certainty."""
    found = mean_interval(values, g, bounds=(0, 1))
    if found.low is not None and found.high is not None and found.high - found.low < 1e-9:
        return replace(
            found,
            low=None,
            high=None,
            status="INCONCLUSIVE",
            reason="all questions have the same share: no interval can be given",
        )
    return found


def _consistency(of: Steadiness, scale: Scale) -> Interval:
    shares, where = [], []
    for question, _, _, _, text in of.repeats:
        numbers = _samples(text, scale)
        if len(numbers) > 1:
            pairs = np.array(list(combinations(numbers, 2)))
            shares.append(float(alike(scale, pairs[:, 0], pairs[:, 1]).mean()))
            where.append(question)
    return share_of(shares, where) if shares else undefined(ASKED_ONCE)


def _samples(text: Any, scale: Scale) -> list[float]:
    """The values of a verdict's samples. Files may bring anything under that name: what is no value
    of the scale is none."""
    try:
        found = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        return []
    numbers = []
    for value in found[:MOST_SAMPLES] if isinstance(found, list) else ():
        with suppress(ScaleError):
            numbers += [] if value is None else [scale.number(scale.parse(value))]
    return numbers


def _position(of: Steadiness, scale: Scale) -> Interval:
    if not scale.is_ordered:
        return undefined("the values have no order")
    rows = [
        (number, (at - 1) / (among - 1), question)
        for question, number, at, among, _ in of.repeats
        if number is not None
        and isinstance(at, int)
        and isinstance(among, int)
        and 1 <= at <= among > 1
    ]
    if not rows:
        return undefined("no call asked about several answers")
    number, place, question = (np.array(column) for column in zip(*rows, strict=True))
    return bias.place_in_call(number, place, question)


def drift(of: Steadiness, scale: Scale, consistency: Interval) -> dict[str, Any]:
    """What a judge gives more since it, or the wording, changed, on the same answers; the test that
    statistics.md names.

    ``moved`` is the share of cells with another value, ``noise`` the share that two samples of one
    call differ by (None: asked once).
    """
    if not scale.is_ordered:
        return {"interval": undefined("the values have no order")}
    rows = []
    for question, before, now in of.changes:
        # values of an earlier wording may not be on the scale
        with suppress(ScaleError, ValueError):
            rows.append(
                (
                    *(scale.number(scale.parse(json.loads(value))) for value in (before, now)),
                    question,
                )
            )
    if not rows:
        return {"interval": undefined("it graded no answer again since it changed")}
    old, new, questions = (np.array(column) for column in zip(*rows, strict=True))
    found, p = bias.drift(old, new, questions)
    noise = None if consistency.value is None else 1 - consistency.value
    return {
        "interval": found,
        "p": p,
        "moved": float((~alike(scale, old, new)).mean()),
        "noise": noise,
    }


def tested(figures: Sequence[dict[str, Any]]) -> int:
    """Give each figure that carries a decision its p-value, adjusted over all of them (Holm), and
    whether it is real; how many were tested.

    Each of `figures` is {"interval": Interval, ...}; it gets `p` (unless it comes with a test of
    its own), `adjusted` and `real`.
    """
    known = []
    for figure in figures:
        firm = figure["interval"].status == "OK"
        own = figure.get("p")
        p = None if not firm else bias.chance_of_none(figure["interval"]) if own is None else own
        figure |= {"p": p, "adjusted": None, "real": False}
        if p is not None:
            known.append(figure)
    for figure, adjusted in zip(
        known, bias.holm([figure["p"] for figure in known]) if known else (), strict=True
    ):
        figure |= {"adjusted": float(adjusted), "real": bool(adjusted < 0.05)}
    return len(known)


def plain(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same with every interval as plain data."""
    return {
        key: interval_json(value)
        if isinstance(value, Interval)
        else plain(value)
        if isinstance(value, dict)
        else value
        for key, value in found.items()
    }


def missing(found: Interval) -> Interval:
    """A figure on too few questions says how many more it needs."""
    least = _FEWER.fullmatch(found.reason)
    if found.status != "INCONCLUSIVE" or not least:
        return found
    lacking = int(least[1]) - found.n_questions
    more = (
        f"{lacking} more question{'s' * (lacking != 1)} with verdicts: "
        f"{found.n_questions} of {least[1]}"
    )
    return replace(found, reason=more)
