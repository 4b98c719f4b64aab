"""What Agreement has no figure of, and why: verdicts that want more labels than there can be, and
judges without a value."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from graders.core.derived_judges import LEARNED
from graders.core.words import say
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
    """The judges, those that ask for more labels than there can be with what is needed instead."""
    wanting = [judge for judge in judges if judge.verdict.short or judge.verdict.missing]
    if not wanting:
        return list(judges)
    short = any(judge.verdict.short for judge in wanting)
    there = There.of(scope, ground, criterion, short=short)
    names = {ground.circle.ref(author): author for author in ground.circle.judges}
    said = store.said_by(scope.ws.db, criterion, [names[judge.ref] for judge in wanting])
    return [
        replace(
            judge,
            verdict=_limited(
                judge.verdict, there, said.get(names[judge.ref], (0, 0, 0))[1], supply
            ),
        )
        for judge in judges
    ]


@dataclass(frozen=True, slots=True)
class There:
    """The cells and questions that a criterion has, as far as filters let them in."""

    cells: int
    questions: int

    @classmethod
    def of(cls, scope: Scope, ground: Ground, criterion: CriterionRow, *, short: bool) -> There:
        """Of a criterion; its questions are counted where something is `short` only."""
        filters, db = ground.view.filters, scope.ws.db
        return cls(
            tallies.cells_with(db, criterion.id, filters),
            len(stored.questions_with(db, ground.project, filters)) if short else MIN_QUESTIONS,
        )

    @property
    def too_little(self) -> str:
        """What is needed besides labels before two people can have graded enough; empty where
        nothing is."""
        if self.cells < MIN_CELLS:
            return say("agreement.only_cells", n=self.cells, least=MIN_CELLS)
        if self.questions < MIN_QUESTIONS:
            return say("agreement.only_questions", n=self.questions, least=MIN_QUESTIONS)
        return ""


def _limited(verdict: Verdict, there: There, judged: int, supply: Supply) -> Verdict:
    """A verdict that asks for labels only where these end what is missing; else it says what
    else is needed. `judged`: the cells that the judge gave a value."""
    if not verdict.short:
        needed = _left(verdict.missing, there.cells, supply) if verdict.missing else ""
    else:
        needed = there.too_little
        if not needed and judged < MIN_CELLS:
            needed = say("agreement.only_judged", n=judged, least=MIN_CELLS)
    return replace(verdict, reason=needed, missing=None) if needed else verdict


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
    return say("agreement.can_give", n=supply.people, left=left, missing=missing, none_yet=none_yet)


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
