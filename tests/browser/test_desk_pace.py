"""At the desk: who works too fast to read is told once, the guide says nothing twice, the heading
names the order, and the list of faults offers what can apply."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.conftest import press
from tests.store import small
from tests.support.entering import enter
from tests.support.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("pace")
    with closing(small.workspace(folder, "app")) as ws:
        small.study(folder, ws, count=8)
    with serve(folder) as running:
        yield running


def opened(page: Page, server: Server, name: str) -> None:
    enter(page.request, server.url, name)
    page.goto(f"{server.url}/review?project=study")
    page.wait_for_selector(".cg[data-ready='1']")


def decided(page: Page) -> int:
    """All open cells of the screen at once, then saved; how many."""
    shown = page.locator(".cg").get_attribute("data-screen")
    rows = page.locator(".cg-row:not([hidden])").count()
    for _ in range(rows):
        press(page, "2")
    press(page, "Control+Enter")
    expect(page.locator(".cg")).not_to_have_attribute("data-screen", shown or "")
    return rows


def test_who_works_too_fast_to_read_is_told_once(page: Page, server: Server) -> None:
    opened(page, server, "Nina")
    told, cells = page.get_by_role("dialog", name="Please take your time"), 0
    while cells < 20:
        assert told.count() == 0
        cells += decided(page)
    expect(told).to_be_visible()
    expect(told).to_contain_text("You are told only once.")
    page.keyboard.press("Enter")  # of somebody who goes on confirming
    expect(told).to_be_visible()
    page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    with page.expect_response("**/api/save") as saved:
        decided(page)
    assert saved.value.json()["pace"] == ""


def test_the_guide_says_nothing_twice_and_stays_closed(page: Page, server: Server) -> None:
    opened(page, server, "Otto")
    press(page, "g")
    expect(page.locator(".cg-guide")).to_be_visible()
    asked = page.locator(".cg-guide").locator("xpath=ancestor::*[.//*[@class='cg-dock-head']][1]")
    told = asked.inner_text()
    assert sum(told.count(one) for one in ("Does it do what was asked?", "Is all there?")) == 1
    press(page, "g")
    expect(page.locator(".cg-guide")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".cg[data-ready='1']")
    expect(page.locator(".cg-guide")).to_have_count(0)


def test_the_heading_names_the_order_in_force(page: Page, server: Server) -> None:
    opened(page, server, "Rosa")
    order = page.locator(".cg-head .cg-order")
    known = page.request.get(f"{server.url}/api/desk?project=study").json()["settings"]
    expect(order).to_have_text("Question after question")
    expect(order).to_have_attribute("title", known["order_words"])
    assert known["order_words"].startswith("Screens come question after question")


def test_only_faults_that_can_apply_are_offered_and_typing_finds_all(
    page: Page, server: Server
) -> None:
    opened(page, server, "Vito")
    press(page, "e")
    faults = page.get_by_role("listbox")
    expect(faults.get_by_role("option").first).to_be_visible()
    names = faults.inner_text()
    assert "No translation beside foreign sentences" not in names, "nothing foreign is asked for"
    assert "Slow to begin" not in names, "nobody sees seconds"
    page.get_by_label("Type to filter the faults").fill("no translation")
    option = faults.get_by_role("option", name="No translation beside foreign sentences")
    expect(option).to_contain_text("not expected for this question")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".cg-a.on .cg-faults")).to_contain_text("No translation")
