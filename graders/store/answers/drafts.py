"""Lists of required elements on their way: drafted by a judge, accepted or dismissed by a person.
Rows are only ever appended."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from graders.core.records import Question
from graders.store.projects import Project
from graders.store.workspace import dumps


class ListState(StrEnum):
    """What became of a list: a judge drafted it, a person accepted or dismissed it."""

    DRAFTED = "drafted"
    ACCEPTED = "accepted"
    DISMISSED = "dismissed"


#: Where a question's metadata say who drafted and accepted its list (no mark: it is the file's).
MARK = "must_have_by"


@dataclass(frozen=True, slots=True)
class Draft:
    """One step of a question's list. `by` is the judge that drafted it or the person who decided;
    `money` in US dollars, None where no price is known; `call_key` names the call in the ledger."""

    state: ListState
    by: str
    elements: tuple[str, ...]
    at: str
    call_key: str = ""
    money: float | None = None


def put(db: sqlite3.Connection, project: Project, question_id: int, step: Draft) -> None:
    """Append a step of a question's list."""
    db.execute(
        (
            "INSERT INTO draft (project_id, question_id, state, by, elements, call_key, money, "
            "at) VALUES (?,?,?,?,?,?,?,?)"
        ),
        (
            project.id,
            question_id,
            step.state,
            step.by,
            dumps(list(step.elements)),
            step.call_key,
            step.money,
            step.at,
        ),
    )


def drafts(db: sqlite3.Connection, project: Project) -> dict[int, list[Draft]]:
    """All steps by question row, oldest first."""
    found: dict[int, list[Draft]] = {}
    for row in db.execute("SELECT * FROM draft WHERE project_id = ? ORDER BY id", (project.id,)):
        step = Draft(
            ListState(row["state"]),
            row["by"],
            tuple(json.loads(row["elements"])),
            row["at"],
            row["call_key"],
            row["money"],
        )
        found.setdefault(row["question_id"], []).append(step)
    return found


def set_list(
    db: sqlite3.Connection, question_id: int, elements: Sequence[str], origin: dict[str, str]
) -> None:
    """Give a question its list of required elements; `origin` (who drafted and accepted it, and
    when) goes into its metadata.

    An empty list has its origin too: a person decided that nothing is required.
    """
    metadata = json.loads(
        db.execute("SELECT metadata FROM question WHERE id = ?", (question_id,)).fetchone()[0]
    )
    metadata[MARK] = origin
    db.execute(
        "UPDATE question SET must_have = ?, metadata = ? WHERE id = ?",
        (dumps(list(elements)), dumps(metadata), question_id),
    )
    # An import that is under way was merged with the list before this one, and would bring that
    # back when it ends.
    db.execute(
        (
            "UPDATE question_change SET must_have = ?, metadata = json_set(metadata, "
            f"'$.{MARK}', json(?)) WHERE question_id = ?"
        ),
        (dumps(list(elements)), dumps(origin), question_id),
    )


def origin_of(question: Question) -> dict[str, str]:
    """Who drafted and accepted a question's list, and when; empty where it is a file's."""
    origin = question.metadata.get(MARK)
    return (
        {str(name): str(value) for name, value in origin.items()}
        if isinstance(origin, Mapping)
        else {}
    )


def merged_list(old: Question, merged: Question, stated: Question) -> Question:
    """`merged`, which is `old` with what the file's question `stated` says, with the list that
    counts: one that a person accepted, also an empty one, stays, unless the file's is a person's
    too."""
    if origin_of(stated):
        return replace(merged, must_have=stated.must_have)
    if origin_of(old):
        # Whatever else the file has in the place of the mark says nothing.
        return replace(
            merged, must_have=old.must_have, metadata={**merged.metadata, MARK: old.metadata[MARK]}
        )
    return merged
