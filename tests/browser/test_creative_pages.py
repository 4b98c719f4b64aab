"""The author's own text on the pages of a lead, and named faults at the desk, by keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from graders.store.workspace import open_workspace
from graders.workflows.projects.demo import VERSE_NAME, ensure_verse
from tests.browser.app import serve
from tests.browser.tabs import Held
from tests.support.entering import enter
from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("verse")
    ws = open_workspace(folder / "app.db")
    ensure_verse(ws)
    ws.close()
    with serve(folder) as running:
        yield running


def test_results_show_the_ceiling_and_lead_to_the_text(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/results?project={VERSE_NAME}")
    row = page.locator(".gd tfoot tr")
    expect(row).to_contain_text("Author's own text")
    expect(row).to_contain_text("models 2.6, 1 question")
    expect(page.locator(".gd tbody tr")).to_have_count(5)
    # the line under style and mood
    expect(page.locator(".gd tbody tr").first.locator(".mid")).to_have_count(2)
    row.get_by_role("link", name="Author's own text, Style: 5.0 models 2.6").click()
    expect(
        page.get_by_role("heading", level=2, name="author: Emily Dickinson, Style")
    ).to_be_visible()
    page.get_by_role("row", name="Could be the author's own").get_by_role("link").click()
    expect(page.locator("body")).to_contain_text("The morns are meeker than they were")


def test_a_lead_mixes_a_text_in_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/run?project={VERSE_NAME}")
    card = page.get_by_label("Author's own text", exact=True)
    expect(card).to_contain_text("Emily Dickinson on v1")
    card.locator("summary").focus()
    for press in ("Enter", "Tab", "Tab"):
        page.keyboard.press(press)
    page.keyboard.type("Christina Rossetti")
    page.keyboard.press("Tab")
    page.keyboard.type("<b>Who has seen the wind?</b>")
    for press in ("Tab", "Tab", "Enter"):
        page.keyboard.press(press)
    expect(card.get_by_role("status")).to_have_text("It is among the answers now, under no name.")
    expect(card.locator("li")).to_have_count(2)
    expect(card).to_contain_text("Christina Rossetti on v1")


def test_a_judged_fault_is_added_at_the_desk_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/review?project={VERSE_NAME}")
    page.get_by_role("textbox").first.fill("Noor")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your code is")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".cg-text").first).to_be_visible()
    assert "Dickinson" not in "".join(page.locator(".cg-text").all_text_contents())
    page.keyboard.press("e")
    page.keyboard.type("not the style")
    expect(page.locator("#cg-fault-list li")).to_have_count(1)
    expect(page.locator("#cg-fault-list li")).to_contain_text("major · counts against style")
    told = page.get_by_role("region", name="What the fault is")
    expect(told).to_contain_text("Why it hurts:")
    expect(told.get_by_role("heading")).to_have_text(
        ["Not the style of the named author", "Present", "Absent", "Hard to tell"]
    )
    page.keyboard.press("Enter")
    expect(page.locator(".cg-faults").first).to_contain_text("+ Not the style of the named author")


def test_an_accepted_list_is_counted_at_once(page: Page, server: Server) -> None:
    assert enter(page.context.request, server.url, "Ann").ok
    page.goto(f"{server.url}/elements?project={VERSE_NAME}")
    heading = page.locator("h1")
    expect(heading).to_have_text("1 of 1 question has a list of required elements.")
    field = page.get_by_role("textbox", name="Elements, one a line, v1")
    kept = field.input_value()
    page.get_by_role("button", name="Take the list away").click()
    expect(heading).to_have_text("0 of 1 question has a list of required elements.")
    expect(field).to_be_focused()
    page.keyboard.type(kept)
    taken = Held(page, "**/gradio_api/run/**")
    page.keyboard.press("Control+Enter")
    taken.sent()
    page.keyboard.type("\nand more")
    taken.go_on()
    expect(heading).to_have_text("1 of 1 question has a list of required elements.")
    expect(field).to_have_value(f"{kept}\nand more")  # what is typed while it is taken in stays
    expect(page.get_by_role("region", name="Question v1").get_by_role("status")).to_contain_text(
        "The next run asks about them and nothing else."
    )
