"""Fields that say which verdicts count: Agreement, Leaderboard, Diagnostics and Anchoring have them
in common, under the same parameters of the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.words import say
from graders.web.kit.drawing import drawn
from graders.web.kit.frame import Frame, Parts
from graders.web.kit.gradio import gr
from graders.web.kit.view import View
from graders.workflows.opinions.narrowing import ALL, Choice, filters_of

#: Filters of several values, each an alternative.
SEVERAL = ("category", "task_type", "language", "model", "annotator", "action", "neighbours")
DATES = ("since", "until")
#: Parameters that belong to the verdicts a filter takes out: pages of lists, a cell of a matrix.
AGAIN = ("p", "cpage", "value_a", "value_b")


class Counted:
    """Which verdicts count: blind ones or all, of which draw, and filters behind a fold.

    What is made inside stands where the frame is. `blind`: whether a switch between blind verdicts
    and all is there, and the choice of a draw.
    """

    def __init__(self, frame: Frame, *, blind: bool = True) -> None:
        self.fields: dict[str, Any] = {}
        if blind:
            choices = [(say("kit.counted.blind"), ""), (say("kit.counted.all"), "0")]
            with gr.Row(elem_classes="k-filters"):
                self.fields["blind"] = gr.Radio(
                    choices,
                    value="",
                    label=say("kit.counted.which"),
                    info=say("kit.counted.why"),
                )
                self.fields["population"] = gr.Dropdown(
                    [], label=say("kit.counted.population"), visible=False
                )
        self.fold = gr.Accordion(say("kit.counted.filters"), open=False, elem_classes="k-fold")
        with self.fold:
            with gr.Row(elem_classes="k-fields"):
                for name in SEVERAL:
                    self.fields[name] = gr.Dropdown(
                        [],
                        multiselect=True,
                        label=say(f"kit.counted.{name}"),
                        visible=False,
                    )
                for name in DATES:
                    self.fields[name] = gr.Textbox(
                        label=say(f"kit.counted.{name}"),
                        placeholder=say("kit.counted.date"),
                        max_lines=1,
                        max_length=10,
                    )
                self.fields["wording"] = gr.Dropdown(
                    [], label=say("kit.counted.wording"), visible=False
                )
            self._clear = frame.part()
        self.outputs = [self.fold, self._clear]

    @property
    def names(self) -> list[str]:
        """The parameters of the address that say which verdicts count."""
        return list(self.fields)

    def of(self, view: View) -> dict[str, Any]:
        """What an address asks for, as use cases take it. InputError for what there is not."""
        filters = filters_of({name: view[name] for name in ALL if name in view})
        if "blind" not in self.fields:
            return {"filters": filters}
        return {
            "blind_only": view.one("blind") != "0",
            "population": view.one("population"),
            "filters": filters,
        }

    def filled(
        self,
        view: View,
        choices: Mapping[str, Sequence[Choice]],
        populations: Sequence[tuple[str, str]] = (),
    ) -> Parts:
        """The fields with what there is to choose, and what the address chose; a field without two
        things to choose is not shown. `populations`: (words, name) of the draws."""
        blind = view.one("blind") != "0"
        parts: Parts = {}
        for name in SEVERAL:
            offered = [(one.words, one.value) for one in choices.get(name, ())]
            chosen = list(view[name])
            # what was given blind was typed: there is nothing to choose from
            some = len(offered) > 1 and (name != "action" or not blind)
            parts[self.fields[name]] = gr.update(
                choices=offered, value=chosen, visible=bool(some or chosen)
            )
        parts |= {self.fields[name]: view.one(name) for name in DATES}
        earlier = [
            (one.words, one.value)
            for one in choices.get("wording", ())
            if not getattr(one, "active", True)
        ]
        parts[self.fields["wording"]] = gr.update(
            choices=[(say("kit.counted.wording.present"), ""), *earlier],
            value=view.one("wording"),
            visible=bool(earlier),
        )
        if "blind" in self.fields:
            parts[self.fields["blind"]] = "" if blind else "0"
            parts[self.fields["population"]] = gr.update(
                choices=list(populations),
                value=view.one("population"),
                visible=blind and len(populations) > 1,
            )
        return parts | self._said(view)

    def shown(self, parts: Parts, name: str, there: bool) -> Parts:
        """The same parts with a field shown only where it is `there`, and means something."""
        field = self.fields[name]
        if there and name == "blind":
            return {**parts, field: gr.update(value=parts[field], visible=True)}
        return parts if there else {**parts, field: gr.update(visible=False)}

    def _said(self, view: View) -> Parts:
        """How many filters are set, and the way back."""
        chosen = [name for name in ALL if name in view]
        label = say("kit.counted.filters")
        if chosen:
            label = say("kit.counted.filters.set", n=len(chosen))
        cleared = dict.fromkeys((*ALL, *AGAIN), "")
        clear = drawn("clear.html", view=view, cleared=cleared) if chosen else ""
        return {self.fold: gr.update(label=label), self._clear: clear}
