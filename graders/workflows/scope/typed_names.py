"""People by the name or id that somebody typed, and whether values to filter by are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graders.core.errors import InputError, NotFound
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.opinions import filters
from graders.store.projects import Person, Project
from graders.workflows.scope.identity import may_act_as
from graders.workflows.scope.permissions import Scope


def person_named(scope: Scope, name: str, *, make: bool, code: str = "") -> tuple[Person, bool]:
    """The person of that id or name, and whether he or she is new; without `make` a new one has no
    id. NameTaken where the person has a code that was not given, and is not the actor."""
    person, new = _found(scope, name, make)
    if not new:
        may_act_as(scope, person, code)
    return person, new


def person_for_lead(scope: Scope, name: str) -> Person:
    """The person of that id or name, whose code need not be given."""
    person, new = _found(scope, name, make=False)
    if new:
        raise NotFound(**error_parts("store.projects.no_person", person_id=person.name))
    return person


def _found(scope: Scope, name: str, make: bool) -> tuple[Person, bool]:
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80:
        raise InputError(**error_parts("scope.person_name", n=len(name)))
    known = projects.people(scope.ws)
    if name in known:
        return known[name], False
    named = [person for person in known.values() if person.name.casefold() == name.casefold()]
    if len(named) > 1:
        raise InputError(
            **error_parts(
                "scope.several_people", name=name, n=len(named), ids=", ".join(p.id for p in named)
            )
        )
    if named:
        return named[0], False
    return projects.add_person(scope.ws, name) if make else Person("", name), True


def known_values(scope: Scope, project: Project, chosen: Mapping[str, Sequence[str]]) -> None:
    """NotFound for a value of category, task_type, language or model that no answer of the project
    has."""
    if not any(chosen.values()):
        return
    have = filters.choices(scope.ws.db, project)
    for name, values in chosen.items():
        for value in values:
            if value not in have[name]:
                places = {"filter": name.replace("_", " "), "value": value[:60]}
                if not have[name]:
                    raise NotFound(**error_parts("scope.no_such_field", **places))
                expected = say("scope.one_of", names=", ".join(have[name]))[:400]
                raise NotFound(**error_parts("scope.unknown_value", **places, expected=expected))
