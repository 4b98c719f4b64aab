"""The imports of a project, and taking one back as a whole while no person or judge worked
on what it brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.errors import Conflict, InputError, NotFound
from graders.core.shapes import JSON
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content, task_types
from graders.store.calls import runs
from graders.store.opinions import cells, tallies
from graders.store.projects import Project
from graders.store.transfer import (
    exchange,
    imports,
    project_removal,
    taking_back,
    taking_back_obstacles,
)
from graders.store.transfer.imports import Import, ImportState
from graders.store.transfer.row_removal import unchecked
from graders.store.transfer.taking_back_obstacles import Hold, Kind
from graders.store.workspace import Workspace
from graders.workflows.importing import _planned, seeded_copies
from graders.workflows.promise.rulings import latest, log_moves, settle
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import listed, several

__all__ = [
    "TAKEN_BACK",
    "ImportLine",
    "TakenBack",
    "end",
    "listed_imports",
    "one_import",
    "take_back",
]

#: The kind of event that a taken back import leaves in the log.
TAKEN_BACK = "import_taken_back"
#: What a report counts: field -> unit.
COUNTED = (
    ("questions", "question"),
    ("answers", "answer"),
    ("verdicts", "verdict"),
)


@dataclass(frozen=True, slots=True)
class ImportLine:
    """An import in the list of a project: its file (`source`), when it was finished and by whom
    (empty: from a terminal), what it brought, in numbers and in words, and whether it can be taken
    back; else `why_not`. `taken_back` says when it was."""

    id: int
    source: str
    at: str
    by: str
    state: str
    questions: int
    changed_questions: int
    answers: int
    new_versions: int
    verdicts: int
    unchanged: int
    bad: int
    brought: str
    can_take_back: bool
    why_not: str
    taken_back: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """An import that was taken back: what went with it in words, `answers` of earlier versions that
    are shown again, `questions` that have their earlier fields again, and rubrics that `stay` in
    force. `unplaced`: what is shown again has no place in the queue until cells are routed again.
    """

    id: int
    project: str
    source: str
    brought: str
    answers: int
    questions: int
    stay: Sequence[str]
    unplaced: bool


@needs("look")
def listed_imports(scope: Scope, project_name: str) -> list[ImportLine]:
    """The imports of a project that are finished or were taken back, newest first."""
    project = scope.project(project_name)
    told = _logged(scope.ws, project)
    return [
        _line(scope, project, found, told)
        for found in imports.list_imports(scope.ws, project)
        if found.part_of is None and found.state in _SHOWN
    ]


@needs("look")
def one_import(scope: Scope, import_id: int) -> ImportLine:
    """An import by its number. NotFound where there is none in a project."""
    found = imports.get_import(scope.ws, import_id)
    for project in projects.projects_by_id(scope.ws, [found.project_id or 0]):
        return _line(scope, project, found, _logged(scope.ws, project))
    raise NotFound(**error_parts("transfer.no_import", id=import_id))


#: Kind of event -> import -> (when, who).
_Told = dict[str, dict[int, tuple[str, str]]]


def _logged(ws: Workspace, project: Project) -> _Told:
    told: _Told = {"import": {}, TAKEN_BACK: {}}
    for kind, found in told.items():
        for event in projects.events(ws, project, kind, limit=10_000):
            found[event.body["import"]] = (event.at, event.actor)
    return told


def _line(scope: Scope, project: Project, found: Import, told: _Told) -> ImportLine:
    at, by = told["import"].get(found.id, (found.started_at, ""))
    why = _why_not(scope, project, found)
    return ImportLine(
        id=found.id,
        source=found.source,
        at=at,
        by=called(names_of(scope.ws), by) if by else "",
        state=found.state,
        **{name: int(found.report.get(name) or 0) for name in _NUMBERS},
        brought=brought_words(found.report),
        can_take_back=not why,
        why_not=why,
        taken_back=told[TAKEN_BACK].get(found.id, ("", ""))[0],
    )


_SHOWN = (ImportState.DONE, ImportState.TAKING_BACK, ImportState.TAKEN_BACK)
_NUMBERS = (
    "questions",
    "changed_questions",
    "answers",
    "new_versions",
    "verdicts",
    "unchanged",
    "bad",
)


def brought_words(report: JSON) -> str:
    """What an import brought and changed: ``3 questions and 9 answers, 2 of them new versions``."""
    came = [several(int(report[name]), unit) for name, unit in COUNTED if report.get(name)]
    parts = [listed(came)] if came else []
    for name in ("new_versions", "changed_questions", "new_figures"):
        if report.get(name):
            parts.append(say(f"importing.brought.{name}", n=int(report[name])))
    return ", ".join(parts) or say("importing.brought.nothing")


def _why_not(scope: Scope, project: Project, found: Import) -> str:
    """Why an import cannot be taken back, as a sentence; empty where it can."""
    if found.state is not ImportState.DONE:
        return say(f"importing.take_back.state.{found.state}")
    try:
        _need_idle(scope, project, found, least=True)
    except (Conflict, InputError) as error:
        return say("importing.take_back.why", held=error.found, remedy=error.remedy)
    return ""


@needs("import")
def take_back(scope: Scope, import_id: int) -> TakenBack:
    """Take back a finished import as a whole: what it brought goes, with what rules, routes and the
    queue made of it, and what it replaced is put back.

    Conflict, which names who worked on what, once a person graded, a judge judged, or a later
    import changed it. The log keeps that it was there; stored replies stay.
    """
    ws = scope.ws
    found = imports.get_import(ws, import_id)
    if found.state is not ImportState.DONE:
        raise InputError(
            **error_parts(f"importing.take_back.not_done.{_state_key(found)}", id=import_id)
        )
    whole = _family(ws, imports.family(ws, import_id))
    main, project = whole[0]
    seen = taking_back.stamp(ws.db)
    for one, its in whole:
        _need_idle(scope, its, one)
    for one, _ in whole:
        taking_back.adopt(ws, one.id)
    with unchecked(ws), ws.write() as db:
        same = taking_back.stamp(db) == seen
        for one, its in whole:
            if not same:
                _need_idle(scope, its, one, least=True)
            runs.need_none_at_work(ws, its)
        done = [_go(scope, its, one, adopted=same) for one, its in whole]
    for _, its in whole:
        if latest(scope, its):  # before the cells of changed questions are routed
            settle(scope, its)
    for one, its in whole:
        end(ws, its, one.id)
    answers, questions, stay = done[0]
    seeded_copies.carry(ws, project)
    return TakenBack(
        id=main.id,
        project=project.name,
        source=main.source,
        brought=brought_words(main.report),
        answers=answers,
        questions=questions,
        stay=stay,
        unplaced=bool((answers or questions) and project.settings.get("routed")),
    )


def _state_key(found: Import) -> str:
    gone = (ImportState.TAKING_BACK, ImportState.TAKEN_BACK)
    return "gone" if found.state in gone else "open"


def _family(ws: Workspace, ids: Sequence[int]) -> list[tuple[Import, Project]]:
    """The imports with their projects, of those that count."""
    found = [imports.get_import(ws, one) for one in ids]
    homes = {p.id: p for p in projects.projects_by_id(ws, [one.project_id or 0 for one in found])}
    return [
        (one, homes[one.project_id])
        for one in found
        if one.state is ImportState.DONE and one.project_id in homes
    ]


def _need_idle(scope: Scope, project: Project, found: Import, least: bool = False) -> None:
    """Conflict where a person or judge worked on what an import brought; InputError while a run is
    at work."""
    ws = scope.ws
    runs.need_none_at_work(ws, project)
    whole = imports.family(ws, found.id)
    held = taking_back_obstacles.holds(ws, project, found, whole, least)
    if not held:
        return
    names = names_of(ws)
    told = listed([_hold_words(one, names) for one in held[:6]])
    kinds = {one.kind for one in held}
    remedy = next(kind for kind in _WORST if kind in kinds)
    which = next(one.who for one in held if one.kind is remedy)
    raise Conflict(
        **error_parts("importing.take_back.held", id=found.id, source=found.source, held=told),
        remedy=say(
            f"importing.take_back.remedy.{remedy}", which=which.split(" ")[0], name=project.name
        ),
    )


#: What hinders most comes first: its remedy is the one that is said.
_WORST = (
    Kind.EARLIER,
    Kind.PERSON,
    Kind.JUDGE,
    Kind.CHOSE,
    Kind.IMPORT,
    Kind.COPIES,
    Kind.DRAWN,
    Kind.TESTED,
    Kind.WAITING,
    Kind.OPEN,
)


def _hold_words(one: Hold, names: dict[str, str]) -> str:
    people = (Kind.PERSON, Kind.OPEN, Kind.CHOSE)
    who = called(names, one.who) if one.kind in people else one.who
    return say(f"importing.take_back.hold.{one.kind}", who=who, n=one.count)


def _go(
    scope: Scope, project: Project, found: Import, *, adopted: bool
) -> tuple[int, int, list[str]]:
    """The transaction in which an import goes: (answers that are shown again, questions as they
    were, rubrics that stay)."""
    ws = scope.ws
    with ws.write() as db:
        moved, was = taking_back.hide(ws, db, project, found.id, adopted=adopted)
        changed = list(was.questions)
        before = task_types.kinds_of_questions(db, changed)
        shown, keys, stay = taking_back.put_back(ws, db, project, found.id, was)
        log_moves(scope, project, before, task_types.kinds_of_questions(db, changed))
        said = taking_back.unsay(db, found.id, projects.criteria(ws, project))
        again = sorted({*moved, *shown})
        tallies.count_cells(db, again, +1)
        exchange.unpacked(ws, found.id)  # nothing of it is to be put into its place any more
        exchange.keep_cells(db, found.id, "late", said)
        exchange.keep_cells(db, found.id, "moved", [one.id for one in cells.cells_of(db, again)])
        exchange.keep_keys(db, project, found.id, keys)
        body = {"import": found.id, "source": found.source}
        body |= {name: found.report.get(name) or 0 for name in _NUMBERS}
        projects.log_event(ws, project, scope.actor.person_id, TAKEN_BACK, body)
    return len(shown), len(changed), stay


def end(ws: Workspace, project: Project, import_id: int) -> None:
    """After the transaction, or later where that was interrupted: what the import touched is worked
    out again, and its rows go; so does a project that was made for copies that came along."""
    _planned.after_finish(ws, project, import_id)
    taking_back.remove(ws, project, import_id)
    along = imports.get_import(ws, import_id).part_of is not None
    if along and not content.counts(ws, project).questions:
        project_removal.hide(ws, [project])
        project_removal.sweep(ws)
