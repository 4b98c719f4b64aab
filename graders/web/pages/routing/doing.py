"""What is done on the page: each deed as the JSON of its button, so that it can be done again with
the lead's consent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.web.kit import Asked
from graders.web.worker import Supervisor
from graders.workflows.projects import settings as project_settings
from graders.workflows.promise.promise_tests import NewTerms
from graders.workflows.routing import review_order
from graders.workflows.routing.kept_labels import open_kept_half
from graders.workflows.routing.place_labels import place, stop_placing
from graders.workflows.routing.route import route
from graders.workflows.routing.terms import draw_more, fix_terms
from graders.workflows.scope.phrases import several

Deed = Mapping[str, Any]


def do(asked: Asked, deed: Deed, supervisor: Supervisor) -> str:
    """Do what a button says; returns what came of it where that is said."""
    scope, project = asked.scope, asked.project
    match deed.get("do"):
        case "fix":
            fix_terms(scope, project, *_terms(deed))
            supervisor.sort(scope.ws, project)
        case "draw":
            _draw(asked, deed)
            supervisor.sort(scope.ws, project)
        case "open":
            try:
                open_kept_half(scope, project, _import(deed))
            finally:  # an order of many cells is made beside the work
                supervisor.sort(scope.ws, project)
        case "place":
            labels = whole_number("labels", deed.get("labels"))
            place(scope, project, _text(deed, "criterion"), labels, task_type=_text(deed, "task"))
        case "stop":
            stop_placing(scope, project, _text(deed, "criterion"), _text(deed, "task"))
        case "order":
            change = {review_order.SETTING: deed.get("order")}
            project_settings.change_settings(scope, project, change)
        case "route":
            changes = {name: deed.get(name) for name in ("promises", "whole")}
            project_settings.change_settings(scope, project, changes)
            routed = route(scope, project)
            supervisor.sort(scope.ws, project)
            return _routed(routed.routes)
    return ""


def number(name: str, typed: object) -> float:
    """A number as it was typed, decimal commas too. InputError for what is none."""
    try:
        return float(str(typed).strip().replace(",", "."))
    except ValueError:
        raise _no_number(name, typed) from None


def whole_number(name: str, typed: object) -> int:
    """A whole number as it was typed. InputError for what is none."""
    found = number(name, typed)
    if not found.is_integer():
        raise _no_number(name, typed)
    return int(found)


def _no_number(name: str, typed: object) -> InputError:
    return InputError(
        **error_parts(
            "routing.page.number", name=say(f"routing.page.{name}"), value=str(typed)[:60]
        )
    )


def _text(deed: Deed, name: str) -> str:
    return str(deed.get(name) or "")


def _import(deed: Deed) -> int:
    found = deed.get("import")
    if not isinstance(found, int) or isinstance(found, bool) or not 0 < found < 2**53:
        raise InputError(**error_parts("importing.page.number"))
    return found


def _terms(deed: Deed) -> tuple[float, float, int]:
    """Alpha, delta and the steps that do not count, of a deed that names all three."""
    return (
        number("alpha", deed.get("alpha")),
        number("delta", deed.get("delta")),
        whole_number("within", deed.get("within")),
    )


def _draw(asked: Asked, deed: Deed) -> None:
    new = NewTerms(*_terms(deed)) if "alpha" in deed else NewTerms(None, None, None)
    draw_more(
        asked.scope,
        asked.project,
        whole_number("count", deed.get("answers")),
        task_type=_text(deed, "task"),
        new=new,
        consent=deed.get("consent") is True,
    )


def _routed(routes: Mapping[str, Mapping[str, int]]) -> str:
    """How many cells each route has now."""
    people, machine = (sum(routes.get(way, {}).values()) for way in ("people", "automatic"))
    return say("routing.page.routed", people=several(people, "cell"), machine=machine)
