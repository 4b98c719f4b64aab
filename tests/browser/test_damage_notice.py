"""A workspace that is too large to be read through before the app answers: its damage stands on
every page of the lead soon after."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store.damage import SMALL_BYTES
from tests.browser.app import serve
from tests.store import small
from tests.support import damaged
from tests.web.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


def test_damage_is_said_on_the_pages_while_the_app_runs(page: Page, tmp_path: Path) -> None:
    ws = small.workspace(tmp_path, "app")
    small.study(tmp_path, ws)
    with ws.write() as db:
        db.execute("INSERT INTO vector VALUES ('large', zeroblob(?))", (SMALL_BYTES,))
    ws.settle()
    damaged.overwrite(ws.path, damaged.page_of(ws.path, "vector"))
    with serve(tmp_path) as server:
        for address in ("/", "/results?project=study"):
            page.goto(server.url + address)
            expect(page.get_by_role("alert")).to_contain_text("workspace app.db: found damage (")
            expect(page.get_by_role("alert")).to_contain_text(
                "see what `cograde check` finds. There is no backup beside it"
            )
            expect(page.locator("h1")).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert "found damage" in server.log.read_text("utf-8")
        assert (
            Client(server.url)
            .get("/api/frame", project="study")["damage"]
            .startswith("workspace app.db")
        )
