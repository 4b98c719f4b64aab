"""What the test of automatic cells reads: the machine's cells as columns, blind labels of drawn
answers, draws, and when each came."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.records import IN_DOUBT, MISQUOTED
from graders.core.scale import Value
from graders.store.answers.author_texts import NO_CONTROL
from graders.store.answers.content import DONE, IS_CURRENT, marks, tuples
from graders.store.opinions.kept_labels import TEST
from graders.store.projects import CriterionRow, Project

#: Bits of a cell's state: the machine may be tested on it, it decides it, a person decided it,
#: nobody has, there is nothing to decide, the machine's value is the learned judge's.
TESTABLE, AUTOMATIC, BY_PEOPLE, PENDING, CLOSED, LEARNED = 1, 2, 4, 8, 16, 32
#: Where the suggestion is the learned judge's, it was learned from the very labels that would test
#: it.
_LEARNED = "judge learned"
#: What people decide whatever is proven belongs to no promise: a judge's quote is not in the
#: answer, or a rule that only detects is not borne out.
_NEVER = ", ".join(f"'{reason}'" for reason in (MISQUOTED, *IN_DOUBT))
_BITS = (
    f"(c.suggestion IS NOT NULL AND c.suggestion_reason <> '{_LEARNED}' "
    f"AND c.route_reason NOT IN ({_NEVER})) + 2 * (c.route = 'automatic') "
    "+ 4 * (c.final_source IN ('people', 'adjudicated')) + 8 * (c.final_source = 'pending') "
    "+ 16 * (c.final_source = 'closed') "
    f"+ 32 * (c.suggestion IS NOT NULL AND c.suggestion_reason = '{_LEARNED}')"
)
#: The designs of labels that test what is drawn at random.
_TESTING = f"('calibration', '{TEST}')"
#: A machine's opinions; the learned judge's apart, which change with every label.
_MACHINE = "a.kind <> 'person' AND a.name <> 'learned'"


class Label(NamedTuple):
    """A blind verdict of a person on a drawn answer, beside the machine's suggestion; `value` None
    where the person gave none.

    `machine_at`: when a machine last spoke about the cell, read for audits only.
    """

    cell_id: int
    author: str
    value: Value | None
    suggestion: Value | None
    at: str
    probability: float
    machine_at: str = ""


class CellColumns(NamedTuple):
    """The counted cells of a criterion, ascending, as columns: int[n] `cell`, `subject` and
    `question`; `task`, the place of the question's task type among those asked for; `sure`
    float[n], the confidence that is stated, -1 where none is; `state`, sums of the bits above."""

    cell: npt.NDArray[np.int64]
    subject: npt.NDArray[np.int32]
    question: npt.NDArray[np.int32]
    task: npt.NDArray[np.int8]
    sure: npt.NDArray[np.float64]
    state: npt.NDArray[np.int8]


def columns(
    db: sqlite3.Connection, project: Project, criterion: CriterionRow, tasks: Sequence[str]
) -> CellColumns:
    """The counted cells of a criterion; `tasks`: the task types of questions.

    SQLite hands each column over as a text of numbers: a row in Python for each of a million cells
    would take longer, and confidences are rounded to 15 digits, by which earlier orders were made.
    """
    sql = (
        "SELECT group_concat(c.id), group_concat(c.subject_id), group_concat(c.question_id), "
        f"group_concat(coalesce(c.suggestion_confidence, -1)), group_concat({_BITS}) FROM cell c "
        "WHERE c.criterion_id = ? AND c.project_id = ? AND c.tally_id IS NOT NULL "
        f"AND {NO_CONTROL} AND c.import_id {DONE}"
    )
    texts = db.execute(sql, (criterion.id, project.id)).fetchone()
    # a million cells are kept in memory
    kinds = (np.int64, np.int32, np.int32, np.float64, np.int8)
    cell, subject, question, sure, state = (
        np.fromstring(text or "", kind, sep=",") for text, kind in zip(texts, kinds, strict=True)
    )
    # In order, since a walk from sure to doubtful takes those of one confidence as they come.
    order = np.argsort(cell, kind="stable")
    questions = tuples(
        db, "SELECT id, task_type FROM question WHERE project_id = ? ORDER BY id", (project.id,)
    )
    rows = np.array([row for row, _ in questions], np.int64)
    codes = np.array([tasks.index(task) for _, task in questions], np.int8)
    task = codes[np.searchsorted(rows, question)] if len(cell) else np.zeros(0, np.int8)
    return CellColumns(
        cell[order], subject[order], question[order], task[order], sure[order], state[order]
    )


def labels(db: sqlite3.Connection, criterion: CriterionRow, design: str) -> list[Label]:
    """Blind verdicts of people on answers drawn as `design`, under the criterion as it stands, by
    cell; with those drawn for calibration come imported ones that were kept for a test."""
    spoke = (
        "(SELECT max(w.created_at) FROM opinion m JOIN author a ON a.id = m.author_id "
        f"AND {_MACHINE} JOIN verdict w ON w.id = m.verdict_id "
        "WHERE m.cell_id = o.cell_id)"
    )
    sql = (
        "SELECT o.cell_id, p.name, o.value, c.suggestion, v.created_at, o.probability, "
        f"{spoke if design == 'audit' else repr('')} FROM author p "
        "JOIN opinion o ON o.criterion_id = ? AND o.author_id = p.id "
        "JOIN verdict v ON v.id = o.verdict_id JOIN cell c ON c.id = o.cell_id "
        "WHERE p.kind = 'person' AND p.project_id = c.project_id AND o.criterion_hash = ? "
        "AND o.blind = 1 AND o.design IN (?, ?) "
        f"AND o.import_id {DONE} ORDER BY o.cell_id, p.id"
    )
    value_of = cache(_value)  # a hundred thousand labels have a handful of values
    beside = TEST if design == "calibration" else design
    rows = tuples(db, sql, (criterion.id, criterion.hash, design, beside))
    return [
        Label(cell, name, value_of(said), value_of(shown), at, chance, last or "")
        for cell, name, said, shown, at, chance, last in rows
    ]


def old_labels(db: sqlite3.Connection, criterion: CriterionRow) -> int:
    """How many blind verdicts on answers drawn for calibration were given under an earlier
    wording."""
    sql = (
        "SELECT count(*) FROM author p JOIN opinion o ON o.criterion_id = ? "
        "AND o.author_id = p.id WHERE p.kind = 'person' "
        f"AND o.criterion_hash <> ? AND o.blind = 1 AND o.design IN {_TESTING} "
        f"AND o.import_id {DONE}"
    )
    return int(db.execute(sql, (criterion.id, criterion.hash)).fetchone()[0])


def machine_changed(
    db: sqlite3.Connection, criterion: CriterionRow, after: int = 0, upto: int = 2**62
) -> str:
    """When a judge or rule last spoke about a cell of the subjects above `after` and up to `upto`;
    empty if never."""
    within, values = "", [criterion.id]
    if after or upto < 2**62:
        within, values = (
            "JOIN cell c ON c.id = o.cell_id AND c.subject_id > ? AND c.subject_id <= ?",
            [criterion.id, after, upto],
        )
    sql = (
        "SELECT max(v.created_at) FROM author a JOIN opinion o ON o.criterion_id = ? "
        f"AND o.author_id = a.id {within} "
        f"JOIN verdict v ON v.id = o.verdict_id WHERE {_MACHINE}"
    )
    return str(db.execute(sql, values).fetchone()[0] or "")


@dataclass(frozen=True, slots=True)
class DrawnAnswer:
    """An answer (subject) on a screen of a drawn sample: the task type of its question, the design,
    when it was drawn, and the planned look that it belongs to, 0 for none."""

    subject: int
    task: str
    design: str
    at: str
    look: int


def drawn(db: sqlite3.Connection, project: Project) -> list[DrawnAnswer]:
    """The answers that stand on a screen of a drawn sample."""
    sql = (
        "SELECT x.subject_id, q.task_type, s.design, s.created_at, s.look FROM screen s "
        "JOIN screen_subject x ON x.screen_id = s.id "
        "JOIN question q ON q.id = s.question_id WHERE s.project_id = ? "
        "AND s.design IN ('calibration', 'audit')"
    )
    return [DrawnAnswer(*row) for row in db.execute(sql, (project.id,))]


def opened(db: sqlite3.Connection, project: Project) -> dict[int, str]:
    """Subject -> when somebody first labelled it on a screen drawn for calibration; what was taken
    back later counts too."""
    given = (
        "SELECT c.subject_id, v.created_at FROM author a "
        "JOIN criterion k ON k.project_id = a.project_id "
        "JOIN opinion o ON o.criterion_id = k.id AND o.author_id = a.id AND o.blind = 1 "
        f"AND o.design IN {_TESTING} "
        "JOIN verdict v ON v.id = o.verdict_id JOIN cell c ON c.id = o.cell_id "
        f"WHERE a.project_id = ?1 AND a.kind = 'person' AND o.import_id {DONE}"
    )
    saved = (
        "SELECT x.subject_id, v.at FROM save v JOIN screen s ON s.id = v.screen_id "
        "AND s.project_id = ?1 AND s.design = 'calibration' "
        "JOIN screen_subject x ON x.screen_id = s.id "
        "WHERE coalesce(json_extract(v.body, '$.skipped'), '') = ''"
    )
    sql = f"SELECT subject_id, min(created_at) FROM ({given} UNION ALL {saved}) GROUP BY 1"
    return dict(map(tuple, db.execute(sql, (project.id,))))


def any_labels(db: sqlite3.Connection, project: Project) -> bool:
    """Whether a person labelled an answer or a cell that was drawn."""
    sql = (
        "SELECT 1 FROM author a JOIN criterion k ON k.project_id = a.project_id "
        "JOIN opinion o ON o.criterion_id = k.id AND o.author_id = a.id "
        "WHERE a.project_id = ? AND a.kind = 'person' AND o.blind = 1 "
        f"AND o.design IN ('calibration', 'audit', 'placed', '{TEST}') LIMIT 1"
    )
    return db.execute(sql, (project.id,)).fetchone() is not None


def raise_chances(
    db: sqlite3.Connection,
    project: Project,
    since: str,
    task_types: Sequence[str],
    probability: float,
) -> None:
    """Give the calibration screens of task types made from `since` on the chance that they have
    together with a further draw."""
    db.execute(
        "UPDATE screen SET probability = ? WHERE project_id = ? AND design = 'calibration' "
        "AND created_at >= ? AND question_id IN "
        "(SELECT id FROM question WHERE project_id = ? "
        f"AND task_type IN ({marks(len(task_types))}))",
        (probability, project.id, since, project.id, *task_types),
    )


def scale_chances(
    db: sqlite3.Connection, project: Project, since: str, task_type: str, factor: float
) -> None:
    """Multiply the chances of a task type's calibration screens made from `since` on."""
    db.execute(
        "UPDATE screen SET probability = probability * ? WHERE project_id = ? "
        "AND design = 'calibration' AND created_at >= ? AND question_id IN "
        "(SELECT id FROM question WHERE project_id = ? AND task_type = ?)",
        (factor, project.id, since, project.id, task_type),
    )


def undrawn(db: sqlite3.Connection, project: Project, upto: int) -> dict[str, list[int]]:
    """Task type -> current answers (subjects) up to `upto` that stand on no drawn screen, and have
    no label that is kept for a test.

    Authors' own texts are not among them.
    """
    sql = (
        "WITH drawn AS MATERIALIZED (SELECT x.subject_id FROM screen s "
        "JOIN screen_subject x ON x.screen_id = s.id "
        "WHERE s.project_id = ?1 AND s.design IN ('calibration', 'audit') UNION ALL "
        "SELECT c.subject_id FROM test_label t JOIN cell c ON c.id = t.cell_id "
        "WHERE t.project_id = ?1), "
        "own AS MATERIALIZED (SELECT s.id FROM answer a JOIN subject s ON s.answer_id = a.id "
        f"WHERE a.project_id = ?1 AND a.model GLOB '{AUTHOR_GLOB}' AND a.import_id {DONE}) "
        "SELECT q.task_type, s.id FROM subject s JOIN question q ON q.id = s.question_id "
        f"WHERE s.project_id = ?1 AND {IS_CURRENT} AND s.import_id {DONE} AND s.id <= ?2 "
        "AND s.id NOT IN drawn AND s.id NOT IN own ORDER BY q.task_type"
    )
    by_task: dict[str, list[int]] = {}
    for task, subject in tuples(db, sql, (project.id, upto)):
        by_task.setdefault(task, []).append(subject)
    return by_task


def timed_screens(
    db: sqlite3.Connection, project: Project, limit: int = 2000
) -> list[tuple[float, int, int]]:
    """(seconds, answers, cells graded) of the screens that people saved last."""
    sql = (
        "SELECT a.seconds, (SELECT count(*) FROM screen_subject x "
        "WHERE x.screen_id = a.screen_id), (SELECT count(*) FROM verdict v "
        "WHERE v.save_id = a.save_id AND v.save_id <> '') FROM assignment a "
        "WHERE a.project_id = ? AND a.state IN ('done', 'partial') ORDER BY a.id DESC LIMIT ?"
    )
    return [tuple(row) for row in db.execute(sql, (project.id, limit))]


def sampled_seconds(db: sqlite3.Connection, project: Project) -> dict[int, float]:
    """Answer (subject) -> seconds that its screens of calibration and audits took, of everybody
    who saved one; 0 where none was timed."""
    sql = (
        "SELECT x.subject_id, coalesce((SELECT sum(a.seconds) FROM assignment a "
        "WHERE a.screen_id = s.id AND a.state IN ('done', 'partial')), 0) / "
        "(SELECT count(*) FROM screen_subject y WHERE y.screen_id = s.id) "
        "FROM screen s JOIN screen_subject x ON x.screen_id = s.id "
        "WHERE s.project_id = ? AND s.design IN ('calibration', 'audit')"
    )
    found: dict[int, float] = {}
    for subject, seconds in tuples(db, sql, (project.id,)):
        found[subject] = found.get(subject, 0) + seconds
    return found


def latest_event(db: sqlite3.Connection, project: Project) -> int:
    """The row of what was logged last in a project."""
    return int(
        db.execute(
            "SELECT coalesce(max(id), 0) FROM event WHERE project_id = ?", (project.id,)
        ).fetchone()[0]
    )


def _value(text: str | None) -> Value | None:
    return None if text is None else json.loads(text)
