"""Imported labels that are kept for a test: out of every figure's sight until they are opened.

Until then they are no verdicts: nothing that reads verdicts or opinions meets them. Their rows stay
once they are opened, as the record of which cells the test rests on.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from graders.core.records import Design, Evidence, Mark, Provenance, SubjectKey, Verdict
from graders.core.scale import Scale
from graders.core.shapes import JSON
from graders.store.answers.content import DONE, chunks, marks
from graders.store.opinions.finder import Finder
from graders.store.opinions.stored_verdicts import Known, known_uids
from graders.store.opinions.verdicts import CellVerdict, append
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import dumps

#: The design of a label that was kept for a test, once it is opened.
TEST: Design = "imported_test"
_ROWS = (
    "FROM test_label t JOIN cell c ON c.id = t.cell_id JOIN subject s ON s.id = c.subject_id "
    f"WHERE t.project_id = ? AND t.import_id {DONE}"
)


@dataclass(frozen=True, slots=True)
class Kept:
    """The labels that an import has kept for a test: how many are closed still, and how many were
    opened."""

    closed: int
    opened: int


@dataclass(frozen=True, slots=True)
class Tested:
    """A cell whose label was opened: its answer (subject), criterion (row), the task type of its
    question, when, and whether it is still stated to be given blind."""

    subject: int
    criterion: int
    task: str
    at: str
    stated: bool


def keep(
    db: sqlite3.Connection, project: Project, import_id: int, rows: Sequence[CellVerdict]
) -> None:
    """Keep people's verdicts for a test, under the wording that they answer."""
    db.executemany(
        "INSERT INTO test_label (uid, project_id, import_id, cell_id, body) VALUES (?, ?, ?, ?, ?)",
        [
            (
                row.verdict.id,
                project.id,
                import_id,
                row.cell_id,
                dumps(
                    asdict(
                        replace(
                            row.verdict,
                            criterion_hash=row.verdict.criterion_hash or row.criterion.hash,
                        )
                    )
                ),
            )
            for row in rows
        ],
    )


def known(db: sqlite3.Connection, project: Project, uids: Sequence[str]) -> dict[str, Known]:
    """Those of these verdict ids that are kept closed."""
    found: dict[str, Known] = {}
    for batch in chunks(uids):
        sql = (
            "SELECT t.uid, c.subject_id, json_extract(t.body, '$.criterion_hash'), 0 "
            "FROM test_label t JOIN cell c ON c.id = t.cell_id WHERE t.project_id = ? "
            f"AND t.opened_at = '' AND t.uid IN ({marks(len(batch))})"
        )
        found.update((row[0], Known(*row[1:])) for row in db.execute(sql, (project.id, *batch)))
    return found


def kept(db: sqlite3.Connection, project: Project) -> dict[int, Kept]:
    """Import -> what it has kept."""
    sql = (
        f"SELECT t.import_id, sum(t.opened_at = ''), sum(t.opened_at <> '') {_ROWS} "
        "GROUP BY 1 ORDER BY 1"
    )
    return {row[0]: Kept(row[1], row[2]) for row in db.execute(sql, (project.id,))}


def closed_subjects(db: sqlite3.Connection, project: Project) -> set[int]:
    """Answers (subjects) with a label that is kept closed: nobody is asked about them
    meanwhile."""
    sql = f"SELECT DISTINCT s.id {_ROWS} AND t.opened_at = ''"
    return {row[0] for row in db.execute(sql, (project.id,))}


@dataclass(frozen=True, slots=True)
class Counted:
    """Labels that an import keeps, of so many answers and questions; `suggested`: those on cells
    that have a suggestion by a machine."""

    labels: int
    answers: int
    questions: int
    suggested: int


def counted(
    db: sqlite3.Connection, project: Project, import_id: int, *, opened: bool = False
) -> Counted:
    """Of the closed labels of an import, or of the opened ones."""
    sql = (
        "SELECT count(*), count(DISTINCT s.id), count(DISTINCT c.question_id), "
        f"coalesce(sum(c.suggestion IS NOT NULL), 0) {_ROWS} AND t.import_id = ? "
        "AND (t.opened_at <> '') = ?"
    )
    return Counted(*db.execute(sql, (project.id, import_id, int(opened))).fetchone())


def tasks(db: sqlite3.Connection, project: Project, import_id: int) -> list[str]:
    """The task types of the questions whose labels an import keeps closed."""
    sql = (
        "SELECT DISTINCT q.task_type FROM test_label t JOIN cell c ON c.id = t.cell_id "
        "JOIN question q ON q.id = c.question_id WHERE t.project_id = ? AND t.import_id = ? "
        "AND t.opened_at = '' ORDER BY 1"
    )
    return [row[0] for row in db.execute(sql, (project.id, import_id))]


@dataclass(frozen=True, slots=True)
class Span:
    """The answers (subjects) that an import's labels were chosen from: after one, up to one."""

    after: int
    upto: int


def span(db: sqlite3.Connection, project: Project, import_id: int) -> Span:
    """The answers that came with the file where it labels no others, else all that were there once
    it came in."""
    values = {"project": project.id, "import": import_id}
    came = f"FROM subject s WHERE s.project_id = :project AND s.import_id {DONE}"
    upto = f"SELECT coalesce(max(s.id), 0) {came} AND s.import_id <= :import"
    others = (
        "SELECT 1 FROM (SELECT cell_id FROM test_label WHERE import_id = :import UNION ALL "
        "SELECT cell_id FROM opinion WHERE import_id = :import AND design = 'imported') l "
        "JOIN cell c ON c.id = l.cell_id JOIN subject s ON s.id = c.subject_id "
        "WHERE s.import_id <> :import LIMIT 1"
    )
    before = f"SELECT coalesce(max(s.id), 0) {came} AND s.import_id < :import"
    whole = db.execute(others, values).fetchone() is not None
    return Span(
        0 if whole else db.execute(before, values).fetchone()[0],
        db.execute(upto, values).fetchone()[0],
    )


def tested(db: sqlite3.Connection, project: Project) -> list[Tested]:
    """The cells whose labels were opened."""
    sql = (
        "SELECT DISTINCT s.id, c.criterion_id, q.task_type, t.opened_at, i.labels_blind "
        "FROM test_label t JOIN cell c ON c.id = t.cell_id JOIN subject s ON s.id = c.subject_id "
        "JOIN question q ON q.id = s.question_id JOIN import i ON i.id = t.import_id "
        f"WHERE t.project_id = ? AND t.import_id {DONE} AND t.opened_at <> ''"
    )
    return [
        Tested(row[0], row[1], row[2], row[3], bool(row[4]))
        for row in db.execute(sql, (project.id,))
    ]


def closed(
    db: sqlite3.Connection,
    project: Project,
    import_id: int,
    criteria: Mapping[int, CriterionRow],
) -> list[CellVerdict]:
    """The labels that an import keeps closed, under criteria that are in force; those of others
    stay as they are."""
    sql = (
        f"SELECT t.body, c.id, c.criterion_id, c.question_id {_ROWS} AND t.import_id = ? "
        "AND t.opened_at = '' ORDER BY t.id"
    )
    return [
        CellVerdict(row[1], criteria[row[2]], row[3], _verdict(json.loads(row[0])))
        for row in db.execute(sql, (project.id, import_id))
        if row[2] in criteria
    ]


def open_as_test(
    db: sqlite3.Connection, project: Project, rows: Sequence[CellVerdict], import_id: int, now: str
) -> None:
    """Make closed labels verdicts that test, of this time: machines spoke before it, whatever the
    file says of the labels' own time."""
    append(db, project, [_as_test(row) for row in rows], now=now, import_id=import_id)
    db.executemany(
        "UPDATE test_label SET opened_at = ?, body = '' WHERE project_id = ? AND uid = ?",
        [(now, project.id, row.verdict.id) for row in rows],
    )


def release(
    db: sqlite3.Connection, project: Project, rows: Sequence[CellVerdict], import_id: int, now: str
) -> None:
    """Make closed labels verdicts like all others that a file brings: they test nothing any
    more."""
    append(db, project, rows, now=now, import_id=import_id)
    db.executemany(
        "DELETE FROM test_label WHERE project_id = ? AND uid = ?",
        [(project.id, row.verdict.id) for row in rows],
    )


def rows_of(db: sqlite3.Connection, project: Project) -> Iterator[JSON]:
    """The kept labels as an export carries them, closed ones with all that they say."""
    sql = (
        "SELECT t.uid AS id, q.key AS question_id, a.model, a.version AS answer_version, "
        "k.key AS criterion, c.part, t.opened_at, t.body, i.labels_blind AS stated "
        "FROM test_label t JOIN cell c ON c.id = t.cell_id JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
        "JOIN criterion k ON k.id = c.criterion_id JOIN import i ON i.id = t.import_id "
        f"WHERE t.project_id = ? AND t.import_id {DONE} ORDER BY t.id"
    )
    for row in map(dict, db.execute(sql, (project.id,))):
        body = row.pop("body")
        if body:
            row["verdict"] = json.loads(body)
        yield {name: value for name, value in row.items() if value != ""}


def put_rows(
    db: sqlite3.Connection,
    project: Project,
    finder: Finder,
    rows: Sequence[Mapping[str, Any]],
    import_id: int,
) -> None:
    """Keep what an export kept, in the caller's transaction. A label that is a verdict here was
    seen, so that it is not closed again. KeyError, TypeError or ValueError for a row that cannot be
    one of an export."""
    scales = {
        row[0]: Scale.from_spec(json.loads(row[1]))
        for row in db.execute(
            "SELECT key, scale FROM criterion WHERE project_id = ?", (project.id,)
        )
    }
    made = []
    for row, cell in zip(rows, finder.cells(rows), strict=True):
        at, uid = str(row.get("opened_at") or ""), str(row["id"])
        if cell is None:
            continue
        if not at:
            value = _verdict(row["verdict"]).mark.value
            if value is not None:
                scales[str(row["criterion"])].number(value)
            if known_uids(db, project, [uid]):
                continue
        made.append((uid, project.id, import_id, cell, "" if at else dumps(row["verdict"]), at))
    db.executemany(
        "INSERT OR IGNORE INTO test_label (uid, project_id, import_id, cell_id, body, opened_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        made,
    )
    if made and all(row.get("stated") for row in rows):
        db.execute("UPDATE import SET labels_blind = 1 WHERE id = ?", (import_id,))


def _as_test(row: CellVerdict) -> CellVerdict:
    verdict = row.verdict
    origin = verdict.provenance
    stated = {"file_created_at": verdict.created_at} if verdict.created_at else {}
    return replace(
        row,
        verdict=replace(
            verdict,
            created_at="",
            metadata={**verdict.metadata, **stated},
            provenance=None if origin is None else replace(origin, design=TEST),
        ),
    )


def _verdict(body: JSON) -> Verdict:
    """A verdict as `keep` wrote it."""
    mark, origin = body["mark"], body["provenance"]
    evidence = tuple(Evidence(**item) for item in mark["evidence"])
    return Verdict(
        **{
            **body,
            "subject": SubjectKey(*body["subject"]),
            "mark": Mark(**{**mark, "evidence": evidence}),
            "provenance": None if origin is None else _provenance(origin),
        }
    )


def _provenance(body: JSON) -> Provenance:
    lists = {name: tuple(body[name]) for name in ("judges_seen", "shown_beside")}
    return Provenance(**{**body, **lists})
