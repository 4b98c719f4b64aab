"""At the desk and in the head: a name in use asks for its code, and the code is shown once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.tabs import Tabs
from tests.store import small
from tests.support.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("name")
    with closing(small.workspace(folder, "app")) as ws:
        small.study(folder, ws, count=4)
    with serve(folder) as running:
        yield running


def told_on_desk(page: Page, server: Server, name: str) -> str:
    """Enter a new name at the desk, by keyboard; the code that it tells."""
    page.goto(f"{server.url}/review?project=study")
    expect(page.locator("#cg-who")).to_be_focused()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    said = page.locator("dialog[open] p[role=status]")
    expect(said).to_contain_text("Your code is ")
    code = said.inner_text().split("Your code is ")[1].split(".")[0]
    page.keyboard.press("Enter")
    page.wait_for_selector(".cg[data-ready='1']")
    return code


@pytest.mark.parametrize("width", [1440, 390])
def test_the_desk_asks_for_the_code_of_a_name_in_use(
    tabs: Tabs, server: Server, width: int
) -> None:
    name = f"Vera {width}"
    with tabs.tab(viewport={"width": width, "height": 800}, own=True) as page:
        code = told_on_desk(page, server, name)
        page.reload()  # the same browser is known by its cookie
        page.wait_for_selector(".cg[data-ready='1']")
        if width < 600:  # the desk of a telephone has no head: other pages show the name
            page.goto(f"{server.url}/results?project=study")
        page.locator("button.who").click()
        expect(page.locator("dialog[open]")).to_contain_text(f"Your code is {code}.")
    with tabs.tab(viewport={"width": width, "height": 800}, own=True) as page:
        page.goto(f"{server.url}/review?project=study")
        page.locator("#cg-who").fill(name.lower())
        page.keyboard.press("Enter")
        asked = page.get_by_label(f"Are you the same {name}?", exact=False)
        expect(asked).to_be_focused()
        page.keyboard.type("aaa-aaa")
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open] [role=alert]")).to_contain_text("another code")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, "the question fits"
        asked.fill(code)
        page.keyboard.press("Enter")
        page.wait_for_selector(".cg[data-ready='1']")
        expect(page.locator("button.who .nm")).to_have_attribute("title", name)


def test_the_head_of_a_page_asks_too(tabs: Tabs, server: Server) -> None:
    with tabs.tab(own=True) as page:
        code = told_on_desk(page, server, "Jon Berg")
    with tabs.tab(own=True) as page:
        page.goto(f"{server.url}/results?project=study")
        page.get_by_role("button", name="Enter your name").click()
        page.locator("#k-name").fill("Jon Berg")
        page.keyboard.press("Enter")
        asked = page.get_by_label("Are you the same Jon Berg?", exact=False)
        expect(asked).to_be_focused()
        page.keyboard.type(code)
        page.keyboard.press("Enter")
        expect(page.locator("button.who .nm")).to_have_text("Jon Berg")
        page.locator("button.who").click()
        expect(page.locator("dialog[open]")).to_contain_text(f"Your code is {code}.")
        page.get_by_role("button", name="New code").click()
        said = page.locator("dialog[open] [role=status]")
        expect(said).not_to_contain_text(code)
        expect(said).to_contain_text("Your code is ")
        expect(page.locator("#k-name")).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.locator("dialog[open]")).to_have_count(0)
