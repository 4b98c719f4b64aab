"""Cells: one row per subject, criterion and part with its present state, and the tallies that pages
show.

A cell's state and its tally change in the transaction of the verdict that caused it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.claims import with_claims
from graders.core.preference import compares_two
from graders.core.records import Subject
from graders.core.scale import Value
from graders.store.answers.claims import given_up
from graders.store.answers.content import DONE, chunks, marks
from graders.store.answers.content import subjects as stored_subjects
from graders.store.opinions import pairs
from graders.store.opinions.tallies import add_sums, count_cells, note_asked
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace, dumps


@dataclass(frozen=True, slots=True)
class CellState:
    """The present state of a cell. `final_source`: adjudicated, people, automatic, closed (not
    applicable) or pending."""

    suggestion: Value | None = None
    confidence: float | None = None
    suggestion_reason: str = ""
    route: str = ""
    route_reason: str = ""
    final: Value | None = None
    final_source: str = "pending"
    final_reason: str = ""
    open: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with its rows. `tally_id` is None where it is not counted; `number` is the final value
    as a number."""

    id: int
    question_id: int
    subject_id: int
    criterion_id: int
    part: str
    state: CellState
    tally_id: int | None
    number: float | None


def ensure_cells(
    ws: Workspace,
    project: Project,
    criteria: Sequence[CriterionRow],
    subjects: Sequence[int],
    import_id: int = 0,
) -> int:
    """Make the missing cells of `subjects` (row ids) under `criteria`; returns how many were made.

    Criteria that pairs are graded by make cells of pairs only, all others of single answers only.
    Outside an import, cells whose part is no longer asked about (a list that was edited, a
    criterion that got parts) are retired with their verdicts: kept, and neither shown nor counted
    until they are asked about again.
    """
    made = 0
    paired = pair_criteria(ws.db, project)

    def work(db: sqlite3.Connection, batch: Sequence[int]) -> None:
        nonlocal made
        for ids in chunks(batch):
            have = {
                (r[0], r[1], r[2]): bool(r[3])
                for r in db.execute(
                    (
                        "SELECT subject_id, criterion_id, part, retired FROM cell "
                        f"WHERE subject_id IN ({marks(len(ids))})"
                    ),
                    ids,
                )
            }
            owners = db.execute(
                (
                    "SELECT id, question_id, other_id IS NOT NULL FROM subject "
                    f"WHERE id IN ({marks(len(ids))})"
                ),
                ids,
            ).fetchall()
            asked = _asked(db, criteria, [subject for subject, _, _ in owners])
            rows = [
                (project.id, question, subject, c.id, part, import_id)
                for subject, question, is_pair in owners
                for c in criteria
                if (c.id in paired) == bool(is_pair)
                for part in _parts_asked(c, asked.get(subject))
            ]
            wanted = {(row[2], row[3], row[4]) for row in rows}
            new = [row for row in rows if (row[2], row[3], row[4]) not in have]
            before = db.total_changes
            db.executemany(
                (
                    "INSERT OR IGNORE INTO cell (project_id, question_id, subject_id, "
                    "criterion_id, part, import_id) VALUES (?,?,?,?,?,?)"
                ),
                new,
            )
            made += db.total_changes - before
            if import_id:
                continue
            sentences = {row: given_up(subject) for row, subject in asked.items()}
            retired = _retire(
                db, [c for c in criteria if c.id not in paired], have, wanted, sentences
            )
            if not retired and new:
                count_cells(db, sorted({row[2] for row in new}), +1)
            if retired or new:
                note_asked(db)

    ws.background(subjects, work)
    return made


def _parts_asked(row: CriterionRow, subject: Subject | None) -> tuple[str, ...]:
    if row.criterion.by_question:
        return () if subject is None else row.criterion.parts_of(subject.question)
    return row.criterion.parts or ("",)


def _retire(
    db: sqlite3.Connection,
    criteria: Sequence[CriterionRow],
    have: Mapping[tuple[int, int, str], bool],
    wanted: set[tuple[int, int, str]],
    sentences: Mapping[int, Sequence[str]],
) -> bool:
    """Retire the cells that are no longer asked about, bring back those that are again, and count
    their answers anew; whether there were any. Claims are split by whoever grades them: of those
    only the `sentences` (by subject) go that a model split otherwise. A question that lost its
    whole list keeps what people said of it, unless another criterion takes its place."""
    found = {c.id: c.criterion for c in criteria}
    replaced = {c.criterion.unless for c in criteria}
    listed = {(subject, criterion) for subject, criterion, _ in wanted}

    def gone(subject: int, criterion: int, part: str) -> bool:
        one = found[criterion]
        if one.elements == "claims":
            return part in sentences.get(subject, ())
        if one.elements:
            return (subject, criterion) in listed or one.elements in replaced
        # A part that only verdicts of a file know stays, unless the criterion had parts of its own
        # before.
        return bool(one.by_question or one.parts or have.get((subject, criterion, "")))

    changed = [
        (key not in wanted, key)
        for key, was in have.items()
        if key[1] in found and (key not in wanted) != was and (key in wanted or gone(*key))
    ]
    if not changed:
        return False
    subjects = sorted({key[0] for _, key in changed})
    count_cells(db, subjects, -1)
    db.executemany(
        "UPDATE cell SET retired = ? WHERE subject_id = ? AND criterion_id = ? AND part = ?",
        [(int(retired), *key) for retired, key in changed],
    )
    count_cells(db, sorted({key[0] for key in have} | {key[0] for key in wanted}), +1)
    return True


def _asked(
    db: sqlite3.Connection, criteria: Sequence[CriterionRow], subjects: Sequence[int]
) -> dict[int, Subject]:
    """Subjects by row where their questions decide the parts of a criterion: with the answer's
    claims where it asks for those."""
    lists = {c.criterion.elements for c in criteria if c.criterion.by_question}
    if not lists:
        return {}
    found = {s.id: s.subject for s in stored_subjects(db, subjects)}
    return {
        row: with_claims(subject) if "claims" in lists else subject
        for row, subject in found.items()
    }


def count_parts(
    db: sqlite3.Connection,
    project: Project,
    criteria: Sequence[CriterionRow],
    subjects: Sequence[int],
) -> int:
    """How many cells `subjects` have, or will have, under `criteria`: pairs under those that
    compare, single answers under the others."""
    paired = pair_criteria(db, project)
    twos = pairs.rows(db, project) if paired else set()
    groups = (
        (
            [c for c in criteria if (c.id in paired) == two],
            [s for s in subjects if (s in twos) == two],
        )
        for two in (False, True)
    )
    return sum(_count_parts(db, *group) for group in groups)


def _count_parts(
    db: sqlite3.Connection, criteria: Sequence[CriterionRow], subjects: Sequence[int]
) -> int:
    total = len(subjects) * sum(
        len(c.criterion.parts) or 1 for c in criteria if not c.criterion.by_question
    )
    lists = [c.criterion for c in criteria if c.criterion.by_question]
    for ids in chunks(subjects if lists else ()):
        asked = _asked(db, criteria, ids)
        total += sum(
            len(one.parts_of(subject.question)) for subject in asked.values() for one in lists
        )
    return total


def pair_criteria(db: sqlite3.Connection, project: Project) -> set[int]:
    """Criteria by which pairs of answers are graded: those of pairs' cells, and those that say
    which of two is better."""
    sql = (
        "SELECT DISTINCT c.criterion_id FROM subject s JOIN cell c ON c.subject_id = s.id "
        "WHERE s.project_id = ? AND s.other_id IS NOT NULL"
    )
    scales = db.execute("SELECT id, scale FROM criterion WHERE project_id = ?", (project.id,))
    return {row[0] for row in db.execute(sql, (project.id,))} | {
        row[0] for row in scales if compares_two(row[1])
    }


def load_cells(db: sqlite3.Connection, cell_ids: Iterable[int]) -> dict[int, Cell]:
    """Cells by row id."""
    found: dict[int, Cell] = {}
    for ids in chunks(cell_ids):
        found.update(
            (row["id"], _cell(row))
            for row in db.execute(f"SELECT {_CELL} FROM cell WHERE id IN ({marks(len(ids))})", ids)
        )
    return found


def stamps(db: sqlite3.Connection, cell_ids: Iterable[int]) -> dict[int, tuple[Any, ...]]:
    """By cell, what changes whenever its state or an opinion about it does: what was worked out
    before holds while these are equal."""
    found: dict[int, tuple[Any, ...]] = {}
    for ids in chunks(cell_ids):
        sql = (
            "SELECT id, tally_id, import_id, suggestion, suggestion_confidence, "
            "suggestion_reason, route, route_reason, final, final_number, "
            "final_source, final_reason, open, (SELECT sum(o.verdict_id) "
            "FROM opinion o INDEXED BY opinion_cell WHERE o.cell_id = cell.id) "
            f"FROM cell WHERE id IN ({marks(len(ids))})"
        )
        found.update((row[0], tuple(row)) for row in db.execute(sql, ids))
    return found


def cells_of(db: sqlite3.Connection, subject_ids: Iterable[int]) -> list[Cell]:
    """The cells of subjects, by subject and criterion, without those that are retired."""
    found: list[Cell] = []
    for ids in chunks(subject_ids):
        sql = (
            f"SELECT {_CELL} FROM cell WHERE subject_id IN ({marks(len(ids))}) AND retired = 0 "
            "ORDER BY subject_id, criterion_id, id"
        )
        found += [_cell(row) for row in db.execute(sql, ids)]
    return found


def cell_ids(
    db: sqlite3.Connection, project: Project, *, import_id: int | None = None
) -> list[int]:
    """Row ids of the cells of a project's current answers, or of all cells that one import
    brings."""
    if import_id is not None:
        return [
            row[0]
            for row in db.execute(
                "SELECT id FROM cell WHERE import_id = ? ORDER BY id", (import_id,)
            )
        ]
    sql = (
        f"SELECT id FROM cell WHERE project_id = ? AND tally_id IS NOT NULL AND import_id {DONE} "
        "ORDER BY question_id, subject_id, id"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def cells_under(
    db: sqlite3.Connection, project: Project, keys: Sequence[str], *, besides: int
) -> list[int]:
    """Row ids of the cells of a project's current answers under criteria, without those that the
    import `besides` brought."""
    sql = (
        "SELECT c.id FROM cell c JOIN criterion k ON k.id = c.criterion_id "
        "WHERE c.project_id = ? AND c.import_id <> ? "
        f"AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
        f"AND k.key IN ({marks(len(keys))}) ORDER BY c.question_id, c.subject_id, c.id"
    )
    return [row[0] for row in db.execute(sql, (project.id, besides, *keys))]


def add_cell(
    db: sqlite3.Connection,
    project: Project,
    subject_id: int,
    criterion: CriterionRow,
    part: str,
    import_id: int = 0,
) -> int:
    """The cell of a part that only now turned up (a fault, a claim), made if need be."""
    row = db.execute(
        "SELECT id FROM cell WHERE subject_id = ? AND criterion_id = ? AND part = ?",
        (subject_id, criterion.id, part),
    ).fetchone()
    if row is not None:
        return int(row[0])
    question = db.execute("SELECT question_id FROM subject WHERE id = ?", (subject_id,)).fetchone()[
        0
    ]
    cell = int(
        db.execute(
            (
                "INSERT INTO cell (project_id, question_id, subject_id, criterion_id, part, "
                "import_id) VALUES (?,?,?,?,?,?)"
            ),
            (project.id, question, subject_id, criterion.id, part, import_id),
        ).lastrowid
        or 0
    )
    if not import_id:
        count_cells(db, [subject_id], +1)
    return cell


def homes(
    db: sqlite3.Connection,
    project: Project,
    wanted: Sequence[tuple[int, int, str]],
    import_id: int = 0,
) -> dict[tuple[int, int, str], tuple[int, int, int]]:
    """Cells by (subject, criterion, part), made if need be: (cell row, question row, import).
    `add_cell` for many at once."""
    found: dict[tuple[int, int, str], tuple[int, int, int]] = {}
    for batch in chunks(sorted(set(wanted))):
        subjects = sorted({subject for subject, _, _ in batch})
        here = _homes(db, subjects)
        missing = [key for key in batch if key not in here]
        if missing:
            owners = dict(
                db.execute(
                    f"SELECT id, question_id FROM subject WHERE id IN ({marks(len(subjects))})",
                    subjects,
                ).fetchall()
            )
            db.executemany(
                (
                    "INSERT INTO cell (project_id, question_id, subject_id, criterion_id, part, "
                    "import_id) VALUES (?,?,?,?,?,?)"
                ),
                [
                    (project.id, owners[subject], subject, criterion, part, import_id)
                    for subject, criterion, part in missing
                ],
            )
            if not import_id:
                count_cells(db, sorted({subject for subject, _, _ in missing}), +1)
            here = _homes(db, subjects)
        found.update((key, here[key]) for key in batch)
    return found


def find(
    db: sqlite3.Connection, wanted: Sequence[tuple[int, int, str]]
) -> dict[tuple[int, int, str], int]:
    """Those cells by (subject, criterion, part) that are there already."""
    here: dict[tuple[int, int, str], tuple[int, int, int]] = {}
    for subjects in chunks(sorted({subject for subject, _, _ in wanted})):
        here.update(_homes(db, subjects))
    return {key: here[key][0] for key in set(wanted) if key in here}


def _homes(
    db: sqlite3.Connection, subjects: Sequence[int]
) -> dict[tuple[int, int, str], tuple[int, int, int]]:
    sql = (
        "SELECT subject_id, criterion_id, part, id, question_id, import_id FROM cell "
        f"WHERE subject_id IN ({marks(len(subjects))})"
    )
    return {(row[0], row[1], row[2]): (row[3], row[4], row[5]) for row in db.execute(sql, subjects)}


def set_states(
    db: sqlite3.Connection, changes: Sequence[tuple[Cell, CellState, CriterionRow]]
) -> None:
    """Give cells, as they stand in the caller's transaction, a new state and move their tallies
    along."""
    moved: dict[int, list[float]] = {}
    rows = []
    for cell, state, criterion in changes:
        rows.append(values := _state_values(state, criterion, cell.id))
        if cell.tally_id is not None:
            sums = moved.setdefault(cell.tally_id, [0.0] * 6)
            for sign, part in (
                (-1, _parts(cell.state, cell.number)),
                (1, _parts(state, values[6])),
            ):
                sums[:] = [was + sign * add for was, add in zip(sums, part, strict=True)]
    db.executemany(
        "UPDATE cell SET suggestion = ?, suggestion_confidence = ?, suggestion_reason = ?, "
        "route = ?, route_reason = ?, final = ?, "
        "final_number = ?, final_source = ?, final_reason = ?, open = ? WHERE id = ?",
        rows,
    )
    add_sums(db, [(tally, 0, *sums) for tally, sums in moved.items() if any(sums)], +1)


def _parts(state: CellState, number: float | None) -> tuple[float, ...]:
    """What a cell adds to its tally, in the order of `_SUMS` after the count."""
    decided, machine = state.final_source in ("people", "adjudicated"), state.route == "automatic"
    value = number or 0.0
    return (
        decided and not machine,
        decided and machine,
        state.final_source == "automatic",
        value,
        value * value,
        state.final_source == "closed",
    )


def _state_values(state: CellState, criterion: CriterionRow, cell_id: int) -> tuple[Any, ...]:
    number = None if state.final is None else criterion.scale.number(state.final)
    return (
        None if state.suggestion is None else dumps(state.suggestion),
        state.confidence,
        state.suggestion_reason,
        state.route,
        state.route_reason,
        None if state.final is None else dumps(state.final),
        number,
        state.final_source,
        state.final_reason,
        int(state.open),
        cell_id,
    )


#: A cell's columns, with the tally that it is counted in.
_CELL = f"*, iif(import_id {DONE}, tally_id, NULL) AS counted"


def _cell(row: sqlite3.Row) -> Cell:
    return Cell(
        row["id"],
        row["question_id"],
        row["subject_id"],
        row["criterion_id"],
        row["part"],
        CellState(
            None if row["suggestion"] is None else json.loads(row["suggestion"]),
            row["suggestion_confidence"],
            row["suggestion_reason"],
            row["route"],
            row["route_reason"],
            None if row["final"] is None else json.loads(row["final"]),
            row["final_source"],
            row["final_reason"],
            bool(row["open"]),
        ),
        row["counted"],
        row["final_number"],
    )


def task_types(db: sqlite3.Connection, question_ids: Iterable[int]) -> dict[int, str]:
    """Task type by question row."""
    found: dict[int, str] = {}
    for ids in chunks(question_ids):
        found.update(
            (row[0], row[1])
            for row in db.execute(
                f"SELECT id, task_type FROM question WHERE id IN ({marks(len(ids))})", ids
            )
        )
    return found


def flagged_subjects(db: sqlite3.Connection, project: Project) -> set[int]:
    """Subjects that somebody flagged."""
    return {
        row[0]
        for row in db.execute(
            "SELECT DISTINCT subject_id FROM flag WHERE project_id = ?", (project.id,)
        )
    }


def told_by_people(
    db: sqlite3.Connection, criterion_id: int, subject_ids: Iterable[int]
) -> list[int]:
    """The cells of a criterion with parts, of some subjects, on which a person has an opinion."""
    found: list[int] = []
    for ids in chunks(sorted(subject_ids)):
        sql = (
            "SELECT DISTINCT c.id FROM cell c INDEXED BY cell_part "
            "JOIN opinion o ON o.cell_id = c.id JOIN author a ON a.id = o.author_id "
            f"WHERE c.criterion_id = ? AND c.subject_id IN ({marks(len(ids))}) "
            "AND c.part <> '' AND a.kind = 'person'"
        )
        found += [row[0] for row in db.execute(sql, (criterion_id, *ids))]
    return found


def subjects_told_by_people(
    db: sqlite3.Connection, project: Project, criteria: Iterable[int]
) -> list[int]:
    """Subjects of which a person has an opinion under some of these criteria."""
    found: set[int] = set()
    for criterion in criteria:
        sql = (
            "SELECT DISTINCT c.subject_id FROM opinion o JOIN author a ON a.id = o.author_id "
            "AND a.kind = 'person' AND a.project_id = ? JOIN cell c ON c.id = o.cell_id "
            "WHERE o.criterion_id = ?"
        )
        found.update(row[0] for row in db.execute(sql, (project.id, criterion)))
    return sorted(found)


def unweighed(db: sqlite3.Connection) -> list[int]:
    """Projects whose cells wait to be worked out anew since rules that detect no longer decide."""
    return [row[0] for row in db.execute("SELECT project_id FROM unweighed ORDER BY 1")]


def weighed(db: sqlite3.Connection, project: Project) -> None:
    """The project's cells were worked out anew."""
    db.execute("DELETE FROM unweighed WHERE project_id = ?", (project.id,))


def resting_on_rules(db: sqlite3.Connection, project: Project) -> list[int]:
    """The cells whose suggestion is a rule's, and those that a rule closed."""
    sql = (
        "SELECT id FROM cell WHERE project_id = ? AND (suggestion_reason GLOB 'rule*' "
        "OR suggestion_reason IN ('unscored: unreadable', 'not asked for')) ORDER BY 1"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def subjects_with_fault(db: sqlite3.Connection, project: Project, fault: str) -> set[int]:
    """Subjects in which a machine found a named fault that no person has rejected."""
    sql = (
        "SELECT c.subject_id FROM cell c JOIN criterion k ON k.id = c.criterion_id "
        "WHERE k.project_id = ? AND k.key = 'faults/fault' "
        "AND c.part = ? AND c.suggestion = '\"present\"' AND coalesce(c.final, '') <> '\"absent\"'"
    )
    return {row[0] for row in db.execute(sql, (project.id, fault))}
