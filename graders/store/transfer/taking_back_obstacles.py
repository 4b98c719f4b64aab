"""What stands against taking a finished import back: who worked on what it brought, and what later
imports changed of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from graders.store.answers.content import chunks, marks
from graders.store.desk import seeded
from graders.store.projects import Project
from graders.store.transfer import replaced_by_import
from graders.store.transfer.imports import Import
from graders.store.transfer.replaced_by_import import Replaced
from graders.store.workspace import Workspace

#: Answers and questions that an import brought.
_ANSWERS = "(SELECT id FROM answer WHERE import_id = :id)"
_QUESTIONS = "(SELECT id FROM question WHERE import_id = :id)"
#: Its answers and pairs, also pairs with them that were drawn since.
OWN = (
    f"(SELECT id FROM subject WHERE import_id = :id UNION SELECT id FROM subject WHERE answer_id "
    f"IN {_ANSWERS} UNION SELECT id FROM subject WHERE other_id IN {_ANSWERS})"
)


class Kind(StrEnum):
    """What stands against taking an import back."""

    PERSON = "person"
    OPEN = "open"
    CHOSE = "chose"
    JUDGE = "judge"
    IMPORT = "import"
    WAITING = "waiting"
    COPIES = "copies"
    DRAWN = "drawn"
    TESTED = "tested"
    EARLIER = "earlier"


@dataclass(frozen=True, slots=True)
class Hold:
    """Something that stands against taking an import back: `who` did it (a person's id, a judge, a
    file), on how many cells, screens or questions."""

    kind: Kind
    who: str
    count: int


def holds(
    ws: Workspace, project: Project, found: Import, whole: Sequence[int], least: bool = False
) -> list[Hold]:
    """What stands against taking an import back, `whole` being it and those that go with it;
    `least`: the first of it is enough."""
    case = _Case(
        ws.db, ws.clock(), project, found, replaced_by_import.replaced(ws.db, found.id), whole
    )
    told: list[Hold] = []
    for look in (_earlier, _work, _tested, _screens, _choices, _others, _copies):
        told += look(case)
        if told and least:
            break
    return told


@dataclass(frozen=True, slots=True)
class _Case:
    """What a look at an import needs; `now` in seconds."""

    db: sqlite3.Connection
    now: float
    project: Project
    found: Import
    was: Replaced
    whole: Sequence[int]


def _earlier(case: _Case) -> list[Hold]:
    """An import that changed what was there, under a version that kept nothing of it."""
    changed = sum(case.found.report.get(name) or 0 for name in ("changed_questions", "new_figures"))
    changed += sum(
        bool(one.get("replaces")) for one in case.found.report.get("rubric_changes") or ()
    )
    return [Hold(Kind.EARLIER, "", changed)] if changed and not case.was.known else []


def _work(case: _Case) -> list[Hold]:
    """Verdicts that people gave here, and judges, on what the import brought or changed since."""
    near = _near(case.db, case.found.id, case.was)
    told: dict[tuple[str, str], int] = {}
    sql = (
        "SELECT w.kind, w.name, count(DISTINCT v.cell_id) FROM cell c "
        "JOIN verdict v ON v.cell_id = c.id AND v.import_id = 0 AND v.id > {after} "
        "JOIN author w ON w.id = v.author_id AND w.kind IN ({kinds}) "
        "WHERE c.subject_id IN {where} GROUP BY 1, 2"
    )
    both = "'person', 'judge'"
    # a file's own verdicts have the number of its import
    rows = case.db.execute(
        sql.format(after=0, kinds=both, where=OWN), {"id": case.found.id}
    ).fetchall()
    for kinds, subjects in ((both, near.changed), ("'person'", near.said)):
        for ids in chunks(sorted(subjects)):
            where = f"({marks(len(ids))})"
            text = sql.format(after=case.was.verdict, kinds=kinds, where=where)
            rows += case.db.execute(text, ids).fetchall()
    for kind, name, count in rows:
        told[kind, name] = told.get((kind, name), 0) + count
    return [Hold(Kind(kind), name, count) for (kind, name), count in sorted(told.items())]


def _tested(case: _Case) -> list[Hold]:
    """Its labels that were opened for a test: brought again, they would test a second time."""
    sql = "SELECT count(*) FROM test_label WHERE import_id = ? AND opened_at <> ''"
    opened = case.db.execute(sql, (case.found.id,)).fetchone()[0]
    return [Hold(Kind.TESTED, "", opened)] if opened else []


@dataclass(frozen=True, slots=True)
class _Near:
    """Subjects of other imports on which one has an effect: of questions and answers that it
    changed, and of cells that it brought verdicts on."""

    changed: set[int]
    said: set[int]


def _near(db: sqlite3.Connection, import_id: int, was: Replaced) -> _Near:
    changed = set(subjects_of(db, "question_id", list(was.questions)))
    changed |= set(subjects_of(db, "answer_id", list(was.figures)))
    said = {
        row[0]
        for row in db.execute(
            "SELECT DISTINCT c.subject_id FROM verdict v JOIN cell c ON c.id = v.cell_id "
            "JOIN subject s ON s.id = c.subject_id "
            "WHERE v.import_id = :id AND s.import_id <> :id",
            {"id": import_id},
        )
    }
    own = {row[0] for row in db.execute(f"SELECT id FROM {OWN}", {"id": import_id})}
    return _Near(changed - own, said - own - changed)


def subjects_of(db: sqlite3.Connection, column: str, rows: Sequence[int]) -> Iterator[int]:
    """Subjects by a column of theirs: `question_id`, `answer_id` or `other_id`."""
    for ids in chunks(rows):
        sql = f"SELECT id FROM subject WHERE {column} IN ({marks(len(ids))})"
        yield from (row[0] for row in db.execute(sql, ids))


def _screens(case: _Case) -> list[Hold]:
    """Screens with its answers that somebody has open, or finished here without a verdict, or that
    active sampling placed."""
    sql = (
        "SELECT a.person_id, count(DISTINCT a.id) FROM screen_subject x "
        "JOIN assignment a ON a.screen_id = x.screen_id "
        f"WHERE x.subject_id IN {OWN} AND {{}} GROUP BY 1 ORDER BY 1"
    )
    held = "a.state = 'leased' AND a.lease_until >= :now"
    left = "a.state IN ('skipped', 'done', 'partial', 'practised') AND a.saved_at > :at"
    values = {"id": case.found.id, "now": case.now, "at": case.was.at or case.found.started_at}
    placed = (
        "SELECT count(DISTINCT x.subject_id) FROM screen_subject x JOIN screen s "
        f"ON s.id = x.screen_id AND s.design = 'placed' WHERE x.subject_id IN {OWN}"
    )
    drawn = case.db.execute(placed, {"id": case.found.id}).fetchone()[0]
    graded = (
        " AND NOT EXISTS (SELECT 1 FROM verdict v JOIN author w ON w.id = v.author_id "
        "AND w.name = a.person_id WHERE v.cell_id IN (SELECT id FROM cell WHERE subject_id = "
        "x.subject_id) AND v.import_id = 0)"
    )
    open_now = [Hold(Kind.OPEN, *row) for row in case.db.execute(sql.format(held), values)]
    done = [Hold(Kind.PERSON, *row) for row in case.db.execute(sql.format(left + graded), values)]
    return [*open_now, *done, *([Hold(Kind.DRAWN, "", drawn)] if drawn else [])]


def _choices(case: _Case) -> list[Hold]:
    """References that people chose for its questions or among its answers, and lists of elements
    that they decided on."""
    sql = (
        "SELECT by, count(*) FROM (SELECT e.by, e.question_id FROM election e WHERE e.by <> '' "
        f"AND e.project_id = :project AND (e.question_id IN {_QUESTIONS} OR e.subject_id IN {OWN}) "
        "UNION SELECT d.by, d.question_id FROM draft d WHERE d.state <> 'drafted' "
        f"AND d.project_id = :project AND d.question_id IN {_QUESTIONS}) GROUP BY 1 ORDER BY 1"
    )
    values = {"id": case.found.id, "project": case.project.id}
    return [Hold(Kind.CHOSE, *row) for row in case.db.execute(sql, values)]


def _others(case: _Case) -> list[Hold]:
    """Later imports that changed the same rows, and imports that are not finished."""
    waiting = case.db.execute(
        "SELECT source, 1 FROM import WHERE project_id = ? AND state IN ('staging', 'staged')",
        (case.project.id,),
    ).fetchall()
    if waiting:
        return [Hold(Kind.WAITING, *row) for row in waiting]
    counts: dict[int, int] = {}
    for sql in (
        f"SELECT import_id, count(*) FROM answer WHERE question_id IN {_QUESTIONS} GROUP BY 1",
        "SELECT b.import_id, count(*) FROM answer a JOIN answer b ON b.question_id = a.question_id "
        "AND b.model = a.model AND b.version > a.version WHERE a.import_id = :id GROUP BY 1",
        f"SELECT import_id, count(*) FROM subject WHERE id IN {OWN} GROUP BY 1",
        "SELECT v.import_id, count(*) FROM cell c JOIN verdict v ON v.cell_id = c.id "
        f"AND v.import_id > 0 WHERE c.subject_id IN {OWN} GROUP BY 1",
        "SELECT t.import_id, count(*) FROM cell c JOIN test_label t ON t.cell_id = c.id "
        f"AND t.opened_at = '' WHERE c.subject_id IN {OWN} GROUP BY 1",
    ):
        for other, count in case.db.execute(sql, {"id": case.found.id}):
            counts[other] = counts.get(other, 0) + count
    mine = {
        row[0] for row in case.db.execute(f"SELECT id FROM {_QUESTIONS}", {"id": case.found.id})
    }
    answers = {
        row[0] for row in case.db.execute(f"SELECT id FROM {_ANSWERS}", {"id": case.found.id})
    }
    later = case.db.execute(
        "SELECT id FROM import WHERE project_id = ? AND state = 'done' AND id > ?",
        (case.project.id, case.found.id),
    ).fetchall()
    for (other,) in later:
        theirs = replaced_by_import.replaced(case.db, other)
        same = len((mine | {*case.was.questions}) & {*theirs.questions})
        same += len((answers | {*case.was.figures}) & {*theirs.figures})
        if same:
            counts[other] = counts.get(other, 0) + same
    names = {row[0]: row[1] for row in case.db.execute("SELECT id, source FROM import")}
    return [
        Hold(Kind.IMPORT, f"{other} ({names.get(other, '')})", count)
        for other, count in sorted(counts.items())
        if other and other not in case.whole
    ]


def _copies(case: _Case) -> list[Hold]:
    """Copies with seeded faults that were made of its answers since."""
    copies = seeded.project_of_copies(case.db, case.project)
    if copies is None:
        return []
    sql = (
        "SELECT count(*) FROM answer b JOIN question z ON z.id = b.question_id "
        "JOIN question q ON q.key = z.key AND q.project_id = ? JOIN answer a "
        "ON a.question_id = q.id AND a.version = b.version AND a.import_id = ? "
        "AND a.model = json_extract(b.metadata, '$.seeded.model') "
        f"WHERE b.project_id = ? AND b.import_id NOT IN ({marks(len(case.whole))})"
    )
    count = case.db.execute(
        sql, (case.project.id, case.found.id, copies.id, *case.whole)
    ).fetchone()[0]
    return [Hold(Kind.COPIES, copies.name, count)] if count else []
