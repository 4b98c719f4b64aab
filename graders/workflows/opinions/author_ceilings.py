"""The ceiling that the authors' own texts are for the models, and what people and judges gave these
texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.author_texts import author_of, is_author
from graders.core.words import say
from graders.store.answers import author_texts as stored_texts
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows.opinions import grid_cells
from graders.workflows.opinions.grid_cells import Figure


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The mean of the authors' own texts under a criterion and of the models', both over the same
    `questions`; `names` whose texts, `words` says it."""

    criterion: str
    title: str
    author: Figure
    models: Figure
    questions: int
    names: Sequence[str]
    words: str


@dataclass(frozen=True, slots=True)
class Opinion:
    """What people together, or a judge, gave the authors' own texts: the mean of `values`."""

    by: str
    values: int
    value: float | None
    shown: str


def ceilings(
    ws: Workspace, project: Project, criteria: Sequence[CriterionRow], filters: Mapping[str, str]
) -> dict[str, Ceiling]:
    """The ceiling of each criterion that has one."""
    rows = {
        row.id: row
        for row in criteria
        if row.criterion.ceiling == "author" and row.scale.is_ordered
    }
    values: dict[int, dict[int, dict[str, list[float]]]] = {}
    for criterion, question, model, number in (
        stored_texts.beside(ws.db, project, list(rows), filters) if rows else ()
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


def _ceiling(row: CriterionRow, questions: Sequence[Mapping[str, Sequence[float]]]) -> Ceiling:
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
    reached = say("opinions.ceiling.models", shown=rest.shown) if rest.shown else ""
    who = (
        say("opinions.ceiling.of_one", name=names[0])
        if len(names) == 1
        else say("opinions.ceiling.of_several")
    )
    return Ceiling(
        criterion=row.key,
        title=row.criterion.title,
        author=author,
        models=rest,
        questions=len(questions),
        names=names,
        words=say(
            "opinions.ceiling.words",
            criterion=row.criterion.title,
            reached=reached,
            who=who,
            shown=author.shown,
        ),
    )


def opinions(ws: Workspace, project: Project, row: CriterionRow) -> list[Opinion]:
    """What people together and each judge gave the authors' own texts under a criterion with a
    ceiling."""
    if row.criterion.ceiling != "author" or not row.scale.is_ordered:
        return []
    said: dict[str, list[float]] = {}
    for kind, name, number in stored_texts.opinions(ws.db, project, row.id, row.hash):
        if kind in ("person", "judge"):
            said.setdefault("people" if kind == "person" else name, []).append(number)
    order = sorted(said.items(), key=lambda pair: (pair[0] != "people", pair[0]))
    means = [(by, len(numbers), grid_cells.figure(row.scale, [numbers])) for by, numbers in order]
    return [Opinion(by, n, mean.value, mean.shown) for by, n, mean in means]
