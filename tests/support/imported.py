"""Files to import, and what an import left in a workspace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.store.workspace import Workspace
from graders.workflows.report.export import take_snapshot
from graders.workflows.scope.permissions import Scope

DATA = Path(__file__).parents[2] / "../shared/data"
TABLE = "question,category,type,reference,Ash,Oak\nCapital of France?,geography,factual,Paris,Paris.,Lyon.\nA poem on rain?,verse,creative,,Drip.,Drop.\n"


def need(name: str) -> Path:
    """The optional data folder of that name."""
    if not (DATA / name).is_dir():
        pytest.skip(f"the optional data folder {name} is not there")
    return DATA / name


def csv(place: Path, text: str, name: str = "answers.csv") -> Path:
    path = place / name
    path.write_text(text, "utf-8")
    return path


def everything(scope: Scope, project: str = "study") -> dict[str, Any]:
    """All of a project as an export has it, times of rows left out."""
    found = take_snapshot(scope, project)
    return {"project": found.project, "rubrics": found.rubrics, **found.tables}


def texts(ws: Workspace) -> list[tuple[Any, ...]]:
    """(question, model, version, text, current) of all answers."""
    sql = "SELECT q.text, a.model, a.version, a.text, a.current FROM answer a JOIN question q ON q.id = a.question_id ORDER BY q.id, a.model, a.version"
    return [tuple(row) for row in ws.db.execute(sql)]


def values(ws: Workspace, version: int) -> list[tuple[str, Any]]:
    """(author, value) of the opinions on answers of a version."""
    sql = (
        "SELECT au.name, o.value FROM opinion o JOIN author au ON au.id = o.author_id JOIN cell c ON c.id = o.cell_id JOIN subject s ON s.id = c.subject_id "
        "JOIN answer a ON a.id = s.answer_id WHERE a.version = ? ORDER BY 1, 2"
    )
    return [(row[0], json.loads(row[1])) for row in ws.db.execute(sql, (version,))]
