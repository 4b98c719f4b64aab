"""The sections of a report on grades and graders, from what the pages show: nothing is computed
here a second time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graders.core.words import say
from graders.statistics.resampling import Estimate
from graders.store.answers.content import Counts
from graders.workflows.agreement.records import Agreement, CriterionReport, JudgeRow
from graders.workflows.agreement.words import assisted_words, early_words
from graders.workflows.agreement.work_left import Progress
from graders.workflows.diagnostics.anchoring import Anchoring
from graders.workflows.promise.kind_rows import RoutedKind, TaskTerms, TermsShown
from graders.workflows.promise.risk import BY_RULE, PROVEN, UNPROVEN
from graders.workflows.report._data import Author
from graders.workflows.report._parts import (
    FIGURE,
    NUMBER,
    TEXT,
    Cell,
    Figure,
    Section,
    bars,
    figure,
    forest,
    section,
    table,
)
from graders.workflows.results.grid import Grid, ModelRow
from graders.workflows.routing.page import Routing
from graders.workflows.scope.phrases import several
from graders.workflows.scope.units import Unit

#: Who decides a cell: keys of the grid.
DECIDED = ("people", "audit", "automatic", "closed", "pending")
#: The states of routing with their marks.
_MARKS = {PROVEN: "✓", UNPROVEN: "?", BY_RULE: "·"}


def graded(
    counts: Counts, grid: Grid, models: Sequence[ModelRow], authors: Sequence[Author]
) -> Section:
    """What there is, who gave verdicts, and who decided each criterion's cells."""
    decided = []
    for criterion in grid.criteria:
        cells = [model.cells[criterion.key] for model in models if criterion.key in model.cells]
        decided.append(
            (criterion.title, [sum(getattr(cell, name) for cell in cells) for name in DECIDED])
        )
    names = [say(f"report.decided.{name}") for name in DECIDED]
    there = say(
        "report.graded.counts",
        questions=several(counts.questions, "question"),
        answers=several(counts.answers, "answer"),
        models=several(counts.models, "model"),
    )
    languages = ", ".join(counts.languages)
    return section(
        "graded",
        say("report.graded.title"),
        [
            grid.title,
            say("report.graded.in_languages", there=there, languages=languages)
            if languages
            else f"{there}.",
            say("report.graded.cell", states=grid.subtitle),
        ],
        [
            table(
                say("report.graded.who"),
                [
                    (say("report.head.grader"), TEXT),
                    (say("report.head.kind"), TEXT),
                    (say("report.head.with_value"), NUMBER),
                    (say("report.head.of_them_blind"), NUMBER),
                    (say("report.head.without_value"), NUMBER),
                ],
                [[who.name, who.kind, who.cells, who.blind, who.without] for who in authors],
            ),
            table(
                say("report.graded.decided"),
                [(say("report.head.criterion"), TEXT), *((name, NUMBER) for name in names)],
                [[title, *cells] for title, cells in decided],
            ),
        ],
        [bars(say("report.graded.shares"), names, decided)],
    )


def progress(found: Progress) -> Section:
    """What is left for people, and where their minutes went; nothing that hangs on the day on which
    the report is made."""
    spent = [(work.words, work.minutes) for work in found.minutes]
    whole = sum(minutes for _, minutes in spent)
    left, done = found.left, found.done
    parts = [
        say("report.progress.waiting", n=left) if left else say("report.progress.none"),
        say("report.progress.done", n=done),
    ]
    if whole:
        parts.append(say("report.progress.minutes", minutes=whole))
    rows: list[list[Cell]] = [
        [words, minutes, f"{100 * minutes / whole:.0f} %"] for words, minutes in spent if minutes
    ]
    columns = [
        (say("report.head.work"), TEXT),
        (say("report.head.minutes"), NUMBER),
        (say("report.head.share"), TEXT),
    ]
    return section(
        "progress",
        say("report.progress.title"),
        ["; ".join(parts) + ".", *filter(None, [found.fast])],
        [table(say("report.progress.by_work"), columns, rows)],
    )


def agreement(found: Agreement) -> Section:
    """Judges beside people on each criterion, with the ceiling on the same cells, and the sentences
    that can be quoted."""
    rows: list[list[Cell]] = []
    lines, quotes, silent = [], [], []
    for criterion in found.criteria:
        for judge in criterion.judges:
            shown, beside = _shown(criterion, judge.shown), _shown(criterion, judge.ceiling)
            rows.append(_judge_row(criterion, judge, shown, beside))
            lines.append((f"{criterion.title}, {judge.name}", shown, beside))
            if judge.shown.value is not None:
                quotes.append(judge.sentence)
        if not criterion.judges:
            rows.append(_people_row(criterion))
        silent += [f"{criterion.title}: {one.words}." for one in criterion.silent]
    columns = [
        (say("report.head.criterion"), TEXT),
        (say("report.head.judge"), TEXT),
        (say("report.head.measure"), TEXT),
        (say("report.head.with_people"), FIGURE),
        (say("report.head.people_on_same"), FIGURE),
        (say("report.head.same_value"), TEXT),
        (say("report.head.cells"), NUMBER),
        (say("report.head.finding"), TEXT),
    ]
    left, without = found.left_out, ", ".join(found.without)
    return section(
        "agreement",
        say("report.agreement.title"),
        [
            found.title,
            found.subtitle,
            say("report.agreement.population", population=found.population.words),
            found.choice.warning,
            *silent,
            found.idle,
            say(
                "report.agreement.left_out",
                assisted=several(left.assisted, "verdict"),
                other=left.other_draws,
                earlier=left.earlier_wording,
            ),
            say("report.agreement.without", criteria=without) if without else "",
        ],
        [table(say("report.agreement.table"), columns, rows)],
        [forest(say("report.agreement.chart"), lines, say("report.agreement.band"))],
        quotes,
    )


def _shown(criterion: CriterionReport, found: Estimate) -> Figure:
    """A figure; an early estimate says so, with its interval and on how many answers it rests, and
    no number that stands alone."""
    shown = figure(found, 2)
    if found.status == "EARLY":
        return replace(shown, text=early_words(criterion, found))
    return shown


def _judge_row(
    criterion: CriterionReport, judge: JudgeRow, shown: Figure, beside: Figure
) -> list[Cell]:
    verdict = judge.verdict
    finding = f"{verdict.sign} {verdict.word}"
    if verdict.reason:
        finding += f": {verdict.reason}"
    if judge.assisted:
        finding += f"; {assisted_words(criterion, judge.assisted)}"
    raw = judge.raw if judge.shown.value is not None else None
    return [
        criterion.title,
        judge.name,
        criterion.figure,
        shown,
        beside,
        "" if raw is None else f"{100 * raw:.0f} %",
        judge.cells,
        finding,
    ]


def _people_row(criterion: CriterionReport) -> list[Cell]:
    """The row of a criterion without judges: people among themselves."""
    people = criterion.people
    among = _shown(criterion, people.ceiling)
    if people.ceiling.value is None and people.lacking:
        among = replace(among, text=people.lacking)
    name = say("report.agreement.among")
    return [criterion.title, name, criterion.figure, None, among, "", criterion.cells, ""]


def anchoring(found: Anchoring) -> Section:
    """By how much suggestions pull people."""
    rows: list[list[Cell]] = [
        [
            row.title,
            row.arms.blind,
            row.arms.assisted,
            figure(row.pull, 2),
            figure(row.time, 2),
            row.words,
        ]
        for row in found.rows
    ]
    columns = [
        (say("report.head.criterion"), TEXT),
        (say("report.head.blind_cells"), NUMBER),
        (say("report.head.assisted_cells"), NUMBER),
        (say("report.head.pull"), FIGURE),
        (say("report.head.time"), FIGURE),
        (say("report.head.finding"), TEXT),
    ]
    return section(
        "anchoring",
        say("report.anchoring.title"),
        [found.title, found.subtitle],
        [table(say("report.anchoring.table"), columns, rows)],
    )


def routing(found: Routing) -> Section:
    """What is automatic, by which right, and the terms that were logged."""
    automatic = {
        state: sum(row.decided.automatic for row in found.rows if row.state == state)
        for state in (PROVEN, UNPROVEN, BY_RULE)
        if any(row.state == state for row in found.rows)
    }
    columns = [
        (say("report.head.criterion"), TEXT),
        (say("report.head.task_type"), TEXT),
        (say("report.head.state"), TEXT),
        (say("report.head.cells"), NUMBER),
        (say("report.head.labelled_blind"), NUMBER),
        (say("report.head.automatic"), NUMBER),
        (say("report.head.promised"), NUMBER),
        (say("report.head.promise"), TEXT),
    ]
    return section(
        "routing",
        say("report.routing.title"),
        [
            f"{found.title}.",
            *(
                say(f"report.claim.{state.name.lower()}", state=state, n=cells)
                for state, cells in automatic.items()
            ),
            *_terms(found.terms, found.unit),
            *(saving.words for saving in found.savings),
        ],
        [table(say("report.routing.table"), columns, [_routed(row) for row in found.rows])],
    )


def _routed(row: RoutedKind) -> list[Cell]:
    words = row.words
    if row.missing:
        labels = several(row.missing, "fresh label" if row.tested else "more label")
        words += " " + say("report.routing.missing", labels=labels)
    if row.audit.alarm:
        words += f" {row.audit.alarm}"
    return [
        row.title,
        row.task_type,
        f"{_MARKS[row.state]} {row.state}",
        row.cells,
        row.labels,
        row.decided.automatic,
        row.automatic if row.state == PROVEN else None,
        words,
    ]


def _terms(found: TermsShown | None, unit: Unit) -> list[str]:
    if found is None:
        return [say("report.terms.none", unit=unit.one)]
    return [_term(task, terms, unit.many) for task, terms in found.tasks.items() if terms.drawn]


def _term(task: str, terms: TaskTerms, unit: str) -> str:
    opened = (
        say("report.terms.opened", day=terms.opened[:10])
        if terms.opened
        else say("report.terms.unopened")
    )
    return say(
        f"report.terms.{'within' if terms.within else 'equal'}",
        task=task,
        day=terms.at[:10],
        percent=100 * terms.alpha,
        steps=terms.within,
        sure=100 * (1 - terms.delta),
        draw=terms.draw,
        drawn=terms.drawn,
        unit=unit,
        opened=opened,
    )
