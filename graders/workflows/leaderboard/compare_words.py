"""What a comparison of two found, in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.words import say
from graders.workflows.leaderboard._compare_sides import Side
from graders.workflows.leaderboard.board import Counts
from graders.workflows.leaderboard.comparison import Difference, LeftOut, Verdict
from graders.workflows.leaderboard.words import only_tail, only_words
from graders.workflows.scope.phrases import listed, several

#: So many criteria are named on which a verdict is another one.
NAMED = 3


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
        return say("leaderboard.compare.nothing", a=a.label, b=b.label)
    where = say("leaderboard.compare.overall")
    if lead.key != "overall":
        where = say("leaderboard.compare.on", criterion=lead.title)
    sides = {"a": a.label, "b": b.label, "where": where, "rest": _other_verdicts(lead, rows)}
    if lead.verdict != Verdict.UNTOLD:
        finding = say(f"leaderboard.compare.{lead.verdict}", **sides)
    elif show == "judge":
        finding = say("leaderboard.compare.untold_inside", **sides)
    else:
        finding = say("leaderboard.compare.untold", **sides)
    if show != "judge":
        return finding
    return say("leaderboard.title.by", judge=judge or say("leaderboard.the_judge"), finding=finding)


def _other_verdicts(lead: Difference, rows: Sequence[Difference]) -> str:
    """On which criteria the verdict is another one, as the end of a sentence; empty for none."""
    parts = []
    for verdict in (Verdict.BETTER, Verdict.WORSE):
        titles = [
            row.title
            for row in rows
            if row is not lead and row.key != "overall" and row.verdict == verdict
        ]
        if titles and verdict != lead.verdict:
            criteria = listed(titles[:NAMED])
            parts.append(say(f"leaderboard.compare.part.{verdict}", criteria=criteria))
    if not parts:
        return ""
    if lead.verdict == Verdict.UNTOLD:
        return say("leaderboard.compare.rest.untold", parts=listed(parts))
    return say("leaderboard.compare.rest.told", parts=listed(parts))


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
    if counts.within and show != "judge":
        parts.append(say("leaderboard.below.within", n=counts.within))
    parts.append(say("leaderboard.compare.both", n=left.both))
    labelled = counts.labelled_questions
    if judge and counts.questions:
        if show == "judge":
            parts.append(say("leaderboard.compare.judged", questions=counts.questions, judge=judge))
        else:
            parts.append(
                say(
                    "leaderboard.compare.judged_labelled",
                    questions=counts.questions,
                    judge=judge,
                    labelled=labelled,
                )
            )
    elif labelled:
        parts.append(say("leaderboard.compare.labelled", questions=labelled))
    if a.model == b.model and left.a + left.b:
        parts.append(say("leaderboard.compare.versions", n=left.a + left.b))
        return " ".join(parts)
    one = [
        say("leaderboard.compare.only_by", questions=count, side=side.label)
        for side, count in ((a, left.a), (b, left.b))
        if count
    ]
    if one:
        parts.append(say("leaderboard.compare.left_out", parts=listed(one)))
    return " ".join(parts)


def sentence(a: Side, b: Side, row: Difference, show: str, judge: str, only: str = "") -> str:
    """One figure with all that it needs to stand elsewhere; `only`: the filters, in words."""
    if row.apart is None:
        return say("leaderboard.compare.no_figure", criterion=row.title, why=row.why)
    interval = ""
    if row.low is not None and row.high is not None:
        low, high = (signed(end, row.decimals) for end in (row.low, row.high))
        interval = say("leaderboard.compare.interval", low=low, high=high)
    labelled = ""
    if show != "judge":
        labelled = say("leaderboard.compare.of_labelled", labelled=row.labelled)
    return say(
        "leaderboard.compare.sentence",
        criterion=row.title,
        words=row.words,
        a=a.label,
        b=b.label,
        apart=signed(row.apart, row.decimals),
        interval=interval,
        verdict=say(f"leaderboard.compare.verdict.{row.verdict.name.lower()}"),
        doubt=say("leaderboard.compare.doubt", why=row.why) if row.why else "",
        by=_by(show, judge),
        questions=several(row.questions, "question"),
        labelled=labelled,
        only=only_tail(only),
    )


def _by(show: str, judge: str) -> str:
    """Whose values a difference is of."""
    if show == "judge":
        return say("leaderboard.compare.by.judge", judge=judge or say("leaderboard.the_judge"))
    if show == "people":
        return say("leaderboard.compare.by.people")
    if judge:
        return say("leaderboard.compare.by.corrected", judge=judge)
    return say("leaderboard.compare.by.labels")


def seen(row: Difference, show: str) -> str:
    """What so many questions can show, and what a smaller difference would take."""
    if row.least is None or row.target is None or row.needed is None:
        return ""
    labelled = more = ""
    if show != "judge" and row.labelled != row.questions:
        labelled = say("leaderboard.compare.seen_labelled", labelled=row.labelled)
        share = row.labelled / row.questions
        more = say("leaderboard.compare.needed_labelled", labelled=round(share * row.needed))
    return say(
        "leaderboard.compare.seen",
        n=row.questions,
        labelled=labelled,
        least=plain(row.least, row.decimals),
        target=plain(row.target, row.decimals),
        needed=several(row.needed, "question"),
        more=more,
    )


def signed(number: float, decimals: int) -> str:
    """A difference as it is written: sign and the axis' decimals."""
    return f"{number:+.{decimals}f}".replace("-", "−")


def plain(number: float, decimals: int) -> str:
    """A size without a sign, with enough decimals to tell it from 0."""
    return f"{number:.{decimals}f}" if number >= 10**-decimals else f"{number:.1g}"
