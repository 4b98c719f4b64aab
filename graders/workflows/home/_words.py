"""The sentences of the page of projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graders.core.money import dollars
from graders.core.words import catalogue, say
from graders.store.calls.runs import Run
from graders.store.figures.overview import Reviewer
from graders.store.projects import LoggedEvent
from graders.store.transfer.imports import Unfinished
from graders.workflows.home.cards import Progress, Step, Waiting
from graders.workflows.promise.promise_tests import GIVEN_BACK
from graders.workflows.scope.phrases import listed, several, span


def heading(steps: Sequence[Step], imports: int = 0) -> tuple[str, str]:
    """The finding of the page and the line below it; `steps` are the next ones of the projects,
    `imports` wait for somebody's word."""
    waits = [step for step in steps if step.waits]
    if imports and not waits:
        return say("home.heading.imports", n=imports), say("home.below") if steps else ""
    if not steps:
        return say("home.heading.empty"), say("home.below_empty")
    if waits:
        minutes = [step.minutes for step in waits]
        known = [m for m in minutes if m is not None]
        if len(known) < len(minutes):
            return say("home.heading.waits", n=len(waits)), say("home.below")
        return (
            say("home.heading.waits_for", n=len(waits), span=span(sum(known))),
            say("home.below"),
        )
    if any(step.kind == "run" for step in steps):
        return say("home.heading.running"), say("home.below")
    return say("home.heading.nothing"), say("home.below")


def waiting(found: Unfinished) -> Waiting:
    """An import that is not finished: ``Import to finish: huge.csv, 3 bad rows``."""
    if found.state == "staging":
        return Waiting(
            found.id,
            "staging",
            say("home.import.reading", source=found.source),
            say("home.import.reading_for", title=found.title),
        )
    bad = f", {several(found.bad, 'bad row')}" if found.bad else ""
    return Waiting(
        found.id,
        "staged",
        say("home.import.waits", source=found.source) + bad,
        say("home.import.waits_for", title=found.title),
    )


def lines(facts: Progress, criteria: int, judges: int) -> list[str]:
    """The two lines below a project's title."""
    codes = facts.languages
    languages = (
        ", ".join(catalogue().text(f"home.language.{code}") or code for code in codes)
        if len(codes) <= 2
        else say("home.languages", n=len(codes))
    )
    first = [several(facts.questions, "question"), several(facts.models, "model"), languages]
    second = [
        several(criteria, "criterion"),
        several(judges, "judge") if judges else say("home.no_judge"),
    ]
    return [" · ".join(part for part in first if part), ", ".join(second)]


def run_step(run: Run) -> tuple[str, str, bool]:
    """Label, reason, and whether somebody must act, for a project with a run under way."""
    state = run.state
    if state == "waiting_for_key":
        return say("home.run.key.label"), say("home.run.key.why"), True
    if state == "paused" or (state == "running" and not run.alive):
        why = "paused" if state == "paused" else "interrupted"
        return say("home.run.resume"), say(f"home.run.why.{why}"), True
    stages = run.progress.get("stages") or []
    now = next((stage for stage in stages if stage["state"] == "working"), None)
    if now and now["total"]:
        parts = [
            say(
                "home.run.progress",
                stage=now["title"].lower(),
                done=now["done"],
                total=now["total"],
            )
        ]
    else:
        parts = [say("home.run.begins")]
    if run.progress.get("money"):
        parts.append(say("home.run.cost", cost=dollars(run.progress["money"])))
    return say("home.run.watch"), " · ".join(parts), False


def review_step(facts: Progress) -> tuple[str, str]:
    """Label and reason for a project with open screens."""
    if facts.minutes is not None:
        parts = [say("home.review.about", span=span(facts.minutes))]
    else:
        parts = [say("home.review.open", n=facts.totals["pending"])]
    if facts.flagged:
        parts.append(say("home.review.flagged", n=facts.flagged))
    return say("home.review.label", screens=several(facts.screens, "screen")), " · ".join(parts)


def brought(report: Mapping[str, Any]) -> str:
    """What an import brought and left out: ``Imported 3 questions and 9 answers; 2 rows were left
    out``."""
    came = _kinds(report)
    said = say("home.brought.some", what=listed(came)) if came else say("home.brought.nothing")
    bad = report.get("bad")
    return said + (say("home.brought.left_out", n=bad) if bad else "")


def _kinds(counts: Mapping[str, Any]) -> list[str]:
    """``3 questions``, ``9 answers``: what there is of each kind of row."""
    return [
        several(counts[kind], noun)
        for kind, noun in (
            ("questions", "question"),
            ("answers", "answer"),
            ("verdicts", "verdict"),
        )
        if counts.get(kind)
    ]


def event(logged: LoggedEvent) -> str:
    """An event in words; empty for kinds that nobody wants to read about."""
    body = logged.body
    match logged.kind:
        case "import":
            came = _kinds(body)
            refused = say("home.event.refused", n=body["bad"]) if body.get("bad") else ""
            if came:
                return say("home.event.imported", what=", ".join(came)) + refused
            return say("home.event.imported_nothing") + refused
        case "route":
            cells = {
                route: sum(reasons.values()) for route, reasons in body.get("cells", {}).items()
            }
            return say(
                "home.event.routed",
                cells=several(cells.get("people", 0), "cell"),
                automatic=cells.get("automatic", 0),
            )
        case "draw" if body.get("design") == "placed":
            return _placed(body)
        case "draw" if body.get("design") == GIVEN_BACK:
            return say("home.event.given_back", n=body["drawn"], population=body["population"])
        case "draw" if body.get("imported"):
            return say("home.event.test_opened", n=body["labels"], source=body["source"])
        case "draw":
            return say(
                "home.event.drawn",
                design=body.get("design", "sample"),
                drawn=body.get("drawn", 0),
                answers=several(body.get("population", 0), "answer"),
            )
        case "terms":
            return say(
                "home.event.terms", alpha=body.get("alpha", 0), sure=1 - body.get("delta", 0)
            )
        case "alarm":
            return say(
                "home.event.alarm",
                criterion=body.get("criterion", ""),
                task=body.get("task", ""),
            )
        case "rulings":
            void = body.get("void")
            return say("home.event.void", what=", ".join(void)) if void else ""
        case "task_types":
            return say("home.event.task_types", n=len(body))
        case "questions_moved":
            return say("home.event.moved", n=body.get("questions", 0))
        case "settings":
            changes = ", ".join(f"{name} {old} → {new}" for name, (old, new) in body.items())
            return say("home.event.settings", changes=changes)
        case "labels_chosen":
            return say(
                "home.event.labels_chosen",
                source=body.get("source", ""),
                before=body.get("before", ""),
                after=body.get("after", ""),
            )
        case "labels_not_blind":
            return say(
                "home.event.labels_not_blind",
                source=body.get("source", ""),
                n=body.get("released", 0),
            )
        case "reveal":
            return say("home.event.reveal", n=body.get("screens", 0))
        case "rubric":
            return say("home.event.rubric", name=body.get("name", ""))
        case "import_taken_back":
            return say("home.event.taken_back", source=body.get("source", ""))
        case "project_renamed":
            named = body["title"] if body["title"][0] != body["title"][1] else body["name"]
            return say("home.event.renamed", before=named[0], after=named[1])
    return ""


def reviewed(person: Reviewer) -> str:
    """What a person did here."""
    return say("home.event.reviewed", name=person.name, n=person.screens)


def ran(run: Run) -> str:
    """How the latest run stands."""
    ended = catalogue().text(f"home.ended.{run.state}")
    return ended.format(run=run.id) if ended else ""


def ago(then: str, now: str) -> str:
    """``6 min ago`` for two times in ISO 8601."""
    seconds = (datetime.fromisoformat(now) - datetime.fromisoformat(then)).total_seconds()
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= size:
            return say(f"home.ago.{unit}", n=int(seconds // size))
    return say("home.ago.now")


def _placed(body: Mapping[str, Any]) -> str:
    """An active draw begins, asks for more, or is over."""
    where = f"{body.get('criterion', '')}, {body.get('task', '')}"
    if "over" in body:
        return say(f"home.placed.{'done' if body['over'] == 'done' else 'given_up'}", where=where)
    drawn = several(body.get("drawn", 0), "label")
    if "budget" in body:
        return say("home.placed.begun", labels=drawn, where=where, n=body["budget"])
    return say("home.placed.more", labels=drawn, where=where)
