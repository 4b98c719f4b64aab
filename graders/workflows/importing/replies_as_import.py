"""Bringing what models said into a project: as an import does, staged and then visible all at
once."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graders.core.records import Answer, Question, Reply
from graders.core.rubric import Rubric
from graders.workflows.importing import stage
from graders.workflows.scope.permissions import Scope


@dataclass(frozen=True, slots=True)
class Imported:
    """What came into a project: new questions and answers, new versions of answers that were there,
    rows that changed nothing, and rows that could not be read."""

    project: str
    questions: int
    answers: int
    new_versions: int
    unchanged: int
    bad: int


def bring(
    scope: Scope,
    project: str,
    source: str,
    questions: Sequence[Question],
    answers: Sequence[Answer],
    rubric: Rubric | None = None,
) -> Imported:
    """Import questions and answers. `source` is the name that the import gets, one
    of a folder.

    The questions of all answers are among `questions` or in the project.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / source
        folder.mkdir()
        _lines(folder / "questions.jsonl", questions)
        _lines(folder / "answers.jsonl", answers)
        staged = stage.stage(scope, project, folder, rubric=rubric)
        stage.finish(scope, staged.import_id)
    return Imported(
        staged.project,
        staged.questions,
        staged.answers,
        staged.new_versions,
        staged.unchanged,
        staged.bad,
    )


def answer_of(question: str, model: str, reply: Reply) -> Answer:
    """A reply as the answer it is, with the figures that came with it."""
    return Answer(
        question_id=question,
        model=model,
        text=reply.text,
        time_to_first_token=reply.first_token_seconds,
        total_seconds=reply.seconds,
        input_tokens=reply.input_tokens,
        output_tokens=reply.output_tokens,
        finish_reason=reply.finish_reason,
    )


def _lines(file: Path, records: Sequence[Question | Answer]) -> None:
    lines = [json.dumps(_fields(record), ensure_ascii=False) + "\n" for record in records]
    file.write_text("".join(lines), "utf-8", errors="replace")


def _fields(record: Question | Answer) -> Mapping[str, Any]:
    """The fields that are stated; an absent number has no row, and is not 0."""
    return {
        name: value for name, value in asdict(record).items() if value not in (None, "", (), {})
    }
