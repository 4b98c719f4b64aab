"""People side by side: how far each agrees with the others, how severe, how quick; whose verdicts
are set aside; what is left to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graders.core.errors import NotFound
from graders.core.words import error_parts, say
from graders.statistics.colleagues import ALONE, Colleagues, beside_colleagues
from graders.statistics.means import mean_interval
from graders.statistics.repeats import same_again
from graders.statistics.resampling import Estimate, Interval, shown, undefined
from graders.store import projects
from graders.store.desk import gold, people_work
from graders.store.desk.people_work import ScreenDone
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import Project
from graders.workflows.agreement.agree import agreement
from graders.workflows.agreement.ground import Ground, View, ground, second_looks
from graders.workflows.agreement.records import CriterionReport, JudgeRow
from graders.workflows.agreement.words import figure, outcome_words, share
from graders.workflows.opinions.fast_work import FastWork, fast_work, figures
from graders.workflows.opinions.participants import POPULATIONS, SET_ASIDE, circle_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed

#: Figures that moved less than this did not move.
MOVED = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """A person: id, name, group, whether set `aside`, how many verdicts count, and figures.

    `same`: share of colleagues' verdicts on the same cells that are the same value; `self`: share
    of cells given the same value again when a screen came back; `gold`: share of gold cells given
    the right value; `severity`: mean distance above the others' mean, as a share of the scale
    (below 0 is severe); `pace`: seconds a screen; `accepted`: share of suggestions left unchanged;
    `fast`: very fast work, None for none.
    """

    person: str
    name: str
    group: str
    aside: bool
    verdicts: int
    same: Estimate
    self: Estimate
    gold: Estimate
    severity: Estimate
    pace: Estimate
    accepted: Estimate
    fast: FastWork | None
    sentence: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A judge's figure on a criterion with everybody (`before`) and without those set aside
    (`after`), None for no figure, the verdicts on it in `words`, and both `figures`."""

    criterion: str
    judge: str
    figure: str
    before: float | None
    after: float | None
    words: Sequence[str]
    figures: Sequence[Estimate | None]
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class PeopleReport:
    """The people who graded, those with most verdicts first, and what the verdicts that are set
    aside change in Agreement (`moves`)."""

    people: Sequence[PersonRow]
    moves: Sequence[Move]
    title: str


@dataclass(frozen=True, slots=True)
class SetAside:
    """The people (ids) whose verdicts are set aside now."""

    set_aside: Sequence[str]


@needs("look")
def people_report(
    scope: Scope,
    project_name: str,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
) -> PeopleReport:
    """Every person who graded, each figure an interval by questions."""
    project = scope.project(project_name)
    view = View(blind_only, population, filters, everyone=True)
    basis = ground(scope, project, view)
    aside = set(_aside(project))
    whose = (
        say("agreement.people.blind", cells=POPULATIONS[basis.population].words)
        if blind_only
        else say("agreement.people.any")
    )
    rows = sorted(_people(scope, basis, aside, whose), key=lambda row: (-row.verdicts, row.name))
    names = listed(sorted(row.name for row in rows if row.aside)) if aside else ""
    moves = [
        replace(move, sentence=_move_sentence(move, names, whose))
        for move in (_moves(scope, project_name, view) if aside else [])
    ]
    return PeopleReport(rows, moves, _title(len(rows), len(aside)))


@needs("settings")
def set_aside(scope: Scope, project_name: str, person_id: str, aside: bool) -> SetAside:
    """Leave one person's verdicts out of the figures of Agreement, or let them in again; logged.
    The verdicts and final values stay."""
    project = scope.project(project_name)
    if person_id not in circle_of(scope, project).people.values():
        raise NotFound(**error_parts("agreement.no_grader", person=repr(person_id[:60])))
    before = _aside(project)
    after = sorted({*before, person_id} if aside else set(before) - {person_id})
    if after != before:
        projects.set_settings(scope.ws, project, {SET_ASIDE: after})
        projects.log_event(
            scope.ws,
            project,
            scope.actor.person_id,
            "set_aside",
            {"person": person_id, "aside": aside},
        )
    return SetAside(after)


def _aside(project: Project) -> list[str]:
    return sorted(str(person) for person in project.settings.get(SET_ASIDE) or ())


def _people(scope: Scope, basis: Ground, aside: set[str], whose: str) -> list[PersonRow]:
    db, circle = scope.ws.db, basis.circle
    screens = people_work.screens_done(db, basis.project)
    answered = people_work.answers_to_suggestions(db, basis.project)
    checked = gold.checked(db, basis.project)
    looks = [second_looks(scope, basis, place) for place in range(len(basis.criteria))]
    beside, quick = _beside(basis), fast_work(db, basis.project)
    rows = []
    for author, name in circle.people.items():
        colleagues = beside.get(author, ALONE)
        row = PersonRow(
            person=name,
            name=circle.label(author),
            group=circle.group(author),
            aside=name in aside,
            verdicts=sum(
                int((basis.used(opinions) & opinions.by([author])).sum())
                for opinions in basis.loaded
            ),
            same=shown(colleagues.agreement()),
            self=shown(same_again(looks, author)),
            gold=shown(_right(checked, author)),
            severity=shown(colleagues.severity()),
            pace=shown(_pace(screens, name)),
            accepted=shown(_accepted(answered, name)),
            fast=quick.get(name),
        )
        rows.append(replace(row, sentence=_person_sentence(row, whose)))
    return rows


def _beside(basis: Ground) -> dict[int, Colleagues]:
    """Each person beside colleagues, over all criteria."""
    parts: dict[int, list[Colleagues]] = {}
    for row, opinions in zip(basis.criteria, basis.loaded, strict=True):
        people, _ = basis.planned(opinions)
        used = basis.used(opinions)
        for person, part in beside_colleagues(row.scale, opinions, used, people).items():
            parts.setdefault(person, []).append(part)
    return {person: Colleagues.joined(of) for person, of in parts.items()}


def _mean(
    values: Sequence[tuple[float, int]], nothing: str, bounds: tuple[float, float] = (0, 1)
) -> Interval:
    """The mean of (value, question); undefined in these words without any."""
    if not values:
        return undefined(say(f"agreement.person.{nothing}"))
    numbers, questions = zip(*values, strict=True)
    return mean_interval(numbers, questions, bounds=bounds)


def _right(checked: Sequence[tuple[int, int, int, bool]], author: int) -> Interval:
    return _mean(
        [(float(right), question) for who, question, _, right in checked if who == author],
        "no_gold",
    )


def _pace(screens: Sequence[ScreenDone], person: str) -> Interval:
    return _mean(
        [
            (row.seconds, row.question_id)
            for row in screens
            if row.person == person and row.seconds > 0
        ],
        "no_time",
        (0.0, float("inf")),
    )


def _accepted(answered: Sequence[tuple[str, int, str]], person: str) -> Interval:
    return _mean(
        [
            (float(action == "accepted"), question)
            for who, question, action in answered
            if who == person
        ],
        "no_suggestion",
    )


def _person_sentence(row: PersonRow, whose: str) -> str:
    """The figures of a person that there are."""
    estimates = {
        "same": row.same,
        "self": row.self,
        "gold": row.gold,
        "severity": row.severity,
        "accepted": row.accepted,
    }
    parts = [
        say(f"agreement.person.{name}", share=share(estimate))
        for name, estimate in estimates.items()
        if estimate.value is not None
    ]
    if row.pace.value is not None:
        parts.append(say("agreement.person.pace", figure=figure(row.pace)))
    if row.fast is not None:
        parts.append(say("agreement.person.fast", figures=figures(row.fast)))
    return say(
        "agreement.person.sentence",
        n=row.verdicts,
        name=row.name,
        figures="; ".join(parts) or say("agreement.person.no_figure"),
        whose=whose,
    )


def _moves(scope: Scope, project_name: str, view: View) -> list[Move]:
    """Judges' figures with everybody and without those set aside, where they differ."""
    now, whole = (
        agreement(
            scope,
            project_name,
            blind_only=view.blind_only,
            population=view.population,
            filters=view.filters,
            everyone=everyone,
        )
        for everyone in (False, True)
    )
    present = {(c.key, judge.ref): judge for c in now.criteria for judge in c.judges}
    moves = (
        _move(criterion, judge, present.get((criterion.key, judge.ref)))
        for criterion in whole.criteria
        for judge in criterion.judges
    )
    return [move for move in moves if move is not None]


def _move(criterion: CriterionReport, before: JudgeRow, after: JudgeRow | None) -> Move | None:
    """What setting aside moves in a judge's figure; None where that is nothing."""
    one, two = before.shown.value, after.shown.value if after else None
    words = [
        str(before.verdict.word),
        str(after.verdict.word) if after else say("agreement.moves.no_figure"),
    ]
    moved = (one is None) != (two is None) or (
        one is not None and two is not None and abs(one - two) >= MOVED
    )
    if not moved and words[0] == words[1]:
        return None
    return Move(
        criterion=criterion.title,
        judge=before.name,
        figure=criterion.figure,
        before=one,
        after=two,
        words=words,
        figures=[before.shown, after.shown if after else None],
    )


def _move_sentence(move: Move, names: str, whose: str) -> str:
    before, after = (
        say("agreement.moves.side", outcome=outcome_words(word), figure=figure(estimate))
        if estimate
        else say("agreement.moves.no_figure")
        for word, estimate in zip(move.words, move.figures, strict=True)
    )
    return say(
        "agreement.moves.sentence",
        criterion=move.criterion,
        judge=move.judge,
        measure=move.figure,
        before=before,
        names=names,
        after=after,
        whose=whose,
    )


def _title(people: int, aside: int) -> str:
    if not people:
        return say("agreement.people.nobody")
    away = say("agreement.people.away", count=aside) if aside else ""
    return say("agreement.people.title", n=people, away=away)
