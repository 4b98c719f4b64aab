"""The labels that Agreement asks for: counted so that they end what is missing, where the desk
hands them out. Where labels cannot end it, it says what else is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graders.core.words import say
from graders.statistics.ceiling import Lack, Planned, Waiting, labels_until, lack_words
from graders.statistics.pair_figures import MIN_CELLS
from graders.statistics.resampling import MIN_QUESTIONS, Estimate
from graders.store.desk.pending_labels import pending_labels
from graders.store.figures import leaderboard as stored
from graders.store.opinions import tallies, uncounted
from graders.store.opinions.filters import EVERYTHING
from graders.store.projects import CriterionRow
from graders.workflows.agreement.ground import Ground
from graders.workflows.agreement.records import JudgeRow, Verdict
from graders.workflows.scope.permissions import Scope


@dataclass(frozen=True, slots=True)
class Supply:
    """The people who are counted on a criterion, their `labels`, and the cells that have one."""

    people: int
    labels: int
    cells: int


@dataclass(frozen=True, slots=True)
class Needed:
    """What ends a lack, in `words`, and how many labels that are (`missing`), None where labels do
    not."""

    words: str
    missing: int | None


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


def with_labels(
    scope: Scope,
    ground: Ground,
    criterion: CriterionRow,
    of: Planned,
    lacks: Sequence[tuple[JudgeRow, int, Lack | None]],
    supply: Supply,
) -> list[JudgeRow]:
    """The rows of judges (each with its author row and what it lacks) with the labels that they
    ask for, or what is needed instead."""
    short = any(lack and judge.verdict.short for judge, _, lack in lacks)
    if not short and not any(judge.verdict.missing for judge, _, _ in lacks):
        return [judge for judge, _, _ in lacks]
    there = There.of(scope, ground, criterion, short=short)
    rows = []
    for judge, author, lack in lacks:
        if lack and judge.verdict.short:
            rows.append(_told(judge, needed(scope, ground, criterion, of, there, lack, author)))
        elif judge.verdict.missing:
            rows.append(replace(judge, verdict=_limited(judge.verdict, there.cells, supply)))
        else:
            rows.append(judge)
    return rows


def _told(judge: JudgeRow, found: Needed) -> JudgeRow:
    """A row whose figures say what is needed."""

    def because(figure: Estimate) -> Estimate:
        return figure if figure.status == "OK" else replace(figure, reason=found.words)

    return replace(
        judge,
        ceiling=because(judge.ceiling),
        apart=because(judge.apart),
        verdict=replace(judge.verdict, reason=found.words, missing=found.missing),
    )


def needed(
    scope: Scope,
    ground: Ground,
    criterion: CriterionRow,
    of: Planned,
    there: There,
    lack: Lack,
    judge: int | None = None,
) -> Needed:
    """What ends a lack of people among themselves, or of them beside a judge (author row)."""
    if there.too_little:
        return Needed(there.too_little, None)
    if judge is not None:
        _, valued, _ = uncounted.said_by(scope.ws.db, criterion, [judge]).get(judge, (0, 0, 0))
        if valued < MIN_CELLS:
            return Needed(say("agreement.only_judged", n=valued, least=MIN_CELLS), None)
    if not _at_desk(ground):
        return Needed(lack.words, lack.missing)
    numbers = None if judge is None else of.opinions.judged[judge]
    labels, enough = labels_until(of, numbers, _waiting(scope, ground, criterion, judge))
    if not enough:
        if len(of.people) < 2:
            return Needed(lack.words, lack.missing)
        if not labels:
            return Needed(say("agreement.desk_ended", had=lack.cells, least=MIN_CELLS), None)
        return Needed(say("agreement.desk_ends", n=labels, had=lack.cells, least=MIN_CELLS), None)
    words = lack_words(
        len(of.people),
        labels,
        lack.cells,
        lack.questions,
        judge=judge is not None,
        blind=of.blind,
    )
    return Needed(words, labels)


def _at_desk(ground: Ground) -> bool:
    """Whether the labels that a view counts are those that the desk asks for on drawn answers."""
    view = ground.view
    return (
        view.blind_only
        and view.filters == EVERYTHING
        and ground.population == "all"
        and bool(ground.project.settings.get("routed"))
    )


def _waiting(
    scope: Scope, ground: Ground, criterion: CriterionRow, judge: int | None
) -> Iterator[Waiting]:
    for row in pending_labels(scope.ws.db, ground.project, criterion, judge):
        yield Waiting(row.screen, row.cell, row.question, row.people, bool(row.judged))


def _limited(verdict: Verdict, cells: int, supply: Supply) -> Verdict:
    """A verdict that asks for labels only as far as the people who are counted can give them."""
    missing, left = verdict.missing or 0, max(0, supply.people * cells - supply.labels)
    if missing <= left:
        return verdict
    if not left:
        return replace(verdict, reason=say("agreement.all_labelled"), missing=None)
    bare = max(0, cells - supply.cells)
    none_yet = say("agreement.none_yet", n=bare) if bare else ""
    places = {"left": left, "missing": missing, "none_yet": none_yet}
    reason = say("agreement.can_give", n=supply.people, **places)
    return replace(verdict, reason=reason, missing=None)
