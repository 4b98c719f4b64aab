"""At the desk: who works too fast to read is told once, and the guide says nothing twice."""

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
