"""The page Questions: what its address asks for, what a lead decides on it, and what is refused."""

from __future__ import annotations

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
from graders.web.pages.questions import QuestionsPage
from graders.web.serve import resolver_of
from graders.workflows.results import questions, references
from graders.workflows.scope.permissions import Scope
from tests.support.electing import EVIL, electing
from tests.support.opened import texts_in
from tests.support.studies import scope_at


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    scope = scope_at(tmp_path)
    electing(scope, tmp_path)
    return scope


@pytest.fixture
def page(scope: Scope) -> QuestionsPage:
    site = Site(*cast(Any, [None, Settings(workspace=scope.ws.path), "", None, None]))
    with unserved(), Frame("/questions", "Questions", site) as frame:
        return QuestionsPage(frame)


def opened(scope: Scope, address: str = "") -> str:
    """All texts of the page as somebody opens it."""
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    with TestClient(app, base_url="http://localhost") as browser:
        return "\n".join(texts_in(browser.get(f"/questions{address}").text))


def done(page: QuestionsPage, scope: Scope, address: str = "", **event: Any) -> dict[Any, Any]:
    """What something that is done on the page changes."""
    asked = Asked(scope, View.of(f"?project=electing{address}"), None, event)
    return page.act(asked)


def test_it_is_opened_with_the_list_or_with_one_question_beside_it(scope: Scope) -> None:
    texts = opened(scope, "?project=electing")
    assert questions.listing(scope, "electing").title in texts
    assert "elected with 2 of 2" in texts and "1 of 3 answers has a value pending" in texts
    assert "not stated; counts as short" in texts and "Appoint" not in texts
    texts = opened(scope, "?project=electing&question=lid")
    assert 'aria-label="Appoint Oak"' in texts and 'aria-label="Appoint Ash"' not in texts
    assert "clarity: pending" in texts and "Oak says: it keeps the steam in." in texts
    assert texts.index("<b>Ash</b><span") < texts.index("<b>Oak</b>") < texts.index("<b>Elm</b>")


def test_what_was_imported_or_asked_for_is_text(page: QuestionsPage, scope: Scope) -> None:
    for question in ("lid", EVIL):
        parts = page.draw(Asked(scope, View({"project": ["electing"], "question": [question]})))
        for html in (parts[page.rows], parts[page.beside]):
            assert "<script" not in html and "<img" not in html
        assert "&lt;script&gt;document.title" in parts[page.beside]
    assert "no such question" in parts[page.beside] and "Why does a lid help?" in parts[page.rows]


def test_a_filter_shows_its_questions_and_one_that_there_is_not_is_refused(scope: Scope) -> None:
    assert "Why does a lid help?" in opened(scope, "?project=electing&kind=elected")
    none = opened(scope, "?project=electing&kind=given")
    assert "No question matches." in none and "its own 0" in none
    refused = opened(scope, "?project=electing&kind=loud")
    assert 'role="alert"' in refused and "Show the page without filters" in refused


def test_without_a_project_it_says_where_to_begin(tmp_path: Path) -> None:
    texts = opened(scope_at(tmp_path))
    assert "There are no questions yet." in texts and "Choose a file" in texts


def test_a_lead_appoints_counts_and_gives_back(page: QuestionsPage, scope: Scope) -> None:
    def reference() -> str:
        return references.one(scope, "electing", "lid").model

    made = done(page, scope, "&question=lid", do="appoint", question="lid", model="Oak")
    assert "Oak is the reference. Measures that changed: token f1 (" in made[page.beside]
    assert reference() == "Oak" and "1 by appointment" in made[page.frame.top]
    assert ("appointed 1", "appointed") in made[page.kind]["choices"]
    made = done(page, scope, "&question=lid", do="appoint", question="lid", model="")
    assert "Given back to the numbers." in made[page.beside] and reference() == "Ash"
    made = done(page, scope, "&question=lid", do="count", question="lid")
    assert "Votes counted again. No measure changed." in made[page.beside]


def test_a_lead_says_how_much_detail_a_question_asks_for(page: QuestionsPage, scope: Scope) -> None:
    made = done(page, scope, detail="lid", value="detailed")
    assert "Saved: lid asks for a detailed answer; " in made[page.told]
    assert "by lead" in made[page.rows] and "as before" in made[page.rows]
    made = done(page, scope, detail="lid", value="")
    assert "not stated; counts as short" in made[page.rows]


@pytest.mark.parametrize(
    "event",
    [
        {"do": "appoint", "question": "lid", "model": "Yew"},
        {"do": "appoint", "question": "pot", "model": "Ash"},
        {"do": "count", "question": ["lid"]},
        {"detail": "lid", "value": "endless"},
        {"detail": "pot", "value": "short"},
    ],
)
def test_what_cannot_be_meant_is_refused(
    page: QuestionsPage, scope: Scope, event: dict[str, Any]
) -> None:
    before = references.one(scope, "electing", "lid")
    with pytest.raises((InputError, NotFound)):
        done(page, scope, "&question=lid", **event)
    assert references.one(scope, "electing", "lid") == before
    assert done(page, scope, do="shout") == {}
