"""The page Elements in the browser: drafts come one after the other, and what is typed stays with
its question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store.workspace import open_workspace
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.app import serve
from tests.support.entering import enter
from tests.support.server import Server
from tests.support.stub import StubProvider, provider_stub
from tests.support.studies import bring

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
EVIL = "<img src=x onerror=\"document.title='run'\">"
RUBRIC = """
rubric: small
criteria:
  elements: {question: Is it there?, scale: ["no", "yes"], parts: must_have, graders: [judge], review: people}
"""


@pytest.fixture
def stub() -> Iterator[StubProvider]:
    with provider_stub() as running:
        running.configure(say=json.dumps({"elements": [f"a name {EVIL}", "a class"]}), faults={})
        yield running


@pytest.fixture
def server(tmp_path: Path, stub: StubProvider) -> Iterator[Server]:
    """Three questions; the second has a list."""
    ws = open_workspace(tmp_path / "app.db")
    questions = [{"id": f"q{n}", "text": f"Invent character {n}. {EVIL}"} for n in (1, 2, 3)]
    questions[1]["must_have"] = "a weakness"
    answers = [{"question_id": f"q{n}", "model": "Ash", "text": "Borin."} for n in (1, 2, 3)]
    bring(Scope(Actor(), ws), tmp_path, rubric=RUBRIC, questions=questions, answers=answers)
    ws.close()
    with serve(tmp_path, OPENAI_API_KEY="nobody", OPENAI_BASE_URL=stub.base_url) as running:
        yield running


def test_a_judge_drafts_a_person_edits_and_accepts(
    page: Page, server: Server, stub: StubProvider
) -> None:
    assert enter(page.context.request, server.url, "Ann").ok
    page.goto(f"{server.url}/elements?project=study")
    heading = page.locator("h1")
    expect(heading).to_have_text("1 of 3 questions has a list of required elements.")
    first, second = (page.get_by_role("region", name=f"Question q{n}") for n in (1, 2))
    field = first.get_by_role("textbox")
    # what is typed belongs to its question, whichever card its place is given to
    field.fill("typed for q1")
    page.get_by_role("radio", name="With a list").check()
    expect(first).to_have_count(0)
    expect(second.get_by_role("textbox")).to_have_value("a weakness")
    page.go_back()
    expect(second.get_by_role("textbox")).to_have_value("a weakness")
    first.get_by_role("button", name="Draft").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("found no model")
    assert stub.stats()["requests"] == 0
    page.get_by_label("Judge for drafts").fill("openai:tiny")
    first.get_by_role("button", name="Draft").press("Enter")
    expect(first.get_by_role("status")).to_contain_text("q1: drafted by openai:tiny for ")
    expect(field).to_have_value(f"a name {EVIL}\na class")  # the draft, not what was typed before
    expect(heading).to_contain_text("; 1 draft waits for a person.")
    page.get_by_role("radio", name="Drafts that wait").check()
    expect(second).to_have_count(0)
    field.press("Control+End")
    page.keyboard.type("\na weakness")
    page.keyboard.press("Control+Enter")
    expect(first.get_by_role("status")).to_contain_text("q1: 3 elements, 3 cells to grade.")
    expect(first.get_by_text(re.compile("Accepted by Ann, "))).to_be_visible()
    expect(field).to_be_focused()
    first.locator("summary").press("Enter")
    expect(first.locator("details")).to_contain_text("accepted by Ann")
    page.get_by_role("radio", name="All").check()
    page.get_by_role("button", name="Draft all without a list (1)").click()
    third = page.get_by_role("region", name="Question q3")
    expect(page.locator(".k-page").get_by_role("status").first).to_contain_text("1 of 1 asked, ")
    expect(third.get_by_text("nothing is graded against it")).to_be_visible()
    third.get_by_role("button", name="Discard draft").press("Enter")
    expect(third.get_by_role("status")).to_have_text("q3: the draft is discarded.")
    expect(third.get_by_role("textbox")).to_be_focused()
    expect(third.get_by_role("textbox")).to_have_value("")
    assert stub.stats()["requests"] == 2
    page.reload()  # the judge of the last draft is asked again
    expect(page.get_by_label("Judge for drafts")).to_have_value("openai:tiny")
    expect(page).to_have_title(re.compile("^2 of 3 questions have a list"))
    # an address that was typed with it is not lost: else another server were asked
    judge = page.get_by_label("Judge for drafts")
    judge.fill("openai:tiny@http://127.0.0.1:9/v1")
    judge.press("Tab")
    page.evaluate("sessionStorage.clear()")  # as in a new tab
    page.reload()
    expect(judge).to_have_value("openai:tiny@http://127.0.0.1:9/v1")
