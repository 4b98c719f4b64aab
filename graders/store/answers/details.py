"""How much detail questions ask for, where a judge or a person said so; a person's word stays."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from graders.core.records import Question
from graders.store.answers.content import chunks, marks
from graders.store.workspace import dumps

#: Where a question's metadata say whose word its detail is (no mark: the file's), and what stood
#: there before a person spoke.
MARK, BEFORE = "detail_by", "detail_before"
PERSON, JUDGE = "person:", "judge:"


def set_details(db: sqlite3.Connection, rows: Sequence[tuple[int, str, str]]) -> None:
    """Set the detail of questions: (question row, ``short`` or ``detailed``, whose word it is).

    A person's word goes before all others; ("", ``person:...``) takes it back, and what was there
    before counts again.
    """
    stored: dict[int, tuple[str, dict[str, Any]]] = {}
    for batch in chunks(row for row, _, _ in rows):
        sql = f"SELECT id, detail, metadata FROM question WHERE id IN ({marks(len(batch))})"
        stored.update((row[0], (row[1], json.loads(row[2]))) for row in db.execute(sql, batch))
    made = []
    for row, detail, by in rows:
        old, metadata = stored[row]
        said = str(metadata.get(MARK) or "")
        if said.startswith(PERSON) and not by.startswith(PERSON):
            continue
        before = (
            metadata.pop(BEFORE, None) if said.startswith(PERSON) else {"detail": old, "by": said}
        )
        metadata.pop(MARK, None)
        if detail:
            metadata[MARK] = by
            if by.startswith(PERSON):
                metadata[BEFORE] = before
        else:
            detail, said = (
                str((before or {}).get("detail") or ""),
                str((before or {}).get("by") or ""),
            )
            metadata |= {MARK: said} if said else {}
        made.append((detail, dumps(metadata), row))
    db.executemany("UPDATE question SET detail = ?, metadata = ? WHERE id = ?", made)


def merged_detail(old: Question, merged: Question, stated: Question) -> Question:
    """`merged`, which is `old` with what the file's question `stated` says, with the detail that
    counts: a person's word stays, a judge's gives way to the file's and is forgotten with the text
    that it was about."""
    by = str(old.metadata.get(MARK) or "")
    if not by or stated.metadata.get(MARK):
        return merged
    if by.startswith(PERSON):
        before = {"detail": stated.detail, "by": ""} if stated.detail else old.metadata.get(BEFORE)
        return replace(merged, detail=old.detail, metadata={**merged.metadata, BEFORE: before})
    if stated.detail or stated.text not in ("", old.text):
        return replace(
            merged,
            detail=stated.detail,
            metadata={k: v for k, v in merged.metadata.items() if k != MARK},
        )
    return merged
