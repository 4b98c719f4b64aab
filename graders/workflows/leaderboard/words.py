"""The finding of the leaderboard as a sentence, and which verdicts it rests on."""

from __future__ import annotations

from collections.abc import Sequence

from graders.statistics.resampling import Estimate
from graders.workflows.leaderboard.board import (
    Board,
    BoardCriterion,
    CellFigure,
    Counts,
    Misled,
    Only,
    Pair,
    Preferences,
    Row,
    Share,
    Worth,
)
from graders.workflows.opinions.grid_cells import plural
from graders.workflows.opinions.participants import Circle
from graders.workflows.scope.phrases import listed

#: So many runs of models that cannot be told apart are named, each by so many names.
TIES, TIED_NAMES = 6, 6
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def title(
    table: Sequence[Row],
    ties: Sequence[tuple[int, int]],
    show: str,
    judge: str,
    *,
    narrowed: bool = False,
    in_pairs: bool = False,
    unordered: bool = False,
) -> str:
    """Who leads and who cannot be told apart; `narrowed`: some of people's verdicts were filtered
    out; `in_pairs`: answers are only compared, never graded one by one; `unordered`: no criterion's
    values have a mean."""
    ranked = [row for row in table if row.place is not None]
    if not table:
        return "No model has an answer to rank yet."
    if not ranked and unordered:
        return "No criterion here has an order to rank models by: labels without one have no mean."
    if not ranked and in_pairs:
        return "Answers are compared in pairs here: Preferences rank the models."
    if not ranked:
        lacking = (
            "No blind label of people is left by these filters"
            if narrowed
            else "People's blind labels are missing"
        )
        return (
            "No judge has graded these answers."
            if show == "judge"
            else f"{lacking}: no model can be ranked{'' if narrowed else ' yet'}."
        )
    if all(row.figure is None or row.figure.status != "OK" for row in ranked):
        return (
            "The labels do not suffice to rank the models."
            if show != "judge"
            else "The questions do not suffice to rank the models."
        )
    if len(ranked) == 1:
        return f"Only {ranked[0].model} has figures: there is nothing to rank."
    by = f"By {judge or 'the judge'} alone, " if show == "judge" else ""
    leading = next((last for first, last in ties if first == 0), 0)
    if leading == len(ranked) - 1:
        return f"{by}{'the' if by else 'The'} {_number(len(ranked))} models cannot be told apart."
    if leading:
        names = [row.model for row in ranked[: leading + 1]]
        who = (
            listed(names)
            if len(names) <= 3
            else f"{'the' if by else 'The'} first {_number(len(names))} models"
        )
        return f"{by}{who} lead; they cannot be told apart."
    following = next((last for first, last in ties if first == 1), 1)
    tail = f"; the next {_number(following)} cannot be told apart" if following > 1 else ""
    # Ahead of each other one, yet not surely of all of them at once.
    ahead = "leads" if ranked[0].ranks and ranked[0].ranks[1] == 1 else "is ahead, not surely first"
    return f"{by}{ranked[0].model} {ahead}{tail}."


def subtitle(
    counts: Counts,
    judge: str,
    show: str,
    worth: Worth | None,
    only: str = "",
) -> str:
    """What was judged, what people labelled, what both together are worth; `only`: which answers
    figures are of, in words."""
    parts = [only_words(only)] if only else []
    if judge and not counts.questions:
        labelled = counts.labelled_questions
        people = (
            f"{_count(labelled, 'question')} labelled by people, blind"
            if labelled
            else "Nobody has labelled answers blind"
        )
        parts.append(f"{people}; {judge} has no value that counts.")
    elif judge:
        parts.append(
            f"{_count(counts.questions, 'question')} judged by {judge}, "
            f"{counts.labelled_questions:,} of them also by people, blind."
        )
    elif counts.labelled_questions:
        parts.append(
            f"{_count(counts.labelled_questions, 'question')} labelled by people, blind; "
            "no judge graded them."
        )
    if show == "corrected" and worth and worth.questions:
        parts.append(f"Using both is worth {_count(worth.questions, 'more labelled question')}.")
    if show == "judge":
        parts.append("The intervals say how sure the judge's mean is, not how right the judge is.")
    return " ".join(parts)


def only_words(only: str) -> str:
    """Which answers figures are of, as a sentence."""
    return f"Only {only}."


def rests_on(counts: Counts, only: str = "", on: str = "") -> str:
    """Which verdicts count, for whom they speak, what is left out; `only`: those among them that
    the filters leave, in words; `on`: the criteria that all this is counted on, where they are not
    all.

    Who labelled which of the drawn answers, and when, was not drawn: where filters choose by that,
    it is said.
    """
    if not counts.labels:
        words = "no blind verdicts of drawn or imported answers" + (
            f", only {only}" if only else ""
        )
    else:
        cells, questions, of = (
            _count(n, w)
            for n, w in (
                (counts.labels, "cell"),
                (counts.labelled_questions, "question"),
                (counts.cells, "cell"),
            )
        )
        speak = (
            f"they speak for the {of} that the judge graded"
            if counts.cells
            else "they speak for cells like these"
        )
        among = f", only {only}" if only else ""
        chance = (
            ", as far as it was left to chance which of the drawn answers these are" if only else ""
        )
        words = (
            f"people's blind verdicts on {cells} of {questions}{among}, drawn or imported, "
            f"each weighted by 1/probability; {speak}{chance}"
        )
    left = [
        (counts.assisted, "given with suggestions in view"),
        (counts.other_draws, "given blind in other draws than calibration"),
        (counts.wordings, "of people given under another wording"),
        (counts.judge_wordings, "of the judge given under another wording"),
        (counts.unjudged, "on cells without a value of the judge"),
        (counts.partly, "on answers of which another part has none"),
    ]
    out = [
        f"{_count(count, 'label' if at > 3 else 'verdict')} {why}"
        for at, (count, why) in enumerate(left)
        if count
    ]
    return f"Counted: {words}." + (f" Left out{on}: {listed(out)}." if out else "")


def alone(circle: Circle, labels: int) -> str:
    """Whose labels these are, where they are one person's: no interval holds how far people
    differ."""
    counted = [author for author in circle.people if circle.counts(author)]
    if not labels or len(counted) != 1:
        return ""
    return (
        f"All labels are {circle.label(counted[0])}'s: whether another person would rank the "
        "models so cannot be said."
    )


def row_sentence(row: Row, report: Board | Preferences, ground: str) -> str:
    """A model's figure as a sentence that can stand alone: value, interval, how many, which
    verdicts (`ground`)."""
    figure, ranked = row.figure, sum(one.place is not None for one in report.models)
    if figure is None or figure.value is None:
        return ""
    decimals = report.axis.decimals
    placed = _placed(row.model, figure, row.ranks, ranked, decimals, _view(report))
    return f"{placed} {ground}"


def cell_sentence(model: str, figure: CellFigure, criterion: BoardCriterion, only: Only) -> str:
    """A model's figure on one criterion as a sentence, to be followed by the criterion's ground;
    empty where there is none."""
    if figure.value is None:
        return ""
    ranked = sum(one is not None and one.value is not None for one in criterion.cells.values())
    of = _titled(criterion.title, criterion.words, only.cells)
    return _placed(model, figure, figure.ranks, ranked, criterion.decimals, of)


def criterion_ground(criterion: BoardCriterion, report: Board) -> str:
    """Whose word the figures of one criterion are, and which verdicts they rest on."""
    counts = criterion.counts
    if counts is None:
        return ""
    on = f" on {criterion.title}" if len(report.criteria) + len(report.without) > 1 else ""
    rests = rests_on(counts, report.only.verdicts, on)
    return _ground(counts, criterion.judge, report.show, rests)


def _placed(
    model: str,
    figure: Estimate,
    ranks: Sequence[int] | None,
    ranked: int,
    decimals: int,
    of: str,
) -> str:
    """Value, interval, doubt and ranks; no ranks where the figure carries none."""
    value = f"{model}, {of}: {figure.value:.{decimals}f}"
    if figure.low is not None:
        value += f" (95 % interval {figure.low:.{decimals}f} to {figure.high:.{decimals}f})"
    if figure.status != "OK":
        value += f", INCONCLUSIVE: {figure.reason}"
    if ranks is None:
        return f"{value}."
    best, worst = ranks
    rank = f"rank {best}" if best == worst else f"rank {best} to {worst}"
    return f"{value}; {rank} of {ranked}."


def share_sentence(model: str, figure: Share, report: Board) -> str:
    """A model's share by Rogan and Gladen as a sentence that can stand alone; empty where there is
    none."""
    if figure.value is None:
        return ""
    low, value, high = (
        f"{part:.{report.axis.decimals}f}" for part in (figure.low, figure.value, figure.high)
    )
    doubt = "" if figure.status == "OK" else f", {figure.status}: {figure.reason}"
    return (
        f"{model}, {_view(report)}: {value} (95 % interval {low} to {high}){doubt}; "
        f"{report.judge or 'the judge'}'s share, "
        "corrected by how often it is wrong on this model's own labels (Rogan and Gladen). "
        f"{report.rests_on}"
    )


def pair_sentence(pair: Pair, report: Board) -> str:
    """The difference of two models as a sentence that can stand alone."""
    decimals = report.axis.decimals
    words = f"{pair.a} minus {pair.b}, {_view(report)}: {pair.apart:+.{decimals}f}"
    if pair.low is not None:
        words += f" (95 % interval {pair.low:+.{decimals}f} to {pair.high:+.{decimals}f})"
    words += f", {_count(pair.questions, 'question')} in pairs"
    if pair.doubt:
        words += f", INCONCLUSIVE: {pair.doubt}"
    if pair.p_flip is not None:
        chance = "under 1" if pair.p_flip < 0.01 else f"{100 * pair.p_flip:.0f}"
        words += f"; the order is wrong with a chance of {chance} %"
    return f"{words}. {board_ground(report)}"


def tied(models: Sequence[str], ties: Sequence[tuple[int, int]]) -> list[str]:
    """The runs of models that cannot be told apart, in words: long ones by their places, and only
    the first of many."""
    told = []
    for first, last in ties[:TIES]:
        names = models[first : last + 1]
        who = (
            ", ".join(names)
            if len(names) <= TIED_NAMES
            else f"{names[0]} to {names[-1]}, the {len(names)} from place {first + 1:,} on"
        )
        told.append(f"Cannot be told apart: {who}.")
    if len(ties) > TIES:
        told.append(f"{len(ties) - TIES:,} more runs of models cannot be told apart.")
    return told


def _view(report: Board | Preferences) -> str:
    title = next((c.title for c in report.criteria if c.key == report.view), "overall")
    return _titled(title, report.axis.words, report.only.cells)


def _titled(title: str, words: str, only: str) -> str:
    return f"{title} ({words}{f'; only {only}' if only else ''})"


def board_ground(report: Board) -> str:
    """Whose word the figures of the view are, and which verdicts they rest on."""
    return _ground(report.counts, report.judge, report.show, report.rests_on)


def _ground(counts: Counts, judge: str, show: str, rests: str) -> str:
    """Whose word it is, and which verdicts it rests on."""
    judge = judge or "judges"
    labelled = f"{_count(counts.labelled_questions, 'question')} labelled by people"
    if show == "judge":
        return f"By {judge} alone, uncorrected, on {_count(counts.questions, 'question')}."
    if show == "people" or not counts.questions:
        return f"People's labels alone: {labelled}. {rests}"
    return (
        f"{judge} on {_count(counts.questions, 'question')}, corrected by people (PPI++): "
        f"{labelled}. {rests}"
    )


def warning(found: Misled | None, judge: str) -> str:
    """Where the judge's own ranking differs from what is sure; empty where it does not."""
    if not found or found.example is None:
        return ""
    side = "lenient" if found.lenient >= found.strict else "strict"
    count = max(found.lenient, found.strict)
    example = found.example
    more = (
        f", and {_count(found.pairs - 1, 'more pair')} the wrong way round"
        if found.pairs > 1
        else ""
    )
    return (
        f"It is too {side} with {_number(count)} of {_number(found.models)} models, "
        f"by up to {found.most:.1f}, and puts "
        f"{example.worse} above {example.better}, which is {example.apart:.1f} "
        f"better when people correct it{more}."
    )


def _count(count: int, words: str) -> str:
    return f"{count:,} {plural(count, words)}"


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)
