"""Planning a run: which judges, how many calls at once, how much money; what it costs is shown
before anything is sent."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.core import provider_names
from graders.core.errors import CogradeError, InputError
from graders.core.hashing import text_hash
from graders.core.money import dollars
from graders.core.words import error_parts, say
from graders.web import run_requests
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.pages.run import ways
from graders.workflows.measuring import text_scores
from graders.workflows.projects import prices
from graders.workflows.runs.run_page import RunPage
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.runs.shown_run import ShownRun, status
from graders.workflows.scope import offered_judges

#: Answers that a judge is tried on before all are asked about.
TRIES = 5
PANELS = ("", "median", "majority", "none")
#: Hides what was said of other settings, and offers to make the plan anew, when somebody changes
#: them: fields change too when the page fills them.
STALE = """() => {
  if (!document.activeElement?.closest('.k-plan')) return Array(5).fill({ __type__: 'update' });
  const seen = (visible) => ({ __type__: 'update', visible });
  return ['', '', seen(true), seen(false), seen(false)];
}"""


@dataclass(frozen=True, slots=True)
class Planner:
    """The card: its fields by the name of the option that they hold, and what else it draws."""

    fields: dict[str, Any]
    fold: Any
    ways: Any
    plan: Any
    agreed: Any
    show: Any
    start: Any
    attempt: Any

    @property
    def outputs(self) -> list[Any]:
        """All that may change."""
        more = [self.fold, self.ways, self.plan, self.agreed, self.show, self.start, self.attempt]
        return [*self.fields.values(), *more]

    @property
    def inputs(self) -> list[Any]:
        """All that says what is wanted."""
        return [self.agreed, self.ways, *self.fields.values()]

    def ask(self, since: str) -> Parts:
        """Let the plan be made as soon as the page stands."""
        hidden = gr.update(visible=False)
        waiting = drawn("run/waiting.html", since=since)
        return {
            self.plan: waiting,
            self.agreed: "",
            self.show: hidden,
            self.start: hidden,
            self.attempt: hidden,
        }

    def filled(self, asked: Asked, found: RunPage) -> Parts:
        """The fields as the last run had them, with what there is to pick."""
        run = None if found.run is None or found.run.workshop or found.run.collects else found.run
        judges = run.judges if run else []
        offers = offered_judges.offered(asked.scope, asked.project, found.known_judges)
        scores = text_scores.choices(asked.scope, asked.project)
        free = [score for score in scores if not score.rubric]
        fields = self.fields
        return {
            fields["judges"]: gr.update(
                choices=[(one.words, one.name) for one in offers], value=judges
            ),
            fields["concurrency"]: _text(run.concurrency if run else None) or "64",
            fields["budget_money"]: _text(run.budget_money if run else None),
            fields["budget_calls"]: _text(run.budget_calls if run else None),
            fields["panel"]: gr.update(value=run.panel if run else "", visible=len(judges) > 1),
            fields["metrics"]: gr.update(
                choices=[(f"{score.title}: {score.about}", score.name) for score in free],
                value=[score.name for score in free if score.chosen],
                info=_scores_of_rubrics([score.title for score in scores if score.rubric]),
            ),
            fields["split"]: gr.update(value=run.split if run else "", visible=found.claims),
            fields["faults"]: bool(run and run.faults),
            fields["batch"]: bool(run and run.batch),
            fields["anchors"]: gr.update(value=run.anchors if run else True, visible=False),
            # what is taken over is seen
            self.fold: gr.update(open=bool(run and (run.base_url or run.base_urls or run.headers))),
            self.ways: ways.fields(_asked(judges, run), "judges", run),
        }


def card(frame: Frame) -> Planner:
    """The card that plans and starts a run."""
    frame.part(value=drawn("run/header.html", title=say("runs.page.plan")))
    fields: dict[str, Any] = {"judges": judges_field()}
    frame.part(value=providers(batches=True))
    plan = frame.part(acts=True)
    agreed = gr.Textbox(visible=False)
    with gr.Row(elem_classes="k-bar"):
        show = gr.Button(say("runs.page.show_plan"), visible=False)
        start = gr.Button(say("runs.page.start"), variant="primary", visible=False)
        attempt = gr.Button(say("runs.page.try"), visible=False)
    with gr.Accordion(say("runs.page.limits"), open=True, elem_classes="k-fold"), gr.Row():
        fields |= {
            name: gr.Textbox(label=say(f"runs.page.{name}"), max_lines=1, placeholder=hint)
            for name, hint in (
                ("concurrency", ""),
                ("budget_money", say("runs.page.no_limit")),
                ("budget_calls", say("runs.page.no_limit")),
            )
        }
    with gr.Accordion(say("runs.page.more"), open=False, elem_classes="k-fold"):
        fields |= _further()
    fold, reached = ways.section(frame, say("runs.page.ways"))
    made = Planner(fields, fold, reached, plan, agreed, show, start, attempt)
    _listen(frame, made)
    return made


def providers(*, batches: bool) -> str:
    """What the providers are whose models can be picked, and their `batches`."""
    known = provider_names.offered()
    return drawn("run/providers.html", providers=known, batches=batches)


def judges_field() -> Any:
    """The list that judges are picked from; one that is not in it may be typed."""
    return gr.Dropdown(
        [],
        multiselect=True,
        allow_custom_value=True,
        label=say("runs.page.judges"),
        info=say("runs.page.judges.hint"),
    )


def _further() -> dict[str, Any]:
    """What most runs leave as it is."""
    taking = [
        say("runs.page.batch.at", word=one.word, share=round(100 * one.batch_share))
        for one in provider_names.offered()
        if one.batch_share is not None
    ]
    return {
        "panel": gr.Radio(
            [(say(f"runs.page.panel.{name or 'each'}"), name) for name in PANELS],
            label=say("runs.page.panel"),
            value="",
            visible=False,
        ),
        "metrics": gr.CheckboxGroup([], label=say("runs.page.scores")),
        "split": gr.Textbox(
            label=say("runs.page.split"),
            info=say("runs.page.split.hint"),
            placeholder=say("runs.page.split.none"),
            max_lines=1,
            visible=False,
        ),
        "faults": gr.Checkbox(label=say("runs.page.faults"), info=say("runs.page.faults.hint")),
        "batch": gr.Checkbox(
            label=say("runs.page.batch"),
            info=say(
                "runs.page.batch.hint", providers=", ".join(taking) or say("runs.page.batch.none")
            ),
        ),
        "anchors": gr.Checkbox(
            True,
            label=say("runs.page.anchors"),
            info=say("runs.page.anchors.hint"),
            visible=False,
        ),
    }


def _listen(frame: Frame, made: Planner) -> None:
    typed = [field for field in made.fields.values() if isinstance(field, gr.Textbox)]
    picked = [field for field in made.fields.values() if field not in typed]
    judges = made.fields["judges"]
    asking = [
        made.plan.act,
        made.ways.act,
        made.show.click,
        judges.change,  # what is typed into it, or taken out, is no input to Gradio
        *(field.input for field in picked if field is not judges),
        *(listen for field in typed for listen in (field.submit, field.blur)),
    ]
    frame.acts(
        frame.any_of(asking), partial(_planned, frame, made), made.inputs, made.outputs, asks=True
    )
    gr.on(
        # Gradio hears no paste as an input of a text
        [judges.select, *(field.change for field in typed), *(field.input for field in picked)],
        None,
        None,
        [made.plan, made.agreed, made.show, made.start, made.attempt],
        js=STALE,
        show_progress="hidden",
    )
    for button, more in ((made.start, {}), (made.attempt, {"tries": TRIES, "batch": False})):
        frame.acts(
            button.click,
            partial(_started, frame, made, more),
            made.inputs,
            made.outputs,
            redraws=None,
            keys=True,
            mode="once",
        )


def _planned(
    frame: Frame, made: Planner, asked: Asked, agreed: str, reached: Any, *values: Any
) -> Parts:
    """The plan of what the fields say; nothing where it is shown already."""
    options = told(made, reached, values)
    keyed = list(ways.keys(reached))
    if "price" in asked.event:
        said = (str(asked.event.get(name) or "") for name in ("price", "first", "second"))
        prices.keep_price(asked.scope, asked.project, *said)
        agreed = ""
    name = signature(asked.project, options, keyed)
    if agreed == name:
        return {}
    hidden = gr.update(visible=False)
    names = options["judges"]
    run = status(asked.scope, asked.project)
    split = [options["split"]] if options["split"] else []
    around: Parts = {
        **({frame.alert: ""} if "price" in asked.event else {}),
        **cleaned(made.fields["judges"], values[0], names),
        made.fields["panel"]: gr.update(visible=len(names) > 1),
        made.ways: ways.fields([*names, *split], "judges", run, (run and str(run.id)) or ""),
        made.show: hidden,
    }
    try:
        found = run_requests.plan(asked.scope, asked.project, options, keyed)
    except CogradeError as error:
        refused = drawn("alert.html", text=str(error))
        return around | {
            made.plan: refused,
            made.agreed: "",
            made.start: hidden,
            made.attempt: hidden,
        }
    kept = asked.scope.project(asked.project).settings.get(prices.SETTING) or {}
    trying = any(judge.calls - judge.known > TRIES for judge in found.judges)
    return around | {
        made.fields["anchors"]: gr.update(visible=found.anchors),
        made.plan: drawn("run/plan.html", found=found, prices=kept),
        made.agreed: name,
        made.start: gr.update(visible=True),
        made.attempt: gr.update(visible=trying, value=_try_words(found)),
    }


def _started(
    frame: Frame,
    made: Planner,
    more: dict[str, Any],
    asked: Asked,
    agreed: str,
    reached: Any,
    *values: Any,
) -> Parts:
    """Start what was planned. Nothing is spent before its plan was seen: of other settings than
    those of the plan the plan comes first."""
    options = told(made, reached, values)
    typed = ways.keys(reached)
    if not _same(agreed, signature(asked.project, options, list(typed))):
        drawn_anew = _planned(frame, made, asked, "", reached, *values)
        if drawn_anew.get(made.agreed):
            drawn_anew[frame.alert] = drawn("alert.html", text=say("runs.page.other_plan"))
        return drawn_anew
    supervisor = frame.site.supervisor
    keys = run_requests.typed_keys(typed)
    begun, _ = run_requests.start(asked.scope, supervisor, asked.project, {**options, **more}, keys)
    run = status(asked.scope, asked.project)
    # keys were used and are kept nowhere
    return {made.ways: ways.fields(_asked(options["judges"], run), "judges", run, str(begun.run))}


def told(made: Planner, reached: Any, values: Sequence[Any]) -> dict[str, Any]:
    """The options of a run as the fields say."""
    given = dict(zip(made.fields, values, strict=True))
    metrics = given["metrics"]
    if not isinstance(metrics, list):
        raise InputError(**error_parts("web.run.metrics", value=repr(metrics)[:60]))
    judges = ways.named(given["judges"])
    return {
        "judges": judges,
        "panel": given["panel"] if len(judges) > 1 else "",
        "split": str(given["split"] or "").strip(),
        "metrics": metrics or [text_scores.NO_SCORES],
        **{name: number(given[name]) for name in ("concurrency", "budget_money", "budget_calls")},
        **ways.addresses(reached),
        **{name: bool(given[name]) for name in ("faults", "batch", "anchors")},
    }


def cleaned(field: Any, given: Any, names: list[str]) -> Parts:
    """A list with the names that were typed into it, each by itself; nothing where it has them."""
    return {} if given == names else {field: names}


def number(typed: Any) -> int | float | str | None:
    """A number as it was typed, decimal commas too; what is none goes on as it is, for who reads
    it to say so."""
    text = str(typed if typed is not None else "").strip().replace(",", ".")
    try:
        value = float(text)
    except ValueError:
        return text or None
    if not math.isfinite(value):
        return text
    return int(value) if value.is_integer() else value


def signature(project: str, options: dict[str, Any], keyed: list[str]) -> str:
    """A name for a plan: what it goes by, and after a dot for what keys are there."""
    told = json.dumps([project, options], sort_keys=True)
    return f"{text_hash(told)}.{text_hash(json.dumps(keyed))}"


def _same(one: str, other: str) -> bool:
    """Whether two plans cost the same: keys are for nothing there."""
    return one.partition(".")[0] == other.partition(".")[0]


def _asked(judges: Sequence[str], run: ShownRun | None) -> list[str]:
    return [*judges, *([run.split] if run and run.split else [])]


def _scores_of_rubrics(titles: list[str]) -> str:
    return say("runs.page.scores.rubric", titles="; ".join(titles)) if titles else ""


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:g}"


def _try_words(found: RunPlan) -> str:
    """The button for a try, with what it will cost, about, where a price is known."""
    calls = sum(judge.calls - judge.known for judge in found.judges)
    if not (found.money and calls):
        return say("runs.page.try")
    money = found.money * min(calls, TRIES * len(found.judges)) / calls
    return say("runs.page.try.money", money=dollars(money))
