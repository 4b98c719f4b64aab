"""The next try of a judge: what is changed, what asking both costs, and the asking."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.core.hashing import text_hash
from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.pages.judges.setup import as_typed, field, models, read
from graders.web.pages.workshop import asking
from graders.web.pages.workshop.asking import Asking, Tried
from graders.workflows.runs import corrections
from graders.workflows.workshop import workshop
from graders.workflows.workshop.tries import shown
from graders.workflows.workshop.workshop import Workshop

#: Fields that stand below "How it is asked", in pairs; the persona stands above.
PAIRS = (
    ("temperature", "top_p"),
    ("max_output_tokens", "reasoning_effort"),
    ("prompt_language", "samples"),
    ("per",),
    ("reference",),
)
EXAMPLES = ("same", "suggested", "none")
#: Hides the button of a plan when somebody changes what it goes by.
_OLD = """() => {
  const same = { __type__: 'update' };
  return document.activeElement?.closest('#k-new-try')
    ? ['', { ...same, visible: false }]
    : [same, same];
}"""


@dataclass(frozen=True, slots=True)
class Form:
    """The card: the fields of the judge by name, what is said of the try, limits, and what is
    drawn. `agreed` names the try whose price is on the button, `filled` what the fields were filled
    with."""

    box: Any
    pick: Any
    fields: dict[str, Any]
    about: dict[str, Any]
    reached: Any
    plan: Any
    ask: Any
    said: Any
    agreed: Any
    filled: Any

    @property
    def inputs(self) -> list[Any]:
        """All that says what is wanted."""
        return [self.agreed, self.reached, self.pick, *self.fields.values(), *self.about.values()]

    @property
    def outputs(self) -> list[Any]:
        """All that may change, beside the judge, which the address names."""
        kept = [one for one in self.inputs if one is not self.pick]
        return [self.box, *kept, self.plan, self.ask, self.said, self.filled]

    def draw(self, asked: Asked, found: Workshop, before: str) -> Parts:
        """The judge as it is, to be changed. What was typed stays while it is the same judge."""
        if found.card is None:
            return {self.box: gr.update(visible=False)}
        names = [(one.name, one.name) for one in found.judges]
        parts: Parts = {self.pick: gr.update(choices=names, value=found.judge)}
        now = text_hash(json.dumps([found.judge, found.card.judge, dict(found.card.fields)]))
        if now == before:
            return parts
        card = found.card
        values = {name: as_typed(name, card.fields) for name in self.fields}
        about = dict.fromkeys(self.about, "") | {"judge": card.judge, "examples": "same"}
        parts |= {self.fields[name]: value for name, value in values.items()}
        parts |= {self.about[name]: value for name, value in about.items()}
        return parts | {
            self.box: gr.update(visible=True),
            self.about["judge"]: gr.update(choices=models(), value=card.judge),
            self.reached: drawn(
                "workshop/reached.html", own=str(card.fields.get("base_url") or ""), since=""
            ),
            self.filled: now,
            **self.unplanned(),
        }

    def unplanned(self) -> Parts:
        """Without a plan."""
        return {self.plan: "", self.agreed: "", self.ask: gr.update(visible=False)}

    def asked(self, words: str) -> Parts:
        """What asking came to; the plan of it is done with."""
        return {**self.unplanned(), self.said: drawn("judges/said.html", text=words)}


def card(frame: Frame, asking: Asking) -> Form:
    """The card of the next try."""
    with gr.Column(elem_classes="k-card", elem_id="k-new-try") as box:
        frame.part(value=drawn("workshop/new_head.html"))
        pick = gr.Dropdown([], label=say("workshop.page.judge"), filterable=False)
        fields: dict[str, Any] = {"persona": field("persona", lines=3)}
        about = {
            "examples": gr.Dropdown(
                [(say(f"workshop.page.examples.{one}"), one) for one in EXAMPLES],
                value=EXAMPLES[0],
                label=say("workshop.page.examples"),
                info=say("workshop.page.examples.hint"),
                filterable=False,
            ),
            "judge": gr.Dropdown([], allow_custom_value=True, label=say("workshop.page.model")),
        }
        with gr.Accordion(say("runs.judges.page.how"), open=False, elem_classes="k-fold k-first"):
            for pair in PAIRS:
                with gr.Row(elem_classes="k-pair"):
                    fields |= {name: field(name) for name in pair}
        about["note"] = _text("note")
        with gr.Row(elem_classes="k-pair"):
            about |= {name: _text(name) for name in ("answers", "budget_money")}
        with gr.Accordion(say("workshop.page.calls"), open=False, elem_classes="k-fold k-first"):
            about["budget_calls"] = _text("budget_calls")
            reached = frame.part(acts=True)
        with gr.Row(elem_classes="k-bar"):
            show = gr.Button(say("workshop.page.plan"))
            ask = gr.Button("", variant="primary", visible=False)
        plan, said = frame.part(), frame.part()
        agreed, filled = gr.Textbox(visible=False), gr.Textbox(visible=False)
    made = Form(box, pick, fields, about, reached, plan, ask, said, agreed, filled)
    _listen(frame, made, asking, show)
    return made


def _text(name: str) -> Any:
    return gr.Textbox(
        label=say(f"workshop.page.{name}"),
        placeholder=say(f"workshop.page.{name}.empty"),
        max_lines=1,
    )


def _listen(frame: Frame, made: Form, asking: Asking, show: Any) -> None:
    typed = [*made.fields.values(), *made.about.values()]
    gr.on(
        [one.change for one in typed],
        None,
        None,
        [made.agreed, made.ask],
        js=_OLD,
        show_progress="hidden",
    )
    outputs = [made.plan, made.ask, made.agreed, made.said]
    one_line = [one for one in typed if isinstance(one, gr.Textbox) and one.max_lines == 1]
    planning = frame.any_of([show.click, *(one.submit for one in one_line)])
    frame.acts(planning, partial(_planned, made), made.inputs, outputs)
    outputs += [made.reached, asking.running, asking.timer]
    frame.acts(
        made.ask.click,
        partial(_asked, frame, made, asking),
        [asking.running, *made.inputs],
        outputs,
        keys=True,
        mode="once",
    )


@dataclass(frozen=True, slots=True)
class Wanted:
    """A try as the fields say: of which judge, what, the key that is typed, and a name for its
    price."""

    judge: str
    tried: Tried
    key: str
    name: str


def wanted(made: Form, asked: Asked, reached: Any, values: Any) -> Wanted:
    """What the fields say of the judge as it is now."""
    name = str(values[0] or "")
    given = dict(zip((*made.fields, *made.about), values[1:], strict=True))
    now = shown(corrections.card_of(asked.scope.project(asked.project), name))
    typed = reached if isinstance(reached, dict) else {}
    address = str(typed.get("address") or "").strip()
    options = asking.limits(given) | ({"base_url": address} if address else {})
    change = {
        "judge": str(given["judge"] or "").strip(),
        "fields": {**now.fields, **{one: read(one, given[one]) for one in made.fields}},
        "examples": given["examples"],
        "note": str(given["note"] or ""),
        "answers": str(given["answers"] or "").strip(),
    }
    told = json.dumps([asked.project, name, change, options, dict(now.fields), now.judge])
    return Wanted(name, Tried(change, options), str(typed.get("key") or ""), text_hash(told))


def _planned(made: Form, asked: Asked, agreed: Any, reached: Any, *values: Any) -> Parts:
    """What asking both costs; nothing is sent."""
    return looked(made, asked, wanted(made, asked, reached, values))


def looked(made: Form, asked: Asked, want: Wanted) -> Parts:
    """The plan, and the button with its price."""
    plan = workshop.plan(
        asked.scope, asked.project, want.judge, want.tried.change, want.tried.options
    )
    return {
        made.plan: drawn("workshop/planned.html", table=asking.table(plan)),
        made.agreed: want.name,
        made.ask: gr.update(value=asking.ask_words(plan, "both"), visible=True),
        made.said: "",
    }


def _asked(
    frame: Frame,
    made: Form,
    begin: Asking,
    asked: Asked,
    running: Any,
    agreed: Any,
    reached: Any,
    *values: Any,
) -> Parts:
    """Ask both what was planned. Of other fields than those of the plan the plan comes first."""
    if running:
        return {}
    want = wanted(made, asked, reached, values)
    if agreed != want.name:
        other = drawn("alert.html", text=say("workshop.page.other"))
        return {**looked(made, asked, want), frame.alert: other}
    parts = begin.begin(asked, want.judge, want.tried, want.key, again=False)
    run = json.loads(parts[begin.running])["run"]
    return {
        **parts,
        made.ask: gr.update(value=say("workshop.page.asking")),
        made.said: drawn("judges/said.html", text=say("workshop.page.asking")),
        # the key was used and is kept nowhere
        made.reached: drawn(
            "workshop/reached.html", own=str(want.tried.options.get("base_url") or ""), since=run
        ),
    }
