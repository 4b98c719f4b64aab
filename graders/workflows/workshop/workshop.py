"""The judge workshop: a judge is changed, tried on labelled answers, compared with what it was, and
kept or dropped.

A try is a judge with other fields, another model or other examples. It and the judge as it was are
asked about the same answers that people graded blind; agreement is shown on the questions that one
looks at and, beside them, on those that are held out. Every try counts, also a dropped one: the
best of many is partly luck. Nothing that a try says is recorded as a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from graders.core.errors import Conflict, InputError
from graders.core.shapes import JSON, as_dict
from graders.core.words import say
from graders.store import projects
from graders.store.answers import content
from graders.store.projects import Project
from graders.workflows.agreement.ground import View, ground
from graders.workflows.calling.records import JudgePlan
from graders.workflows.runs import corrections, judges, runs
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.scope.permissions import Scope, needs
from graders.workflows.scope.phrases import several
from graders.workflows.workshop import _where, held_out
from graders.workflows.workshop._proposal import proposed
from graders.workflows.workshop.kept import (
    SETTING,
    Try,
    TryState,
    add_try,
    change_try,
    find_try,
    tries_of,
)
from graders.workflows.workshop.tries import (
    ANSWERS,
    Card,
    Part,
    PartCounts,
    TriedChange,
    changes,
    gave_examples,
    label,
    rows,
    shown,
    title,
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


@dataclass(frozen=True, slots=True)
class JudgeTries:
    """A judge that is set up, and how many tries it has."""

    name: str
    judge: str
    tries: int


@dataclass(frozen=True, slots=True)
class Workshop:
    """The tries of a judge, the newest first, with what there is to ask about.

    `judge` is empty and `card` None where no judge is set up; `of` says how many tries there were;
    `fields`: the name of each field of a judge and of its kind.
    """

    title: str
    subtitle: str
    judges: list[JudgeTries]
    judge: str
    card: Card | None
    part: PartCounts
    tries: list[TriedChange]
    of: int
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class TryPlan(RunPlan):
    """What asking a try costs: the part that is asked about, the address that was typed and what is
    `changed`, in words."""

    part: PartCounts
    address: str
    changed: list[str]


@dataclass(frozen=True, slots=True)
class StartedTry(runs.Started):
    """The run of a try, and the try's number."""

    number: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A try that was kept or dropped, of how many, with a sentence about it."""

    judge: str
    number: int
    of: int
    state: TryState
    message: str


@needs("look")
def workshop(scope: Scope, project_name: str, judge: str = "") -> Workshop:
    """The tries of a judge that is set up (the first with tries, unless one is named), each with
    agreement before and after.

    The figure is the headline of Agreement against people's blind verdicts, with 95 % intervals
    over questions.
    """
    project = scope.project(project_name)
    cards: Mapping[str, Any] = project.settings.get("judges") or {}
    kept: Mapping[str, Any] = project.settings.get(SETTING) or {}
    name = judge or next((one for one in kept if one in cards and kept[one]), next(iter(cards), ""))
    tries = [] if not name else tries_of(project, name)
    if name:
        corrections.card_of(project, name)
        found = ground(scope, project, View())
        part, made = (
            Part.of(
                scope,
                project,
                found,
                tries[-1].answers if tries else ANSWERS,
                gave_examples(cards[name]),
            ),
            rows(scope, project, found, name, tries),
        )
    else:
        part, made = Part.none(), []
    return Workshop(
        title=title(name, made, bool(part.counts.labelled)),
        subtitle=say("workshop.subtitle"),
        judges=[
            JudgeTries(one, card["judge"], len(kept.get(one) or ())) for one, card in cards.items()
        ],
        judge=name,
        card=shown(cards[name]) if name else None,
        part=part.counts,
        tries=made[::-1],
        of=len(made),
        fields={field: kind.__name__ for field, kind in {**judges.FIELDS, **judges.BESIDE}.items()},
    )


@needs("look")
def plan(
    scope: Scope,
    project_name: str,
    name: str,
    change: Mapping[str, Any],
    options: Mapping[str, Any],
    number: int = 0,
) -> TryPlan:
    """What asking a new try costs, or one that there is by its number. Nothing is sent.

    One that there is keeps its address. InputError where `options` name another, Conflict where its
    provider is asked elsewhere now.
    """
    project = scope.project(project_name)
    one = find_try(project, name, number) if number else proposed(scope, project, name, change)
    return _planned(scope, project, name, one, options)[0]


@needs("run")
def start(
    scope: Scope,
    project_name: str,
    name: str,
    change: Mapping[str, Any],
    options: Mapping[str, Any],
    number: int = 0,
) -> StartedTry:
    """Begin a try, or ask again what is missing of one that there is, and queue its run.

    `change`: ``judge`` (another model), ``fields`` (all fields that it is to have; those of the
    judge where left out), ``examples`` (same, suggested, none, or cells of corrections), ``note``
    and ``answers`` (how many to ask about). InputError where nothing changed.
    """
    project = scope.project(project_name)
    one = find_try(project, name, number) if number else proposed(scope, project, name, change)
    agreed, asked = _planned(scope, project, name, one, options)
    if not agreed.part.answers:
        raise InputError(
            say("workshop.error.project", name=project.name),
            found=say("workshop.error.no_labels.found_left_out")
            if agreed.part.left_out
            else say("workshop.error.no_labels.found"),
            expected=say("workshop.error.no_labels.expected"),
            remedy=say("workshop.error.no_labels.remedy"),
        )
    found = runs.start(scope, project_name, asked, scope.actor.person_id)
    at: JSON = {
        "from_page": scope.actor.through_page or asked["from_page"],
        "addresses": _where.addresses(scope.ws, asked),
    }
    if number:
        lacking = {field: at[field] for field in at if getattr(one, field) is None}
        change_try(scope, project, name, number, lacking)
    else:
        held_out.log_once(
            scope.ws,
            project,
            scope.actor.person_id,
            [q.id for q in content.questions(scope.ws.db, project).values()],
        )
        begun = replace(
            one,
            base_url=asked.get("base_url", ""),
            **at,
            at=scope.ws.now(),
            by=scope.actor.person_id,
        )
        one = add_try(scope, project, name, begun)
        body = {"judge": name, "number": one.number, "run": found.run, "card": one.card}
        projects.log_event(scope.ws, project, scope.actor.person_id, "judge_try", body)
    return StartedTry(found.run, found.plan, one.number)


@needs("run")
def keep(scope: Scope, project_name: str, name: str, number: int) -> Ended:
    """Make a try the judge's setting, with the address where it was asked. Its verdicts are stale
    then: the next run asks it anew, without buying what the try bought.

    InputError where the judge is that already, Conflict where it was changed since the try: nothing
    of that is overwritten.
    """
    with scope.ws.write():
        project = scope.project(project_name)
        one, now = find_try(project, name, number), corrections.card_of(project, name)
        made = _where.settled(scope.ws, one, name)
        if now == made:
            raise InputError(
                say("workshop.error.try", name=name, number=number),
                found=say("workshop.error.same.found"),
                expected=say("workshop.error.same.expected"),
            )
        others = [
            _where.settled(scope.ws, other, name)
            for other in tries_of(project, name)
            if other.state == TryState.KEPT
        ]
        # another try that was kept stands in the list, and can be kept again
        if now not in (
            one.before,
            *others,
        ):
            raise Conflict(
                say("workshop.error.try", name=name, number=number),
                found=say(
                    "workshop.error.changed.found", changes="; ".join(changes(one.before, now))
                ),
                expected=say("workshop.error.changed.expected"),
                remedy=say("workshop.error.changed.remedy"),
            )
        projects.set_settings(
            scope.ws, project, {"judges": {**project.settings["judges"], name: made}}
        )
        return _ended(
            scope,
            scope.project(project_name),
            name,
            number,
            TryState.KEPT,
            "" if made == one.card else str(made["base_url"]),
        )


@needs("run")
def drop(scope: Scope, project_name: str, name: str, number: int) -> Ended:
    """Put a try aside; it still counts among the tries."""
    project = scope.project(project_name)
    if find_try(project, name, number).state == TryState.KEPT:
        raise InputError(
            say("workshop.error.try", name=name, number=number),
            found=say("workshop.error.kept.found"),
            expected=say("workshop.error.kept.expected"),
            remedy=say("workshop.error.kept.remedy"),
        )
    return _ended(scope, project, name, number, TryState.DROPPED)


def _ended(
    scope: Scope, project: Project, name: str, number: int, state: TryState, address: str = ""
) -> Ended:
    tries = change_try(scope, project, name, number, {"state": state})
    body = {"judge": name, "number": number, "of": len(tries), "state": state}
    projects.log_event(scope.ws, project, scope.actor.person_id, "judge_try", body)
    if state == TryState.DROPPED:
        count = several(len(tries), "try")
        message = say("workshop.dropped", name=name, number=number, tries=count)
    elif address:
        message = say("workshop.kept_at", name=name, number=number, of=len(tries), address=address)
    else:
        message = say("workshop.kept", name=name, number=number, of=len(tries))
    return Ended(name, number, len(tries), state, message)


def _planned(
    scope: Scope, project: Project, name: str, one: Try, options: Mapping[str, Any]
) -> tuple[TryPlan, JSON]:
    """The plan of a try's run, and what the run is told."""
    part = Part.of(
        scope,
        project,
        ground(scope, project, View()),
        one.answers,
        gave_examples(one.before, one.card),
    )
    called = label(name, one.number or len(tries_of(project, name)) + 1)
    address = _where.typed(one, options, called)
    told = {**options, "base_url": address}
    asked = {
        **{option: told[option] for option in RUN_OPTIONS if told.get(option) not in (None, "")},
        "base_urls": dict.fromkeys((name, called), address)
        if address
        else {},  # before an address of the judge's own
        "judges": [name, called],
        "cards": {name: dict(one.before), called: dict(one.card)},
        "only": part.only,
        "tries": max(1, len(part.only)),
        "workshop": True,
        "from_page": bool(address) and bool(one.from_page),
    }
    _where.need_same(one, _where.addresses(scope.ws, asked), called)
    agreed = runs.plan(scope, project.name, asked)
    if not part.only:  # nothing to ask about, and so no price
        agreed = replace(
            agreed,
            judges=[_nothing(judge) for judge in agreed.judges],
            money=0.0,
            seconds=0.0,
            cells=0,
            subjects=0,
        )
    changed = changes(one.before, one.card)
    return TryPlan(**as_dict(agreed), part=part.counts, address=address, changed=changed), asked


def _nothing(judge: JudgePlan) -> JudgePlan:
    """The plan of a judge that is asked nothing."""
    return replace(
        judge,
        calls=0,
        known=0,
        done=0,
        input_tokens=0,
        output_tokens=0,
        money=0.0,
        seconds=0.0,
        notes=[],
    )
