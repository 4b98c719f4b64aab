"""Import: look at a file, stage its rows unseen, show what is wrong, then make the good rows visible all at once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graders.core import discovery
from graders.core.contracts import Importer, Look
from graders.core.errors import InputError, NotFound, ScaleError
from graders.core.records import TASK_TYPES, BadRow
from graders.core.rubric import Rubric, load_rubric, read_rubric
from graders.store import cells, content, imports, projects, tallies, transfer
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows import restore
from graders.workflows._import_pass import ImportPass
from graders.workflows._import_rows import Tallied
from graders.workflows.cells import FAULTS, refresh_all
from graders.workflows.permissions import Scope, needs
from graders.workflows.slips import find_slips

#: What people read while answers are compared.
SLIPS = "Comparing answers with questions, in case rows slipped"
#: Files above this are refused before anything is read, in bytes.
LARGEST_FILE = 2 * 1024**3


@dataclass(frozen=True, slots=True)
class Report:
    """What an import brought; `bad_rows` holds the first of `bad`."""

    import_id: int
    project: str
    questions: int
    changed_questions: int
    answers: int
    new_versions: int
    verdicts: int
    unchanged: int
    bad: int
    bad_rows: tuple[BadRow, ...]
    notes: tuple[str, ...]
    rubrics: tuple[str, ...]
    slipped: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@needs("import")
def look_at(scope: Scope, path: Path, choices: Look | None = None) -> tuple[str, Look]:
    """The importer that fits a file best, and what it sees; nothing is written."""
    importer = _importer(path)
    return importer.name, importer.look(path, choices)


@needs("import")
def stage(
    scope: Scope,
    project_name: str,
    path: Path,
    look: Look | None = None,
    *,
    title: str = "",
    blind: bool = True,
    rubric: Rubric | None = None,
    encoder: Any = None,
    progress: Callable[[int], None] = lambda rows: None,
    doing: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Report:
    """Write a file's rows unseen into a project (made if new); `finish` shows them, `drop` removes them.

    `progress` is told how many rows were read, `doing` what comes after it: (what, done, total; 0 where nobody knows).
    `blind` says that people's verdicts without an arm were made without seeing suggestions. `rubric` is added to the project.
    With an `encoder` answers that look like answers to another question are pointed out.
    """
    importer = _importer(path)
    look = look or importer.look(path)
    sweep_interrupted(scope.ws)
    project = _project(scope.ws, project_name, title)
    if rubric is not None:
        projects.save_rubric(scope.ws, project, rubric)
    tallied = Tallied(notes=list(look.notes))
    for waiting in imports.waiting(scope.ws, project):
        imports.sweep(scope.ws, waiting)  # nobody said yes to it; its rows would stand between this file and the project
    fresh = not any(found["state"] == "done" for found in imports.list_imports(scope.ws, project))
    import_id = imports.begin_import(scope.ws, project, path.name, _fingerprint(path))
    reading = ImportPass(
        scope.ws,
        project,
        import_id,
        tallied,
        blind=blind,
        fresh=fresh,
        rubrics=lambda: list(bundled_rubrics().values()),
        progress=progress,
        doing=doing,
    )
    try:
        with imports.kept_alive(scope.ws, import_id):
            slipped = _stage(scope.ws, project, import_id, reading, importer, path, look, encoder)
    except BaseException:
        imports.sweep(scope.ws, import_id)
        projects.remove_empty(scope.ws, project)
        raise
    finally:
        reading.close()
    report = Report(
        import_id,
        project.name,
        tallied.questions,
        tallied.changed_questions,
        tallied.answers,
        tallied.new_versions,
        tallied.verdicts,
        tallied.unchanged,
        tallied.bad,
        tuple(tallied.bad_rows),
        tuple(tallied.notes),
        tuple(r.name for r in projects.rubrics(scope.ws, project) if r.name != FAULTS.name),
        tuple(slipped),
    )
    imports.staged(scope.ws, import_id, report.to_json())
    return report


def _stage(
    ws: Workspace, project: Project, import_id: int, reading: ImportPass, importer: Importer, path: Path, look: Look, encoder: Any
) -> list[dict[str, Any]]:
    """Everything between opening an import and its report; returns the questions whose answers look slipped."""
    reading.content(importer, path, look)
    project = projects.get_project(ws, project.name)
    _ensure_rubric(ws, project)
    reading.opinions()
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    subjects = content.import_subjects(ws.db, import_id)
    reading.doing("Making the cells", 0, 0)
    cells.ensure_cells(ws, project, criteria, subjects, import_id)
    refresh_all(ws, project, cells.cell_ids(ws.db, project, import_id=import_id), tell=partial(reading.doing, "Working out the cells"))
    slipped = find_slips(content.subjects(ws.db, subjects), encoder, partial(reading.doing, SLIPS)) if encoder is not None else []
    reading.doing("Counting", 0, 0)
    tallies.assign_import(ws, import_id)
    restore.after_verdicts(ws, project, import_id, reading.others())
    return slipped


@needs("import")
def finish(scope: Scope, import_id: int) -> dict[str, Any]:
    """Make a staged import visible, all at once; old verdicts stay with the old text of changed answers."""
    ws = scope.ws
    found = imports.get_import(ws, import_id)
    if found["state"] == "done":
        return dict(found["report"])
    if found["state"] != "staged":
        raise NotFound(f"import {import_id}", found=f"state {found['state']}", expected="a staged import", remedy="Import the file again.")
    project = _by_id(ws, found["project_id"])
    late = restore.late_opinions(ws, project, import_id)
    sums = tallies.import_sums(ws.db, import_id)
    with ws.write() as db:
        moved = imports.changed_subjects(db, import_id)
        changed = imports.changed_questions(db, import_id)
        tallies.count_cells(db, moved, -1)
        replaced = imports.finish_rows(db, import_id)
        tallies.count_cells(db, replaced, -1)
        tallies.add_sums(db, sums, +1)
        tallies.count_cells(db, content.subjects_of(db, changed), +1)
        restore.apply_opinions(db, late)
        transfer.keep_cells(db, import_id, "late", [opinion.cell_id for _, opinion, _ in late])
        transfer.keep_cells(db, import_id, "moved", [cell.id for cell in cells.cells_of(db, moved)])
    restore.after_finish(ws, project, import_id)
    projects.log_event(
        ws, project, scope.actor.person_id, "import", {"import": import_id, "source": found["source"], **_counts(found["report"])}
    )
    return dict(found["report"])


@needs("import")
def drop(scope: Scope, import_id: int) -> None:
    """Remove a staged import that is not wanted; a project that it would have been the first of goes with it."""
    found = imports.get_import(scope.ws, import_id)
    imports.sweep(scope.ws, import_id)
    if found["state"] != "done" and found["project_id"] is not None:
        projects.remove_empty(scope.ws, _by_id(scope.ws, found["project_id"]))


def sweep_interrupted(ws: Workspace) -> int:
    """Remove what interrupted imports left behind, end what was interrupted after the finish; returns how many there were."""
    found = imports.interrupted(ws)
    for import_id in found:
        imports.sweep(ws, import_id)
    half = transfer.half_unpacked(ws)
    for import_id, project_id in half:
        restore.after_finish(ws, _by_id(ws, project_id), import_id)
    return len(found) + len(half)


@needs("settings")
def map_categories(scope: Scope, project_name: str, mapping: Mapping[str, str]) -> int:
    """Give the questions of categories a task type and route their cells anew; returns how many questions changed."""
    project = scope.project(project_name)
    for category, task_type in mapping.items():
        if task_type not in TASK_TYPES:
            raise InputError(f"category {category!r}", found=repr(task_type), expected="one of " + ", ".join(TASK_TYPES))
    changes = content.questions_to_retype(scope.ws.db, project, mapping)

    def work(db: sqlite3.Connection, rows: Sequence[tuple[int, str]]) -> None:
        subjects = content.subjects_of(db, [row for row, _ in rows])
        tallies.count_cells(db, subjects, -1)
        content.set_task_types(db, rows)
        tallies.count_cells(db, subjects, +1)

    if changes:
        scope.ws.background(changes, work)
        subjects = content.subjects_of(scope.ws.db, [row for row, _ in changes])
        ids = [cell.id for cell in cells.cells_of(scope.ws.db, subjects)]
        refresh_all(scope.ws, project, ids, route=bool(project.settings.get("routed")))
        projects.log_event(scope.ws, project, scope.actor.person_id, "task_types", dict(mapping))
    return len(changes)


def bundled_rubrics() -> dict[str, Path]:
    """The rubric files that come with Cograde and from plug-ins, by name."""
    folder = Path(__file__).resolve().parents[2] / "rubrics"
    found = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    return {**found, **discovery.outside_files("rubrics")}


def read_named_rubric(name: str) -> Rubric:
    """A bundled rubric by name, or a rubric file by path."""
    known = bundled_rubrics()
    path = known.get(name) or Path(name)
    if not path.is_file():
        raise InputError(
            f"rubric {name!r}",
            found="no such rubric or file",
            expected="one of " + ", ".join(known) + ", or a YAML file",
            remedy="Correct the name or the path.",
        )
    return load_rubric(path)


def _importer(path: Path) -> Importer:
    if not path.exists():
        raise InputError(str(path), found="no such file", expected="a file or folder to import", remedy="Check the path.")
    if path.is_file() and path.stat().st_size > LARGEST_FILE:
        raise InputError(path.name, found=f"{path.stat().st_size / 1e9:.1f} GB", expected="at most 2 GB", remedy="Split the file.")
    if path.is_file() and path.stat().st_size == 0:
        raise InputError(path.name, found="an empty file", expected="questions and answers", remedy="Choose the file that holds the rows.")
    parts, _ = discovery.load_all("importers")
    made: list[Importer] = [part() for part in parts.values()]
    best = max(made, key=lambda importer: importer.fits(path), default=None)
    if best is None or not best.fits(path):
        endings = sorted({suffix for importer in made for suffix in importer.suffixes if suffix})
        raise InputError(
            path.name,
            found=f"a file of the type {path.suffix or '(none)'}",
            expected="one of " + ", ".join(endings) + ", or a folder",
            remedy="Save the table as CSV or XLSX.",
        )
    return best


def _project(ws: Workspace, name: str, title: str) -> Project:
    try:
        return projects.get_project(ws, name)
    except NotFound:
        return projects.add_project(ws, name, title)


def _by_id(ws: Workspace, project_id: int) -> Project:
    return next(p for p in projects.list_projects(ws) if p.id == project_id)


def _fingerprint(path: Path) -> str:
    digest = hashlib.sha256()
    for file in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file()):
        with file.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:32]


def _ensure_rubric(ws: Workspace, project: Project) -> None:
    """A project without criteria gets the general rubric; every project can hold faults."""
    if not projects.rubrics(ws, project):
        projects.save_rubric(ws, project, read_named_rubric("answer-quality"))
    projects.save_rubric(ws, project, FAULTS)


def _counts(report: Mapping[str, Any]) -> dict[str, Any]:
    return {k: report.get(k) for k in ("questions", "answers", "new_versions", "verdicts", "unchanged", "bad")}


__all__ = [
    "Report",
    "ScaleError",
    "bundled_rubrics",
    "drop",
    "finish",
    "look_at",
    "map_categories",
    "read_named_rubric",
    "read_rubric",
    "stage",
    "sweep_interrupted",
]
