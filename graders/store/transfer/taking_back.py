"""Taking a finished import back: its rows out of everybody's sight in one transaction, what it
replaced back in its place, and then its rows removed a little at a time.

Calls and their replies are never touched: what was paid for stays.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Collection, Sequence

from graders.store.answers import content
from graders.store.answers.content import DONE, chunks, marks
from graders.store.opinions import recount, tallies
from graders.store.projects import CriterionRow, Project
from graders.store.transfer import replaced_by_import
from graders.store.transfer.imports import ImportState
from graders.store.transfer.replaced_by_import import Replaced
from graders.store.transfer.row_removal import (
    OF_CELLS,
    by_and_by,
    remove_cells,
    remove_questions,
    remove_rows,
    remove_screens,
    remove_subjects,
    unchecked,
)
from graders.store.transfer.taking_back_obstacles import OWN, subjects_of
from graders.store.workspace import Workspace


def adopt(ws: Workspace, import_id: int) -> None:
    """Give an import what was made of its rows since: pairs, cells, and what rules said. They stay
    in sight, and go with it."""
    sql = f"SELECT id FROM {OWN}"
    ids = [row[0] for row in ws.db.execute(sql, {"id": import_id})]
    ws.background(ids, lambda db, some: _adopt(db, import_id, some))


def _adopt(db: sqlite3.Connection, import_id: int, subjects: Sequence[int]) -> None:
    """Never what a person or judge said: that is found by the look at who worked on it."""
    for ids in chunks(subjects):
        some = marks(len(ids))
        said = (
            f"cell_id IN (SELECT id FROM cell WHERE subject_id IN ({some})) "
            "AND author_id IN (SELECT id FROM author WHERE kind = 'rule')"
        )
        for table, where in (
            ("subject", f"id IN ({some})"),
            ("cell", f"subject_id IN ({some})"),
            ("verdict", said),
            ("opinion", said),
        ):
            sql = f"UPDATE {table} SET import_id = ? WHERE import_id = 0 AND {where}"
            db.execute(sql, (import_id, *ids))


def stamp(db: sqlite3.Connection) -> tuple[float | None, ...]:
    """Changes whenever anything is added that could stand against taking an import back, or is made
    of its rows."""
    names = ("subject", "cell", "verdict", "assignment", "import", "election", "draft", "answer")
    last = (f"(SELECT coalesce(max(id), 0) FROM {name})" for name in names)
    more = (
        "(SELECT count(*) FROM save), (SELECT max(lease_until) FROM assignment "
        "WHERE state = 'leased')"
    )
    return tuple(db.execute(f"SELECT {', '.join(last)}, {more}").fetchone())


def hide(
    ws: Workspace, db: sqlite3.Connection, project: Project, import_id: int, *, adopted: bool
) -> tuple[list[int], Replaced]:
    """In the one transaction, first half: the import's rows count no more, and its screens are
    gone. Returns the subjects whose questions are given back, taken out of the counts, too.

    `adopted`: nothing was made of its rows since they were adopted.
    """
    if not adopted:
        rows = db.execute(f"SELECT id FROM {OWN}", {"id": import_id}).fetchall()
        _adopt(db, import_id, [row[0] for row in rows])
    # what others said meanwhile of cells on visible answers is not the import's
    db.execute(
        "UPDATE cell SET import_id = 0 WHERE import_id = :id AND subject_id NOT IN (SELECT id FROM "
        "subject WHERE import_id = :id) AND EXISTS (SELECT 1 FROM verdict v "
        "WHERE v.cell_id = cell.id AND v.import_id <> :id)",
        {"id": import_id},
    )
    tallies.add_sums(db, tallies.import_sums(db, import_id), -1)
    state = ImportState.TAKING_BACK
    db.execute("UPDATE import SET state = ? WHERE id = ?", (state, import_id))
    _take_screens(db, import_id)
    was = replaced_by_import.replaced(db, import_id)
    moved = content.subjects_of(db, list(was.questions))
    tallies.count_cells(db, moved, -1)
    return moved, was


def put_back(
    ws: Workspace,
    db: sqlite3.Connection,
    project: Project,
    import_id: int,
    was: Replaced,
) -> tuple[list[int], list[str], list[str]]:
    """In the one transaction, second half: what the import replaced. Returns subjects of earlier
    versions that are shown again, criteria in force again, and rubrics that stay."""
    replaced_by_import.put_back_rows(db, "question", was.questions)
    replaced_by_import.put_back_rows(db, "answer", was.figures)
    replaced_by_import.put_back_settings(ws, project, was.settings)
    keys, stay = replaced_by_import.put_back_rubrics(ws, db, project, was, import_id)
    back = [
        row[0]
        for row in db.execute(
            "SELECT o.id, max(o.version) FROM answer n JOIN answer o "
            "ON o.question_id = n.question_id "
            f"AND o.model = n.model AND o.import_id {DONE} WHERE n.import_id = ? AND n.current = 1 "
            "GROUP BY o.question_id, o.model",
            (import_id,),
        )
    ]
    for ids in chunks(back):
        db.execute(f"UPDATE answer SET current = 1 WHERE id IN ({marks(len(ids))})", ids)
    db.execute(
        "UPDATE answer AS n SET current = 0 WHERE import_id = ? AND EXISTS (SELECT 1 FROM answer o "
        "WHERE o.question_id = n.question_id AND o.model = n.model AND o.import_id <> n.import_id)",
        (import_id,),
    )
    shown = [*subjects_of(db, "answer_id", back), *subjects_of(db, "other_id", back)]
    return shown, keys, stay


def unsay(db: sqlite3.Connection, import_id: int, criteria: Collection[CriterionRow]) -> list[int]:
    """In the one transaction: what the import's authors said of answers that were there before is
    again what they said before it. Returns these cells."""
    pairs = [
        (row[0], row[1])
        for row in db.execute(
            "SELECT DISTINCT v.cell_id, v.author_id FROM verdict v JOIN cell c ON c.id = v.cell_id "
            "WHERE v.import_id = :id AND c.import_id <> :id",
            {"id": import_id},
        )
    ]
    db.execute(
        "DELETE FROM opinion WHERE verdict_id IN (SELECT v.id FROM verdict v "
        "JOIN cell c ON c.id = v.cell_id WHERE v.import_id = :id AND c.import_id <> :id)",
        {"id": import_id},
    )
    recount.say_again(db, pairs, {row.id: row for row in criteria})
    return sorted({cell for cell, _ in pairs})


def _take_screens(db: sqlite3.Connection, import_id: int) -> None:
    """Take an import's answers off all screens; screens on which none is left go."""
    mine = "subject_id IN (SELECT id FROM subject WHERE import_id = ?)"
    bare = [
        row[0]
        for row in db.execute(
            f"SELECT DISTINCT x.screen_id FROM screen_subject x WHERE x.{mine} AND NOT EXISTS "
            "(SELECT 1 FROM screen_subject y JOIN subject s ON s.id = y.subject_id "
            "WHERE y.screen_id = x.screen_id AND s.import_id <> ?)",
            (import_id, import_id),
        )
    ]
    db.execute(f"DELETE FROM screen_subject WHERE {mine}", (import_id,))
    db.execute(
        "DELETE FROM screen_cell WHERE cell_id IN (SELECT id FROM cell WHERE import_id = ?)",
        (import_id,),
    )
    remove_screens(db, bare)


def remove(ws: Workspace, project: Project, import_id: int) -> None:
    """Remove the rows of an import that is being taken back, a little at a time; may be done again
    after an interruption.

    Where answers of the project were drawn or put into an order, the last of its rows stay, empty
    and out of sight: their numbers say which answers there were then, and no later one may get
    them.
    """
    with unchecked(ws):
        _remove(ws, project, import_id)
    with ws.write() as db:
        replaced_by_import.forget_people(
            db, project, replaced_by_import.replaced(db, import_id).people
        )
        for table in ("kept", "bad_row", "question_change", "undo", "test_label"):
            db.execute(f"DELETE FROM {table} WHERE import_id = ?", (import_id,))
        state = ImportState.TAKEN_BACK
        db.execute("UPDATE import SET state = ? WHERE id = ?", (state, import_id))


def _remove(ws: Workspace, project: Project, import_id: int) -> None:
    values = (import_id,)
    cells, subjects = _last(ws.db, project, import_id)
    but = f"NOT IN ({','.join(map(str, cells)) or 0})"
    by_and_by(ws, f"SELECT id FROM cell WHERE import_id = ? AND id {but}", values, remove_cells)
    by_and_by(  # on cells of other imports
        ws,
        f"SELECT id FROM verdict WHERE import_id = ? AND cell_id {but}",
        values,
        lambda db, ids: remove_rows(db, "verdict", ids),
    )
    keep = ",".join(map(str, subjects)) or "0"
    by_and_by(
        ws,
        f"SELECT id FROM subject WHERE import_id = ? AND id NOT IN ({keep})",
        values,
        remove_subjects,
    )
    kept = f"(SELECT answer_id FROM subject WHERE id IN ({keep}))"
    asked = f"(SELECT question_id FROM subject WHERE id IN ({keep}))"
    by_and_by(
        ws,
        f"SELECT id FROM answer WHERE import_id = ? AND id NOT IN {kept} AND id NOT IN "
        f"(SELECT coalesce(other_id, 0) FROM subject WHERE id IN ({keep}))",
        values,
        lambda db, ids: remove_rows(db, "answer", ids),
    )
    by_and_by(
        ws,
        f"SELECT id FROM question WHERE import_id = ? AND id NOT IN {asked}",
        values,
        lambda db, ids: remove_questions(db, project.id, ids),
    )
    with ws.write() as db:
        _empty(db, import_id, cells)


def _last(db: sqlite3.Connection, project: Project, import_id: int) -> tuple[list[int], list[int]]:
    """The cells and subjects of an import that hold the highest numbers in the file, where a draw
    or an order rests on such numbers."""
    drawn = db.execute(
        "SELECT 1 FROM event WHERE project_id = ?1 AND kind = 'draw' "
        "UNION ALL SELECT 1 FROM confidence_order WHERE project_id = ?1 LIMIT 1",
        (project.id,),
    ).fetchone()
    if drawn is None:
        return [], []
    sql = "SELECT id{} FROM {} WHERE id = (SELECT max(id) FROM {}) AND import_id = ?"
    cell = db.execute(sql.format(", subject_id", "cell", "cell"), (import_id,)).fetchone()
    subject = db.execute(sql.format("", "subject", "subject"), (import_id,)).fetchone()
    if (
        cell is not None
        and db.execute("SELECT import_id FROM subject WHERE id = ?", (cell[1],)).fetchone()[0]
        != import_id
    ):
        return [cell[0]], [subject[0]] if subject else []
    subjects = {*([cell[1]] if cell else []), *([subject[0]] if subject else [])}
    return [cell[0]] if cell else [], sorted(subjects)


def _empty(db: sqlite3.Connection, import_id: int, cells: Sequence[int]) -> None:
    """Leave nothing in an import's rows, those that stay: no text, key, model or value."""
    for cell in cells:
        for table in OF_CELLS:
            db.execute(f"DELETE FROM {table} WHERE cell_id = ?", (cell,))
        db.execute(
            "UPDATE cell SET suggestion = NULL, suggestion_confidence = NULL, "
            "suggestion_reason = '', route = '', route_reason = '', final = NULL, "
            "final_number = NULL, final_source = 'pending', final_reason = '', part = ? "
            "WHERE id = ?",
            (secrets.token_hex(8), cell),
        )
    db.execute(
        "UPDATE question SET key = ? || '-' || id, text = '', category = '', detail = '', "
        "refs = '[]', context = '[]', facts = '[]', must_have = '[]', metadata = '{}' "
        "WHERE import_id = ?",
        (secrets.token_hex(8), import_id),
    )
    db.execute(
        "UPDATE answer SET model = ? || '-' || id, text = '', text_hash = '', metadata = '{}', "
        "time_to_first_token = NULL, total_seconds = NULL, input_tokens = NULL, "
        "output_tokens = NULL, cost = NULL, finish_reason = '' WHERE import_id = ?",
        (secrets.token_hex(8), import_id),
    )
