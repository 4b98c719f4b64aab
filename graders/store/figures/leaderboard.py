"""What the leaderboard reads: whose answer a cell grades, a judge's values on all cells, what
answers cost. Nothing here writes. Many numbers come as arrays."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from graders.core.author_texts import AUTHOR_GLOB
from graders.store.answers.content import DONE, marks, tuples
from graders.store.columns import ANY, WHOLE, Column, column, pair, read
from graders.store.opinions import earlier
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow, Project

#: Answers `a` of a model and version that are no longer the current ones.
_EARLIER = f"a.model = ? AND a.version = ? AND a.current = 0 AND a.import_id {DONE}"
_FILTERS = ("category", "task_type", "language")


def current_answers(db: sqlite3.Connection, project: Project) -> list[tuple[str, Column, Column]]:
    """(model, subjects, their questions) of the current single answers, one row per model; authors'
    own texts are no model's."""
    where = (
        "FROM answer a JOIN subject s ON s.answer_id = a.id AND s.other_id IS NULL "
        f"WHERE a.project_id = ? AND a.current = 1 AND a.import_id {DONE} AND a.model NOT GLOB ?"
    )
    values = (project.id, AUTHOR_GLOB)
    counts: list[tuple[str, int]] = tuples(
        db, f"SELECT a.model, count(*) {where} GROUP BY a.model ORDER BY a.model", values
    )
    subjects, questions = pair(db, f"SELECT s.id, s.question_id {where} ORDER BY a.model", values)
    rows, first = [], 0
    for model, count in counts:
        last = first + count
        rows.append((model, subjects[first:last], questions[first:last]))
        first = last
    return rows


def cells(db: sqlite3.Connection, criterion: CriterionRow) -> tuple[Column, Column]:
    """(cells, their subjects) of a criterion, as far as they count: those that are no longer asked
    about do not."""
    sql = (
        "SELECT id, subject_id FROM cell "
        f"WHERE criterion_id = ? AND tally_id IS NOT NULL AND import_id {DONE}"
    )
    return pair(db, sql, (criterion.id,))


def lengths(db: sqlite3.Connection, criterion: CriterionRow) -> tuple[Column, Column, Column]:
    """(cells, their questions, the length of their answers in characters) of a criterion."""
    sql = (
        "SELECT c.id, c.question_id, length(a.text) FROM cell c "
        "CROSS JOIN subject s ON s.id = c.subject_id CROSS JOIN answer a ON a.id = s.answer_id "
        f"WHERE c.criterion_id = ? AND c.tally_id IS NOT NULL AND c.import_id {DONE}"
    )
    rows = read(db, sql, (criterion.id,), cell=WHOLE, question=WHOLE, length=WHOLE)
    return rows["cell"], rows["question"], rows["length"]


def closed_parts(db: sqlite3.Connection, criterion: CriterionRow) -> Column:
    """The cells of a criterion's parts that are closed: they need no value."""
    sql = (
        "SELECT id FROM cell INDEXED BY cell_part "
        "WHERE criterion_id = ? AND part <> '' AND final_source = 'closed' "
        f"AND import_id {DONE}"
    )
    return column(db, sql, (criterion.id,))


def earlier_versions(db: sqlite3.Connection, project: Project) -> list[tuple[str, int, int]]:
    """(model, version, answers) of single answers whose place a later version has taken."""
    sql = (
        # that index alone
        "SELECT a.model, a.version, count(*) FROM (SELECT DISTINCT question_id, model "
        "FROM answer WHERE version > 1) v "
        "CROSS JOIN answer a ON a.question_id = v.question_id AND a.model = v.model "
        f"WHERE a.project_id = ? AND a.current = 0 AND a.import_id {DONE} "
        "AND a.model NOT GLOB ? GROUP BY 1, 2 ORDER BY 1, 2"
    )
    return tuples(db, sql, (project.id, AUTHOR_GLOB))


def earlier_answers(
    db: sqlite3.Connection, project: Project, model: str, version: int
) -> tuple[Column, Column]:
    """(subjects, their questions) of a model's answers of one version, as far as a later one has
    taken their place."""
    sql = (
        "SELECT s.id, s.question_id FROM answer a "
        "JOIN subject s ON s.answer_id = a.id AND s.other_id IS NULL WHERE a.project_id = ? "
        f"AND {_EARLIER}"
    )
    return pair(db, sql, (project.id, model, version))


def earlier_cells(
    db: sqlite3.Connection, criterion: CriterionRow, model: str, version: int
) -> tuple[Column, Column]:
    """(cells, their subjects) of a criterion on these answers; such cells count nowhere else."""
    sql = (
        "SELECT c.id, c.subject_id FROM criterion k CROSS JOIN answer a "
        "CROSS JOIN subject s ON s.answer_id = a.id AND s.other_id IS NULL CROSS "
        "JOIN cell c ON c.subject_id = s.id AND c.criterion_id = k.id "
        f"WHERE k.id = ? AND a.project_id = k.project_id AND {_EARLIER} AND c.retired = 0 "
        f"AND c.import_id {DONE}"
    )
    return pair(db, sql, (criterion.id, model, version))


def pair_cells(db: sqlite3.Connection, criterion: CriterionRow) -> list[tuple[int, int, str, str]]:
    """(cell, question, first model, second model) of a criterion that compares current answers in
    pairs, by cell."""
    sql = (
        "SELECT c.id, c.question_id, a.model, b.model FROM cell c "
        "JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id "
        "JOIN answer b ON b.id = s.other_id WHERE c.criterion_id = ? "
        f"AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
        "AND a.model NOT GLOB ? AND b.model NOT GLOB ? ORDER BY c.id"
    )
    return tuples(db, sql, (criterion.id, AUTHOR_GLOB, AUTHOR_GLOB))


def judged(
    db: sqlite3.Connection, criterion: CriterionRow, author_id: int, filters: Filters = EVERYTHING
) -> tuple[Column, Column]:
    """(cells, numbers) of one author's opinions. Of `filters` only the wording counts."""
    told = earlier.before(criterion, filters)
    sql = (
        f"{told.sql}SELECT cell_id, number FROM opinion "
        "WHERE criterion_id = ? AND author_id = ? AND criterion_hash = ? "
        f"AND number IS NOT NULL AND import_id {DONE}"
    )
    return pair(db, sql, (*told.values, criterion.id, author_id, criterion.hash), ANY)


def opinions_by_author(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    authors: Sequence[int],
    filters: Filters = EVERYTHING,
) -> dict[int, int]:
    """How many values each of `authors` gave under a criterion; 0 for those whose verdicts have
    none. Of `filters` only the wording counts."""
    told = earlier.before(criterion, filters)
    sql = (
        f"{told.sql}SELECT author_id, sum(number IS NOT NULL AND criterion_hash = ?) FROM opinion "
        f"WHERE criterion_id = ? AND author_id IN ({marks(len(authors))}) GROUP BY author_id"
    )
    return (
        {
            row[0]: row[1]
            for row in tuples(db, sql, (*told.values, criterion.hash, criterion.id, *authors))
        }
        if authors
        else {}
    )


def questions_with(db: sqlite3.Connection, project: Project, filters: Filters) -> list[int]:
    """The questions that match category, task type and language."""
    chosen = {name: values for name in _FILTERS if (values := getattr(filters, name))}
    clauses = "".join(f" AND {name} IN ({marks(len(values))})" for name, values in chosen.items())
    sql = f"SELECT id FROM question WHERE project_id = ? AND import_id {DONE}{clauses}"
    values = (project.id, *(value for values in chosen.values() for value in values))
    return [row[0] for row in tuples(db, sql, values)]


def answer_costs(db: sqlite3.Connection, project: Project) -> dict[str, dict[str, float | None]]:
    """Model -> mean cost, seconds (to the first token, in all) and tokens of its current answers;
    None where not one is known."""
    sql = (
        "SELECT model, avg(cost) AS cost, avg(time_to_first_token) AS first, "
        "avg(total_seconds) AS seconds, avg(output_tokens) AS tokens "
        f"FROM answer WHERE project_id = ? AND current = 1 AND import_id {DONE} GROUP BY model"
    )
    rows = tuples(db, sql, (project.id,))
    return {
        row[0]: dict(zip(("cost", "first", "seconds", "tokens"), row[1:], strict=True))
        for row in rows
    }
