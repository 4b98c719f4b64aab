"""Authors as control: a real text of the named author among the models' answers, and the ceiling that its marks are for them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.core.control import author_model, author_of, is_author
from graders.core.errors import InputError, NotFound
from graders.store import content, controls, projects
from graders.store.projects import CriterionRow, Project
from graders.store.workspace import Workspace
from graders.workflows import _grid, imports
from graders.workflows.permissions import Scope, needs
from graders.workflows.route import route

#: Questions that the page offers, and characters of each that it shows.
MOST_CHOICES, SHOWN = 300, 90
#: At most this many characters of an author's text.
LONGEST = 100_000


def ceilings(ws: Workspace, project: Project, criteria: Sequence[CriterionRow], filters: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """By criterion with a ceiling: the mean of the authors' own texts and of the models, both over the same questions.

    ``author`` and ``models`` are figures of `_grid.figure`; `questions` is on how many, `names` whose texts, `words` says it.
    """
    rows = {row.id: row for row in criteria if row.criterion.ceiling == "author" and row.scale.is_ordered}
    values: dict[int, dict[int, dict[str, list[float]]]] = {}
    for criterion, question, model, number in controls.beside(ws.db, project, list(rows), filters) if rows else ():
        values.setdefault(criterion, {}).setdefault(question, {}).setdefault(model, []).append(number)
    found = {}
    for criterion, by_question in values.items():
        marked = {question: models for question, models in by_question.items() if any(map(is_author, models))}
        if marked:
            found[rows[criterion].key] = _ceiling(rows[criterion], list(marked.values()))
    return found


def _ceiling(row: CriterionRow, questions: Sequence[Mapping[str, Sequence[float]]]) -> dict[str, Any]:
    """The figures of one criterion; each entry of `questions` has the numbers of one question by model."""
    theirs = [[n for model, numbers in models.items() if is_author(model) for n in numbers] for models in questions]
    others = [[n for model, numbers in models.items() if not is_author(model) for n in numbers] for models in questions]
    names = sorted({author_of(model) for models in questions for model in models if is_author(model)})
    author, rest = _grid.figure(row.scale, theirs), _grid.figure(row.scale, others)
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
    """What people together and each judge gave the authors' own texts under a criterion with a ceiling: {by, shown, value, texts}."""
    if row.criterion.ceiling != "author" or not row.scale.is_ordered:
        return []
    said: dict[str, list[float]] = {}
    for kind, name, number in controls.opinions(ws.db, project, row.id, row.hash):
        if kind in ("person", "judge"):
            said.setdefault("people" if kind == "person" else name, []).append(number)
    return [
        {"by": by, "values": len(numbers), **{k: _grid.figure(row.scale, [numbers])[k] for k in ("value", "shown")}}
        for by, numbers in sorted(said.items(), key=lambda pair: (pair[0] != "people", pair[0]))
    ]


@needs("look")
def texts(scope: Scope, project_name: str) -> list[dict[str, Any]]:
    """The authors' own texts of a project: question, author, characters."""
    return [
        {"question_id": row["question_id"], "question": row["question"], "author": author_of(row["model"]), "characters": row["characters"]}
        for row in controls.texts(scope.ws.db, scope.project(project_name))
    ]


@needs("look")
def card(scope: Scope, project_name: str) -> dict[str, Any]:
    """What the page needs to mix a text in: whether a criterion has a ceiling, creative `questions`, the `texts` that are there."""
    project = scope.project(project_name)
    asked = [q for q in content.questions(scope.ws.db, project).values() if q.task_type != "factual"]
    return {
        "wanted": any(row.criterion.ceiling for row in projects.criteria(scope.ws, project)),
        "questions": [{"id": q.id, "text": q.text[:SHOWN]} for q in asked[:MOST_CHOICES]],
        "texts": texts(scope, project_name),
    }


@needs("import")
def add_text(scope: Scope, project_name: str, question_key: str, author: str, text: str, source: str = "") -> dict[str, Any]:
    """Mix a real text of `author` in among the answers to a question, unnamed; `source` says where it is from and that it is free.

    A text of that author to that question is superseded by another one. Returns the report of the import.
    """
    project = scope.project(project_name)
    name, body = " ".join(author.split()), text.strip()
    if not name or len(name) > 100 or not name.isprintable():
        raise InputError("author", found=repr(author)[:80], expected="the author's name", remedy="Type the name as the question has it.")
    if not body or len(body) > LONGEST:
        found = f"{len(body):,} characters"
        raise InputError("text of the author", found=found, expected=f"1 to {LONGEST:,} characters", remedy="Paste one short text.")
    row = content.question_ids(scope.ws.db, project, [question_key]).get(question_key)
    if row is None:
        raise NotFound(f"question {question_key!r}", found="no such question", expected="the id of a question of this project")
    model = author_model(name)
    versions = content.answer_versions(scope.ws.db, [row]).get((row, model), {})
    answer = {"question_id": question_key, "model": model, "text": body, "version": max(versions, default=0) + 1}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "text of an author"  # not the name, which may be longer than a file system takes
        folder.mkdir()
        line = json.dumps({**answer, **({"source": source.strip()[:500]} if source.strip() else {})}, ensure_ascii=False)
        (folder / "answers.jsonl").write_text(line + "\n", "utf-8")
        report = imports.stage(scope, project.name, folder)
        if report.bad_rows:
            imports.drop(scope, report.import_id)
            bad = report.bad_rows[0]
            raise InputError("text of the author", found=bad.found, expected=bad.expected, remedy=bad.remedy)
        imports.finish(scope, report.import_id)
    if project.settings.get("routed"):  # then it waits on a screen like the others
        route(scope, project.name)
    projects.log_event(scope.ws, project, scope.actor.person_id, "author_text", {"question": question_key, "author": name})
    return {"question_id": question_key, "author": name, "version": answer["version"]}
