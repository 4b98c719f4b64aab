"""Leaderboard: the models by criterion and overall, corrected by people, by people only, or by the
judge alone."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from graders.core.shapes import as_dict
from graders.core.words import say
from graders.statistics.influence import Influence, combine
from graders.statistics.model_pairs import Pairs
from graders.statistics.resampling import Interval, undefined
from graders.statistics.standing import Counted, Standing, counted
from graders.store.figures import leaderboard as stored
from graders.store.figures.results import compares_pairs
from graders.store.opinions.filters import EVERYTHING
from graders.store.projects import CriterionRow
from graders.workflows.leaderboard import _counts, _mean, _rows, words
from graders.workflows.leaderboard import ground as leaderboard_ground
from graders.workflows.leaderboard._rows import Three
from graders.workflows.leaderboard.board import (
    Axis,
    Board,
    BoardCriterion,
    CellFigure,
    Pair,
    Ranked,
    Row,
    Share,
    Shares,
    Unranked,
)
from graders.workflows.leaderboard.ground import BOARD, DEFAULT, OVERALL, Ground, Wish
from graders.workflows.opinions import (
    author_ceilings,
    grid_cells,
    label_choice,
    narrowing,
    standings,
)
from graders.workflows.opinions.participants import aside_words, circle_of
from graders.workflows.opinions.standings import Field
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed
from graders.workflows.scope.project_head import ProjectHead, Reading, Waiting

#: Exit codes where the model asked about is worse, or nothing can be told.
NOT_TRUSTED, INCONCLUSIVE = 4, 5
#: So many criteria are named.
NAMED = 3

#: Seconds after which figures are told to be on their way at the earliest: so long every call gets
#: further.
SHORTEST = 0.05

forget = leaderboard_ground.forget


@needs("look")
def leaderboard(
    scope: Scope,
    project_name: str,
    wish: Wish = DEFAULT,
    *,
    a: str = "",
    b: str = "",
    rogan_gladen: bool = False,
) -> Board:
    """The models of a project, best first, with intervals by questions, ranks, ties, a pair, and a
    warning where the judge misleads.

    `wish` says which figures. `a`, `b`: the pair. `rogan_gladen`: add each model's share by that
    method too, which scales of two values allow.
    """
    patient = replace(wish, patience=None)
    found = leaderboard_so_far(scope, project_name, patient, a=a, b=b, rogan_gladen=rogan_gladen)
    assert isinstance(found, Board)  # there is no end to this patience
    return found


@needs("look")
def leaderboard_so_far(
    scope: Scope,
    project_name: str,
    wish: Wish = DEFAULT,
    *,
    a: str = "",
    b: str = "",
    rogan_gladen: bool = False,
) -> Board | Waiting:
    """The same, or after `wish.patience` how far reading is; asked again, it goes on where it
    stopped."""
    project = scope.project(project_name)
    found = leaderboard_ground.ground(scope, project, wish)
    if isinstance(found, Reading):
        return leaderboard_ground.waiting(project, found)
    wish, unconfirmed = leaderboard_ground.settled(found, wish)
    made = _figures(found, wish)
    if isinstance(made, Reading):
        return leaderboard_ground.waiting(project, made)
    board = _report(scope, found, made, wish, (a, b), rogan_gladen=rogan_gladen)
    return _spoken(words.unconfirmed(board) if unconfirmed else board)


def gate(
    models: Sequence[Row],
    pair: Pair | None = None,
    better: str = "",
    than: str = "",
    *,
    unconfirmed: bool = False,
) -> int:
    """The exit code for scripts: of the `pair` where two models are named (0 better, 4 worse, 5
    cannot be told), else 0 where a model has a figure that can carry a decision and 5 where none
    has: values of the judge that no person confirmed (`unconfirmed`) carry none."""
    if unconfirmed:
        return INCONCLUSIVE
    decided = {row.model for row in models if row.figure and row.figure.status == "OK"}
    if not better:
        return 0 if decided else INCONCLUSIVE
    if pair is None or not {better, than} <= decided or pair.tied or pair.apart is None:
        return INCONCLUSIVE
    return 0 if pair.apart > 0 else NOT_TRUSTED


def _figures(ground: Ground, wish: Wish) -> dict[str, Three] | Reading:
    """The means by criterion; what is made when patience ends is kept, and the next call goes on
    from there."""
    until = time.monotonic() + max(wish.patience or 0.0, SHORTEST)
    made: dict[str, Three] = {}
    for key in ground.loaded:
        if wish.patience is not None and made and time.monotonic() > until:
            return Reading(len(ground.loaded), len(ground.loaded))
        made[key] = _mean.three_of(ground, wish, key)
    return made


def _report(
    scope: Scope,
    ground: Ground,
    made: Mapping[str, Three],
    wish: Wish,
    pair: tuple[str, str],
    *,
    rogan_gladen: bool,
) -> Board:
    project, show, answers, loaded = ground.project, wish.show, ground.answers, ground.loaded
    usable = [c for c in ground.wanted if made[c.key].way(show) is not None]
    overall = wish.view in ("", OVERALL) and len(usable) != 1
    mean = _mean.mean_of(made, wish)
    shares, aside = mean.shares, mean.aside
    three = (
        _overall(made, shares)
        if overall
        else made[usable[0].key]
        if usable
        else Three(None, None, None)
    )
    axis = overall_axis() if overall else axis_of(usable[0]) if usable else Axis(0.0, 100.0, "", 1)
    of = shares if overall else {c.key: 1.0 for c in usable[:1]}
    pairs = _mean.pairs(ground, wish, made, of, show)
    table, ranking = _rows.rows(answers.models, three, show, axis, pairs)
    groups = ranking.ties()
    included = [c.key for c in usable if not overall or shares[c.key] > 0]
    # without a figure it is said all the same what is left out
    included = included or [c.key for c in ground.wanted]
    judge, circle = (
        standings.common_judge([loaded[key] for key in included]),
        circle_of(scope, project),
    )
    sizes = {key: _counted(ground, wish, key) for key in loaded}
    counts = _counts.counts_of([sizes[key] for key in included])
    without = _without(scope, ground)
    worth = _rows.worth(table) if show == "corrected" and judge else None
    why = _nothing(ground, without)
    corrected = pairs if show == "corrected" else _mean.pairs(ground, wish, made, of, "corrected")
    led = _rows.misled(three, answers.models, axis, corrected)
    two = None if overall or not usable or not possible(usable[0]) else usable[0]
    costs = ground.known(("costs",), lambda: stored.answer_costs(scope.ws.db, project))
    return Board(
        project=ProjectHead.of(project),
        title=words.title(table, groups, show, judge, narrowed=bool(ground.only.verdicts), **why),
        subtitle=words.subtitle(counts, judge, show, worth, ground.only.cells)
        + (words.shared() if pairs is not None and not pairs.balanced else ""),
        rests_on=""
        if why["in_pairs"]
        else words.rests_on(counts, ground.only.verdicts, _left_on(ground, included, len(without)))
        + (aside_words(circle) if show != "judge" else ""),
        alone=words.alone(circle, counts.labels) if show != "judge" else "",
        ceiling=_ceiling(scope, ground),
        warning=words.warning(led, judge),
        unconfirmed=False,
        choice=label_choice.choice(scope, project, used=show != "judge"),
        misled=led,
        view=OVERALL if overall else usable[0].key if usable else wish.view or OVERALL,
        show=show,
        axis=axis,
        judge=judge,
        judges=standings.judges(circle),
        counts=counts,
        worth=worth,
        lambda_=None
        if three.corrected is None or not three.corrected.n_labelled.any()
        else float(three.corrected.lam.max()),
        models=[_costed(row, costs.get(row.model, {})) for row in table],
        two_valued=two is not None,
        rogan_gladen=figures(two, loaded, answers.models, axis) if rogan_gladen else None,
        ties=groups,
        pair=_rows.pair(
            table,
            ranking.apart,
            pair,
            axis,
            max(counts.questions, counts.labelled_questions),
            partial(_doubt, answers.models, pairs),
        ),
        criteria=[
            replace(
                _criterion(
                    c,
                    made.get(c.key),
                    show,
                    answers,
                    _mean.pairs(ground, wish, made, {c.key: 1.0}, show) if c.key in made else None,
                ),
                judge=loaded[c.key].judge if c.key in loaded else "",
                counts=_counts.counts_of([sizes[c.key]]) if c.key in sizes else None,
                weight=shares.get(c.key),
                aside=aside.get(c.key, ""),
            )
            for c in ground.criteria
        ],
        without=without,
        preferences=[c.key for c in standings.criteria_of_pairs(scope, project)],
        filters=ground.filters.chosen,
        only=ground.only,
        filter_choices=narrowing.choices(scope, project, BOARD),
    )


def _doubt(models: Sequence[str], pairs: Pairs | None, a: str, b: str) -> str:
    return "" if pairs is None else pairs.doubt(models.index(a), models.index(b))


def _costed(row: Ranked, costs: Mapping[str, float | None]) -> Ranked:
    cost, first, seconds, tokens = map(costs.get, ("cost", "first", "seconds", "tokens"))
    return replace(row, cost=cost, first=first, seconds=seconds, tokens=tokens)


def _spoken(board: Board) -> Board:
    """The same with each figure as a sentence; those of the single criteria end with their
    criterion's `ground`."""

    def cells(one: BoardCriterion) -> dict[str, CellFigure | None]:
        return {
            model: figure
            and replace(figure, sentence=words.cell_sentence(model, figure, one, board.only))
            for model, figure in one.cells.items()
        }

    def share(model: str, figure: Share) -> Share:
        return replace(figure, sentence=words.share_sentence(model, figure, board))

    pair, shares, rests = board.pair, board.rogan_gladen, words.board_ground(board)
    return replace(
        board,
        models=[
            replace(row, sentence=words.row_sentence(row, board, rests)) for row in board.models
        ],
        criteria=[
            replace(one, ground=words.criterion_ground(one, board), cells=cells(one))
            for one in board.criteria
        ],
        rogan_gladen=shares
        and replace(shares, figures={m: share(m, one) for m, one in shares.figures.items()}),
        pair=pair and replace(pair, sentence=words.pair_sentence(pair, board)),
    )


def _left_on(ground: Ground, counted: Sequence[str], without: int) -> str:
    """On which criteria labels are counted, where the project has further ones (`without` a rank);
    Agreement counts on all of them."""
    titles = [c.criterion.title for c in ground.criteria if c.key in counted]
    if len(titles) == len(ground.criteria) + without or not titles:
        return ""
    return (
        say("leaderboard.on_some", criteria=listed(titles))
        if len(titles) <= NAMED
        else say("leaderboard.on_many", n=len(titles))
    )


def _nothing(ground: Ground, without: Sequence[Unranked]) -> dict[str, bool]:
    """Why there is no criterion to rank by, where there is none."""
    unordered = any(one.reason == _unordered() for one in without)
    return {
        "in_pairs": not ground.criteria and not unordered,
        "unordered": not ground.criteria and unordered,
    }


def _counted(ground: Ground, wish: Wish, key: str) -> Counted:
    """The cells and labels of one criterion, counted."""
    return ground.known(
        ("counted", key, wish.judge, ground.filters), lambda: counted(ground.loaded[key])
    )


def _overall(made: Mapping[str, Three], shares: Mapping[str, float]) -> Three:
    """Weighted means over the criteria; each way over those that have it."""

    def mean(way: str) -> Influence | None:
        usable = [
            (one, shares[key])
            for key in shares
            if (one := made[key].way(way)) is not None and shares[key] > 0
        ]
        # A mean over other criteria than those of the table would be another figure.
        if not usable or len(usable) < sum(share > 0 for share in shares.values()):
            return None
        return combine([one for one, _ in usable], [share for _, share in usable])

    return Three(mean("corrected"), mean("people"), mean("judge"))


def overall_axis() -> Axis:
    """How the mean over criteria is shown."""
    return Axis(0.0, 100.0, say("leaderboard.axis.overall"), 1)


def _unordered() -> str:
    """Why a criterion without an order is not ranked."""
    return say("leaderboard.without.unordered")


def axis_of(criterion: CriterionRow) -> Axis:
    """How a criterion's values are shown."""
    found = grid_cells.axis(criterion)
    decimals = 1 if found.high - found.low > 20 else 2
    return Axis(found.low, found.high, found.words, decimals)


def _criterion(
    criterion: CriterionRow, three: Three | None, show: str, answers: Field, pairs: Pairs | None
) -> BoardCriterion:
    """A criterion's own column: figures per model where it was read."""
    found = grid_cells.axis(criterion)
    cells: dict[str, CellFigure | None] = {}
    if three is not None and three.way(show) is not None:
        table, _ = _rows.rows(answers.models, three, show, axis_of(criterion), pairs)
        cells = {
            row.model: None
            if row.figure is None
            else CellFigure(**as_dict(row.figure), ranks=row.ranks)
            for row in table
        }
    return BoardCriterion(
        key=criterion.key,
        title=criterion.criterion.title,
        question=criterion.criterion.question,
        rubric=criterion.rubric.name,
        measure=found.measure,
        low=found.low,
        high=found.high,
        words=found.words,
        decimals=axis_of(criterion).decimals,
        cells=cells,
        judge="",
        counts=None,
        weight=None,
        aside="",
    )


def _ceiling(scope: Scope, ground: Ground) -> str:
    """How near the models come to the authors' own texts, which have no rank here; said of all
    questions only, as on Results."""
    if ground.filters != EVERYTHING:
        return ""
    found = ground.known(
        ("ceilings",),
        lambda: author_ceilings.ceilings(scope.ws, ground.project, ground.criteria, {}),
    )
    parts = [found[c.key].words for c in ground.wanted if c.key in found]
    return say("leaderboard.ceiling", parts="; ".join(parts)) if parts else ""


def _without(scope: Scope, ground: Ground) -> list[Unranked]:
    """Criteria that cannot be ranked, with the reason."""
    known = {c.id for c in ground.criteria}
    asked = narrowing.criteria_under(scope, ground.project, ground.filters.wording)
    paired = {c.id for c in asked if compares_pairs(scope.ws.db, c.id)}
    return [
        Unranked(
            c.criterion.title, say("leaderboard.without.pairs") if c.id in paired else _unordered()
        )
        for c in asked
        if c.id not in known
    ]


# -- shares corrected by the judge's own errors (Rogan and Gladen 1978), which a lead may ask for
# beside the leaderboard's figures


def possible(criterion: CriterionRow) -> bool:
    """Whether a criterion's cells are ones and zeros."""
    two = (
        criterion.scale.is_ordered
        and criterion.scale.is_discrete
        and len(criterion.scale.values) == 2
    )
    return two and not (criterion.criterion.parts or criterion.criterion.elements)


def figures(
    criterion: CriterionRow | None,
    loaded: Mapping[str, Standing],
    models: Sequence[str],
    axis: Axis,
) -> Shares:
    """The share of each model on its own labels, since a judge's errors pooled over models
    mislead.

    Cells on which people differ are no label here: they are neither one nor zero.
    """
    if criterion is None:
        return Shares(say("leaderboard.rogan.not_here"), {})
    standing = loaded[criterion.key]
    return Shares(
        "",
        {
            name: Share(**as_dict(axis.shown(_share(standing, model))))
            for model, name in enumerate(models)
        },
    )


def _share(of: Standing, model: int) -> Interval:
    if of.has_equal_chances(model):
        return of.share(model)
    return undefined(
        say("leaderboard.rogan.chances"),
        n_cells=of.cells_of(model),
    )
