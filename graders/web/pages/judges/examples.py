"""Where people decided otherwise than a judge, and which of that it is shown as examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.core.errors import CogradeError
from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.runs import corrections as use

#: What the tick of a correction is called in its form, before the row id of its cell.
CELL = "cell."


@dataclass(frozen=True, slots=True)
class Examples:
    """The card of the judge that the address names."""

    box: Any
    rows: Any
    count: Any
    keep: Any
    said: Any

    @property
    def outputs(self) -> list[Any]:
        """All that may change."""
        return [self.box, self.rows, self.count, self.keep, self.said]

    def draw(self, asked: Asked) -> Parts:
        """The corrections of the judge; nothing where the address names none."""
        if not asked.changed("examples"):
            return {}
        name = asked.view.one("examples")
        closed: Parts = {self.rows: "", self.said: "", self.count: ""}
        if not name:
            return {**closed, self.box: gr.update(visible=False)}
        return {**closed, self.box: gr.update(visible=True), **self.looked(asked, name)}

    def looked(self, asked: Asked, name: str) -> Parts:
        """The corrections as they are now."""
        view = asked.view.with_(examples="")
        try:
            found = use.corrections(asked.scope, asked.project, name)
        except CogradeError as error:
            refused = drawn("judges/examples.html", name=name, refused=str(error), view=view)
            return {self.rows: refused, self.count: "", self.keep: gr.update(visible=False)}
        some = any(one.picked for one in found.corrections)
        ticked = [one.cell for one in found.corrections if (one.picked if some else one.suggested)]
        html = drawn(
            "judges/examples.html",
            name=name,
            refused="",
            found=found,
            any=some,
            ticked=ticked,
            view=view,
        )
        return {self.rows: html, **self.counted(found, len(ticked))}

    def counted(self, found: use.Corrections, count: int) -> Parts:
        """How many are chosen, and whether that can be kept."""
        if not found.corrections:
            return {self.count: "", self.keep: gr.update(visible=False)}
        some = any(one.picked for one in found.corrections)
        text = say("runs.judges.page.chosen", n=count, most=found.most)
        words = "none" if some and not count else "these"
        return {
            self.count: drawn("judges/count.html", text=text),
            self.keep: gr.update(
                value=say(f"runs.judges.page.show_it.{words}"),
                interactive=count <= found.most and bool(count or some),
                visible=True,
            ),
        }


def card(frame: Frame) -> Examples:
    """The card; its ticks are counted as they change."""
    with gr.Column(elem_classes="k-card", elem_id="k-examples", visible=False) as box:
        rows = frame.part(acts=True)
        with gr.Row(elem_classes="k-bar"):
            count = frame.part()
            keep = gr.Button(say("runs.judges.page.show_it.these"), variant="primary")
        said = frame.part()
    made = Examples(box, rows, count, keep, said)
    frame.acts(rows.act, partial(_counted, made), [rows], [count, keep])
    frame.acts(
        keep.click,
        partial(_taken, made),
        [rows],
        made.outputs,
        redraws=None,
        mode="once",
    )
    return made


def _counted(made: Examples, asked: Asked, given: Any) -> Parts:
    found = use.corrections(asked.scope, asked.project, asked.view.one("examples"))
    return made.counted(found, len(ticked(given)))


def _taken(made: Examples, asked: Asked, given: Any) -> Parts:
    """Show the judge those that are ticked, and none else."""
    name = asked.view.one("examples")
    done = use.pick(asked.scope, asked.project, name, ticked(given))
    told = drawn("judges/said.html", text=done.message)
    return {**made.looked(asked, name), made.said: told}


def ticked(given: Any) -> Sequence[int]:
    """The cells (row ids) whose ticks are set, from the fields of the form."""
    fields = given if isinstance(given, dict) else {}
    cells = [str(name).removeprefix(CELL) for name, value in fields.items() if value]
    return [int(cell) for cell in cells if cell.isascii() and cell.isdecimal() and len(cell) < 16]
