"""Preferences: models ranked by which of two answers people, or a judge, preferred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import NotFound
from graders.core.preference import outcome
from graders.core.words import error_parts, say
from graders.statistics.arrays import among, ints
from graders.statistics.bradley_terry import (
    Games,
    Strengths,
    percent_to_win,
    strength_differences,
)
from graders.statistics.ranking import ranking
from graders.statistics.resampling import Array, Estimate, Interval, estimate
from graders.store.figures import leaderboard as stored
from graders.store.figures.agreement import people_opinions
from graders.store.opinions import pairs
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.leaderboard import words
from graders.workflows.leaderboard.board import (
    Axis,
    Only,
    PairCriterion,
    Preferences,
    Preferred,
)
from graders.workflows.leaderboard.ground import BOARD, READ, narrowed
from graders.workflows.opinions import narrowing, standings
from graders.workflows.opinions.narrowing import some
from graders.workflows.opinions.pair_orders import orders_of
from graders.workflows.opinions.participants import Circle, aside_words, circle_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.project_head import ProjectHead

#: Exit code where no model has a figure that can carry a decision.
INCONCLUSIVE = 5
PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class Compared:
    """Comparisons by people or by a judge; `left_out` were not blind.

    Of a judge's, `turned` were asked about in both orders, and `changed` among them are ties
    because the orders said different things.
    """

    games: Games
    left_out: int = 0
    turned: int = 0
    changed: int = 0


@needs("look")
def preferences(
    scope: Scope,
    project_name: str,
    criterion: str = "",
    *,
    by: str = "",
    filters: Filters = EVERYTHING,
) -> Preferences:
    """The models, the most preferred first, with strength, interval by questions, ranks and ties,
    as the leaderboard's rows have them.

    `criterion`: its key, else the first that compares pairs. `by`: people (their blind verdicts,
    each a comparison; an adjudicated cell is one), or a judge's name; else people where there are
    any. `filters` as on the leaderboard. A strength is shown as the chance to win against an
    average opponent.
    """
    project = scope.project(project_name)
    known = standings.criteria_of_pairs(scope, project, filters.wording)
    row = next((c for c in known if criterion in ("", c.key)), None)
    if row is None:
        where = say("leaderboard.error.preferences")
        if criterion:
            where = say("leaderboard.error.criterion", criterion=criterion[:80])
        if not known:
            raise NotFound(**error_parts("leaderboard.error.no_pairs", of=where))
        choices = ", ".join(c.key for c in known)
        raise NotFound(**error_parts("leaderboard.error.no_preferences", of=where, choices=choices))
    circle, only = narrowed(scope, project, filters)
    kept = set(stored.questions_with(scope.ws.db, project, filters))
    cells = [cell for cell in stored.pair_cells(scope.ws.db, row) if cell[1] in kept]
    models = sorted({model for cell in cells for model in cell[2:]})
    judges = {
        name: author
        for author, name in sorted(circle.judges.items())
        if name in standings.judges(circle)
    }
    counts = stored.opinions_by_author(scope.ws.db, row, list(judges.values()), filters)
    judge = (
        by
        if by in judges
        else max(
            (name for name in judges if judges[name] in counts),
            key=lambda n: counts[judges[n]],
            default="",
        )
    )
    if by not in ("", PEOPLE, *judges):
        choices = say("leaderboard.error.one_of", choices=", ".join([PEOPLE, *judges]))
        raise NotFound(**error_parts("leaderboard.error.no_judge", judge=by[:80], choices=choices))
    compared = {
        PEOPLE: _by_people(scope, row, circle, cells, models, filters),
        "judge": _by_judge(scope, row, judges.get(judge, 0), cells, models, filters),
    }
    show = (
        PEOPLE
        if by == PEOPLE or (not by and (len(compared[PEOPLE].games) or not judge))
        else "judge"
    )
    ballot = Ballot(
        row, known, models, compared, show, judge, sorted(n for n in judges if judges[n] in counts)
    )
    return _report(scope, project, ballot, filters, only)


def gate(found: Preferences) -> int:
    """The exit code for scripts: 0 where a model has a figure that can carry a decision, else 5."""
    return 0 if any(row.figure.status == "OK" for row in found.models) else INCONCLUSIVE


@dataclass(frozen=True, slots=True)
class Ballot:
    """What is counted: the criterion and all that compare pairs, the models, the comparisons by
    people and by the judge, which of them are shown, and the judges that compared."""

    row: CriterionRow
    known: Sequence[CriterionRow]
    models: Sequence[str]
    compared: Mapping[str, Compared]
    show: str
    judge: str
    judges: Sequence[str]


def _report(
    scope: Scope, project: Project, ballot: Ballot, filters: Filters, only: Only
) -> Preferences:
    show, judge, counted = ballot.show, ballot.judge, ballot.compared[ballot.show]
    fits = {
        name: found.games.strengths(len(ballot.models)) for name, found in ballot.compared.items()
    }
    table, groups = _rows(ballot.models, fits, counted.games, show)
    report = Preferences(
        project=ProjectHead.of(project),
        title=_title(table, groups, show, judge, only),
        subtitle=(f"{words.only_words(only.cells)} " if only.cells else "")
        + _subtitle(counted, show, judge),
        rests_on=_rests_on(counted, show, only.verdicts)
        + (aside_words(circle_of(scope, project)) if show == PEOPLE else ""),
        how=say("leaderboard.preferences.how"),
        view=ballot.row.key,
        show=show,
        by=judge if show == "judge" else PEOPLE,
        axis=Axis(0.0, 100.0, say("leaderboard.preferences.axis"), 0),
        judge=judge,
        judges=ballot.judges,
        models=table,
        ties=groups,
        criteria=[PairCriterion(c.key, c.criterion.title) for c in ballot.known],
        preferences=[c.key for c in ballot.known],
        answering=sorted(
            {model for found in pairs.answers(scope.ws.db, project).values() for model in found}
        ),
        filters=filters.chosen,
        only=only,
        filter_choices=narrowing.choices(scope, project, BOARD),
    )
    ground = " ".join([_subtitle(counted, show, judge), report.rests_on])
    return replace(
        report,
        models=[replace(one, sentence=words.row_sentence(one, report, ground)) for one in table],
    )


def _title(
    table: Sequence[Preferred],
    groups: Sequence[tuple[int, int]],
    show: str,
    judge: str,
    only: Only,
) -> str:
    if not table:
        if only != Only():
            return say("leaderboard.preferences.none_filtered")
        return say("leaderboard.preferences.none")
    return words.title(table, groups, show, judge, narrowed=bool(only.verdicts))


def _by_people(
    scope: Scope,
    row: CriterionRow,
    circle: Circle,
    cells: Sequence[tuple[int, int, str, str]],
    models: Sequence[str],
    filters: Filters,
) -> Compared:
    """Blind verdicts of the people who count; where a cell was adjudicated, that alone."""
    final = circle.adjudicated
    everyone = [
        *([final] if final is not None else []),
        *(author for author in circle.people if circle.counts(author)),
    ]
    given = people_opinions(scope.ws.db, row, everyone, some(filters, READ))
    said: list[tuple[Array, Array]] = []
    settled, left_out = ints(), 0
    for author in everyone:  # what was adjudicated comes first
        mine = given[given["author"] == author]
        cell, value, blind = mine["cell"], mine["number"], mine["blind"] > 0
        left_out += int((~blind).sum())
        kept = blind & ~among(cell, settled)
        said.append((cell[kept], value[kept]))
        if author == final:
            settled = cell[kept]
    return _games(row, cells, models, said, left_out)


def _by_judge(
    scope: Scope,
    row: CriterionRow,
    author: int,
    cells: Sequence[tuple[int, int, str, str]],
    models: Sequence[str],
    filters: Filters,
) -> Compared:
    if not author:
        return _games(row, cells, models, [])
    cell, value = stored.judged(scope.ws.db, row, author, filters)
    found = _games(row, cells, models, [(cell, value)])
    orders, counted = (
        orders_of(scope.ws.db, row, [author], some(filters, ("wording",))).get(author, {}),
        {cell for cell, *_ in cells},
    )
    both = [one != two for cell, (one, two) in orders.items() if cell in counted]
    return replace(found, turned=len(both), changed=sum(both))


def _games(
    row: CriterionRow,
    cells: Sequence[tuple[int, int, str, str]],
    models: Sequence[str],
    said: Sequence[tuple[Array, Array]],
    left_out: int = 0,
) -> Compared:
    place = {model: at for at, model in enumerate(models)}
    rows = {
        cell: (place[first], place[second], question) for cell, question, first, second in cells
    }
    won = [outcome(label) for label in row.scale.labels]
    found = [
        (*rows[cell], won[int(value)])
        for some, values in said
        for cell, value in zip(some.tolist(), values.tolist(), strict=True)
        if cell in rows
    ]
    return Compared(Games.of(found), left_out)


def _rows(
    models: Sequence[str], fits: Mapping[str, Strengths], games: Games, show: str
) -> tuple[list[Preferred], list[tuple[int, int]]]:
    """One row per model, the most preferred first; below them, without a place, those that too few
    comparisons link, and those without a strength. And the runs that cannot be told apart."""
    found, judge = fits[show], fits["judge"].intervals
    weak = ~found.well_linked & found.well_linked.any()
    figures = [
        replace(figure, value=None) if weak[m] else figure
        for m, figure in enumerate(found.intervals)
    ]
    ranked = ranking(models, figures, lambda which: strength_differences(found, which))
    judged = [
        m
        for m in sorted(ranked.order, key=lambda m: -(judge[m].value or 0.0))
        if judge[m].value is not None
    ]
    rest = sorted(
        (m for m in range(len(models)) if m not in ranked.ranks),
        key=lambda m: (found.intervals[m].value is None, models[m]),
    )
    table: list[Preferred] = []
    for m in [*ranked.order, *rest]:
        won, tied, lost = games.results(m)
        table.append(
            Preferred(
                model=models[m],
                place=len(table) + 1 if m in ranked.ranks else None,
                ranks=ranked.ranks.get(m),
                figure=_chance(found.intervals[m]),
                people=_chance(fits[PEOPLE].intervals[m]),
                judge=_chance(judge[m]),
                judge_place=judged.index(m) + 1 if m in judged else None,
                strength=found.intervals[m].value,
                won=won,
                tied=tied,
                lost=lost,
            )
        )
    return table, ranked.ties()


def _chance(found: Interval) -> Estimate:
    """A strength as the chance, in %, to win against an average opponent."""
    value, low, high = (
        None if strength is None else percent_to_win(strength)
        for strength in (found.value, found.low, found.high)
    )
    return estimate(found, value, low, high)


def _subtitle(found: Compared, show: str, judge: str) -> str:
    if not len(found.games):
        return say("leaderboard.preferences.below.none")
    return say(
        "leaderboard.preferences.below.counted",
        comparisons=say("leaderboard.preferences.comparisons", n=len(found.games)),
        who=judge if show == "judge" else say("leaderboard.preferences.people"),
        questions=several(found.games.questions, "question"),
        ties=100 * found.games.ties,
    )


def _rests_on(found: Compared, show: str, only: str) -> str:
    if show != "judge":
        left = ""
        if found.left_out:
            left = say("leaderboard.preferences.left_out", count=found.left_out)
        among = say("leaderboard.among", only=only) if only else ""
        return say("leaderboard.preferences.rests.people", among=among, left=left)
    if not found.turned:
        return say("leaderboard.preferences.rests.judge")
    pairs_asked = say("leaderboard.preferences.turned_all")
    if found.turned != len(found.games):
        pairs_asked = say("leaderboard.preferences.turned", n=found.turned)
    ties = say("leaderboard.preferences.no_tie")
    if found.changed:
        ties = say("leaderboard.preferences.tie", n=found.changed)
    return say("leaderboard.preferences.rests.turned", pairs=pairs_asked, ties=ties)
