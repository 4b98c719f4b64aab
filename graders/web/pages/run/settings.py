"""What is drawn and who decides, task types, authors' own texts, rubrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.core.errors import CogradeError
from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.pages.run.planning import number
from graders.workflows.diagnostics import author_texts
from graders.workflows.projects import settings as project_settings
from graders.workflows.projects import task_types
from graders.workflows.routing import review_order
from graders.workflows.routing.consent import NeedsConsent
from graders.workflows.routing.route import route
from graders.workflows.scope.phrases import several

#: Settings that are typed, with what one is in the field: shares are typed in per cent.
TYPED = {
    "calibration": 100,
    "audit": 100,
    "blind": 100,
    "repeat": 100,
    "gold": 100,
    "control": 100,
    "low_confidence": 100,
    "answers_per_screen": 1,
    "overlap": 1,
    "reveal_batch": 1,
}
SWITCHES = ("judge_against_metric", "show_models", "reveal")
#: Categories shown at once.
ROWS = 25


@dataclass(frozen=True, slots=True)
class Beside:
    """The cards: fields by setting, and the parts."""

    fields: dict[str, Any]
    consent: Any
    share: Any
    types: Any
    author: Any
    rubrics: Any

    @property
    def outputs(self) -> list[Any]:
        """All that may change."""
        more = [self.consent, self.share, self.types, self.author, self.rubrics]
        return [*self.fields.values(), *more]

    def filled(self, asked: Asked) -> Parts:
        """Everything as it is kept."""
        found = project_settings.settings(asked.scope, asked.project)
        author = author_texts.card(asked.scope, asked.project)
        return {
            **{field: _as_typed(name, found.settings[name]) for name, field in self.fields.items()},
            self.consent: gr.update(value=False, visible=False),
            self.share: found.sample.words,
            self.rubrics: _rubrics(asked, found),
            self.author: _author(author) if author.wanted else "",
            **self.turned(asked),
        }

    def turned(self, asked: Asked, said: str = "") -> Parts:
        """The page of the task types that the address asks for."""
        categories = task_types.categories(asked.scope, asked.project)
        pages = max(1, -(-len(categories) // ROWS))
        at = min(max(1, asked.view.number("types")), pages)
        rows = categories[(at - 1) * ROWS : at * ROWS]
        stated = {
            row.category: ", ".join(f"{n:,} {kind}" for kind, n in row.stated_types.items())
            for row in rows
        }
        places = {"rows": rows, "stated": stated, "at": at, "pages": pages, "said": said}
        return {self.types: drawn("run/types.html", view=asked.view, **places) if rows else ""}


def cards(frame: Frame) -> Beside:
    """The cards of a project's settings."""
    rubrics = frame.part(acts=True)
    with gr.Column(elem_classes="k-card"):
        fields: dict[str, Any] = {}
        with gr.Accordion(say("runs.page.settings"), open=False, elem_classes="k-fold k-first"):
            fields["calibration"] = _text("calibration")
            consent = gr.Checkbox(label=say("runs.page.consent"), visible=False)
            share = gr.Markdown(elem_classes="k-said")
            fields |= {name: _text(name) for name in TYPED if name not in (*fields, "reveal_batch")}
            for name in SWITCHES:
                hint = say("runs.page.reveal.hint") if name == "reveal" else None
                fields[name] = gr.Checkbox(label=say(f"runs.page.setting.{name}"), info=hint)
            fields["reveal_batch"] = _text("reveal_batch")
            fields[review_order.SETTING] = gr.Dropdown(
                [(say(f"runs.page.order.{name}"), name) for name in review_order.ORDERS],
                label=say("runs.page.order"),
                filterable=False,
            )
            with gr.Row(elem_classes="k-bar"):
                keep = gr.Button(say("runs.page.keep"))
                again = gr.Button(say("runs.page.route"))
            said = frame.part()
    made = Beside(
        fields,
        consent,
        share,
        frame.part(acts=True),
        frame.part(acts=True),
        rubrics,
    )
    typed = [consent, *fields.values()]
    frame.acts(
        keep.click, partial(_kept, frame, made, said), typed, [said, share, consent], mode="once"
    )
    frame.acts(again.click, partial(_routed, frame, said), [], [said], redraws=None, mode="once")
    frame.acts(
        made.types.act, partial(_chosen, made), [], [made.types], redraws=None, mode="multiple"
    )
    frame.acts(made.author.act, partial(_mixed, made), [], [made.author], redraws=None, mode="once")
    frame.acts(
        made.rubrics.act, partial(_changed, made), [], [made.rubrics], redraws=None, mode="once"
    )
    return made


def _text(name: str) -> Any:
    return gr.Textbox(label=say(f"runs.page.setting.{name}"), max_lines=1, elem_classes="k-number")


def _as_typed(name: str, value: Any) -> Any:
    """A setting as its field shows it."""
    return f"{value * TYPED[name]:.4g}" if name in TYPED else value


def _kept(frame: Frame, made: Beside, said: Any, asked: Asked, consent: Any, *values: Any) -> Parts:
    """Keep what is typed; a share above half is kept once somebody said so in a box of its own."""
    given = dict(zip(made.fields, values, strict=True))
    changes = {name: _read(name, value) for name, value in given.items()}
    try:
        found = project_settings.change_settings(
            asked.scope, asked.project, changes, consent=consent is True
        )
    except NeedsConsent as error:
        refused = drawn("alert.html", text=str(error))
        return {frame.alert: refused, said: "", made.consent: gr.update(visible=True)}
    text = drawn("run/said.html", text=say("runs.page.kept"))
    nothing = gr.update(value=False, visible=False)
    return {said: text, made.share: found.sample.words, made.consent: nothing}


def _read(name: str, value: Any) -> Any:
    """What is typed as a setting; what is no number goes on as it is, to be refused."""
    if name not in TYPED:
        return value
    typed = number(value)
    return typed / TYPED[name] if isinstance(typed, int | float) and TYPED[name] > 1 else typed


def _routed(frame: Frame, said: Any, asked: Asked) -> Parts:
    routed = route(asked.scope, asked.project)
    frame.site.supervisor.sort(asked.scope.ws, asked.project)
    counts = [f"{sum(reasons.values()):,} {way}" for way, reasons in routed.routes.items()]
    screens = say("runs.page.routed.screens", n=routed.screens)
    text = say("runs.page.routed", counts=", ".join(counts), screens=screens)
    return {said: drawn("run/said.html", text=text)}


def _chosen(made: Beside, asked: Asked) -> Parts:
    category, chosen = str(asked.event.get("category") or ""), str(asked.event.get("value") or "")
    count = task_types.map_categories(asked.scope, asked.project, {category: chosen})
    name = category or say("runs.page.types.none")
    questions = several(count, "question")
    said = say("runs.page.types.saved", category=name, chosen=chosen, questions=questions)
    return made.turned(asked, said)


def _mixed(made: Beside, asked: Asked) -> Parts:
    given = {name: str(asked.event.get(name) or "") for name in _AUTHOR}
    author_texts.add_text(asked.scope, asked.project, *given.values())
    found = author_texts.card(asked.scope, asked.project)
    return {made.author: _author(found, say("runs.page.author.said"), given)}


def _author(
    found: author_texts.Card, said: str = "", before: Mapping[str, str] | None = None
) -> str:
    """The card of authors' texts. The next one may be of the same author, on the same question."""
    kept = {name: (before or {}).get(name, "") for name in ("question", "author")}
    return drawn("run/author.html", found=found, said=said, kept=kept)


_AUTHOR = ("question", "author", "text", "source")


def _changed(made: Beside, asked: Asked) -> Parts:
    name, source = str(asked.event.get("rubric") or ""), str(asked.event.get("source") or "")
    try:
        found = project_settings.change_rubric(asked.scope, asked.project, name, source)
    except CogradeError as error:
        found = project_settings.settings(asked.scope, asked.project)
        return {made.rubrics: _rubrics(asked, found, name, refused=str(error), typed=source)}
    return {made.rubrics: _rubrics(asked, found, name)}


def _rubrics(
    asked: Asked,
    found: project_settings.ProjectSettings,
    kept: str = "",
    refused: str = "",
    typed: str = "",
) -> str:
    rubrics: Sequence[project_settings.RubricHead] = found.rubrics
    places = {"project": asked.project, "kept": kept, "refused": refused, "typed": typed}
    return drawn("run/rubrics.html", rubrics=rubrics, **places)
