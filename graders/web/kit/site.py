"""What pages know of the application that they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graders.core.settings import Settings
from graders.core.words import say, text_of_part
from graders.web.session import Resolver
from graders.web.uploads import Uploads
from graders.web.worker import Supervisor
from graders.workflows.scope.permissions import Role


@dataclass(frozen=True, slots=True)
class Place:
    """A page as the navigation names it; `english` is its word where a language has no other."""

    path: str
    english: str
    group: str

    @property
    def nav(self) -> str:
        """Its word in the language that is spoken: `pages.PATH.nav`."""
        return text_of_part("pages", self.path.strip("/") or "projects", "nav", self.english)


#: What people do, in the order of the navigation; annotators see the first alone.
GROUPS = ("review", "set_up", "grade", "trust", "results")


@dataclass(frozen=True, slots=True)
class Group:
    """Pages for one thing that people do."""

    key: str
    places: Sequence[Place]

    @property
    def name(self) -> str:
        """Its word in the navigation."""
        return say(f"kit.group.{self.key}")


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

    def groups(self, role: Role) -> list[Group]:
        """The pages that somebody with this role finds, by what people do."""
        shown = GROUPS[:1] if role == "annotator" else GROUPS
        by_group = {key: [place for place in self.places if place.group == key] for key in shown}
        return [Group(key, places) for key, places in by_group.items() if places]
