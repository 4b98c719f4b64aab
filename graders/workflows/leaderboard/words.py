"""The finding of the leaderboard as a sentence, and which verdicts it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graders.core.words import say
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
from graders.workflows.opinions.participants import Circle
from graders.workflows.scope.phrases import listed, several

#: So many runs of models that cannot be told apart are named, each by so many names.
TIES, TIED_NAMES = 6, 6
#: So many models that lead together are named.
LEADING_NAMES = 3


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
        return say("leaderboard.title.no_answer")
    if not ranked:
        return _nothing(show, narrowed=narrowed, in_pairs=in_pairs, unordered=unordered)
    if all(row.figure is None or row.figure.status != "OK" for row in ranked):
        if show == "judge":
            return say("leaderboard.title.few_questions")
        return say("leaderboard.title.few_labels")
    if len(ranked) == 1:
        return say("leaderboard.title.one_model", model=ranked[0].model)
    return _leading(ranked, ties, _judge(judge) if show == "judge" else "")


def _nothing(show: str, *, narrowed: bool, in_pairs: bool, unordered: bool) -> str:
    """Why no model is ranked."""
    if unordered:
        return say("leaderboard.title.unordered")
    if in_pairs:
        return say("leaderboard.title.in_pairs")
    if show == "judge":
        return say("leaderboard.title.not_judged")
    if narrowed:
        return say("leaderboard.title.filtered")
    return say("leaderboard.title.not_labelled")


def _leading(ranked: Sequence[Row], ties: Sequence[tuple[int, int]], by: str) -> str:
    """Which models lead; `by`: the judge whose values alone say so, empty for none."""
    leading = next((last for first, last in ties if first == 0), 0)
    if leading == len(ranked) - 1:
        if by:
            return say("leaderboard.title.all_tied_by", judge=by, models=number(len(ranked)))
        return say("leaderboard.title.all_tied", models=number(len(ranked)))
    if leading >= LEADING_NAMES:
        if by:
            return say("leaderboard.title.first_lead_by", judge=by, models=number(leading + 1))
        return say("leaderboard.title.first_lead", models=number(leading + 1))
    finding = _ahead(ranked, ties)
    if leading:
        names = [row.model for row in ranked[: leading + 1]]
        finding = say("leaderboard.title.some_lead", models=listed(names))
    return say("leaderboard.title.by", judge=by, finding=finding) if by else finding


def _ahead(ranked: Sequence[Row], ties: Sequence[tuple[int, int]]) -> str:
    """That the first model leads, and how many after it cannot be told apart."""
    following = next((last for first, last in ties if first == 1), 1)
    tail = say("leaderboard.title.next_tied", models=number(following)) if following > 1 else ""
    # Ahead of each other one, yet not surely of all of them at once.
    if ranked[0].ranks and ranked[0].ranks[1] == 1:
        return say("leaderboard.title.leads", model=ranked[0].model, tail=tail)
    return say("leaderboard.title.ahead", model=ranked[0].model, tail=tail)


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
    labelled = counts.labelled_questions
    if counts.within and show != "judge":
        parts.append(say("leaderboard.below.within", n=counts.within))
    if judge and not counts.questions:
        people = say("leaderboard.below.not_labelled")
        if labelled:
            people = say("leaderboard.labelled_blind", questions=several(labelled, "question"))
        parts.append(say("leaderboard.below.no_value", people=people, judge=judge))
    elif judge:
        questions = several(counts.questions, "question")
        parts.append(
            say("leaderboard.below.judged", questions=questions, judge=judge, labelled=labelled)
        )
    elif labelled:
        parts.append(say("leaderboard.below.labelled", questions=several(labelled, "question")))
    if show == "corrected" and worth and worth.questions:
        parts.append(say("leaderboard.below.worth", n=worth.questions))
    if show == "judge":
        parts.append(say("leaderboard.below.judge_alone"))
    return " ".join(parts)


def shared() -> str:
    """By what models are placed that answered different questions, as a further sentence."""
    return " " + say("leaderboard.below.shared")


def unconfirmed(board: Board) -> Board:
    """The same, saying that the judge's values are shown because no person has confirmed them."""
    said = say("leaderboard.below.unconfirmed")
    return replace(board, subtitle=f"{said} {board.subtitle}", unconfirmed=True)


def only_words(only: str) -> str:
    """Which answers figures are of, as a sentence."""
    return say("leaderboard.only_sentence", only=only)


def only_tail(only: str) -> str:
    """The filters that are set, behind a semicolon; empty where none is."""
    return say("leaderboard.only_tail", only=only) if only else ""


def rests_on(counts: Counts, only: str = "", on: str = "") -> str:
    """Which verdicts count, for whom they speak, what is left out; `only`: those among them that
    the filters leave, in words; `on`: the criteria that all this is counted on, where they are not
    all.

    Who labelled which of the drawn answers, and when, was not drawn: where filters choose by that,
    it is said.
    """
    counted = say("leaderboard.counted", what=_counted(counts, only))
    left = _left_out(counts)
    return f"{counted} {say('leaderboard.left_out', on=on, what=listed(left))}" if left else counted


def _counted(counts: Counts, only: str) -> str:
    among = say("leaderboard.among", only=only) if only else ""
    if not counts.labels:
        return say("leaderboard.counts.none", among=among)
    if counts.within:
        return say(
            "leaderboard.counts.within",
            cells=several(counts.labels, "cell"),
            questions=several(counts.labelled_questions, "question"),
            among=among,
            n=counts.within,
        )
    speak = say("leaderboard.speak.like_these")
    if counts.cells:
        speak = say("leaderboard.speak.judged", cells=several(counts.cells, "cell"))
    return say(
        "leaderboard.counts.people",
        cells=several(counts.labels, "cell"),
        questions=several(counts.labelled_questions, "question"),
        among=among,
        speak=speak,
        chance=say("leaderboard.counts.chance") if only else "",
    )


def _left_out(counts: Counts) -> list[str]:
    """Verdicts and labels that do not count, by reason."""
    return [
        say(f"leaderboard.left.{reason}", n=count)
        for reason in (
            "assisted",
            "other_draws",
            "wordings",
            "judge_wordings",
            "unknown",
            "unjudged",
            "partly",
        )
        if (count := getattr(counts, reason))
    ]


def alone(circle: Circle, labels: int) -> str:
    """Whose labels these are, where they are one person's: no interval holds how far people
    differ."""
    counted = [author for author in circle.people if circle.counts(author)]
    if not labels or len(counted) != 1:
        return ""
    return say("leaderboard.alone", person=circle.label(counted[0]))


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
    on = ""
    if len(report.criteria) + len(report.without) > 1:
        on = say("leaderboard.on_one", criterion=criterion.title)
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
    text = say("leaderboard.figure", model=model, of=of, value=f"{figure.value:.{decimals}f}")
    text += interval(figure.low, figure.high, f".{decimals}f") + _doubt(figure)
    if ranks is None:
        return f"{text}."
    best, worst = ranks
    rank = say("leaderboard.rank", best=best)
    if best != worst:
        rank = say("leaderboard.ranks", best=best, worst=worst)
    return say("leaderboard.ranked", figure=text, rank=rank, models=ranked)


def interval(low: float | None, high: float | None, form: str) -> str:
    """A 95 % interval in brackets, with a blank before it; empty where there is none."""
    if low is None or high is None:
        return ""
    return " " + say("leaderboard.interval", low=format(low, form), high=format(high, form))


def _doubt(figure: Estimate) -> str:
    if figure.status == "OK":
        return ""
    return say("leaderboard.inconclusive", status=figure.status, reason=figure.reason)


def share_sentence(model: str, figure: Share, report: Board) -> str:
    """A model's share by Rogan and Gladen as a sentence that can stand alone; empty where there is
    none."""
    if figure.value is None:
        return ""
    form = f".{report.axis.decimals}f"
    value = say(
        "leaderboard.figure", model=model, of=_view(report), value=format(figure.value, form)
    )
    return say(
        "leaderboard.share",
        figure=value + interval(figure.low, figure.high, form) + _doubt(figure),
        judge=_judge(report.judge),
        rests_on=report.rests_on,
    )


def pair_sentence(pair: Pair, report: Board) -> str:
    """The difference of two models as a sentence that can stand alone."""
    form = f"+.{report.axis.decimals}f"
    text = say(
        "leaderboard.pair",
        a=pair.a,
        b=pair.b,
        of=_view(report),
        apart="" if pair.apart is None else format(pair.apart, form),
        interval=interval(pair.low, pair.high, form),
        questions=several(pair.questions, "question"),
    )
    if pair.doubt:
        text += say("leaderboard.inconclusive", status="INCONCLUSIVE", reason=pair.doubt)
    if pair.p_flip is not None:
        chance = say("leaderboard.under_one")
        if pair.p_flip >= 0.01:
            chance = f"{100 * pair.p_flip:.0f}"
        text += say("leaderboard.wrong_order", chance=chance)
    return f"{text}. {board_ground(report)}"


def tied(models: Sequence[str], ties: Sequence[tuple[int, int]]) -> list[str]:
    """The runs of models that cannot be told apart, in words: long ones by their places, and only
    the first of many."""
    told = []
    for first, last in ties[:TIES]:
        names = models[first : last + 1]
        who = ", ".join(names)
        if len(names) > TIED_NAMES:
            who = say(
                "leaderboard.run", first=names[0], last=names[-1], n=len(names), place=first + 1
            )
        told.append(say("leaderboard.tied", models=who))
    if len(ties) > TIES:
        told.append(say("leaderboard.more_runs", n=len(ties) - TIES))
    return told


def _view(report: Board | Preferences) -> str:
    title = next((c.title for c in report.criteria if c.key == report.view), "")
    title = title or say("leaderboard.overall")
    return _titled(title, report.axis.words, report.only.cells)


def _titled(title: str, words: str, only: str) -> str:
    return say("leaderboard.titled", title=title, words=words, only=only_tail(only))


def board_ground(report: Board) -> str:
    """Whose word the figures of the view are, and which verdicts they rest on."""
    return _ground(report.counts, report.judge, report.show, report.rests_on)


def _ground(counts: Counts, judge: str, show: str, rests: str) -> str:
    """Whose word it is, and which verdicts it rests on."""
    judge = judge or say("leaderboard.judges")
    questions = several(counts.questions, "question")
    labelled = several(counts.labelled_questions, "question")
    if show == "judge":
        return say("leaderboard.ground.judge", judge=judge, questions=questions)
    if show == "people" or not counts.questions or counts.within:
        return say("leaderboard.ground.people", labelled=labelled, rests=rests)
    return say(
        "leaderboard.ground.corrected",
        judge=judge,
        questions=questions,
        labelled=labelled,
        rests=rests,
    )


def warning(found: Misled | None, judge: str) -> str:
    """Where the judge's own ranking differs from what is sure; empty where it does not."""
    if not found or found.example is None or found.most is None or found.example.apart is None:
        return ""
    example = found.example
    side = "lenient" if found.lenient >= found.strict else "strict"
    return say(
        f"leaderboard.warning.{side}",
        count=number(max(found.lenient, found.strict)),
        models=number(found.models),
        most=found.most,
        worse=example.worse,
        better=example.better,
        apart=example.apart,
        more=say("leaderboard.warning.more", n=found.pairs - 1) if found.pairs > 1 else "",
    )


def number(count: int) -> str:
    """A number from 0 to 10 as a word, others in digits."""
    return say(f"leaderboard.number.{count}") if count <= 10 else str(count)


def _judge(judge: str) -> str:
    return judge or say("leaderboard.the_judge")
