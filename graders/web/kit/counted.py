"""Fields that say which verdicts count, under the parameters of the address that all pages with
figures of verdicts have in common."""

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
    """Which verdicts count: blind ones or all, of which draw, and filters behind a fold."""

    def __init__(self, frame: Frame) -> None:
        choices = [(say("kit.counted.blind"), ""), (say("kit.counted.all"), "0")]
        with gr.Row(elem_classes="k-filters"):
            self.fields: dict[str, Any] = {
                "blind": gr.Radio(
                    choices,
                    value="",
                    label=say("kit.counted.which"),
                    info=say("kit.counted.why"),
                ),
                "population": gr.Dropdown([], label=say("kit.counted.population"), visible=False),
            }
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

    def of(self, view: View) -> dict[str, Any]:
        """What an address asks for, as use cases take it. InputError for what there is not."""
        return {
            "blind_only": view.one("blind") != "0",
            "population": view.one("population"),
            "filters": filters_of({name: view[name] for name in ALL if name in view}),
        }

    def filled(
        self,
        view: View,
        choices: Mapping[str, Sequence[Choice]],
        populations: Sequence[tuple[str, str]] = (),
        hidden: Sequence[str] = (),
        before: View | None = None,
    ) -> Parts:
        """The fields with what there is to choose, and what the address chose. A field without two
        things to choose is not shown, nor one that is `hidden`, which means nothing in this view.
        `populations`: (words, name) of the draws. Given the view `before`, where the same was
        hidden, fields that show what they should are left alone."""
        if before is not None and all(view[name] == before[name] for name in self.fields):
            return {}
        blind = view.one("blind") != "0"
        offered: dict[str, list[tuple[str, str]]] = {
            name: [(one.words, one.value) for one in choices.get(name, ())] for name in SEVERAL
        }
        if blind:  # what was given blind was typed: there is nothing to choose from
            offered["action"] = []
        earlier = [
            (one.words, one.value)
            for one in choices.get("wording", ())
            if not getattr(one, "active", True)
        ]
        shown = {name: len(some) > 1 or bool(view[name]) for name, some in offered.items()}
        shown |= {"population": blind and len(populations) > 1, "wording": bool(earlier)}
        offered |= {
            "population": list(populations) or [("", "")],  # a value is among the choices
            "wording": [(say("kit.counted.wording.present"), ""), *earlier],
        }
        parts: Parts = {self.fields[name]: view.one(name) for name in DATES}
        there = "blind" not in hidden
        parts[self.fields["blind"]] = gr.update(value="" if blind else "0", visible=there)
        for name, some in offered.items():
            parts[self.fields[name]] = gr.update(
                choices=some,
                value=list(view[name]) if name in SEVERAL else view.one(name),
                visible=shown[name] and name not in hidden,
            )
        if before is not None and view["blind"] == before["blind"]:
            same = [self.fields[name] for name in self.fields if view[name] == before[name]]
            parts = {field: value for field, value in parts.items() if field not in same}
        return parts | self._said(view)

    def _said(self, view: View) -> Parts:
        """How many filters are set, and the way back."""
        chosen = [name for name in ALL if name in view]
        label = say("kit.counted.filters")
        if chosen:
            label = say("kit.counted.filters.set", n=len(chosen))
        cleared = dict.fromkeys((*ALL, *AGAIN), "")
        clear = drawn("clear.html", view=view, cleared=cleared) if chosen else ""
        return {self.fold: gr.update(label=label), self._clear: clear}
