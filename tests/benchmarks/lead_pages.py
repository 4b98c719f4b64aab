"""What each page of the lead asks for first, timed on a large workspace: a part of the store's
bars."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.serve import resolver_of
from graders.workflows.agreement import agree, disagreements, people
from graders.workflows.diagnostics import diagnose
from graders.workflows.home import overview
from graders.workflows.leaderboard import ranking
from graders.workflows.results import questions
from graders.workflows.routing import page as routing
from graders.workflows.rubrics import element_lists, wording
from graders.workflows.rubrics.rubric_list import rubric_list
from graders.workflows.runs import drift_anchors, judges, run_page
from graders.workflows.scope.permissions import Scope
from graders.workflows.workshop import workshop
from tests.support.opened import texts_in

#: Milliseconds until a page shows its figures, or how far reading them is.
BAR = 1000.0
#: Milliseconds of the server's until a page of Gradio's parts leaves it with its first drawing.
DRAWING_BAR = 300.0
DRAWN = ("/run", "/results", "/questions", "/elements", "/agreement", "/routing", "/leaderboard")


def seconds_by_page(scope: Scope, project: str) -> list[tuple[str, float, float]]:
    """(name, milliseconds, bar) of the pages that have no row of their own, nothing kept from
    before."""
    pages: dict[str, Callable[[], Any]] = {
        "Projects": partial(overview.all_projects, scope),
        "Run": partial(run_page.run_page, scope, project),
        "Agreement, disagreements": partial(disagreements.disagreements, scope, project),
        "Agreement, people": partial(people.people_report, scope, project),
        "Judges": partial(judges.judge_list, scope, project),
        "Workshop": partial(workshop.workshop, scope, project, ""),
        "Workshop, wording": partial(wording.unclear, scope, project),
        "Diagnostics, until progress shows": partial(
            diagnose.diagnostics_so_far, scope, project, patience=0.5, begun=False
        ),
        "Diagnostics, anchor questions": partial(drift_anchors.listed, scope, project),
        "Questions": partial(questions.listing, scope, project, "", 1),
        "Elements": partial(element_lists.lists, scope, project),
        "Rubrics": partial(rubric_list, scope, project),
    }
    found = []
    for name, ask in pages.items():
        agree.forget()
        diagnose.forget()
        begun = time.perf_counter()
        ask()
        found.append((f"store: {name}, ms", 1000 * (time.perf_counter() - begun), BAR))
    return found


def drawings(scope: Scope, project: str) -> list[tuple[str, float, float]]:
    """(name, milliseconds, bar) of what the server needs to draw a page as it is opened, the page
    itself made, nothing of its figures kept from before."""
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    found = []
    with TestClient(app, base_url="http://localhost") as browser:
        for path in DRAWN:
            browser.get(path, params={"project": project})
            agree.forget()
            ranking.forget()
            routing.forget()
            begun = time.perf_counter()
            reply = browser.get(path, params={"project": project})
            took = 1000 * (time.perf_counter() - begun)
            assert any("<h1" in text for text in texts_in(reply.text)), path
            found.append((f"store: {path}, first drawing on the server, ms", took, DRAWING_BAR))
    return found
