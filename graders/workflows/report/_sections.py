"""The sections of a report, from what the pages show: nothing is computed here a second time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.money import dollars
from graders.store.answers.content import Counts
from graders.workflows.diagnostics.anchoring import Anchoring
from graders.workflows.leaderboard import words as leaderboard_words
from graders.workflows.leaderboard.board import Board
from graders.workflows.promise.kind_rows import TaskTerms, TermsShown
from graders.workflows.promise.risk import BY_RULE, PROVEN, UNPROVEN
from graders.workflows.report._parts import (
    FIGURE,
    NUMBER,
    TEXT,
    bars,
    figure,
    forest,
    section,
    table,
)
from graders.workflows.results.tables import Grid, ModelRow
from graders.workflows.routing.page import Routing
from graders.workflows.scope.phrases import several
from graders.workflows.scope.units import Unit

#: Who decides a cell: keys of the grid, words.
DECIDED = {
    "people": "People",
    "audit": "People, auditing the machine",
    "automatic": "Machine",
    "closed": "Closed",
    "pending": "Pending",
}
#: What the states of routing claim, in the report's words.
CLAIMS = {
    PROVEN: "a test on answers drawn and labelled blind passed; the promise stands with its row",
    UNPROVEN: "a proof was tried or prepared and does not stand; nothing is promised",
    BY_RULE: (
        "the machine decides because a rule of the project says so; there is no evidence yet and "
        "nothing is promised"
    ),
}
_MARKS = {PROVEN: "✓", UNPROVEN: "?", BY_RULE: "·"}


def graded(
    counts: Counts,
    grid: Grid,
    models: Sequence[ModelRow],
    who: Sequence[Sequence[Any]],
) -> Any:
    """What there is, who gave verdicts, and who decided each criterion's cells."""
    rows = []
    for criterion in grid.criteria:
        cells = [model.cells[criterion.key] for model in models if criterion.key in model.cells]
        counted = [sum(getattr(cell, name) for cell in cells) for name in DECIDED]
        rows.append((criterion.title, counted))
    made = (
        f"{several(counts.questions, 'question')}, {several(counts.answers, 'answer')} of "
        f"{several(counts.models, 'model')}"
    )
    languages = ", ".join(counts.languages)
    return section(
        "graded",
        "What was graded, and by whom",
        [
            f"{grid.title}",
            f"{made}{f'; languages: {languages}' if languages else ''}.",
            f"{grid.subtitle} A cell is one answer under one criterion or one part of it.",
        ],
        [
            table(
                "Who gave verdicts",
                [
                    ("Grader", TEXT),
                    ("Kind", TEXT),
                    ("Cells with a value", NUMBER),
                    ("Of them blind", NUMBER),
                    ("Without a value", NUMBER),
                ],
                who,
            ),
            table(
                "Who decided",
                [("Criterion", TEXT), *((words, NUMBER) for words in DECIDED.values())],
                [[t, *c] for t, c in rows],
            ),
        ],
        [bars("Who decided, share of the cells", list(DECIDED.values()), rows)],
    )


def progress(found: Mapping[str, Any]) -> Any:
    """What is left for people, and where their minutes went; nothing that hangs on the day on which
    the report is made."""
    spent = [(one["words"], one["minutes"]) for one in found["minutes"]]
    whole = sum(minutes for _, minutes in spent)
    left, done = found["left"], found["done"]
    waits = (
        f"{left:,} {'screen waits' if left == 1 else 'screens wait'} for people"
        if left
        else "No screen waits for people"
    )
    hours = f"; people took {whole:,.0f} minutes" if whole else ""
    rows = [
        [words, minutes, f"{100 * minutes / whole:.0f} %"] for words, minutes in spent if minutes
    ]
    return section(
        "progress",
        "What is left, and where people's minutes went",
        [f"{waits}; {done:,} {'was' if done == 1 else 'were'} done{hours}."],
        [table("Minutes of people", [("Work", TEXT), ("Minutes", NUMBER), ("Share", TEXT)], rows)],
    )


def agreement(found: Mapping[str, Any]) -> Any:
    """Judges beside people on each criterion, with the ceiling on the same cells, and the sentences
    that can be quoted."""
    rows, lines, quotes, silent = [], [], [], []
    for criterion in found["criteria"]:
        ceiling = criterion["people"]["ceiling"]
        among = figure(ceiling, 2)
        if among["value"] is None and criterion["people"]["lacking"]:
            among["text"] = str(criterion["people"]["lacking"])
        for judge in criterion["judges"]:
            shown, beside = figure(judge["shown"], 2), figure(judge["ceiling"], 2)
            verdict = judge["verdict"]
            told = f"{verdict['sign']} {verdict['word']}" + (
                f": {verdict['reason']}" if verdict["reason"] else ""
            )
            raw = judge["raw"] if shown["value"] is not None else None
            raw_words = "" if raw is None else f"{100 * raw:.0f} %"
            rows.append(
                [
                    criterion["title"],
                    judge["name"],
                    criterion["figure"],
                    shown,
                    beside,
                    raw_words,
                    judge["cells"],
                    told,
                ]
            )
            lines.append((f"{criterion['title']}, {judge['name']}", shown, beside))
            if shown["value"] is not None:
                quotes.append(judge["sentence"])
        if not criterion["judges"]:
            rows.append(
                [
                    criterion["title"],
                    "people among themselves",
                    criterion["figure"],
                    None,
                    among,
                    "",
                    criterion["cells"],
                    "",
                ]
            )
        silent += [f"{criterion['title']}: {one['words']}." for one in criterion["silent"]]
    columns = [
        ("Criterion", TEXT),
        ("Judge", TEXT),
        ("Measure", TEXT),
        ("With people", FIGURE),
        ("People on the same cells", FIGURE),
    ]
    columns += [("Same value", TEXT), ("Cells", NUMBER), ("Finding", TEXT)]
    left = found["left_out"]
    return section(
        "agreement",
        "Agreement of judges with people, beside people's own",
        [
            found["title"],
            found["subtitle"],
            f"Population: {found['population']['words']}.",
            *silent,
            found["idle"],
            f"Left out: {several(left['assisted'], 'verdict')} given with suggestions in "
            f"view, {left['other_draws']:,} of other draws, "
            f"{left['earlier_wording']:,} under an earlier wording.",
            f"Without two graders to compare: {', '.join(found['without'])}."
            if found["without"]
            else "",
        ],
        [table("Agreement", columns, rows)],
        [
            forest(
                "Judges with people",
                lines,
                "band: people among themselves on the same cells, 95 % interval",
            )
        ],
        quotes,
    )


def anchoring(found: Anchoring) -> Any:
    """By how much suggestions pull people."""
    rows = [
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
        ("Criterion", TEXT),
        ("Blind cells", NUMBER),
        ("Assisted cells", NUMBER),
        ("Pull", FIGURE),
        ("Time, times", FIGURE),
    ]
    return section(
        "anchoring",
        "Whether suggestions pull people",
        [found.title, found.subtitle],
        [table("Anchoring", [*columns, ("Finding", TEXT)], rows)],
    )


def routing(found: Routing) -> Any:
    """What the machine decides alone, by which right, and the terms that were logged."""
    rows: list[list[Any]] = []
    machine = {
        state: 0
        for state in (PROVEN, UNPROVEN, BY_RULE)
        if any(row.state == state for row in found.rows)
    }
    for row in found.rows:
        machine[row.state] += row.decided.automatic
        missing = (
            (
                " About "
                f"{several(row.missing, 'fresh label' if row.tested else 'more label')} "
                "would do."
            )
            if row.missing
            else ""
        )
        alarm = f" {row.audit.alarm}" if row.audit.alarm else ""
        promised = row.automatic if row.state == PROVEN else None
        rows.append(
            [
                *(
                    row.title,
                    row.task_type,
                    f"{_MARKS[row.state]} {row.state}",
                    row.cells,
                    row.labels,
                ),
                *(row.decided.automatic, promised, f"{row.words}{missing}{alarm}"),
            ]
        )
    columns = [
        ("Criterion", TEXT),
        ("Task type", TEXT),
        ("State", TEXT),
        ("Cells", NUMBER),
        ("Labelled blind", NUMBER),
    ]
    columns += [
        ("The machine's, no person graded them", NUMBER),
        ("Covered by the promise", NUMBER),
        ("Promise, or what is missing", TEXT),
    ]
    return section(
        "routing",
        "What the machine decides alone, and what is promised of it",
        [
            f"{found.title}.",
            *(
                (
                    f"{state}: {CLAIMS[state]}. {cells:,} of the machine's cells that no person "
                    "graded are of this kind."
                )
                for state, cells in machine.items()
            ),
            *_terms(found.terms, found.unit),
        ],
        [table("Routing", columns, rows)],
    )


def _terms(found: TermsShown | None, unit: Unit) -> list[str]:
    if found is None:
        return [f"No terms were logged: no {unit.one} was drawn yet."]
    return [_term(task, one, unit.many) for task, one in found.tasks.items() if one.drawn]


def _term(task: str, one: TaskTerms, unit: str) -> str:
    steps = f" by more than {one.within} steps" if one.within else ""
    opened = f"labels open since {one.opened[:10]}" if one.opened else "no label was opened"
    return (
        f"Terms for {task} questions, logged {one.at[:10]}: at most "
        f"{100 * one.alpha:g} % of the machine's cells may differ from a "
        f"person{steps}, sure to {100 * (1 - one.delta):g} %; draw {one.draw}, "
        f"{one.drawn:,} {unit}; {opened}."
    )


def leaderboard(found: Board) -> Any:
    """The models, best first, corrected by people; where that cannot be, it says so."""
    digits = found.axis.decimals
    rows: list[list[Any]] = []
    lines: list[Any] = []
    for row in found.models:
        shown = figure(row.figure, digits, "nobody graded it")
        low, high = row.ranks or (None, None)
        ranks = (
            ""
            if shown["value"] is None or low is None
            else f"{low}"
            if low == high
            else f"{low} to {high}"
        )
        beside = [figure(one, digits, "–") for one in (row.people, row.judge)]
        seconds = row.seconds
        cost = "" if row.cost is None else dollars(row.cost, each=True)
        rows.append(
            [row.model, ranks, shown, *beside, cost, "" if seconds is None else f"{seconds:.1f}"]
        )
        lines.append((row.model, shown, None))
    heads = [
        ("Model", TEXT),
        ("Rank", TEXT),
        (
            f"Corrected ({found.axis.words})" if found.axis.words else "Corrected",
            FIGURE,
        ),
    ]
    heads += [
        ("People only", FIGURE),
        (f"{found.judge or 'Judge'} alone", FIGURE),
        ("Cost an answer", TEXT),
        ("Seconds", TEXT),
    ]
    columns = [c for c in found.criteria if c.cells]
    each = [
        [
            row.model,
            *(figure(c.cells.get(row.model), c.decimals, "nobody graded it") for c in columns),
        ]
        for row in found.models
    ]
    return section(
        "leaderboard",
        "Leaderboard",
        [
            found.title,
            found.subtitle,
            found.rests_on,
            found.alone,
            found.ceiling,
            f"{found.judge} alone would mislead. {found.warning}" if found.warning else "",
            *leaderboard_words.tied([row.model for row in found.models], found.ties),
            *(f"{one.title} is not ranked: {one.reason}." for one in found.without),
        ],
        [
            table("Models", heads, rows),
            table(
                "By criterion",
                [("Model", TEXT), *((f"{c.title} ({c.words})", FIGURE) for c in columns)],
                each if columns else [],
            ),
        ],
        [forest(f"Models, {found.axis.words}", lines)],
    )


def costs(rows: Sequence[Sequence[Any]]) -> Any:
    """What judges cost, from the ledger and the verdicts; an unknown price is not zero."""
    shown = []
    for judge, criterion, verdicts, without, cost, unknown in rows:
        known = not verdicts or unknown < verdicts
        words = dollars(cost) if known else "price unknown"
        shown.append(
            [
                judge,
                criterion,
                verdicts,
                without,
                cost if known else None,
                f"at least {words}" if known and unknown else words,
            ]
        )
    columns = [
        ("Judge", TEXT),
        ("Criterion", TEXT),
        ("Verdicts", NUMBER),
        ("Without a value", NUMBER),
        ("US dollars", NUMBER),
    ]
    said = f"Judges cost {shown[-1][-1]} in all." if shown and shown[-1][4] is not None else ""
    if not said:
        said = "No price of a judge is known." if shown else "No judge was asked."
    return section(
        "costs", "Costs", [said], [table("Costs", [*columns, ("In words", TEXT)], shown)]
    )
