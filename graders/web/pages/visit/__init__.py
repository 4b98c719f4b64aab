"""A visitor's start: what this is, three questions to grade, and then oneself beside judges and
people. What was answered stands in the address and is stored nowhere."""

from __future__ import annotations

from markupsafe import Markup

from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.languages import wanted
from graders.web.markdown import render
from graders.web.page import Page
from graders.workflows.home.first_questions import compared, first_questions, languages
from graders.workflows.home.overview import demo_project


def build(frame: Frame) -> None:
    """The question, or what came of three of them."""
    body = frame.part()
    gr.HTML(
        html_template="<i hidden></i>",
        apply_default_css=False,
        js_on_load=f"import('{frame.site.assets}/visit/keys.js').then((keys) => keys.start())",
    )

    def draw(asked: Asked) -> Parts:
        view, project = asked.view.only("language", "said"), demo_project(asked.scope)
        if asked.scope.actor.person_id:
            # whoever has a name may still grade these answers, and is shown nothing of them here
            named = drawn("visit/named.html", project=project)
            return {frame.top: named, body: ""}
        known = languages(asked.scope, project) if project else []
        if not known:
            return {frame.top: drawn("empty.html", title=say("home.first.empty")), body: ""}
        spoken = view.one("language") or wanted(asked.accepted, tuple(known))
        questions = first_questions(asked.scope, project, spoken)
        said = [int(one) for one in view.one("said").split(".") if one.isdecimal()]
        if len(said) < len(questions):
            at = questions[len(said)]
            shown = drawn(
                "visit/question.html",
                one=at,
                text=Markup(render(at.answer)),
                at=len(said) + 1,
                of=len(questions),
                languages=known,
                view=view,
            )
            text = say("home.first.about")
            top = drawn("top.html", title=say("home.first.title"), text=text, notice="")
            return {frame.top: top, body: shown}
        found = compared(asked.scope, project, questions, said)
        notice = say("home.first.illustrative")
        text = " ".join(
            say("home.first.score", name=one.name, same=one.same, of=one.of) for one in found.scores
        )
        top = drawn("top.html", title=say("home.first.done"), text=text, notice=notice)
        after = drawn("visit/compared.html", found=found, project=project, view=view)
        return {frame.top: top, body: after}

    frame.draws({}, draw, [body])


page = Page(
    path="/visit",
    title="Try it",
    nav="",
    group="review",
    order=90,
    css=("lead/lead.css", "kit/kit.css", "visit/visit.css"),
    build=build,
)
