"""A visitor of a Space in the browser: the demo without a copy, the first save, and a Space that is
full."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from graders.store.copies import Limits
from graders.store.workspace import open_workspace
from tests.store import small
from tests.support.server import Server, serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
def space(tmp_path: Path) -> Iterator[Server]:
    ws = open_workspace(tmp_path / "data" / "demo.db")
    small.study(tmp_path, ws, count=4)
    ws.close()
    with serve(tmp_path, SPACE_ID="team/cograde", COGRADE_HOST="127.0.0.1") as running:
        yield running


def desk(page: Page, space: Server) -> None:
    """Open the desk and say a name."""
    page.goto(f"{space.url}/review?project=study")
    page.get_by_role("textbox", name="Your name").fill("Mira Holm")
    page.get_by_role("button", name="Start").click()


def test_a_visitor_looks_works_and_is_told_of_a_full_space(browser: Browser, space: Server) -> None:
    copies = space.folder / "data" / "visitors"
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{space.url}/results?project=study")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert not list(copies.glob("*.db")), "looking makes no copy"
        desk(page, space)
        page.wait_for_selector("[data-ready='1'][data-screen]")
        assert len(list(copies.glob("*.db"))) == 1
    for number in range(Limits().copies):
        (copies / f"{number:032x}.db").touch()
    with browser.new_context() as context:
        page = context.new_page()
        desk(page, space)
        expect(page.get_by_role("alert")).to_have_text(
            "All 1,000 places for visitors' own work in the demo are taken. A place is free again in about 24 hours. "
            "Until then you can look at everything here. Cograde on your own computer has no such limit."
        )
        page.get_by_role("link", name="See the results without a name").click()
        page.wait_for_url("**/results**")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
