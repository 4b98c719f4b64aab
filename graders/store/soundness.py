"""What can be wrong in a workspace file itself: damaged pages, rows whose parent is gone, sums of
the ledger. Nothing writes."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from graders.core.records import GIVEN_UP, IN_FLIGHT
from graders.core.words import say
from graders.store.damage import is_damage

#: How many examples a finding names, and how many complaints SQLite is asked for.
EXAMPLES, COMPLAINTS = 3, 100
#: Tables that hold only what can be made again from others: a row of theirs without a parent may
#: go.
DERIVED = ("opinion", "queue", "open_screens", "chance", "lesson", "tally")
#: (table, column, table of the parents, its column, which rows): what the schema does not hold
#: together by itself.
_LOOSE = (
    ("cell", "tally_id", "tally", "id", "tally_id IS NOT NULL"),
    ("opinion", "question_id", "question", "id", ""),
    ("queue", "project_id", "project", "id", ""),
    ("assignment", "project_id", "project", "id", ""),
    ("metric_value", "project_id", "project", "id", ""),
    ("verdict", "screen_id", "screen", "id", "screen_id IS NOT NULL"),
    ("verdict", "call_key", "call", "key", "call_key <> ''"),
    ("save", "person_id", "person", "id", ""),
    ("flag", "person_id", "person", "id", ""),
    ("call", "project_id", "project", "id", ""),
    ("call", "run_id", "run", "id", "run_id IS NOT NULL"),
    ("batch", "run_id", "run", "id", ""),
    ("request", "key", "call", "key", ""),
)
_INDEX = re.compile(r"(row \d+ missing from|wrong # of entries in|non-unique entry in) index")
#: A difference of so many US dollars is rounding.
_CENT_OF_A_CENT = 1e-4


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong. `check`: which check found it; `mendable`: whether it can be made
    again from what is there."""

    check: str
    count: int
    words: str
    remedy: str
    mendable: bool = False
    examples: tuple[str, ...] = ()


def from_backup() -> str:
    """What to do about rows that nothing else can restore."""
    return say("store.soundness.from_backup")


def pages(db: sqlite3.Connection) -> list[Finding]:
    """SQLite's own integrity check: every page and index."""
    try:
        told = [str(row[0]) for row in db.execute(f"PRAGMA integrity_check({COMPLAINTS})")]
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        told = [str(error)]
    told = [" ".join(line.split()) for line in told if line != "ok"]
    indexes = [line for line in told if _INDEX.match(line)]
    broken = [line for line in told if not _INDEX.match(line)]
    found = []
    if broken:
        found.append(
            Finding(
                "pages",
                len(broken),
                say("store.soundness.pages"),
                from_backup(),
                False,
                tuple(broken[:EXAMPLES]),
            )
        )
    if indexes:
        remedy = say("store.soundness.mend_indexes")
        found.append(
            Finding(
                "indexes",
                len(indexes),
                say("store.soundness.indexes"),
                remedy,
                not broken,
                tuple(indexes[:EXAMPLES]),
            )
        )
    return found


def references(db: sqlite3.Connection) -> Iterator[Finding]:
    """Rows that name a row which is not there: what the schema declares, and what only programs
    keep."""
    counts: dict[tuple[str, str], int] = {}
    for row in db.execute("PRAGMA foreign_key_check"):
        counts[row[0], row[2]] = counts.get((row[0], row[2]), 0) + 1
    for (table, parent), count in counts.items():
        yield _orphans(table, parent, count)
    for table, column, parent, key, which in _LOOSE:
        where = (
            f"{which or 'true'} AND NOT EXISTS (SELECT 1 FROM {parent} p "
            f"WHERE p.{key} = t.{column})"
        )
        count = db.execute(f"SELECT count(*) FROM {table} t WHERE {where}").fetchone()[0]
        if count and (table, parent) not in counts:
            yield _orphans(table, parent, count)


def unreadable(db: sqlite3.Connection) -> Iterator[Finding]:
    """Verdicts with parts that are not the JSON that they should be."""
    columns = " OR ".join(
        f"({name} IS NOT NULL AND NOT json_valid({name}))"
        for name in ("value", "evidence", "provenance", "metadata")
    )
    if count := db.execute(f"SELECT count(*) FROM verdict WHERE {columns}").fetchone()[0]:
        yield Finding("rows", count, say("store.soundness.unreadable"), from_backup())


def _orphans(table: str, parent: str, count: int) -> Finding:
    words = say("store.soundness.orphans", table=table, parent=parent)
    if table in DERIVED:
        return Finding(
            "rows",
            count,
            words,
            say("store.soundness.mend_orphans"),
            True,
            (table,),
        )
    if (table, parent) == ("cell", "tally"):
        return Finding("rows", count, words, say("store.soundness.mend_counts"), True, (table,))
    return Finding("rows", count, words, from_backup(), False, (table,))


def ledger(db: sqlite3.Connection) -> Iterator[Finding]:
    """Calls that contradict themselves, and runs whose totals are not the sum of their calls."""
    unreadable = "state = 'stored' AND (reply IS NULL OR NOT json_valid(reply))"
    if count := db.execute(f"SELECT count(*) FROM call WHERE {unreadable}").fetchone()[0]:
        remedy = say("store.soundness.mend_calls")
        yield Finding(
            "ledger",
            count,
            say("store.soundness.calls"),
            remedy,
            True,
        )
    sums = (
        (
            "json_array_length(causes) <> max(sends - 1, 0)",
            say("store.soundness.resends"),
        ),
        (
            (
                "coalesce(money, 0) < 0 OR coalesce(input_tokens, 0) < 0 OR "
                "coalesce(output_tokens, 0) < 0"
            ),
            say("store.soundness.costs"),
        ),
        ("certainly_paid > sends", say("store.soundness.paid")),
    )
    for where, words in sums:
        if count := db.execute(
            f"SELECT count(*) FROM call WHERE json_valid(causes) AND ({where})"
        ).fetchone()[0]:
            yield Finding("ledger", count, words, from_backup())
    yield from _totals(db)


def _totals(db: sqlite3.Connection) -> Iterator[Finding]:
    """By project, since a later run may take up a call of an earlier one. Calls under way when a
    process was killed may be counted twice or not yet."""
    sql = (
        "SELECT p.name, sum(coalesce(json_extract(r.progress, '$.money'), 0)), "
        "(SELECT coalesce(sum(c.money), 0) FROM call c WHERE c.run_id IN "
        "(SELECT t.id FROM run t WHERE t.project_id = p.id "
        "AND json_extract(t.progress, '$.money') IS NOT NULL)) FROM run r JOIN project p "
        "ON p.id = r.project_id WHERE json_extract(r.progress, '$.money') IS NOT NULL "
        "GROUP BY p.id HAVING sum(r.state IN ('queued', 'running', "
        "'pausing')) = 0 AND NOT EXISTS (SELECT 1 FROM call c, json_each(c.causes) j "
        "WHERE c.project_id = p.id AND j.value IN (?, ?))"
    )
    for name, told, paid in db.execute(sql, (IN_FLIGHT, GIVEN_UP)):
        if abs(told - paid) > _CENT_OF_A_CENT:
            words = say("store.soundness.totals", name=name, told=told, paid=paid)
            remedy = say("store.soundness.totals_remedy")
            yield Finding("ledger", 1, words, remedy)
