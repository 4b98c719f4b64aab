"""Verdicts: appended, never changed. Beside them each author's present opinion of a cell, for pages
and statistics."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

from graders.core.records import Evidence, Provenance, SubjectKey, Verdict
from graders.core.scale import Scale, Value
from graders.core.shapes import JSON
from graders.store.answers.anchors import is_repeat
from graders.store.answers.content import chunks, marks
from graders.store.desk.own_screens import REPEAT
from graders.store.opinions.misquoted import flag
from graders.store.opinions.stored_verdicts import read_mark
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import dumps


@dataclass(frozen=True, slots=True)
class CellVerdict:
    """A verdict with the rows it hangs on."""

    cell_id: int
    criterion: CriterionRow
    question_id: int
    verdict: Verdict
    screen_id: int | None = None
    save_id: str = ""
    call_key: str = ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one author thinks of one cell now: the latest verdict that was not retracted."""

    cell_id: int
    criterion_id: int
    author_id: int
    author_kind: str
    author: str
    value: Value | None
    status: str
    blind: bool
    design: str
    criterion_hash: str
    verdict_id: int
    misquoted: bool = False


def as_opinion(row: CellVerdict, verdict_id: int) -> Opinion:
    """The opinion that a verdict will be once it is appended. Its author has no row yet: 0."""
    verdict = row.verdict
    return Opinion(
        row.cell_id,
        row.criterion.id,
        0,
        verdict.author_kind,
        verdict.author,
        verdict.mark.value,
        verdict.mark.status,
        _is_blind(verdict.provenance),
        verdict.provenance.design if verdict.provenance else "",
        verdict.criterion_hash or row.criterion.hash,
        verdict_id,
        bool(flag(verdict)),
    )


def author_id(db: sqlite3.Connection, project: Project, kind: str, name: str) -> int:
    """The row of an author, made on first use. People are named by their id."""
    row = db.execute(
        "SELECT id FROM author WHERE project_id = ? AND kind = ? AND name = ?",
        (project.id, kind, name),
    ).fetchone()
    if row is not None:
        return int(row[0])
    return int(
        db.execute(
            "INSERT INTO author (project_id, kind, name) VALUES (?, ?, ?)", (project.id, kind, name)
        ).lastrowid
        or 0
    )


def authors(db: sqlite3.Connection, project: Project) -> dict[int, tuple[str, str]]:
    """Author row -> (kind, name)."""
    return {
        row[0]: (row[1], row[2])
        for row in db.execute(
            "SELECT id, kind, name FROM author WHERE project_id = ? ORDER BY id", (project.id,)
        )
    }


_COLUMNS = (
    "uid, project_id, cell_id, author_id, value, status, reason, kind, amends, confidence, "
    "confidence_kind, rationale, evidence, "
    "criterion_hash, recipe_hash, inputs, grader_version, cost, provenance, screen_id, "
    "save_id, call_key, metadata, created_at, import_id"
)


def append(
    db: sqlite3.Connection,
    project: Project,
    rows: Sequence[CellVerdict],
    *,
    now: str,
    import_id: int = 0,
    opinions: bool = True,
) -> list[int]:
    """Append verdicts and set their authors' opinions; returns the cells touched.

    `opinions` False leaves opinions for later (an import into cells that people can see already).
    """
    ids: dict[tuple[str, str], int] = {}
    values = []
    for row in rows:
        verdict = row.verdict
        author = (verdict.author_kind, verdict.author)
        if author not in ids:
            ids[author] = author_id(db, project, *author)
        mark = verdict.mark
        values.append(
            (
                verdict.id or secrets.token_hex(10),
                project.id,
                row.cell_id,
                ids[author],
                None if mark.value is None else dumps(mark.value),
                mark.status,
                mark.reason,
                verdict.kind,
                verdict.amends,
                mark.confidence,
                mark.confidence_kind,
                mark.rationale,
                dumps([_evidence(e) for e in mark.evidence]) if mark.evidence else "[]",
                verdict.criterion_hash or row.criterion.hash,
                verdict.recipe_hash,
                verdict.inputs,
                verdict.grader_version,
                verdict.cost,
                None if verdict.provenance is None else _provenance(verdict.provenance),
                row.screen_id,
                row.save_id,
                row.call_key,
                dumps(dict(verdict.metadata)),
                verdict.created_at or now,
                import_id,
            )
        )
    first = db.execute("SELECT coalesce(max(id), 0) FROM verdict").fetchone()[0]
    db.executemany(f"INSERT INTO verdict ({_COLUMNS}) VALUES ({marks(25)})", values)
    if opinions:
        set_opinions(
            db,
            [
                (first + place, row, ids[(row.verdict.author_kind, row.verdict.author)])
                for place, row in enumerate(rows, 1)
            ],
            import_id,
        )
    return sorted({row.cell_id for row in rows})


#: What was said blind on a drawn screen stays with its draw also where the same person says it
#: again on one whose cells were chosen, or on one that others had begun before the draw.
_SAID_BLIND = (
    "opinion.blind = 1 AND opinion.criterion_hash = excluded.criterion_hash "
    "AND (excluded.blind = 0 OR (excluded.design = 'placed' "
    "AND opinion.design <> 'placed') OR (excluded.design IN ('blind_arm', 'adaptive') "
    "AND opinion.design IN ('calibration', 'audit')))"
)
_SET_OPINION = (
    "INSERT INTO opinion (criterion_id, author_id, cell_id, question_id, verdict_id, value, "
    "number, status, blind, probability, design, "
    f"criterion_hash, import_id, misquoted) VALUES ({marks(14)}) "
    "ON CONFLICT (criterion_id, author_id, cell_id) DO UPDATE SET "
    + ", ".join(
        f"{name} = excluded.{name}"
        for name in (
            "question_id",
            "verdict_id",
            "value",
            "status",
            "criterion_hash",
            "misquoted",
        )
    )
    + "".join(
        f", {name} = CASE WHEN {_SAID_BLIND} THEN opinion.{name} ELSE excluded.{name} END"
        for name in ("number", "blind", "probability", "design", "import_id")
    )
)


def set_opinions(
    db: sqlite3.Connection, rows: Sequence[tuple[int, CellVerdict, int]], import_id: int
) -> None:
    """Make verdicts the present opinions of their authors: rows of (verdict row, verdict, author
    row).

    A blind opinion that is amended after marks were seen keeps its number, arm and draw: agreement
    goes on counting what was said blind, while `value` is what stands; so does one of a draw that
    is said again on another screen. Blind is what was given blind and not after a reveal. Where a
    row retracts, the author's latest verdict that still stands comes back. A second look is no
    present opinion: it stands beside the first one.
    """
    db.executemany(
        _SET_OPINION,
        [
            (
                row.criterion.id,
                author,
                row.cell_id,
                row.question_id,
                verdict_id,
                None if row.verdict.mark.value is None else dumps(row.verdict.mark.value),
                _number(row.criterion.scale, row.verdict.mark.value),
                row.verdict.mark.status,
                int(_is_blind(row.verdict.provenance)),
                row.verdict.provenance.probability if row.verdict.provenance else 1.0,
                row.verdict.provenance.design if row.verdict.provenance else "",
                row.verdict.criterion_hash or row.criterion.hash,
                import_id,
                flag(row.verdict, import_id),
            )
            for verdict_id, row, author in rows
            if row.verdict.kind != "retracts" and not _is_second_look(row.verdict)
        ],
    )
    for _, row, author in rows:
        if row.verdict.kind == "retracts":
            _restore(db, row, author)


def _is_blind(provenance: Provenance | None) -> bool:
    return provenance is not None and provenance.arm == "blind" and not provenance.after_reveal


def _is_second_look(verdict: Verdict) -> bool:
    """A person's, or a judge's repeat on an anchor question."""
    return is_repeat(verdict) or (
        verdict.provenance is not None and verdict.provenance.design == REPEAT
    )


@lru_cache(maxsize=1024)
def _provenance(provenance: Provenance) -> str:
    """As JSON; the verdicts of an import mostly share one."""
    return dumps(asdict(provenance))


def _number(scale: Scale, value: Value | None) -> float | None:
    return None if value is None else scale.number(value)


def _evidence(item: Evidence) -> JSON:
    """Without what is empty; an offset of 0 is not, and neither is a quote that was not found."""
    kept = asdict(item)
    return {
        key: value
        for key, value in kept.items()
        if value is not None and value != "" and (value is not False or key == "found")
    }


def opinions_of(db: sqlite3.Connection, cell_ids: Iterable[int]) -> dict[int, list[Opinion]]:
    """Present opinions by cell, machines and people."""
    found: dict[int, list[Opinion]] = {}
    for batch in chunks(cell_ids):
        sql = (
            "SELECT o.*, a.kind, a.name FROM opinion o INDEXED BY opinion_cell "
            "JOIN author a ON a.id = o.author_id "
            f"WHERE o.cell_id IN ({marks(len(batch))}) ORDER BY o.cell_id, a.kind, a.name"
        )
        for row in db.execute(sql, batch):
            found.setdefault(row["cell_id"], []).append(
                Opinion(
                    row["cell_id"],
                    row["criterion_id"],
                    row["author_id"],
                    row["kind"],
                    row["name"],
                    None if row["value"] is None else json.loads(row["value"]),
                    row["status"],
                    bool(row["blind"]),
                    row["design"],
                    row["criterion_hash"],
                    row["verdict_id"],
                    bool(row["misquoted"]),
                )
            )
    return found


def retract_save(
    db: sqlite3.Connection,
    project: Project,
    save_id: str,
    criteria: Mapping[int, CriterionRow],
    *,
    now: str,
    undo_id: str,
) -> list[int]:
    """Append a retracting row for everything that a save wrote; earlier opinions of the same person
    come back.

    Returns the cells touched.
    """
    rows = db.execute(
        "SELECT v.*, c.criterion_id, c.question_id, a.name FROM verdict v "
        "JOIN cell c ON c.id = v.cell_id "
        "JOIN author a ON a.id = v.author_id WHERE v.save_id = ? AND v.kind <> 'retracts' "
        "ORDER BY v.id",
        (save_id,),
    ).fetchall()
    touched = []
    for row in rows:
        if row["criterion_id"] not in criteria:
            continue
        criterion = criteria[row["criterion_id"]]
        verdict = Verdict(
            subject=SubjectKey("", ""),
            criterion=criterion.key,
            author=row["name"],
            author_kind="person",
            mark=read_mark(row),
            kind="retracts",
            amends=row["uid"],
            criterion_hash=row["criterion_hash"],
        )
        touched += append(
            db,
            project,
            [
                CellVerdict(
                    row["cell_id"],
                    criterion,
                    row["question_id"],
                    verdict,
                    row["screen_id"],
                    undo_id,
                )
            ],
            now=now,
        )
    return sorted(set(touched))


def _restore(db: sqlite3.Connection, retraction: CellVerdict, author: int) -> None:
    """Give an author the verdicts on a cell that no later row retracts, one after the other; none
    if there is none."""
    cell_id, criterion = retraction.cell_id, retraction.criterion
    rows = db.execute(
        "SELECT * FROM verdict WHERE cell_id = ? AND author_id = ? ORDER BY id", (cell_id, author)
    ).fetchall()
    gone = {row["amends"] for row in rows if row["kind"] == "retracts"}
    standing = [row for row in rows if row["kind"] != "retracts" and row["uid"] not in gone]
    db.execute(
        "DELETE FROM opinion WHERE criterion_id = ? AND author_id = ? AND cell_id = ?",
        (criterion.id, author, cell_id),
    )
    for row in standing:
        verdict = Verdict(
            subject=SubjectKey("", ""),
            criterion=criterion.key,
            author="",
            author_kind="person",
            mark=read_mark(row),
            provenance=None
            if row["provenance"] is None
            else Provenance(**json.loads(row["provenance"])),
            criterion_hash=row["criterion_hash"],
        )
        set_opinions(
            db,
            [(row["id"], CellVerdict(cell_id, criterion, retraction.question_id, verdict), author)],
            row["import_id"],
        )
