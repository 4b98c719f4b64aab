"""All projects at a glance: what is there, who decided it, what waits, what happened lately."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from graders.core.errors import InputError
from graders.core.shapes import as_dict
from graders.store import projects
from graders.store.answers import content
from graders.store.calls import runs as run_store
from graders.store.desk import queue
from graders.store.figures import overview, reading
from graders.store.projects import Project
from graders.store.transfer import imports, names
from graders.workflows.adjudication.adjudicate import cells_to_settle
from graders.workflows.cells import derived_judges
from graders.workflows.cells.state import FAULTS
from graders.workflows.home import _words as words
from graders.workflows.projects import task_types
from graders.workflows.runs import run_control, runs
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several

#: Below this many measured screens no time is foretold.
FEWEST_SCREENS = 3
#: Entries of the list of what happened lately.
LATELY = 8


@needs("look")
def all_projects(scope: Scope) -> dict[str, Any]:
    """The page of projects: heading, a card per project, imports that wait, what happened lately.

    The newest project comes first, the demo last, and of that its main project before the others.
    """
    known = projects.begun_projects(scope.ws)
    cards = [_card(scope, project) for project in known]
    cards.sort(key=lambda card: (card["demo"], card["made"] if card["demo"] else -card["made"]))
    waiting = [words.waiting(found) for found in imports.unfinished(scope.ws)]
    title, subtitle = words.heading(cards, sum(one["state"] == "staged" for one in waiting))
    lately = sorted(
        (event for project in known for event in _events(scope, project)),
        key=lambda event: event["at"],
        reverse=True,
    )
    now = scope.ws.now()
    return {
        "title": title,
        "subtitle": subtitle,
        "projects": cards,
        "imports": waiting,
        "lately": [{**event, "ago": words.ago(event["at"], now)} for event in lately[:LATELY]],
    }


@needs("look")
def status(scope: Scope, project_name: str = "") -> list[dict[str, Any]]:
    """Per project that holds something (or of the named one): content, who decided its cells,
    screens that wait, its latest run.

    The run tells its `phase` too.
    """
    found = [scope.project(project_name)] if project_name else projects.begun_projects(scope.ws)
    return [
        {"project": p.name, "title": p.title, **_facts(scope, p), "run": _run(scope, p)}
        for p in found
    ]


@dataclass(frozen=True, slots=True)
class RunAt(runs.ShownRun):
    """A run, and what it is at."""

    phase: run_control.Phase


def _run(scope: Scope, project: Project) -> RunAt | None:
    run = runs.status(scope, project.name)
    return None if run is None else RunAt(**as_dict(run), phase=run_control.phase(run))


def _facts(scope: Scope, project: Project) -> dict[str, Any]:
    """What a project holds and how far it is: counts of its content, `cells` by who decided them,
    `screens` that wait."""
    db = scope.ws.db
    cells = reading.project_totals(db, project)
    return {
        **content.counts(scope.ws, project),
        "cells": cells,
        "screens": queue.open_screens(db, project),
    }


@needs("look")
def next_step(scope: Scope, project_name: str) -> dict[str, Any]:
    """What to do next in a project, as its card on the page of projects says: {kind, label, href,
    why, waits, minutes}."""
    project = scope.project(project_name)
    run = run_store.latest_run(scope.ws, project)
    return _next(project, _progress(scope, project, run), run)


def _progress(scope: Scope, project: Project, run: Mapping[str, Any] | None) -> dict[str, Any]:
    """What the next step follows from: answers, those that came in after the latest run (`fresh`),
    who decided the cells (`totals`), cells on which people differ where nothing else waits
    (`apart`), screens that wait, and how long they take."""
    counts, seconds = _facts(scope, project), overview.screen_seconds(scope.ws.db, project)
    screens = counts["screens"]
    return {
        "screens": screens,
        "minutes": screens * seconds[len(seconds) // 2] / 60
        if len(seconds) >= FEWEST_SCREENS
        else None,
        "flagged": overview.flagged(scope.ws.db, project),
        "totals": counts["cells"],
        "fresh": overview.came_after(scope.ws.db, project, run["created_at"])
        if run is not None
        else 0,
        "apart": cells_to_settle(scope, project.name)["left"]
        if counts["cells"]["pending"] and not screens
        else 0,
        **{name: counts[name] for name in ("questions", "answers", "models", "languages")},
    }


def _card(scope: Scope, project: Project) -> dict[str, Any]:
    criteria = [
        c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    ]
    tried = overview.only_tried(scope.ws.db, project)
    judges = sum(
        name not in tried and not derived_judges.is_derived(name)
        for name in overview.judges(scope.ws.db, project)
    )
    run = run_store.latest_run(scope.ws, project)
    facts = {**_progress(scope, project, run), "judges": judges, "criteria": len(criteria)}
    return {
        "name": project.name,
        "title": project.title,
        "notice": project.notice,
        "demo": bool(project.notice) and "demo" in project.notice,
        "made": project.id,
        **facts,
        "lines": words.lines(facts),
        "next": _next(project, facts, run),
    }


def _next(
    project: Project, facts: Mapping[str, Any], run: Mapping[str, Any] | None
) -> dict[str, Any]:
    """What to do next: {kind, label, href, why, waits (somebody must act), minutes (None: not
    known)}."""
    at = f"?project={quote(project.name, safe='')}"

    def step(
        kind: str, label: str, href: str, why: str, waits: bool = True, minutes: float | None = None
    ) -> dict[str, Any]:
        return {
            "kind": kind,
            "label": label,
            "href": href,
            "why": why,
            "waits": waits,
            "minutes": minutes,
        }

    screens, totals = facts["screens"], facts["totals"]
    active = run is not None and run["state"] in run_store.ACTIVE
    if (
        run is not None
        and active
        and not (
            screens and not run["settings"].get("judges") and run["state"] in ("queued", "running")
        )
    ):
        label, why, waits = words.run_step(run)
        return step("run", label, f"/run{at}", why, waits)
    if facts["questions"] and not facts["answers"]:
        why = f"{several(facts['questions'], 'question has')} no answer yet"
        return step("collect", "Collect answers from models", f"/run{at}", why)
    if not facts["answers"]:
        return step("empty", "Bring in a file", "/#new", "nothing is in it yet")
    settle = step(
        "settle",
        f"Settle {several(facts['apart'], 'cell')}",
        f"/adjudicate{at}",
        "people differ on them",
    )
    if not project.settings.get("routed"):
        if facts["apart"] and facts["apart"] == totals["pending"]:
            return settle
        if run is not None and run["state"] in ("stopped", "failed"):
            return step(
                "plan",
                "Go on with the run",
                f"/run{at}",
                f"it {'was stopped' if run['state'] == 'stopped' else 'failed'}",
            )
        return step("plan", "Run the graders", f"/run{at}", "they fill in what they can")
    if facts["fresh"]:
        return step(
            "fresh",
            "Run the graders",
            f"/run{at}",
            f"{several(facts['fresh'], 'answer')} came in after the last run",
        )
    if screens:
        label, why = words.review_step(facts)
        return step("review", label, f"/review{at}", why, True, facts["minutes"])
    if facts["apart"]:
        return settle
    if totals["pending"]:
        return step(
            "pending",
            "See what is open",
            f"/results{at}",
            f"{several(totals['pending'], 'cell has')} no final value",
            False,
        )
    return step("done", "See the results", f"/results{at}", "every cell has a final value", False)


def _events(scope: Scope, project: Project) -> list[dict[str, Any]]:
    """Latest events of a project in words: {project, title, at, text}."""
    found = [
        (event["at"], words.event(event)) for event in projects.events(scope.ws, project, limit=12)
    ]
    found += [
        (person["at"], words.reviewed(person))
        for person in overview.reviewers(scope.ws.db, project)
    ]
    run = run_store.latest_run(scope.ws, project)
    if run is not None:
        found.append((run["ended_at"] or run["created_at"], words.ran(run)))
    return [
        {"project": project.name, "title": project.title, "at": at, "text": text}
        for at, text in found
        if text
    ]


def free_name(scope: Scope, title: str) -> str:
    """A name for a new project, made from its title: letters and digits in lower case, a number
    where it is taken.

    A first import that waits for somebody's word gives its name up: whichever is finished first
    gets it.
    """
    folded = unicodedata.normalize("NFKC", title).lower()
    stem = "-".join(re.findall(r"\w+", folded, re.UNICODE))[:60].strip("-_")
    if not stem:
        raise InputError(
            "title of the project",
            found=repr(title[:60]),
            expected="a title with a letter or digit",
            remedy="Type a title.",
        )
    known = names.held(scope.ws)
    name = next(
        name for name in (stem, *(f"{stem}-{n}" for n in range(2, 10_000))) if name not in known
    )
    names.free(scope.ws, name)
    return name


@needs("import")
def import_report(scope: Scope, import_id: int) -> dict[str, Any]:
    """A staged or finished import: state, source, report, what it brought in words; the project,
    its categories with task types, and once the import is done its next step."""
    found = imports.get_import(scope.ws, import_id)
    project = next(
        (p for p in projects.list_projects(scope.ws) if p.id == found["project_id"]), None
    )
    return {
        "import": import_id,
        "state": found["state"],
        "source": found["source"],
        "report": found["report"],
        "brought": words.brought(found["report"]),
        "project": None if project is None else {"name": project.name, "title": project.title},
        "categories": task_types.categories_of(scope.ws, project) if project is not None else [],
        "next": next_step(scope, project.name)
        if project is not None and found["state"] == "done"
        else None,
    }
