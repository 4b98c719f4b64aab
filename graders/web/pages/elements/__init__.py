"""Elements: what every complete answer to a question must have; drafted by a judge, in force when a
person has accepted it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from graders.core.errors import InputError
from graders.core.words import error_parts, say
from graders.web.kit import Asked, Frame, Parts, drawn
from graders.web.kit.gradio import gr
from graders.web.page import Page
from graders.web.pages.elements.drafting import Done, Wanted, next_draft, price
from graders.workflows.rubrics import element_lists
from graders.workflows.rubrics.element_lists import ElementLists, QuestionList
from graders.workflows.scope.paging import page_of
from graders.workflows.scope.phrases import several

#: Which questions are shown: all, those with a draft that waits, without a list, with one.
SHOWN = ("", "draft", "without", "with")
A_PAGE = 20
#: State of a step of a list: a judge drafted it.
DRAFTED = "drafted"
#: Seconds between two drafts.
EVERY = 0.2
#: Where the browser keeps the judge as it was typed, with its address; it is no secret.
KEPT = "cograde-draft-judge"


class ElementsPage:
    """The page under way: the filter, the judge who drafts, and a card for each question."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self._acting: set[tuple[str, ...]] = set()
        self._lock = threading.Lock()
        with gr.Row(elem_classes="k-filters"):
            self.show = gr.Radio(
                [(say(f"rubrics.elements.show.{name or 'all'}"), name) for name in SHOWN],
                value="",
                label=say("rubrics.elements.show"),
            )
        with gr.Row(elem_classes="k-fields k-bar el-judge") as self.asking:
            self.judge: Any = gr.Textbox(
                label=say("rubrics.elements.judge"),
                placeholder=say("rubrics.elements.judge.hint"),
                max_lines=1,
                max_length=300,
            )
            self.every = gr.Button(say("rubrics.elements.every"), interactive=False)
            self.stop = gr.Button(say("rubrics.elements.stop"), visible=False)
        self.note = frame.part()
        self.cards = frame.part(acts=True)
        self.typed: Any = gr.BrowserState("", storage_key=KEPT, secret=KEPT)
        self.wanted, self.done = gr.Textbox(visible=False), gr.Textbox(visible=False)
        self.timer: Any = gr.Timer(EVERY, active=False)
        self._listen()

    def _listen(self) -> None:
        frame = self.frame
        queue = [self.wanted, self.done]
        pressed = [*queue, self.judge]
        drafting = [self.wanted, self.timer, self.note, self.stop, self.every]
        lists = [frame.top, self.every, self.cards]
        frame.acts(self.cards.act, self.act, pressed, [*lists, *drafting], mode="multiple")
        frame.acts(self.every.click, self.draft_every, pressed, drafting, mode="once")
        frame.acts(self.stop.click, self.stop_drafting, queue, [self.wanted], mode="once")
        outputs = [*lists, self.done, self.timer, self.note, self.stop]
        tick = self.timer.tick
        frame.acts(tick, self.next, queue, outputs, asks=True, mode="once")
        outputs = [self.asking, self.every, self.note, self.cards, self.judge]
        frame.draws({"show": self.show}, self.draw, outputs, ["p"], [self.judge])

        for listen in (self.judge.blur, self.judge.submit):
            listen(None, [self.judge], [self.typed], js="(judge) => judge")
        js = "(typed, judge) => typed || judge"
        frame.address.began(None, [self.typed, self.judge], [self.judge], js=js)

    def draw(self, asked: Asked) -> Parts:
        """The questions that the address asks for."""
        if not asked.project:
            top = drawn("empty.html", title=say("rubrics.elements.empty"))
            hidden = gr.update(visible=False)
            return {self.frame.top: top, self.show: hidden, self.asking: hidden}
        if not asked.changed("show", "p"):
            return {}
        found = element_lists.lists(asked.scope, asked.project)
        show = asked.view.one("show")
        shown: Parts = {self.show: show if show in SHOWN else ""}
        if asked.before is None and not asked.values[0]:
            shown[self.judge] = _last_judge(found)
        return {**self._lists(asked, found), **shown}

    def act(self, asked: Asked, wanted: str, done: str, judge: str) -> Parts:
        """What was done on a question's card; it tells there what came of it."""
        event = asked.event
        question = str(event.get("question") or "")
        with self._alone(asked, question) as alone:
            if not alone:
                return {}
            match event.get("do"):
                case "accept":
                    told = self._accept(asked, question, str(event.get("elements") or ""))
                case "remove":
                    element_lists.accept(asked.scope, asked.project, question, [])
                    told = say("rubrics.elements.removed", question=question)
                case "dismiss":
                    element_lists.dismiss(asked.scope, asked.project, question)
                    told = say("rubrics.elements.dismissed", question=question)
                case "draft":
                    now = Wanted.of(wanted).with_([question], str(judge or ""), Done.of(done).count)
                    return self._want(asked, question, now)
                case _:
                    return {}
        return self._lists(asked, None, {question: told})

    def _accept(self, asked: Asked, question: str, text: str) -> str:
        elements = [line for line in text.splitlines() if line.strip()]
        if not elements:
            raise InputError(**error_parts("rubrics.page.list"))
        made = element_lists.accept(asked.scope, asked.project, question, elements)
        return say(
            "rubrics.elements.accepted",
            question=question,
            elements=several(len(made.elements), "element"),
            cells=several(made.cells, "cell"),
        )

    def _want(self, asked: Asked, question: str, now: Wanted) -> Parts:
        if not question:
            raise InputError(**error_parts("rubrics.page.question"))
        told = say("rubrics.elements.drafting", question=question)
        return {
            **self._lists(asked, None, {question: told}),
            self.wanted: now.kept(),
            self.timer: gr.update(active=True),
        }

    def draft_every(self, asked: Asked, wanted: str, done: str, judge: str) -> Parts:
        """Let the judge draft the lists of all questions that have none."""
        ids = _without(element_lists.lists(asked.scope, asked.project))
        count = Done.of(done).count
        now = Wanted.of(wanted).with_(ids, str(judge or ""), count, every=True)
        return {
            self.wanted: now.kept(),
            self.timer: gr.update(active=True),
            self.stop: gr.update(visible=True),
            self.every: gr.update(interactive=False),
            self.note: _noted(say("rubrics.elements.drafting.all", n=len(ids))),
        }

    def stop_drafting(self, asked: Asked, wanted: str, done: str) -> Parts:
        """Ask for no further draft; the one that is under way comes."""
        return {self.wanted: Wanted.of(wanted).stopped(Done.of(done).count).kept()}

    def next(self, asked: Asked, kept: str, count: str) -> Parts:
        """The draft that is next, and how far they are."""
        wanted = Wanted.of(kept)
        step = next_draft(asked, wanted, Done.of(count))
        shown: Parts = {self.done: step.done.kept()}
        if step.refused:
            shown[self.frame.alert] = drawn("alert.html", text=step.refused)
        elif wanted.all and step.question:
            shown[self.note] = _noted(
                say(
                    "rubrics.elements.progress",
                    done=step.done.count - wanted.start,
                    of=len(wanted.ids) - wanted.start,
                    price=price(step.done.money, step.done.unpriced),
                    last=step.told,
                )
            )
        if step.over:
            shown |= {self.timer: gr.update(active=False), self.stop: gr.update(visible=False)}
        if step.over or not wanted.all:
            told = {step.question: step.told} if step.question and not wanted.all else {}
            shown |= self._lists(asked, None, told)
        return shown

    def _lists(
        self, asked: Asked, found: ElementLists | None, told: Mapping[str, str] | None = None
    ) -> Parts:
        """The heading and a page of cards; a question of which something is `told` stays on it,
        whatever the filter says."""
        found = found or element_lists.lists(asked.scope, asked.project)
        told = told or {}
        show = asked.view.one("show")
        rows = [row for row in found.questions if row.question_id in told or _fits(row, show)]
        page, pages, some = page_of(rows, asked.view.number("p"), A_PAGE)
        todo = len(_without(found))
        return {
            self.frame.top: drawn("elements/top.html", found=found, title=_title(found)),
            self.every: gr.update(
                value=say("rubrics.elements.every.n", n=todo), interactive=bool(todo)
            ),
            self.cards: drawn(
                "elements/cards.html",
                rows=[(row, _since(row)) for row in some],
                told=told,
                page=page,
                pages=pages,
                view=asked.view,
            ),
        }

    @contextmanager
    def _alone(self, asked: Asked, question: str) -> Iterator[bool]:
        """Of two presses on one card the second does nothing."""
        key = (str(asked.scope.ws.path), asked.project, question)
        with self._lock:
            alone = key not in self._acting
            self._acting.add(key)
        try:
            yield alone
        finally:
            if alone:
                with self._lock:
                    self._acting.discard(key)


def _fits(row: QuestionList, show: str) -> bool:
    match show:
        case "draft":
            return row.draft is not None
        case "without":
            return not row.elements
        case "with":
            return bool(row.elements)
    return True


def _without(found: ElementLists) -> list[str]:
    """Questions for which all are drafted: without a list, and nobody took one away."""
    return [
        row.question_id
        for row in found.questions
        if not row.elements and not row.emptied and row.draft is None
    ]


def _since(row: QuestionList) -> str:
    """Another one with every draft: what was typed before it came gives way."""
    return next((step.at for step in reversed(row.past) if step.state == DRAFTED), "")


def _last_judge(found: ElementLists) -> str:
    """The judge that drafted last."""
    drafts = [
        (step.at, step.by) for row in found.questions for step in row.past if step.state == DRAFTED
    ]
    return max(drafts)[1] if drafts else ""


def _title(found: ElementLists) -> str:
    one = found.with_list == 1 or len(found.questions) == 1
    return say(
        "rubrics.elements.title",
        n=1 if one else 2,
        count=found.with_list,
        of=several(len(found.questions), "question"),
        waits=say("rubrics.elements.waits", n=found.drafts) if found.drafts else "",
    )


def _noted(text: str) -> str:
    return drawn("questions/said.html", text=text)


def build(frame: Frame) -> None:
    """The filter, the judge who drafts, and the cards."""
    ElementsPage(frame)


page = Page(
    path="/elements",
    title="Elements",
    nav="Elements",
    group="set_up",
    order=14,
    css=("lead/lead.css", "kit/kit.css", "elements/elements.css"),
    build=build,
)
