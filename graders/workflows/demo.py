"""The demo project: comes with Cograde, brought in when a workspace is empty. Rules and metrics are computed live."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from graders.store import projects, seeded
from graders.store import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows import imports, measure, named_rubrics, pairs
from graders.workflows.permissions import Actor, Scope
from graders.workflows.route import route
from graders.workflows.runs import Options

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
NAME = "autumn-study"
#: One question of verse, with an author's own text among the answers.
VERSE, VERSE_NAME = DEMO.parent / "verse", "autumn-verse"
#: The demo's answers once more, two at a time: which is better?
PAIRS, PAIRS_NAME = DEMO.parent / "pairs", "autumn-pairs"


#: When rules looked at the study's answers, as judges did: before anybody drew or labelled.
MEASURED = datetime(2026, 10, 12, 12, tzinfo=UTC)
#: When something was said, drawn or saved, in a line of the demo's files.
_WHEN = re.compile(r'(?<=")(created_at|saved_at|at)": "(\d{4}-\d\d-\d\d)')


def ensure_demo(ws: Workspace) -> None:
    """Bring the demo into a workspace without projects: rules at once, metrics by a run that is queued here."""
    if projects.list_projects(ws) or not DEMO.is_dir():
        return
    scope = Scope(Actor(), ws)
    moved = _bring(scope, NAME, DEMO)
    project = projects.get_project(ws, NAME)
    then = (MEASURED + moved).timestamp()
    measure.measure(Workspace(ws.path, lambda: then), project, None)
    route(scope, NAME)
    copies = seeded.project_of_copies(ws.db, project)
    if copies is not None:
        measure.measure(ws, copies, None)
    run_store.add_run(ws, project, Options().to_json(), {}, "")
    ensure_pairs(ws)
    ensure_verse(ws)


def ensure_pairs(ws: Workspace) -> None:
    """Bring in pairs of the demo's answers: small, and without anything that would have to be measured."""
    if not PAIRS.is_dir():
        return
    scope = Scope(Actor(), ws)
    _bring(scope, PAIRS_NAME, PAIRS, "preference", DEMO / "questions.jsonl", DEMO / "answers.jsonl")
    route(scope, PAIRS_NAME)
    pairs.draw(scope, PAIRS_NAME)  # another pair of each question, for whoever opens the demo


def ensure_verse(ws: Workspace) -> None:
    """Bring in one question of verse: small, and without metrics that a run would have to compute."""
    if not VERSE.is_dir():
        return
    scope = Scope(Actor(), ws)
    _bring(scope, VERSE_NAME, VERSE, "creative")
    measure.measure(ws, projects.get_project(ws, VERSE_NAME), None, progress=lambda done, total: None, should_stop=lambda: False)
    route(scope, VERSE_NAME)


def _bring(scope: Scope, name: str, source: Path, rubric: str = "", *more: Path) -> timedelta:
    """Import a folder, with files of another beside it; its last day was yesterday, so that pages can tell how fast people are.

    Returns by how much its times were moved.
    """
    wanted = named_rubrics.read_named_rubric(rubric) if rubric else None
    with TemporaryDirectory() as made:
        folder = Path(made) / source.name
        shutil.copytree(source, folder)
        for file in more:
            shutil.copy(file, folder)
        moved = _move_days(folder, date.fromisoformat(scope.ws.now()[:10]) - timedelta(days=1))
        imports.finish(scope, imports.stage(scope, name, folder, rubric=wanted).import_id)
    return moved


def _move_days(folder: Path, last: date) -> timedelta:
    """Move all times in a folder's files by as many days as bring the latest to `last`; returns them."""
    texts = {file: file.read_text("utf-8") for file in folder.glob("*.jsonl")}
    days = {day: date.fromisoformat(day) for text in texts.values() for _, day in _WHEN.findall(text)}
    moved = last - max(days.values(), default=last)
    for file, text in texts.items():
        file.write_text(_WHEN.sub(lambda found: f'{found[1]}": "{days[found[2]] + moved}', text), "utf-8")
    return moved
