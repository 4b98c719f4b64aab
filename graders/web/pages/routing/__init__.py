"""Routing: what the machine may decide alone, at which risk, and what people must read for it."""

from __future__ import annotations

from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.routing import cards
from graders.web.pages.routing.curve import chosen, curve_of, sentence
from graders.web.pages.routing.doing import Deed, do
from graders.web.pages.routing.numbers import Numbers
from graders.web.pages.routing.terms import TermsCard
from graders.workflows.promise.kind_rows import UnsortedShown
from graders.workflows.routing import page as use
from graders.workflows.routing.consent import NeedsConsent

#: Seconds after which a page is told how far reading is.
PATIENCE = 0.5
#: Seconds between two looks at how far reading is.
EVERY = 0.2
#: Seconds between two looks at whether cells that lack their order are to be sorted.
SORT_SECONDS = 60.0


class RoutingPage:
    """The page under way: its cards, and how they are drawn."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.timer: Any = gr.Timer(EVERY, active=False)
        #: What is drawn: nothing (empty), how far reading is (first), the page, or both (again).
        self.state = gr.Textbox(visible=False)
        self.reading = frame.part()
        self.agree = frame.part(acts=True, elem_classes="k-alert")
        with gr.Row(elem_classes="k-two rt-two") as self.box:
            with gr.Column(elem_classes="k-main", min_width=0):
                with gr.Column(elem_classes="k-card"):
                    self.title = frame.part()
                    self.numbers = Numbers(frame)
                    self.curve = frame.part()
                self.kinds = frame.part(acts=True)
            with gr.Column(elem_classes="k-main", min_width=0):
                self.terms = TermsCard(frame)
                self.kept = frame.part(acts=True)
                self.plan = cards.Plan(frame)
                self.placing = cards.Placing(frame)
                self.audits = cards.Audits(frame)
                self.order = cards.Order(frame)
        self.cards = (self.audits, self.plan, self.placing, self.order)
        outputs = [self.timer, self.state, self.reading, self.agree, self.box, self.title]
        outputs += [self.curve, self.kinds, self.kept, *self.numbers.outputs, *self.terms.outputs]
        outputs += [part for card in self.cards for part in card.outputs]
        frame.draws({}, self.draw, outputs, inputs=[self.state, *self.numbers.inputs])
        self.timer.tick(None, None, None, js="() => window.cograde.again(true)")
        self._act()

    def _act(self) -> None:
        frame, numbers, terms = self.frame, self.numbers, self.terms
        acting = [self.agree, self.kinds, self.kept, self.plan.plan]
        acting += [self.placing.busy, self.placing.placed]
        said = [self.agree, self.audits.said]
        pressed = frame.any_of([part.act for part in acting])
        frame.acts(pressed, self.pressed, [], said, redraws=True, mode="once")
        wanted = [numbers.risk, numbers.sure, terms.within]
        frame.acts(terms.fix.click, self.fix, wanted, said, redraws=True, mode="once")
        inputs = [terms.count, *wanted]
        frame.acts(terms.anew.click, self.anew, inputs, said, redraws=True, mode="once")
        inputs = [self.audits.promises, self.audits.whole]
        frame.acts(self.audits.route.click, self.route, inputs, said, redraws=True, mode="once")
        inputs = [self.order.order]
        frame.acts(self.order.use.click, self.use_order, inputs, said, redraws=True, mode="once")

    def draw(self, asked: Asked) -> Parts:
        """The page for the risk that the address asks for, or how far reading is."""
        hidden = gr.update(visible=False)
        if not asked.project:
            return {
                self.frame.top: drawn("empty.html", title=say("routing.page.empty")),
                self.box: hidden,
            }
        state = str(asked.values[0] or "")
        found = use.routing_so_far(
            asked.scope,
            asked.project,
            **self.numbers.wanted(asked.view),
            patience=PATIENCE,
            begun=state in ("first", "again"),
        )
        if isinstance(found, use.StillReading):
            return self._reading(asked, found, first=state in ("", "first"))
        done: Parts = {self.timer: gr.update(active=False), self.state: "page", self.reading: ""}
        if not found.rows:
            top = drawn("routing/nothing.html", found=found, view=asked.view)
            return {**done, self.frame.top: top, self.box: hidden}
        if any(isinstance(row.order, UnsortedShown) and row.order.waits for row in found.rows):
            # whatever ended the process that began with the draw
            self.frame.site.supervisor.sort(asked.scope.ws, asked.project, SORT_SECONDS)
        if state != "page":
            done[self.box] = gr.update(visible=True)
        return done | self._numbers(asked, found) | self._cards(asked, found)

    def _reading(self, asked: Asked, found: use.StillReading, *, first: bool) -> Parts:
        """How far reading is: what is drawn stays, and is drawn anew afterwards."""
        parts: Parts = {
            self.timer: gr.update(active=True),
            self.state: "first" if first else "again",
            self.frame.shown: "!" + asked.view.to(),
        }
        told = drawn("routing/reading.html", found=found, first=first)
        if first:
            return parts | {self.frame.top: told, self.box: gr.update(visible=False)}
        return parts | {self.reading: told}

    def _numbers(self, asked: Asked, found: use.Routing) -> Parts:
        """What follows the risk: the sentence, the curve and the terms."""
        now = chosen(found, asked.view)
        parts = self.numbers.filled(asked, found, now)
        if asked.changed("risk", "read", "sure", "whole"):
            told, marked = sentence(found, now)
            parts |= {
                self.frame.top: drawn("routing/top.html", found=found, told=told, marked=marked),
                self.curve: drawn(
                    "routing/curve.html",
                    found=found,
                    now=now,
                    curve=curve_of(found, now),
                    view=asked.view,
                ),
            }
            if asked.changed("sure"):
                parts[self.title] = drawn("routing/title.html", found=found)
        if asked.changed("risk", "read", "sure", "whole", "within"):
            if asked.before is not None:  # what asks for consent went by other numbers
                parts[self.agree] = ""
            parts |= self.terms.filled(asked, found, now)
        return parts

    def _cards(self, asked: Asked, found: use.Routing) -> Parts:
        """What does not follow the risk."""
        parts: Parts = {}
        for card in self.cards:
            parts |= card.filled(asked, found)
        if asked.changed():
            parts |= {
                self.kept: drawn("routing/kept.html", found=found) if found.kept else "",
                self.kinds: cards.kinds(asked, found),
            }
        return parts

    def pressed(self, asked: Asked) -> Parts:
        """What a button in a part says."""
        return self._do(asked, asked.event)

    def fix(self, asked: Asked, risk: Any, sure: Any, within: Any) -> Parts:
        """Fix the terms that the page shows."""
        return self._do(asked, {"do": "fix", **self.numbers.terms(risk, sure), "within": within})

    def anew(self, asked: Asked, count: Any, risk: Any, sure: Any, within: Any) -> Parts:
        """Draw further answers under the terms that the page shows."""
        terms = {**self.numbers.terms(risk, sure), "within": within}
        return self._do(asked, {"do": "draw", "answers": count, **terms})

    def route(self, asked: Asked, promises: Any, whole: Any) -> Parts:
        """Keep what a run does with the evidence, and route again."""
        return self._do(asked, {"do": "route", "promises": promises, "whole": whole})

    def use_order(self, asked: Asked, order: Any) -> Parts:
        """Hand out screens in another order."""
        return self._do(asked, {"do": "order", "order": order})

    def _do(self, asked: Asked, deed: Deed) -> Parts:
        try:
            said = do(asked, deed, self.frame.site.supervisor)
        except NeedsConsent as error:
            again = {**deed, "consent": True}
            return {
                self.agree: drawn("routing/agree.html", text=str(error), deed=again),
            }
        told = drawn("routing/said.html", text=said) if said else gr.skip()
        return {self.agree: "", self.audits.said: told}


def build(frame: Frame) -> None:
    """The sentence; the curve and who decides what; beside them terms, plans, audits, the order."""
    RoutingPage(frame)


page = Page(
    path="/routing",
    title="Routing",
    nav="Routing",
    group="trust",
    order=41,
    css=("lead/lead.css", "kit/kit.css", "routing/routing.css"),
    build=build,
)
