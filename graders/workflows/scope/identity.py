"""Who somebody is: a name that is in use is not taken over by typing it.

Each person has a short code, shown to them when they first enter their name. In another browser, or
on a command line, the name is theirs with the code alone. What is kept of it is a hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from graders.core.errors import Conflict, InputError, NotAllowed
from graders.core.words import error_parts, say
from graders.store import codes, projects
from graders.store.projects import Person
from graders.store.workspace import Workspace
from graders.workflows.scope.permissions import Scope, named_actor, needs, person_of

#: Letters and digits that nobody takes for each other: 31 ** 6 codes are 900 million.
_LETTERS, _LENGTH = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ", 6
#: So many wrong codes in a row; then each waits so long. One try in three minutes finds no code.
MOST_WRONG, WAIT = 5, timedelta(minutes=15)


class NameTaken(Conflict):
    """Another person has the name; `ask` asks whether it is the same one."""

    def __init__(self, parts: Mapping[str, str], ask: str) -> None:
        super().__init__(**parts)
        self.ask = ask


@dataclass(frozen=True, slots=True)
class Entered:
    """A person who entered a name, or gave the code; `code` only where it was made just now.

    `seal` says which code of the person is in force: whoever keeps a code for showing it again sees
    whether it is still the one.
    """

    person: Person
    code: str
    seal: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A person as leads see them: whether there is a code by which they are known elsewhere."""

    id: str
    name: str
    group: str
    code: bool


@needs("review")
def enter(scope: Scope, name: str, code: str = "") -> Entered:
    """Enter the actor's name: the first time a person is made, later the name is changed.

    NameTaken where another person has the name, unless `code` is theirs: then the actor is that
    person. A visitor, alone in a copy that no other browser reaches, needs no code.
    """
    name = " ".join(name.split())
    if not 1 <= len(name) <= 80:
        raise InputError(**error_parts("scope.own_name", characters=len(name)))
    own = person_of(scope)
    if scope.actor.role == "visitor":
        return Entered(_named(scope, name, own), "", "")
    if others := _others(scope.ws, name, own):
        found = _by_code(scope.ws, others, code)
        return Entered(found, "", _seal(scope.ws, found))
    new = _new_code()  # its hash takes a while: before others who write wait
    with scope.ws.write():  # of two who type a new name at once, one has it
        if _others(scope.ws, name, own):
            raise _taken(name)
        made = _named(scope, name, own)
        if seal := _seal(scope.ws, made):
            return Entered(made, "", seal)
        codes.keep(scope.ws, made.id, new.hashed)
    return Entered(made, new.written, new.seal)


@needs("review")
def own_code(scope: Scope) -> Entered:
    """A new code for the actor; the one before is none any more."""
    return _with_code(scope.ws, projects.get_person(scope.ws, named_actor(scope)))


@needs("settings")
def new_code(scope: Scope, person: Person) -> Entered:
    """A new code for somebody, from the machine that holds the workspace.

    A page cannot ask for it: until there are accounts, everybody there may do what a lead may.
    """
    if scope.actor.through_page:
        raise NotAllowed(**error_parts("scope.codes_by_terminal"))
    return _with_code(scope.ws, person)


@needs("look")
def listed(scope: Scope) -> list[Listed]:
    """All people of the workspace."""
    return [
        Listed(one.id, one.name, one.group, bool(_seal(scope.ws, one)))
        for one in projects.people(scope.ws).values()
    ]


def in_force(scope: Scope, seal: str) -> bool:
    """Whether the actor's code is still the one of this seal."""
    person = person_of(scope)
    return person is not None and bool(seal) and _seal(scope.ws, person) == seal


def told(name: str, code: str) -> str:
    """A person's code and what it is for, in a sentence."""
    return say("scope.your_code", name=name, code=_written(code))


def may_act_as(scope: Scope, person: Person, code: str) -> None:
    """NameTaken where the person has a code, and neither is the actor nor was it given."""
    if person.id != scope.actor.person_id and _seal(scope.ws, person):
        _by_code(scope.ws, [person], code)


def _named(scope: Scope, name: str, own: Person | None) -> Person:
    if own is not None:
        return projects.rename_person(scope.ws, own.id, name)
    return projects.add_person(scope.ws, name, person_id=scope.actor.person_id)


def _by_code(ws: Workspace, people: Sequence[Person], code: str) -> Person:
    """The one of people with one name whose code was given."""
    given = _bare(code)
    if not given:
        raise _taken(people[0].name)
    since = (datetime.fromisoformat(ws.now()) - WAIT).isoformat(timespec="milliseconds")
    waits = False
    for person in people:
        kept = codes.kept(ws, person.id).code
        if not kept:
            continue
        if not codes.count_try(ws, person.id, MOST_WRONG, since.replace("+00:00", "Z")):
            waits = True
        elif hmac.compare_digest(kept, _hashed(given, kept.partition("$")[0])):
            codes.forgive(ws, person.id)
            return person
    name = people[0].name
    if waits:
        minutes = WAIT.seconds // 60
        parts = error_parts("scope.code_waits", name=name, most=MOST_WRONG, minutes=minutes)
    else:
        parts = error_parts("scope.wrong_code", name=name)
    raise NameTaken(parts, say("scope.same_person", name=name))


def _taken(name: str) -> NameTaken:
    return NameTaken(error_parts("scope.taken", name=name), say("scope.same_person", name=name))


def _with_code(ws: Workspace, person: Person) -> Entered:
    code = _new_code()
    codes.keep(ws, person.id, code.hashed)
    return Entered(person, code.written, code.seal)


class _Code(NamedTuple):
    written: str
    seal: str
    hashed: str


def _new_code() -> _Code:
    code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
    salt = secrets.token_hex(8)
    return _Code(_written(code), salt, _hashed(code, salt))


def _bare(code: str) -> str:
    return "".join(letter for letter in code.upper() if letter.isalnum())[:80]


def _written(code: str) -> str:
    """A code as it is shown, however it was typed."""
    bare = _bare(code)
    return f"{bare[:3]}-{bare[3:]}"


def _hashed(code: str, salt: str) -> str:
    key = hashlib.scrypt(code.encode(), salt=salt.encode(), n=2**12, r=8, p=1, dklen=32)
    return f"{salt}${key.hex()}"


def _seal(ws: Workspace, person: Person) -> str:
    return codes.kept(ws, person.id).code.partition("$")[0]


def _others(ws: Workspace, name: str, own: Person | None) -> list[Person]:
    """Those who have the name; nobody else where it is one's own already."""
    plain = _plain(name)
    if own is not None and _plain(own.name) == plain:
        return []
    return [one for one in projects.people(ws).values() if _plain(one.name) == plain]


def _plain(name: str) -> str:
    """A name as people hear it: of capital and small letters, full and half width, one."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
