"""What Agreement has no figure of, and why: verdicts that want more labels than there can be, and
judges without a value."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from graders.core.derived_judges import LEARNED
from graders.core.words import say
from graders.statistics.ceiling import Short
from graders.statistics.pair_figures import MIN_CELLS
from graders.statistics.resampling import MIN_QUESTIONS
from graders.store.figures import leaderboard as stored
from graders.store.opinions import opinions as store
from graders.store.opinions import tallies
from graders.store.projects import CriterionRow
from graders.workflows.agreement.ground import Ground
from graders.workflows.agreement.records import JudgeRow, Silent, Verdict
from graders.workflows.opinions.participants import Circle
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.phrases import listed

#: So many judges of one reason are named.
NAMED = 3


# -- where more labels, cells or questions are asked for than there are, that is said: it would be
# in vain to set out to collect them


@dataclass(frozen=True, slots=True)
class Supply:
    """The people who are counted on a criterion, their `labels`, and the cells that have one."""

    people: int
    labels: int
    cells: int


def with_supply(
    scope: Scope,
    ground: Ground,
    criterion: CriterionRow,
    judges: Sequence[JudgeRow],
    supply: Supply,
) -> list[JudgeRow]:
    """The judges with how many labels there can be added to the reasons of verdicts that ask for
    more."""
    wanting = [judge.verdict for judge in judges if judge.verdict.short or judge.verdict.missing]
    if not wanting:
        return list(judges)
    filters = ground.view.filters
    cells = tallies.cells_with(scope.ws.db, criterion.id, filters)
    questions = MIN_QUESTIONS
    if any(verdict.short == Short.QUESTIONS for verdict in wanting):
        questions = len(stored.questions_with(scope.ws.db, ground.project, filters))
    return [
        replace(judge, verdict=_limited(judge.verdict, cells, questions, supply))
        for judge in judges
    ]


def _limited(verdict: Verdict, cells: int, questions: int, supply: Supply) -> Verdict:
    """A verdict with what limits it, where that is less than it asks for."""
    limit = ""
    if verdict.short == Short.CELLS and cells < MIN_CELLS:
        limit = say("agreement.only_cells", n=cells)
    elif verdict.short == Short.QUESTIONS and questions < MIN_QUESTIONS:
        limit = say("agreement.only_questions", n=questions)
    elif verdict.short is None and verdict.missing:
        limit = _left(verdict.missing, cells, supply)
    return replace(verdict, reason=verdict.reason + limit)


def _left(missing: int, cells: int, supply: Supply) -> str:
    """How many labels the people who are counted could still give, where that is fewer than are
    missing."""
    left = max(0, supply.people * cells - supply.labels)
    if missing <= left:
        return ""
    if not left:
        return say("agreement.all_labelled")
    bare = max(0, cells - supply.cells)
    none_yet = say("agreement.none_yet", n=bare) if bare else ""
    return say("agreement.can_give", n=supply.people, left=left, none_yet=none_yet)


# -- judges without a figure, each with the reason: no value, other answers or criteria only


def silent(
    scope: Scope, circle: Circle, criterion: CriterionRow, shown: Collection[str]
) -> list[Silent]:
    """The judges without a row on a criterion, others than those `shown` (their refs)."""
    without = [
        judge
        for judge, name in circle.judges.items()
        if circle.ref(judge) not in shown and name != LEARNED
    ]
    if not without:
        return []
    counts = store.said_by(scope.ws.db, criterion, without)
    rows: list[Silent] = []
    elsewhere: list[str] = []
    reworded: list[str] = []
    for judge in without:
        graded, valued, anew = counts.get(judge, (0, 0, 0))
        name = circle.label(judge)
        if not graded:
            (reworded if anew else elsewhere).append(name)
            continue
        if valued:
            words = say("agreement.silent.other_cells", n=graded, name=name)
        else:
            why = _reasons(scope, criterion, judge)
            words = say("agreement.silent.no_value", n=graded, name=name, why=why)
        rows.append(Silent(name, graded, words))
    for key, names in (("reworded", reworded), ("elsewhere", elsewhere)):
        if names:
            who = (
                listed(sorted(names))
                if len(names) <= NAMED
                else say("agreement.silent.many", n=len(names))
            )
            rows.append(Silent(who, 0, say(f"agreement.silent.{key}", name=who)))
    return rows


def _reasons(scope: Scope, criterion: CriterionRow, judge: int) -> str:
    """Why a judge gave no value; with counts where there are several reasons."""
    counts = store.reasons_without(scope.ws.db, criterion, judge)
    reasons = [reason_words(reason) or say("agreement.silent.unknown") for reason, _ in counts]
    if len(reasons) == 1:
        return reasons[0].rstrip(".")
    return " ".join(
        say("agreement.silent.times", count=count, words=words)
        for (_, count), words in zip(counts, reasons, strict=True)
    ).rstrip(".")
