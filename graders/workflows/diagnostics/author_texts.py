"""Authors as control: a real text of the named author among the models' answers, and the ceiling
that its marks are for them."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graders.core.author_texts import author_model, author_of
from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import author_texts as stored_texts
from graders.store.answers import content
from graders.workflows.importing import stage as importing_stage
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope, needs

#: Questions that the page offers, and characters of each that it shows.
MOST_CHOICES, SHOWN = 300, 90
#: At most this many characters of an author's text.
LONGEST = 100_000


@dataclass(frozen=True, slots=True)
class AuthorText:
    """A text of an author among the answers to a question, and how many characters it has."""

    question_id: str
    question: str
    author: str
    characters: int


@dataclass(frozen=True, slots=True)
class Choice:
    """A question to mix a text in at: its id, and the first SHOWN characters of its text."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """What the page needs to mix a text in: whether a criterion has a ceiling (`wanted`), the
    questions that are not factual, and the texts that are there."""

    wanted: bool
    questions: Sequence[Choice]
    texts: Sequence[AuthorText]


@dataclass(frozen=True, slots=True)
class Added:
    """A text of an author as it was mixed in; `version`: 1 for the first of that author there."""

    question_id: str
    author: str
    version: int


@needs("look")
def texts(scope: Scope, project_name: str) -> list[AuthorText]:
    """The authors' own texts of a project."""
    return [
        AuthorText(
            question_id=row.question_id,
            question=row.question,
            author=author_of(row.model),
            characters=row.characters,
        )
        for row in stored_texts.texts(scope.ws.db, scope.project(project_name))
    ]


@needs("look")
def card(scope: Scope, project_name: str) -> Card:
    """What the page needs to mix a text in."""
    project = scope.project(project_name)
    asked = [
        q for q in content.questions(scope.ws.db, project).values() if q.task_type != "factual"
    ]
    return Card(
        wanted=any(row.criterion.ceiling for row in projects.criteria(scope.ws, project)),
        questions=[Choice(q.id, q.text[:SHOWN]) for q in asked[:MOST_CHOICES]],
        texts=texts(scope, project_name),
    )


@needs("import")
def add_text(
    scope: Scope, project_name: str, question_key: str, author: str, text: str, source: str = ""
) -> Added:
    """Mix a real text of `author` in among the answers to a question, unnamed; `source` says where
    it is from and that it is free.

    A text of that author to that question is superseded by another one.
    """
    project = scope.project(project_name)
    name, body = " ".join(author.split()), text.strip()
    if not name or len(name) > 100 or not name.isprintable():
        typed = repr(author)[:80]
        raise InputError(**error_parts("diagnostics.author_text.error.author", typed=typed))
    if not body or len(body) > LONGEST:
        raise InputError(
            **error_parts(
                "diagnostics.author_text.error.length", characters=len(body), most=LONGEST
            )
        )
    row = content.question_ids(scope.ws.db, project, [question_key]).get(question_key)
    if row is None:
        raise NotFound(
            **error_parts("diagnostics.author_text.error.question", question=question_key)
        )
    model = author_model(name)
    versions = content.answer_versions(scope.ws.db, [row]).get((row, model), {})
    version = max(versions, default=0) + 1
    answer = {
        "question_id": question_key,
        "model": model,
        "text": body,
        "version": version,
    }
    with tempfile.TemporaryDirectory() as place:
        # not the name, which may be longer than a file system takes
        folder = Path(place) / say("diagnostics.author_text.file")
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
                say("diagnostics.author_text.error.length.where"),
                found=bad.found,
                expected=bad.expected,
                remedy=bad.remedy,
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
    return Added(question_key, name, version)
