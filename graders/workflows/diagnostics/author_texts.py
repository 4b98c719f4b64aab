"""Authors as control: a real text of the named author among the models' answers, and the ceiling
that its marks are for them."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from graders.core.control import author_model, author_of
from graders.core.errors import InputError, NotFound
from graders.store import projects
from graders.store.answers import content, controls
from graders.workflows.importing import stage as importing_stage
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope, needs

#: Questions that the page offers, and characters of each that it shows.
MOST_CHOICES, SHOWN = 300, 90
#: At most this many characters of an author's text.
LONGEST = 100_000


@needs("look")
def texts(scope: Scope, project_name: str) -> list[dict[str, Any]]:
    """The authors' own texts of a project: question, author, characters."""
    return [
        {
            "question_id": row.question_id,
            "question": row.question,
            "author": author_of(row.model),
            "characters": row.characters,
        }
        for row in controls.texts(scope.ws.db, scope.project(project_name))
    ]


@needs("look")
def card(scope: Scope, project_name: str) -> dict[str, Any]:
    """What the page needs to mix a text in: whether a criterion has a ceiling, creative
    `questions`, the `texts` that are there."""
    project = scope.project(project_name)
    asked = [
        q for q in content.questions(scope.ws.db, project).values() if q.task_type != "factual"
    ]
    return {
        "wanted": any(row.criterion.ceiling for row in projects.criteria(scope.ws, project)),
        "questions": [{"id": q.id, "text": q.text[:SHOWN]} for q in asked[:MOST_CHOICES]],
        "texts": texts(scope, project_name),
    }


@needs("import")
def add_text(
    scope: Scope, project_name: str, question_key: str, author: str, text: str, source: str = ""
) -> dict[str, Any]:
    """Mix a real text of `author` in among the answers to a question, unnamed; `source` says where
    it is from and that it is free.

    A text of that author to that question is superseded by another one. Returns the report of the
    import.
    """
    project = scope.project(project_name)
    name, body = " ".join(author.split()), text.strip()
    if not name or len(name) > 100 or not name.isprintable():
        raise InputError(
            "author",
            found=repr(author)[:80],
            expected="the author's name",
            remedy="Type the name as the question has it.",
        )
    if not body or len(body) > LONGEST:
        found = f"{len(body):,} characters"
        raise InputError(
            "text of the author",
            found=found,
            expected=f"1 to {LONGEST:,} characters",
            remedy="Paste one short text.",
        )
    row = content.question_ids(scope.ws.db, project, [question_key]).get(question_key)
    if row is None:
        raise NotFound(
            f"question {question_key!r}",
            found="no such question",
            expected="the id of a question of this project",
        )
    model = author_model(name)
    versions = content.answer_versions(scope.ws.db, [row]).get((row, model), {})
    answer = {
        "question_id": question_key,
        "model": model,
        "text": body,
        "version": max(versions, default=0) + 1,
    }
    with tempfile.TemporaryDirectory() as place:
        # not the name, which may be longer than a file system takes
        folder = Path(place) / "text of an author"
        folder.mkdir()
        line = json.dumps(
            {**answer, **({"source": source.strip()[:500]} if source.strip() else {})},
            ensure_ascii=False,
        )
        (folder / "answers.jsonl").write_text(line + "\n", "utf-8")
        report = importing_stage.stage(scope, project.name, folder)
        if report.bad_rows:
            importing_stage.drop(scope, report.import_id)
            bad = report.bad_rows[0]
            raise InputError(
                "text of the author", found=bad.found, expected=bad.expected, remedy=bad.remedy
            )
        importing_stage.finish(scope, report.import_id)
    if project.settings.get("routed"):  # then it waits on a screen like the others
        route(scope, project.name)
    projects.log_event(
        scope.ws,
        project,
        scope.actor.person_id,
        "author_text",
        {"question": question_key, "author": name},
    )
    return {"question_id": question_key, "author": name, "version": answer["version"]}
