"""A project in which people and judges have done all that can be done at the desk."""

from __future__ import annotations

from pathlib import Path

from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.workspace import Workspace
from graders.workflows.measuring import measure
from graders.workflows.review import grading
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Scope
from tests.store import small

SECOND = "rubric: second\ncriteria:\n  wit: {question: Is it witty?, scale: {from: 0, to: 1, whole: false}, graders: [judge], review: people}\n"


def at_work(place: Path, ws: Workspace) -> Scope:
    """The project ``study``: saves, amended and undone ones, skips, flags, faults, not applicable,
    overlap, draws, two rubrics, metrics, a new version."""
    lead = small.scope_of(ws)
    said = [
        small.judge(f"q{i}", m, c, j, v, confidence=0.8, rationale="So it is.", evidence=[{"quote": "says", "found": True, "start": 0, "end": 4}])
        for i in range(1, 7) for m in ("Ash", "Oak") for j in ("north", "south") for c, v in (("completeness", 4), ("wit", 0.25))
    ]  # fmt: skip
    path = small.folder(
        place,
        "f",
        questions=small.questions(6),
        answers=small.answers(6, ["Ash", "Oak"]),
        judge=said,
    )
    projects.add_project(ws, "study", "A study", notice="Mind the step.", seed=7)
    projects.save_rubric(ws, projects.get_project(ws, "study"), read_rubric(SECOND))
    small.bring(lead, path)
    small.sample(ws, overlap=2, blind=0.5, calibration=0.2, audit=0.2)
    measure.measure(
        ws,
        projects.get_project(ws, "study"),
        None,
        progress=lambda done, total: None,
        should_stop=lambda: False,
    )
    route(lead, "study")
    for person in ("mira", "jon"):
        scope = small.scope_of(ws, person)
        screens = grading.next_screens(scope, "study", 5)
        for number, screen in enumerate(screens[:4]):
            fault = {
                "answer": screen.answers[0].id,
                "name": "rude",
                "value": "present",
                "quote": "says",
            }
            value = {
                "relevance": "relevant",
                "completeness": None if number == 1 else 2 + number,
                "tone": "dry",
                "wit": 0.5,
            }
            small.save(
                scope,
                screen,
                f"save-{person}-{number}",
                value,
                faults=[fault] if number == 2 else [],
                flagged=number == 3,
                comment="Hm.",
            )
        small.save(scope, screens[0], f"again-{person}", {"completeness": 5})
        grading.undo(scope, "study", f"undo-{person}-1", f"save-{person}-1")
        small.save(scope, screens[1], f"redo-{person}-1", {"tone": "stiff"})
        grading.undo(scope, "study", f"undo-{person}-2", f"again-{person}")
        small.save(scope, screens[4], f"skip-{person}", skipped="not my field")
    changed = small.folder(
        place,
        "g",
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"], "Quite another text."),
    )
    small.bring(lead, changed)
    route(lead, "study")
    return lead
