"""Rubrics of a project: looked at, checked while they are typed, compared, put in force; only what
became stale is graded again.

A text that was put in force is kept. People's verdicts under an earlier wording stay and are shown
as such; they no longer count.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.core.errors import CogradeError, Conflict, InputError, NotFound, RubricError
from graders.core.hashing import text_hash
from graders.core.rubric import Rubric, read_rubric
from graders.core.rubric_edit import set_field
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import cells, made_cells
from graders.store.opinions import rubrics as store
from graders.store.projects import Project
from graders.workflows.cells.state import FAULTS, refresh_all
from graders.workflows.importing import seeded_copies
from graders.workflows.rubrics import _diff
from graders.workflows.rubrics._diff import CriterionChange, DiffLine
from graders.workflows.rubrics.form import Form, form_of
from graders.workflows.rubrics.form_change import FormChange, changed
from graders.workflows.rubrics.rubric_list import VerdictCounts, in_force
from graders.workflows.runs import runs
from graders.workflows.runs.run_page import run_page
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.rubric_check import check_rubric, problems

#: The longest rubric, in characters.
LONGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class TextError:
    """What keeps a text from being used: the parts of its sentence and the whole (`text`), the
    exit code of commands, and the `line` of the rubric; None where it has none."""

    where: str
    found: str
    expected: str
    remedy: str
    exit: int
    text: str
    line: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What a text would mean if it were put in force.

    A text that cannot be read has `errors` and no `form`; one whose graders or templates do not fit
    has both. `said`: the changes as sentences; `stale`: criterion -> verdicts that count now and
    would no longer.
    """

    name: str
    errors: Sequence[TextError]
    form: Form | None = None
    changes: Sequence[CriterionChange] = ()
    said: Sequence[str] = ()
    lines: Sequence[DiffLine] = ()
    stale: Mapping[str, VerdictCounts]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited(Look):
    """A text with one field changed (`source`), and what it would mean."""

    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierVersion:
    """An earlier text, and what has changed from it to the present one."""

    id: int
    version: str
    at: str
    source: str
    changes: Sequence[CriterionChange]
    said: Sequence[str]
    lines: Sequence[DiffLine]


@dataclass(frozen=True, slots=True)
class PutInForce:
    """A rubric that was put in force, its changes as sentences, and the verdicts that became
    `stale` by criterion.

    `raised`: the text came with the version of another text that was in force, and got the next one
    that is free.
    """

    name: str
    version: str
    raised: bool
    said: Sequence[str]
    stale: Mapping[str, VerdictCounts]


@dataclass(frozen=True, slots=True)
class RegradePlan:
    """What it costs to ask `judges` again about so many `answers`; `plan` is None where there is no
    answer, or no judge."""

    answers: int
    judges: Sequence[str]
    plan: RunPlan | None


@needs("look")
def look(scope: Scope, project_name: str, source: str, name: str = "") -> Look:
    """What a text would mean if it were put in force, in place of the rubric `name` or of the one
    it names; nothing is kept."""
    project = scope.project(project_name)
    try:
        rubric = _read(source, name)
    except CogradeError as error:
        return Look(name=name, errors=[_error(error)], stale={})
    old = next((r for r in in_force(scope, project) if r.name == rubric.name), None)
    changes = _diff.changes(old, rubric)
    return Look(
        name=rubric.name,
        errors=[_error(error) for error in problems(rubric)],
        form=form_of(rubric, source),
        changes=changes,
        said=_diff.words(changes),
        lines=_diff.lines(old.source if old else "", source),
        stale=_stale(scope, project, rubric, changes),
    )


@needs("look")
def edit(
    scope: Scope, project_name: str, source: str, change: FormChange, name: str = ""
) -> Edited:
    """A text with one change of the form in it, comments kept; a change after which it could not be
    read is refused."""
    made = changed(source, change, _where(name))
    return Edited(source=made, **as_dict(look(scope, project_name, made, name)))


@needs("look")
def version(scope: Scope, project_name: str, name: str, version_id: int) -> EarlierVersion:
    """An earlier text and what has changed from it to the present one."""
    project = scope.project(project_name)
    versions = store.versions(scope.ws, project, name)
    earlier = next((v for v in versions if v.id == version_id), None)
    if earlier is None:
        ids = ", ".join(str(v.id) for v in versions) or say("rubrics.no_version.none")
        raise NotFound(
            **error_parts("rubrics.no_version", id=version_id, rubric=repr(name), ids=ids)
        )
    present = next((v for v in versions if v.active), versions[0])
    changes = _diff.changes(
        projects.known_rubric(earlier.source, name), projects.known_rubric(present.source, name)
    )
    return EarlierVersion(
        id=earlier.id,
        version=earlier.version,
        at=earlier.at,
        source=earlier.source,
        changes=changes,
        said=_diff.words(changes),
        lines=_diff.lines(earlier.source, present.source),
    )


@needs("settings")
def put(
    scope: Scope, project_name: str, source: str, name: str = "", before: str | None = None
) -> PutInForce:
    """Put a text in force. `name` must be the text's own where it is given.

    `before` is the hash of the text that the caller saw in force ("" for none): Conflict where
    another one was put in force since.
    """
    ws, project = scope.ws, scope.project(project_name)
    rubric = check_rubric(_read(source, name))
    old = next((r for r in in_force(scope, project) if r.name == rubric.name), None)
    if before is not None and before != (text_hash(old.source) if old else ""):
        raise Conflict(**error_parts("rubrics.another_text", rubric=rubric.name))
    changes = _diff.changes(old, rubric)
    stale = _stale(scope, project, rubric, changes)
    given, rubric = rubric.version, _numbered(rubric, old, store.versions(ws, project, rubric.name))
    projects.save_rubric(ws, project, rubric)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    made_cells.ensure_cells(ws, project, criteria, content.subject_ids(ws.db, project))
    refresh_all(
        ws, project, cells.cell_ids(ws.db, project), route=bool(project.settings.get("routed"))
    )
    seeded_copies.carry(ws, project)
    row = store.versions(ws, project, rubric.name)[0].id
    projects.log_event(
        ws,
        project,
        scope.actor.person_id,
        "rubric",
        {"name": rubric.name, "version": rubric.version, "row": row},
    )
    raised = rubric.version != given
    return PutInForce(rubric.name, rubric.version, raised, _diff.words(changes), stale)


@needs("run")
def regrade_plan(scope: Scope, project_name: str, name: str) -> RegradePlan:
    """What it costs to ask the judges of the last run again about the answers whose verdicts became
    stale; nothing is sent."""
    judges, subjects = _judges_and_stale(scope, project_name, name)
    if not subjects or judges is None:
        return RegradePlan(len(subjects), judges or [], None)
    agreed = runs.plan(scope, project_name, {"judges": judges, "only": subjects})
    return RegradePlan(len(subjects), judges or [plan.name for plan in agreed.judges], agreed)


@needs("run")
def regrade(scope: Scope, project_name: str, name: str) -> runs.Started:
    """Start the run whose price `regrade_plan` told."""
    judges, subjects = _judges_and_stale(scope, project_name, name)
    if not subjects or judges is None:
        raise InputError(**error_parts("rubrics.nothing_stale", rubric=name))
    options = {"judges": judges, "only": subjects}
    return runs.start(scope, project_name, options, scope.actor.person_id)


def _judges_and_stale(
    scope: Scope, project_name: str, name: str
) -> tuple[list[str] | None, Sequence[int]]:
    """The judges of the last run as they were given (none where it had none but those that rubrics
    name; None where no judge was ever asked), and the answers that have a stale verdict of a
    judge."""
    project = scope.project(project_name)
    rubric = next((r for r in in_force(scope, project) if r.name == name), None)
    if rubric is None:
        raise NotFound(**error_parts("rubrics.no_rubric", rubric=repr(name)))
    keys = [c.key for c in rubric.criteria if c.grader("judge") is not None]
    page = run_page(scope, project_name)
    shares = page.run is not None and page.run.shares
    return (
        page.run.judges if page.run is not None and shares else page.known_judges or None,
        store.stale_subjects(scope.ws.db, project, keys),
    )


def _where(name: str) -> str:
    """Where an error in the text of a rubric is."""
    return say("rubrics.where.named", rubric=name) if name else say("rubrics.where.unnamed")


def _read(source: str, name: str) -> Rubric:
    where = _where(name)
    if len(source) > LONGEST:
        raise InputError(
            **error_parts("rubrics.too_long", where=where, n=len(source), most=LONGEST)
        )
    rubric = read_rubric(source, where=where)
    if name and rubric.name != name:
        raise RubricError(
            **error_parts(
                "rubrics.renamed", where=where, name=repr(rubric.name), expected=repr(name)
            )
        )
    if rubric.name == FAULTS.name:
        raise RubricError(**error_parts("rubrics.taken", where=where, name=repr(rubric.name)))
    return rubric


def _numbered(rubric: Rubric, old: Rubric | None, kept: Sequence[store.Version]) -> Rubric:
    """The rubric under a version that no other text of its name had: else figures of two texts
    would stand under one number."""
    others = [
        v
        for v in kept
        if v.version == rubric.version
        and _diff.changes(projects.known_rubric(v.source, rubric.name), rubric)
    ]
    if not others:
        return rubric
    label, taken = rubric.version, {v.version for v in kept}
    if old is not None and not _diff.changes(old, rubric):
        # this text is in force already, under the version that it was given then
        label = old.version
    elif re.fullmatch("[0-9]{1,9}", label):
        label = str(next(n for n in itertools.count(int(label) + 1) if str(n) not in taken))
    else:
        label = next(name for n in itertools.count(2) if (name := f"{label}-{n}") not in taken)
    plain = label if re.fullmatch("[0-9]+", label) else json.dumps(label, ensure_ascii=False)
    return _read(set_field(rubric.source, "", "version", plain), rubric.name)


def _error(error: CogradeError) -> TextError:
    line = error.where.partition(", line ")[2].partition(",")[0]
    return TextError(
        error.where,
        error.found,
        error.expected,
        error.remedy,
        error.exit_code,
        str(error),
        int(line) if line.isdigit() else None,
    )


def _stale(
    scope: Scope, project: Project, rubric: Rubric, changes: Sequence[CriterionChange]
) -> dict[str, VerdictCounts]:
    """Criterion -> verdicts that count now and would no longer."""
    names = [change.criterion for change in changes if change.stale]
    hashes = {row.key: row.hash for row in projects.criteria(scope.ws, project)}
    by_wording = store.opinions_by_wording(
        scope.ws.db, project, [f"{rubric.name}/{name}" for name in names]
    )
    stale = {}
    for name in names:
        key = f"{rubric.name}/{name}"
        present = hashes.get(key)
        stale[name] = VerdictCounts.of(
            [(who, n) for wording, who, n in by_wording.get(key, []) if wording == present]
        )
    return stale
