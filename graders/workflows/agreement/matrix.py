"""The answers behind a cell of a confusion matrix."""

from __future__ import annotations

from collections.abc import Mapping

from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts
from graders.statistics.pair_figures import ranges
from graders.store.figures import one_answer
from graders.store.figures.agreement import Side, shared_cells
from graders.store.opinions import stored_verdicts, verdicts
from graders.store.opinions.filters import EVERYTHING, Filters
from graders.store.projects import CriterionRow
from graders.workflows.agreement.ground import View, ground
from graders.workflows.agreement.records import (
    AuthorValue,
    CriterionName,
    MatrixAnswers,
    MatrixCell,
)
from graders.workflows.opinions.participants import POPULATIONS
from graders.workflows.results import answer_row
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.seen import mark_seen, still_blind

#: Answers on one page behind a cell of a matrix.
ANSWERS_A_PAGE = 20
#: (author row, kind, name)
Author = tuple[int, str, str]


@needs("look")
def matrix_cell(
    scope: Scope,
    project_name: str,
    cell: MatrixCell,
    page: int = 1,
    *,
    blind_only: bool = True,
    population: str = "",
    filters: Filters = EVERYTHING,
) -> MatrixAnswers:
    """The answers where both authors gave these values. The person who looks has seen their
    marks."""
    project = scope.project(project_name)
    basis = ground(scope, project, View(blind_only, population, filters))
    criterion, _ = basis.one(cell.criterion)
    designs = POPULATIONS[basis.population].designs if blind_only else ()
    authors = {
        f"{kind}:{name}": (row_id, kind, name)
        for row_id, (kind, name) in verdicts.authors(scope.ws.db, project).items()
    }
    a, b = _author(authors, cell.a), _author(authors, cell.b)
    sides = [
        _side(author, criterion, ref, value, blind_only, designs)
        for author, ref, value in ((a, cell.a, cell.value_a), (b, cell.b, cell.value_b))
    ]
    # People give fewer verdicts than judges: their rows are walked.
    first, second = sides if a[1] == "person" else sides[::-1]
    db, size = scope.ws.db, ANSWERS_A_PAGE
    total, _ = shared_cells(db, criterion, first, second, limit=0, offset=0, filters=filters)
    page, pages, _ = page_of(range(total), page, size)
    _, cells = shared_cells(
        db, criterion, first, second, limit=size, offset=(page - 1) * size, filters=filters
    )
    rows = one_answer.cell_answers(db, cells)
    hidden = still_blind(scope, (row.subject_id for row in rows))
    rows = [row for row in rows if row.subject_id not in hidden]
    mark_seen(scope, (row.subject_id for row in rows))
    by_cell = stored_verdicts.verdicts_of(db, cells)
    names = [
        basis.circle.names.get(name, name) if kind == "person" else name for _, kind, name in (a, b)
    ]
    who = [(kind, name, label) for (_, kind, name), label in zip((a, b), names, strict=True)]
    return MatrixAnswers(
        criterion=CriterionName(criterion.key, criterion.criterion.title),
        a=AuthorValue(cell.a, names[0], cell.value_a),
        b=AuthorValue(cell.b, names[1], cell.value_b),
        total=total,
        rows=[
            answer_row.answer_row(row, by_cell.get(row.cell_id, []), who, criterion) for row in rows
        ],
        hidden=len(cells) - len(rows),
        page=page,
        pages=pages,
    )


def _author(authors: Mapping[str, Author], ref: str) -> Author:
    if ref not in authors:
        refs = ", ".join(sorted(authors))[:400]
        raise NotFound(**error_parts("agreement.no_author", ref=repr(ref), refs=refs))
    return authors[ref]


def _side(
    author: Author,
    criterion: CriterionRow,
    ref: str,
    value: str,
    blind_only: bool,
    designs: tuple[str, ...],
) -> Side:
    """An author with the range of numbers that the value of a matrix stands for."""
    bounds = {words: (low, high) for words, low, high in ranges(criterion.scale)}
    if value not in bounds:
        raise InputError(
            **error_parts(
                "agreement.no_value", ref=ref, value=repr(value), values=", ".join(bounds)
            )
        )
    row_id, kind, _ = author
    person = kind == "person"
    return Side(
        row_id,
        *bounds[value],
        blind=blind_only and person,
        designs=designs if person else (),
        person=person,
    )
