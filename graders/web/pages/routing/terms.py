"""The terms of the promise: what they cost people, what is fixed, and the button that fixes other
ones, before labels are opened or with a fresh draw."""

from __future__ import annotations

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.pages.routing.curve import percent, saved, time_of
from graders.workflows.promise.effort import Point
from graders.workflows.routing.page import Routing

#: Steps that may not count.
WITHIN = ("0", "1", "2", "3")
#: Answers that a fresh draw has, where as many are left.
COUNT = 60


class TermsCard:
    """The card: figures, steps that do not count, and the buttons."""

    def __init__(self, frame: Frame) -> None:
        with gr.Column(elem_classes="k-card"):
            self.said = frame.part()
            with gr.Row(elem_classes="k-fields"):
                self.within = gr.Dropdown(
                    [(_steps(int(one)), one) for one in WITHIN],
                    value=WITHIN[0],
                    label=say("routing.page.within"),
                    info=say("routing.page.within.why"),
                    filterable=False,
                )
                self.count = gr.Textbox(label=say("routing.page.count"), max_lines=1, visible=False)
            with gr.Row(elem_classes="k-bar"):
                self.fix = gr.Button(say("routing.page.fix"), variant="primary", visible=False)
                self.anew = gr.Button(say("routing.page.anew"), visible=False)
        frame.sets({"within": self.within})
        self.outputs = [self.said, self.within, self.count, self.fix, self.anew]

    def filled(self, asked: Asked, found: Routing, now: Point) -> Parts:
        """The card at a point of the curve."""
        terms, free = found.terms, sum(found.free.values())
        within = asked.view.one("within")
        if within not in WITHIN:
            within = str(terms.within if terms else 0)
        tasks = terms.tasks.values() if terms else ()
        opened = min((task.opened for task in tasks if task.opened), default="")
        wanted = (now.alpha, found.delta, int(within))
        same = all((task.alpha, task.delta, task.within) == wanted for task in tasks)
        stake = found.stake.get("all", {}).get("same" if same else "other", "")
        parts: Parts = {
            self.said: drawn(
                "routing/terms.html",
                found=found,
                now=now,
                time=None if now.seconds is None else time_of(now.seconds),
                saved=saved(found, now),
                fixed=_fixed(found, opened),
                stake=stake if opened and free else "",
            ),
            self.within: within,
        }
        if asked.changed():
            count = say("routing.page.count.of", many=found.unit.many)
            parts |= {
                self.count: gr.update(
                    value=str(min(free, COUNT)), label=count, visible=bool(opened and free)
                ),
                self.fix: gr.update(visible=not opened),
                self.anew: gr.update(visible=bool(opened), interactive=free > 0),
            }
        return parts


def _steps(n: int) -> str:
    return say("routing.page.within.of", n=n) if n else say("routing.page.within.none")


def _fixed(found: Routing, opened: str) -> str:
    """What is fixed, since when, and what was drawn for it."""
    terms = found.terms
    if terms is None:
        return say("routing.page.fixed.none")
    said = [
        say(
            "routing.page.fixed",
            day=terms.at[:10],
            risk=percent(terms.alpha),
            sure=percent(1 - terms.delta),
            steps=say("routing.page.fixed.steps", n=terms.within) if terms.within else "",
        ),
        say("routing.page.drawn", answers=found.unit.count(terms.drawn)),
    ]
    if opened:
        said.append(say("routing.page.opened", day=opened[:10]))
    if terms.earlier:
        answers = found.unit.count(terms.earlier)
        said.append(say("routing.page.earlier", n=terms.earlier, answers=answers))
    return " ".join(said)
