"""What is kept beside the verdicts, held against a fresh count, and made again from it: tallies,
opinions, free places.

Verdicts are only read here. An opinion is the present verdict of an author on a cell, and is made
from the verdicts alone.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from graders.core.records import Provenance, SubjectKey, Verdict
from graders.store.answers.anchors import repeated
from graders.store.answers.content import DONE, chunks, marks
from graders.store.desk import queued_screens
from graders.store.desk.own_screens import REPEAT
from graders.store.opinions import stored_verdicts, tallies, verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.store.projects import CriterionRow
from graders.store.soundness import DERIVED

Pair = tuple[int, int]

#: What a tally sums up.
_SUMS = ("cells", "people", "audit", "automatic", "total", "squares", "closed")
#: Cells `c` of finished imports with answer `a`, question `q` and tally `t`; which of them are
#: counted; whether under the right tally.
_COUNTED = (
    "FROM cell c JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
    "LEFT JOIN answer b ON b.id = s.other_id "
    "JOIN question q ON q.id = c.question_id LEFT JOIN tally t ON t.id = c.tally_id "
    f"WHERE c.import_id {DONE}"
)
_COUNTS = "(c.retired = 0 AND a.current = 1 AND coalesce(b.current, 1) = 1)"
_SAME = (
    "(t.project_id = c.project_id AND t.criterion_id = c.criterion_id AND t.model = a.model "
    "AND t.category = q.category "
    "AND t.task_type = q.task_type AND t.language = q.language)"
)
#: Verdicts `v` that may be an author's present opinion, the latest of a cell and author.
_STANDING = (
    "SELECT v.cell_id, v.author_id, max(v.id) AS verdict_id FROM verdict v "
    f"WHERE v.import_id {DONE} AND v.kind <> 'retracts' "
    f"AND NOT {repeated()} AND instr(coalesce(v.provenance, ''), '\"design\":\"{REPEAT}\"') "
    "= 0 AND NOT EXISTS (SELECT 1 FROM verdict r "
    "WHERE r.cell_id = v.cell_id AND r.author_id = v.author_id AND r.kind = 'retracts' "
    f"AND r.amends = v.uid AND r.import_id {DONE}) GROUP BY 1, 2"
)


def wrong_cells(db: sqlite3.Connection) -> list[int]:
    """Cells that are counted under another tally than their answer and question say, or not at all,
    or though they should not be."""
    sql = (
        f"SELECT c.id {_COUNTED} AND CASE WHEN {_COUNTS} THEN t.id IS NULL OR NOT {_SAME} "
        "ELSE c.tally_id IS NOT NULL END"
    )
    return [row[0] for row in db.execute(sql)]


def wrong_tallies(db: sqlite3.Connection) -> list[str]:
    """Tallies that differ from a fresh count of their cells, in words."""
    fresh = {
        row[0]: row[1:]
        for row in tallies.sums(db, f"c.tally_id IS NOT NULL AND c.import_id {DONE}", ())
    }
    found = []
    for row in db.execute(f"SELECT id, model, {', '.join(_SUMS)} FROM tally"):
        for name, ours, theirs in zip(
            _SUMS, tuple(row)[2:], fresh.get(row[0], (0,) * len(_SUMS)), strict=True
        ):
            if not math.isclose(ours, theirs, rel_tol=1e-6, abs_tol=1e-6):
                found.append(f"{row[1]}, {name}: {ours:,} kept, {theirs:,} counted")
                break
    return found


def count_again(db: sqlite3.Connection) -> None:
    """Point every cell at its tally and make the sums of all tallies from the cells, in the
    caller's transaction."""
    for batch in chunks(wrong_cells(db)):
        chosen = f"c.id IN ({marks(len(batch))})"
        counted = [
            row[0]
            for row in db.execute(f"SELECT c.id {_COUNTED} AND {chosen} AND {_COUNTS}", batch)
        ]
        db.execute(f"UPDATE cell SET tally_id = NULL WHERE id IN ({marks(len(batch))})", batch)
        tallies.assign(db, counted)
    db.execute(
        "UPDATE tally SET cells = 0, people = 0, audit = 0, automatic = 0, total = 0, "
        "squares = 0, closed = 0"
    )
    tallies.add_sums(db, tallies.sums(db, f"c.tally_id IS NOT NULL AND c.import_id {DONE}", ()), +1)


def wrong_opinions(db: sqlite3.Connection) -> list[Pair]:
    """(cell, author) whose present opinion is not what the verdicts say: missing, of another
    verdict or value, or without one."""
    sql = (
        f"WITH standing AS ({_STANDING}) SELECT n.cell_id, n.author_id FROM standing n "
        "JOIN verdict v ON v.id = n.verdict_id "
        "JOIN cell c ON c.id = n.cell_id LEFT JOIN opinion o ON o.criterion_id = "
        "c.criterion_id AND o.author_id = n.author_id "
        "AND o.cell_id = n.cell_id WHERE o.verdict_id IS NOT n.verdict_id "
        "OR o.value IS NOT v.value OR o.status IS NOT v.status "
        f"UNION SELECT o.cell_id, o.author_id FROM opinion o WHERE o.import_id {DONE} "
        "AND NOT EXISTS (SELECT 1 FROM verdict v "
        "WHERE v.id = o.verdict_id AND v.cell_id = o.cell_id AND v.author_id = o.author_id)"
    )
    return [(row[0], row[1]) for row in db.execute(sql)]


def say_again(
    db: sqlite3.Connection, pairs: Sequence[Pair], criteria: Mapping[int, CriterionRow]
) -> list[int]:
    """Make the opinions of (cell, author) anew from their verdicts, one after the other, in the
    caller's transaction.

    Returns the cells touched; those under criteria that are no longer in force are left alone.
    """
    touched = []
    for cell, author in pairs:
        row = db.execute(
            "SELECT criterion_id, question_id FROM cell WHERE id = ?", (cell,)
        ).fetchone()
        if row is None or row[0] not in criteria:
            continue
        db.execute(
            "DELETE FROM opinion WHERE criterion_id = ? AND author_id = ? AND cell_id = ?",
            (row[0], author, cell),
        )
        for verdict_id, verdict, import_id in _said(db, cell, author):
            given = CellVerdict(cell, criteria[row[0]], row[1], verdict)
            verdicts.set_opinions(db, [(verdict_id, given, author)], import_id)
        touched.append(cell)
    return touched


def _said(db: sqlite3.Connection, cell: int, author: int) -> Iterator[tuple[int, Verdict, int]]:
    """(row, verdict, import) of what an author said of a cell and did not retract, oldest first."""
    sql = (
        "SELECT v.*, a.kind AS author_kind, a.name AS author FROM verdict v "
        "JOIN author a ON a.id = v.author_id "
        f"WHERE v.cell_id = ? AND v.author_id = ? AND v.import_id {DONE} ORDER BY v.id"
    )
    rows = db.execute(sql, (cell, author)).fetchall()
    gone = {row["amends"] for row in rows if row["kind"] == "retracts"}
    for row in rows:
        if row["kind"] != "retracts" and row["uid"] not in gone:
            verdict = Verdict(
                subject=SubjectKey("", ""),
                criterion="",
                author=row["author"],
                author_kind=row["author_kind"],
                mark=stored_verdicts.read_mark(row),
                kind=row["kind"],
                criterion_hash=row["criterion_hash"],
                provenance=None
                if row["provenance"] is None
                else Provenance(**json.loads(row["provenance"])),
                metadata=json.loads(row["metadata"]),
            )
            yield row["id"], verdict, row["import_id"]


def wrong_places(db: sqlite3.Connection) -> list[int]:
    """Screens in the queue with another number of free places than they should have; one that was
    closed has none."""
    sql = (
        "SELECT q.screen_id FROM queue q JOIN screen s ON s.id = q.screen_id "
        "WHERE q.free <> 0 AND q.free <> max(0, s.needed - s.done - "
        "(SELECT count(*) FROM assignment a WHERE a.screen_id = q.screen_id "
        "AND a.state = 'leased'))"
    )
    return [row[0] for row in db.execute(sql)]


def wrong_open(db: sqlite3.Connection) -> list[str]:
    """Names of projects whose number of open screens is not that of their queue."""
    counted = "SELECT project_id, sum(free > 0) AS free FROM queue GROUP BY 1"
    sql = (
        f"SELECT p.name FROM project p LEFT JOIN ({counted}) q ON q.project_id = p.id LEFT "
        "JOIN open_screens o ON o.project_id = p.id "
        "WHERE coalesce(q.free, 0) <> coalesce(o.count, 0)"
    )
    return [row[0] for row in db.execute(sql)]


def place_again(db: sqlite3.Connection, screens: Sequence[int]) -> None:
    """Count the free places of screens, and the open screens of all projects, in the caller's
    transaction."""
    for screen in screens:
        queued_screens.count_places(db, screen)
    db.execute("DELETE FROM open_screens")
    db.execute(
        "INSERT INTO open_screens SELECT project_id, count(*) FROM queue WHERE free > 0 "
        "GROUP BY project_id"
    )


def named(db: sqlite3.Connection, cell_ids: Sequence[int]) -> list[str]:
    """Cells as people know them: question, model and criterion."""
    sql = (
        "SELECT q.key, a.model, k.key FROM cell c JOIN question q ON q.id = c.question_id "
        "JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id JOIN criterion k ON k.id = c.criterion_id "
        f"WHERE c.id IN ({marks(len(cell_ids))}) ORDER BY c.id"
    )
    return [f"question {row[0]}, {row[1]}, {row[2]}" for row in db.execute(sql, cell_ids)]


def drop_orphans(db: sqlite3.Connection) -> None:
    """Remove rows whose parent is gone from tables that are made from others; no other table is
    touched."""
    for table, row_id, _, _ in db.execute("PRAGMA foreign_key_check").fetchall():
        if table in DERIVED and row_id is not None:
            db.execute(f"DELETE FROM {table} WHERE rowid = ?", (row_id,))
    db.execute(
        "DELETE FROM opinion WHERE NOT EXISTS (SELECT 1 FROM verdict v "
        "WHERE v.id = opinion.verdict_id) "
        "OR NOT EXISTS (SELECT 1 FROM cell c WHERE c.id = opinion.cell_id) "
        "OR NOT EXISTS (SELECT 1 FROM question q WHERE q.id = opinion.question_id) "
        "OR NOT EXISTS (SELECT 1 FROM author a WHERE a.id = opinion.author_id)"
    )
    db.execute(
        "DELETE FROM queue WHERE NOT EXISTS (SELECT 1 FROM project p WHERE p.id = queue.project_id)"
    )


def forget_unreadable(db: sqlite3.Connection) -> None:
    """Calls that are said to be stored and have no reply that can be read are marked as deleted:
    what they cost stays."""
    db.execute(
        "UPDATE call SET reply = NULL, state = 'forgotten' WHERE state = 'stored' "
        "AND (reply IS NULL OR NOT json_valid(reply))"
    )
