"""The sections of a report on models and on costs, from what the pages show."""

from __future__ import annotations

from collections.abc import Sequence

from graders.core.money import dollars
from graders.core.words import say
from graders.exporters.sheets.costs import Cost
from graders.workflows.leaderboard import words as leaderboard_words
from graders.workflows.leaderboard.board import Board, Ranked
from graders.workflows.report._parts import (
    FIGURE,
    NUMBER,
    TEXT,
    Cell,
    Figure,
    Section,
    Table,
    figure,
    forest,
    section,
    table,
)


def leaderboard(found: Board) -> Section:
    """The models, best first, corrected by people; where that cannot be, it says so."""
    digits = found.axis.decimals
    shown = [figure(row.figure, digits, say("report.board.ungraded")) for row in found.models]
    rows = [
        _board_row(row, corrected, digits)
        for row, corrected in zip(found.models, shown, strict=True)
    ]
    scale = found.axis.words
    columns = [
        (say("report.head.model"), TEXT),
        (say("report.head.rank"), TEXT),
        (_head(found, scale), FIGURE),
        (say("report.head.people_only"), FIGURE),
        (
            say("report.head.judge_alone", judge=found.judge)
            if found.judge
            else say("report.head.no_judge_alone"),
            FIGURE,
        ),
        (say("report.head.cost_each"), TEXT),
        (say("report.head.seconds"), TEXT),
    ]
    names = [row.model for row in found.models]
    lines = [(name, corrected, None) for name, corrected in zip(names, shown, strict=True)]
    misled = say("report.board.misled", judge=found.judge, warning=found.warning)
    return section(
        "leaderboard",
        say("report.board.title"),
        [
            found.title,
            found.subtitle,
            found.rests_on,
            found.choice.warning,
            found.alone,
            found.ceiling,
            misled if found.warning else "",
            *leaderboard_words.tied(names, found.ties),
            *(
                say("report.board.unranked", criterion=one.title, reason=one.reason)
                for one in found.without
            ),
        ],
        [table(say("report.board.models"), columns, rows), _by_criterion(found)],
        [forest(say("report.board.chart", scale=scale), lines)],
    )


def _head(found: Board, scale: str) -> str:
    """Whose figures are ranked by."""
    if found.show == "judge":
        who = say("report.head.judge_alone", judge=found.judge)
        return say("report.head.unconfirmed", who=who) if found.unconfirmed else who
    if found.show == "people":
        return say("report.head.people_only")
    return say("report.head.corrected_on", scale=scale) if scale else say("report.head.corrected")


def _board_row(row: Ranked, corrected: Figure, digits: int) -> list[Cell]:
    low, high = row.ranks or (None, None)
    if corrected.value is None or low is None:
        ranks = ""
    else:
        ranks = f"{low}" if low == high else say("report.board.ranks", low=low, high=high)
    return [
        row.model,
        ranks,
        corrected,
        figure(row.people, digits, "–"),
        figure(row.judge, digits, "–"),
        "" if row.cost is None else dollars(row.cost, each=True),
        "" if row.seconds is None else f"{row.seconds:.1f}",
    ]


def _by_criterion(found: Board) -> Table:
    """Models by criterion, on each criterion's own scale."""
    criteria = [criterion for criterion in found.criteria if criterion.cells]
    ungraded = say("report.board.ungraded")
    rows: list[list[Cell]] = [
        [
            row.model,
            *(figure(one.cells.get(row.model), one.decimals, ungraded) for one in criteria),
        ]
        for row in found.models
        if criteria
    ]
    heads = [(f"{one.title} ({one.words})", FIGURE) for one in criteria]
    return table(say("report.board.by_criterion"), [(say("report.head.model"), TEXT), *heads], rows)


def costs(rows: Sequence[Cost]) -> Section:
    """What judges cost, from the ledger and the verdicts; an unknown price is not zero."""
    shown: list[list[Cell]] = []
    words = ""
    for row in rows:
        unknown = row.unknown or 0
        priced = not row.verdicts or unknown < row.verdicts
        words = dollars(row.dollars) if priced else say("report.costs.unknown")
        if priced and unknown:
            words = say("report.costs.at_least", cost=words)
        shown.append(
            [
                row.judge,
                row.criterion,
                row.verdicts,
                row.without,
                row.dollars if priced else None,
                words,
            ]
        )
    columns = [
        (say("report.head.judge"), TEXT),
        (say("report.head.criterion"), TEXT),
        (say("report.head.verdicts"), NUMBER),
        (say("report.head.without_value"), NUMBER),
        (say("report.head.dollars"), NUMBER),
        (say("report.head.in_words"), TEXT),
    ]
    if shown and shown[-1][4] is not None:
        sentence = say("report.costs.all", cost=words)
    else:
        sentence = say("report.costs.no_price") if shown else say("report.costs.no_judge")
    return section(
        "costs",
        say("report.costs.title"),
        [sentence],
        [table(say("report.costs.title"), columns, shown)],
    )
