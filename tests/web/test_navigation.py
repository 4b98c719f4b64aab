"""The navigation says what people do; annotators find their own work alone."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any, cast

from graders.web.app import pages
from graders.web.kit.navigation import navigation, places_of
from graders.web.kit.site import GROUPS, Site
from graders.workflows.home.frame import Frame
from graders.workflows.scope.permissions import Actor, Role, Scope

HEAD = Frame(projects=[], project="a&b", person=None, waiting=1_200, mine=None, notice="")
SITE = Site(*cast(Any, [None] * 5), places=places_of(pages()))


def words(path: str, role: Role = "lead") -> str:
    """The navigation of a page: its words in order, the present ones in brackets."""
    scope = cast(Scope, SimpleNamespace(actor=Actor(role=role)))
    html = str(navigation(SITE, scope, HEAD, path))
    assert 'href="/results?project=a%26b"' in html or role == "annotator"
    marked = re.sub(r"<a [^>]*aria-current[^>]*>([^<]*)", r"[\1]", html)
    return " ".join(re.sub(r"<[^>]+>", " ", marked).split())


def test_a_page_stands_in_its_group() -> None:
    assert words("/routing") == (
        "Review 1,200 Set up Grade [Trust] Results Agreement [Routing] Diagnostics Anchoring"
    )
    assert {page.group for page in pages() if page.nav} == set(GROUPS)


def test_the_desk_leaves_its_room_to_answers() -> None:
    assert words("/review") == "[Review] 1,200 Set up Grade Trust Results"


def test_annotators_find_their_own_work_alone() -> None:
    assert words("/review", "annotator") == "[Review] 1,200"
