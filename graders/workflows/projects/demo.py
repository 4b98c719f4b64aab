"""The demo project: comes with Cograde, brought in when a workspace is empty. Rules and metrics are
computed live."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.desk import seeded
from graders.store.workspace import Workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.leaderboard import draw_pairs
from graders.workflows.measuring import measure
from graders.workflows.routing.route import route
from graders.workflows.runs.runs import Options
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.permissions import Actor, Scope

DEMO = Path(__file__).resolve().parents[3] / "data" / "demo"
NAME = "autumn-study"
#: One question of verse, with an author's own text among the answers.
VERSE, VERSE_NAME = DEMO.parent / "verse", "autumn-verse"
#: Some of the demo's answers once more, two at a time: which is better?
PAIRS, PAIRS_NAME = DEMO.parent / "pairs", "autumn-pairs"
#: When the study was brought in and rules looked at its answers, as judges did: before anybody drew
#: or labelled.
BEGUN = datetime(2026, 10, 12, 12, tzinfo=UTC)
#: What people did since, as files of a project's folder.
WORK = tuple(
    f"{name}.jsonl"
    for name in ("human", "screens", "assignments", "seen", "review_order", "gold", "events")
)
#: When something was said, drawn or saved, in a line of the demo's files.
_WHEN = re.compile(r'(?<=")(created_at|saved_at|at)": "(\d{4}-\d\d-\d\d)')


def ensure_demo(ws: Workspace) -> None:
    """Bring the demo into a workspace without projects: rules at once, metrics by a run that is
    queued here."""
    if projects.list_projects(ws) or not DEMO.is_dir():
        return
    moved = _moved(DEMO, ws)
    then = Workspace(ws.path, (BEGUN + moved).timestamp)
    _bring(Scope(Actor(), then), NAME, DEMO, moved, without=WORK)
    project = projects.get_project(ws, NAME)
    measure.measure(then, project, None)
    then.close()
    scope = Scope(Actor(), ws)
    _bring(
        scope,
        NAME,
        DEMO,
        moved,
        without=("questions.jsonl", "answers.jsonl", "judge.jsonl", "copies.jsonl"),
    )
    route(scope, NAME)
    copies = seeded.project_of_copies(ws.db, project)
    if copies is not None:
        measure.measure(ws, copies, None)
    run_store.add_run(ws, project, Options().to_json(), {}, "")
    ensure_pairs(ws)
    ensure_verse(ws)


def ensure_pairs(ws: Workspace) -> None:
    """Bring in pairs of the demo's answers: small, and without anything that would have to be
    measured."""
    if not PAIRS.is_dir():
        return
    scope = Scope(Actor(), ws)
    _bring(scope, PAIRS_NAME, PAIRS, _moved(PAIRS, ws), "preference")
    route(scope, PAIRS_NAME)
    draw_pairs.draw(
        scope, PAIRS_NAME
    )  # another pair of each question, for a person who opens the demo


def ensure_verse(ws: Workspace) -> None:
    """Bring in one question of verse: small, and without metrics that a run would have to
    compute."""
    if not VERSE.is_dir():
        return
    scope = Scope(Actor(), ws)
    _bring(scope, VERSE_NAME, VERSE, _moved(VERSE, ws), "creative")
    measure.measure(
        ws,
        projects.get_project(ws, VERSE_NAME),
        None,
        progress=lambda done, total: None,
        should_stop=lambda: False,
    )
    route(scope, VERSE_NAME)


def _bring(
    scope: Scope,
    name: str,
    source: Path,
    moved: timedelta,
    rubric: str = "",
    without: Sequence[str] = (),
) -> None:
    """Import a folder `without` some files, its times `moved`."""
    wanted = named_rubrics.read_named_rubric(rubric) if rubric else None
    with TemporaryDirectory() as made:
        folder = Path(made) / source.name
        shutil.copytree(source, folder, ignore=lambda _, names: without)
        for file, text in _texts(folder).items():
            file.write_text(
                _WHEN.sub(
                    lambda found: f'{found[1]}": "{date.fromisoformat(found[2]) + moved}', text
                ),
                "utf-8",
            )
        importing_stage.finish(
            scope, importing_stage.stage(scope, name, folder, rubric=wanted).import_id
        )


def _moved(folder: Path, ws: Workspace) -> timedelta:
    """By how many days the times in a folder's files are moved: its last day was yesterday, so that
    pages can tell how fast people are."""
    days = {
        date.fromisoformat(day)
        for text in _texts(folder).values()
        for _, day in _WHEN.findall(text)
    }
    yesterday = date.fromisoformat(ws.now()[:10]) - timedelta(days=1)
    return yesterday - max(days, default=yesterday)


def _texts(folder: Path) -> dict[Path, str]:
    return {file: file.read_text("utf-8") for file in sorted(folder.glob("*.jsonl"))}
