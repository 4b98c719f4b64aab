"""Judges' present verdicts that quote what is not in the answer: a flag beside each opinion, so
that routing reads no evidence.

None: nobody has looked for the quotes yet (files bring such, and so did earlier versions); 0: they
are there, or none was given; 1: they are not there, and the judge was asked once more or will not
be; 2: they are not there, and the judge is still to be asked once more.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from graders.core.quotes import misquotes, unsought
from graders.core.records import MISQUOTED, Evidence, Verdict
from graders.store.answers.content import chunks, marks, tuples
from graders.store.projects import Project

FINE, MISQUOTES, DUE = 0, 1, 2
#: The name in a verdict's metadata for why its judge was asked once more.
ASKED_AGAIN = "asked_again"
#: Answers by which it is told how often a judge misquotes.
_ANSWERS = 400


class Unsought(NamedTuple):
    """A judge's opinion with quotes that nobody has looked for: its row's key, the answer and
    criterion, and the quotes."""

    criterion: int
    author: int
    cell: int
    subject: int
    quotes: tuple[str, ...]


def flag(verdict: Verdict, import_id: int = 0) -> int | None:
    """The flag of a verdict. What a file says of its quotes is looked up where it does not say that
    they are there."""
    if verdict.author_kind != "judge":
        return FINE
    lost = misquotes(verdict.mark)
    if unsought(verdict.mark) or (lost and import_id):
        return None
    if not lost:
        return FINE
    return MISQUOTES if verdict.metadata.get(ASKED_AGAIN) == MISQUOTED else DUE


def unsought_before(db: sqlite3.Connection, project: Project) -> list[int] | None:
    """Cells on which a judge gave verdicts before any were looked at, see `begin`; None where these
    wait already, or are done."""
    if db.execute("SELECT 1 FROM unsought WHERE project_id = ?", (project.id,)).fetchone() is None:
        return None
    sql = (
        "SELECT DISTINCT o.cell_id FROM opinion o JOIN author a ON a.id = o.author_id "
        "WHERE a.project_id = ? AND a.kind = 'judge' ORDER BY 1"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def begin(db: sqlite3.Connection, cells: Sequence[int]) -> None:
    """Judges' opinions on these cells wait to be looked at: those with a quote that was not found,
    or that nobody looked for."""
    quoted = (
        "instr(v.evidence, '\"quote\":') > 0 AND (instr(v.evidence, '\"found\":false') > 0 "
        "OR instr(v.evidence, '\"found\":') = 0)"
    )
    for some in chunks(cells):
        db.execute(
            f"UPDATE opinion SET misquoted = NULL WHERE misquoted = {FINE} "
            "AND (criterion_id, author_id, cell_id) IN (SELECT o.criterion_id, "
            "o.author_id, o.cell_id FROM opinion o INDEXED BY opinion_cell "
            "JOIN author a ON a.id = o.author_id AND a.kind = 'judge' "
            f"JOIN verdict v ON v.id = o.verdict_id WHERE {quoted} "
            f"AND o.cell_id IN ({marks(len(some))}))",
            some,
        )


def begun(db: sqlite3.Connection, project: Project) -> None:
    """All that was said before waits to be looked at."""
    db.execute("DELETE FROM unsought WHERE project_id = ?", (project.id,))


def unsought_cells(db: sqlite3.Connection, project: Project) -> list[int]:
    """Cells with opinions that were not looked at yet."""
    sql = (
        "SELECT DISTINCT cell_id FROM opinion WHERE misquoted IS NULL "
        "AND author_id IN (SELECT id FROM author WHERE project_id = ?)"
    )
    return [row[0] for row in db.execute(f"{sql} ORDER BY 1", (project.id,))]


def unsought_in(db: sqlite3.Connection, cells: Sequence[int]) -> list[Unsought]:
    """The opinions on these cells that were not looked at yet."""
    found: list[Unsought] = []
    for some in chunks(cells):
        sql = (
            "SELECT o.criterion_id, o.author_id, o.cell_id, c.subject_id, v.evidence "
            "FROM opinion o INDEXED BY opinion_cell JOIN cell c "
            "ON c.id = o.cell_id JOIN verdict v ON v.id = o.verdict_id "
            f"WHERE o.misquoted IS NULL AND o.cell_id IN ({marks(len(some))})"
        )
        for row in db.execute(sql, some):
            said = [Evidence(**item) for item in json.loads(row[4])]
            found.append(
                Unsought(
                    row[0],
                    row[1],
                    row[2],
                    row[3],
                    tuple(e.quote for e in said if e.quote and not e.found),
                )
            )
    return found


def set_flags(db: sqlite3.Connection, rows: Sequence[tuple[Unsought, bool]]) -> None:
    """Note of opinions whether they misquote; those that were said anew meanwhile stay as they
    are."""
    db.executemany(
        (
            "UPDATE opinion SET misquoted = ? WHERE criterion_id = ? AND author_id = ? "
            "AND cell_id = ? AND misquoted IS NULL"
        ),
        [(MISQUOTES if lost else FINE, one.criterion, one.author, one.cell) for one, lost in rows],
    )


class Due(NamedTuple):
    """A judge's present verdict that it is to be asked about once more: its cell, and by which
    wording and recipe it was given."""

    subject: int
    criterion: str
    part: str
    wording: str
    recipe: str


def due(db: sqlite3.Connection, project: Project, author: str) -> list[Due]:
    """The verdicts of a judge that it is to be asked about once more, on current answers, by
    subject."""
    sql = (
        "SELECT c.subject_id, k.key, c.part, o.criterion_hash, v.recipe_hash FROM author a "
        "JOIN opinion o ON o.author_id = a.id "
        f"AND o.misquoted = {DUE} JOIN cell c ON c.id = o.cell_id "
        "JOIN criterion k ON k.id = c.criterion_id JOIN verdict v ON v.id = o.verdict_id "
        "WHERE a.project_id = ? AND a.kind = 'judge' AND a.name = ? "
        "AND c.tally_id IS NOT NULL ORDER BY c.subject_id, c.id"
    )
    return [Due(*row) for row in tuples(db, sql, (project.id, author))]


def asked_once_more(db: sqlite3.Connection, project: Project, author: str) -> tuple[int, int, int]:
    """(answers, first calls, calls that were or would have been made once more) of up to some
    hundred answers that a judge graded by calls.

    Calls before it was asked once more count too: by what they quoted.
    """
    seen: set[int] = set()
    who = "SELECT id FROM author WHERE project_id = ? AND kind = 'judge' AND name = ?"
    for (criterion,) in db.execute(
        "SELECT id FROM criterion WHERE project_id = ?", (project.id,)
    ).fetchall():
        sql = (
            "SELECT c.subject_id FROM opinion o JOIN cell c ON c.id = o.cell_id "
            f"WHERE o.criterion_id = ? AND o.author_id = ({who}) LIMIT ?"
        )
        seen.update(row[0] for row in db.execute(sql, (criterion, project.id, author, _ANSWERS)))
    sums = [0, 0, 0]
    again = f"json_extract(v.metadata, '$.{ASKED_AGAIN}') IS ?"
    for some in chunks(sorted(seen)[:_ANSWERS]):
        sql = (
            f"SELECT count(DISTINCT c.subject_id), count(DISTINCT iif({again}, NULL, v.call_key)), "
            f"count(DISTINCT iif({again} OR o.misquoted > 0, v.call_key, NULL)) FROM cell c "
            "JOIN opinion o ON o.criterion_id = c.criterion_id "
            f"AND o.author_id = ({who}) AND o.cell_id = c.id "
            "JOIN verdict v ON v.id = o.verdict_id WHERE v.call_key <> '' "
            f"AND c.subject_id IN ({marks(len(some))})"
        )
        row = db.execute(sql, (MISQUOTED, MISQUOTED, project.id, author, *some)).fetchone()
        sums = [was + more for was, more in zip(sums, row, strict=True)]
    return sums[0], max(sums[0], sums[1]), sums[2]
