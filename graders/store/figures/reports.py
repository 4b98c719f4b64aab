"""What Results and Agreement read: a model's cells page by page, opinions for figures, the cells
behind a count. Nothing writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from graders.core.contracts import Chosen
from graders.core.control import AUTHOR_GLOB
from graders.core.preference import compares_two
from graders.store.answers.content import DONE, marks
from graders.store.columns import ANY, WHOLE, nothing, read
from graders.store.opinions import earlier
from graders.store.opinions.filters import EVERYTHING, Clause, Filters, of_cell, of_verdict
from graders.store.opinions.tallies import ASKED
from graders.store.projects import CriterionRow, Project

#: How a verdict's design is numbered in `people_opinions`: its place here, -1 for any other.
DESIGNS = (
    "",
    "calibration",
    "imported",
    "blind_arm",
    "ordinary",
    "audit",
    "adaptive",
    "placed",
    "labelled",
)
#: Labels from files of which nobody says how their answers were chosen; no such design is stored.
LABELLED = DESIGNS.index("labelled")
_DESIGN = (
    "CASE WHEN o.design = 'imported' AND o.import_id NOT IN "
    f"(SELECT id FROM import WHERE labels_chosen <> '{Chosen.UNKNOWN}') THEN {LABELLED} ELSE "
    "CASE o.design "
    + " ".join(f"WHEN '{name}' THEN {place}" for place, name in enumerate(DESIGNS))
    + " ELSE -1 END END"
)
#: A probability counts to so many parts.
_SHARES = 10**12
_PROBABILITY = f"CAST(o.probability * {_SHARES} AS INTEGER) / {float(_SHARES)}"
_FILTERS = ("category", "task_type", "language")
#: What counts for agreement: given under the criterion as it stands, of finished imports. `o` is
#: the opinion.
_VALID = (
    f"o.criterion_id = ? AND o.criterion_hash = ? AND o.number IS NOT NULL AND o.import_id {DONE}"
)


@dataclass(frozen=True, slots=True)
class Side:
    """One author of a matrix with the range [low, high) that the numbers of his or her values lie
    in; `blind` asks for blind verdicts.

    `designs` are the designs that count; empty means all. `person` tells people, for whom filters
    hold, from judges.
    """

    author_id: int
    low: float
    high: float
    blind: bool = False
    designs: tuple[str, ...] = ()
    person: bool = False


# -- results


@dataclass(frozen=True, slots=True)
class CellOfAnswer:
    """A cell of a model's current answer, with its question; values are JSON."""

    cell_id: int
    subject_id: int
    part: str
    final: str | None
    final_source: str
    final_reason: str
    suggestion: str | None
    route: str
    route_reason: str
    question_id: str
    question: str
    category: str
    task_type: str
    language: str
    version: int
    answer: str


def answer_page(
    db: sqlite3.Connection,
    project: Project,
    model: str,
    criterion_id: int,
    filters: Mapping[str, str],
    *,
    limit: int,
    offset: int,
) -> list[CellOfAnswer]:
    """Cells of a model's current answers under a criterion, by question. `filters`: category,
    task_type, language, state.

    State is empty or a `final_source`.
    """
    where, values = _cells_of_model(project, model, criterion_id, filters)
    sql = (
        "SELECT c.id AS cell_id, c.subject_id, c.part, c.final, c.final_source, "
        "c.final_reason, c.suggestion, c.route, c.route_reason, q.key AS question_id, "
        "q.text AS question, q.category, q.task_type, q.language, a.version, substr(a.text, "
        f"1, 240) AS answer {where} ORDER BY a.id, c.id LIMIT ? OFFSET ?"
    )
    return [CellOfAnswer(*row) for row in db.execute(sql, (*values, limit, offset))]


def answer_counts(
    db: sqlite3.Connection,
    project: Project,
    model: str,
    criterion_id: int,
    filters: Mapping[str, str],
) -> list[tuple[str, str | None, int]]:
    """(final source, final value as JSON or None, cells) of a model's current answers under a
    criterion."""
    where, values = _cells_of_model(project, model, criterion_id, filters)
    sql = f"SELECT c.final_source, c.final, count(*) {where} GROUP BY 1, 2 ORDER BY 1, 2"
    return [(row[0], row[1], row[2]) for row in db.execute(sql, values)]


def part_sums(
    db: sqlite3.Connection,
    project: Project,
    model: str,
    criterion_id: int,
    filters: Mapping[str, str],
) -> dict[str, tuple[int, int, int, float]]:
    """Part -> (cells, cells with a final value, pending ones, sum of final values) of a model's
    current answers under a criterion."""
    where, values = _cells_of_model(project, model, criterion_id, filters)
    sql = (
        "SELECT c.part, count(*), count(c.final_number), sum(c.final_source = 'pending'), "
        f"coalesce(sum(c.final_number), 0) {where} GROUP BY 1"
    )
    return {row[0]: (row[1], row[2], row[3], row[4]) for row in db.execute(sql, values)}


def _cells_of_model(
    project: Project, model: str, criterion_id: int, filters: Mapping[str, str]
) -> tuple[str, tuple[Any, ...]]:
    """FROM and WHERE with their values. The order of joins is forced: a model's answers are few
    beside the cells."""
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND q.{name} = ?" for name in names)
    values: list[Any] = [project.id, model, criterion_id, *(filters[name] for name in names)]
    if filters.get("state"):
        clauses += " AND c.final_source = ?"
        values.append(filters["state"])
    where = (
        "FROM answer a CROSS JOIN subject s ON s.answer_id = a.id CROSS "
        "JOIN cell c ON c.subject_id = s.id CROSS JOIN question q ON q.id = a.question_id "
        f"WHERE a.project_id = ? AND a.model = ? AND a.current = 1 AND a.import_id {DONE} "
        "AND c.criterion_id = ? AND c.tally_id IS NOT NULL "
        f"AND c.import_id {DONE}{clauses}"
    )
    return where, tuple(values)


def checklists(
    db: sqlite3.Connection, project: Project, criteria: Sequence[int], filters: Mapping[str, str]
) -> dict[tuple[str, int], tuple[int, float, float]]:
    """(model, criterion row) -> answers, sum and sum of squares of the answers' own means over
    their parts.

    A list of two entries counts as much as one of ten. An answer counts when none of its parts is
    pending; parts that are not applicable are left out of its mean.
    """
    if not criteria:
        return {}
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND t.{name} = ?" for name in names)
    sql = (
        "SELECT t.model, p.criterion_id, count(*), sum(p.mean), sum(p.mean * p.mean) "
        "FROM (SELECT c.criterion_id, c.tally_id, avg(c.final_number) AS mean "
        f"FROM cell c INDEXED BY cell_part WHERE c.criterion_id IN ({marks(len(criteria))}) "
        f"AND c.part <> '' AND c.tally_id IS NOT NULL AND c.import_id {DONE} "
        "GROUP BY c.criterion_id, c.subject_id HAVING sum(c.final_source = 'pending') = 0 "
        "AND count(c.final_number) > 0) p "
        f"JOIN tally t ON t.id = p.tally_id WHERE t.project_id = ?{clauses} GROUP BY 1, 2"
    )
    rows = db.execute(sql, (*criteria, project.id, *(filters[name] for name in names)))
    return {(row[0], row[1]): (row[2], row[3], row[4]) for row in rows}


def suggested(
    db: sqlite3.Connection,
    project: Project,
    criterion_id: int,
    filters: Mapping[str, str],
    *,
    by_answer: bool,
) -> list[tuple[str, int, str, int]]:
    """(model, subject or 0, suggestion as JSON, cells) of a criterion's cells that nobody decided;
    `by_answer`: each answer apart. Authors' own texts are not among them."""
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND t.{name} = ?" for name in names)
    subject = "c.subject_id" if by_answer else "0"
    sql = (
        f"SELECT t.model, {subject}, c.suggestion, count(*) FROM cell c "
        "JOIN tally t ON t.id = c.tally_id WHERE c.criterion_id = ? AND t.project_id = ? "
        "AND c.final_source = 'pending' AND c.suggestion IS NOT NULL AND t.model NOT GLOB ? "
        f"AND c.import_id {DONE}{clauses} GROUP BY 1, 2, 3"
    )
    values = (criterion_id, project.id, AUTHOR_GLOB, *(filters[name] for name in names))
    return [(row[0], row[1], row[2], row[3]) for row in db.execute(sql, values)]


def fault_tallies(
    db: sqlite3.Connection, project: Project, filters: Mapping[str, str]
) -> dict[str, tuple[int, int]]:
    """Model -> (faults that are final, faults still open)."""
    names = [name for name in _FILTERS if filters.get(name)]
    clauses = "".join(f" AND t.{name} = ?" for name in names)
    sql = (
        "SELECT t.model, sum(t.total), sum(t.cells - t.people - t.audit - t.automatic - "
        "t.closed) FROM tally t JOIN criterion c ON c.id = t.criterion_id "
        f"WHERE t.project_id = ? AND c.key LIKE 'faults/%' AND c.active = 1{clauses} "
        "GROUP BY t.model"
    )
    return {
        row[0]: (int(row[1]), int(row[2]))
        for row in db.execute(sql, (project.id, *(filters[name] for name in names)))
    }


def compares_pairs(db: sqlite3.Connection, criterion_id: int) -> bool:
    """Whether a criterion grades pairs of answers: its first cell tells, or before there is one its
    scale."""
    sql = (
        "SELECT s.other_id FROM cell c JOIN subject s ON s.id = c.subject_id "
        "WHERE c.criterion_id = ? LIMIT 1"
    )
    row = db.execute(sql, (criterion_id,)).fetchone()
    if row is None:
        scale = db.execute("SELECT scale FROM criterion WHERE id = ?", (criterion_id,)).fetchone()
        return scale is not None and compares_two(scale[0])
    return row[0] is not None


def criterion_cells(db: sqlite3.Connection, project: Project, criterion_id: int) -> int:
    """The number of cells of models under one criterion, from the tallies."""
    sql = (
        "SELECT coalesce(sum(cells), 0) FROM tally WHERE project_id = ? AND criterion_id = ? "
        "AND model NOT GLOB ?"
    )
    return int(db.execute(sql, (project.id, criterion_id, AUTHOR_GLOB)).fetchone()[0])


@dataclass(frozen=True, slots=True)
class FilterCount:
    """A value that can be filtered by, and how many cells have it."""

    value: str
    cells: int


def filter_counts(
    db: sqlite3.Connection, project: Project, criterion_id: int
) -> dict[str, list[FilterCount]]:
    """What can be filtered by, with the number of cells of one criterion, most first; from the
    tallies."""
    found: dict[str, list[FilterCount]] = {}
    for name in _FILTERS:
        sql = (
            f"SELECT {name}, sum(cells) FROM tally WHERE project_id = ? AND criterion_id = ? "
            f"AND {name} <> '' AND model NOT GLOB ? GROUP BY 1 HAVING sum(cells) > 0 "
            "ORDER BY 2 DESC, 1"
        )
        found[name] = [
            FilterCount(*row) for row in db.execute(sql, (project.id, criterion_id, AUTHOR_GLOB))
        ]
    return found


@dataclass(frozen=True, slots=True)
class AnswerVersion:
    """A version of an answer; `current` is 1 for the one that counts."""

    answer_id: int
    subject_id: int
    version: int
    current: int
    text: str


def answer_versions(
    db: sqlite3.Connection, project: Project, question: str, model: str
) -> list[AnswerVersion]:
    """Versions of one answer, newest first."""
    sql = (
        "SELECT a.id AS answer_id, s.id AS subject_id, a.version, a.current, a.text "
        "FROM question q JOIN answer a ON a.question_id = q.id "
        "JOIN subject s ON s.answer_id = a.id AND s.other_id IS NULL "
        f"WHERE q.project_id = ? AND q.key = ? AND a.model = ? AND a.import_id {DONE} "
        "ORDER BY a.version DESC"
    )
    return [AnswerVersion(*row) for row in db.execute(sql, (project.id, question, model))]


def comments(db: sqlite3.Connection, subject_id: int) -> dict[str, str]:
    """Person -> what he or she wrote on the screen with this answer."""
    sql = (
        "SELECT a.person_id, a.comment FROM screen_subject x "
        "JOIN assignment a ON a.screen_id = x.screen_id "
        "WHERE x.subject_id = ? AND a.comment <> '' AND a.state IN ('done', 'partial') "
        "ORDER BY a.id"
    )
    return {row[0]: row[1] for row in db.execute(sql, (subject_id,))}


@dataclass(frozen=True, slots=True)
class Draw:
    """A screen that an answer stands on: how and with which probability it was drawn, when, how
    many people of those needed have done it."""

    id: int
    design: str
    probability: float
    at: str
    done: int
    needed: int


def draws(db: sqlite3.Connection, subject_id: int) -> list[Draw]:
    """The screens that an answer stands on, oldest first."""
    sql = (
        "SELECT s.id, s.design, s.probability, s.created_at AS at, s.done, s.needed "
        "FROM screen_subject x JOIN screen s ON s.id = x.screen_id "
        "WHERE x.subject_id = ? ORDER BY s.id"
    )
    return [Draw(*row) for row in db.execute(sql, (subject_id,))]


# -- agreement


def watermark(db: sqlite3.Connection, project: Project) -> tuple[Any, ...]:
    """Changes whenever verdicts, imports or rubrics of the workspace do, or what is asked about (a
    list that was edited)."""
    row = db.execute(
        "SELECT (SELECT max(id) FROM verdict), (SELECT count(*) FROM import "
        "WHERE state = 'done'), (SELECT max(id) FROM rubric), "
        "(SELECT value FROM setting WHERE name = ?), "
        "(SELECT group_concat(id || labels_chosen) FROM import WHERE project_id = ? "
        f"AND labels_chosen <> '{Chosen.UNKNOWN}')",
        (ASKED, project.id),
    ).fetchone()
    rows = db.execute(
        "SELECT id, hash, active FROM criterion WHERE project_id = ? ORDER BY id", (project.id,)
    )
    return (*row, tuple(tuple(r) for r in rows))


def people_opinions(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    authors: Sequence[int],
    filters: Filters = EVERYTHING,
) -> npt.NDArray[Any]:
    """Opinions of people, by author and cell: rows with author, cell, question, number, blind (0 or
    1), design (its place in DESIGNS, -1 for others) and probability. Cells of superseded answers
    are among them."""
    columns = {
        "author": WHOLE,
        "cell": WHOLE,
        "question": WHOLE,
        "number": ANY,
        "blind": WHOLE,
        "design": WHOLE,
        "probability": ANY,
    }
    if not authors:
        return nothing(**columns)
    before, more = (
        _before(criterion, filters),
        (of_cell(filters, criterion.id), of_verdict(filters)),
    )
    sql = (
        f"{before.sql}SELECT o.author_id, o.cell_id, o.question_id, o.number, o.blind, {_DESIGN}, "
        f"{_PROBABILITY} FROM opinion o WHERE {_VALID} AND o.author_id IN "
        f"({marks(len(authors))}){more[0].sql}{more[1].sql} ORDER BY o.author_id, o.cell_id"
    )
    values = (
        *before.values,
        criterion.id,
        criterion.hash,
        *authors,
        *more[0].values,
        *more[1].values,
    )
    return read(db, sql, values, **columns)


def judge_opinions(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    judges: Sequence[int],
    people: Sequence[int],
    filters: Filters = EVERYTHING,
) -> npt.NDArray[Any]:
    """Opinions of judges on the cells that one of `people` gave an opinion on, by judge and cell:
    rows with author, cell and number.

    Of `filters` only the wording is theirs."""
    columns = {"author": WHOLE, "cell": WHOLE, "number": ANY}
    if not judges or not people:
        return nothing(**columns)
    before = _before(criterion, filters)
    sql = (
        f"{before.sql}SELECT o.author_id, o.cell_id, o.number FROM opinion o WHERE {_VALID} AND "
        f"o.author_id IN ({marks(len(judges))}) AND o.cell_id IN (SELECT p.cell_id "
        "FROM opinion p WHERE p.criterion_id = ? "
        f"AND p.author_id IN ({marks(len(people))})) ORDER BY o.author_id, o.cell_id"
    )
    values = (*before.values, criterion.id, criterion.hash, *judges, criterion.id, *people)
    return read(db, sql, values, **columns)


def _before(criterion: CriterionRow, filters: Filters) -> Clause:
    """What stands before a query of the table ``opinion``: nothing for the present wording."""
    return earlier.opinions_under(criterion) if filters.wording else Clause()


def set_apart(db: sqlite3.Connection, project: Project) -> list[int]:
    """Cells whose answers are not those of the models that figures are about: cells of answers that
    a later version has taken the place of, and of authors' own texts."""
    sql = (
        # on the index of versions alone
        "SELECT c.id FROM (SELECT DISTINCT question_id, model FROM answer WHERE version > 1) v "
        "CROSS JOIN answer a ON a.question_id = v.question_id AND a.model = v.model "
        "AND a.current = 0 AND a.project_id = ? "
        "CROSS JOIN subject s ON s.question_id = a.question_id "
        "AND a.id IN (s.answer_id, s.other_id) CROSS JOIN cell c ON c.subject_id = s.id "
        "UNION ALL SELECT c.id FROM answer a JOIN subject s ON s.answer_id = a.id "
        "JOIN cell c ON c.subject_id = s.id "
        f"WHERE a.project_id = ? AND a.model GLOB '{AUTHOR_GLOB}' AND a.import_id {DONE}"
    )
    return [row[0] for row in db.execute(sql, (project.id, project.id))]


def shared_cells(
    db: sqlite3.Connection,
    criterion: CriterionRow,
    first: Side,
    second: Side,
    *,
    limit: int,
    offset: int,
    filters: Filters = EVERYTHING,
) -> tuple[int, list[int]]:
    """How many cells of current answers two authors gave values in these ranges, and one page of
    them by row id.

    `first` should be the author with fewer opinions: his or hers are walked. `filters` hold for
    people.
    """
    values: list[Any] = [
        criterion.id,
        criterion.hash,
        first.author_id,
        first.low,
        first.high,
        criterion.id,
        criterion.hash,
        second.author_id,
    ]
    values += [second.low, second.high]
    clauses = ""
    for name, side in (("o", first), ("p", second)):
        more = of_verdict(filters, name) if side.person else Clause()
        clauses += more.sql
        values += more.values
        if side.blind:
            clauses += f" AND {name}.blind = 1"
        if side.designs:
            clauses += f" AND {name}.design IN ({marks(len(side.designs))})"
            values += side.designs
    cell = of_cell(filters, criterion.id)
    values += cell.values
    where = (
        "FROM opinion o CROSS JOIN opinion p ON p.cell_id = o.cell_id CROSS "
        "JOIN cell c ON c.id = o.cell_id "
        f"WHERE {_VALID} AND o.author_id = ? AND o.number >= ? AND o.number < ? "
        "AND p.criterion_id = ? AND p.criterion_hash = ? AND p.author_id = ? "
        f"AND p.number >= ? AND p.number < ? AND p.import_id {DONE} "
        f"AND c.tally_id IS NOT NULL{clauses}{cell.sql}"
    )
    before = _before(criterion, filters)
    values = [*before.values, *values]
    total = int(db.execute(f"{before.sql}SELECT count(*) {where}", values).fetchone()[0])
    rows = db.execute(
        f"{before.sql}SELECT o.cell_id {where} ORDER BY o.cell_id LIMIT ? OFFSET ?",
        (*values, limit, offset),
    )
    return total, [row[0] for row in rows]


@dataclass(frozen=True, slots=True)
class CellAnswer:
    """Question, answer and part of a cell; `refs` are the references as JSON."""

    cell_id: int
    subject_id: int
    part: str
    question_id: str
    question: str
    refs: str
    model: str
    version: int
    answer: str


def cell_answers(db: sqlite3.Connection, cell_ids: Sequence[int]) -> list[CellAnswer]:
    """Question, answer and part of cells (at most one page), in the order of `cell_ids`."""
    sql = (
        "SELECT c.id AS cell_id, c.subject_id, c.part, q.key AS question_id, "
        "q.text AS question, q.refs, a.model, a.version, substr(a.text, 1, 600) AS answer "
        "FROM cell c JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id JOIN question q ON q.id = c.question_id "
        f"WHERE c.id IN ({marks(len(cell_ids))})"
    )
    found = {row["cell_id"]: CellAnswer(*row) for row in db.execute(sql, list(cell_ids))}
    return [found[i] for i in cell_ids if i in found]
