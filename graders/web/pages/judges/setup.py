"""The form that sets a judge up: the model with its date, and how it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.runs import judges
from graders.workflows.runs.judges import BESIDE, FIELDS, JudgeList
from graders.workflows.scope import offered_judges

#: Field -> what may be picked in it; the first stands for nothing that is set.
PICKED: Mapping[str, tuple[str, ...]] = {
    "slot": ("", "user"),
    "per": ("", "criterion", "question"),
    "reference": ("", "no"),
    "confidence": ("", "logprobs"),
}
#: Fields in pairs, as they stand below "How it is asked"; the persona stands above.
PAIRS = (
    ("temperature", "top_p"),
    ("max_output_tokens", "reasoning_effort"),
    ("prompt_language", "slot"),
    ("per",),
    ("confidence", "reference"),
    ("order_seed", "samples"),
    ("window",),
    ("base_url",),
    ("headers",),
    ("input_price", "output_price"),
)
#: Those that say more than their name.
HINTED = ("order_seed", "samples", "window", "headers")
#: Numbers that may have a decimal comma.
DECIMAL = [name for name, kind in {**FIELDS, **BESIDE}.items() if kind is float]


@dataclass(frozen=True, slots=True)
class Form:
    """The card: its fields by the name of what they hold."""

    head: Any
    name: Any
    judge: Any
    fields: dict[str, Any]
    fold: Any
    said: Any

    @property
    def outputs(self) -> list[Any]:
        """All that may change."""
        return [self.head, self.name, self.judge, *self.fields.values(), self.fold, self.said]

    def draw(self, asked: Asked, found: JudgeList) -> Parts:
        """The judge that the address names, to be changed or for another like it."""
        if not asked.changed("change", "like"):
            return {}
        change, like = asked.view.one("change"), asked.view.one("like")
        wanted = change or like
        one = next((row for row in found.judges if row.name == wanted and not row.derived), None)
        given = {} if one is None else {**one.options, **{n: getattr(one, n) for n in BESIDE}}
        head = drawn(
            "judges/set_up.html",
            name=one.name if one and change else "",
            arrives=f"{'change' if change else 'like'} {one.name}" if one else "",
            view=asked.view.with_(change="", like=""),
        )
        return {
            self.head: head,
            self.name: one.name if one and change else "",
            self.judge: gr.update(choices=models(), value=one.judge if one else None),
            **{place: as_typed(name, given) for name, place in self.fields.items()},
            self.fold: gr.update(open=one is not None),
            self.said: "",
        }


def card(frame: Frame) -> Form:
    """The card with the form; Enter in a text keeps the judge as its button does."""
    with gr.Column(elem_classes="k-card", elem_id="k-set-up"):
        head = frame.part()
        name = _text("name")
        judge = gr.Dropdown(
            [],
            value=None,
            allow_custom_value=True,
            label=say("runs.judges.page.field.judge"),
            info=say("runs.judges.page.hint.judge"),
        )
        fields: dict[str, Any] = {"persona": field("persona")}
        with gr.Accordion(
            say("runs.judges.page.how"), open=False, elem_classes="k-fold k-first"
        ) as fold:
            for pair in PAIRS:
                with gr.Row(elem_classes="k-pair"):
                    fields |= {one: field(one) for one in pair}
        with gr.Row(elem_classes="k-bar"):
            keep = gr.Button(say("runs.judges.page.keep"), variant="primary")
        said = frame.part()
    made = Form(head, name, judge, fields, fold, said)
    texts = [one for one in (name, *fields.values()) if _one_line(one)]
    frame.acts(
        frame.any_of([keep.click, *(one.submit for one in texts)]),
        partial(_kept, made),
        [name, judge, *fields.values()],
        [said],
        redraws=None,
        mode="once",
    )
    return made


def _one_line(field: Any) -> bool:
    return isinstance(field, gr.Textbox) and field.max_lines == 1


def field(name: str, lines: int = 1) -> Any:
    """A field for one thing that may be set of a judge."""
    if name not in PICKED:
        return _text(name, lines)
    choices = [(say(f"runs.judges.page.{name}.{one or 'plain'}"), one) for one in PICKED[name]]
    return gr.Dropdown(
        choices, value="", label=say(f"runs.judges.page.field.{name}"), filterable=False
    )


def _text(name: str, lines: int = 1) -> Any:
    long = name == "headers" or lines > 1
    return gr.Textbox(
        label=say(f"runs.judges.page.field.{name}"),
        info=say(f"runs.judges.page.hint.{name}") if name in HINTED else None,
        placeholder=say(f"runs.judges.page.empty.{name}"),
        lines=max(lines, 2) if long else 1,
        max_lines=8 if long else 1,
        elem_classes="k-unkept" if name == "headers" else None,
    )


def models() -> list[tuple[str, str]]:
    """Models with prices, to be picked."""
    return [(one.words, one.name) for one in offered_judges.models()]


def as_typed(name: str, fields: Mapping[str, Any]) -> str:
    """What is set of a judge as its field shows it."""
    value = fields.get(name)
    if name == "per" and not value and fields.get("per_criterion"):
        return "criterion"  # how it was said before there was more to choose
    if isinstance(value, bool):
        return "" if value else "no"
    return f"{value:g}" if isinstance(value, float) else "" if value is None else str(value)


def _kept(made: Form, asked: Asked, name: Any, judge: Any, *values: Any) -> Parts:
    """Keep a judge under a name of the project's own."""
    given = {field: read(field, value) for field, value in zip(made.fields, values, strict=True)}
    kept = judges.set_up(asked.scope, asked.project, str(name or ""), str(judge or ""), given)
    return {made.said: drawn("judges/kept.html", kept=kept)}


def read(name: str, value: Any) -> str:
    """Decimal commas are understood; what is no number goes on as it is, to be refused."""
    text = str(value if value is not None else "").strip()
    return text.replace(",", ".") if name in DECIMAL else text
