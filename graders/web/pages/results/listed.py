"""The table of answers: what they have, filters, order, a page of rows, the way to save all."""

from __future__ import annotations

from typing import Any

from graders.core.words import say
from graders.store.figures.answer_list import Having, Order
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.results.answer_list import answer_list

#: Filters of the table alone; the others are those of the whole page.
FILTERS = ("of_model", "of_criterion", "annotator")
#: Parameters that say which answers are listed.
PARAMETERS = ("having", "by", *FILTERS)
#: What is listed of one answer; the rest is in the answer itself.
FEW = 3


class Listed:
    """The fields and the table."""

    def __init__(self, frame: Frame) -> None:
        self.fields: dict[str, Any] = {
            "having": gr.Radio(
                [(say(f"results.list.having.{one}"), _in_address(one)) for one in Having],
                label=say("results.list.having"),
                value="",
                visible=False,
            )
        }
        with gr.Row(elem_classes="k-filters"):
            for name in FILTERS:
                label = say(f"results.list.filter.{name.removeprefix('of_')}")
                self.fields[name] = gr.Dropdown([], label=label, visible=False)
            self.fields["by"] = gr.Dropdown(
                [(say(f"results.list.order.{one}"), _in_address(one)) for one in Order],
                label=say("results.list.order"),
                value="",
                filterable=False,
                visible=False,
            )
        self.table = frame.part()

    def hidden(self) -> Parts:
        """Nothing of it."""
        return {self.table: "", **{one: gr.update(visible=False) for one in self.fields.values()}}

    def drawn(self, asked: Asked, filters: dict[str, str]) -> Parts:
        """The page of the table that the address asks for."""
        view = asked.view
        having = view.one("having") or Having.ANY
        narrowed = {name.removeprefix("of_"): view.one(name) for name in FILTERS}
        found = answer_list(
            asked.scope,
            asked.project,
            having,
            {**filters, **narrowed},
            view.one("by"),
            view.number("lpage"),
        )
        parts: Parts = {
            self.fields["having"]: gr.update(value=view.one("having"), visible=True),
            self.fields["by"]: gr.update(value=view.one("by"), visible=True),
        }
        for name in FILTERS:
            plain = name.removeprefix("of_")
            offered = [(one.words, one.value) for one in found.choices.get(plain, ())]
            parts[self.fields[name]] = gr.update(
                choices=[(say(f"results.list.filter.{plain}.all"), ""), *offered],
                value=view.one(name),
                visible=len(offered) > 1 or name in view,
            )
        table = drawn("results/listed.html", found=found, view=view, few=FEW)
        return {**parts, self.table: table}


def _in_address(one: Having | Order) -> str:
    """Its value in the address, which leaves out what goes without saying."""
    return "" if one in (Having.ANY, Order.QUESTION) else one.value
