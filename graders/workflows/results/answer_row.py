"""One answer on the pages that compare authors: its question, its text, and what these authors said
of one of its cells."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.scale import Value
from graders.store.figures.one_answer import CellAnswer
from graders.store.opinions.stored_verdicts import StoredVerdict
from graders.store.projects import CriterionRow


@dataclass(frozen=True, slots=True)
class Side:
    """What an author said of a cell."""

    name: str
    kind: str
    value: Value | None
    word: str
    rationale: str
    arm: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer with one of its cells, and what the authors that are compared said of it."""

    cell: int
    subject_id: int
    question_id: str
    question: str
    references: Sequence[str]
    model: str
    version: int
    part: str
    answer: str
    said: Sequence[Side]


def answer_row(
    row: CellAnswer,
    said: Sequence[StoredVerdict],
    who: Sequence[tuple[str, str, str]],
    criterion: CriterionRow,
) -> AnswerRow:
    """`row` as `reports.cell_answers` gives it, `said` all present verdicts of the cell, `who`:
    (kind, name, label) of those to show."""
    sides = []
    for kind, name, shown in who:
        found = next((v for v in said if v.author_kind == kind and v.author == name), None)
        if found is None:
            continue
        origin, mark = found.provenance or {}, found.mark
        sides.append(
            Side(
                name=shown,
                kind=kind,
                value=mark.value,
                word="" if mark.value is None else criterion.scale.word(mark.value),
                rationale=mark.rationale or origin.get("comment", ""),
                arm=origin.get("arm", ""),
            )
        )
    return AnswerRow(
        cell=row.cell_id,
        subject_id=row.subject_id,
        question_id=row.question_id,
        question=row.question[:400],
        references=json.loads(row.refs),
        model=row.model,
        version=row.version,
        part=row.part,
        answer=row.answer,
        said=sides,
    )
