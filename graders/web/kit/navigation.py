"""The navigation in the head of every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from graders.web.kit.drawing import filled
from graders.web.kit.site import Place, Site
from graders.workflows.home import frame as page_frame
from graders.workflows.home.cards import Step
from graders.workflows.scope.permissions import Scope


def navigation(
    site: Site, scope: Scope, head: page_frame.Frame, path: str, step: Step | None = None
) -> Markup:
    """The pages that somebody finds, by what people do, as HTML: the groups, and under them the
    pages of the group that `path` is in; beside them the next `step` as a button."""
    groups = site.groups(scope.actor.role)
    present = next((g for g in groups if any(p.path == path for p in g.places)), None)
    below = present is not None and len(present.places) > 1 and path != "/review"
    places = {"head": head, "groups": groups, "present": present, "below": below, "path": path}
    return filled("nav.html", step=step, **places)


def places_of(pages: Sequence[Any]) -> list[Place]:
    """The pages that the navigation names."""
    return [Place(page.path, page.nav, page.group) for page in pages if page.nav]
