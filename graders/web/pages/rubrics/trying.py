"""The text in the editor tried on one real answer: rules at once, metrics as measured, a judge when
one is named."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from graders.core.errors import CogradeError, InputError
from graders.core.words import error_parts, say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.markdown import render
from graders.workflows.rubrics.try_rubric import try_rubric
from graders.workflows.runs import try_judge
from graders.workflows.scope import offered_judges


class Trying:
    """The card: an answer, a judge, and what they say."""

    def __init__(self, frame: Frame, text: Any) -> None:
        frame.part(value=drawn("rubrics/try.html"))
        with gr.Row():
            self.answer = gr.Dropdown([], label=say("rubrics.page.answer.label"))
            self.judge = gr.Dropdown(
                [],
                label=say("rubrics.page.judge"),
                allow_custom_value=True,
            )
        with gr.Row(elem_classes="k-bar"):
            self.go = gr.Button(say("rubrics.page.try"))
        self.result = frame.part()
        wait = drawn("rubrics/waiting.html")
        self.go.click(None, None, [self.result], js=f"() => {wait!r}")
        inputs = [text, self.answer, self.judge]
        frame.acts(self.go.click, self.tried, inputs, [self.result], mode="once")

    @property
    def outputs(self) -> list[Any]:
        """All that may change."""
        return [self.answer, self.judge, self.go, self.result]

    def filled(self, asked: Asked) -> Parts:
        """The answers and judges that there are to choose from."""
        if not asked.changed("rubric", "gallery"):
            return {}
        answers = try_judge.offered(asked.scope, asked.project)
        judges = offered_judges.offered(asked.scope, asked.project)
        first = str(answers[0].id) if answers else None
        choices = [(f"{one.model}: {one.question[:70]}", str(one.id)) for one in answers]
        none = [(say("rubrics.page.judge.none"), "")]
        return {
            self.answer: gr.update(choices=choices, value=first),
            self.judge: gr.update(
                choices=[*none, *((one.words, one.name) for one in judges)], value=""
            ),
            self.go: gr.update(interactive=bool(answers)),
            self.result: "" if answers else drawn("rubrics/no_answer.html"),
        }

    def tried(self, asked: Asked, text: Any, answer: Any, judge: Any) -> Parts:
        """What the graders of the text say of the answer."""
        name = str(judge or "").strip()
        try:
            if not str(answer or "").isdecimal() or len(str(answer)) > 15:
                raise InputError(**error_parts("rubrics.page.answer", answer=repr(answer)[:40]))
            found = try_rubric(asked.scope, asked.project, str(text or ""), int(answer), name)
        except CogradeError as error:  # in the place of what says that it is under way
            return {self.result: drawn("alert.html", text=str(error))}
        html = Markup(render(found.text))
        return {self.result: drawn("rubrics/tried.html", found=found, html=html)}
