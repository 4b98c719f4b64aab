"""The judge workshop: a judge is changed, tried on labelled answers, compared with what it was, and
kept or dropped.

A try is a judge with other fields, another model or other examples. It and the judge as it was are
asked about the same answers that people graded blind; agreement is shown on the questions that one
looks at and, beside them, on those that are held out. Every try counts, also a dropped one: the
best of many is partly luck. Nothing that a try says is recorded as a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import Conflict, InputError, NotFound
from graders.store import projects
from graders.store.answers import content
from graders.store.projects import Project
from graders.workflows.agreement.ground import View, ground
from graders.workflows.runs import corrections, judges, runs
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.workshop import _where, held_out
from graders.workflows.workshop.held_out import LookedAt
from graders.workflows.workshop.tries import (
    ANSWERS,
    Part,
    changes,
    gave_examples,
    label,
    rows,
    shown,
    title,
)

#: The setting that holds the tries: judge -> its tries, oldest first.
SETTING = "workshop"
#: The most answers that a try asks about.
MOST_ANSWERS = 2_000
SUBTITLE = (
    "A try asks the changed judge, and the judge as it was, about answers that people graded "
    "blind. No verdict is recorded."
)
#: What a try's run may be told beside what is asked.
RUN_OPTIONS = (
    "budget_money",
    "budget_calls",
    "concurrency",
    "base_url",
    "needs_key",
    "keyed",
    "key_variables",
)
#: Ways to name a try's examples, beside cells.
SAME, SUGGESTED, NONE = "same", "suggested", "none"


@needs("look")
def workshop(scope: Scope, project_name: str, judge: str = "") -> dict[str, Any]:
    """The tries of a judge that is set up (the first with tries, unless one is named), each with
    agreement before and after.

    Per try and criterion, for the `looked_at` and the `held_out` part: cells, questions, cells on
    which the value `changed`, the headline figure of Agreement `before` and `after` against
    people's blind verdicts, raw agreement of both, the paired `difference` with its 95 % interval
    over questions, and a word. `part` counts what there is to ask about; `of` says how many tries
    there were.
    """
    project = scope.project(project_name)
    cards: Mapping[str, Any] = project.settings.get("judges") or {}
    kept: Mapping[str, Any] = project.settings.get(SETTING) or {}
    name = judge or next((one for one in kept if one in cards and kept[one]), next(iter(cards), ""))
    tries = [] if not name else _tries(project, name)
    if name:
        _card(project, name)
        found = ground(scope, project, View())
        part, made = (
            Part.of(
                scope,
                project,
                found,
                int(tries[-1]["answers"]) if tries else ANSWERS,
                gave_examples(cards[name]),
            ),
            rows(scope, project, found, name, tries),
        )
    else:
        part, made = Part.none(), []
    return {
        "title": title(name, made, bool(part.counts["labelled"])),
        "subtitle": SUBTITLE,
        "judges": [
            {"name": one, "judge": card["judge"], "tries": len(kept.get(one) or ())}
            for one, card in cards.items()
        ],
        "judge": name,
        "card": shown(cards[name]) if name else None,
        "part": part.counts,
        "tries": made[::-1],
        "of": len(made),
        "fields": {
            field: kind.__name__ for field, kind in {**judges.FIELDS, **judges.BESIDE}.items()
        },
    }


@needs("look")
def plan(
    scope: Scope,
    project_name: str,
    name: str,
    change: Mapping[str, Any],
    options: Mapping[str, Any],
    number: int = 0,
) -> dict[str, Any]:
    """What asking a new try costs, or one that there is by its number: as `runs.plan`, with the
    `part` asked about, the `address` that was typed and what is `changed`. Nothing is sent.

    One that there is keeps its address. InputError where `options` name another, Conflict where its
    provider is asked elsewhere now.
    """
    project = scope.project(project_name)
    one = _try(project, name, number) if number else _proposed(scope, project, name, change)
    return _planned(scope, project, name, one, options)[0]


@needs("run")
def start(
    scope: Scope,
    project_name: str,
    name: str,
    change: Mapping[str, Any],
    options: Mapping[str, Any],
    number: int = 0,
) -> dict[str, Any]:
    """Begin a try, or ask again what is missing of one that there is, and queue its run: {run,
    plan, number}.

    `change`: ``judge`` (another model), ``fields`` (all fields that it shall have; those of the
    judge where left out), ``examples`` (same, suggested, none, or cells of corrections), ``note``
    and ``answers`` (how many to ask about). InputError where nothing changed.
    """
    project = scope.project(project_name)
    one = _try(project, name, number) if number else _proposed(scope, project, name, change)
    agreed, asked = _planned(scope, project, name, one, options)
    if not agreed["part"]["answers"]:
        raise InputError(
            f"project {project.name!r}",
            found="no answer that people graded blind"
            + (", but to questions that gave an example" if agreed["part"]["left_out"] else ""),
            expected="blind verdicts by people, to compare with",
            remedy="Draw answers for calibration on the Routing page, or import verdicts.",
        )
    found = runs.start(scope, project_name, asked, scope.actor.person_id)
    at = {
        "base_url": asked.get("base_url", ""),
        "from_page": scope.actor.through_page or asked["from_page"],
        "addresses": _where.addresses(scope.ws, asked),
    }
    if number:
        _change(
            scope, project, name, number, {field: at[field] for field in at if field not in one}
        )
    else:
        held_out.log_once(
            scope.ws,
            project,
            scope.actor.person_id,
            [q.id for q in content.questions(scope.ws.db, project).values()],
        )
        one = _add(
            scope,
            project,
            name,
            {**one, **at, "state": "open", "at": scope.ws.now(), "by": scope.actor.person_id},
        )
        body = {"judge": name, "number": one["number"], "run": found["run"], "card": one["card"]}
        projects.log_event(scope.ws, project, scope.actor.person_id, "judge_try", body)
    return {**found, "number": one["number"]}


@needs("run")
def keep(scope: Scope, project_name: str, name: str, number: int) -> dict[str, Any]:
    """Make a try the judge's setting, with the address where it was asked. Its verdicts are stale
    then: the next run asks it anew, without buying what the try bought.

    InputError where the judge is that already, Conflict where it was changed since the try: nothing
    of that is overwritten.
    """
    with scope.ws.write():
        project = scope.project(project_name)
        one, now = _try(project, name, number), _card(project, name)
        made = _where.settled(scope.ws, one, name)
        if now == made:
            raise InputError(
                f"{name}, try {number}",
                found="the judge as it is set up now",
                expected="a try that changes it",
            )
        others = [
            _where.settled(scope.ws, other, name)
            for other in _tries(project, name)
            if other["state"] == "kept"
        ]
        # another try that was kept stands in the list, and can be kept again
        if now not in (
            one["before"],
            *others,
        ):
            raise Conflict(
                f"{name}, try {number}",
                found="a judge that was changed since the try: "
                + "; ".join(changes(one["before"], now)),
                expected="the judge as the try found it",
                remedy="Make a new try of the judge as it is now.",
            )
        projects.set_settings(
            scope.ws, project, {"judges": {**project.settings["judges"], name: made}}
        )
        return _ended(
            scope,
            scope.project(project_name),
            name,
            number,
            "kept",
            "" if made == one["card"] else str(made["base_url"]),
        )


@needs("run")
def drop(scope: Scope, project_name: str, name: str, number: int) -> dict[str, Any]:
    """Put a try aside; it still counts among the tries."""
    project = scope.project(project_name)
    if _try(project, name, number)["state"] == "kept":
        raise InputError(
            f"{name}, try {number}",
            found="a try that was kept",
            expected="one that was not",
            remedy="Try another change.",
        )
    return _ended(scope, project, name, number, "dropped")


def _ended(
    scope: Scope, project: Project, name: str, number: int, state: str, address: str = ""
) -> dict[str, Any]:
    tries = _change(scope, project, name, number, {"state": state})
    body = {"judge": name, "number": number, "of": len(tries), "state": state}
    projects.log_event(scope.ws, project, scope.actor.person_id, "judge_try", body)
    if state == "dropped":
        message = (
            f"Try {number} of {name} is dropped; it counts among its {several(len(tries), 'try')}."
        )
    else:
        message = (
            f"{name} is now what try {number} of {len(tries)} was. The next run asks it anew and "
            "buys nothing that the try bought."
        )
        message += (
            (
                f" It is asked at {address}; a key for that server is given to the run by the "
                "judge's name."
            )
            if address
            else ""
        )
    return {"judge": name, "number": number, "of": len(tries), "state": state, "message": message}


def _proposed(
    scope: Scope, project: Project, name: str, change: Mapping[str, Any]
) -> dict[str, Any]:
    """A try that is not begun: the judge before it, its own card, the note, how many answers."""
    before = _card(project, name)
    fields = change.get("fields")
    given = (
        {**before.get("options", {}), **{f: before[f] for f in judges.BESIDE if f in before}}
        if fields is None
        else dict(fields)
    )
    card = judges.card_of(
        scope, project, name, str(change.get("judge") or before["judge"]).strip(), given
    )
    if examples := _examples(scope, project, name, before, change.get("examples") or SAME):
        card["examples"] = examples
    same = next(
        (
            f"try {one['number']}"
            for one in _tries(project, name)
            if one["card"] == card and one["before"] == before
        ),
        "",
    )
    if card == before or same:
        raise InputError(
            f"a try of {name}",
            found="nothing that is changed" if card == before else f"what {same} was",
            expected="another model, other fields or other examples",
            remedy="Change something first."
            if card == before
            else f"Look at {same}, or ask it again.",
        )
    return {
        "number": 0,
        "before": dict(before),
        "card": card,
        "note": str(change.get("note") or "").strip()[:200],
        "answers": _size(change),
    }


def _size(change: Mapping[str, Any]) -> int:
    given = change.get("answers") or ANSWERS
    try:
        size = int(given)
    except (TypeError, ValueError):
        size = 0
    if not 1 <= size <= MOST_ANSWERS:
        raise InputError(
            "answers",
            found=repr(given)[:40],
            expected=f"a number from 1 to {MOST_ANSWERS:,}",
            remedy="Correct the number.",
        )
    return size


def _examples(
    scope: Scope, project: Project, name: str, before: Mapping[str, Any], wanted: Any
) -> list[Mapping[str, Any]]:
    """The examples of a try: suggested and chosen ones of no question that is held out; those that
    the judge has as they are, because questions that gave an example are left out of the
    comparison."""
    if wanted == SAME:
        return list(before.get("examples") or ())
    if wanted == NONE:
        return []
    if wanted != SUGGESTED and not (
        isinstance(wanted, list) and all(isinstance(cell, int) for cell in wanted)
    ):
        raise InputError(
            "examples",
            found=repr(wanted)[:60],
            expected=f"{SAME}, {SUGGESTED}, {NONE} or cells of corrections",
        )
    cells = None if wanted == SUGGESTED else wanted
    found: list[Mapping[str, Any]] = [
        *corrections.examples_for(scope.ws, project, name, before, cells, LookedAt(project))
    ]
    if wanted == SUGGESTED and not found:
        raise InputError(
            f"a try of {name}, examples",
            found="no correction of it by people on a question that is not held out",
            expected="one that it could be shown",
            remedy="Grade answers that it has spoken about, or leave its examples as they are.",
        )
    return found


def _planned(
    scope: Scope, project: Project, name: str, one: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The plan of a try's run, and what the run is told."""
    part = Part.of(
        scope,
        project,
        ground(scope, project, View()),
        int(one["answers"]),
        gave_examples(one["before"], one["card"]),
    )
    called = label(name, one["number"] or len(_tries(project, name)) + 1)
    address = _where.typed(one, options, called)
    told = {**options, "base_url": address}
    asked = {
        **{option: told[option] for option in RUN_OPTIONS if told.get(option) not in (None, "")},
        "base_urls": dict.fromkeys((name, called), address)
        if address
        else {},  # before an address of the judge's own
        "judges": [name, called],
        "cards": {name: dict(one["before"]), called: dict(one["card"])},
        "only": part.only,
        "tries": max(1, len(part.only)),
        "workshop": True,
        "from_page": bool(address) and bool(one.get("from_page")),
    }
    _where.need_same(one, _where.addresses(scope.ws, asked), called)
    more = {"part": part.counts, "address": address, "changed": changes(one["before"], one["card"])}
    agreed = runs.plan(scope, project.name, asked)
    if not part.only:  # nothing to ask about, and so no price
        nothing = {
            "calls": 0,
            "known": 0,
            "done": 0,
            "input_tokens": 0,
            "output_tokens": 0,
            "money": 0.0,
            "seconds": 0,
            "notes": [],
        }
        agreed |= {
            "judges": [{**judge, **nothing} for judge in agreed["judges"]],
            "money": 0.0,
            "seconds": 0.0,
            "cells": 0,
            "subjects": 0,
        }
    return {**agreed, **more}, asked


def _tries(project: Project, name: str) -> list[dict[str, Any]]:
    return list((project.settings.get(SETTING) or {}).get(name) or ())


def _add(scope: Scope, project: Project, name: str, one: Mapping[str, Any]) -> dict[str, Any]:
    """A new try, numbered and kept."""
    with scope.ws.write():
        tries = _tries(now := scope.project(project.name), name)
        made = {**one, "number": len(tries) + 1}
        _write(scope, now, name, [*tries, made])
    return made


def _change(
    scope: Scope, project: Project, name: str, number: int, fields: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Write fields of a try, as the tries are by now; returns them all."""
    with scope.ws.write():
        now = scope.project(project.name)
        tries = [{**one, **fields} if one["number"] == number else one for one in _tries(now, name)]
        _write(scope, now, name, tries)
    return tries


def _write(scope: Scope, project: Project, name: str, tries: Sequence[Mapping[str, Any]]) -> None:
    projects.set_settings(
        scope.ws, project, {SETTING: {**(project.settings.get(SETTING) or {}), name: list(tries)}}
    )


def _try(project: Project, name: str, number: int) -> dict[str, Any]:
    _card(project, name)
    tries = _tries(project, name)
    found = next((one for one in tries if one["number"] == number), None)
    if found is None:
        have = f"a number up to {len(tries)}" if tries else "no try yet"
        raise NotFound(
            f"{name}, try {number}",
            found="no such try",
            expected=have,
            remedy=f"See: cograde workshop show {name}",
        )
    return found


def _card(project: Project, name: str) -> Mapping[str, Any]:
    return corrections.card_of(project, name)
