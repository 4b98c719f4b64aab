"""What figures are narrowed down to: filters read, refused where figures have no such filter, put
into words; what there is to choose from.

Agreement, Diagnostics, Leaderboard and Anchoring share it. Each says which filters mean something
for its figures; Routing has none: a proof is of the cells that were drawn under terms logged
before, and a part of them chosen afterwards proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from graders.core.errors import InputError, NotFound
from graders.core.records import TASK_TYPES
from graders.core.words import error_parts, say
from graders.store import projects
from graders.store.opinions import filters as filter_store
from graders.store.opinions.filters import ACTIONS, EVERYTHING, NEIGHBOURS, OF_CELL, Filters
from graders.store.projects import CriterionRow, Project
from graders.workflows.cells.criteria import criteria_of
from graders.workflows.cells.state import FAULTS
from graders.workflows.opinions.participants import Circle, circle_of
from graders.workflows.scope.permissions import Scope
from graders.workflows.scope.typed_names import known_values

#: The value of a filter that is set.
Chosen = str | int | Sequence[str]

#: Every filter there is.
ALL = tuple(field.name for field in fields(Filters))
#: Filters that say which verdicts of people count; the others say which answers, or which wording,
#: figures are of.
OF_VERDICT = ("annotator", "action", "neighbours", "since", "until")
#: Filters whose values are a closed list.
LISTED: Mapping[str, Sequence[str]] = {
    "task_type": TASK_TYPES,
    "action": ACTIONS,
    "neighbours": NEIGHBOURS,
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a filter, and what people read for it."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Version(Choice):
    """A version of a rubric's wording, and whether it is in force."""

    active: bool


def filters_of(parameters: Mapping[str, Sequence[str]]) -> Filters:
    """Filters from the parameters of an address or a command. InputError for names, dates and
    values that there are not."""
    chosen: dict[str, Any] = {}
    for name, values in parameters.items():
        kept = tuple(dict.fromkeys(value for value in values if value))
        if name not in ALL:
            names = ", ".join(sorted(ALL))
            raise InputError(
                **error_parts("opinions.filter.unknown", name=repr(name[:40]), names=names)
            )
        if not kept:
            continue
        wrong = [value for value in kept if name in LISTED and value not in LISTED[name]]
        if wrong:
            raise InputError(
                **error_parts(
                    "opinions.filter.not_listed",
                    name=name,
                    value=repr(wrong[0][:60]),
                    values=", ".join(LISTED[name]),
                )
            )
        if name in ("since", "until"):
            if not _DATE.fullmatch(kept[-1]):
                raise InputError(
                    **error_parts("opinions.filter.no_date", name=name, value=repr(kept[-1][:60]))
                )
            chosen[name] = kept[-1]
        elif name == "wording":
            if not kept[-1].isdecimal() or len(kept[-1]) > 12:
                raise InputError(
                    **error_parts("opinions.filter.no_number", value=repr(kept[-1][:60]))
                )
            chosen[name] = int(kept[-1])
        else:
            chosen[name] = kept
    return Filters(**chosen)


def meant(filters: Filters, known: Sequence[str]) -> Filters:
    """The same filters; InputError for one that is not of those `known`: figures of everything must
    not pass for figures of a part."""
    for name in filters.chosen:
        if name not in known:
            names = ", ".join(sorted(known))
            raise InputError(**error_parts("opinions.filter.not_here", name=name, names=names))
    return filters


def some(filters: Filters, names: Sequence[str]) -> Filters:
    """Only these of the filters."""
    return replace(
        EVERYTHING, **{name: getattr(filters, name) for name in names if getattr(filters, name)}
    )


def there(scope: Scope, project: Project, filters: Filters) -> None:
    """NotFound for a category, task type, language or model that no answer has."""
    chosen = {name: values for name in OF_CELL if (values := getattr(filters, name))}
    if chosen:
        known_values(scope, project, chosen)


def narrowed(circle: Circle, filters: Filters) -> Circle:
    """The participants with the people alone that the filters name; NotFound for a person who gave
    no
    verdict here."""
    if not filters.annotator:
        return circle
    unknown = [name for name in filters.annotator if name not in circle.people.values()]
    if unknown:
        names = ", ".join(
            f"{name} ({circle.label(i)})" if circle.label(i) != name else name
            for i, name in circle.people.items()
        )
        expected = (
            say("opinions.no_annotator.one_of", names=names)[:400]
            if names
            else say("opinions.no_annotator.none")
        )
        raise NotFound(
            **error_parts("opinions.no_annotator", id=repr(unknown[0][:60]), expected=expected)
        )
    return replace(
        circle, people={i: name for i, name in circle.people.items() if name in filters.annotator}
    )


def criteria_under(scope: Scope, project: Project, wording: int) -> list[CriterionRow]:
    """The criteria in force, or those of an earlier version of a rubric, with the scales they had
    then."""
    if not wording:
        return criteria_of(scope, project)
    found = next(
        (row for row in filter_store.wordings(scope.ws.db, project) if row.id == wording), None
    )
    if found is None:
        raise NotFound(**error_parts("opinions.no_version", version=wording))
    rubric = projects.known_rubric(found.source, found.name)
    rows = filter_store.criterion_rows(scope.ws.db, project, [c.key for c in rubric.criteria])
    return [
        CriterionRow(rows[c.key], c.key, c.criterion_hash, c.scale, c, rubric)
        for c in rubric.criteria
        if c.key in rows
    ]


def words_of(scope: Scope, project: Project, filters: Filters, circle: Circle) -> str:
    """The filters that are set, as they stand behind "only"; empty where none is."""
    named: dict[str, str] = {
        **{name: say(f"opinions.action.{name}") for name in filters.action},
        **{name: say(f"opinions.neighbours.{name}") for name in filters.neighbours},
        **circle.names,
    }
    if filters.wording:
        named |= {str(row.id): _version(row) for row in filter_store.wordings(scope.ws.db, project)}
    parts: list[str] = []
    for name, value in filters.chosen.items():
        values: tuple[str, ...] = value if isinstance(value, tuple) else (str(value),)
        either = say("opinions.filter.or").join(named.get(value, value) for value in values)
        parts.append(say(f"opinions.filter.words.{name}", values=either))
    return ", ".join(parts)


def choices(
    scope: Scope, project: Project, known: Sequence[str] = ALL
) -> dict[str, Sequence[Choice]]:
    """What there is to filter by, by filter, of the filters that are `known`; one without a value
    to choose is left out."""
    circle = circle_of(scope, project)
    plain = {
        name: [Choice(v, v) for v in values]
        for name, values in filter_store.choices(scope.ws.db, project).items()
    }
    people = [Choice(name, circle.label(i)) for i, name in circle.people.items()]
    versions = [
        Version(str(row.id), _version(row), row.active)
        for row in filter_store.wordings(scope.ws.db, project)
        if row.name != FAULTS.name
    ]
    found: dict[str, Sequence[Choice]] = {
        **plain,
        "annotator": sorted(people, key=lambda one: one.words.casefold()),
        "action": [Choice(name, say(f"opinions.action.{name}")) for name in ACTIONS],
        "neighbours": [Choice(name, say(f"opinions.neighbours.{name}")) for name in NEIGHBOURS],
        "wording": versions if any(not row.active for row in versions) else [],
    }
    return {name: values for name, values in found.items() if values and name in known}


def _version(row: filter_store.Wording) -> str:
    return say("opinions.version", name=row.name, version=row.version, day=row.at[:10])
