"""Projects made of tables of the exchange format, with a rubric of every kind of scale."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graders.core.contracts import Chosen
from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.workspace import open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.scope.permissions import Actor, Scope

RUBRIC = """
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], review: people}
  completeness: {question: Is all there?, scale: {from: 1, to: 5, anchors: {1: nothing, 5: everything}}, review: people}
  tone: {question: Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, review: people}
"""


def scope_at(folder: Path, person: str = "") -> Scope:
    scope = Scope(Actor(person), open_workspace(folder / "work.db"))
    if person:
        projects.add_person(scope.ws, person.title(), person_id=person)
    return scope


def bring(
    scope: Scope,
    folder: Path,
    rubric: str = RUBRIC,
    name: str = "study",
    chosen: str = "random",
    labels_blind: bool = False,
    file: str = "",
    **tables: Sequence[Mapping[str, Any]],
) -> importing_stage.Report:
    """Import tables of the exchange format: questions, answers, human, judge, people; `chosen`: how
    the labelled answers were chosen; `labels_blind`: that they were given blind is stated; `file`: the name of
    the folder that is brought."""
    place = folder / (file or f"{name}-{len(list(folder.iterdir()))}")
    place.mkdir()
    for table, rows in tables.items():
        (place / f"{table}.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows), "utf-8"
        )
    report = importing_stage.stage(
        scope,
        name,
        place,
        rubric=read_rubric(rubric),
        staging=importing_stage.Staging(chosen=Chosen(chosen), labels_blind=labels_blind),
    )
    assert report.bad_rows == ()
    return importing_stage.finish(scope, report.import_id)


def given(
    question: str, model: str, criterion: str, annotator: str, value: Any, **more: Any
) -> dict[str, Any]:
    return {
        "question_id": question,
        "model": model,
        "criterion": f"small/{criterion}",
        "annotator": annotator,
        "value": value,
        **more,
    }
