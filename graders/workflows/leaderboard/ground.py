"""What the leaderboard's figures are made of: the criteria, the answers, the cells of each
criterion, read once and kept in memory."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from graders.core.derived_judges import LEARNED
from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts, say
from graders.statistics.standing import Standing
from graders.store.figures.results import compares_pairs, criterion_cells
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.leaderboard._rows import Three
from graders.workflows.leaderboard.board import Only
from graders.workflows.opinions import narrowing, standings
from graders.workflows.opinions.participants import Circle, circle_of, watermark
from graders.workflows.opinions.standings import Field
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.project_head import ProjectHead, Reading, Waiting

OVERALL = "overall"
WAYS = ("corrected", "people", "judge")
#: The filters of standings. Not the model: models are the rows. Not how a verdict was given, and
#: not which draw it is of: blind ones of all cells alone correct a judge, and blind ones are typed.
BOARD = (
    "category",
    "task_type",
    "language",
    "annotator",
    "neighbours",
    "since",
    "until",
    "wording",
)
#: Those that change what is read; the others leave questions out of what was read.
READ = ("annotator", "neighbours", "since", "until", "wording")
#: Parts of figures that are kept in memory; views with all their criteria, and such as filters
#: narrowed down, of which there are many.
KEPT, KEPT_VIEWS, KEPT_NARROWED = 128, 8, 4
#: With more cells to read than this, a page is told so before they are read.
MANY_CELLS = 200_000
#: Questions x models that are held at once.
LARGEST = 50_000_000

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Ground:
    """`criteria` can be ranked, `wanted` are those of the view; `loaded` their cells by key, as the
    filters leave them.

    `only` says the filters in words, `base` and `mark` name and date what is kept in memory.
    """

    project: Project
    criteria: Sequence[CriterionRow]
    wanted: Sequence[CriterionRow]
    answers: Field
    loaded: Mapping[str, Standing]
    filters: Filters
    only: Only
    base: tuple[Hashable, ...]
    mark: Hashable

    def known(self, key: tuple[Hashable, ...], make: Callable[[], Made]) -> Made:
        """What is kept under the key while nothing has changed, else made anew."""
        return _kept.get((*self.base, *key), self.mark, make)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for.

    `view`: a criterion's key, or overall: the mean of the criteria that have figures, each on
    0..100, by `weights` (1 unless given). `show`: corrected (PPI++, the judge's values of all
    answers corrected by people's blind labels), people (these labels alone), judge, or nothing:
    corrected, or the judge's where no label of people counts. `judge`: the
    judge's name, else the one with most verdicts. `filters`, of BOARD: which questions and wording,
    and which of people's blind labels. `versions`: the earlier answers (model, version) that stand
    beside the current ones. `patience`: seconds after which it is told how far reading is; `begun`
    False tells of much to read before reading it.
    """

    view: str = ""
    show: str = ""
    judge: str = ""
    filters: Filters = EVERYTHING
    weights: Mapping[str, float] | None = None
    versions: tuple[tuple[str, int], ...] = ()
    patience: float | None = None
    begun: bool = True


#: Nothing special is asked for.
DEFAULT = Wish()


def ground(scope: Scope, project: Project, wish: Wish) -> Ground | Reading:
    """The cells that figures are made of, or how far reading them is when `wish.patience` ends.

    InputError or NotFound for a view, judge, weight or filter that there is not: figures of
    something else must not pass for the answer.
    """
    asked = narrowing.criteria_under(scope, project, wish.filters.wording)
    circle, only = narrowed(scope, project, wish.filters)
    _checked(circle, asked, wish)
    criteria = [c for c in asked if standings.ranked(c) and not compares_pairs(scope.ws.db, c.id)]
    _weighed(criteria, wish.weights or {})
    wanted = criteria if wish.view in ("", OVERALL) else [c for c in criteria if c.key == wish.view]
    base, mark = _place(scope, project, wish.versions)
    answers = current(scope, project, wish.versions)
    if len(answers.models) * len(answers.questions) > LARGEST:
        raise InputError(
            **error_parts(
                "leaderboard.error.size",
                models=len(answers.models),
                questions=len(answers.questions),
                most=LARGEST,
            )
        )
    loaded = _load(scope, project, wanted, answers, circle, base, mark, wish)
    if isinstance(loaded, Reading):
        return loaded
    kept = standings.kept_questions(scope, project, answers, wish.filters)
    if kept is not None:
        loaded = {key: one.only(kept[one.question]) for key, one in loaded.items()}
    return Ground(project, criteria, wanted, answers, loaded, wish.filters, only, base, mark)


def waiting(project: Project, found: Reading) -> Waiting:
    """What a page is told meanwhile."""
    return Waiting(found, ProjectHead.of(project))


def narrowed(scope: Scope, project: Project, filters: Filters) -> tuple[Circle, Only]:
    """Whose verdicts count, and the filters in words; InputError or NotFound for filters that
    standings do not have or nobody answers.

    An adjudicated value is nobody's own: where annotators are named, theirs count in its place.
    """
    narrowing.there(scope, project, narrowing.meant(filters, BOARD))
    everybody = circle_of(scope, project)
    circle = narrowing.narrowed(everybody, filters)
    of_people = narrowing.some(filters, narrowing.OF_VERDICT)
    of_cells = narrowing.some(filters, [name for name in BOARD if name not in narrowing.OF_VERDICT])
    only = Only(
        *(narrowing.words_of(scope, project, part, everybody) for part in (of_cells, of_people))
    )
    return (replace(circle, adjudicated=None) if filters.annotator else circle), only


def current(scope: Scope, project: Project, versions: tuple[tuple[str, int], ...] = ()) -> Field:
    """The current answers, and the earlier ones of `versions` beside them."""
    base, mark = _place(scope, project, versions)
    return _kept.get((*base, "field"), mark, lambda: standings.field(scope, project, versions))


def _place(
    scope: Scope, project: Project, versions: tuple[tuple[str, int], ...]
) -> tuple[tuple[Hashable, ...], Hashable]:
    return (str(scope.ws.path.resolve()), project.id, versions), watermark(scope, project)


def settled(ground: Ground, wish: Wish) -> tuple[Wish, bool]:
    """The wish with what is shown, and whether that is the judge's word because no label of people
    counts yet, though nobody asked for it."""
    if wish.show:
        return wish, False
    cells = ground.loaded.values()
    judge = (
        not ground.only.verdicts
        and not any(one.labelled.any() for one in cells)
        and any(one.judged.any() for one in cells)
    )
    return replace(wish, show="judge" if judge else "corrected"), judge


def three(found: Standing, answers: Field, show: str) -> Three:
    """The means of models in three ways, as far as there is something to make them of. Beside
    figures of labelled answers alone, the judge's are of these too."""
    shape = (len(answers.questions), len(answers.models))
    beside = found.only(found.labelled) if found.within and show != "judge" else found
    return Three(
        found.influence(shape, "corrected"),
        found.influence(shape, "people"),
        beside.influence(shape, "judge"),
    )


def weight(weights: Mapping[str, float], key: str) -> float:
    """A criterion's weight in the overall mean, 1 unless given."""
    found = float(weights.get(key, 1.0))
    if not (math.isfinite(found) and found >= 0):
        raise InputError(**error_parts("leaderboard.error.weight", criterion=key, weight=found))
    return found


def forget() -> None:
    """Drop what is kept in memory."""
    for memory in (_kept, _views, _narrow):
        memory.forget()


_kept, _views, _narrow = Memory(KEPT), Memory(KEPT_VIEWS), Memory(KEPT_NARROWED)


def _checked(circle: Circle, asked: Sequence[CriterionRow], wish: Wish) -> None:
    """Whether everything that is asked for is there."""
    view, show, judge = wish.view, wish.show, wish.judge
    if show not in ("", *WAYS):
        raise InputError(
            **error_parts(
                "leaderboard.error.choose", what="show", value=show, choices=", ".join(WAYS)
            )
        )
    keys = [OVERALL, *(c.key for c in asked)]
    if view not in ("", *keys):
        raise InputError(
            **error_parts(
                "leaderboard.error.choose", what="view", value=view, choices=", ".join(keys)
            )
        )
    if judge and judge not in (known := standings.judges(circle)):
        raise _no_judge(judge, known)


def _no_judge(judge: str, known: Sequence[str]) -> NotFound:
    """The error of a judge that cannot be corrected here, with those that can."""
    choices = say("leaderboard.error.no_judge_here")
    if known:
        choices = say("leaderboard.error.one_of", choices=", ".join(known))[:400]
    if judge == LEARNED:
        parts = error_parts("leaderboard.error.learned", judge=judge, choices=choices)
    else:
        parts = error_parts("leaderboard.error.no_judge", judge=judge[:80], choices=choices)
    return NotFound(**parts)


def _weighed(criteria: Sequence[CriterionRow], weights: Mapping[str, float]) -> None:
    """Weights are of criteria that are in the mean."""
    keys = [c.key for c in criteria]
    choices = ", ".join(keys)[:400] or say("leaderboard.error.none")
    for key in weights:
        if key not in keys:
            raise NotFound(
                **error_parts("leaderboard.error.no_weight", criterion=key[:80], choices=choices)
            )


def _load(
    scope: Scope,
    project: Project,
    wanted: Sequence[CriterionRow],
    answers: Field,
    circle: Circle,
    base: tuple[Hashable, ...],
    mark: Hashable,
    wish: Wish,
) -> dict[str, Standing] | Reading:
    """The wanted criteria's cells, or how far reading them is when patience ends."""
    started, patience = time.monotonic(), wish.patience
    filters = narrowing.some(wish.filters, READ)
    views = _views if filters == EVERYTHING else _narrow
    held: dict[int, Standing] = views.get((*base, wish.judge, filters), mark, dict)
    missing = [c for c in wanted if c.id not in held]
    if (
        patience is not None
        and not wish.begun
        and sum(criterion_cells(scope.ws.db, project, c.id) for c in missing) > MANY_CELLS
    ):
        return Reading(len(wanted) - len(missing), len(wanted))
    for count, criterion in enumerate(missing):
        if patience is not None and count and time.monotonic() - started > patience:
            return Reading(len(wanted) - len(missing) + count, len(wanted))
        held[criterion.id] = standings.standing(
            scope, criterion, answers, circle, wish.judge, filters
        )
    if patience is not None and missing and time.monotonic() - started > patience:
        return Reading(len(wanted), len(wanted))  # figures take their time too
    return {c.key: held[c.id] for c in wanted}
