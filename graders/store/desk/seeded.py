"""Copies of answers with a fault put in by code. They are a project of their own, named in its
settings: what counts answers of a project never meets them. People get some of them on screens of
the design ``control``, which belong to the project that they grade."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from graders.core.author_texts import AUTHOR_GLOB
from graders.core.shapes import JSON
from graders.store.answers.content import DONE, IS_CURRENT, chunks, marks
from graders.store.desk import own_screens
from graders.store.desk.adjudications import ADJUDICATED
from graders.store.projects import CriterionRow, Project, find_project

#: The setting of a project of copies: the name of the project whose answers they are of.
SEEDED_OF = "seeded_of"
#: What stands behind a project's name in that of its copies.
SUFFIX = "-seeded"
#: The design of a screen with a copy.
CONTROL = "control"


class Said(NamedTuple):
    """A present opinion of a judge or rule, or what a person said blind; `part` of the criterion,
    `number` None without a value."""

    kind: str
    author: str
    question: str
    model: str
    version: int
    criterion: str
    part: str
    number: float | None


def doubted(db: sqlite3.Connection, criteria: Sequence[CriterionRow]) -> set[int]:
    """Subjects (row ids) with the worst value of an ordered criterion, or a named fault, by any
    author: a further fault would show less."""
    found: set[int] = set()
    for row in criteria:
        if not row.scale.is_ordered:
            continue
        fault = row.key.startswith("faults/")
        low = row.scale.numbers[0] if row.scale.is_discrete else row.scale.low
        sql = (
            "SELECT DISTINCT c.subject_id FROM opinion o JOIN cell c ON c.id = o.cell_id "
            f"WHERE o.criterion_id = ? AND o.import_id {DONE} "
            f"AND o.number {'>' if fault else '<='} ?"
        )
        found.update(one[0] for one in db.execute(sql, (row.id, low)))
    return found


@dataclass(frozen=True, slots=True)
class StoredCopy:
    """A copy with a fault: the key of its question, its mark where a model's name would stand
    (`model`), the version of the answer that it is of, and what is stored of the fault (`seeded`,
    None for nothing)."""

    question: str
    model: str
    version: int
    seeded: JSON | None


def copies(db: sqlite3.Connection, project: Project) -> list[StoredCopy]:
    """The copies of a project of copies."""
    sql = (
        "SELECT q.key, a.model, a.version, a.metadata FROM answer a "
        "JOIN question q ON q.id = a.question_id "
        f"WHERE a.project_id = ? AND a.current = 1 AND a.import_id {DONE} ORDER BY a.id"
    )
    return [
        StoredCopy(question, model, version, json.loads(metadata).get("seeded"))
        for question, model, version, metadata in db.execute(sql, (project.id,))
    ]


#: The copy `b` of the subject `s` to the question `z`, and the answer that it is of: `o`, subject
#: `t`, question `q` of the project ?1.
_OF = (
    "answer b JOIN subject s ON s.answer_id = b.id AND s.other_id IS NULL "
    "JOIN question z ON z.id = b.question_id "
    "JOIN question q ON q.project_id = ?1 AND q.key = z.key "
    "JOIN answer o ON o.question_id = q.id AND o.version = b.version AND o.current = 1 "
    "AND o.model = json_extract(b.metadata, '$.seeded.model') "
    "JOIN subject t ON t.answer_id = o.id AND t.other_id IS NULL"
)


def project_of_copies(db: sqlite3.Connection, project: Project) -> Project | None:
    """The project that holds the copies of a project's answers; None where none were made."""
    found = find_project(db, project.name + SUFFIX)
    return found if found is not None and found.settings.get(SEEDED_OF) == project.name else None


def due(
    db: sqlite3.Connection, project: Project, person_id: str, share: float
) -> tuple[int, int] | None:
    """(question, subject of the copy) that is to come to a person now, so that `share` of his or
    her screens are copies; None where none is.

    By chance among the copies of answers that the person graded blind at least `own_screens.GAP`
    screens ago under the present wording, saw no marks on since, and met no other copy to the same
    question of. Where the copies stand under other rubrics than the answers nobody gets one.
    """
    done = db.execute(
        (
            "SELECT count(*) FROM assignment WHERE project_id = ? AND person_id = ? "
            "AND state IN ('done', 'partial')"
        ),
        (project.id, person_id),
    ).fetchone()[0]
    had = own_screens.had(db, project, person_id, CONTROL)
    if done - had <= own_screens.GAP or had + 1 > share * done + 1e-9:
        return None
    copies = project_of_copies(db, project)
    if copies is None or not same_rubrics(db, project, copies):
        return None
    sql = (
        f"SELECT q.id, s.id FROM {_OF} WHERE b.project_id = ?2 AND b.current = 1 "
        f"AND b.import_id {DONE} AND t.import_id {DONE} "
        "AND EXISTS (SELECT 1 FROM screen_subject x "
        "JOIN assignment a ON a.screen_id = x.screen_id AND a.person_id = ?3 "
        "AND a.state = 'done' "
        "AND a.arm = 'blind' AND a.occasion = 0 AND a.saved_at < ?4 WHERE x.subject_id = t.id) "
        "AND EXISTS (SELECT 1 FROM cell c JOIN criterion k ON k.id = c.criterion_id "
        "AND k.active = 1 JOIN opinion n ON n.cell_id = c.id AND n.blind = 1 "
        "AND n.criterion_hash = k.hash JOIN author p ON p.id = n.author_id "
        "AND p.kind = 'person' AND p.name = ?3 WHERE c.subject_id = t.id) "
        "AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.person_id = ?3 AND seen.subject_id = t.id) "
        "AND NOT EXISTS (SELECT 1 FROM subject u "
        "JOIN screen_subject y ON y.subject_id = u.id "
        "JOIN assignment c ON c.screen_id = y.screen_id "
        "AND c.person_id = ?3 AND c.state NOT IN ('expired', 'released') "
        "WHERE u.question_id = z.id) "
        "AND z.must_have = q.must_have AND z.facts = q.facts AND NOT EXISTS (SELECT 1 "
        "FROM cell c JOIN criterion k ON k.id = c.criterion_id "
        "AND k.active = 1 AND k.key NOT LIKE 'faults/%' WHERE c.subject_id = t.id "
        "AND c.retired = 0 AND NOT EXISTS (SELECT 1 FROM cell d "
        "JOIN criterion l ON l.id = d.criterion_id AND l.key = k.key "
        "WHERE d.subject_id = s.id AND d.retired = 0)) "
        "AND NOT EXISTS (SELECT 1 FROM answer w WHERE w.question_id = q.id "
        f"AND w.model GLOB '{AUTHOR_GLOB}') ORDER BY s.id"
    )
    found = [
        tuple(row)
        for row in db.execute(
            sql, (project.id, copies.id, person_id, own_screens.before_gap(db, project, person_id))
        )
    ]
    return (
        random.Random(f"{project.seed} {CONTROL} {person_id} {had}").choice(found)
        if found
        else None
    )


def same_rubrics(db: sqlite3.Connection, project: Project, copies: Project) -> bool:
    """Whether the copies are asked about by the rubrics that the answers are."""
    sql = "SELECT name, hash FROM rubric WHERE project_id = ? AND active = 1 ORDER BY name"
    mine, theirs = ([tuple(row) for row in db.execute(sql, (one.id,))] for one in (project, copies))
    return mine == theirs


def said(db: sqlite3.Connection, project: Project, questions: Sequence[str]) -> list[Said]:
    """What judges and rules say of the present answers to some questions (keys), and people said
    blind, under the criteria as they are worded."""
    found: list[Said] = []
    for batch in chunks(questions):
        sql = (
            "SELECT w.kind, w.name, q.key, a.model, a.version, k.key, c.part, o.number "
            "FROM question q "
            "CROSS JOIN subject s ON s.question_id = q.id AND s.other_id IS NULL "
            f"AND s.import_id {DONE} AND {IS_CURRENT} "
            "CROSS JOIN answer a ON a.id = s.answer_id CROSS "
            "JOIN cell c ON c.subject_id = s.id CROSS "
            "JOIN criterion k ON k.id = c.criterion_id "
            "AND k.active = 1 CROSS JOIN opinion o ON o.cell_id = c.id "
            f"AND o.criterion_hash = k.hash AND o.import_id {DONE} "
            "CROSS JOIN author w ON w.id = o.author_id AND (w.kind IN ('judge', 'rule') "
            f"OR (w.kind = 'person' AND w.name <> '{ADJUDICATED}' AND o.blind = 1)) "
            f"WHERE q.project_id = ? AND q.key IN ({marks(len(batch))})"
        )
        found += [Said(*row) for row in db.execute(sql, (project.id, *batch))]
    return found
