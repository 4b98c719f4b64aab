"""What a comparison of two found, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from graders.workflows.leaderboard._compare_sides import Side
from graders.workflows.leaderboard.board import Counts
from graders.workflows.leaderboard.comparison import Difference, LeftOut, Verdict
from graders.workflows.leaderboard.words import only_words
from graders.workflows.opinions.grid_cells import plural
from graders.workflows.scope.phrases import listed


def title(
    a: Side,
    b: Side,
    lead: Difference | None,
    rows: Sequence[Difference],
    show: str,
    judge: str,
) -> str:
    """Whether `a` is better than `b`, and on which criteria the opposite is so."""
    if lead is None or lead.apart is None:
        return f"Nothing compares {a.label} with {b.label} yet."
    by = f"By {judge or 'the judge'} alone, " if show == "judge" else ""
    where = "overall" if lead.key == "overall" else f"on {lead.title}"
    if lead.verdict == Verdict.UNTOLD:
        found = (
            f"{'whether' if by else 'Whether'} {a.label} is better than {b.label} {where} cannot "
            "be told"
        )
    else:
        found = f"{a.label} is {lead.verdict} than {b.label} {where}"
    other = {
        Verdict.BETTER: (Verdict.WORSE,),
        Verdict.WORSE: (Verdict.BETTER,),
        Verdict.UNTOLD: (Verdict.BETTER, Verdict.WORSE),
    }[lead.verdict]
    against = [
        (
            word,
            [r.title for r in rows if r is not lead and r.key != "overall" and r.verdict == word],
        )
        for word in other
    ]
    said = [f"{word} on {listed(titles[:3])}" for word, titles in against if titles]
    joint = "; it is " if lead.verdict == Verdict.UNTOLD else ", but "
    return f"{by}{found}{joint + listed(said) if said else ''}."


def subtitle(
    counts: Counts,
    judge: str,
    left: LeftOut,
    show: str,
    a: Side,
    b: Side,
    only: str = "",
) -> str:
    """What both answered, who graded it, and which questions only one of them answered; `only`:
    which answers these are, in words."""
    parts = [only_words(only)] if only else []
    parts.append(f"{_count(left.both, 'question')} that both answered.")
    if judge and counts.questions:
        labelled = (
            f", {counts.labelled_questions:,} labelled by people, blind" if show != "judge" else ""
        )
        parts.append(f"{counts.questions:,} of them judged by {judge}{labelled}.")
    elif counts.labelled_questions:
        parts.append(f"{counts.labelled_questions:,} of them labelled by people, blind.")
    if a.model == b.model and left.a + left.b:
        parts.append(f"Left out: {_count(left.a + left.b, 'question')} without both versions.")
        return " ".join(parts)
    one = [f"{count:,} only by {side.label}" for side, count in ((a, left.a), (b, left.b)) if count]
    if one:
        parts.append(f"Left out: {listed(one)}.")
    return " ".join(parts)


def sentence(a: Side, b: Side, row: Difference, show: str, judge: str, only: str = "") -> str:
    """One figure with all that it needs to stand elsewhere; `only`: the filters, in words."""
    if row.apart is None:
        return f"{row.title}: {row.why}."
    by = {
        "corrected": f"{judge or 'a judge'}'s values corrected by people's blind labels"
        if judge
        else "people's blind labels",
        "people": "people's blind labels alone",
        "judge": f"{judge or 'the judge'} alone",
    }[show]
    range_ = (
        f", 95 % interval {signed(row.low, row.decimals)} to {signed(row.high, row.decimals)}"
        if row.low is not None and row.high is not None
        else ""
    )
    few = f"; inconclusive: {row.why}" if row.why else ""
    labelled = "" if show == "judge" else f", {row.labelled:,} of them labelled"
    return (
        f"{row.title} ({row.words}): {a.label} minus {b.label} is "
        f"{signed(row.apart, row.decimals)}{range_}; "
        f"verdict: {row.verdict}{few}. "
        f"Counted: {by}, {_count(row.questions, 'question')} in "
        f"pairs{labelled}{f'; only {only}' if only else ''}."
    )


def seen(row: Difference, show: str) -> str:
    """What so many questions can show, and what a smaller difference would take."""
    if row.least is None or row.target is None or row.needed is None:
        return ""
    labelled = (
        ""
        if show == "judge" or row.labelled == row.questions
        else f", {row.labelled:,} of them labelled,"
    )
    share = row.labelled / row.questions
    more = f", about {round(share * row.needed):,} of them labelled" if labelled else ""
    count = f"{_count(row.questions, 'question')}{labelled}"
    return (
        f"With {'these ' if row.questions != 1 else 'this '}{count} a difference under "
        f"{plain(row.least, row.decimals)} cannot be seen "
        f"reliably (in four cases of five); {plain(row.target, row.decimals)} needs about "
        f"{_count(row.needed, 'question')}{more}."
    )


def signed(number: float, decimals: int) -> str:
    """A difference as it is written: sign and the axis' decimals."""
    return f"{number:+.{decimals}f}".replace("-", "−")


def plain(number: float, decimals: int) -> str:
    """A size without a sign, with enough decimals to tell it from 0."""
    return f"{number:.{decimals}f}" if number >= 10**-decimals else f"{number:.1g}"


def _count(count: int, words: str) -> str:
    return f"{count:,} {plural(count, words)}"
