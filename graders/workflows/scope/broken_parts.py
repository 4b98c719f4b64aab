"""Parts of the house that could not be loaded, for whoever must mend or uninstall them."""

from __future__ import annotations

from functools import cache
from typing import Any

from graders.core import discovery
from graders.workflows.scope.named_rubrics import broken_rubrics


@cache
def broken_parts(outside: bool = False) -> tuple[dict[str, Any], ...]:
    """``{"kind", "name", "reason"}`` of each, or with `outside` of those that outside packages
    bring; looked up once in a process, for what is installed does not change while it runs."""
    failures = [*broken_rubrics(), *discovery.broken(outside)]
    return tuple(
        {"kind": failure.kind, "name": failure.name, "reason": failure.reason}
        for failure in failures
    )
