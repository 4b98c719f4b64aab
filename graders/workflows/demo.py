"""The demo project: comes with Cograde, brought in when a workspace is empty. Rules and metrics are computed live."""

from __future__ import annotations

from pathlib import Path

from graders.store import projects, seeded
from graders.store import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows import imports, measure, named_rubrics
from graders.workflows.permissions import Actor, Scope
from graders.workflows.route import route
from graders.workflows.runs import Options

DEMO = Path(__file__).resolve().parents[2] / "data" / "demo"
NAME = "autumn-study"
#: One question of verse, with an author's own text among the answers.
VERSE, VERSE_NAME = DEMO.parent / "verse", "autumn-verse"


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
    ensure_verse(ws)


def ensure_verse(ws: Workspace) -> None:
    """Bring in the second project of the demo: small, and without metrics that a run would have to compute."""
    if not VERSE.is_dir():
        return
    scope = Scope(Actor(), ws)
    report = imports.stage(scope, VERSE_NAME, VERSE, rubric=named_rubrics.read_named_rubric("creative"))
    imports.finish(scope, report.import_id)
    measure.measure(ws, projects.get_project(ws, VERSE_NAME), None, progress=lambda done, total: None, should_stop=lambda: False)
    route(scope, VERSE_NAME)
