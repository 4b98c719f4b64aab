"""One judge, or several, tried on one answer: what they are asked, what that costs, what came back
and how that is read. The prompt comes first, with the price on the button that sends it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.core.errors import InputError
from graders.core.money import dollars
from graders.core.run_state import OVER, RESTING, RunState
from graders.core.words import error_parts, say
from graders.web import run_requests
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.pages.run import ways
from graders.web.pages.run.planning import signature
from graders.workflows.runs import try_judge
from graders.workflows.runs.judges import JudgeList
from graders.workflows.runs.shown_run import status
from graders.workflows.scope import offered_judges
from graders.workflows.scope.phrases import several

#: Seconds between two looks at whether a judge has replied.
EVERY = 0.5
METHODS = ("median", "majority")
#: What a button may be pressed for no more.
_OLD = """() => {
  const same = { __type__: 'update' };
  return document.activeElement?.closest('#k-try')
    ? ['', { ...same, visible: false }]
    : [same, same];
}"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A try: which judges (names with commas between them), the row of the answer, how several are
    made one, and how they are reached."""

    judge: str
    subject: int
    panel: str
    ways: Mapping[str, Any]

    @property
    def names(self) -> Sequence[str]:
        """The judges, each by itself."""
        return [self.judge] if "(" in self.judge else ways.named(self.judge)

    def name(self, project: str) -> str:
        """A name for what it costs."""
        told = {"judge": self.judge, "subject": self.subject, "ways": self.ways}
        return signature(project, told, [])


@dataclass(frozen=True, slots=True)
class Attempt:
    """The card. `agreed` names the try whose price is on the button, `running` says what is asked
    just now, `replied` changes when it was."""

    judges: Any
    panel: Any
    answer: Any
    ways: Any
    show: Any
    ask: Any
    out: Any
    agreed: Any
    running: Any
    replied: Any
    timer: Any

    @property
    def inputs(self) -> list[Any]:
        """All that says what is wanted."""
        return [self.agreed, self.running, self.ways, self.judges, self.panel, self.answer]

    @property
    def outputs(self) -> list[Any]:
        """All that may change."""
        more = [self.show, self.ask, self.out, self.replied, self.timer]
        return [*self.inputs, *more]

    def draw(self, asked: Asked, found: JudgeList) -> Parts:
        """What there is to choose, as soon as it may be another."""
        panels = [one.name for one in found.judges if one.derived and one.present]
        spoken = [one.name for one in found.judges if not one.derived]
        offers = offered_judges.offered(asked.scope, asked.project, spoken)
        choices = [*((name, name) for name in panels), *((one.words, one.name) for one in offers)]
        if not asked.changed():
            return {self.judges: gr.update(choices=choices)}
        answers = try_judge.offered(asked.scope, asked.project)
        return {
            self.judges: gr.update(choices=choices, value=[]),
            self.panel: gr.update(value=METHODS[0], visible=False),
            self.answer: gr.update(
                choices=[(f"{one.model}: {one.question}", one.id) for one in answers],
                value=answers[0].id if answers else None,
            ),
            self.ways: ways.fields([], "judges", None),
            self.agreed: "",
            self.running: "",
            self.out: "",
            self.ask: gr.update(visible=False),
            self.timer: gr.update(active=False),
        }

    def looked(self, asked: Asked, wanted: Wanted, keyed: Sequence[str]) -> Parts:
        """The prompts of a try with what is there of its replies, and what is left to be asked."""
        options = run_requests.before(wanted.ways, [*keyed])
        found = try_judge.tried(
            asked.scope, asked.project, wanted.judge, wanted.subject, options, wanted.panel
        )
        plan = run_requests.plan_try(
            asked.scope, asked.project, wanted.judge, wanted.subject, wanted.ways, [*keyed]
        )
        left = sum(one.calls - one.known for one in plan.judges)
        words = say("runs.judges.page.asked")
        if left:
            price = dollars(plan.money, each=True) if plan.money else dollars(plan.money)
            words = say("runs.judges.page.ask", calls=several(left, "call"), price=price)
        return {
            self.out: drawn("judges/tried.html", found=found, plan=plan),
            self.agreed: wanted.name(asked.project),
            self.ask: gr.update(value=words, visible=bool(found.calls), interactive=bool(left)),
        }


def card(frame: Frame) -> Attempt:
    """The card of a try."""
    with gr.Column(elem_classes="k-card", elem_id="k-try"):
        frame.part(value=drawn("judges/try_head.html"))
        judges = gr.Dropdown(
            [],
            multiselect=True,
            allow_custom_value=True,
            label=say("runs.judges.page.judge"),
            info=say("runs.judges.page.judge.hint"),
        )
        panel = gr.Radio(
            [(say(f"runs.judges.page.panel.{name}"), name) for name in METHODS],
            value=METHODS[0],
            label=say("runs.judges.page.panel"),
            visible=False,
        )
        answer = gr.Dropdown([], label=say("runs.judges.page.answer"))
        _, reached = ways.section(frame, say("runs.page.ways"))
        with gr.Row(elem_classes="k-bar"):
            show = gr.Button(say("runs.judges.page.prompt"))
            ask = gr.Button(say("runs.judges.page.asked"), variant="primary", visible=False)
        out = frame.part()
        agreed, running, replied = (gr.Textbox(visible=False) for _ in range(3))
        timer: Any = gr.Timer(EVERY, active=False)
    made = Attempt(judges, panel, answer, reached, show, ask, out, agreed, running, replied, timer)
    _listen(frame, made)
    return made


def _listen(frame: Frame, made: Attempt) -> None:
    named = partial(_named, made)
    outputs = [made.panel, made.ways]
    frame.acts(made.judges.change, named, [made.ways, made.judges], outputs, asks=True)
    gr.on(
        [made.judges.change, made.answer.input],
        None,
        None,
        [made.agreed, made.ask],
        js=_OLD,
        show_progress="hidden",
    )
    frame.acts(made.show.click, partial(_shown, made), made.inputs, made.outputs)
    frame.acts(
        made.ask.click,
        partial(_asked, frame, made),
        made.inputs,
        made.outputs,
        keys=True,
        mode="once",
    )
    frame.acts(
        made.timer.tick, partial(_replied, frame, made), made.inputs, made.outputs, asks=True
    )
    made.replied.change(None, None, None, js="() => window.cograde.again(true)")


def _wanted(reached: Any, judges: Any, panel: Any, answer: Any) -> Wanted:
    """What the fields say."""
    typed = judges if isinstance(judges, list) else [judges]
    names = [name for one in typed for name in ([one] if "(" in str(one) else ways.named(one))]
    if not names:
        raise InputError(**error_parts("runs.judges.page.no_judge"))
    if not isinstance(answer, int) or isinstance(answer, bool) or not 0 < answer < 2**53:
        raise InputError(**error_parts("web.answer", value=repr(answer)[:40]))
    several_of_them = len(names) > 1
    method = str(panel or "") if several_of_them else ""
    return Wanted(", ".join(map(str, names)), answer, method, ways.addresses(reached))


def _named(made: Attempt, asked: Asked, reached: Any, judges: Any) -> Parts:
    """Which fields the judges that are named need: what is typed in those that stay is kept."""
    names = ways.named(judges)
    panel = gr.update(visible=len(names) > 1 and "(" not in "".join(names))
    there = {str(name).partition(".")[2] for name in reached} if isinstance(reached, dict) else ()
    providers = ways.providers(names)
    if there and {*there} == {*(providers if len(providers) > 1 else [""])}:
        return {made.panel: panel}
    return {made.panel: panel, made.ways: ways.fields(names, "judges", None)}


def _shown(
    made: Attempt, asked: Asked, agreed: Any, running: Any, reached: Any, *fields: Any
) -> Parts:
    """The prompt, which costs nothing."""
    return made.looked(asked, _wanted(reached, *fields), list(ways.keys(reached)))


def _asked(
    frame: Frame, made: Attempt, asked: Asked, agreed: Any, running: Any, reached: Any, *fields: Any
) -> Parts:
    """Ask. What was not shown with its price is shown first."""
    if running:
        return {}
    wanted, typed = _wanted(reached, *fields), ways.keys(reached)
    if agreed != wanted.name(asked.project):
        other = drawn("alert.html", text=say("runs.judges.page.other_prompt"))
        return {**made.looked(asked, wanted, list(typed)), frame.alert: other}
    begun = run_requests.start_try(
        asked.scope,
        frame.site.supervisor,
        asked.project,
        wanted.judge,
        wanted.subject,
        wanted.ways,
        run_requests.typed_keys(typed),
    )
    headers = run_requests.before(wanted.ways, [])["headers"]
    kept = {**wanted.ways, "headers": headers}
    told = {
        "run": begun.run,
        "judge": wanted.judge,
        "subject": wanted.subject,
        "panel": wanted.panel,
        "ways": kept,
    }
    return {
        made.running: json.dumps(told),
        made.timer: gr.update(active=True),
        made.out: drawn("judges/said.html", text=say("runs.judges.page.asked_now")),
        made.ask: gr.update(value=say("runs.judges.page.asking")),
        # keys were used and are kept nowhere
        made.ways: ways.fields(wanted.names, "judges", ways.Reached(**kept), str(begun.run)),
    }


def _replied(
    frame: Frame, made: Attempt, asked: Asked, agreed: Any, running: Any, *_: Any
) -> Parts:
    """Whether the judge has replied."""
    still = {made.timer: gr.update(active=False), made.running: ""}
    try:
        told = json.loads(str(running))
        run, judge, subject = int(told["run"]), str(told["judge"]), int(told["subject"])
        wanted = Wanted(judge, subject, str(told["panel"]), dict(told["ways"]))
    except (ValueError, KeyError, TypeError):
        return still
    found = status(asked.scope, asked.project, run)
    if found is not None and found.state not in (*OVER, *RESTING):
        return {}
    parts = {**still, made.replied: str(run), **made.looked(asked, wanted, [])}
    if found is not None and found.state == RunState.FAILED:
        parts[frame.alert] = drawn("alert.html", text=found.message)
    return parts
