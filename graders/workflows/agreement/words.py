"""Agreement in words: the finding, whom figures speak for, and figures as sentences that can be
copied into a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from graders.core.words import say
from graders.statistics.opinions import Opinions
from graders.statistics.resampling import Array, Estimate
from graders.store.figures.agreement import DESIGNS, LABELLED
from graders.workflows.agreement.ground import Ground
from graders.workflows.agreement.records import (
    Against,
    Assisted,
    CriterionReport,
    JudgeRow,
    LeftOut,
    PeopleAmong,
    PopulationChoice,
    PopulationShown,
    Verdict,
    Word,
)
from graders.workflows.opinions.participants import NO_SAMPLE, POPULATIONS
from graders.workflows.scope.phrases import listed

#: Numbers up to this one are written as words.
LARGEST_WORD = 10
#: So many people are named in what is counted; so many criteria in the finding.
NAMED_PEOPLE, NAMED_CRITERIA = 3, 3


class Standing(StrEnum):
    """How the judges stand on a criterion: one may stand in for a person, none may, or it is
    open."""

    GOOD = "good"
    WORSE = "worse"
    OPEN = "open"


def standing(words: Sequence[Word]) -> Standing:
    """The standing that the verdicts on the judges of a criterion make."""
    if any(word.is_good for word in words):
        return Standing.GOOD
    return Standing.WORSE if set(words) == {Word.WORSE} else Standing.OPEN


# -- the finding


def title(
    criteria: Sequence[CriterionReport],
    judges: int,
    left_out: LeftOut,
    blind_only: bool,
    *,
    chosen: int = 0,
    intervals: bool = True,
) -> tuple[str, str]:
    """The finding and what stands below it; no finding where the intervals that decide it are not
    there. `chosen`: adjudicated values that count, of cells that were chosen."""
    tail = _tail(left_out, blind_only, chosen)
    whose = "blind" if blind_only else "any"
    if not criteria:
        return say(f"agreement.title.nothing.{whose}"), _joined(say("agreement.title.when"), tail)
    if not intervals:
        return say("agreement.title.first"), tail
    if not judges or not any(criterion.judges for criterion in criteria):
        return say("agreement.title.no_judge"), tail
    names: dict[Standing, list[str]] = {kind: [] for kind in Standing}
    for criterion in criteria:
        kind = standing([judge.verdict.word for judge in criterion.judges])
        names[kind].append(criterion.title)
    good, worse, unsure = names[Standing.GOOD], names[Standing.WORSE], names[Standing.OPEN]
    of = len(criteria)
    if good:
        which = f": {listed(good)}" if len(good) < min(of, NAMED_CRITERIA + 1) else ""
        head = say("agreement.title.good", where=_count(len(good), of) + which)
    elif worse:
        head = say("agreement.title.worse", where=_count(len(worse), of))
    else:
        opened = say(f"agreement.title.open.{whose}")
        first = _first_figure(criteria)
        return (first, _joined(opened, tail)) if first else (opened, tail)
    rest = []
    if good and worse:
        rest.append(say("agreement.title.and_worse", where=_where(worse)))
    if unsure:
        rest.append(say("agreement.title.and_open", where=_where(unsure)))
    return head, _joined(*rest, tail)


def _first_figure(criteria: Sequence[CriterionReport]) -> str:
    """The best judge of the first criterion that has a figure, in a sentence, from assisted
    verdicts where none has another; empty where there is none."""
    for criterion in criteria:
        for judge in criterion.judges:
            if judge.shown.value is not None and judge.shown_against == Against.PEOPLE:
                key = "early" if judge.shown.status == "EARLY" else "figure"
                return say(
                    f"agreement.title.{key}",
                    judge=judge.name,
                    criterion=criterion.title,
                    measure=criterion.figure,
                    **_in_short(criterion, judge.shown),
                )
    for criterion in criteria:
        for judge in criterion.judges:
            if judge.assisted:
                return say(
                    "agreement.title.assisted",
                    judge=judge.name,
                    criterion=criterion.title,
                    measure=judge.assisted.measure,
                    **_in_short(criterion, judge.assisted.figure),
                )
    return ""


def _tail(left_out: LeftOut, blind_only: bool, chosen: int) -> str:
    if not blind_only:
        return _joined(say("agreement.left_out.none"), chosen_words(chosen) if chosen else "")
    counts = {
        "assisted": left_out.assisted,
        "other_draws": left_out.other_draws,
        "adaptive": left_out.adaptive,
        "placed": left_out.placed,
        "earlier_wording": left_out.earlier_wording,
    }
    return _joined(
        *(say(f"agreement.left_out.{name}", n=count) for name, count in counts.items() if count)
    )


def chosen_words(count: int) -> str:
    """What figures against adjudicated values speak for."""
    return say("agreement.chosen", n=count)


def _count(count: int, of: int) -> str:
    if count == of:
        return say(f"agreement.where.{'every' if of > 1 else 'only'}")
    return say("agreement.where.some", n=count, count=_number(count), of=_number(of))


def _number(count: int) -> str:
    return say(f"agreement.number.{count}") if count <= LARGEST_WORD else str(count)


def _where(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= 2 else _number(len(names))


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)


# -- whom figures speak for


def population_shown(
    name: str, loaded: Sequence[Opinions], blind_only: bool, only: str = ""
) -> PopulationShown:
    """The population that the figures speak for, in words, narrowed down to `only`, and the others
    that have blind verdicts."""
    blind = [opinions.by_design(opinions.blind) for opinions in loaded]
    choices = [
        PopulationChoice(key, population.words, count)
        for key, population in POPULATIONS.items()
        if (count := sum(counts.get(place, 0) for counts in blind for place in population.places))
    ]
    counted: dict[int, int] = {}
    alone = 0
    for opinions in loaded:
        used = opinions.drawn(POPULATIONS[name].places) if blind_only else opinions.everything()
        for design, count in opinions.by_design(used).items():
            counted[design] = counted.get(design, 0) + count
        alone += _alone(opinions, used)
    words = population_words(name, counted, blind_only, alone)
    if only:
        words += say("agreement.counted.only", only=only)
    return PopulationShown(name if blind_only else "", words, choices)


def _alone(opinions: Opinions, used: Array) -> int:
    """How many cells have a label and nobody says how they were chosen."""
    return opinions.size(used & (opinions.design == LABELLED))[0]


def population_words(
    name: str, counted: Mapping[int, int], blind_only: bool, alone: int = 0
) -> str:
    """How many verdicts of which draws count (`counted`: place in DESIGNS -> verdicts), and whom
    they speak for; `alone`: cells of which nobody says how they were chosen."""
    counts = {design: counted.get(place, 0) for place, design in enumerate(DESIGNS)}
    if not blind_only:
        return say("agreement.population.everything") + "".join(
            say(f"agreement.population.no_sample.{design}", n=counts[design])
            for design in NO_SAMPLE
            if counts[design]
        )
    population = POPULATIONS[name]
    parts = [
        say(f"agreement.population.design.{design or 'outside'}", n=counts[design])
        for design in population.designs
        if counts[design]
    ]
    if not parts:
        return say("agreement.population.nothing")
    whole = counts["calibration"] or name != "all"
    whom = population.words if whole else say("agreement.population.covered")
    if alone:
        whom = say("agreement.population.labelled", n=alone)
    return say("agreement.population.blind", parts=listed(parts), whom=whom)


def counted_words(ground: Ground, opinions: Opinions, people: Sequence[int]) -> str:
    """Which verdicts of which people figures on one criterion rest on, whom they speak for, and the
    filters that are set."""
    used = ground.used(opinions) & opinions.by(people)
    counted, alone = opinions.by_design(used), _alone(opinions, used)
    words = population_words(ground.population, counted, ground.view.blind_only, alone)
    names = sorted(ground.circle.label(person) for person in people)
    if len(names) > NAMED_PEOPLE:
        words += say("agreement.counted.by_many", n=len(names))
    elif names:
        words += say("agreement.counted.by", names=", ".join(names))
    return words + (say("agreement.counted.only", only=ground.only) if ground.only else "")


# -- figures as sentences


def headline(criterion: CriterionReport, judge: JudgeRow, chosen: int) -> str:
    """A judge's row: the figure, the ceiling on the same targets, the verdict. `chosen`:
    adjudicated values of cells that were chosen because people differ."""
    about = {"criterion": criterion.title, "judge": judge.name}
    if judge.shown.value is None:
        return say(
            "agreement.judge.none", **about, reason=judge.shown.reason, counted=criterion.counted
        )
    with_people = judge.shown_against == Against.PEOPLE
    text = say(
        f"agreement.judge.{judge.shown_against}",
        **about,
        measure=criterion.figure if with_people else criterion.pair_figure,
        figure=figure(judge.shown, cell_words(judge.shown)),
    )
    if judge.ceiling.value is not None:
        text += say(
            "agreement.judge.ceiling", figure=figure(judge.ceiling, cell_words(judge.ceiling))
        )
    if judge.assisted:
        text += say("agreement.judge.assisted", words=assisted_words(criterion, judge.assisted))
    if judge.verdict.word != Word.COMPUTING:
        text += say("agreement.judge.outcome", outcome=outcome(judge.verdict))
    counted = say(
        "agreement.counted.sentence",
        counted=say(
            "agreement.counted.whom",
            counted=criterion.counted,
            whom=criterion.people.population,
        ),
    )
    of_chosen = (
        chosen_words(chosen) if chosen and judge.shown_against == Against.ADJUDICATED else ""
    )
    return _joined(text + counted, of_chosen)


def outcome(verdict: Verdict) -> str:
    """A verdict as a part of a sentence."""
    words = outcome_words(verdict.word)
    if verdict.reason and verdict.word != Word.COMPUTING:
        return f"{words}, {verdict.reason}"
    return words


def outcome_words(word: str) -> str:
    """A verdict's word as a part of a sentence; other words stay as they are."""
    names = {Word.AS_GOOD: "as_good", Word.BETTER: "better", Word.WORSE: "worse"}
    known = {str(value): name for value, name in names.items()}
    return say(f"agreement.outcome.{known[word]}") if word in known else word


def ceiling_sentence(criterion: CriterionReport) -> str:
    """How far people agree among themselves."""
    people = criterion.people
    text = say(
        "agreement.people.ceiling",
        criterion=criterion.title,
        measure=criterion.figure,
        figure=figure(people.ceiling, ceiling_size(people)),
    )
    if people.self.value is not None:
        text += say("agreement.people.self", figure=figure(people.self))
    whom = say("agreement.counted.whom", counted=criterion.counted, whom=people.population)
    return text + say("agreement.counted.sentence", counted=whom)


def pair_sentence(
    criterion: CriterionReport, names: tuple[str, str], lead: Estimate, raw: Estimate
) -> str:
    """How far two authors agree."""
    return say(
        "agreement.pair",
        criterion=criterion.title,
        a=names[0],
        b=names[1],
        measure=criterion.pair_figure,
        figure=figure(lead),
        share=share(raw),
    ) + say("agreement.counted.sentence", counted=criterion.counted)


def early_words(criterion: CriterionReport, estimate: Estimate) -> str:
    """An early estimate in few words."""
    return say("agreement.early.short", **_in_short(criterion, estimate))


def assisted_words(criterion: CriterionReport, assisted: Assisted) -> str:
    """An estimate from assisted verdicts in few words."""
    short = _in_short(criterion, assisted.figure)
    return say("agreement.assisted.short", **short, measure=assisted.measure, why=assisted.words)


def interval_words(low: float | None, high: float | None, by: float = 1) -> str:
    """An interval in brackets with a blank before it, as numbers times `by`; empty without one."""
    if low is None or high is None:
        return ""
    return say("agreement.early.bounds", low=by * low, high=by * high)


def _in_short(criterion: CriterionReport, estimate: Estimate) -> dict[str, str]:
    """A figure with its interval, and on how many answers (cells, where an answer has several) it
    rests."""
    key = "value" if estimate.low is None or estimate.high is None else "interval"
    places = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
    return {
        "figure": say(f"agreement.early.{key}", **places),
        "cells": say(f"units.{criterion.unit}", n=estimate.n_cells),
    }


def figure(estimate: Estimate, size: str = "") -> str:
    """A value with its interval and what it rests on (`size`; verdicts and questions where nothing
    is named); or why there is none."""
    if estimate.value is None:
        return say("agreement.figure.none", reason=estimate.reason)
    if estimate.low is None or estimate.high is None:
        bounds = say("agreement.figure.no_interval")
    else:
        bounds = say("agreement.figure.interval", low=estimate.low, high=estimate.high)
    if estimate.status == "EARLY":
        return say(
            "agreement.figure.early",
            value=estimate.value,
            bounds=bounds,
            rests=size or size_words(estimate),
            reason=estimate.reason,
        )
    rests = _rests(estimate, size or size_words(estimate))
    return say("agreement.figure.value", value=estimate.value, bounds=bounds, rests=rests)


def share(estimate: Estimate) -> str:
    """The same for a share, in percent."""
    if estimate.value is None:
        return say("agreement.share.none", reason=estimate.reason)
    if estimate.low is None or estimate.high is None:
        bounds = say("agreement.figure.no_interval")
    else:
        bounds = say("agreement.share.interval", low=100 * estimate.low, high=100 * estimate.high)
    return say(
        "agreement.share.value",
        value=100 * estimate.value,
        bounds=bounds,
        rests=_rests(estimate, size_words(estimate)),
    )


def _rests(estimate: Estimate, size: str) -> str:
    doubt = "" if estimate.status == "OK" else say("agreement.figure.doubt", reason=estimate.reason)
    return size + doubt


def cell_words(estimate: Estimate) -> str:
    """On how many cells of how many questions a figure rests."""
    return say(
        "agreement.figure.cells",
        cells=say("units.cell", n=estimate.n_cells),
        questions=say("units.question", n=estimate.n_questions),
    )


def ceiling_size(people: PeopleAmong) -> str:
    """On how many people, cells and questions the ceiling rests."""
    return say(
        "agreement.figure.ceiling",
        people=say("units.person", n=people.graders),
        cells=say("units.cell", n=people.ceiling.n_cells),
        questions=say("units.question", n=people.ceiling.n_questions),
    )


def size_words(estimate: Estimate) -> str:
    """How many verdicts on how many questions a figure rests on."""
    return say(
        "agreement.figure.size",
        verdicts=say("units.verdict", n=estimate.n_cells),
        questions=say("units.question", n=estimate.n_questions),
    )
