"""The ceiling that the authors' own texts are for the models, and what people and judges gave these
texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.control import author_of, is_author
from graders.store.answers import controls
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.opinions import grid_cells


def ceilings(
    ws: Workspace, project: Project, criteria: Sequence[CriterionRow], filters: Mapping[str, str]
) -> dict[str, dict[str, Any]]:
    """By criterion with a ceiling: the mean of the authors' own texts and of the models, both over
    the same questions.

    ``author`` and ``models`` are figures of `grid_cells.figure`; `questions` is on how many,
    `names` whose texts, `words` says it.
    """
    rows = {
        row.id: row
        for row in criteria
        if row.criterion.ceiling == "author" and row.scale.is_ordered
    }
    values: dict[int, dict[int, dict[str, list[float]]]] = {}
    for criterion, question, model, number in (
        controls.beside(ws.db, project, list(rows), filters) if rows else ()
    ):
        values.setdefault(criterion, {}).setdefault(question, {}).setdefault(model, []).append(
            number
        )
    found = {}
    for criterion, by_question in values.items():
        marked = {
            question: models
            for question, models in by_question.items()
            if any(map(is_author, models))
        }
        if marked:
            found[rows[criterion].key] = _ceiling(rows[criterion], list(marked.values()))
    return found


def _ceiling(
    row: CriterionRow, questions: Sequence[Mapping[str, Sequence[float]]]
) -> dict[str, Any]:
    """The figures of one criterion; each entry of `questions` has the numbers of one question by
    model."""
    theirs = [
        [n for model, numbers in models.items() if is_author(model) for n in numbers]
        for models in questions
    ]
    others = [
        [n for model, numbers in models.items() if not is_author(model) for n in numbers]
        for models in questions
    ]
    names = sorted(
        {author_of(model) for models in questions for model in models if is_author(model)}
    )
    author, rest = grid_cells.figure(row.scale, theirs), grid_cells.figure(row.scale, others)
    reached = f"the models reach {rest['shown']}, " if rest["shown"] else ""
    who = f"{names[0]}'s own text" if len(names) == 1 else "the authors' own texts"
    return {
        "criterion": row.key,
        "title": row.criterion.title,
        "author": author,
        "models": rest,
        "questions": len(questions),
        "names": names,
        "words": f"{row.criterion.title}: {reached}{who} {author['shown']}",
    }


def opinions(ws: Workspace, project: Project, row: CriterionRow) -> list[dict[str, Any]]:
    """What people together and each judge gave the authors' own texts under a criterion with a
    ceiling: {by, shown, value, texts}."""
    if row.criterion.ceiling != "author" or not row.scale.is_ordered:
        return []
    said: dict[str, list[float]] = {}
    for kind, name, number in controls.opinions(ws.db, project, row.id, row.hash):
        if kind in ("person", "judge"):
            said.setdefault("people" if kind == "person" else name, []).append(number)
    return [
        {
            "by": by,
            "values": len(numbers),
            **{k: grid_cells.figure(row.scale, [numbers])[k] for k in ("value", "shown")},
        }
        for by, numbers in sorted(said.items(), key=lambda pair: (pair[0] != "people", pair[0]))
    ]
