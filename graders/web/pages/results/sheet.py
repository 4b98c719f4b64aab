"""A sheet that comes back: choose the file, see what would change, take it in."""

from __future__ import annotations

from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.workflows.sheet import sheet

#: Changes and bad values that are listed; all are counted.
LISTED = 100


def section(frame: Frame) -> Any:
    """The fields, folded; returns the field for the person, which a page may fill in."""
    with gr.Accordion(say("results.sheet"), open=False, elem_classes="k-fold"):
        gr.Markdown(say("results.sheet.hint"))
        with gr.Row():
            file = frame.upload(say("results.sheet.file"), ".xlsx,.xlsm")
            person = gr.Textbox(label=say("results.sheet.person"), max_length=80)
            code = gr.Textbox(
                label=say("results.sheet.code"), info=say("results.sheet.code.why"), max_length=20
            )
        # a field that is not there at all would not say that it changed
        token = gr.Textbox(visible="hidden")
        with gr.Row():
            look = gr.Button(say("results.sheet.look"), interactive=False)
            take = gr.Button(say("results.sheet.take"), variant="primary", interactive=False)
        said = frame.part()

    def seen(asked: Asked, kept: str, who: str, code: str) -> Parts:
        path, _ = frame.site.uploads.find(asked.scope.ws, kept)
        made, changes = sheet.look(asked.scope, asked.project, sheet.book_at(str(path)), who, code)
        return {
            look: gr.update(interactive=True),
            take: gr.update(interactive=bool(made.verdicts)),
            said: _told(made, changes, taken=False),
        }

    def come(asked: Asked, kept: str, who: str, code: str) -> Parts:
        # who presses Enter before a file is there need not press again
        return seen(asked, kept, who, code) if kept and who.strip() else {}

    def sent(asked: Asked, before: str | None) -> Parts:
        if before:
            frame.site.uploads.drop(before)
        return {token: str(asked.event.get("token") or ""), look: gr.update(interactive=True)}

    def taken(asked: Asked, kept: str, who: str, code: str) -> Parts:
        path, _ = frame.site.uploads.find(asked.scope.ws, kept)
        made = sheet.read(asked.scope, asked.project, sheet.book_at(str(path)), who, code)
        frame.site.uploads.drop(kept)
        nothing = gr.update(interactive=False)
        return {token: "", look: nothing, take: nothing, said: _told(made, (), taken=True)}

    shown = [token, look, take, said]
    frame.acts(file.sent, sent, [token], shown)
    for listen in (look.click, person.submit):
        frame.acts(listen, seen, [token, person, code], shown)
    frame.acts(token.change, come, [token, person, code], shown)
    frame.acts(take.click, taken, [token, person, code], shown, redraws=True)
    # only what was looked at is taken in
    person.input(None, None, [take], js="() => ({__type__: 'update', interactive: false})")
    return person


def _told(made: sheet.Brought, changes: Any, *, taken: bool) -> str:
    return drawn(
        "results/sheet.html",
        found=made,
        changes=changes[:LISTED],
        bad_rows=made.bad_rows[:LISTED],
        taken=taken,
    )
