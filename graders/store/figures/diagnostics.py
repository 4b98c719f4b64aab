"""What diagnostics of judges read beside opinions: texts they graded, confidences, places in a
call, samples, quotes. Nothing writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

from graders.store.answers.anchors import repeated
from graders.store.answers.author_texts import NO_CONTROL
from graders.store.answers.content import DONE, marks, tuples
from graders.store.opinions import earlier
from graders.store.opinions.filters import Clause, Filters, of_cell
from graders.store.projects import CriterionRow

#: A verdict rests on a quote, and whether it was looked for in the answer. Inside strings of JSON
#: quotation marks bear a backslash, so that no quoted text can pose as a key.
_QUOTED, _LOOKED, _LOST = (
    "instr(v.evidence, '\"quote\":') > 0",
    "instr(v.evidence, '\"found\":') > 0",
    "instr(v.evidence, '\"found\":false') > 0",
)
#: Opinions of judges under a wording of a criterion, on models' current answers.
_FROM = (
    "FROM author w CROSS JOIN opinion o ON o.criterion_id = ? AND o.author_id = w.id "
    "AND o.criterion_hash = ? "
    f"AND o.import_id {DONE} CROSS JOIN verdict v ON v.id = o.verdict_id CROSS "
    f"JOIN cell c ON c.id = o.cell_id AND c.tally_id IS NOT NULL AND {NO_CONTROL} "
)


class Replies(NamedTuple):
    """What a judge said on a question's cells: how many it was asked about, without a value because
    the reply could not be read, resting on a quote, with a quote that is not in the answer, with
    one that nobody looked for."""

    author: int
    question: int
    asked: int
    unread: int
    quoted: int
    lost: int
    unsought: int


def replies(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    judges: Sequence[int],
    unread: Sequence[str],
    filters: Filters,
) -> list[Replies]:
    """By judge and question; `unread` are the reasons of replies that could not be read. A walk
    over all verdicts of the judges."""
    clause, told = of_cell(filters, criterion.id), earlier.before(criterion, filters)
    sql = (
        f"{told.sql}SELECT o.author_id, o.question_id, count(*), sum(o.status <> 'ok' "
        f"AND v.reason IN ({marks(len(unread))})), sum({_QUOTED}), sum({_LOST}), "
        f"sum({_QUOTED} AND NOT {_LOOKED}) {_FROM} "
        f"WHERE w.id IN ({marks(len(judges))}){clause.sql} GROUP BY 1, 2 ORDER BY 1, 2"
    )
    values = (*told.values, *unread, criterion.id, criterion.hash, *judges, *clause.values)
    return [Replies(*row) for row in tuples(db, sql, values)] if judges else []


def unsought(
    db: sqlite3.Connection, criterion: CriterionRow, judges: Sequence[int], filters: Filters
) -> list[tuple[int, int, str, str]]:
    """(judge, question, evidence as JSON, answer) of verdicts with quotes that nobody looked for
    (files bring such) and that do not stand in the answer as they are written."""
    clause, told = of_cell(filters, criterion.id), earlier.before(criterion, filters)
    sql = (
        f"{told.sql}SELECT o.author_id, o.question_id, v.evidence, a.text {_FROM} CROSS "
        "JOIN subject s ON s.id = c.subject_id CROSS JOIN answer a ON a.id = s.answer_id "
        f"WHERE w.id IN ({marks(len(judges))}) AND {_QUOTED} AND NOT {_LOOKED} "
        "AND EXISTS (SELECT 1 FROM json_each(v.evidence) e "
        f"WHERE instr(a.text, coalesce(e.value ->> 'quote', '')) = 0){clause.sql}"
    )
    return (
        tuples(db, sql, (*told.values, criterion.id, criterion.hash, *judges, *clause.values))
        if judges
        else []
    )


def repeats(
    db: sqlite3.Connection, criterion: CriterionRow, judges: Sequence[int], filters: Filters
) -> list[tuple[int, int, float | None, Any, Any, Any]]:
    """(judge, question, number, place in the call from 1, answers in the call, samples as JSON) of
    verdicts that were one of several.

    What a judge said of an anchor, and said again by the same recipe, are two samples.
    """
    clause, told = of_cell(filters, criterion.id), earlier.before(criterion, filters)
    twice = (
        f"{told.sql}SELECT o.author_id, o.question_id, o.number, NULL, NULL, "
        f"'[' || o.value || ',' || r.value || ']' {_FROM} CROSS JOIN verdict r "
        "ON r.id = (SELECT max(e.id) FROM verdict e WHERE e.cell_id = o.cell_id "
        "AND e.author_id = o.author_id AND e.status = 'ok' "
        f"AND {repeated('e')} AND e.recipe_hash = v.recipe_hash "
        "AND e.criterion_hash = v.criterion_hash) "
        f"WHERE w.id IN ({marks(len(judges))}) AND o.value IS NOT NULL{clause.sql} "
        "ORDER BY o.cell_id"
    )
    named = (
        "SELECT 1 FROM criterion k JOIN project p ON p.id = k.project_id WHERE k.id = ? "
        "AND json_extract(p.settings, '$.anchors') IS NOT NULL"
    )
    sql = (
        f"{told.sql}SELECT o.author_id, o.question_id, o.number, json_extract(v.metadata, "
        "'$.position'), json_extract(v.metadata, '$.answers'), "
        f"json_extract(v.metadata, '$.samples') {_FROM} WHERE w.id IN ({marks(len(judges))}) "
        "AND (instr(v.metadata, '\"samples\":') > 0 "
        f"OR instr(v.metadata, '\"position\":') > 0){clause.sql} ORDER BY o.cell_id"
    )
    values = (*told.values, criterion.id, criterion.hash, *judges, *clause.values)
    if not judges:
        return []
    return tuples(db, sql, values) + (
        tuples(db, twice, values) if db.execute(named, (criterion.id,)).fetchone() else []
    )


def changes(
    db: sqlite3.Connection, criterion: CriterionRow, judges: Sequence[int], filters: Filters
) -> list[tuple[int, int, str, str]]:
    """(judge, question, value before, value now), as JSON, of answers that a judge graded again
    after its recipe or the wording changed.

    Before is the last verdict under another recipe or wording. A judge without a recipe (a file's)
    has no history.
    """
    clause, told = of_cell(filters, criterion.id), earlier.before(criterion, filters)
    sql = (
        f"{told.sql}SELECT o.author_id, o.question_id, p.value, o.value {_FROM} CROSS "
        "JOIN verdict p ON p.id = (SELECT max(e.id) FROM verdict e WHERE "
        "e.cell_id = o.cell_id AND e.author_id = o.author_id AND e.id < v.id "
        "AND e.status = 'ok' AND e.recipe_hash <> '' AND e.value IS NOT NULL "
        f"AND NOT {repeated('e')} AND (e.recipe_hash <> v.recipe_hash "
        "OR e.criterion_hash <> v.criterion_hash)) "
        f"WHERE w.id IN ({marks(len(judges))}) AND v.recipe_hash <> '' "
        f"AND o.value IS NOT NULL{clause.sql} ORDER BY o.cell_id"
    )
    return (
        tuples(db, sql, (*told.values, criterion.id, criterion.hash, *judges, *clause.values))
        if judges
        else []
    )


def answers(
    db: sqlite3.Connection, criterion: CriterionRow, people: Sequence[int], filters: Filters
) -> list[tuple[int, int, str]]:
    """(cell, characters of the answer, model) of cells that one of `people` gave an opinion on."""
    told, given = earlier.before(criterion, filters), _by_people(criterion, people)
    sql = (
        f"{told.sql}SELECT c.id, length(a.text), a.model FROM cell c "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
        f"WHERE c.id IN ({given.sql}) ORDER BY c.id"
    )
    return tuples(db, sql, (*told.values, *given.values)) if people else []


def confidences(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    judges: Sequence[int],
    people: Sequence[int],
    filters: Filters,
) -> list[tuple[int, int, float, str]]:
    """(judge, cell, confidence, its kind) of opinions of judges on cells that one of `people` gave
    an opinion on."""
    told, given = earlier.before(criterion, filters), _by_people(criterion, people)
    sql = (
        f"{told.sql}SELECT o.author_id, o.cell_id, v.confidence, v.confidence_kind "
        "FROM opinion o CROSS JOIN verdict v ON v.id = o.verdict_id "
        "AND v.confidence IS NOT NULL WHERE o.criterion_id = ? AND o.criterion_hash = ? "
        f"AND o.import_id {DONE} "
        f"AND o.author_id IN ({marks(len(judges))}) AND o.cell_id IN ({given.sql}) "
        "ORDER BY o.author_id, o.cell_id"
    )
    values = (*told.values, criterion.id, criterion.hash, *judges, *given.values)
    return tuples(db, sql, values) if judges and people else []


def _by_people(criterion: CriterionRow, people: Sequence[int]) -> Clause:
    """The cells that one of `people` gave an opinion on."""
    sql = (
        "SELECT p.cell_id FROM opinion p WHERE p.criterion_id = ? "
        f"AND p.author_id IN ({marks(len(people))})"
    )
    return Clause(sql, (criterion.id, *people))
