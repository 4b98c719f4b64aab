"""Diagnostics of judges in words: each figure, as a phrase and as a sentence to copy, and the
finding of the page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from graders.core.shapes import as_dict
from graders.core.words import say
from graders.statistics.bias import Significance
from graders.statistics.resampling import Interval, shown
from graders.workflows.agreement.words import share, size_words
from graders.workflows.diagnostics.judge_report import (
    BESIDE,
    FREE,
    LEANS,
    DiagnosedJudge,
    Finding,
    JudgeCriterion,
    JudgeFigure,
    Measured,
    Name,
    Untested,
)
from graders.workflows.scope.phrases import listed

#: Figures that are shares of cells.
SHARES = (Name.CONSISTENCY, Name.QUOTES, Name.UNREAD, Name.CHANGED)
UNTESTED = Significance(None, None, False)


def spoken(
    judge: str, row: Untested, significance: Mapping[Name, Significance], tests: int
) -> JudgeCriterion:
    """A judge's figures on a criterion in words, with those that are significant."""
    figures, findings = {}, []
    for name, measured in row.figures.items():
        tested = significance.get(name, UNTESTED)
        figures[name] = figure = _figure(judge, name, measured, tested, row, tests)
        if tested.real and figure.value is not None:
            way = "down" if figure.value < 0 else "up"
            findings.append(Finding(name, say(f"diagnostics.finding.{name}.{way}")))
    facts = as_dict(row)
    del facts["figures"]
    return JudgeCriterion(**facts, figures=figures, findings=findings)


def _figure(
    judge: str, name: Name, measured: Measured, tested: Significance, row: Untested, tests: int
) -> JudgeFigure:
    words = _words(name, measured, tested, row)
    contrast = measured.contrast
    return JudgeFigure(
        **as_dict(shown(measured.interval)),
        title=title_of(name),
        words=words,
        sentence=_sentence(judge, name, measured.interval, tested, row, tests, words),
        p=tested.p,
        adjusted=tested.adjusted,
        real=tested.real,
        lacking=measured.lacking,
        contrast=None if contrast is None else shown(contrast),
        moved=measured.moved,
        noise=measured.noise,
    )


def title_of(name: Name) -> str:
    """What a figure is called."""
    return say(f"diagnostics.name.{name}")


def heading(
    judges: Sequence[DiagnosedJudge], tests: int, old: tuple[int, int] = (0, 0)
) -> tuple[str, str]:
    """The finding as a sentence, and what stands below it. `old`: verdicts of people, and of
    judges, that were given under another wording and do not count; Agreement tells of those of
    people alone."""
    finding, below = _heading(judges, tests)
    if not any(old):
        return finding, below
    counts = [
        say(f"diagnostics.verdicts_of.{whose}", n=count)
        for count, whose in zip(old, ("people", "judges"), strict=True)
        if count
    ]
    below = say("diagnostics.reworded", n=sum(old), below=below, verdicts=listed(counts))
    return finding if judges else say("diagnostics.heading.nothing_now"), below


def _heading(judges: Sequence[DiagnosedJudge], tests: int) -> tuple[str, str]:
    if not judges:
        return say("diagnostics.heading.nothing"), say("diagnostics.below.nothing")
    criteria: dict[tuple[str, str], list[str]] = {}
    for judge in judges:
        for row in judge.criteria:
            for finding in row.findings:
                criteria.setdefault((judge.name, finding.words), []).append(row.title)
    if criteria:
        (name, words), where = max(criteria.items(), key=lambda pair: len(pair[1]))
        return (
            say("diagnostics.heading.real", judge=name, leans=words, criteria=listed(where)),
            say("diagnostics.below.real", n=sum(map(len, criteria.values())), tests=tests),
        )
    rows = [row.figures for judge in judges for row in judge.criteria]
    if all(figures[Name.UNREAD].value == 1 for figures in rows):
        names = listed([judge.name for judge in judges])
        return say("diagnostics.heading.unread", judges=names), say("diagnostics.below.unread")
    if any(figures[name].p is not None for figures in rows for name in BESIDE if name in figures):
        return say("diagnostics.heading.none"), say("diagnostics.below.none", n=tests)
    return say("diagnostics.heading.few"), _nearest(rows)


def _nearest(rows: Sequence[Mapping[Name, JudgeFigure]]) -> str:
    """What the figure that lacks the fewest questions lacks."""
    short = [
        (figure.lacking, figure.reason)
        for figures in rows
        for name in LEANS
        if (figure := figures.get(name)) is not None and figure.lacking is not None
    ]
    if not short:
        return say("diagnostics.below.few")
    return say("diagnostics.below.nearest", lacking=min(short, key=lambda pair: pair[0])[1])


def _words(name: Name, measured: Measured, tested: Significance, row: Untested) -> str:
    found = measured.interval
    if found.value is None:
        return say("diagnostics.words.no_figure", reason=found.reason)
    if name in (*LEANS, Name.OVER):
        if found.status != "OK":
            return say("diagnostics.words.inconclusive", reason=found.reason)
        if name == Name.DRIFT:
            return f"{_drifts(found.value, tested, row.range)} {_moved(measured)}"
        if not tested.real:
            return say("diagnostics.words.no_lean")
        return _lean(name, found.value, row.range, measured.contrast)
    words = _value_words(name, found.value)
    if found.status == "OK":
        return words
    return f"{words} {say('diagnostics.words.inconclusive', reason=found.reason)}"


def _value_words(name: Name, value: float) -> str:
    """A figure that is not tested."""
    if name == Name.SPREAD:
        return say("diagnostics.words.spread", value=value)
    if name == Name.BRIER:
        return say("diagnostics.words.brier", value=value)
    if name == Name.ECE:
        return say("diagnostics.words.ece", percent=100 * value)
    return say(f"diagnostics.words.{name}", percent=_percent(value))


def _drifts(value: float, tested: Significance, wide: float) -> str:
    if not tested.real:
        return say("diagnostics.words.no_drift")
    return say(f"diagnostics.words.drift.{_way(value)}", amount=_amount(abs(value), wide))


def _moved(measured: Measured) -> str:
    """How many cells have another value than before, beside how many do so by noise alone."""
    moved = 100 * (measured.moved or 0.0)
    if measured.noise is None:
        return say("diagnostics.words.moved", percent=moved)
    return say("diagnostics.words.moved_noise", percent=moved, noise=100 * measured.noise)


def _lean(name: Name, value: float, wide: float, contrast: Interval | None) -> str:
    way = _way(value)
    if name == Name.OVER:
        return say(f"diagnostics.words.over.{way}", percent=100 * abs(value))
    size = abs(value) * math.log(2) if name == Name.LENGTH else abs(value)
    text = say(f"diagnostics.words.{name}.{way}", amount=_amount(size, wide))
    if name != Name.FAMILY:
        return text
    if contrast is None or contrast.value is None:
        return f"{text} {say('diagnostics.words.no_contrast')}"
    return f"{text} {say('diagnostics.words.contrast', value=contrast.value)}"


def _way(value: float) -> str:
    return "more" if value > 0 else "less"


def _amount(value: float, wide: float) -> str:
    """A difference on the scale: on one of two values, as a share of answers."""
    if wide == 1:
        return say("diagnostics.amount.answers", percent=100 * value)
    return say("diagnostics.amount.points", value=value)


def _sentence(
    judge: str,
    name: Name,
    found: Interval,
    tested: Significance,
    row: Untested,
    tests: int,
    words: str,
) -> str:
    counted = say("diagnostics.counted.all") if name in FREE else row.counted
    head = say(
        "diagnostics.sentence.head",
        judge=judge,
        criterion=row.title,
        figure=title_of(name),
        words=words,
    )
    end = say("diagnostics.sentence.counted", counted=counted)
    if found.value is None:
        return f"{head} {end}"
    figure = shown(found)
    if name in SHARES:
        return f"{head} {_capital(share(figure))}. {end}"
    per = say("diagnostics.sentence.per_length") if name == Name.LENGTH else ""
    value = say(
        "diagnostics.sentence.value",
        value=found.value,
        per=per,
        bounds=_bounds(found),
        size=size_words(figure),
        chance=""
        if tested.adjusted is None
        else say("diagnostics.sentence.chance", p=tested.adjusted, tests=tests),
    )
    return f"{head} {value} {end}"


def _bounds(found: Interval) -> str:
    if found.low is None or found.high is None:
        return say("diagnostics.sentence.no_interval")
    return say("diagnostics.sentence.interval", low=found.low, high=found.high)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %" if 0 < value < 0.1 or 0.9 < value < 1 else f"{100 * value:.0f} %"
