"""What pages know of the application that they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.settings import Settings
from graders.core.words import text_of_part
from graders.web.session import Resolver
from graders.web.uploads import Uploads
from graders.web.worker import Supervisor


@dataclass(frozen=True, slots=True)
class Place:
    """A page as the navigation names it; `english` is its word where a language has no other."""

    path: str
    english: str

    @property
    def nav(self) -> str:
        """Its word in the language that is spoken: `pages.PATH.nav`."""
        return text_of_part("pages", self.path.strip("/") or "projects", "nav", self.english)


@dataclass(frozen=True, slots=True)
class Site:
    """Who is asked for scopes, the settings, the address of the assets, files that were
    uploaded, who starts workers, the pages in the order of the navigation."""

    resolver: Resolver
    settings: Settings
    assets: str
    uploads: Uploads
    supervisor: Supervisor
    places: Sequence[Place] = ()
