"""A visitor's first minute on a Space: a question in the browser's language, three keys without a
name, then oneself beside judges and people; nothing is stored."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.app import serve
from tests.browser.tabs import Tabs
from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory, demo: Path) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("visit")
    with serve(folder, SPACE_ID="somebody/cograde", COGRADE_DATA=str(folder / "data")) as running:
        yield running


def test_three_keys_and_no_name(space: Server, tabs: Tabs) -> None:
    with tabs.tab(locale="ru-RU") as page:
        begun = time.monotonic()
        page.goto(f"{space.url}/?__theme=light")
        expect(page.get_by_role("heading", level=1)).to_have_text(
            "Grade an answer yourself, then see how AI judges graded it"
        )
        expect(page.locator(".vq h2")).to_have_text(re.compile("[а-я]"))
        for at in (1, 2, 3):
            expect(page.locator(f"[data-arrives='question {at}']")).to_be_visible()
            page.keyboard.press("2")
            if at == 1:
                assert time.monotonic() - begun < 10
        said = page.locator("[data-arrives=compared]")
        expect(said.locator("tbody tr")).to_have_count(3)
        expect(page.locator(".top")).to_contain_text("You gave the same value as judge")
        page.reload()  # the address says it all
        expect(said.locator("tbody tr")).to_have_count(3)
        page.go_back()
        expect(page.locator("[data-arrives='question 3']")).to_be_visible()
        page.go_forward()
        page.get_by_role("link", name="See what a lead sees").click()
        expect(page).to_have_url(re.compile("/agreement"))


def test_by_tab_and_enter_in_another_language(space: Server, tabs: Tabs) -> None:
    with tabs.tab(viewport={"width": 390, "height": 844}) as page:
        page.goto(space.url)
        page.get_by_role("link", name="日本語").press("Enter")
        expect(page.locator(".vq h2")).to_have_text(re.compile("[ぁ-んァ-ン]"))
        page.locator("[data-digit='1']").press("Enter")
        expect(page.locator("[data-arrives='question 2']")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
