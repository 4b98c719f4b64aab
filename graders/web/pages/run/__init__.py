"""Run: the plan with its price, the graders at work, and what may be changed before and after."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from graders.core.hashing import text_hash
from graders.core.run_state import Wish
from graders.core.words import say
from graders.web import run_requests
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.run import collecting, planning, settings
from graders.web.pages.run.figures import figures
from graders.web.pages.run.ways import of_fields
from graders.workflows.runs import run_page, tryout
from graders.workflows.runs.run_page import RunPage
from graders.workflows.runs.shown_run import Phase, ShownRun
from graders.workflows.scope.header_lines import TYPED

#: Seconds between two looks at a run that is at work.
EVERY = 1.0
#: Phases in which nothing changes by itself.
STILL = (Phase.NONE, Phase.OVER, Phase.PAUSED, Phase.KEY)


def build(frame: Frame) -> None:
    """The run and its plan on the left; what was agreed to, and the settings, on the right."""
    buttons = frame.part(acts=True, elem_classes="k-buttons")
    timer: Any = gr.Timer(EVERY, active=False)
    seen = gr.Textbox(visible=False)
    with gr.Row(elem_classes="k-two") as all_of_it:
        with gr.Column(elem_classes="k-main", scale=3, min_width=0):
            state = frame.part()
            with gr.Column(elem_classes="k-card k-plan") as plan_card:
                plan = planning.card(frame)
            tried = frame.part()
            with gr.Column(elem_classes="k-card k-plan") as collect_card:
                collect = collecting.card(frame)
            below = frame.part()
        with gr.Column(elem_classes="k-main", scale=2, min_width=0):
            agreed = frame.part()
            beside = settings.cards(frame)
    parts = {"state": state, "tried": tried, "below": below, "agreed": agreed, "buttons": buttons}
    cards = {"plan": plan_card, "collect": collect_card}
    outputs = [timer, seen, all_of_it, *parts.values(), *cards.values()]

    def draw(asked: Asked) -> Parts:
        if not asked.project:
            return {
                frame.top: drawn("empty.html", title=say("runs.page.nothing")),
                all_of_it: gr.update(visible=False),
            }
        found = run_page.run_page(asked.scope, asked.project)
        first = asked.before is None
        known: dict[str, Any] = {} if first else _known(asked)
        now, shown = _shown(asked, found, known)
        changed: Parts = {parts[name]: html for name, html in shown.items() if name in parts}
        if "top" in shown:
            changed[frame.top] = shown["top"]
        changed |= {timer: gr.update(active=found.phase not in STILL), seen: json.dumps(now)}
        if now["phase"] != known.get("phase"):
            at_work = found.phase not in (Phase.NONE, Phase.OVER)
            changed |= {card: gr.update(visible=not at_work) for card in cards.values()}
            changed |= {} if at_work else plan.ask(now["phase"])
        if first:
            changed |= plan.filled(asked, found) | collect.filled() | beside.filled(asked)
        elif asked.changed("types"):
            changed |= beside.turned(asked)
        return changed

    def pressed(asked: Asked) -> Parts:
        said = dict(asked.event)
        keys = run_requests.typed_keys(of_fields(said).get("key", {}))
        renewed = {
            name: planning.number(typed) for name, typed in of_fields(said).get("limit", {}).items()
        }
        want, run = str(said.get("want") or Wish.RUN), said.get("run")
        supervisor = frame.site.supervisor
        run_requests.wish(asked.scope, supervisor, asked.project, run, want, keys, renewed)
        return {}

    frame.acts(buttons.act, pressed, [], [], redraws=None, mode="once")
    outputs += [*plan.outputs, *collect.outputs, *beside.outputs]
    frame.draws({}, draw, outputs, inputs=[seen])
    timer.tick(None, None, None, js="() => window.cograde.again(true)")


def _known(asked: Asked) -> dict[str, Any]:
    """What the page shows: a name for the phase, and of each part a hash."""
    try:
        known = json.loads(str(asked.values[0]))
    except ValueError:
        return {}
    return known if isinstance(known, dict) else {}


def _shown(
    asked: Asked, found: RunPage, known: dict[str, Any]
) -> tuple[dict[str, str], dict[str, str]]:
    """What the page shows now, as `_known` has it, and the parts of it that are drawn anew."""
    run = found.run
    places: dict[str, Any] = {"found": found, "project": asked.project}
    phase = f"{found.phase} {run.id if run else 0}"
    notice = asked.scope.project(asked.project).notice
    parts: dict[str, Callable[[], str]] = {
        "top": lambda: drawn("top.html", title=found.title, text=found.subtitle, notice=notice),
        "buttons": lambda: drawn("run/buttons.html", keys=_keys(run), **places) if run else "",
        "state": lambda: drawn("run/state.html", figures=figures(found), **places) if run else "",
        "below": lambda: drawn("run/below.html", **places) if found.broken_parts or not run else "",
        "agreed": lambda: drawn("run/agreed.html", **places) if run else "",
    }
    made = {name: make() for name, make in parts.items()}
    if phase != known.get("phase"):
        made["tried"] = ""
        if run and run.tries and found.phase == Phase.OVER:
            result = tryout.tried(asked.scope, asked.project, run.id)
            made["tried"] = drawn("run/tried.html", found=result)
    now = {**known, "phase": phase, **{name: text_hash(html) for name, html in made.items()}}
    return now, {name: html for name, html in made.items() if known.get(name) != now[name]}


def _keys(run: ShownRun) -> list[tuple[str, str]]:
    """The keys that a run was started with, to be typed again, each with what it is called: one for
    each provider that had its own, for each header that held one, and for each provider whose judge
    waits for a key."""
    headers = [name for name in run.keyed if name.startswith(TYPED)]
    own = [name for name in run.keyed if name not in headers]
    names = [*(own or [""] * run.needs_key), *headers, *run.waits]
    return [(name, _called(name)) for name in dict.fromkeys(names)]


def _called(name: str) -> str:
    """What was typed and is kept nowhere, in words: the key of a provider, or a header."""
    if name.startswith(TYPED):
        provider, _, header = name.removeprefix(TYPED).rpartition(":")
        if provider:
            return say("runs.page.key.header_of", header=header, provider=provider)
        return say("runs.page.key.header", header=header)
    return say("runs.page.key.of", provider=name) if name else ""


page = Page(
    path="/run",
    title="Run",
    nav="Run",
    group="grade",
    order=30,
    css=("lead/lead.css", "lead/projects.css", "kit/kit.css"),
    build=build,
)
