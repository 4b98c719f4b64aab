"""Rubrics: what is graded and how, chosen in a form beside the text that it is written in; tried on
an answer; versions, and what became stale.

The text says what counts. A change in the form is written into the text, and what is typed in the
text is read into the form; both are a draft, which the browser keeps, until they are put in force.
"""

from __future__ import annotations

from typing import Any

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.rubrics import doing
from graders.web.pages.rubrics.shown import Drafts, Open, draft_of, looked_at, opened
from graders.web.pages.rubrics.trying import Trying
from graders.workflows.rubrics import edit
from graders.workflows.rubrics.edit import EarlierVersion
from graders.workflows.rubrics.rubric_list import RubricRow, rubric_list

#: Where the browser keeps drafts; they are no secret.
KEPT = "cograde-rubrics"
#: When the page begins: draws it anew where the browser keeps another text than the one that is
#: shown, and has what the address brings written into it.
KEEPS = """(drafts, open, text) => {
  const kit = window.cograde;
  if (!open) return;
  const draft = drafts?.[JSON.parse(open).key];
  if (new URLSearchParams(location.search).get('sentence')) kit.act({ do: 'sentence' });
  else if (draft !== undefined && draft !== text) kit.again(true);
}"""
#: Has a text looked at while it is typed: it changes too when the page fills it.
TYPED = """(value) => {
  if (document.activeElement?.closest('.rub-text')) window.cograde.act({ field: 'text', value });
}"""


class RubricsPage:
    """The page under way: its parts, and how they are drawn."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.drafts: Any = gr.BrowserState({}, storage_key=KEPT, secret=KEPT)
        #: Which rubric is open, as JSON; what is to be said of it when it is drawn.
        self.open = gr.Textbox(visible=False)
        self.told = gr.Textbox(visible=False)
        with gr.Row(elem_classes="k-two rub") as self.box:
            with gr.Column(elem_classes="k-main", min_width=0):
                self.form = frame.part()
                with gr.Column(elem_classes="k-card"):
                    with gr.Row(elem_classes="k-bar rub-add"):
                        self.name = gr.Textbox(
                            label=say("rubrics.page.new"),
                            placeholder=say("rubrics.page.new.hint"),
                            max_lines=1,
                            max_length=60,
                        )
                        self.add = gr.Button(say("rubrics.page.add"))
                    self.not_added = self.frame.part()
            with gr.Column(elem_classes="k-main rub-beside", min_width=0):
                self._text_card()
        self.again = frame.part()
        with gr.Column(elem_classes="k-card") as self.trying_box:
            self.trying = Trying(frame, self.text)
        self.versions = frame.part()
        self.gallery = frame.part()
        self.looked = [self.form, self.said, self.changes, self.changes_box, self.put, self.drop]
        outputs = [self.drafts, self.open, self.told, self.box, self.text, self.note, *self.looked]
        outputs += [self.again, self.trying_box, *self.trying.outputs, self.versions, self.gallery]
        frame.draws({}, self.draw, outputs, inputs=[self.drafts, self.told])
        self._act()

    def _text_card(self) -> None:
        with gr.Column(elem_classes="k-card"):
            self.frame.part(value=drawn("rubrics/text.html"))
            self.text = gr.Textbox(
                label=say("rubrics.page.text"),
                show_label=False,
                lines=24,
                max_lines=24,
                elem_classes="rub-text k-written",
                html_attributes=gr.InputHTMLAttributes(spellcheck=False, autocapitalize="off"),
            )
            self.said = self.frame.part()
            with gr.Row(elem_classes="k-bar"):
                self.note = self.frame.part()
                self.drop = gr.Button(say("rubrics.page.drop"), visible=False)
        with gr.Column(elem_classes="k-card") as self.changes_box:
            self.changes = self.frame.part()
            with gr.Row(elem_classes="k-bar"):
                self.put = gr.Button(say("rubrics.page.put"), variant="primary")

    def _act(self) -> None:
        kept = [self.drafts, self.open, self.text]
        self.frame.address.began(None, kept, None, js=KEEPS)
        inputs = [*kept, self.name]
        outputs = [self.drafts, self.told, self.text, self.name, self.note, self.again]
        outputs.append(self.not_added)
        pressed = {"add": (self.add, self.name), "put": self.put, "drop": self.drop}
        self.frame.does(self.act, inputs, [*outputs, *self.looked], {"text": self.text}, pressed)
        # Gradio hears no paste as an input of a text
        self.text.change(None, [self.text], None, js=TYPED)

    def draw(self, asked: Asked) -> Parts:
        """The rubric that the address names, as it is in force or as its draft says."""
        if not asked.project:
            return self._nothing(say("rubrics.page.none"))
        found = rubric_list(asked.scope, asked.project)
        now = opened(found, asked.view)
        gallery = drawn("rubrics/gallery.html", found=found, view=asked.view, open=now is None)
        top = drawn("rubrics/top.html", found=found, view=asked.view, now=now)
        if now is None:
            return {**self._nothing(""), self.frame.top: top, self.gallery: gallery}
        drafts, told = draft_of(asked.values[0]), str(asked.values[1] or "")
        source = drafts.get(now.key, now.source)
        looked = edit.look(asked.scope, asked.project, source, now.name)
        row = now.row
        return {
            **self.shown(asked, now, looked, source),
            self.frame.top: top,
            self.box: gr.update(visible=True),
            self.open: now.said(),
            self.told: "",
            self.text: gr.update(
                value=source, label=say("rubrics.page.text_of", name=looked.name or now.name)
            ),
            self.note: drawn("rubrics/note.html", told=told) if told else "",
            self.put: self._put(now, looked),
            self.again: self._again(asked, row),
            self.trying_box: gr.update(visible=True),
            **self.trying.filled(asked),
            self.versions: self._versions(asked, now),
            self.gallery: gallery,
        }

    def _nothing(self, title: str) -> Parts:
        hidden = gr.update(visible=False)
        return {
            self.frame.top: drawn("empty.html", title=title) if title else "",
            self.box: hidden,
            self.trying_box: hidden,
            self.open: "",
            **dict.fromkeys((self.again, self.versions, self.gallery), ""),
        }

    def shown(
        self, asked: Asked, now: Open, looked: edit.Look, source: str, refused: Any = None
    ) -> Parts:
        """What follows the text: the form, what is wrong with it, and what it would change."""
        parts: Parts = {
            self.said: drawn("rubrics/said.html", errors=looked.errors),
            self.changes: drawn("rubrics/changes.html", found=looked) if looked.form else "",
            self.changes_box: gr.update(visible=looked.form is not None),
            self.put: self._put(now, looked),
            self.drop: gr.update(visible=not now.holds(source)),
        }
        if looked.form is not None:
            parts[self.form] = looked_at(asked, looked, refused)
        elif asked.event.get("field") != "text":  # who types sees the form as it was
            parts[self.form] = drawn("rubrics/no_form.html")
        return parts

    @staticmethod
    def _put(now: Open, looked: edit.Look) -> Any:
        words = say("rubrics.page.put") if now.name else say("rubrics.page.put_new")
        ready = bool(looked.form) and bool(looked.lines) and not looked.errors
        return gr.update(value=words, interactive=ready)

    @staticmethod
    def _again(asked: Asked, row: RubricRow | None) -> str:
        if row is None or not row.stale:
            return ""
        return drawn("rubrics/again.html", row=row, plan=None, started=False, view=asked.view)

    def _versions(self, asked: Asked, now: Open) -> str:
        if now.row is None:
            return ""
        earlier: EarlierVersion | None = None
        if wanted := asked.view.number("version", 0):
            earlier = edit.version(asked.scope, asked.project, now.name, wanted)
        return drawn("rubrics/versions.html", row=now.row, view=asked.view, earlier=earlier)

    def act(self, asked: Asked, drafts: Any, at: Any, text: Any, name: Any) -> Parts:
        """What is typed, chosen or pressed."""
        now = Open.of(at)
        given = doing.Given(asked, now, draft_of(drafts), str(text or ""), str(name or ""))
        did = str(asked.event.get("do") or "")
        match did:
            case "put":
                return self._moved(given, *doing.put(given))
            case "drop":
                return self._moved(given, given.without(), "")
            case "sentence":
                return self._moved(given, given.kept(doing.with_sentence(given)), "")
            case "cost" | "start":
                return {self.again: doing.again(given, did, self.frame.site.supervisor)}
            case "take":
                return self._moved(given, given.kept(doing.earlier(given)), "")
        return self._edited(given)

    def _moved(self, given: doing.Given, drafts: Drafts, told: str, rubric: str = "") -> Parts:
        """Draw the page anew with other drafts: at the same address without what was done by it, or
        at the one of a `rubric` that was put in force."""
        view = given.asked.view.with_(sentence="", version="")
        to = view.to(rubric=rubric, gallery="", criterion="") if rubric else "=" + view.to()
        return {self.drafts: drafts, self.told: told, self.frame.acting: to}

    def _edited(self, given: doing.Given) -> Parts:
        """The text as it is typed, or with a change of the form in it."""
        done = doing.edited(given)
        parts = self.shown(given.asked, given.open, done.looked, done.source, done.refused)
        parts |= {self.drafts: given.kept(done.source), self.note: ""}
        if done.source != given.text:
            parts[self.text] = done.source
        if given.asked.event.get("do") == "add":
            parts |= {} if done.refused else {self.name: ""}
            refused = done.refused and drawn("alert.html", text=done.refused["text"])
            parts[self.not_added] = refused or ""
        if done.refused and done.looked.form is None:
            parts[self.said] = drawn("alert.html", text=done.refused["text"])
        return parts


def build(frame: Frame) -> None:
    """The form and the text, what would change, a try, versions and the gallery."""
    RubricsPage(frame)


page = Page(
    path="/rubrics",
    title="Rubrics",
    nav="Rubrics",
    group="set_up",
    order=12,
    css=("lead/lead.css", "lead/projects.css", "kit/kit.css", "rubrics/rubrics.css"),
    build=build,
)
