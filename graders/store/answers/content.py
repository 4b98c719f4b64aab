"""Questions, answers, subjects: written under an import, read as records."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.hashing import text_hash
from graders.core.records import Answer, Question, Subject
from graders.store.projects import Project
from graders.store.workspace import Workspace, dumps

#: Rows count only once their import is done.
DONE = "IN (SELECT id FROM import WHERE state = 'done')"
#: Whether a subject `s` shows the present texts: of a pair both.
IS_CURRENT = (
    "EXISTS (SELECT 1 FROM answer cur WHERE cur.id = s.answer_id AND cur.current = 1) AND "
    "(s.other_id IS NULL OR EXISTS (SELECT 1 FROM answer cur WHERE cur.id = s.other_id "
    "AND cur.current = 1))"
)
#: At most this many bound values in one statement.
CHUNK = 900


@dataclass(frozen=True, slots=True)
class StoredSubject:
    """A subject with its row ids."""

    id: int
    question_id: int
    answer_id: int
    subject: Subject


def chunks(items: Iterable[Any], size: int = CHUNK) -> Iterator[list[Any]]:
    """`items` in lists of at most `size`."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def marks(count: int) -> str:
    """Placeholders for `count` values."""
    return ",".join("?" * count)


def tuples(db: sqlite3.Connection, sql: str, values: Sequence[Any] = ()) -> list[Any]:
    """Rows as tuples, where hundreds of thousands are wanted: named ones take several times as
    long."""
    cursor = db.cursor()
    cursor.row_factory = None
    return cursor.execute(sql, values).fetchall()


def question_fields(question: Question) -> tuple[Any, ...]:
    """The columns of a question, after its key."""
    return (
        question.text,
        question.category,
        question.task_type,
        question.language,
        question.detail,
        dumps(list(question.references)),
        dumps(list(question.context)),
        dumps(list(question.facts)),
        dumps(list(question.must_have)),
        dumps(dict(question.metadata)),
    )


QUESTION_COLUMNS = (
    "text, category, task_type, language, detail, refs, context, facts, must_have, metadata"
)


def insert_questions(
    db: sqlite3.Connection, project: Project, import_id: int, questions: Sequence[Question]
) -> None:
    """Add questions that the project does not have yet."""
    db.executemany(
        (
            f"INSERT INTO question (project_id, key, {QUESTION_COLUMNS}, import_id) "
            f"VALUES (?,?,{marks(10)},?)"
        ),
        [(project.id, q.id, *question_fields(q), import_id) for q in questions],
    )


def question_keys(db: sqlite3.Connection, project: Project) -> dict[int, str]:
    """Question row -> its id."""
    sql = "SELECT id, key FROM question WHERE project_id = ?"
    return {row[0]: row[1] for row in db.execute(sql, (project.id,))}


def question_ids(db: sqlite3.Connection, project: Project, keys: Iterable[str]) -> dict[str, int]:
    """Row ids by key, of those that exist (also under an unfinished import)."""
    found: dict[str, int] = {}
    for batch in chunks(keys):
        sql = f"SELECT key, id FROM question WHERE project_id = ? AND key IN ({marks(len(batch))})"
        found.update((row[0], row[1]) for row in db.execute(sql, (project.id, *batch)))
    return found


def insert_answers(
    db: sqlite3.Connection,
    project: Project,
    import_id: int,
    rows: Sequence[tuple[int, Answer, int]],
) -> None:
    """Add (question row, answer, current) rows with a subject each; `answer.version` must be
    free."""
    db.executemany(
        "INSERT INTO answer (project_id, question_id, model, version, text, text_hash, "
        "time_to_first_token, total_seconds, input_tokens, "
        f"output_tokens, cost, finish_reason, metadata, current, import_id) VALUES ({marks(15)})",
        [
            (
                project.id,
                question_id,
                a.model,
                a.version,
                a.text,
                text_hash(a.text),
                a.time_to_first_token,
                a.total_seconds,
                a.input_tokens,
                a.output_tokens,
                a.cost,
                a.finish_reason,
                dumps(dict(a.metadata)),
                current,
                import_id,
            )
            for question_id, a, current in rows
        ],
    )
    for batch in chunks(rows, 300):
        clause = " OR ".join(["(question_id = ? AND model = ? AND version = ?)"] * len(batch))
        values = [
            value for question_id, a, _ in batch for value in (question_id, a.model, a.version)
        ]
        db.execute(
            "INSERT OR IGNORE INTO subject (project_id, question_id, answer_id, import_id) "
            f"SELECT project_id, question_id, id, import_id FROM answer WHERE {clause}",
            values,
        )


def read_question(row: Mapping[str, Any] | sqlite3.Row) -> Question:
    """The record of a question row."""
    return Question(
        id=row["key"],
        text=row["text"],
        category=row["category"],
        task_type=row["task_type"],
        language=row["language"],
        detail=row["detail"],
        references=tuple(json.loads(row["refs"])),
        context=tuple(json.loads(row["context"])),
        facts=tuple(json.loads(row["facts"])),
        must_have=tuple(json.loads(row["must_have"])),
        metadata=json.loads(row["metadata"]),
    )


def read_answer(row: Mapping[str, Any] | sqlite3.Row, question_key: str) -> Answer:
    """The record of an answer row."""
    return Answer(
        question_id=question_key,
        model=row["model"],
        text=row["text"],
        version=row["version"],
        time_to_first_token=row["time_to_first_token"],
        total_seconds=row["total_seconds"],
        input_tokens=row["input_tokens"],
        output_tokens=row["output_tokens"],
        cost=row["cost"],
        finish_reason=row["finish_reason"],
        metadata=json.loads(row["metadata"]),
    )


def questions(
    db: sqlite3.Connection, project: Project, keys: Sequence[str] | None = None
) -> dict[int, Question]:
    """Visible questions of a project by row id, in order of arrival."""
    rows = db.execute(
        f"SELECT * FROM question WHERE project_id = ? AND import_id {DONE} ORDER BY id",
        (project.id,),
    )
    wanted = None if keys is None else set(keys)
    return {row["id"]: read_question(row) for row in rows if wanted is None or row["key"] in wanted}


def subject_ids(db: sqlite3.Connection, project: Project) -> list[int]:
    """Row ids of the subjects whose answers are the current ones, by question."""
    sql = (
        f"SELECT s.id FROM subject s WHERE s.project_id = ? AND {IS_CURRENT} "
        f"AND s.import_id {DONE} ORDER BY s.question_id, s.id"
    )
    return [row[0] for row in db.execute(sql, (project.id,))]


def beside(db: sqlite3.Connection, project: Project, ids: Sequence[int]) -> list[int]:
    """Row ids of the current subjects of the questions that `ids` belong to, by question."""
    asked: set[int] = set()
    for batch in chunks(ids):
        asked.update(
            row[0]
            for row in db.execute(
                f"SELECT question_id FROM subject WHERE id IN ({marks(len(batch))})", batch
            )
        )
    found: list[int] = []
    for questions in chunks(sorted(asked)):
        sql = (
            f"SELECT s.id FROM subject s WHERE s.project_id = ? AND {IS_CURRENT} "
            f"AND s.import_id {DONE} AND s.question_id IN ({marks(len(questions))}) "
            "ORDER BY s.question_id, s.id"
        )
        found += [row[0] for row in db.execute(sql, (project.id, *questions))]
    return found


def subjects(db: sqlite3.Connection, ids: Sequence[int]) -> list[StoredSubject]:
    """Subjects by row id, in the order of `ids`."""
    found: dict[int, StoredSubject] = {}
    for batch in chunks(ids):
        rows = db.execute(
            (
                "SELECT id, question_id, answer_id, other_id FROM subject "
                f"WHERE id IN ({marks(len(batch))})"
            ),
            batch,
        ).fetchall()
        by_question = questions_by_row(db, {row["question_id"] for row in rows})
        answer_rows = _answers_by_id(
            db,
            {row["answer_id"] for row in rows}
            | {row["other_id"] for row in rows if row["other_id"]},
        )
        for row in rows:
            question = by_question[row["question_id"]]
            answer = read_answer(answer_rows[row["answer_id"]], question.id)
            other = (
                read_answer(answer_rows[row["other_id"]], question.id) if row["other_id"] else None
            )
            found[row["id"]] = StoredSubject(
                row["id"], row["question_id"], row["answer_id"], Subject(question, answer, other)
            )
    return [found[i] for i in ids if i in found]


def questions_by_row(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, Question]:
    """Questions by row id."""
    found = {}
    for batch in chunks(ids):
        for row in db.execute(f"SELECT * FROM question WHERE id IN ({marks(len(batch))})", batch):
            found[row["id"]] = read_question(row)
    return found


def _answers_by_id(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, sqlite3.Row]:
    found = {}
    for batch in chunks(ids):
        for row in db.execute(f"SELECT * FROM answer WHERE id IN ({marks(len(batch))})", batch):
            found[row["id"]] = row
    return found


def answer_versions(
    db: sqlite3.Connection, question_rows: Sequence[int]
) -> dict[tuple[int, str], dict[int, str]]:
    """(question row, model) -> hash of the text by version, also of unfinished imports."""
    found: dict[tuple[int, str], dict[int, str]] = {}
    for batch in chunks(question_rows):
        sql = (
            "SELECT question_id, model, version, text_hash FROM answer "
            f"WHERE question_id IN ({marks(len(batch))}) ORDER BY version"
        )
        for row in db.execute(sql, batch):
            found.setdefault((row[0], row[1]), {})[row[2]] = row[3]
    return found


def subject_rows(
    db: sqlite3.Connection, project: Project, question_rows: Iterable[int]
) -> dict[tuple[int, str, int, str], int]:
    """(question row, model, version, other model or '') -> subject row."""
    found: dict[tuple[int, str, int, str], int] = {}
    for batch in chunks(question_rows):
        sql = (
            "SELECT s.id, s.question_id, a.model, a.version, coalesce(b.model, '') "
            "FROM subject s JOIN answer a ON a.id = s.answer_id "
            f"LEFT JOIN answer b ON b.id = s.other_id WHERE s.question_id IN ({marks(len(batch))})"
        )
        found.update(((row[1], row[2], row[3], row[4]), row[0]) for row in db.execute(sql, batch))
    return found


def add_pair(
    db: sqlite3.Connection,
    project: Project,
    question_row: int,
    first: str,
    second: str,
    import_id: int,
) -> int | None:
    """The subject of an ordered pair of two models' latest answers; None if one of them is
    missing."""
    ids = []
    for model in (first, second):
        row = db.execute(
            (
                "SELECT id FROM answer WHERE question_id = ? AND model = ? ORDER BY version DESC "
                "LIMIT 1"
            ),
            (question_row, model),
        ).fetchone()
        if row is None:
            return None
        ids.append(row[0])
    db.execute(
        (
            "INSERT OR IGNORE INTO subject (project_id, question_id, answer_id, other_id, "
            "import_id) VALUES (?,?,?,?,?)"
        ),
        (project.id, question_row, ids[0], ids[1], import_id),
    )
    return int(
        db.execute("SELECT id FROM subject WHERE answer_id = ? AND other_id = ?", ids).fetchone()[0]
    )


def current_of(db: sqlite3.Connection, ids: Iterable[int]) -> list[int]:
    """Those subjects whose answers are the current ones."""
    found: list[int] = []
    for batch in chunks(ids):
        sql = (
            f"SELECT s.id FROM subject s WHERE s.id IN ({marks(len(batch))}) AND {IS_CURRENT} "
            "ORDER BY s.id"
        )
        found += [row[0] for row in db.execute(sql, batch)]
    return found


def import_subjects(db: sqlite3.Connection, import_id: int) -> list[int]:
    """Subjects that an import brings."""
    return [
        row[0]
        for row in db.execute(
            "SELECT id FROM subject WHERE import_id = ? ORDER BY id", (import_id,)
        )
    ]


@dataclass(frozen=True, slots=True)
class ImportedGroup:
    """The subjects of one question that an import brings, and how many characters the question and
    they have, each up to a limit."""

    subjects: Sequence[int]
    characters: int


def import_groups(db: sqlite3.Connection, import_id: int, most: int) -> list[ImportedGroup]:
    """What an import brings, question by question in the order of the file; `most` characters of a
    text are counted."""
    sql = (
        "SELECT s.id, s.question_id, min(length(q.text), :most), min(length(a.text), :most) "
        "FROM subject s JOIN question q ON q.id = s.question_id "
        "JOIN answer a ON a.id = s.answer_id "
        "WHERE s.import_id = :import_id ORDER BY s.id"
    )
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for subject, question, asked, answered in db.execute(
        sql, {"most": most, "import_id": import_id}
    ):
        subjects, lengths = groups.setdefault(question, ([], [asked]))
        subjects.append(subject)
        lengths.append(answered)
    return [ImportedGroup(subjects, sum(lengths)) for subjects, lengths in groups.values()]


@dataclass(frozen=True, slots=True)
class Counts:
    """What a project holds; an author's own text is no model's answer."""

    questions: int
    languages: Sequence[str]
    answers: int
    models: int


def counts(ws: Workspace, project: Project) -> Counts:
    """How much a project holds."""
    db = ws.db
    one = db.execute(
        (
            "SELECT count(*), group_concat(DISTINCT language) FROM question "
            f"WHERE project_id = ? AND import_id {DONE}"
        ),
        (project.id,),
    ).fetchone()
    two = db.execute(
        (
            "SELECT count(*), count(DISTINCT model) FROM answer WHERE project_id = ? "
            f"AND current = 1 AND import_id {DONE} AND model NOT GLOB ?"
        ),
        (project.id, AUTHOR_GLOB),
    ).fetchone()
    languages = sorted(x for x in (one[1] or "").split(",") if x)
    return Counts(one[0], languages, two[0], two[1])


def subjects_of(db: sqlite3.Connection, question_rows: Iterable[int]) -> list[int]:
    """Subjects that stand for the present, visible answers to questions."""
    found: list[int] = []
    for batch in chunks(question_rows):
        sql = (
            f"SELECT s.id FROM subject s WHERE s.question_id IN ({marks(len(batch))}) "
            f"AND s.import_id {DONE} AND {IS_CURRENT} ORDER BY s.id"
        )
        found += [row[0] for row in db.execute(sql, batch)]
    return found
