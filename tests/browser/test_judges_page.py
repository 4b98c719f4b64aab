"""The Judges page: a judge is set up, looked at before anything is sent, tried on one answer; what
was recorded is deleted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store.workspace import open_workspace
from graders.workflows.runs import judges
from tests.browser.app import serve
from tests.store import small
from tests.support.entering import enter
from tests.support.server import Server
from tests.support.stub import StubProvider, provider_stub

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture
def stub() -> Iterator[StubProvider]:
    with provider_stub() as running:
        yield running


@pytest.fixture
def server(tmp_path: Path, stub: StubProvider) -> Iterator[Server]:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=2, models=("Ash", HOSTILE))
    ws.close()
    with serve(tmp_path, OPENAI_API_KEY="nobody", OPENAI_BASE_URL=stub.base_url) as running:
        yield running


def test_a_judge_is_set_up_tried_corrected_and_its_content_deleted(
    page: Page, server: Server, stub: StubProvider, tmp_path: Path
) -> None:
    assert enter(page.context.request, server.url, "Ann").ok
    page.goto(f"{server.url}/judges?project=study")
    expect(page.locator("h1")).to_have_text(
        "No judge yet; the learned judge knows 0 of 3 criteria, rules measure 1 more.",
        timeout=30_000,
    )
    setup = page.locator("#k-set-up")
    setup.get_by_label("Name", exact=True).fill("strict")
    page.keyboard.press("Tab")
    page.keyboard.type("openai:stub")
    page.keyboard.press("Tab")
    page.keyboard.type("a strict teacher")
    page.keyboard.press("Enter")
    expect(setup.get_by_role("status")).to_contain_text("Kept: strict.")
    attempt = page.locator("#k-try")
    attempt.get_by_label("Judge", exact=True).fill("strict")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    attempt.get_by_role("button", name="Show the prompt").click()
    expect(attempt).to_contain_text("1 call, not sent yet.")
    expect(attempt.locator("pre").first).to_contain_text("You are a strict teacher.")
    assert stub.stats()["requests"] == 0
    # what it costs stands on the button that sends it
    ask = attempt.get_by_role("button", name="Ask: 1 call, price unknown")
    ask.press("Enter")
    expect(attempt).to_contain_text("1 reply for an unknown price.", timeout=60_000)
    # nothing is left to be bought
    expect(attempt.get_by_role("button", name="All replies are there")).to_be_disabled()
    expect(attempt).to_contain_text("Relevance: ")
    attempt.get_by_text("Raw reply").click()
    expect(attempt.locator("pre").last).to_contain_text('"relevance"')
    expect(
        page.get_by_role("region", name="What they cost, and what could not be read")
    ).to_contain_text("1 of 1")
    recorded = page.locator(".k-card").filter(has_text="Recorded content")
    recorded.get_by_role("link", name="Delete what stub was asked and replied").click()
    expect(recorded).to_contain_text("nothing can be replayed")
    page.keyboard.press("Enter")  # the focus is on the button that deletes for good
    expect(recorded).to_contain_text("The content of 1 call is deleted.")
    page.get_by_role("button", name="Remove strict").click()
    expect(page.get_by_role("button", name="Remove strict")).to_have_count(0)
    # it has spoken
    expect(page.get_by_role("region", name="Judges", exact=True)).to_contain_text("strict")
    corrections_become_examples(page, server, tmp_path)


def corrections_become_examples(page: Page, server: Server, tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "app.db")
    scope = small.scope_of(ws)
    human = [small.human(f"q{n}", HOSTILE, "tone", "ann", "dry") for n in (1, 2)]
    said = [small.judge(f"q{n}", HOSTILE, "tone", "openai:stub", "warm") for n in (1, 2)]
    small.bring(
        scope,
        small.folder(
            tmp_path,
            "said",
            questions=small.questions(2),
            answers=small.answers(2, [HOSTILE]),
            human=human,
            judge=said,
        ),
        rubric=None,
    )
    # "strict" has spoken by itself about the answer that was tried
    judges.set_up(scope, "study", "mild", "openai:stub", {})
    ws.close()
    page.goto(f"{server.url}/judges?project=study")
    page.get_by_role("link", name="Examples for mild").click(timeout=30_000)
    card = page.locator("#k-examples")
    expect(card).to_contain_text("People decided otherwise than mild on 2 cells")
    expect(card.get_by_role("checkbox")).to_have_count(2)
    card.get_by_role("checkbox").first.focus()
    page.keyboard.press("Space")
    expect(card).to_contain_text("1 of at most 12 chosen")
    card.get_by_role("button", name="Show it these").press("Enter")
    expect(card.get_by_role("status").last).to_contain_text("mild has 1 example from corrections.")
    expect(page.get_by_role("region", name="Judges", exact=True)).to_contain_text(
        "1 example from corrections"
    )
    assert "owned" not in page.title()
    a_change_is_tried_by_keyboard(page, server)


def a_change_is_tried_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/workshop?project=study&judge=mild")
    expect(page.locator("h1")).to_have_text("No change of mild has been tried yet.", timeout=30_000)
    card = page.locator("#k-new-try")
    card.get_by_role("textbox", name="System role").focus()
    page.keyboard.type("a kind teacher")
    card.get_by_role("button", name="Calls, another address, or a key of your own").press("Enter")
    card.get_by_label("Stop after so many calls").fill("1")
    card.get_by_role("button", name="See the plan").press("Enter")
    expect(card).to_contain_text("mild try 1")
    ask = card.get_by_role("button", name=re.compile("^Ask both: [0-9]+ calls, price unknown$"))
    ask.press("Enter")
    expect(card).to_contain_text(
        "The budget is reached; everything that was bought is kept.", timeout=60_000
    )
    first = page.get_by_role("region", name="Try 1", exact=True)
    first.get_by_role("link", name="Ask what is missing: try 1").press("Enter")
    missing = first.get_by_role("form", name="What is missing of try 1")
    expect(missing).to_contain_text("known, not paid again")
    missing.get_by_role("button", name=re.compile("^Ask: [0-9]+ calls?, price unknown$")).press(
        "Enter"
    )
    expect(first).to_contain_text("What was missing is asked.", timeout=60_000)
    expect(first).to_contain_text("persona: none → a kind teacher")
    expect(first).to_contain_text("INCONCLUSIVE")
    first.get_by_role("button", name="Keep: try 1").press("Enter")
    expect(first.get_by_role("status")).to_contain_text("mild is now what try 1 of 1 was.")
    # the keyboard goes on where it was
    expect(first.get_by_role("heading").first).to_be_focused()
    expect(card.get_by_role("textbox", name="System role")).to_have_value("a kind teacher")
    sentence = "Dry is what has no wish in it."
    page.goto(f"{server.url}/rubrics?project=study&criterion=small/tone&sentence={sentence}")
    expect(page.get_by_label("Guide for people and judges of tone")).to_have_value(
        sentence, timeout=30_000
    )
    expect(page.get_by_label("Text of the rubric small")).to_have_value(
        re.compile(re.escape(sentence))
    )
    assert "sentence" not in page.url  # it goes into the text once


def test_an_address_that_is_typed_stays_its_own_and_headers_are_kept_nowhere(
    page: Page, server: Server
) -> None:
    page.goto(f"{server.url}/judges?project=study")
    attempt, setup = page.locator("#k-try"), page.locator("#k-set-up")
    attempt.get_by_text("Another address", exact=False).first.click(timeout=30_000)
    address, headers = (attempt.locator(f"[name='{one}.']") for one in ("address", "headers"))
    address.fill("http://127.0.0.1:9/v1")
    setup.get_by_label("Name", exact=True).fill("half")
    attempt.get_by_role("button", name="Show the prompt").click()  # draws, and is refused
    expect(page.get_by_role("alert")).to_be_visible()
    expect(headers).to_have_value("")
    headers.fill("Authorization: Bearer sk-typed-0123456789abcdef")
    setup.get_by_text("How it is asked").click()
    setup.get_by_label("Headers of every call").fill("X-Key: sk-typed-0123456789abcdef")
    page.keyboard.press("Tab")
    page.wait_for_function("JSON.stringify(sessionStorage).includes('half')")
    assert "sk-typed" not in page.evaluate(
        "JSON.stringify([{...sessionStorage}, {...localStorage}])"
    )
    page.reload()
    expect(setup.get_by_label("Name", exact=True)).to_have_value("half", timeout=30_000)
    attempt.get_by_text("Another address", exact=False).first.click()
    expect(headers).to_have_value("")
