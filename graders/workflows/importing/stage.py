"""Import: look at a file, stage its rows unseen, show what is wrong, then make the good rows
visible all at once."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from graders.core.contracts import Chosen, Importer, Look
from graders.core.errors import InputError, NotFound
from graders.core.records import BadRow
from graders.core.rubric import Rubric
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content, task_types
from graders.store.desk import seeded
from graders.store.opinions import cells, made_cells, tallies
from graders.store.projects import Project
from graders.store.transfer import (
    exchange,
    imports,
    labels,
    names,
    project_removal,
    replaced_by_import,
    staged,
)
from graders.store.transfer.imports import ImportState
from graders.store.workspace import Workspace
from graders.workflows.cells.state import FAULTS, refresh_all
from graders.workflows.importing import _planned, seeded_copies, take_back
from graders.workflows.importing._planned import RubricChange, rubric_changes
from graders.workflows.importing._read_pass import ImportPass, Listener
from graders.workflows.importing._slipped_rows import Slip, slips_of_import
from graders.workflows.importing._write_rows import Tallied
from graders.workflows.importing.bad_rows import keep_cells
from graders.workflows.importing.look import fingerprint_of, importer_of
from graders.workflows.promise.rulings import latest, log_moves, settle
from graders.workflows.scope.named_rubrics import read_named_rubric
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.rubric_check import check_rubric

__all__ = ["Listener", "Report", "Staging", "drop", "finish", "stage", "sweep_interrupted"]


#: What the log keeps of a report.
COUNTED = ("questions", "answers", "new_versions", "verdicts", "unchanged", "bad")


@dataclass(frozen=True, slots=True)
class Report:
    """What an import brought; `bad_rows` holds the first of `bad`; `copies` is the import of the
    copies with seeded faults that came along, 0 for none; `new_figures` counts answers whose text
    is there and whose seconds, tokens or the like are new; `labels_chosen`: how the answers were
    chosen that the file has people's labels of, and whether these are stated to be given blind
    (`labels_blind`), with a sentence (`labels_note`) on what follows; `labels_kept`: how many are
    kept for a test, where no figure sees them."""

    import_id: int
    project: str
    questions: int
    changed_questions: int
    answers: int
    new_versions: int
    verdicts: int
    unchanged: int
    bad: int
    bad_rows: Sequence[BadRow]
    notes: Sequence[str]
    rubrics: Sequence[str]
    slipped: Sequence[Slip] = ()
    rubric_changes: Sequence[RubricChange] = ()
    copies: int = 0
    new_figures: int = 0
    labels_chosen: str = Chosen.UNKNOWN
    labels_blind: bool = False
    labels_kept: int = 0
    labels_note: str = ""

    @classmethod
    def of(cls, body: JSON) -> Report:
        """As it is stored with the import; earlier versions stored less of it."""
        given = {name: body[name] for name in (f.name for f in fields(cls)) if name in body}
        rows = {
            "bad_rows": tuple(BadRow(**row) for row in given["bad_rows"]),
            "slipped": tuple(Slip(**row) for row in given.get("slipped", ())),
            "rubric_changes": tuple(RubricChange(**row) for row in given.get("rubric_changes", ())),
        }
        return cls(**{**given, **rows})


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """What else is said of an import: the `title` of a new project; an `encoder`, with which
    answers that look like answers to another question are pointed out (one that cannot be used is a
    note); the import of the file in which these rows come along (`part_of`: both are finished and
    dropped together); how the answers were `chosen` that people labelled, None for what the file
    says, else unknown; whether a lead states that the labels were given without sight of a judge's
    value (`labels_blind`); and who is told how far it is."""

    title: str = ""
    encoder: Any = None
    part_of: int | None = None
    chosen: Chosen | None = None
    labels_blind: bool = False
    listener: Listener = field(default_factory=Listener)


@needs("import")
def stage(
    scope: Scope,
    project_name: str,
    path: Path,
    look: Look | None = None,
    *,
    blind: bool = True,
    rubric: Rubric | None = None,
    staging: Staging = Staging(),
) -> Report:
    """Write a file's rows unseen into a project (made if new); `finish` shows them, `drop` removes
    them.

    `blind` says that people's verdicts without an arm were made without seeing suggestions.
    `rubric` is added to the project, or takes the place of its namesake, when the import is done;
    until then the report's `rubric_changes` say what it would do.
    """
    rubric = None if rubric is None else check_rubric(rubric)
    importer = importer_of(path)
    look = look or importer.look(path)
    blind = blind and not (look.mended is not None and look.mended.assisted)
    if staging.labels_blind and not blind:
        raise InputError(**error_parts("importing.blind_and_assisted"))
    ws = scope.ws
    sweep_interrupted(ws)
    if look.mended is not None and project_name == look.mended.project:
        project_name = projects.present_name(ws, project_name)  # it may have been renamed since
    names.clear(ws, project_name)
    tallied, fingerprint = Tallied(notes=list(look.notes)), fingerprint_of(path)
    with ws.write():  # a kill leaves no project without the import that says whose it is
        project = projects.find_project(ws.db, project_name) or projects.add_project(
            ws, project_name, staging.title
        )
        import_id = imports.begin_import(ws, project, path.name, fingerprint, staging.part_of)
    fresh = all(one.state != ImportState.DONE for one in imports.list_imports(ws, project))
    reading = ImportPass(
        ws, project, import_id, tallied, staging.listener, blind=blind, fresh=fresh
    )
    shown = labels.were_shown(ws.db, project, fingerprint)
    reading.stated, reading.stated_blind = staging.chosen, staging.labels_blind and not shown
    try:
        with imports.kept_alive(ws, import_id):
            for waiting in imports.waiting(ws, project):
                # no person accepted it; its rows would stand between this file and the project
                imports.sweep(ws, waiting)
            if rubric is not None:
                staged.stage_rubric(ws, project, import_id, rubric)
            _stage(ws, project, import_id, reading, importer, path, look)
            chosen = staging.chosen or reading.chosen
            if chosen != Chosen.UNKNOWN:
                labels.set_chosen(ws, import_id, chosen)
            if reading.stated_blind:
                labels.set_blind(ws, import_id, blind=True)
            copies = _copies_along(scope, project, reading)
            if tallied.bad_rows:
                bad, assisted = tallied.bad_rows, not blind
                keep_cells(ws, project, import_id, importer, path, look, bad, assisted=assisted)
            slips = _slipped(ws, import_id, staging, tallied)
    except BaseException:
        imports.sweep(ws, import_id)
        projects.remove_empty(ws, project)
        raise
    finally:
        reading.close()
    report = replace(
        _report(ws, project, import_id, tallied, slips, copies),
        labels_chosen=chosen,
        labels_blind=reading.stated_blind,
        labels_kept=reading.kept,
        labels_note=_labels_note(reading, chosen, shown=staging.labels_blind and shown),
    )
    imports.staged(ws, import_id, asdict(report))
    return report


def _labels_note(reading: ImportPass, chosen: Chosen, *, shown: bool) -> str:
    """What follows from how the labelled answers were chosen, as a sentence; empty without
    labels."""
    if not reading.blind_labels:
        return ""
    if reading.kept:
        return say(
            "importing.note.labels_kept",
            kept=reading.kept,
            n=reading.kept_questions,
            rest=reading.blind_labels - reading.kept,
        )
    if chosen == Chosen.UNKNOWN:
        return say("importing.note.labels_unknown", n=reading.blind_labels)
    if shown:
        return say("importing.note.labels_seen", n=reading.blind_labels)
    if reading.stated_blind and chosen == Chosen.ALL:
        return say("importing.note.labels_all", n=reading.blind_labels)
    return ""


def _report(
    ws: Workspace,
    project: Project,
    import_id: int,
    tallied: Tallied,
    slips: Sequence[Slip],
    copies: int,
) -> Report:
    planned = _without_faults(staged.planned_rubrics(ws, project, import_id))
    changed = _without_faults(staged.staged_rubrics(ws.db, import_id))
    return Report(
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
        tuple(rubric.name for rubric in planned),
        slips,
        rubric_changes(projects.rubrics(ws, project), changed),
        copies,
        tallied.new_figures,
    )


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
    reading.doing(say("importing.doing.cells"), 0, 0)
    made_cells.ensure_cells(
        ws, project, criteria, content.import_subjects(ws.db, import_id), import_id
    )
    frame = _planned.planned_frame(ws, project, import_id)
    tell = partial(reading.doing, say("importing.doing.states"))
    refresh_all(
        ws, project, cells.cell_ids(ws.db, project, import_id=import_id), frame=frame, tell=tell
    )
    reading.doing(say("importing.doing.counts"), 0, 0)
    tallies.assign_import(ws, import_id)
    _planned.after_verdicts(ws, project, import_id, reading.others())


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
        along = Staging(part_of=reading.import_id)
        report = stage(scope, copies.name, folder, staging=along) if copies else None
    bad = [*copies.bad, *(copies.placed(row) for row in (report.bad_rows if report else ()))]
    for row in bad:
        tallied.refuse(row)
    if report:
        tallied.bad += report.bad - len(report.bad_rows)
    if bad:
        count = len(copies.bad) + (report.bad if report else 0)
        tallied.notes.append(say("importing.note.bad_copies", n=count))
    return report.import_id if report else 0


def _slipped(ws: Workspace, import_id: int, staging: Staging, tallied: Tallied) -> Sequence[Slip]:
    """The questions whose answers look like answers to another one, where there is an encoder."""
    if staging.encoder is None:
        return ()
    tell = partial(staging.listener.doing, say("importing.doing.slips"))
    slips, note = slips_of_import(ws, import_id, staging.encoder, tell)
    tallied.notes += [note] if note else []
    return tuple(slips)


@needs("import")
def finish(scope: Scope, import_id: int) -> Report:
    """Make a staged import visible, its rubrics with its rows, all at once; old verdicts stay with
    the old text of changed answers.

    A new project gets the name it was staged with, or a number behind it if another took that
    meanwhile: the report says which. Conflict if one of these rubrics was changed meanwhile.
    """
    ws = scope.ws
    found = imports.get_import(ws, import_id)
    report = Report.of(found.report) if found.report else None
    if found.state is ImportState.DONE and report:
        return report
    if found.state is not ImportState.STAGED or report is None:
        raise NotFound(**error_parts("importing.not_staged", id=import_id, state=found.state))
    (project,) = projects.projects_by_id(ws, [found.project_id or 0])
    along = imports.family(ws, import_id)[1:] if found.part_of is None else []
    if found.part_of is None:
        project = names.claim(ws, project, report.project)
        for copies in along:
            finish(scope, copies)  # before this one's screens, some of which show copies
    begun = projects.has_begun(ws.db, project)
    _make_visible(scope, project, import_id)
    if begun and latest(scope, project):
        # before the cells of changed questions are routed by rulings that hold no longer
        settle(scope, project)
    _planned.after_finish(ws, project, import_id)
    if begun or along:
        seeded_copies.carry(ws, project)
    counts = {name: getattr(report, name) for name in COUNTED}
    projects.log_event(
        ws,
        project,
        scope.actor.person_id,
        "import",
        {"import": import_id, "source": found.source, **counts},
    )
    return replace(report, project=project.name)


def _make_visible(scope: Scope, project: Project, import_id: int) -> None:
    """The finishing transaction."""
    ws = scope.ws
    late = _planned.late_opinions(ws, project, import_id)
    sums = tallies.import_sums(ws.db, import_id)
    with ws.write() as db:
        if not projects.has_begun(db, project):  # another project may have taken its title
            projects.set_title(ws, project, project.title, project.notice)
        imports.set_project_name(db, import_id, project.name)
        replaced_by_import.keep(ws, db, projects.get_project(ws, project.name), import_id)
        exchange.keep_keys(db, project, import_id, staged.take_effect(ws, db, project, import_id))
        moved = imports.changed_subjects(db, import_id)
        changed = imports.changed_questions(db, import_id)
        tallies.count_cells(db, moved, -1)
        before = task_types.kinds_of_questions(db, changed)
        replaced = imports.finish_rows(db, import_id)
        if changed:
            log_moves(scope, project, before, task_types.kinds_of_questions(db, changed))
        tallies.count_cells(db, replaced, -1)
        tallies.add_sums(db, sums, +1)
        tallies.count_cells(db, content.subjects_of(db, changed), +1)
        _planned.apply_opinions(db, late, import_id)
        exchange.keep_cells(db, import_id, "late", [opinion.cell_id for _, opinion, _ in late])
        exchange.keep_cells(db, import_id, "moved", [cell.id for cell in cells.cells_of(db, moved)])


@needs("import")
def drop(scope: Scope, import_id: int) -> None:
    """Remove a staged import that is not wanted, and what came along; a project that it would have
    been the first of goes with it."""
    whole = imports.get_import(scope.ws, next(iter(imports.family(scope.ws, import_id)), import_id))
    imports.sweep(scope.ws, import_id)
    if whole.state is not ImportState.DONE:
        for project in projects.projects_by_id(scope.ws, [whole.project_id or 0]):
            projects.remove_empty(scope.ws, project)


def sweep_interrupted(ws: Workspace) -> int:
    """Remove what interrupted imports left behind, with projects that they would have been the
    first of, end what was interrupted after the finish, or while an import was taken back or a
    project deleted; returns how many there were."""
    gone, taken = project_removal.sweep(ws), imports.half_taken(ws)
    for import_id, project_id in taken:
        for project in projects.projects_by_id(ws, [project_id]):
            take_back.end(ws, project, import_id)
    found = imports.interrupted(ws)
    for import_id in found:
        of = projects.projects_by_id(ws, [imports.get_import(ws, import_id).project_id or 0])
        new = [project for project in of if not projects.has_begun(ws.db, project)]
        imports.sweep(ws, import_id)
        for project in new:
            projects.remove_empty(ws, project)
    half = exchange.half_unpacked(ws)
    for import_id, project_id in half:
        for project in projects.projects_by_id(ws, [project_id]):
            _planned.after_finish(ws, project, import_id)
    return gone + len(taken) + len(found) + len(half)


def _ensure_rubric(ws: Workspace, project: Project, import_id: int) -> None:
    """A project without criteria gets the general rubric; every project can hold faults."""
    if not staged.planned_rubrics(ws, project, import_id):
        staged.stage_rubric(ws, project, import_id, read_named_rubric("answer-quality"))
    staged.stage_rubric(ws, project, import_id, FAULTS)


def _without_faults(rubrics: list[Rubric]) -> list[Rubric]:
    return [rubric for rubric in rubrics if rubric.name != FAULTS.name]
