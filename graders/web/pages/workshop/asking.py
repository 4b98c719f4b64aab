"""Asking a try: what it costs as a table and on its button, and the run that asks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.core.errors import InputError
from graders.core.money import dollars
from graders.core.words import error_parts, say
from graders.web import run_requests
from graders.web.kit import Asked, Parts
from graders.web.kit.drawing import filled
from graders.web.kit.gradio import gr
from graders.web.kit.site import Site
from graders.web.pages.run.planning import number
from graders.workflows.scope.phrases import several
from graders.workflows.workshop import workshop
from graders.workflows.workshop.workshop import TryPlan

#: Options of a try's run that are typed.
LIMITS = ("budget_money", "budget_calls")


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is given a run, and the parts that say that one is at work."""

    site: Site
    running: Any
    timer: Any

    def begin(self, asked: Asked, name: str, tried: Tried, typed: str, again: bool) -> Parts:
        """Begin a try, or ask what is missing of one."""
        keys = run_requests.typed_keys({"": typed})
        more = {**tried.options, "needs_key": bool(keys), "keyed": [one for one in keys if one]}
        found = workshop.start(asked.scope, asked.project, name, tried.change, more, tried.number)
        self.site.supervisor.start(asked.scope.ws, found.run, keys)
        told = {"run": found.run, "judge": name, "number": found.number, "again": again}
        return {self.running: json.dumps(told), self.timer: gr.update(active=True)}

    def again(self, asked: Asked, running: Any) -> Parts:
        """Ask what is missing of a try, whose price stood on the button."""
        if running:
            return {}
        said = asked.event
        name = str(said.get("judge") or "")
        tried = Tried({}, limits(said), which(said.get("again")))
        plan = workshop.plan(asked.scope, asked.project, name, {}, tried.options, tried.number)
        if left(plan) > (said.get("agreed") or 0):
            raise InputError(**error_parts("workshop.page.other_plan", calls=calls(plan)))
        return self.begin(asked, name, tried, str(said.get("key") or ""), again=True)


@dataclass(frozen=True, slots=True)
class Tried:
    """What is asked: the change of a new try, or the number of one that there is."""

    change: Mapping[str, Any]
    options: Mapping[str, Any]
    number: int = 0


def which(given: object) -> int:
    """The number of a try. InputError for what is none."""
    if not isinstance(given, int) or isinstance(given, bool) or not 0 < given < 10**9:
        raise InputError(**error_parts("web.try.fields"))
    return given


def limits(given: Mapping[str, Any]) -> dict[str, Any]:
    """The limits that are typed."""
    read = {name: number(given.get(name)) for name in LIMITS}
    return {name: value for name, value in read.items() if value not in (None, "")}


def left(plan: TryPlan) -> int:
    """The calls that are sent."""
    return sum(one.calls - one.known for one in plan.judges)


def calls(plan: TryPlan) -> str:
    """The calls that are sent, in words."""
    return several(left(plan), "call")


def price(plan: TryPlan) -> str:
    """What they cost, about."""
    return dollars(plan.money if left(plan) else 0.0)


def table(plan: TryPlan) -> str:
    """What asking a try costs: the part that it is about, where, and a row for each judge."""
    return filled("workshop/plan.html", plan=plan)


def ask_words(plan: TryPlan, key: str) -> str:
    """The words of a button that asks, with what that costs."""
    if key == "both":
        return say("workshop.page.ask.both", calls=calls(plan), price=price(plan))
    return say("workshop.page.ask.again", calls=calls(plan), price=price(plan))
