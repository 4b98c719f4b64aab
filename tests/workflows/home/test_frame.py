"""The head of every page."""

from __future__ import annotations

from pathlib import Path

from graders.store.desk import queue
from graders.workflows.home import frame as page_frame
from graders.workflows.routing import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.workflows.results.test_grid import study


def test_the_head_names_projects_person_and_waiting_screens(tmp_path: Path) -> None:
    scope = study(tmp_path, person="jonas")
    route.route(scope, "study")
    found = page_frame.frame(scope)
    assert found.projects == [page_frame.Named("study", "study")]
    assert (found.project, found.person.name) == ("study", "Jonas")
    assert found.waiting == queue.open_screens(scope.ws.db, scope.project("study")) > 0
    assert page_frame.frame(Scope(Actor(), scope.ws)).person is None
