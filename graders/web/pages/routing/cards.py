"""Cards of Routing that do not follow the risk: who decides what, audits, a plan from hours, labels
placed where they decide, and the order of screens."""

from __future__ import annotations

import time
from collections.abc import Sequence

from graders.core.errors import CogradeError
from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.pages.routing.curve import percent, time_of
from graders.web.pages.routing.doing import number, whole_number
from graders.workflows.promise.kind_rows import KindRow, RoutedKind
from graders.workflows.routing import plan as planning
from graders.workflows.routing import review_order
from graders.workflows.routing.draw_offers import Way, offers
from graders.workflows.routing.page import Routing
from graders.workflows.scope.phrases import several

#: By whom cells are decided -> class of its part of a bar.
PARTS = {"people": "people", "audit": "audit", "automatic": "auto", "pending": "pend"}
#: State of a kind -> class of its label.
SIGNS = {"PROVEN": "v ok", "UNPROVEN": "v q", "BY YOUR RULE": "v pd"}
#: Labels that are thought of where the address names no number.
LABELS = 200
#: People, and hours of each, that are thought of at first.
PEOPLE, HOURS = "2", "6"
#: The axis of audits goes this far at least; further, its numbers stand wider apart.
FAR, WIDE = 0.3, 0.5


def kinds(asked: Asked, found: Routing) -> str:
    """Each criterion on each task type: its label, its promise in words and what is missing."""
    return drawn(
        "routing/kinds.html",
        found=found,
        parts=PARTS,
        signs=SIGNS,
        percent=percent,
        constants=_constants(found.rows),
        draw=lambda row: _draw(row, found),
        view=asked.view,
    )


def _constants(rows: Sequence[KindRow]) -> list[str]:
    """What always saying the same would do, once for task types that share the figure: those that
    are tested together."""
    types: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        if row.constant:
            key = (row.constant.value, percent(row.constant.off), row.title)
            types.setdefault(key, []).append(row.task_type)
    return [
        say("routing.page.constant", value=value, off=off, title=title, tasks=", ".join(names))
        for (value, off, title), names in types.items()
    ]


def _draw(row: KindRow, found: Routing) -> tuple[int, str]:
    """How many answers a kind's button draws, 0 for no button; and what is left where those do not
    suffice."""
    free = found.free.get(row.task_type, 0)
    if row.answers is None:
        return 0, ""
    left = row.unit.count(free)
    short = say("routing.page.left", n=free, answers=left) if row.answers > free else ""
    return min(row.answers, free), short


class Audits:
    """What audits of the machine's cells found, and what a run does with the evidence."""

    def __init__(self, frame: Frame) -> None:
        with gr.Column(elem_classes="k-card"):
            self.found = frame.part()
            self.promises = gr.Checkbox(label=say("routing.page.promises"))
            self.whole = gr.Checkbox(label=say("routing.page.read_whole", unit=""))
            with gr.Row(elem_classes="k-bar"):
                self.route = gr.Button(say("routing.page.route"))
                press = drawn("routing/said.html", text=say("routing.page.press"))
                self.said = frame.part(value=press)
        self.outputs = [self.found, self.promises, self.whole, self.said]

    def filled(self, asked: Asked, found: Routing) -> Parts:
        """Everything as it is kept."""
        if not asked.changed():
            return {}
        rows = [r for r in found.rows if r.audit.audits or r.audit.alarm or r.audit.objection]
        rang = any(row.audit.alarm for row in rows)
        far = max([FAR, *(row.audit.high or 0 for row in rows)])
        wide = 0.2 if far > WIDE else 0.1
        ticks = [wide * step for step in range(int(far / wide + 1e-9) + 1)]
        unit = say(f"routing.page.one.{found.unit.one}")
        label = say("routing.page.read_whole", unit=unit[0].upper() + unit[1:])
        return {
            self.found: drawn(
                "routing/audits.html",
                found=found,
                rows=rows,
                title="none" if not rows else "alarm" if rang else "well",
                far=far,
                ticks=ticks,
                label=_audit_label,
            ),
            self.promises: found.settings.promises,
            self.whole: gr.update(value=found.settings.whole, label=label),
        }


def _audit_label(row: RoutedKind) -> str:
    """A kind's audits, read out instead of their drawing."""
    audit = row.audit
    if audit.low is None or audit.high is None:
        return say("routing.page.audit", n=audit.audits, errors=audit.errors)
    ends = {"low": percent(audit.low), "high": percent(audit.high)}
    return say("routing.page.audit.between", n=audit.audits, errors=audit.errors, **ends)


class Plan:
    """From hours to what will be known, and the draw that gets there."""

    def __init__(self, frame: Frame) -> None:
        with gr.Column(elem_classes="k-card"):
            frame.part(value=drawn("routing/card.html", title=say("routing.page.plan"), right=""))
            with gr.Row(elem_classes="k-fields k-bar rt-few"):
                self.people = gr.Textbox(PEOPLE, label=say("routing.page.hands"), max_lines=1)
                self.hours = gr.Textbox(HOURS, label=say("routing.page.each"), max_lines=1)
                show = gr.Button(say("routing.page.foresee"))
            self.plan = frame.part(acts=True)
        frame.sets({"people": self.people, "hours": self.hours}, by=[show.click])
        self.outputs = [self.people, self.hours, self.plan]

    def filled(self, asked: Asked, found: Routing) -> Parts:
        """The plan for the people and hours of the address; nothing where it names none."""
        view = asked.view
        if not asked.changed("people", "hours"):
            return {}
        if "people" not in view and "hours" not in view:
            return {self.people: PEOPLE, self.hours: HOURS, self.plan: ""}
        people, hours = view.one("people") or PEOPLE, view.one("hours") or HOURS
        try:
            plan = planning.plan(
                asked.scope, asked.project, whole_number("hands", people), number("each", hours)
            )
        except CogradeError as error:
            told = drawn("alert.html", text=str(error))
        else:
            told = drawn("routing/plan.html", plan=plan)
        return {self.people: people, self.hours: hours, self.plan: told}


class Placing:
    """Labels of one criterion placed where they decide: what that would bring beside answers drawn
    at random, and what is under way."""

    def __init__(self, frame: Frame) -> None:
        with gr.Column(elem_classes="k-card", visible=False) as self.card:
            self.busy = frame.part(acts=True)
            with gr.Row(elem_classes="k-fields rt-few") as self.form:
                self.labels = gr.Textbox(
                    label=say("routing.page.labels"), placeholder=str(LABELS), max_lines=1
                )
            self.waits = frame.part(acts=True)
            self.placed = frame.part(acts=True)
        frame.sets({"labels": self.labels}, by=[self.labels.blur])
        frame.acts(self.waits.act, self._offers, [], [self.placed], asks=True)
        self.outputs = [self.card, self.busy, self.form, self.labels, self.waits, self.placed]

    def filled(self, asked: Asked, found: Routing) -> Parts:
        """What is under way, and a question for what so many labels are expected to bring: that is
        a simulation, which the page does not wait for."""
        rows = [row for row in found.rows if row.placeable]
        if not asked.changed("labels"):
            return {}
        if not rows:
            return {self.card: gr.update(visible=False), self.waits: ""}
        busy = [row for row in rows if getattr(row.draw, "open", 0)]
        idle = len(rows) > len(busy)
        labels = asked.view.one("labels")
        parts: Parts = {
            self.card: gr.update(visible=True),
            self.busy: drawn(
                "routing/placing.html",
                found=found,
                busy=busy,
                time=_time(found, labels) if idle else "",
            ),
            self.form: gr.update(visible=idle),
            self.labels: labels,
            # asked for once for each drawing; an older reply is followed by the newer one
            self.waits: drawn("routing/waiting.html", since=time.time_ns()) if idle else "",
            self.placed: drawn("routing/said.html", text=say("routing.page.simulating"))
            if idle
            else "",
        }
        return parts

    def _offers(self, asked: Asked) -> Parts:
        try:
            labels = whole_number("labels", asked.view.one("labels") or LABELS)
            found = offers(asked.scope, asked.project, labels)
        except CogradeError as error:
            return {self.placed: drawn("alert.html", text=str(error))}
        return {self.placed: drawn("routing/offers.html", offers=found, placed=Way.PLACED)}


def _time(found: Routing, labels: str) -> str:
    """How long one person takes for so many labels; empty where that is not known."""
    try:
        n = whole_number("labels", labels or LABELS)
    except CogradeError:
        return ""
    if found.effort is None or n < 1:
        return ""
    seconds = n * (found.effort.per_answer + found.effort.per_cell)
    return say("routing.page.placing.time", labels=several(n, "label"), time=time_of(seconds))


class Order:
    """In which order people get the screens that are not drawn."""

    def __init__(self, frame: Frame) -> None:
        with gr.Column(elem_classes="k-card"):
            self.said = frame.part()
            with gr.Row(elem_classes="k-fields k-bar"):
                self.order = gr.Dropdown(
                    [(say(f"runs.page.order.{name}"), name) for name in review_order.ORDERS],
                    label=say("routing.page.order"),
                    filterable=False,
                )
                self.use = gr.Button(say("routing.page.order.use"))
        self.outputs = [self.said, self.order]

    def filled(self, asked: Asked, found: Routing) -> Parts:
        """The order in force."""
        if not asked.changed():
            return {}
        said = drawn("routing/order.html", order=found.order)
        return {self.said: said, self.order: found.order.setting}
