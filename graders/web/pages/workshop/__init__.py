"""Workshop: a judge is changed, tried beside what it was on answers that people graded blind, and
kept or dropped; sentences for an unclear rubric.

The address says what is shown: ``?judge=NAME`` the tries of a judge, ``&again=NUMBER`` what asking
what is missing of one costs.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from graders.core.run_state import OVER, RESTING, RunState
from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.workshop import form, tries, wording
from graders.web.pages.workshop.asking import Asking
from graders.workflows.runs.shown_run import ShownRun, status
from graders.workflows.workshop import workshop

#: Seconds between two looks at how far the asking is.
EVERY = 0.5


def build(frame: Frame) -> None:
    """The tries on the left; the next one, how tries are counted, and the rubric on the right."""
    timer: Any = gr.Timer(EVERY, active=False)
    running, told, over = (gr.Textbox(visible=False) for _ in range(3))
    with gr.Row(elem_classes="k-two") as box:
        with gr.Column(elem_classes="k-main", min_width=0):
            said = frame.part(elem_classes="k-alert")
            listed = frame.part(acts=True)
        with gr.Column(elem_classes="k-main", min_width=0):
            asking = Asking(frame.site, running, timer)
            card = form.card(frame, asking)
            frame.part(value=drawn("workshop/counted.html"))
            wording.card(frame)

    def draw(asked: Asked) -> Parts:
        if not asked.project:
            top = drawn("empty.html", title=say("workshop.page.nothing"))
            return {frame.top: top, box: gr.update(visible=False)}
        found = workshop.workshop(asked.scope, asked.project, asked.view.one("judge"))
        notice = asked.scope.project(asked.project).notice
        last, filled = asked.values
        return {
            frame.top: drawn("top.html", title=found.title, text=found.subtitle, notice=notice),
            listed: tries.listed(asked, found, tries.Told.of(last)),
            **card.draw(asked, found, str(filled)),
        }

    def pressed(asked: Asked, now: Any) -> Parts:
        if "state" in asked.event:
            return {told: tries.ended(asked).text}
        return asking.again(asked, now)

    outputs = [box, listed, *card.outputs]
    frame.draws({"judge": card.pick}, draw, outputs, resets=("again",), inputs=[told, card.filled])
    outputs = [told, running, timer]
    frame.acts(listed.act, pressed, [running], outputs, redraws=None, mode="once")
    looked = partial(_looked, frame, card, (timer, running, told, said, over))
    outputs = [timer, running, told, said, over, *card.outputs]
    frame.acts(timer.tick, looked, [running], outputs, asks=True)
    over.change(None, None, None, js="() => window.cograde.again(true)")


def _looked(frame: Frame, card: form.Form, parts: Any, asked: Asked, running: Any) -> Parts:
    """How far the asking is; what came of it, where it is over."""
    timer, now, told, said, over = parts
    try:
        begun = json.loads(str(running))
        run, judge, number = int(begun["run"]), str(begun["judge"]), int(begun["number"])
        again = bool(begun["again"])
    except (ValueError, KeyError, TypeError):
        return {timer: gr.update(active=False), now: ""}
    found = status(asked.scope, asked.project, run)
    place = said if again else card.said
    if found is not None and found.state not in (*OVER, *RESTING):
        return {place: drawn("judges/said.html", text=_progress(found))}
    ended: Parts = {timer: gr.update(active=False), now: "", over: str(run), said: ""}
    if found is None or found.state in (RunState.FAILED, RunState.WAITING_FOR_KEY):
        text = found.message if found else say("web.failed")
        return {**ended, frame.alert: drawn("alert.html", text=text), card.said: ""}
    done = found.state == RunState.DONE
    if again:
        words = say("workshop.page.again.done") if done else found.message
        return {**ended, told: tries.Told(judge, number, words).text}
    words = say("workshop.page.done", number=number) if done else found.message
    if asked.view.one("judge") not in ("", judge):
        words = f"{judge}: {words}"
    return {**ended, **card.asked(words)}


def _progress(run: ShownRun) -> str:
    stages = run.progress.get("stages") or []
    stage = next((one for one in stages if one["name"] == "judge"), None)
    if not stage or not stage.get("total"):
        return say("workshop.page.asking")
    return say("workshop.page.asking.of", done=stage.get("done") or 0, total=stage["total"])


page = Page(
    path="/workshop",
    title="Judge workshop",
    nav="Workshop",
    group="set_up",
    order=16,
    css=(
        "lead/lead.css",
        "lead/projects.css",
        "kit/kit.css",
        "judges/judges.css",
        "workshop/workshop.css",
    ),
    build=build,
)
