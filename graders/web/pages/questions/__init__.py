"""Questions: what each is held against, who was elected as reference and by what numbers, and how
much detail it asks for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graders.core.errors import NotFound
from graders.core.words import say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.results import detail, questions, references
from graders.workflows.results.references import APPOINTED, ELECTED, NOBODY, Candidate, Followed
from graders.workflows.scope.phrases import several

#: Kinds of questions whose reference is one of the answers.
ELECTING = (ELECTED, APPOINTED, NOBODY)


class QuestionsPage:
    """The page under way: a list of questions, one of them opened beside it."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        with gr.Row(elem_classes="k-beside"):
            with gr.Column(elem_classes="k-main", scale=3):
                with gr.Row(elem_classes="k-filters"):
                    self.kind: Any = gr.Radio(
                        [], label=say("results.questions.filter"), visible=False
                    )
                self.told = frame.part()
                self.rows = frame.part()
            self.beside = frame.part(elem_classes="k-side")
        outputs = [self.told, self.rows, self.beside]
        frame.does(self.act, [], [frame.top, self.kind, *outputs], {}, {})
        frame.draws({"kind": self.kind}, self.draw, outputs, resets=("p",))

    def draw(self, asked: Asked) -> Parts:
        """The questions that the address asks for, and the one that is open."""
        if not asked.project:
            return {self.frame.top: drawn("empty.html", title=say("results.questions.empty"))}
        shown: Parts = {} if asked.before is None else {self.told: ""}
        if asked.changed("kind", "p", "question"):  # the row of the open one is marked
            shown |= self._listed(asked)
        if asked.changed("question"):
            shown[self.beside] = self._opened(asked)
        return shown

    def act(self, asked: Asked) -> Parts:
        """What was pressed or chosen; the page is drawn as it is then."""
        event = asked.event
        if "detail" in event:
            told = self._change_detail(asked, _text(event, "detail"), _text(event, "value"))
            said = drawn("questions/said.html", text=told)
            return {**self._listed(asked), self.told: said}
        question = _text(event, "question")
        if event.get("do") == "appoint":
            told = self._appoint(asked, question, _text(event, "model"))
        elif event.get("do") == "count":
            made = references.renew(asked.scope, asked.project, [question], self._encoder(asked))
            told = f"{say('results.questions.counted')} {_followed(made)}"
        else:
            return {}
        return {**self._listed(asked), self.told: "", self.beside: self._opened(asked, told)}

    def _appoint(self, asked: Asked, question: str, model: str) -> str:
        encoder = self._encoder(asked)
        made = references.appoint(asked.scope, asked.project, question, model, encoder)
        told = (
            say("results.questions.is_reference", model=model)
            if model
            else say("results.questions.given_back")
        )
        return f"{told} {_followed(made)}"

    def _change_detail(self, asked: Asked, question: str, value: str) -> str:
        made = detail.change(asked.scope, asked.project, question, value)
        return say(
            "results.questions.saved",
            question=question,
            detail=say(f"results.questions.detail.{made.detail}"),
            cells=say("results.questions.saved.cells", n=made.changed)
            if made.changed
            else say("results.questions.saved.none"),
        )

    def _encoder(self, asked: Asked) -> Any:
        return encoder_for(self.frame.site.settings.models(), asked.scope.ws)

    def _listed(self, asked: Asked) -> Parts:
        """The heading, the filter, and a page of the list."""
        view = asked.view
        kind = view.one("kind")
        found = questions.listing(asked.scope, asked.project, kind, view.number("p"))
        notice = asked.scope.project(asked.project).notice
        kinds = found.kinds if not kind or kind in found.kinds else {**found.kinds, kind: 0}
        every = say("results.questions.kind.all")
        choices = [
            (f"{every} {sum(kinds.values()):,}", ""),
            *((f"{say(f'results.questions.kind.{one}')} {n:,}", one) for one, n in kinds.items()),
        ]
        several_kinds = len(kinds) > 1 or bool(kind)
        return {
            self.frame.top: drawn(
                "top.html", title=found.title, text=found.subtitle, notice=notice
            ),
            self.kind: gr.update(choices=choices, value=kind, visible=several_kinds),
            self.rows: drawn("questions/rows.html", found=found, view=view),
        }

    def _opened(self, asked: Asked, told: str = "") -> str:
        """The question that the address names; one that there is not says so in its place."""
        view = asked.view
        question = view.one("question")
        if not question:
            return ""
        try:
            found = references.one(asked.scope, asked.project, question)
        except NotFound as error:
            return drawn("questions/missing.html", text=str(error), question=question, view=view)
        return drawn(
            "questions/one.html",
            found=found,
            told=told,
            elects=found.kind in ELECTING,
            rows=[(row, _numbers(found, row)) for row in _ranked(found.rows)],
            view=view,
        )


def _text(event: Mapping[str, Any], name: str) -> str:
    return str(event.get(name) or "")


def _ranked(rows: Sequence[Candidate]) -> list[Candidate]:
    """The reference first, then by their sums; those without all values last."""

    def place(row: Candidate) -> tuple[bool, float, float, str]:
        total = -1.0 if row.sum is None else row.sum
        mean = -1.0 if row.mean is None else row.mean
        return (not row.reference, -total, -mean, row.model)

    return sorted(rows, key=place)


def _numbers(found: references.OneReference, row: Candidate) -> list[tuple[str, str]]:
    """By what numbers a candidate was elected, or was not."""
    if row.values is None or row.sum is None:
        why = row.why or say("results.questions.no_value")
        numbers = [(say("results.questions.not_counted"), why)]
    else:
        of = say("results.questions.sum.of", sum=row.sum, of=len(found.electors))
        numbers = [
            *((title, f"{v:.2f}") for title, v in zip(found.electors, row.values, strict=True)),
            (say("results.questions.sum"), of),
        ]
    if row.mean is not None:
        name = say("results.questions.to_others", measure=found.measure.replace("_", " "))
        numbers.append((name, f"{row.mean:.3f}"))
    return [*numbers, (say("results.questions.characters"), f"{row.characters:,}")]


def _followed(made: Followed) -> str:
    """What was computed again after a decision."""
    if made.measured:
        changed = ", ".join(
            f"{name.replace('_', ' ')} ({several(n, 'answer')})"
            for name, n in made.measured.items()
        )
        told = say("results.questions.measured", changed=changed)
    else:
        told = say("results.questions.measured.none")
    if not made.judged:
        return told
    cells = ", ".join(f"{title} {n:,}" for title, n in made.judged.items())
    return f"{told} {say('results.questions.judged', cells=cells)}"


def build(frame: Frame) -> None:
    """The filter, the list, and the open question beside it."""
    QuestionsPage(frame)


page = Page(
    path="/questions",
    title="Questions",
    nav="Questions",
    group="set_up",
    order=13,
    css=("lead/lead.css", "kit/kit.css", "results/results.css", "questions/questions.css"),
    build=build,
)
