"""JSON routes of Routing."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from graders.core.errors import InputError
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.web.session import scope_of
from graders.web.worker import supervisor
from graders.workflows.promise.kind_rows import UnsortedShown
from graders.workflows.promise.promise_tests import NewTerms
from graders.workflows.routing import draw_offers
from graders.workflows.routing import page as use
from graders.workflows.routing import plan as planning
from graders.workflows.routing.draw_offers import Offers
from graders.workflows.routing.kept_labels import OpenedTest, open_kept_half
from graders.workflows.routing.place_labels import Placement, Stopped, place, stop_placing
from graders.workflows.routing.terms import Drawn, FixedTerms, draw_more, fix_terms

router = APIRouter()

#: Seconds after which a page is told how far reading is.
PATIENCE = 0.5
#: Seconds between two looks at whether cells that lack their order are to be sorted.
SORT_SECONDS = 60.0


@router.get("/api/routing")
def routing(
    request: Request,
    project: str,
    delta: float | None = None,
    whole: int | None = None,
    begun: int = 0,
) -> JSON:
    """The page, or ``{"progress": {"done", "of"}}`` while much is being read: then ask again with
    `begun`."""
    scope = scope_of(request)
    found = use.routing_so_far(
        scope,
        project,
        delta=delta,
        whole=None if whole is None else bool(whole),
        patience=PATIENCE,
        begun=bool(begun),
    )
    if isinstance(found, use.Routing) and any(
        isinstance(row.order, UnsortedShown) and row.order.waits for row in found.rows
    ):
        # whatever ended the process that began with the draw
        supervisor(request.app).sort(scope.ws, project, SORT_SECONDS)
    return as_dict(found)


@router.get("/api/routing/plan")
def plan(request: Request, project: str, people: int, hours: float) -> planning.Plan:
    """What hours of people will show."""
    return planning.plan(scope_of(request), project, people, hours)


@router.get("/api/routing/offers")
def offers(request: Request, project: str, labels: int) -> Offers:
    """What so many labels of each kind of cells are expected to bring, placed and at random."""
    return draw_offers.offers(scope_of(request), project, labels)


@router.post("/api/routing/terms")
def terms(request: Request, body: dict[str, Any]) -> FixedTerms:
    """Fix terms before labels are opened: {project, alpha, delta, within}."""
    numbers = _numbers(body, "alpha", "delta", "within")
    scope, project = scope_of(request), str(body.get("project") or "")
    found = fix_terms(scope, project, numbers["alpha"], numbers["delta"], int(numbers["within"]))
    supervisor(request.app).sort(scope.ws, project)
    return found


@router.post("/api/routing/open")
def open_kept(request: Request, body: dict[str, Any]) -> OpenedTest:
    """Fix terms and order, then open imported labels that wait for their test: {project,
    import}."""
    number = body.get("import")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number < 2**53:
        raise InputError(**error_parts("importing.page.number"))
    scope, project = scope_of(request), str(body.get("project") or "")
    try:
        return open_kept_half(scope, project, number)
    finally:  # an order of many cells is made beside the work
        supervisor(request.app).sort(scope.ws, project)


@router.post("/api/routing/draw")
def draw(request: Request, body: dict[str, Any]) -> Drawn:
    """Draw further answers: {project, answers, task_type, and under other terms alpha, delta,
    within; consent: to drawing more than half}."""
    numbers = _numbers(
        body, "answers", *(name for name in ("alpha", "delta", "within") if name in body)
    )
    within = numbers.get("within")
    scope, project = scope_of(request), str(body.get("project") or "")
    drawn = draw_more(
        scope,
        project,
        int(numbers["answers"]),
        task_type=str(body.get("task_type") or ""),
        new=NewTerms(
            numbers.get("alpha"), numbers.get("delta"), None if within is None else int(within)
        ),
        consent=body.get("consent") is True,
    )
    supervisor(request.app).sort(scope.ws, project)
    return drawn


@router.post("/api/routing/place")
def place_labels(request: Request, body: dict[str, Any]) -> Placement:
    """Place labels of one criterion where they decide: {project, criterion, labels, task_type}."""
    labels = int(_numbers(body, "labels")["labels"])
    criterion, task_type = str(body.get("criterion") or ""), str(body.get("task_type") or "")
    return place(
        scope_of(request), str(body.get("project") or ""), criterion, labels, task_type=task_type
    )


@router.post("/api/routing/stop")
def stop(request: Request, body: dict[str, Any]) -> Stopped:
    """Ask for no more labels of a criterion: {project, criterion, task_type}."""
    criterion, task_type = str(body.get("criterion") or ""), str(body.get("task_type") or "")
    return stop_placing(scope_of(request), str(body.get("project") or ""), criterion, task_type)


def _numbers(body: dict[str, Any], *names: str) -> dict[str, float]:
    found = {}
    for name in names:
        value = body.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InputError(**error_parts("web.number", name=name, value=repr(value)[:60]))
        found[name] = float(value)
    return found
