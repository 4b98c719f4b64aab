"""What the leaderboard's figures are made of: the criteria, the answers, the cells of each criterion, read once and kept in memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np

from graders.core.errors import InputError, NotFound
from graders.store import reports
from graders.store.projects import CriterionRow, Project
from graders.workflows import _standings
from graders.workflows._circle import circle_of, watermark
from graders.workflows._leaderboard import Three
from graders.workflows._memory import Memory
from graders.workflows._named import known_values
from graders.workflows._standings import Field, Standing
from graders.workflows.permissions import Scope
from graders.workflows.policy import LEARNED
from graders.workflows.results import FILTERS, criteria_of

OVERALL = "overall"
WAYS = ("corrected", "people", "judge")
#: Criteria, and parts of figures, that are kept in memory.
KEPT = 128
#: With more cells to read than this, a page is told so before they are read.
MANY_CELLS = 200_000
#: Questions x models that are held at once.
LARGEST = 50_000_000

Made = TypeVar("Made")


class Reading(NamedTuple):
    """How many criteria are read, of how many."""

    done: int
    of: int

    def json(self, project: Project) -> dict[str, Any]:
        """What a page is told meanwhile."""
        return {
            "progress": {"done": self.done, "of": self.of},
            "project": {"name": project.name, "title": project.title, "notice": project.notice},
        }


@dataclass(frozen=True, slots=True)
class Ground:
    """`criteria` can be ranked, `wanted` are those of the view; `loaded` their cells by key, as the filters leave them.

    `base` and `mark` name and date what is kept in memory.
    """

    project: Project
    criteria: Sequence[CriterionRow]
    wanted: Sequence[CriterionRow]
    answers: Field
    loaded: Mapping[str, Standing]
    filters: Mapping[str, str]
    base: tuple[Hashable, ...]
    mark: Hashable

    def known(self, key: tuple[Hashable, ...], make: Callable[[], Made]) -> Made:
        """What is kept under the key while nothing has changed, else made anew."""
        return _kept.get((*self.base, *key), self.mark, make)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for: `view` is a criterion's key or overall, `show` one of WAYS, `judge` a name or empty, `weights` by criterion,
    `versions` the earlier answers (model, version) that stand beside the current ones."""

    view: str = ""
    show: str = "corrected"
    judge: str = ""
    filters: Mapping[str, Any] | None = None
    weights: Mapping[str, float] | None = None
    versions: tuple[tuple[str, int], ...] = ()
    patience: float | None = None
    begun: bool = True


def ground(scope: Scope, project: Project, wish: Wish) -> Ground | Reading:
    """The cells that figures are made of, or how far reading them is when `wish.patience` ends.

    InputError or NotFound for a view, judge, weight or filter that there is not: figures of something else must not pass for the answer.
    """
    chosen = _checked(scope, project, wish)
    criteria = [c for c in criteria_of(scope, project) if _standings.ranked(c) and not reports.compares_pairs(scope.ws.db, c.id)]
    _weighed(criteria, wish.weights or {})
    wanted = criteria if wish.view in ("", OVERALL) else [c for c in criteria if c.key == wish.view]
    base, mark = _place(scope, project, wish.versions)
    answers = current(scope, project, wish.versions)
    if len(answers.models) * len(answers.questions) > LARGEST:
        raise InputError(
            "leaderboard",
            found=f"{len(answers.models):,} models and {len(answers.questions):,} questions",
            expected=f"at most {LARGEST:,} pairs of them",
        )
    loaded = _load(scope, project, wanted, answers, base, mark, wish)
    if isinstance(loaded, Reading):
        return loaded
    kept = _standings.kept_questions(scope, project, answers, chosen)
    if kept is not None:
        loaded = {key: one.only(kept[one.question]) for key, one in loaded.items()}
    return Ground(project, criteria, wanted, answers, loaded, chosen, base, mark)


def current(scope: Scope, project: Project, versions: tuple[tuple[str, int], ...] = ()) -> Field:
    """The current answers, and the earlier ones of `versions` beside them."""
    base, mark = _place(scope, project, versions)
    return _kept.get((*base, "field"), mark, lambda: _standings.field(scope, project, versions))


def _place(scope: Scope, project: Project, versions: tuple[tuple[str, int], ...]) -> tuple[tuple[Hashable, ...], Hashable]:
    return (str(scope.ws.path.resolve()), project.id, versions), watermark(scope, project)


def three(found: Standing, answers: Field) -> Three:
    """The means of models in three ways, as far as there is something to make them of."""
    shape = (len(answers.questions), len(answers.models))
    judged, labelled = bool(np.isfinite(found.f).any()), bool(found.labelled.any())
    return Three(
        _standings.parts(found, shape, "corrected") if labelled else None,
        _standings.parts(found, shape, "people") if labelled else None,
        _standings.parts(found, shape, "judge") if judged else None,
    )


def weight(weights: Mapping[str, float], key: str) -> float:
    """A criterion's weight in the overall mean, 1 unless given."""
    found = float(weights.get(key, 1.0))
    if not (np.isfinite(found) and found >= 0):
        raise InputError(f"weight of {key}", found=f"{found:g}", expected="a number from 0", remedy="Give 0 to leave the criterion out.")
    return found


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()


_kept = Memory(KEPT)


def _checked(scope: Scope, project: Project, wish: Wish) -> dict[str, str]:
    """The filters that are set, where everything that is asked for is there."""
    view, show, judge = wish.view, wish.show, wish.judge
    if show not in WAYS:
        raise InputError("show", found=repr(show), expected="one of " + ", ".join(WAYS), remedy="Choose one of these.")
    keys = [c.key for c in criteria_of(scope, project)]
    if view not in ("", OVERALL, *keys):
        raise InputError("view", found=repr(view), expected="one of " + ", ".join([OVERALL, *keys]), remedy="Choose one of these.")
    if judge and judge not in (known := _standings.judges(circle_of(scope, project))):
        own = judge == LEARNED
        raise NotFound(
            f"judge {judge[:80]!r}",
            found="one that learned from the labels that would correct it" if own else "no such judge",
            expected=f"one of {', '.join(known)}"[:400] if known else "none: no judge has graded here",
        )
    chosen = _standings.as_filters(wish.filters or {})
    for name in chosen:
        if name not in FILTERS:
            raise InputError(f"filter {name!r}", found="no such filter", expected="one of " + ", ".join(FILTERS))
    known_values(scope, project, {name: (value,) for name, value in chosen.items()})
    return chosen


def _weighed(criteria: Sequence[CriterionRow], weights: Mapping[str, float]) -> None:
    """Weights are of criteria that are in the mean."""
    keys = [c.key for c in criteria]
    for key in weights:
        if key not in keys:
            raise NotFound(
                f"weight of {key[:80]}", found="no such criterion in the mean", expected=f"one of {', '.join(keys) or 'none'}"[:400]
            )


def _load(
    scope: Scope, project: Project, wanted: Sequence[CriterionRow], answers: Field, base: tuple[Hashable, ...], mark: Hashable, wish: Wish
) -> dict[str, Standing] | Reading:
    """The wanted criteria's cells, or how far reading them is when patience ends."""
    started, patience = time.monotonic(), wish.patience
    circle = circle_of(scope, project)

    def read(c: CriterionRow) -> Standing:
        return _kept.get((*base, c.id, wish.judge), mark, partial(_standings.standing, scope, c, answers, circle, wish.judge))

    missing = [c for c in wanted if _kept.peek((*base, c.id, wish.judge), mark) is None]
    if patience is not None and not wish.begun and sum(reports.criterion_cells(scope.ws.db, project, c.id) for c in missing) > MANY_CELLS:
        return Reading(len(wanted) - len(missing), len(wanted))
    for count, criterion in enumerate(missing):
        if patience is not None and count and time.monotonic() - started > patience:
            return Reading(len(wanted) - len(missing) + count, len(wanted))
        read(criterion)
    if patience is not None and missing and time.monotonic() - started > patience:
        return Reading(len(wanted), len(wanted))  # figures take their time too
    return {c.key: read(c) for c in wanted}
