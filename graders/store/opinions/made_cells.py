"""Cells made, found and retired: one for each subject, criterion and part that is asked about."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from graders.core.claims import with_claims
from graders.core.preference import compares_two
from graders.core.records import Subject
from graders.store.answers.claims import given_up
from graders.store.answers.content import chunks, marks
from graders.store.answers.content import subjects as stored_subjects
from graders.store.opinions import pairs
from graders.store.opinions.tallies import count_cells, note_asked
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace


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
