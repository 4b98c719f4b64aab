"""Which criterion of a project a table's column of ratings means: the one that its header names, or
for a bare word such as "rating" the only one whose scale takes its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from graders.core.contracts import Column, Look
from graders.core.errors import ScaleError
from graders.core.rubric import Criterion, Rubric
from graders.core.words import say
from graders.importers.tables.rows import value_of_cell
from graders.importers.tables.words import PLAIN_GRADES, fold
from graders.store import projects
from graders.workflows.cells.match_scales import Noticed
from graders.workflows.cells.state import FAULTS
from graders.workflows.importing.look import look_at
from graders.workflows.importing.look_choices import LAYOUTS, with_annotator
from graders.workflows.scope.permissions import Scope, needs

#: Criteria, each with the rubric that reads values of its scale.
Known = Sequence[tuple[Rubric, Criterion]]


@needs("import")
def with_criteria(
    scope: Scope, project_name: str, path: Path, look: Look, rubric: Rubric | None = None
) -> Look:
    """The look, where columns that are called like a criterion of the project, or of `rubric`, and
    hold values on its scale are verdicts, with the annotators beside them.

    What an earlier look took for verdicts, for another project or rubric, is guessed anew. Nothing
    changes where a person gave a column the role verdict, in a file of bad rows that comes back,
    and where the header does not say which of several models it speaks of.
    """
    answers = [column for column in look.columns if column.role == "answer"]
    chosen = set(look.chosen or ())
    given = any(c.role == "verdict" and c.index in chosen for c in look.columns)
    if look.layout not in LAYOUTS or len(answers) != 1 or given or look.mended is not None:
        return look
    columns = tuple(
        replace(c, role="metadata", model="")
        if c.role in ("verdict", "annotator") and c.index not in chosen
        else c
        for c in look.columns
    )
    project = projects.find_project(scope.ws.db, project_name)
    rubrics = projects.rubrics(scope.ws, project) if project is not None else []
    if rubric is not None:
        rubrics = [*(one for one in rubrics if one.name != rubric.name), rubric]
    known = [(one, c) for one in rubrics if one.name != FAULTS.name for c in one.criteria]
    found: dict[str, list[Column]] = {}
    for place, column in enumerate(columns):
        cells = [row[place] for row in look.first_rows if place < len(row)]
        values = [value for cell in cells if (value := value_of_cell(cell)) is not None]
        named = _named(column.header, known)
        if column.role != "metadata" or column.index in chosen or len(named) != 1 or not values:
            continue
        if _takes(named[0], values):
            found.setdefault(named[0][1].key, []).append(column)
    verdicts = {some[0].index for some in found.values() if len(some) == 1}
    columns = tuple(
        replace(column, role="verdict") if column.index in verdicts else column
        for column in columns
    )
    columns = with_annotator(columns, chosen)
    if columns == look.columns:
        return look
    return look_at(scope, path, replace(look, columns=columns, chosen=tuple(sorted(chosen))))[1]


def meant_criteria(seen: Mapping[str, Noticed], known: Known) -> tuple[dict[str, str], list[str]]:
    """The keys of the project's criteria that columns mean whose headers are not exactly their
    names, by header, and what to tell the lead."""
    known = [(rubric, c) for rubric, c in known if c.rubric != FAULTS.name]
    exact = {name for _, c in known for name in (c.name, c.key)}
    keys: dict[str, str] = {}
    notes: list[str] = []
    for name, noticed in seen.items():
        named = _named(name, known) if name not in exact else []
        if len(named) == 1 and _takes(named[0], noticed.meant) and noticed.meant:
            keys[name] = named[0][1].key
            notes.append(
                say("importing.note.called_like", column=repr(name[:60]), criterion=keys[name])
            )
    left = [name for name in seen if name not in exact and name not in keys]
    if not known or len(left) != 1 or len(seen) != 1 or fold(left[0]) not in PLAIN_GRADES:
        return keys, notes
    (name,) = left
    fitting = [one for one in known if seen[name].meant and _takes(one, seen[name].meant)]
    column = repr(name[:60])
    if len(fitting) == 1:
        keys[name] = fitting[0][1].key
        notes.append(say("importing.note.read_as", column=column, criterion=keys[name]))
    else:
        names = ", ".join(c.name for _, c in known)[:400]
        notes.append(say("importing.note.own_criterion", column=column, names=names))
    return keys, notes


def _named(header: str, known: Known) -> list[tuple[Rubric, Criterion]]:
    """The criteria that a header names, by name, key or title."""
    word = fold(header)
    return [
        (rubric, c)
        for rubric, c in known
        if word and word in (fold(c.name), fold(c.key), fold(c.title))
    ]


def _takes(one: tuple[Rubric, Criterion], values: Iterable[object]) -> bool:
    """Whether all values are on the criterion's scale."""
    rubric, criterion = one
    try:
        for value in values:
            rubric.value_of(criterion, value)
    except ScaleError:
        return False
    return True
