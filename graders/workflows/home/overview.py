"""All projects at a glance: what is there, who decided it, what waits, what happened lately."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from urllib.parse import quote

from graders.core.errors import InputError
from graders.core.shapes import as_dict
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.answers import content
from graders.store.calls import runs as run_store
from graders.store.calls.runs import Run
from graders.store.desk import queue
from graders.store.figures import overview, reading
from graders.store.projects import Project
from graders.store.transfer import imports, names
from graders.workflows.adjudication.cell_list import cells_to_settle
from graders.workflows.cells import derived_judges
from graders.workflows.cells.state import FAULTS
from graders.workflows.home import _words as words
from graders.workflows.home.cards import (
    Card,
    Event,
    ImportReport,
    Overview,
    Progress,
    Step,
)
from graders.workflows.projects import task_types
from graders.workflows.routing.labels_missing import labels_missing
from graders.workflows.scope.permissions import Scope, needs

#: Below this many measured screens no time is foretold.
FEWEST_SCREENS = 3
#: Entries of the list of what happened lately.
LATELY = 8


@needs("look")
def all_projects(scope: Scope) -> Overview:
    """The page of projects: heading, a card per project, imports that wait, what happened lately.

    The newest project comes first, the demo last, and of that its main project before the others.
    """
    known = projects.begun_projects(scope.ws)
    cards = [_card(scope, project) for project in known]
    cards.sort(key=lambda card: (card.demo, card.made if card.demo else -card.made))
    waiting = [words.waiting(found) for found in imports.unfinished(scope.ws)]
    title, subtitle = words.heading(
        [card.next for card in cards], sum(one.state == "staged" for one in waiting)
    )
    lately = sorted(
        (event for project in known for event in _events(scope, project)),
        key=lambda event: event.at,
        reverse=True,
    )
    return Overview(title, subtitle, cards, waiting, lately[:LATELY])


@needs("look")
def demo_project(scope: Scope) -> str:
    """The name of the demo's main project; empty where the workspace has none."""
    names = (one.name for one in projects.begun_projects(scope.ws) if _is_demo(one))
    return next(names, "")


def _is_demo(project: Project) -> bool:
    return bool(project.notice) and "demo" in project.notice


@needs("look")
def next_step(scope: Scope, project_name: str) -> Step:
    """What to do next in a project, as its card on the page of projects says."""
    project = scope.project(project_name)
    run = run_store.latest_run(scope.ws, project)
    return _next(project, _progress(scope, project, run), run)


def _progress(scope: Scope, project: Project, run: Run | None) -> Progress:
    db, counts = scope.ws.db, content.counts(scope.ws, project)
    screens, totals = queue.open_screens(db, project), reading.project_totals(db, project)
    seconds = overview.screen_seconds(db, project)
    differ = totals["pending"] and not screens
    return Progress(
        screens=screens,
        minutes=screens * seconds[len(seconds) // 2] / 60
        if len(seconds) >= FEWEST_SCREENS
        else None,
        flagged=overview.flagged(db, project),
        totals=totals,
        fresh=0 if run is None else overview.came_after(db, project, run.created_at),
        apart=cells_to_settle(scope, project.name).left if differ else 0,
        questions=counts.questions,
        answers=counts.answers,
        models=counts.models,
        languages=counts.languages,
    )


def _card(scope: Scope, project: Project) -> Card:
    criteria = [
        c for c in projects.criteria(scope.ws, project) if c.criterion.rubric != FAULTS.name
    ]
    tried = overview.only_tried(scope.ws.db, project)
    judges = sum(
        name not in tried and not derived_judges.is_derived(name)
        for name in overview.judges(scope.ws.db, project)
    )
    run = run_store.latest_run(scope.ws, project)
    progress = _progress(scope, project, run)
    return Card(
        **as_dict(progress),
        name=project.name,
        title=project.title,
        notice=project.notice,
        demo=_is_demo(project),
        made=project.id,
        judges=judges,
        criteria=len(criteria),
        lines=words.lines(progress, len(criteria), judges),
        labels_missing=labels_missing(scope, project.name),
        next=_next(project, progress, run),
    )


def _next(project: Project, facts: Progress, run: Run | None) -> Step:
    at = f"?project={quote(project.name, safe='')}"
    if (
        run is not None
        and run.state in run_store.ACTIVE
        # Screens that wait are worth more than to watch a run that asks no judge.
        and not (
            facts.screens and not run.settings.get("judges") and run.state in ("queued", "running")
        )
    ):
        label, why, waits = words.run_step(run)
        return Step("run", label, f"/run{at}", why, waits)
    if facts.questions and not facts.answers:
        return _step("collect", f"/run{at}", facts.questions)
    if not facts.answers:
        return _step("empty", "/#new")
    settle = _step("settle", f"/adjudicate{at}", facts.apart)
    if not project.settings.get("routed"):
        if facts.apart and facts.apart == facts.totals["pending"]:
            return settle
        if run is not None and run.state in ("stopped", "failed"):
            return replace(_step("plan", f"/run{at}", key=run.state), resumes=True)
        return _step("plan", f"/run{at}")
    if facts.fresh:
        return _step("fresh", f"/run{at}", facts.fresh)
    if facts.screens:
        label, why = words.review_step(facts)
        return Step("review", label, f"/review{at}", why, True, facts.minutes)
    if facts.apart:
        return settle
    if facts.totals["pending"]:
        return _step("pending", f"/results{at}", facts.totals["pending"], waits=False)
    return _step("done", f"/results{at}", waits=False)


def _step(kind: str, href: str, n: int = 0, *, key: str = "", waits: bool = True) -> Step:
    """A step whose label and reason are in the catalogue under `key`, its kind unless given."""
    label, why = (say(f"home.step.{key or kind}.{part}", n=n) for part in ("label", "why"))
    return Step(kind, label, href, why, waits)


def _events(scope: Scope, project: Project) -> list[Event]:
    """Latest events of a project in words."""
    found = [
        (event.at, words.event(event)) for event in projects.events(scope.ws, project, limit=12)
    ]
    found += [
        (person.at, words.reviewed(person)) for person in overview.reviewers(scope.ws.db, project)
    ]
    run = run_store.latest_run(scope.ws, project)
    if run is not None:
        found.append((run.ended_at or run.created_at, words.ran(run)))
    now = scope.ws.now()
    return [
        Event(project.name, project.title, at, text, words.ago(at, now))
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
        raise InputError(**error_parts("home.no_title", title=repr(title[:60])))
    known = names.held(scope.ws)
    name = next(
        name for name in (stem, *(f"{stem}-{n}" for n in range(2, 10_000))) if name not in known
    )
    names.free(scope.ws, name)
    return name


@needs("import")
def import_report(scope: Scope, import_id: int) -> ImportReport:
    """A staged or finished import."""
    found = imports.get_import(scope.ws, import_id)
    project = next((p for p in projects.list_projects(scope.ws) if p.id == found.project_id), None)
    done = project is not None and found.state == "done"
    return ImportReport(
        id=import_id,
        state=found.state,
        source=found.source,
        report=found.report,
        brought=words.brought(found.report),
        project=None if project is None else {"name": project.name, "title": project.title},
        categories=[] if project is None else task_types.categories_of(scope.ws, project),
        next=next_step(scope, project.name) if project is not None and done else None,
    )
