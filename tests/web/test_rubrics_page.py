"""The page Rubrics: as it is opened, what is typed, chosen and pressed on it, and what is refused."""

from __future__ import annotations

from html import unescape
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from graders.core.errors import Conflict, InputError, NotFound
from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.kit import Asked, Frame, View
from graders.web.kit.gradio import unserved
from graders.web.kit.site import Site
from graders.web.pages.rubrics import RubricsPage
from graders.web.pages.rubrics.shown import MOST, Open, draft_of
from graders.web.serve import resolver_of
from graders.workflows.rubrics import edit
from graders.workflows.rubrics.rubric_list import rubric_list
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.opened import texts_in
from tests.support.studies import RUBRIC, bring, given, scope_at

EVIL = "<script>alert(1)</script>"
SOURCE = RUBRIC.replace("5: everything}},", "5: everything}}, graders: [judge],")


class Noted:
    """Notes which runs are to be started."""

    def __init__(self) -> None:
        self.runs: list[int] = []

    def start(self, _: object, run: int, __: object) -> None:
        """What the supervisor of workers does."""
        self.runs.append(run)


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    made = scope_at(tmp_path, "vera")
    bring(
        made,
        tmp_path,
        SOURCE,
        questions=small.questions(2),
        answers=small.answers(2, ["Ash"], text=f"Ash says so. {EVIL}"),
        human=[given("q1", "Ash", "completeness", "mira", 2)],
        people=[{"id": "mira", "name": "Mira"}],
    )
    return made


@pytest.fixture
def noted() -> Noted:
    return Noted()


@pytest.fixture
def page(noted: Noted) -> RubricsPage:
    site = Site(*cast(Any, [None] * 6))
    object.__setattr__(site, "supervisor", noted)
    with unserved(), Frame("/rubrics", "Rubrics", site) as frame:
        return RubricsPage(frame)


def opened(scope: Scope, address: str) -> str:
    """All texts of the page as somebody opens it."""
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    with TestClient(app, base_url="http://localhost") as browser:
        reply = browser.get(address)
        assert reply.status_code == 200
        return "\n".join(texts_in(reply.text))


class Hands:
    """A person at the page: what stands in it, changed by each thing that is done."""

    def __init__(self, page: RubricsPage, scope: Scope, address: str = "") -> None:
        self.page, self.scope = page, scope
        self.drafts: dict[str, str] = {}
        self.told = ""
        self.parts: dict[Any, Any] = {}
        self.go(f"?project=study{address}")

    def go(self, address: str) -> None:
        """Open an address of the page."""
        self.view = View.of(address)
        asked = Asked(self.scope, self.view, values=[self.drafts, self.told])
        self._show(self.page.draw(asked))

    def do(self, name: str = "", **event: Any) -> dict[Any, Any]:
        """Do something; where it leads to an address, go there."""
        page = self.page
        asked = Asked(self.scope, self.view, event=event)
        held = [self.drafts, self.parts[page.open], self.text, name]
        done = page.act(asked, *held)
        self._show(done)
        if to := done.get(page.frame.acting):
            self.go(to.removeprefix("="))
        return done

    def set(self, criterion: str, field: str, value: str, what: str = "", at: int = -1) -> None:
        """Change a field of the form."""
        self.do(set=field, criterion=criterion, value=value, what=what, at=at)

    def type(self, text: str) -> None:
        """Type into the text."""
        self.parts[self.page.text] = {"value": text}
        self.do(field="text", value=text)

    @property
    def text(self) -> str:
        """What stands in the editor."""
        found = self.parts[self.page.text]
        return str(found["value"] if isinstance(found, dict) else found)

    def said(self, part: Any) -> str:
        """The words of a part."""
        return unescape(" ".join(str(self.parts.get(part, "")).split()))

    def _show(self, parts: dict[Any, Any]) -> None:
        self.parts |= parts
        self.drafts = self.parts.get(self.page.drafts, self.drafts)
        self.told = self.parts.get(self.page.told, "")


def test_the_page_comes_with_its_form_text_and_gallery(scope: Scope) -> None:
    said = opened(scope, "/rubrics?project=study")
    assert "3 criteria in 1 rubric." in said and SOURCE in said
    assert 'aria-label="Question of completeness"' in said and "Start from the gallery" in said
    fresh = opened(scope, "/rubrics?project=study&gallery=accuracy")
    assert "Add to the project" in fresh and "rubric: accuracy" in fresh
    far = opened(scope, "/rubrics?project=study&criterion=small/tone")
    assert 'data-arrives="criterion tone"' in far


def test_form_and_text_keep_in_step_and_are_a_draft_until_put_in_force(
    scope: Scope, page: RubricsPage
) -> None:
    hands = Hands(page, scope)
    assert hands.text == SOURCE and hands.drafts == {}
    hands.set("completeness", "question", "Is nothing missing?")
    assert hands.text == SOURCE.replace("Is all there?", '"Is nothing missing?"')
    assert hands.drafts == {"study/small": hands.text}
    assert "1 by people" in hands.said(page.changes)
    hands.type(hands.text.replace("missing?", "left out?"))
    assert "Is nothing left out?" in hands.said(page.form)
    # the browser brings the draft when it comes again
    hands.go("?project=study")
    assert "left out?" in hands.text and "left out?" in hands.said(page.form)
    hands.do(do="drop")
    assert hands.text == SOURCE and hands.drafts == {}
    hands.set("completeness", "scale", "7", "to")
    hands.do(do="put")
    assert "In force as version 2" in hands.said(page.note)
    assert hands.drafts == {} and hands.view.one("rubric") == "small"
    (row,) = rubric_list(scope, "study").rubrics
    assert "to: 7" in row.source and len(row.versions) == 2
    assert hands.parts[page.put]["interactive"] is False
    # the earlier text is compared and taken into the editor
    first = row.versions[-1].id
    hands.go(f"?project=study&version={first}")
    assert "What has changed since" in hands.said(page.versions)
    hands.do(do="take", version=first)
    assert hands.text == SOURCE and hands.view.one("version") == ""
    with pytest.raises(NotFound):
        hands.do(do="take", version=99)


def test_another_text_in_force_is_not_overwritten(scope: Scope, page: RubricsPage) -> None:
    hands = Hands(page, scope)
    hands.set("tone", "guide", "Dry is what has no wish in it.")
    edit.put(scope, "study", SOURCE.replace("Which tone?", "What tone?"))
    with pytest.raises(Conflict, match="another text in force"):
        hands.do(do="put")
    assert "What tone?" in rubric_list(scope, "study").rubrics[0].source


def test_what_is_wrong_is_said_where_it_is(scope: Scope, page: RubricsPage) -> None:
    hands = Hands(page, scope)
    hands.set("completeness", "scale", "0", "to")
    form = hands.said(page.form)
    assert 'aria-invalid="true" aria-describedby="rub-wrong"' in form and 'value="0"' in form
    assert "criterion completeness" in form.partition('id="rub-wrong">')[2][:200]
    assert hands.text == SOURCE and hands.drafts == {}
    # a grader that is not there is said with the graders of its criterion, and cannot be put
    hands.type(SOURCE.replace("graders: [judge]", "graders: [judg]"))
    assert "the grader 'judg'" in hands.said(page.form)
    assert "not registered" in hands.said(page.form)
    assert hands.parts[page.put]["interactive"] is False
    # a text that cannot be read leaves the form as it was, and says its line
    before = hands.parts[page.form]
    hands.type(SOURCE.replace("scale: [irrelevant", "scalee: [irrelevant"))
    assert hands.parts[page.form] == before
    assert 'data-line="4"' in hands.said(page.said) and "scalee" in hands.said(page.said)
    hands.set("tone", "question", "Which?")
    assert "scalee" in hands.said(page.said)
    hands.go("?project=study")
    assert "The form comes back when it is mended" in hands.said(page.form)


def test_criteria_come_and_go_and_graders_with_them(scope: Scope, page: RubricsPage) -> None:
    hands = Hands(page, scope)
    done = hands.do("wit", do="add")
    assert done[page.name] == "" and "wit:" in hands.text
    hands.set("wit", "graders", "length", "add")
    hands.set("wit", "graders", "90", "short", at=1)
    assert "graders: [judge, {length: {short: 90}}]" in hands.text
    hands.do(do="remove", set="remove", criterion="wit")
    assert "wit" not in hands.text
    done = hands.do("tone", do="add")
    assert page.name not in done and "'tone' twice" in hands.said(page.not_added)


def test_the_address_brings_a_sentence_for_a_guide_once(scope: Scope, page: RubricsPage) -> None:
    hands = Hands(page, scope, "&criterion=small/tone&sentence=Dry+has+no+wish+in+it.")
    hands.do(do="sentence")
    assert "Dry has no wish in it." in hands.text and "sentence" not in hands.view
    assert hands.view.one("criterion") == "small/tone"
    hands.go("?project=study&criterion=small/tone&sentence=Dry+has+no+wish+in+it.")
    hands.do(do="sentence")
    assert hands.text.count("Dry has no wish in it.") == 1


def test_what_became_stale_is_graded_again_after_its_price(
    scope: Scope, page: RubricsPage, noted: Noted
) -> None:
    hands = Hands(page, scope)
    assert hands.parts[page.again] == ""
    hands.do(do="cost")
    assert "No judge grades these criteria now" in hands.said(page.again)
    with pytest.raises(InputError, match="no stale verdict of a judge"):
        hands.do(do="start")
    assert noted.runs == []


def test_a_rubric_of_the_gallery_is_added(scope: Scope, page: RubricsPage) -> None:
    hands = Hands(page, scope, "&gallery=correctness")
    hands.set("correctness", "name", "Right")
    assert list(hands.drafts) == ["study/new correctness"]
    hands.do(do="put")
    assert [row.name for row in rubric_list(scope, "study").rubrics] == ["small", "correctness"]
    assert hands.view.one("rubric") == "correctness" and "gallery" not in hands.view


def test_a_try_says_what_graders_say_and_refuses_in_its_place(
    scope: Scope, page: RubricsPage
) -> None:
    hands = Hands(page, scope)
    answer = hands.parts[page.trying.answer]
    assert answer["value"] == answer["choices"][0][1]
    asked = Asked(scope, hands.view)
    text = SOURCE.replace("graders: [judge]", "graders: [judge, length]")
    found = page.trying.tried(asked, text, answer["value"], "")
    said = str(found[page.trying.result])
    assert EVIL not in said and "Ash says so." in said
    for wrong in ("x", None, "9" * 30, "4711"):
        found = page.trying.tried(asked, text, wrong, "")
        assert 'class="alert"' in str(found[page.trying.result])


def test_drafts_are_what_a_browser_says_and_no_more(scope: Scope, page: RubricsPage) -> None:
    assert draft_of(None) == draft_of([1]) == draft_of({"a": 1, "b": "x" * 2_000_000}) == {}
    assert Open.of("no JSON") == Open.of("[1]") == Open("", "", "")
    hands = Hands(page, scope)
    hands.drafts = {f"other/{n}": "text" for n in range(MOST + 5)}
    hands.parts[page.drafts] = hands.drafts
    hands.set("tone", "question", f"Which? {EVIL}")
    assert len(hands.drafts) == MOST and list(hands.drafts)[-1] == "study/small"
    assert EVIL not in str(hands.parts[page.form])
    assert EVIL in hands.said(page.form)
    assert EVIL in hands.text
