"""How people are named on pages and in exports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from graders.store import projects
from graders.store.projects import Person
from graders.store.workspace import Workspace

#: The name of a person whose id this workspace does not know, and the form of such an id.
UNKNOWN, _ID = "somebody else", re.compile(r"[0-9a-f-]{12,}")


def labels_of(people: Sequence[Person]) -> dict[str, str]:
    """Person id -> what pages call him or her: the name, and where two have one name the group too,
    or so much of the id as tells them."""
    count = Counter(person.name for person in people)
    groups = Counter((person.name, person.group) for person in people)
    short = Counter((person.name, person.id[:6]) for person in people)
    labels = {}
    for person in people:
        own = person.id[:6] if short[person.name, person.id[:6]] == 1 else person.id
        more = person.group if person.group and groups[person.name, person.group] == 1 else own
        labels[person.id] = person.name if count[person.name] == 1 else f"{person.name} ({more})"
    return labels


def names_of(ws: Workspace) -> dict[str, str]:
    """Person id -> what pages call each person of the workspace."""
    return labels_of(list(projects.people(ws).values()))


def called(names: Mapping[str, str], who: str) -> str:
    """What pages call the person who did something; the id of a person who is not known here (from
    a file of another workspace) is no name, while words such as ``lead`` stay as they are."""
    return names.get(who) or (UNKNOWN if _ID.fullmatch(who) else who)
