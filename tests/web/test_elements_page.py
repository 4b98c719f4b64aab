"""The page Elements: what its address asks for, what is done on its cards, drafts one after the
other, and what is refused."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from graders.core.errors import InputError, NotFound
from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.kit import Asked, Frame, View
from graders.web.kit.gradio import unserved
from graders.web.kit.site import Site
from graders.web.pages.elements import ElementsPage
from graders.web.pages.elements.drafting import Done, Wanted
from graders.web.serve import resolver_of
from graders.workflows.rubrics import element_lists
from graders.workflows.rubrics.element_lists import QuestionList
from graders.workflows.scope.permissions import Scope
from tests.support.opened import texts_in
from tests.support.stub import StubProvider, provider_stub
from tests.support.studies import bring, scope_at

EVIL = "<script>alert(1)</script>"
RUBRIC = """
rubric: small
criteria:
  elements: {question: Is it there?, scale: ["no", "yes"], parts: must_have, graders: [judge], review: people}
"""


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    """Three questions; the second has a list."""
    scope = scope_at(tmp_path)
    questions = [{"id": f"q{n}", "text": f"Invent character {n}. {EVIL}"} for n in (1, 2, 3)]
    questions[1]["must_have"] = f"a weakness {EVIL}"
    answers = [{"question_id": f"q{n}", "model": "Ash", "text": "Borin."} for n in (1, 2, 3)]
    bring(scope, tmp_path, rubric=RUBRIC, questions=questions, answers=answers)
    return scope


@pytest.fixture
def page() -> ElementsPage:
    site = Site(*cast(Any, [None, None, "", None, None]))
    with unserved(), Frame("/elements", "Elements", site) as frame:
        return ElementsPage(frame)


@pytest.fixture(scope="module")
def stub() -> Iterator[StubProvider]:
    with provider_stub() as running:
        yield running


@pytest.fixture
def judge(stub: StubProvider, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    stub.configure(say=json.dumps({"elements": ["a name", "a class"]}), faults={})
    return f"openai:tiny@{stub.base_url}"


def opened(scope: Scope, address: str = "") -> str:
    """All texts of the page as somebody opens it."""
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    with TestClient(app, base_url="http://localhost") as browser:
        return "\n".join(texts_in(browser.get(f"/elements{address}").text))


def asked(scope: Scope, address: str = "", **event: Any) -> Asked:
    return Asked(scope, View.of(f"?project=study{address}"), None, event, [""])


def row(scope: Scope, question: str) -> QuestionList:
    rows = element_lists.lists(scope, "study").questions
    return next(one for one in rows if one.question_id == question)


def test_it_is_opened_with_the_questions_that_the_address_asks_for(scope: Scope) -> None:
    texts = opened(scope, "?project=study")
    assert "1 of 3 questions has a list of required elements." in texts
    assert all(f'aria-label="Question q{n}"' in texts for n in (1, 2, 3))
    assert "Draft all without a list (2)" in texts and "Came with the questions." in texts
    texts = opened(scope, "?project=study&show=with")
    assert 'aria-label="Question q2"' in texts and 'aria-label="Question q1"' not in texts
    assert "No question here." in opened(scope, "?project=study&show=draft")
    assert 'aria-label="Question q1"' in opened(scope, "?project=study&show=odd&p=9")


def test_without_a_project_it_says_where_to_begin(tmp_path: Path) -> None:
    texts = opened(scope_at(tmp_path))
    assert "There are no questions yet." in texts and "Choose a file" in texts


def test_what_was_imported_is_text(page: ElementsPage, scope: Scope) -> None:
    html = page.draw(asked(scope))[page.cards]
    assert "<script" not in html and f"a weakness {EVIL.replace('<', '&lt;')[:8]}" in html


def test_a_person_writes_a_list_and_takes_it_away(page: ElementsPage, scope: Scope) -> None:
    text = "a name\r\n  a class \r\n\r\na name"
    made = page.act(
        asked(scope, "&show=without", do="accept", question="q1", elements=text), "", "", ""
    )
    assert row(scope, "q1").elements == ["a name", "a class"]
    # the card stays where it was, and tells what came of it
    assert "q1: 2 elements, 2 cells to grade." in made[page.cards]
    assert "2 of 3 questions have a list" in made[page.frame.top]
    made = page.act(asked(scope, do="remove", question="q1"), "", "", "")
    assert row(scope, "q1").emptied and "q1: graded on the scale again." in made[page.cards]
    assert made[page.every]["value"] == "Draft all without a list (1)"


@pytest.mark.parametrize(
    "event",
    [
        {"do": "accept", "question": "q1", "elements": " \r\n "},
        {"do": "accept", "question": "q1"},
        {"do": "accept", "question": "q1", "elements": "x" * 501},
        {"do": "accept", "question": "q9", "elements": "a name"},
        {"do": "dismiss", "question": "q1"},
        {"do": "remove", "question": ["q1"]},
        {"do": "draft"},
    ],
)
def test_what_cannot_be_meant_is_refused(
    page: ElementsPage, scope: Scope, event: dict[str, Any]
) -> None:
    before = element_lists.lists(scope, "study")
    with pytest.raises((InputError, NotFound)):
        page.act(asked(scope, **event), "", "", "")
    assert element_lists.lists(scope, "study") == before
    assert page.act(asked(scope, do="shout", question="q1"), "{", "[]", "") == {}


def test_drafts_come_one_after_the_other(
    page: ElementsPage, scope: Scope, stub: StubProvider, judge: str
) -> None:
    wanted = page.act(asked(scope, do="draft", question="q1"), "", "", judge)[page.wanted]
    again = page.act(asked(scope, do="draft", question="q1"), wanted, "", judge)[page.wanted]
    wanted = page.act(asked(scope, do="draft", question="q3"), again, "", judge)[page.wanted]
    assert Wanted.of(wanted).ids == ("q1", "q3"), "of two presses the second buys nothing"
    first = page.next(asked(scope), wanted, "")
    assert "q1: drafted by openai:tiny for price unknown." in first[page.cards]
    assert page.timer not in first, "the other one is waited for"
    second = page.next(asked(scope), wanted, first[page.done])
    assert second[page.timer]["active"] is False and row(scope, "q3").draft
    assert stub.stats()["requests"] == 2
    # what is wanted afterwards is a batch of its own
    now = Wanted.of(wanted).with_(["q2"], judge, Done.of(second[page.done]).count)
    assert (now.ids, now.start) == (("q1", "q3", "q2"), 2)
    page.act(asked(scope, do="dismiss", question="q3"), "", "", "")
    assert row(scope, "q3").draft is None and row(scope, "q1").draft


def test_what_is_typed_as_judge_meanwhile_is_not_asked(
    page: ElementsPage, scope: Scope, stub: StubProvider, judge: str
) -> None:
    """Half of a name may be the name of a dearer model."""
    wanted = page.draft_every(asked(scope), "", "", judge)[page.wanted]
    wanted = page.act(asked(scope, do="draft", question="q2"), wanted, "", f" {judge} ")[
        page.wanted
    ]
    assert Wanted.of(wanted).judges == (judge,) * 3
    ticks = [one for one in page.frame.blocks.fns.values() if one.name == "called"]
    (tick,) = [one for one in ticks if any(event == "tick" for _, event in one.targets)]
    assert page.judge not in tick.inputs


def test_all_are_drafted_until_somebody_stops(
    page: ElementsPage, scope: Scope, stub: StubProvider, judge: str
) -> None:
    begun = page.draft_every(asked(scope), "", "", judge)
    assert Wanted.of(begun[page.wanted]).ids == ("q1", "q3")
    step = page.next(asked(scope), begun[page.wanted], "")
    assert "1 of 2 asked, price unknown. q1: drafted by" in step[page.note]
    assert page.cards not in step, "who is typing meanwhile is left alone"
    stopped = page.stop_drafting(asked(scope), begun[page.wanted], step[page.done])[page.wanted]
    over = page.next(asked(scope), stopped, step[page.done])
    assert over[page.timer]["active"] is False and "nothing is graded" in over[page.cards]
    assert stub.stats()["requests"] == 1 and row(scope, "q3").draft is None
    # and on with the rest
    more = page.draft_every(asked(scope), stopped, over[page.done], judge)[page.wanted]
    last = page.next(asked(scope), more, over[page.done])
    assert row(scope, "q3").draft and "1 of 1 asked" in last[page.note]


def test_a_judge_that_there_is_not_ends_the_drafts(page: ElementsPage, scope: Scope) -> None:
    for judge, why in (("", "found no model"), ("nowhere:tiny", "nowhere")):
        begun = page.draft_every(asked(scope), "", "", judge)
        over = page.next(asked(scope), begun[page.wanted], "")
        assert why in over[page.frame.alert] and over[page.timer]["active"] is False
        assert Done.of(over[page.done]).count == 2
    for kept in ("[", "[1]", '{"ids": 3, "start": -1}', None):
        assert Wanted.of(kept) == Wanted() and Done.of(kept) == Done()


def test_a_disk_that_keeps_nothing_ends_the_drafts(
    page: ElementsPage, scope: Scope, judge: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else each tick would buy the same draft."""

    def fail(*_: Any, **__: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    wanted = page.draft_every(asked(scope), "", "", judge)[page.wanted]
    monkeypatch.setattr(element_lists.store, "put", fail)
    over = page.next(asked(scope), wanted, "")
    assert over[page.timer]["active"] is False and "alert" in over[page.frame.alert]
    assert Done.of(over[page.done]).count == 2


def test_the_judge_of_the_last_draft_is_asked_again(
    page: ElementsPage, scope: Scope, judge: str
) -> None:
    assert page.draw(asked(scope))[page.judge] == ""
    element_lists.draft(scope, "study", judge, ["q1"])
    assert page.draw(asked(scope))[page.judge] == "openai:tiny"
