"""What models cost that no price list knows, such as those at an address of one's own: said once,
and kept by the project."""

from __future__ import annotations

import math
from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts
from graders.store import projects
from graders.workflows.scope.permissions import Scope, needs

#: Where a project keeps its prices, and how many at most.
SETTING, MOST = "prices", 200
#: US dollars per million tokens are at most so many.
DEAREST = 100_000.0


@needs("run")
def keep_price(scope: Scope, project_name: str, name: str, first: Any, second: Any) -> None:
    """Keep what a model costs, in US dollars per million tokens in and out; without both, what was
    kept is forgotten. `name`: the judge's, with its address (`price_name`)."""
    project = scope.project(project_name)
    kept = dict(project.settings.get(SETTING) or {})
    kept.pop(name, None)
    if not (str(first or "").strip() or str(second or "").strip()):
        projects.set_settings(scope.ws, project, {SETTING: kept})
        return
    if not name or len(name) > 500 or len(kept) >= MOST:
        raise InputError(**error_parts("projects.price_name", name=repr(name[:60]), most=MOST))
    kept[name] = [_dollars(name, first), _dollars(name, second)]
    projects.set_settings(scope.ws, project, {SETTING: kept})


def _dollars(name: str, typed: Any) -> float:
    text = str(typed if typed is not None else "").strip().removeprefix("$").replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and 0 <= value <= DEAREST):
        found = repr(text[:60])
        raise InputError(**error_parts("projects.price", name=name[:60], found=found))
    return value
