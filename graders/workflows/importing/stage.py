"""Import: look at a file, stage its rows unseen, show what is wrong, then make the good rows
visible all at once."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from graders.core.contracts import Importer, Look
from graders.core.errors import CogradeError, NotFound
from graders.core.records import BadRow
from graders.core.rubric import Rubric
from graders.store import projects
from graders.store.answers import content, task_types
from graders.store.desk import seeded
from graders.store.opinions import cells, tallies
from graders.store.projects import Project
from graders.store.transfer import exchange, imports, names, staged
from graders.store.workspace import Workspace
from graders.workflows.cells.state import FAULTS, refresh_all
from graders.workflows.importing import _restore, seeded_copies
from graders.workflows.importing._read_pass import ImportPass
from graders.workflows.importing._rubric_changes import rubric_changes
from graders.workflows.importing._slipped_rows import find_slips
from graders.workflows.importing._write_rows import Tallied
from graders.workflows.importing.bad_rows import keep_cells
from graders.workflows.importing.look import fingerprint_of, importer_of
from graders.workflows.promise.rulings import latest, log_moves, settle
from graders.workflows.scope.named_rubrics import bundled_rubrics, read_named_rubric
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.rubric_check import check_rubric

#: What people read while answers are compared.
SLIPS = "Comparing answers with questions, in case rows slipped"


@dataclass(frozen=True, slots=True)
class Report:
    """What an import brought; `bad_rows` holds the first of `bad`; `copies` is the import of the
    copies with seeded faults that came along, 0 for none; `new_figures` counts answers whose text
    is there and whose seconds, tokens or the like are new."""

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
    rubric_changes: tuple[Mapping[str, Any], ...] = ()
    copies: int = 0
    new_figures: int = 0

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


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
    part_of: int | None = None,
    progress: Callable[[int], None] = lambda rows: None,
    doing: Callable[[str, int, int], None] = lambda what, done, total: None,
) -> Report:
    """Write a file's rows unseen into a project (made if new); `finish` shows them, `drop` removes
    them.

    `progress` is told how many rows were read, `doing` what comes after it: (what, done, total; 0
    where nobody knows). `blind` says that people's verdicts without an arm were made without seeing
    suggestions. `rubric` is added to the project, or takes the place of its namesake, when the
    import is done; until then the report's `rubric_changes` say what it would do. With an `encoder`
    answers that look like answers to another question are pointed out; one that cannot be used is a
    note. `part_of` is the import of the file in which these rows come along: both are finished and
    dropped together.
    """
    rubric = None if rubric is None else check_rubric(rubric)
    importer = importer_of(path)
    look = look or importer.look(path)
    blind = blind and not (look.mended is not None and look.mended.assisted)
    sweep_interrupted(scope.ws)
    names.clear(scope.ws, project_name)
    tallied, fingerprint = Tallied(notes=list(look.notes)), fingerprint_of(path)
    with scope.ws.write():  # a kill leaves no project without the import that says whose it is
        project = _project(scope.ws, project_name, title)
        import_id = imports.begin_import(scope.ws, project, path.name, fingerprint, part_of)
    fresh = not any(found["state"] == "done" for found in imports.list_imports(scope.ws, project))
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
            for waiting in imports.waiting(scope.ws, project):
                # nobody said yes to it; its rows would stand between this file and the project
                imports.sweep(scope.ws, waiting)
            if rubric is not None:
                staged.stage_rubric(scope.ws, project, import_id, rubric)
            _stage(scope.ws, project, import_id, reading, importer, path, look)
            along = _copies_along(scope, project, reading)
            if tallied.bad_rows:
                keep_cells(
                    scope.ws,
                    project,
                    import_id,
                    importer,
                    path,
                    look,
                    tallied.bad_rows,
                    assisted=not blind,
                )
            slipped = _slipped(scope.ws, import_id, encoder, tallied, partial(doing, SLIPS))
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
        tuple(
            r.name for r in _without_faults(staged.planned_rubrics(scope.ws, project, import_id))
        ),
        tuple(slipped),
        tuple(
            rubric_changes(
                projects.rubrics(scope.ws, project),
                _without_faults(staged.staged_rubrics(scope.ws.db, import_id)),
            )
        ),
        along,
        tallied.new_figures,
    )
    imports.staged(scope.ws, import_id, report.to_json())
    return report


def _stage(
    ws: Workspace,
    project: Project,
    import_id: int,
    reading: ImportPass,
    importer: Importer,
    path: Path,
    look: Look,
) -> None:
    """Write everything that an import brings."""
    reading.content(importer, path, look)
    project = projects.get_project(ws, project.name)
    _ensure_rubric(ws, project, import_id)
    reading.opinions()
    criteria = [
        c
        for c in staged.planned_criteria(ws, project, import_id)
        if c.criterion.rubric != FAULTS.name
    ]
    reading.doing("Making the cells", 0, 0)
    cells.ensure_cells(ws, project, criteria, content.import_subjects(ws.db, import_id), import_id)
    frame = _restore.planned_frame(ws, project, import_id)
    tell = partial(reading.doing, "Working out the cells")
    refresh_all(
        ws, project, cells.cell_ids(ws.db, project, import_id=import_id), frame=frame, tell=tell
    )
    reading.doing("Counting", 0, 0)
    tallies.assign_import(ws, import_id)
    _restore.after_verdicts(ws, project, import_id, reading.others())


def _copies_along(scope: Scope, project: Project, reading: ImportPass) -> int:
    """Stage the copies with seeded faults that a file brings beside its answers; the import's
    number, 0 where there are none.

    What is bad in them is in the tally of the file.
    """
    if not reading.copies.count or project.settings.get(seeded.SEEDED_OF):
        return 0
    tallied = reading.tallied
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "copies"
        copies = seeded_copies.unpack(
            scope.ws, project, (row for batch in reading.copies.batches() for row in batch), folder
        )
        report = stage(scope, copies.name, folder, part_of=reading.import_id) if copies else None
    bad = [*copies.bad, *(copies.placed(row) for row in (report.bad_rows if report else ()))]
    for row in bad:
        tallied.refuse(row)
    if report:
        tallied.bad += report.bad - len(report.bad_rows)
    if bad:
        count = len(copies.bad) + (report.bad if report else 0)
        tallied.notes.append(
            f"Of the copies with seeded faults that came along {count:,} "
            f"row{'s are' if count != 1 else ' is'} bad."
        )
    return report.import_id if report else 0


def _slipped(
    ws: Workspace, import_id: int, encoder: Any, tallied: Tallied, tell: Callable[[int, int], None]
) -> list[dict[str, Any]]:
    """The questions whose answers look like answers to another one. What the model does not allow
    is a note, not a stop."""
    if encoder is None:
        return []
    try:
        return find_slips(
            content.subjects(ws.db, content.import_subjects(ws.db, import_id)), encoder, tell
        )
    except (
        Exception
    ) as error:  # a model that the settings name may fail in any way; the rows do not depend on it
        why = (
            str(error).rstrip(".")
            if isinstance(error, CogradeError)
            else f"{type(error).__name__}: {error}"
        )
        tallied.notes.append(
            "Whether rows slipped was not checked, because the model that it needs cannot "
            f"be used: {why}."
        )
        return []


@needs("import")
def finish(scope: Scope, import_id: int) -> dict[str, Any]:
    """Make a staged import visible, its rubrics with its rows, all at once; old verdicts stay with
    the old text of changed answers.

    A new project gets the name it was staged with, or a number behind it if another took that
    meanwhile: the report says which. Conflict if somebody changed one of these rubrics meanwhile.
    """
    ws = scope.ws
    found = imports.get_import(ws, import_id)
    if found["state"] == "done":
        return dict(found["report"])
    if found["state"] != "staged":
        raise NotFound(
            f"import {import_id}",
            found=f"state {found['state']}",
            expected="a staged import",
            remedy="Import the file again.",
        )
    (project,) = projects.projects_by_id(ws, [found["project_id"]])
    if found["part_of"] is None:
        project = names.claim(ws, project, str(found["report"]["project"]))
        for along in imports.family(ws, import_id)[1:]:
            finish(scope, along)  # before this one's screens, some of which show copies
    late = _restore.late_opinions(ws, project, import_id)
    sums = tallies.import_sums(ws.db, import_id)
    with ws.write() as db:
        if not projects.has_begun(db, project):  # what it is called was nobody's until now
            projects.set_title(ws, project, project.title, project.notice)
        imports.set_project_name(db, import_id, project.name)
        exchange.keep_keys(db, project, import_id, staged.take_effect(ws, db, project, import_id))
        moved = imports.changed_subjects(db, import_id)
        changed = imports.changed_questions(db, import_id)
        tallies.count_cells(db, moved, -1)
        before = task_types.kinds_of_questions(db, changed)
        replaced = imports.finish_rows(db, import_id)
        log_moves(scope, project, before, task_types.kinds_of_questions(db, changed))
        tallies.count_cells(db, replaced, -1)
        tallies.add_sums(db, sums, +1)
        tallies.count_cells(db, content.subjects_of(db, changed), +1)
        _restore.apply_opinions(db, late)
        exchange.keep_cells(db, import_id, "late", [opinion.cell_id for _, opinion, _ in late])
        exchange.keep_cells(db, import_id, "moved", [cell.id for cell in cells.cells_of(db, moved)])
    if latest(scope, project):
        # before the cells of changed questions are routed by rulings that hold no longer
        settle(scope, project)
    _restore.after_finish(ws, project, import_id)
    seeded_copies.carry(ws, project)
    projects.log_event(
        ws,
        project,
        scope.actor.person_id,
        "import",
        {"import": import_id, "source": found["source"], **_counts(found["report"])},
    )
    return {**found["report"], "project": project.name}


@needs("import")
def drop(scope: Scope, import_id: int) -> None:
    """Remove a staged import that is not wanted, and what came along; a project that it would have
    been the first of goes with it."""
    found = imports.get_import(scope.ws, next(iter(imports.family(scope.ws, import_id)), import_id))
    imports.sweep(scope.ws, import_id)
    for project in projects.projects_by_id(
        scope.ws, [found["project_id"]] if found["state"] != "done" else ()
    ):
        projects.remove_empty(scope.ws, project)


def sweep_interrupted(ws: Workspace) -> int:
    """Remove what interrupted imports left behind, with projects that they would have been the
    first of, end what was interrupted after the finish; returns how many there were."""
    found = imports.interrupted(ws)
    for import_id in found:
        of = projects.projects_by_id(ws, [imports.get_import(ws, import_id)["project_id"]])
        new = [project for project in of if not projects.has_begun(ws.db, project)]
        imports.sweep(ws, import_id)
        for project in new:
            projects.remove_empty(ws, project)
    half = exchange.half_unpacked(ws)
    for import_id, project_id in half:
        for project in projects.projects_by_id(ws, [project_id]):
            _restore.after_finish(ws, project, import_id)
    return len(found) + len(half)


def _project(ws: Workspace, name: str, title: str) -> Project:
    try:
        return projects.get_project(ws, name)
    except NotFound:
        return projects.add_project(ws, name, title)


def _ensure_rubric(ws: Workspace, project: Project, import_id: int) -> None:
    """A project without criteria gets the general rubric; every project can hold faults."""
    if not staged.planned_rubrics(ws, project, import_id):
        staged.stage_rubric(ws, project, import_id, read_named_rubric("answer-quality"))
    staged.stage_rubric(ws, project, import_id, FAULTS)


def _without_faults(rubrics: list[Rubric]) -> list[Rubric]:
    return [rubric for rubric in rubrics if rubric.name != FAULTS.name]


def _counts(report: Mapping[str, Any]) -> dict[str, Any]:
    return {
        k: report.get(k)
        for k in ("questions", "answers", "new_versions", "verdicts", "unchanged", "bad")
    }
