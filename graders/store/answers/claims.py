"""The claims that a model split answers into: they stand with the answer, and are its parts from
then on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from graders.core.claims import split_claims
from graders.core.records import Subject
from graders.store.answers.content import chunks, marks
from graders.store.workspace import dumps

#: Where an answer's metadata say who split it; no mark: its claims are its sentences, or came with
#: the file.
MARK = "claims_by"


def set_claims(db: sqlite3.Connection, rows: Sequence[tuple[int, Sequence[str], str]]) -> None:
    """Keep the claims of answers: (answer row, claims, who split it). An answer that has claims
    already keeps those."""
    sql = (
        "UPDATE answer SET metadata = json_set(metadata, '$.claims', json(?), ?, ?) "
        "WHERE id = ? AND json_type(metadata, '$.claims') IS NULL"
    )
    db.executemany(sql, [(dumps(list(claims)), f"$.{MARK}", by, row) for row, claims, by in rows])


def given_up(subject: Subject) -> tuple[str, ...]:
    """The sentences that are no parts any more, because a model split the answer into other claims;
    () where none did."""
    answer = subject.answer
    if not answer.metadata.get(MARK):
        return ()
    kept = {str(claim).strip() for claim in answer.metadata.get("claims") or ()}
    return tuple(
        one for one in split_claims(answer.text, subject.question.language) if one not in kept
    )


def read_by_people(
    db: sqlite3.Connection, subjects: Iterable[int], criteria: Sequence[int]
) -> set[int]:
    """Those of `subjects` on whose parts people have said something under `criteria` (rows)."""
    found: set[int] = set()
    for ids in chunks(subjects):
        sql = (
            "SELECT DISTINCT c.subject_id FROM cell c JOIN opinion o ON o.cell_id = c.id "
            "JOIN author a ON a.id = o.author_id "
            f"WHERE c.subject_id IN ({marks(len(ids))}) "
            f"AND c.criterion_id IN ({marks(len(criteria))}) AND a.kind = 'person'"
        )
        found.update(row[0] for row in db.execute(sql, (*ids, *criteria)))
    return found
