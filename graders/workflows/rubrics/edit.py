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
from typing import Any

from graders.core.errors import CogradeError, Conflict, InputError, NotFound, RubricError
from graders.core.hashing import text_hash
from graders.core.rubric import Rubric, read_rubric
from graders.core.rubric_edit import add_criterion, fields_by_criterion, set_field
from graders.store import projects
from graders.store.answers import content
from graders.store.opinions import cells
from graders.store.opinions import rubrics as store
from graders.store.projects import Project
from graders.workflows.cells.state import FAULTS, refresh_all
from graders.workflows.importing import seeded_copies
from graders.workflows.rubrics import _diff
from graders.workflows.runs import runs
from graders.workflows.runs.run_page import run_page
from graders.workflows.scope.named_rubrics import bundled_rubrics
from graders.workflows.scope.people_names import called, names_of
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.scope.rubric_check import check_rubric, problems

#: Who gives verdicts, as they are counted -> as the store names them.
KINDS = {"people": "person", "judges": "judge", "rules": "rule"}
#: The longest rubric, in characters.
LONGEST = 1_000_000


@needs("look")
def rubric_list(scope: Scope, project_name: str) -> dict[str, Any]:
    """The rubrics in force, each with text, hash of the text, versions and verdicts per criterion;
    and the gallery to start from."""
    ws, project = scope.ws, scope.project(project_name)
    present = _present(scope, project)
    people = names_of(ws)
    changed = store.changed_by(ws, project)
    rows = []
    for rubric in present:
        counts = _counts(scope, project, rubric)
        kept = store.versions(ws, project, rubric.name)
        rows.append(
            {
                "name": rubric.name,
                "version": rubric.version,
                "about": rubric.about,
                "source": rubric.source,
                "hash": text_hash(rubric.source),
                "criteria": [
                    {"name": c.name, "title": c.title, **counts[c.name]} for c in rubric.criteria
                ],
                "versions": [
                    {
                        "id": v.id,
                        "version": v.version,
                        "at": v.at,
                        "active": v.active,
                        "by": called(people, changed.get(v.id, "")),
                    }
                    for v in kept
                ],
                "stale": sum(c["judges"] for c in counts.values()),
            }
        )
    return {
        "title": _title(rows),
        "rubrics": rows,
        "gallery": _gallery({rubric.name for rubric in present}),
    }


@needs("look")
def look(scope: Scope, project_name: str, source: str, name: str = "") -> dict[str, Any]:
    """What a text would mean if it were put in force, in place of the rubric `name` or of the one
    it names; nothing is kept.

    {errors: [{where, found, expected, remedy, line}], form, changes, said, lines, stale:
    {criterion: {people, judges, rules}}}. A text that cannot be read has errors and nothing else;
    one whose graders or templates do not fit has both.
    """
    project = scope.project(project_name)
    try:
        rubric = _read(source, name)
    except CogradeError as error:
        return {
            "errors": [_error(error)],
            "form": None,
            "changes": [],
            "said": [],
            "lines": [],
            "stale": {},
            "name": name,
        }
    old = next((r for r in _present(scope, project) if r.name == rubric.name), None)
    changes = _diff.changes(old, rubric)
    return {
        "errors": [_error(error) for error in problems(rubric)],
        "name": rubric.name,
        "form": _form(rubric, source),
        "changes": changes,
        "said": _diff.words(changes),
        "lines": _diff.lines(old.source if old else "", source),
        "stale": _stale(scope, project, rubric, changes),
    }


@needs("look")
def edit(
    scope: Scope,
    project_name: str,
    source: str,
    criterion: str,
    field: str,
    value: str,
    name: str = "",
) -> dict[str, Any]:
    """A text with one field of the form changed, comments kept: {source, **look}; field ``add``
    adds the criterion of that name."""
    where = f"rubric {name}" if name else "rubric"
    made = (
        add_criterion(source, criterion.strip(), where)
        if field == "add"
        else set_field(source, criterion, field, value, where)
    )
    return {"source": made, **look(scope, project_name, made, name)}


@needs("look")
def version(scope: Scope, project_name: str, name: str, version_id: int) -> dict[str, Any]:
    """An earlier text and what has changed from it to the present one: {source, changes, said,
    lines}."""
    project = scope.project(project_name)
    kept = store.versions(scope.ws, project, name)
    found = next((v for v in kept if v.id == version_id), None)
    if found is None:
        known = ", ".join(str(v.id) for v in kept) or "none"
        raise NotFound(
            f"version {version_id} of rubric {name!r}",
            found="no such version",
            expected=f"one of {known}",
        )
    present = next((v for v in kept if v.active), kept[0])
    changes = _diff.changes(
        projects.known_rubric(found.source, name), projects.known_rubric(present.source, name)
    )
    return {
        "id": found.id,
        "version": found.version,
        "at": found.at,
        "source": found.source,
        "changes": changes,
        "said": _diff.words(changes),
        "lines": _diff.lines(found.source, present.source),
    }


@needs("settings")
def put(
    scope: Scope, project_name: str, source: str, name: str = "", before: str | None = None
) -> dict[str, Any]:
    """Put a text in force: {name, version, raised, said, stale}. `name` must be the text's own
    where it is given.

    `raised`: the text came with the version of another text that was in force, and got the next one
    that is free.

    `before` is the hash of the text that the caller saw in force ("" for none): Conflict where
    somebody has put another in force.
    """
    ws, project = scope.ws, scope.project(project_name)
    rubric = check_rubric(_read(source, name))
    old = next((r for r in _present(scope, project) if r.name == rubric.name), None)
    if before is not None and before != (text_hash(old.source) if old else ""):
        raise Conflict(
            f"rubric {rubric.name}",
            found="another text in force than the one you began with",
            expected="yours",
            remedy="Reload the page and compare.",
        )
    changes = _diff.changes(old, rubric)
    stale = _stale(scope, project, rubric, changes)
    given, rubric = rubric.version, _numbered(rubric, old, store.versions(ws, project, rubric.name))
    projects.save_rubric(ws, project, rubric)
    criteria = [c for c in projects.criteria(ws, project) if c.criterion.rubric != FAULTS.name]
    cells.ensure_cells(ws, project, criteria, content.subject_ids(ws.db, project))
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
    said = _diff.words(changes)
    return {
        "name": rubric.name,
        "version": rubric.version,
        "raised": rubric.version != given,
        "said": said,
        "stale": stale,
    }


@needs("run")
def regrade_plan(scope: Scope, project_name: str, name: str) -> dict[str, Any]:
    """What it costs to ask the judges again about the answers whose verdicts became stale:
    {answers, judges, plan}; nothing is sent.

    The judges are those of the last run; `plan` is None where there is nothing to ask, or nobody.
    """
    options = _again(scope, project_name, name)
    if not options["only"] or not options["judges"]:
        return {"answers": len(options["only"]), "judges": options["judges"], "plan": None}
    return {
        "answers": len(options["only"]),
        "judges": options["judges"],
        "plan": runs.plan(scope, project_name, options),
    }


@needs("run")
def regrade(scope: Scope, project_name: str, name: str) -> runs.Started:
    """Start the run that `regrade_plan` told the price of; returns as `runs.start` does."""
    options = _again(scope, project_name, name)
    if not options["only"] or not options["judges"]:
        raise InputError(
            f"rubric {name}",
            found="no stale verdict of a judge",
            expected="one",
            remedy="There is nothing to grade again.",
        )
    return runs.start(scope, project_name, options, scope.actor.person_id)


def _again(scope: Scope, project_name: str, name: str) -> dict[str, Any]:
    project = scope.project(project_name)
    rubric = next((r for r in _present(scope, project) if r.name == name), None)
    if rubric is None:
        raise NotFound(
            f"rubric {name!r}",
            found="no such rubric in this project",
            expected="the name of one of its rubrics",
        )
    return {
        "judges": run_page(scope, project_name).known_judges,
        "only": store.stale_subjects(
            scope.ws.db, project, [c.key for c in rubric.criteria if c.grader("judge") is not None]
        ),
    }


def _present(scope: Scope, project: Project) -> list[Rubric]:
    return [rubric for rubric in projects.rubrics(scope.ws, project) if rubric.name != FAULTS.name]


def _read(source: str, name: str) -> Rubric:
    where = f"rubric {name}" if name else "rubric"
    if len(source) > LONGEST:
        raise InputError(
            where,
            found=f"{len(source):,} characters",
            expected="at most a million",
            remedy="Shorten it.",
        )
    rubric = read_rubric(source, where=where)
    if rubric.name == FAULTS.name or (name and rubric.name != name):
        raise RubricError(
            where,
            found=f"the name {rubric.name!r}",
            expected=f"the same name, {name!r}" if name else "a name of its own",
            remedy="Keep the name, or add the text as a new rubric."
            if name
            else "Choose another name.",
        )
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


def _error(error: CogradeError) -> dict[str, Any]:
    """An error with the number of its line, None where it has none."""
    line = error.where.partition(", line ")[2].partition(",")[0]
    return {**error.to_json(), "text": str(error), "line": int(line) if line.isdigit() else None}


def _form(rubric: Rubric, source: str) -> dict[str, Any]:
    fields = fields_by_criterion(source)
    return {
        "about": rubric.about,
        "version": rubric.version,
        "criteria": [
            {
                "name": c.name,
                "title": c.title,
                "scale_words": c.scale.describe(),
                "fields": fields.get(c.name, {}),
            }
            for c in rubric.criteria
        ],
    }


def _counts(scope: Scope, project: Project, rubric: Rubric) -> dict[str, dict[str, int]]:
    """Criterion name -> {now, people, judges, rules}: verdicts under its present wording, and the
    stale ones by kind of author."""
    said = store.opinions_by_wording(scope.ws.db, project, [c.key for c in rubric.criteria])
    found = {}
    for c in rubric.criteria:
        rows = said.get(c.key, [])
        old = [(who, n) for wording, who, n in rows if wording != c.criterion_hash]
        stale = {word: sum(n for who, n in old if who == kind) for word, kind in KINDS.items()}
        found[c.name] = {"now": sum(n for _, _, n in rows) - sum(n for _, n in old), **stale}
    return found


def _stale(
    scope: Scope, project: Project, rubric: Rubric, changes: Sequence[Mapping[str, Any]]
) -> dict[str, dict[str, int]]:
    """Criterion -> {people, judges, rules}: verdicts that count now and would no longer."""
    names = [one["criterion"] for one in changes if one["stale"] and one["kind"] != "added"]
    hashes = {row.key: row.hash for row in projects.criteria(scope.ws, project)}
    said = store.opinions_by_wording(
        scope.ws.db, project, [f"{rubric.name}/{name}" for name in names]
    )
    found = {}
    for name in names:
        key = f"{rubric.name}/{name}"
        now = [(who, n) for wording, who, n in said.get(key, []) if wording == hashes.get(key)]
        found[name] = {
            word: sum(n for who, n in now if who == kind) for word, kind in KINDS.items()
        }
    return found


def _gallery(taken: set[str]) -> list[dict[str, Any]]:
    """The rubrics that come with Cograde or a plug-in; one that cannot be read is left out."""
    found = []
    for name, path in bundled_rubrics().items():
        try:
            source = path.read_text("utf-8")
            rubric = read_rubric(source, where=path.name)
        except (CogradeError, OSError, UnicodeDecodeError):
            continue
        found.append(
            {
                "file": name,
                "name": rubric.name,
                "about": rubric.about,
                "criteria": [c.title for c in rubric.criteria],
                "source": source,
                "here": rubric.name in taken,
            }
        )
    return found


def _title(rows: Sequence[Mapping[str, Any]]) -> str:
    criteria = sum(len(row["criteria"]) for row in rows)
    if not rows:
        return "Nothing is graded yet: start from a rubric of the gallery."
    stale = sum(row["stale"] for row in rows)
    head = (
        f"{criteria} {'criterion' if criteria == 1 else 'criteria'} in {len(rows)} "
        f"{'rubric' if len(rows) == 1 else 'rubrics'}"
    )
    return head + (
        (f"; {several(stale, 'verdict of a judge is')} under an earlier wording.") if stale else "."
    )
