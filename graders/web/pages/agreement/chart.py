"""The chart of Agreement: a row per judge, the band behind it is how far people agree."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.words import say
from graders.statistics.resampling import Estimate
from graders.web.kit.drawing import span
from graders.workflows.agreement.records import (
    Agreement,
    CriterionReport,
    GroupRow,
    JudgeRow,
    PeopleAmong,
    Word,
)

#: Judges of a criterion that are shown before all are asked for.
TOP = 3
#: People up to whom each is named.
NAMED = 4
SIGNS = {Word.AS_GOOD: "ok", Word.BETTER: "ok", Word.WORSE: "no", Word.INCONCLUSIVE: "q"}
TICK = 0.2


@dataclass(frozen=True, slots=True)
class Small:
    """A small line below a figure; `title` says more, `doubt` why it is inconclusive."""

    text: str
    title: str = ""
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """A judge's row: what is read out for its drawing, the figure as text (empty where there is
    none), whether it is grey, small lines, and the class of the word's sign."""

    row: JudgeRow
    label: str
    value: str
    grey: bool
    small: Sequence[Small]
    sign: str
    apart: str
    second: float | None


@dataclass(frozen=True, slots=True)
class CriterionLines:
    """A criterion with the judges that are shown, and what is said below them."""

    report: CriterionReport
    judges: Sequence[JudgeLine]
    below: Sequence[str]


@dataclass(frozen=True, slots=True)
class Chart:
    """The axis from `low` to 1 with its ticks, criteria, how many judges there are, and whether
    some are not shown."""

    low: float
    ticks: Sequence[float]
    criteria: Sequence[CriterionLines]
    judges: int
    more: bool


def chart_of(found: Agreement, everyone: bool) -> Chart:
    """What is drawn; without `everyone` the best judges of each criterion alone."""
    # it begins at 0 unless a figure lies below
    ends = [_lowest(judge.shown) for one in found.criteria for judge in one.judges]
    low = min(0.0, math.floor(min([0.0, *ends]) / TICK) * TICK)
    return Chart(
        low=low,
        ticks=[low + at * TICK for at in range(round((1 - low) / TICK) + 1)],
        criteria=[
            CriterionLines(
                one,
                [_line(one, judge) for judge in (one.judges if everyone else one.judges[:TOP])],
                _below(one),
            )
            for one in found.criteria
        ],
        judges=len({judge.ref for one in found.criteria for judge in one.judges}),
        more=not everyone and any(len(one.judges) > TOP for one in found.criteria),
    )


def _lowest(figure: Estimate) -> float:
    return figure.low if figure.low is not None else figure.value or 0.0


def two(value: float) -> str:
    """A figure with two decimals."""
    return f"{value:.2f}"


def valued(figure: Estimate) -> str:
    """A figure with its interval; its reason where there is none."""
    if figure.value is None:
        return figure.reason
    return f"{two(figure.value)} {span(figure)}".strip()


def _line(criterion: CriterionReport, judge: JudgeRow) -> JudgeLine:
    figure, final = judge.shown, judge.adjudicated
    early = figure.status == "EARLY"
    label = say(
        "agreement.page.read",
        judge=judge.name,
        criterion=criterion.title,
        early=f"{say('agreement.page.early')} " if early else "",
        figure=valued(figure),
    )
    if judge.ceiling.value is not None:
        label += say("agreement.page.read.people", figure=two(judge.ceiling.value))
    second = final.lead if final and final.lead.status == "OK" else None
    apart = ""
    if judge.apart.value is not None:
        apart = say("agreement.page.apart", figure=valued(judge.apart))
    return JudgeLine(
        row=judge,
        label=label,
        value="" if figure.value is None else two(figure.value),
        grey=figure.status != "OK" or judge.verdict.word is Word.INCONCLUSIVE,
        small=_small(criterion, judge),
        sign=SIGNS.get(judge.verdict.word, ""),
        apart=apart,
        second=second.value if second and judge.shown_against == "people" else None,
    )


def _small(criterion: CriterionReport, judge: JudgeRow) -> list[Small]:
    figure, final, lines = judge.shown, judge.adjudicated, list[Small]()
    if figure.status == "EARLY":
        cells = say(f"units.{criterion.unit}", n=figure.n_cells)
        lines.append(Small(f"{say('agreement.page.early')}, {cells}", figure.reason))
    if criterion.gaps and judge.people.value is not None:
        pairs = say("agreement.page.in_pairs", measure=criterion.pair_figure)
        lines.append(Small(f"{pairs} {valued(judge.people)}", judge.people.reason))
    if judge.assisted:
        text = f"{say('agreement.page.assisted')} {valued(judge.assisted.figure)}"
        lines.append(Small(text, judge.assisted.words))
    if judge.raw is not None:
        lines.append(Small(_same(judge.raw)))
    elif final and final.raw.value is not None:
        lines.append(Small(_same(final.raw.value), doubt=_doubt(final.raw)))
    if final and final.lead.value is not None and judge.shown_against != "adjudicated":
        text = f"{say('agreement.page.adjudicated')} {valued(final.lead)}"
        lines.append(Small(text, doubt=_doubt(final.lead)))
    return lines


def _same(share: float) -> str:
    return say("agreement.page.raw", share=round(100 * share))


def _doubt(figure: Estimate) -> str:
    return "" if figure.status == "OK" else figure.reason


def _below(criterion: CriterionReport) -> list[str]:
    """What stands below the judges of a criterion, after people's own line."""
    lines = [_group(one) for one in criterion.groups]
    if criterion.control:
        given = ", ".join(f"{one.by} {one.shown}" for one in criterion.control)
        lines.append(say("agreement.page.control", given=given))
    return [*lines, *(one.words for one in criterion.silent)]


def people_line(criterion: CriterionReport) -> str:
    """How far people agree among themselves and with themselves, in a line."""
    people: PeopleAmong = criterion.people
    ceiling = people.ceiling
    if ceiling.value is None:
        parts = [say("agreement.page.people.none", reason=ceiling.reason)]
    else:
        early = f", {say('agreement.page.early')}" if ceiling.status == "EARLY" else ""
        raw = f", {_same(people.raw)}" if people.raw is not None else ""
        many = len(people.names) > NAMED
        line = say(
            "agreement.page.people",
            figure=f"{valued(ceiling)}{early}{raw}",
            graders=say("units.person", n=people.graders),
            cells=say("units.cell", n=ceiling.n_cells),
            names=say("units.person", n=len(people.names)) if many else ", ".join(people.names),
            population=people.population,
        )
        parts = [line if ceiling.status == "OK" else f"{line}: {ceiling.reason}"]
    own = people.self
    if own.value is not None:
        doubt = "" if own.status == "OK" else f" {own.status}: {own.reason}"
        cells = say("units.cell", n=own.n_cells)
        parts.append(say("agreement.page.self", figure=f"{valued(own)}{doubt}", cells=cells))
    if people.called_in:
        parts.append(say("agreement.page.called_in", names=", ".join(people.called_in)))
    return ". ".join(parts)


def _group(group: GroupRow) -> str:
    judged = [one for one in group.judges if one.people.value is not None]
    best = max(judged, key=lambda one: one.people.value or 0.0, default=None)
    mean = group.mean
    among = say("agreement.page.group.among", figure=valued(mean))
    line = say(
        "agreement.page.group",
        group=group.group,
        people=say("units.person", n=group.people),
        figure=mean.reason if mean.value is None else among,
    )
    if best is None:
        return line
    return line + say(
        "agreement.page.group.best", judge=best.name, figure=two(best.people.value or 0)
    )
