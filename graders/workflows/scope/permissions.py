"""Who may do what. No use case runs without a scope: an actor, a workspace and mostly a project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar, cast

from graders.core.errors import InputError, NotAllowed, NotFound
from graders.core.words import error_parts
from graders.store import projects
from graders.store.projects import Person, Project, begun_project
from graders.store.workspace import Workspace

Role = Literal["lead", "annotator", "visitor"]
Action = Literal[
    "look", "review", "adjudicate", "import", "run", "route", "settings", "export", "delete"
]

#: Visitors of a public demo work in a copy of their own, so they may try everything there.
MAY: dict[Role, frozenset[str]] = {
    "lead": frozenset(
        {"look", "review", "adjudicate", "import", "run", "route", "settings", "export", "delete"}
    ),
    "annotator": frozenset({"look", "review"}),
    "visitor": frozenset(
        {"look", "review", "adjudicate", "import", "run", "route", "settings", "export", "delete"}
    ),
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks. `person_id` is empty for somebody who has not said a name; `own_key_only` bars the
    server's keys.

    `through_page`: what is asked came in a request of a page, not from the machine's command line
    or a program on it.
    """

    person_id: str = ""
    role: Role = "lead"
    own_key_only: bool = False
    through_page: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Actor and workspace of one request or command."""

    actor: Actor
    ws: Workspace

    def project(self, name: str) -> Project:
        """The project of that name in this workspace."""
        return begun_project(self.ws, name)


class Nameless(InputError):
    """The actor has not entered a name in this workspace."""

    def __init__(self) -> None:
        super().__init__(**error_parts("scope.nameless"))


def named_actor(scope: Scope) -> str:
    """The id of the actor as a person of this workspace; Nameless where no name was entered."""
    # A cookie may name a person of another workspace, or of a copy that is gone.
    if not scope.actor.person_id or scope.actor.person_id not in projects.people(scope.ws):
        raise Nameless
    return scope.actor.person_id


def person_of(scope: Scope) -> Person | None:
    """The actor as a person of this workspace, if a name was entered here."""
    if not scope.actor.person_id:
        return None
    try:
        return projects.get_person(scope.ws, scope.actor.person_id)
    except NotFound:
        return None


Params = ParamSpec("Params")
Result = TypeVar("Result")


def allowed(scope: Scope, action: Action) -> None:
    """Raise NotAllowed unless the actor's role may do `action`."""
    if action not in MAY[scope.actor.role]:
        raise NotAllowed(**error_parts("scope.not_allowed", action=action, role=scope.actor.role))


def needs(
    action: Action,
) -> Callable[
    [Callable[Concatenate[Scope, Params], Result]], Callable[Concatenate[Scope, Params], Result]
]:
    """Mark a use case with the action it is; the check runs before the use case does."""

    def mark(
        use_case: Callable[Concatenate[Scope, Params], Result],
    ) -> Callable[Concatenate[Scope, Params], Result]:
        def checked(scope: Scope, /, *args: Params.args, **kwargs: Params.kwargs) -> Result:
            allowed(scope, action)
            return use_case(scope, *args, **kwargs)

        return cast("Callable[Concatenate[Scope, Params], Result]", wraps(use_case)(checked))

    return mark
