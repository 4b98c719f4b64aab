"""Collecting answers: which models are asked all questions; the plan with its price comes before
anything is sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.core.errors import CogradeError
from graders.core.words import say
from graders.web import run_requests
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.pages.run import planning, ways
from graders.web.pages.run.planning import cleaned, number, signature
from graders.workflows.scope import offered_judges


@dataclass(frozen=True, slots=True)
class Collector:
    """The card: its fields by option, and what else it draws."""

    fields: dict[str, Any]
    ways: Any
    plan: Any
    agreed: Any
    begin: Any

    @property
    def outputs(self) -> list[Any]:
        """All that may change."""
        return [*self.fields.values(), self.ways, self.plan, self.agreed, self.begin]

    def filled(self) -> Parts:
        """The models that may be picked."""
        choices = [(one.words, one.name) for one in offered_judges.models()]
        return {
            self.fields["models"]: gr.update(choices=choices),
            self.ways: ways.fields([], "models", None),
        }


def card(frame: Frame) -> Collector:
    """The folded card that plans and starts a collection."""
    with gr.Accordion(say("runs.page.collect"), open=False, elem_classes="k-fold k-first"):
        fields: dict[str, Any] = {
            "models": gr.Dropdown(
                [],
                multiselect=True,
                allow_custom_value=True,
                label=say("runs.page.models"),
                info=say("runs.page.models.hint"),
            )
        }
        frame.part(value=planning.providers(batches=False))
        fields |= {
            "system": gr.Textbox(
                label=say("runs.page.system"), placeholder=say("runs.page.none"), max_lines=6
            ),
        }
        with gr.Row():
            fields |= {
                name: gr.Textbox(label=say(f"runs.page.{label}"), max_lines=1, placeholder=hint)
                for name, label, hint in (
                    ("temperature", "temperature", say("runs.page.own")),
                    ("max_output_tokens", "longest", say("runs.page.own")),
                    ("budget_money", "budget_money", say("runs.page.no_limit")),
                )
            }
        fields["missing"] = gr.Checkbox(label=say("runs.page.missing"))
        _, reached = ways.section(frame, say("runs.page.ways.models"))
        with gr.Row(elem_classes="k-bar"):
            show = gr.Button(say("runs.page.show_cost"))
            begin = gr.Button(say("runs.page.begin"), variant="primary", visible=False)
        plan, agreed = frame.part(), gr.Textbox(visible=False)
    made = Collector(fields, reached, plan, agreed, begin)
    inputs = [agreed, reached, *fields.values()]
    frame.acts(
        frame.any_of([show.click, reached.act, fields["models"].change]),
        partial(_planned, made),
        inputs,
        made.outputs,
        asks=True,
    )
    gr.on(
        [
            fields["models"].select,
            *(field.change for field in fields.values() if field is not fields["models"]),
        ],
        None,
        None,
        [plan, agreed, begin],
        js="() => ['', '', { __type__: 'update', visible: false }]",
        show_progress="hidden",
    )
    act = partial(_started, frame, made)
    frame.acts(begin.click, act, inputs, made.outputs, redraws=None, keys=True, mode="once")
    return made


def _planned(made: Collector, asked: Asked, agreed: str, reached: Any, *values: Any) -> Parts:
    options = _told(made, reached, values)
    around: Parts = {
        **cleaned(made.fields["models"], values[0], options["models"]),
        made.ways: _places(options),
    }
    try:
        found = run_requests.collect_plan(
            asked.scope, asked.project, options, list(ways.keys(reached))
        )
    except CogradeError as error:
        refused = drawn("alert.html", text=str(error))
        nothing = gr.update(visible=False)
        return {**around, made.plan: refused, made.agreed: "", made.begin: nothing}
    return {
        **around,
        made.plan: drawn("run/collected.html", found=found),
        made.agreed: signature(asked.project, options, []),
        made.begin: gr.update(visible=True),
    }


def _started(
    frame: Frame, made: Collector, asked: Asked, agreed: str, reached: Any, *values: Any
) -> Parts:
    options = _told(made, reached, values)
    if agreed != signature(asked.project, options, []):
        drawn_anew = _planned(made, asked, "", reached, *values)
        return drawn_anew | {frame.alert: drawn("alert.html", text=say("runs.page.other_plan"))}
    supervisor = frame.site.supervisor
    keys = run_requests.typed_keys(ways.keys(reached))
    begun, _ = run_requests.collect_start(asked.scope, supervisor, asked.project, options, keys)
    return {
        made.ways: _places(options, str(begun.run)),
        made.plan: "",
        made.agreed: "",
        made.begin: gr.update(visible=False),
    }


def _places(options: dict[str, Any], since: str = "") -> str:
    """The fields for the providers of the models; a name before one is its own name here."""
    models = [re.sub(r"^[^:=]*=", "", model) for model in options["models"]]
    return ways.fields(models, "models", None, since)


def _told(made: Collector, reached: Any, values: Sequence[Any]) -> dict[str, Any]:
    """The options of a collection as the fields say."""
    given = dict(zip(made.fields, values, strict=True))
    return {
        "models": ways.named(given["models"]),
        "system": str(given["system"] or "").strip(),
        **{
            name: number(given[name])
            for name in ("temperature", "max_output_tokens", "budget_money")
        },
        "missing": bool(given["missing"]),
        **ways.addresses(reached),
    }
