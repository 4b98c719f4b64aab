"""Diagnostics: bias, calibration and self-consistency of each judge per criterion, with
intervals."""

from __future__ import annotations

import json
import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from graders.core.errors import NotFound
from graders.core.preference import is_preference
from graders.core.quotes import stands_in
from graders.core.words import error_parts, say
from graders.statistics.arrays import blank
from graders.statistics.beside import Beside, mean_of_others, met
from graders.statistics.bias import tested_together
from graders.statistics.opinions import Opinions
from graders.statistics.resampling import Array
from graders.store.figures import diagnostics as store
from graders.store.figures import leaderboard as leaderboard_store
from graders.store.figures.results import criterion_cells
from graders.store.opinions import filters as filter_store
from graders.store.opinions import uncounted
from graders.store.opinions.filters import Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.agreement import words as agreement_words
from graders.workflows.agreement.ground import Ground, View, ground
from graders.workflows.diagnostics import _judge_figures as figures
from graders.workflows.diagnostics import _words
from graders.workflows.diagnostics._judge_figures import Asked, Compared, Steadiness
from graders.workflows.diagnostics.judge_report import (
    TESTED,
    DiagnosedJudge,
    Diagnostics,
    Measured,
    Name,
    Untested,
)
from graders.workflows.opinions.narrowing import choices, criteria_under
from graders.workflows.opinions.pair_orders import orders_of
from graders.workflows.opinions.participants import aside_words, watermark
from graders.workflows.runs.judges import UNREADABLE
from graders.workflows.scope.memory import Memory
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.project_head import ProjectHead, Reading, Waiting

#: Reports that are kept in memory.
KEPT = 16
#: Criteria that are, each with the figures of all judges.
KEPT_CRITERIA = 128
#: With more cells than this to read, a page is told so before they are read.
MANY_CELLS = 200_000

#: Names what is kept: workspace, project and view.
Key = tuple[str, int, View]

#: Blind verdicts of the widest draw, nothing filtered.
DEFAULT = View()

_kept = Memory(KEPT)
_criteria = Memory(KEPT_CRITERIA)


@needs("look")
def diagnostics(scope: Scope, project_name: str, view: View = DEFAULT) -> Diagnostics:
    """Per judge and criterion: leniency, use of the scale, length, position and family beside
    people's verdicts, calibration of its confidence, self-consistency, quotes that are not in the
    answer and replies that could not be read.

    Verdicts of people count as on Agreement: blind ones of one population, weighted by
    1/probability, unless the view has `blind_only` False. Each figure is an interval by questions
    with `p`, `adjusted` (Holm over all that lean) and `real`, in words and as a sentence.
    """
    report = diagnostics_so_far(scope, project_name, view, patience=None)
    assert isinstance(report, Diagnostics)  # without a limit to patience it is whole
    return report


@needs("look")
def diagnostics_so_far(
    scope: Scope,
    project_name: str,
    view: View = DEFAULT,
    *,
    patience: float | None,
    begun: bool = True,
) -> Diagnostics | Waiting:
    """The same, or after `patience` seconds how far reading is; asked again, it goes on where it
    stopped. `begun` False tells of much to read before reading it."""
    project = scope.project(project_name)
    key, mark = (str(scope.ws.path.resolve()), project.id, view), watermark(scope, project)
    report: Diagnostics | None = _kept.peek(key, mark)
    if report is None:
        criteria = criteria_under(scope, project, view.filters.wording)
        left = [c for c in criteria if _criteria.peek((*key, c.id), mark) is None]
        many = (
            patience is not None
            and not begun
            and sum(criterion_cells(scope.ws.db, project, c.id) for c in left) > MANY_CELLS
        )
        read = (
            len(criteria) - len(left) if many else _read(scope, project, view, key, mark, patience)
        )
        if many or read < len(criteria):
            return Waiting(Reading(read, len(criteria)), ProjectHead.of(project))
        report = _report(scope, project, view, key, mark)
        _kept.keep(key, mark, report)
    return report


def _read(
    scope: Scope, project: Project, view: View, key: Key, mark: Hashable, patience: float | None
) -> int:
    """Make the rows of criteria that are not in memory until patience ends, of one at least; how
    many are there then."""
    found, begun, fresh = ground(scope, project, view), time.monotonic(), 0
    for place, (criterion, opinions) in enumerate(zip(found.criteria, found.loaded, strict=True)):
        if _criteria.peek((*key, criterion.id), mark) is not None:
            continue
        if fresh and patience is not None and time.monotonic() - begun > patience:
            return place
        _criteria.keep((*key, criterion.id), mark, _criterion(scope, found, criterion, opinions))
        fresh += 1
    return len(found.criteria)


def _report(scope: Scope, project: Project, view: View, key: Key, mark: Hashable) -> Diagnostics:
    found = ground(scope, project, view)
    rows: dict[int, list[Untested]] = {author: [] for author in found.circle.judges}
    for criterion, opinions in zip(found.criteria, found.loaded, strict=True):
        by_judge: dict[int, Untested] = _criteria.peek((*key, criterion.id), mark) or _criterion(
            scope, found, criterion, opinions
        )
        for author, row in by_judge.items():
            rows[author].append(row)
    judges, tests = _tested(found, {author: some for author, some in rows.items() if some})
    title, subtitle = _words.heading(
        judges, tests, (0, 0) if view.filters.wording else _reworded(scope, found)
    )
    return Diagnostics(
        project=ProjectHead.of(project),
        title=title,
        subtitle=f"{subtitle}{aside_words(found.circle)}",
        blind_only=view.blind_only,
        population=agreement_words.population_shown(
            found.population, found.loaded, view.blind_only, found.only
        ),
        filters=view.filters.chosen,
        choices=choices(scope, project),
        tests=tests,
        judges=judges,
    )


def _tested(found: Ground, rows: dict[int, list[Untested]]) -> tuple[list[DiagnosedJudge], int]:
    """The judges' rows with all figures that may lean tested together, in words; and how many
    were."""
    every = [
        (id(row), name, row.figures[name])
        for some in rows.values()
        for row in some
        for name in TESTED
        if name in row.figures
    ]
    results = tested_together(
        [figure.interval for _, _, figure in every], [figure.p for _, _, figure in every]
    )
    tests = sum(result.p is not None for result in results)
    significance = {
        (row, name): result for (row, name, _), result in zip(every, results, strict=True)
    }
    judges = []
    for author, some in rows.items():
        label = found.circle.label(author)
        criteria = [
            _words.spoken(
                label,
                row,
                {n: significance[id(row), n] for n in row.figures if (id(row), n) in significance},
                tests,
            )
            for row in some
        ]
        judges.append(DiagnosedJudge(found.circle.ref(author), label, criteria))
    return judges, tests


def _reworded(scope: Scope, found: Ground) -> tuple[int, int]:
    """Verdicts under another wording of people, adjudicated ones among them, and of judges."""
    cells = Filters(**{name: getattr(found.view.filters, name) for name in filter_store.OF_CELL})

    def of(authors: Sequence[int], filters: Filters) -> int:
        return sum(
            uncounted.other_wordings(scope.ws.db, criterion, authors, filters)
            for criterion in found.criteria
        )

    return of(found.of_people(), found.view.filters), of(list(found.circle.judges), cells)


def of_judge(report: Diagnostics, name: str) -> Diagnostics:
    """The report on one judge, its own finding as the title; p-values stay corrected over all.
    NotFound lists the judges."""
    judges = [judge for judge in report.judges if judge.name == name]
    if not judges:
        have = ", ".join(judge.name for judge in report.judges)
        have = have or say("diagnostics.error.none_yet")
        raise NotFound(**error_parts("diagnostics.error.no_judge", judge=name[:80], have=have))
    tests = sum(
        figure.p is not None for row in judges[0].criteria for figure in row.figures.values()
    )
    title, subtitle = _words.heading(judges, tests)
    return replace(report, title=title, subtitle=subtitle, tests=tests, judges=judges)


@dataclass(frozen=True, slots=True)
class _Criterion:
    """What is read of a criterion once for all judges: positions of the verdicts that count
    (`used`), the `people` whose they are, confidences by (judge, cell) with their kinds, and
    characters and model of answers by cell."""

    row: CriterionRow
    opinions: Opinions
    used: Array
    people: Sequence[int]
    confidence: dict[tuple[int, int], tuple[float, str]]
    sizes: dict[int, tuple[int, str]]
    counted: str
    weighted: bool


def _criterion(
    scope: Scope, found: Ground, criterion: CriterionRow, opinions: Opinions
) -> dict[int, Untested]:
    """The row of a criterion for each judge that was asked about it."""
    circle, filters = found.circle, found.view.filters
    # Judges are asked whatever people did: these figures need no label, so that filters on people's
    # verdicts do not touch them.
    only = Filters(**{name: getattr(filters, name) for name in (*filter_store.OF_CELL, "wording")})
    read = _read_criterion(scope, found, criterion, opinions, only)
    rows = {}
    for judge, steady in _steadiness(scope, criterion, list(circle.judges), only).items():
        pairs = _compared(scope, criterion, judge, only) if is_preference(criterion.scale) else None
        rows[judge] = _row(read, circle.label(judge), judge, steady, pairs)
    return rows


def _read_criterion(
    scope: Scope, found: Ground, criterion: CriterionRow, opinions: Opinions, only: Filters
) -> _Criterion:
    circle, db, used = found.circle, scope.ws.db, found.used(opinions)
    people = found.planned(opinions)[0] or (
        [circle.adjudicated] if circle.adjudicated is not None else []
    )
    confidences = store.confidences(db, criterion, list(circle.judges), people, only)
    return _Criterion(
        row=criterion,
        opinions=opinions,
        used=used,
        people=people,
        confidence={(judge, cell): (value, kind) for judge, cell, value, kind in confidences},
        sizes={
            cell: (characters, model)
            for cell, characters, model in store.answers(db, criterion, people, only)
        },
        counted=agreement_words.counted_words(found, opinions, people),
        weighted=found.view.blind_only,
    )


def _steadiness(
    scope: Scope, criterion: CriterionRow, judges: Sequence[int], only: Filters
) -> dict[int, Steadiness]:
    """How steady the replies of each judge are that was asked about a criterion."""
    db = scope.ws.db
    replies = store.replies(db, criterion, judges, UNREADABLE, only)
    astray = (
        _astray(store.unsought(db, criterion, judges, only))
        if any(row.unsought for row in replies)
        else {}
    )
    repeats = store.repeats(db, criterion, judges, only)
    changes = store.changes(db, criterion, judges, only)
    by_judge = {}
    for judge in judges:
        mine = [row for row in replies if row.author == judge]
        if mine:
            by_judge[judge] = Steadiness(
                questions=[row.question for row in mine],
                asked=[row.asked for row in mine],
                unread=[row.unread for row in mine],
                quoted=[row.quoted for row in mine],
                lost=[row.lost + astray.get((judge, row.question), 0) for row in mine],
                repeats=[row[1:] for row in repeats if row[0] == judge],
                changes=[row[1:] for row in changes if row[0] == judge],
            )
    return by_judge


def _compared(
    scope: Scope, criterion: CriterionRow, author: int, only: Filters
) -> tuple[list[Compared], list[Asked]]:
    """What a judge said of pairs: of those that it was asked about in one order, and of those in
    both."""
    pairs = {
        cell: (question, a, b)
        for cell, question, a, b in leaderboard_store.pair_cells(scope.ws.db, criterion)
    }
    orders = orders_of(scope.ws.db, criterion, [author], only).get(author, {})
    cells, values = leaderboard_store.judged(scope.ws.db, criterion, author, only)
    said = {
        cell: value
        for cell, value in zip(cells.tolist(), values.tolist(), strict=True)
        if cell in pairs
    }
    one_order = [(*pairs[cell], value) for cell, value in said.items() if cell not in orders]
    return one_order, [(pairs[cell][0], orders[cell]) for cell in said if cell in orders]


def _astray(rows: Sequence[tuple[int, int, str, str]]) -> dict[tuple[int, int], int]:
    """(judge, question) -> verdicts with a quote that is not in the answer, of those whose quotes
    were not looked for before."""
    counts: dict[tuple[int, int], int] = {}
    for judge, question, evidence, text in rows:
        if any(
            item.get("quote") and not stands_in(item["quote"], [text])
            for item in json.loads(evidence)
        ):
            counts[judge, question] = counts.get((judge, question), 0) + 1
    return counts


def _beside(read: _Criterion, judge: int) -> tuple[Beside, list[str], list[str]]:
    """The judge's values beside each verdict of people that counts, the models' names, and the
    kinds of its confidence."""
    opinions, sizes = read.opinions, read.sizes
    mine = opinions.judged.get(judge, blank(len(opinions.cells)))
    rows = met(mine, opinions.at, read.used, opinions.author, read.people)
    at = opinions.at[rows]
    cells = opinions.cells[at].tolist()
    stated = [read.confidence.get((judge, cell)) for cell in cells]
    models = sorted({sizes[cell][1] for cell in cells})
    place = {model: n for n, model in enumerate(models)}
    beside = Beside.of(
        f=mine[at],
        y=opinions.number[rows],
        g=opinions.question[at],
        probability=opinions.probability[rows] if read.weighted else None,
        confidence=[None if found is None else found[0] for found in stated],
        characters=[sizes[cell][0] for cell in cells],
        model=[place[sizes[cell][1]] for cell in cells],
        rivals=mean_of_others(
            [values for name, values in opinions.judged.items() if name != judge], at
        ),
    )
    return beside, models, sorted({found[1] for found in stated if found is not None and found[1]})


def _row(
    read: _Criterion,
    name: str,
    judge: int,
    steady: Steadiness,
    pairs: tuple[list[Compared], list[Asked]] | None,
) -> Untested:
    """All figures of a judge on a criterion; `pairs`: what it said of pairs, where the criterion
    compares two answers."""
    criterion, scale = read.row, read.row.scale
    beside, models, kinds = _beside(read, judge)
    chances, use = figures.chances(scale, beside), figures.use_of_scale(scale, beside)
    made: dict[Name, Measured] = {
        **figures.leans(scale, beside, models, name),
        **figures.replies(steady, scale),
    }
    if use is not None:
        made[Name.SPREAD] = figures.spread(scale, beside)
    if chances is not None:
        made |= figures.of_confidence(chances)
    made[Name.DRIFT] = figures.drift(steady, scale, made[Name.CONSISTENCY].interval)
    wide = scale.high - scale.low if not scale.is_discrete else float(len(scale.values) - 1)
    if pairs is not None:
        wide = 1.0
        for of_values in (Name.LENIENCY, Name.LENGTH, Name.FAMILY, Name.POSITION):
            del made[of_values]
        made |= figures.of_pairs(scale, beside, *pairs)
    return Untested(
        key=criterion.key,
        title=criterion.criterion.title,
        range=wide,
        verdicts=len(beside.f),
        asked=sum(steady.asked),
        counted=read.counted,
        kin=figures.kin(name),
        kinds=kinds,
        use=use,
        confidence=None if chances is None else figures.confidence(chances),
        figures=made,
    )


def forget() -> None:
    """Drop what is kept in memory."""
    _kept.forget()
    _criteria.forget()
