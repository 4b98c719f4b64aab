"""Import: look at a file, stage its rows unseen, show what is wrong, then make the good rows visible all at once."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from graders.core import discovery
from graders.core.contracts import Imported, ImportedRow, ImportedVerdict, Importer, Look, Placed
from graders.core.errors import CogradeError, InputError, NotFound, ScaleError
from graders.core.records import TASK_TYPES, Answer, BadRow, Question
from graders.core.rubric import Rubric, load_rubric, read_rubric
from graders.store import cells, content, imports, projects
from graders.store.projects import Project
from graders.store.workspace import Workspace
from graders.workflows import restore
from graders.workflows._import_rows import RowWriter, Tallied, group_of
from graders.workflows.cells import FAULTS, refresh_all
from graders.workflows.permissions import Scope, needs
from graders.workflows.scales import match_rubrics, notice_scale
from graders.workflows.slips import find_slips

#: Records that are written in one transaction.
BATCH = 500
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
) -> Report:
    """Write a file's rows unseen into a project (made if new); `finish` shows them, `drop` removes them.

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
    import_id = imports.begin_import(scope.ws, project, path.name, _fingerprint(path))
    try:
        verdicts_found = _write_content(scope.ws, project, import_id, importer, path, look, tallied, progress, blind)
        project = projects.get_project(scope.ws, project.name)
        _ensure_rubric(scope.ws, project)
        if verdicts_found:
            _write_opinions(scope.ws, project, import_id, importer, path, look, tallied, progress, blind)
        criteria = [c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name]
        cells.ensure_cells(scope.ws, project, criteria, content.import_subjects(scope.ws.db, import_id), import_id)
        refresh_all(scope.ws, project, cells.cell_ids(scope.ws.db, project, import_id=import_id))
        slipped = (
            find_slips(content.subjects(scope.ws.db, content.import_subjects(scope.ws.db, import_id)), encoder)
            if encoder is not None
            else []
        )
        cells.assign_import(scope.ws, import_id)
        restore.after_verdicts(scope.ws, project, import_id, _placed_rows(importer, path, look))
    except BaseException:
        imports.sweep(scope.ws, import_id)
        raise
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
    sums = cells.import_sums(ws.db, import_id)
    with ws.write() as db:
        replaced = imports.finish_rows(db, import_id)
        cells.count_cells(db, replaced, -1)
        cells.add_sums(db, sums, +1)
        restore.apply_opinions(db, late)
    refresh_all(ws, project, [opinion.cell_id for _, opinion, _ in late])
    restore.after_finish(ws, project, import_id)
    projects.log_event(
        ws, project, scope.actor.person_id, "import", {"import": import_id, "source": found["source"], **_counts(found["report"])}
    )
    return dict(found["report"])


@needs("import")
def drop(scope: Scope, import_id: int) -> None:
    """Remove a staged import that is not wanted."""
    imports.sweep(scope.ws, import_id)


def sweep_interrupted(ws: Workspace) -> int:
    """Remove what interrupted imports left behind; returns how many there were."""
    found = imports.interrupted(ws)
    for import_id in found:
        imports.sweep(ws, import_id)
    return len(found)


@needs("settings")
def map_categories(scope: Scope, project_name: str, mapping: Mapping[str, str]) -> int:
    """Give the questions of categories a task type and route their cells anew; returns how many questions changed."""
    project = scope.project(project_name)
    for category, task_type in mapping.items():
        if task_type not in TASK_TYPES:
            raise InputError(f"category {category!r}", found=repr(task_type), expected="one of " + ", ".join(TASK_TYPES))
    with scope.ws.write() as db:
        changed = content.set_task_types(db, project, mapping)
    if changed:
        cells.retally(scope.ws, project)
        refresh_all(scope.ws, project, cells.cell_ids(scope.ws.db, project), route=bool(project.settings.get("routed")))
        projects.log_event(scope.ws, project, scope.actor.person_id, "task_types", dict(mapping))
    return changed


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
        raise InputError(f"rubric {name!r}", found="no such rubric or file", expected="one of " + ", ".join(known) + ", or a YAML file")
    return load_rubric(path)


def _importer(path: Path) -> Importer:
    if not path.exists():
        raise InputError(str(path), found="no such file", expected="a file or folder to import")
    if path.is_file() and path.stat().st_size > LARGEST_FILE:
        raise InputError(path.name, found=f"{path.stat().st_size / 1e9:.1f} GB", expected="at most 2 GB", remedy="Split the file.")
    if path.is_file() and path.stat().st_size == 0:
        raise InputError(path.name, found="an empty file", expected="questions and answers")
    parts, _ = discovery.load_all("importers")
    made: list[Importer] = [part() for part in parts.values()]
    best = max(made, key=lambda importer: importer.fits(path), default=None)
    if best is None or not best.fits(path):
        endings = sorted({suffix for importer in made for suffix in importer.suffixes})
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


def _records(importer: Importer, path: Path, look: Look) -> Iterator[Imported]:
    """What the importer reads; its own failures become one sentence."""
    try:
        for item in importer.read(path, look):
            yield _rule_verdict(item) if isinstance(item, Placed) and isinstance(item.record, ImportedRow) else item
    except CogradeError:
        raise
    except Exception as error:  # an importer may come from a plug-in and fail in any way; nobody sees a traceback
        raise InputError(
            path.name, found=f"{type(error).__name__}: {error}", expected=f"a file that the importer {importer.name} can read"
        ) from error


def _rule_verdict(placed: Placed) -> Placed:
    """Verdicts of rules travel in a table of their own; here they are verdicts like all others."""
    row = placed.record
    if not (isinstance(row, ImportedRow) and row.table == "rules"):
        return placed
    f = row.fields
    verdict = ImportedVerdict(
        author=str(f.get("rule") or "rule"),
        author_kind="rule",
        question_id=str(f.get("question_id")),
        model=str(f.get("model")),
        criterion=str(f.get("criterion")),
        value=f.get("value"),
        fields=f,
        file=placed.file,
        row=placed.row,
    )
    return replace(placed, record=verdict)


def _write_content(
    ws: Workspace,
    project: Project,
    import_id: int,
    importer: Importer,
    path: Path,
    look: Look,
    tallied: Tallied,
    progress: Callable[[int], None],
    blind: bool,
) -> bool:
    """First pass: project, rubrics, people, questions, answers; notices the scales of verdicts. Whether there are verdicts."""
    writer = RowWriter(ws, project, import_id, tallied, blind=blind)
    batch: list[Placed] = []
    scales: dict[str, Any] = {}
    names: set[str] = set()
    done = 0
    for item in _records(importer, path, look):
        if isinstance(item, BadRow):
            tallied.refuse(item)
        elif isinstance(item.record, Question | Answer):
            batch.append(item)
            if len(batch) >= BATCH:
                writer.content(batch)
                done += len(batch)
                progress(done)
                batch = []
        elif isinstance(item.record, ImportedVerdict):
            notice_scale(scales, item.record)
            if item.record.author_kind == "person":
                names.add(item.record.author)
        elif isinstance(item.record, ImportedRow):
            restore.before_verdicts(ws, project, item.record, item.file)
    writer.content(batch)
    progress(done + len(batch))
    if scales:
        bundled = [load_rubric(p) for p in bundled_rubrics().values()]
        made = match_rubrics(scales, [c.criterion for c in projects.criteria(ws, project)], bundled, project.name)
        for rubric in made.rubrics:
            projects.save_rubric(ws, project, rubric)
        tallied.notes += made.notes
        _note_groups(ws, project, names, tallied)
    return bool(scales)


def _note_groups(ws: Workspace, project: Project, names: set[str], tallied: Tallied) -> None:
    """Names such as expert0 and crowd1 tell groups: the experts then decide final values."""
    groups = {name: group_of(name) for name in names if group_of(name)}
    if len(set(groups.values())) < 2:
        return
    for name, group in groups.items():
        projects.add_person(ws, name, person_id=name, group=group)
    if "expert" in groups.values() and "reference_group" not in project.settings:
        projects.set_settings(ws, project, {"reference_group": "expert"})
        tallied.notes.append(
            "The annotators' names tell groups (" + ", ".join(sorted(set(groups.values()))) + "); experts decide final values."
        )


def _ensure_rubric(ws: Workspace, project: Project) -> None:
    """A project without criteria gets the general rubric; every project can hold faults."""
    if not projects.rubrics(ws, project):
        projects.save_rubric(ws, project, read_named_rubric("answer-quality"))
    projects.save_rubric(ws, project, FAULTS)


def _write_opinions(
    ws: Workspace,
    project: Project,
    import_id: int,
    importer: Importer,
    path: Path,
    look: Look,
    tallied: Tallied,
    progress: Callable[[int], None],
    blind: bool,
) -> None:
    """Second pass: verdicts, now that all criteria and answers are known."""
    writer = RowWriter(ws, project, import_id, tallied, blind=blind)
    rows = projects.criteria(ws, project)
    known = {row.key: row for row in rows}
    bare: dict[str, list[Any]] = {}
    for row in rows:
        bare.setdefault(row.criterion.name, []).append(row)
    known.update({name: found[0] for name, found in bare.items() if len(found) == 1})
    batch: list[Placed] = []
    done = 0
    for item in _records(importer, path, look):
        if isinstance(item, Placed) and isinstance(item.record, ImportedVerdict):
            batch.append(item)
            if len(batch) >= BATCH:
                writer.opinions(batch, known)
                done += len(batch)
                progress(done)
                batch = []
    writer.opinions(batch, known)


def _placed_rows(importer: Importer, path: Path, look: Look) -> Iterator[ImportedRow]:
    if look.layout == "exchange":
        for item in _records(importer, path, look):
            if isinstance(item, Placed) and isinstance(item.record, ImportedRow):
                yield item.record


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
