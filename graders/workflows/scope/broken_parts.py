"""Parts that could not be loaded, so that they can be repaired or uninstalled."""

from __future__ import annotations

from functools import cache

from graders.core import discovery
from graders.core.discovery import Failure
from graders.workflows.scope.named_rubrics import broken_rubrics


@cache
def broken_parts(outside: bool = False) -> tuple[Failure, ...]:
    """Each of them, or with `outside` those that outside packages bring; looked up once in a
    process, for what is installed does not change while it runs."""
    return (*broken_rubrics(), *discovery.broken(outside))
