"""The demo project: comes with Cograde, brought in when a workspace is empty. Rules and metrics are computed live."""

from __future__ import annotations

import re
import shutil
from datetime import date, timedelta
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
#: When something was said, drawn or saved, in a line of a project's files.
_WHEN = re.compile(r'(?<=")(created_at|saved_at|at)": "(\d{4}-\d\d-\d\d)')


def ensure_demo(ws: Workspace) -> None:
    """Bring the demo into a workspace without projects: rules at once, metrics by a run that is queued here."""
    if projects.list_projects(ws) or not DEMO.is_dir():
        return
    scope = Scope(Actor(), ws)
    report = imports.stage(scope, NAME, DEMO)
    imports.finish(scope, report.import_id)
    project = projects.get_project(ws, NAME)
    measure.measure(ws, project, None, progress=lambda done, total: None, should_stop=lambda: False)
    route(scope, NAME)
    copies = seeded.project_of_copies(ws.db, project)
    if copies is not None:
        measure.measure(ws, copies, None)
    run_store.add_run(ws, project, Options().to_json(), {}, "")
    ensure_pairs(ws)
    ensure_verse(ws)


def ensure_pairs(ws: Workspace) -> None:
    """Bring in pairs of the demo's answers, and draw another pair of each question for whoever opens it. Nothing has to be measured.

    Its last day was yesterday, so that pages can tell how fast people are and when they will be done.
    """
    if not PAIRS.is_dir():
        return
    scope = Scope(Actor(), ws)
    with TemporaryDirectory() as made:
        folder = Path(made) / PAIRS.name
        shutil.copytree(PAIRS, folder)
        for name in ("questions.jsonl", "answers.jsonl"):
            shutil.copy(DEMO / name, folder)
        _move_days(folder, date.fromisoformat(ws.now()[:10]) - timedelta(days=1))
        report = imports.stage(scope, PAIRS_NAME, folder, rubric=named_rubrics.read_named_rubric("preference"))
        imports.finish(scope, report.import_id)
    route(scope, PAIRS_NAME)
    pairs.draw(scope, PAIRS_NAME)


def _move_days(folder: Path, last: date) -> None:
    """Move all times in a folder's files by as many days as bring the latest to `last`."""
    texts = {file: file.read_text("utf-8") for file in folder.glob("*.jsonl")}
    days = {day: date.fromisoformat(day) for text in texts.values() for _, day in _WHEN.findall(text)}
    moved = last - max(days.values())
    for file, text in texts.items():
        file.write_text(_WHEN.sub(lambda found: f'{found[1]}": "{days[found[2]] + moved}', text), "utf-8")


def ensure_verse(ws: Workspace) -> None:
    """Bring in the second project of the demo: small, and without metrics that a run would have to compute."""
    if not VERSE.is_dir():
        return
    scope = Scope(Actor(), ws)
    report = imports.stage(scope, VERSE_NAME, VERSE, rubric=named_rubrics.read_named_rubric("creative"))
    imports.finish(scope, report.import_id)
    measure.measure(ws, projects.get_project(ws, VERSE_NAME), None, progress=lambda done, total: None, should_stop=lambda: False)
    route(scope, VERSE_NAME)
