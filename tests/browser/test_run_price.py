"""Planning on the Run page: providers are described where a judge is picked, the plan stands above
Start, and a price that no list knows is said once."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.core import provider_names
from graders.store.workspace import open_workspace
from tests.browser.app import serve
from tests.store import small

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

ADDRESS = "http://127.0.0.1:9/v1"


def test_a_price_is_said_once_beside_the_plan(page: Page, tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=2, models=("Ash",))
    ws.close()
    with serve(tmp_path, OPENAI_API_KEY="nobody", OPENAI_BASE_URL=ADDRESS) as server:
        page.goto(f"{server.url}/run?project=study")
        for named in provider_names.offered():
            expect(page.locator(".k-providers").first).to_contain_text(named.about)
        judges = page.get_by_label("Judges, as PROVIDER:MODEL")
        judges.fill("openai:own")
        judges.press("Enter")
        judges.press("Escape")
        row = page.get_by_role("row", name="openai:own")
        expect(row).to_contain_text("unknown")
        plan, start = page.locator(".k-plan table").first, page.get_by_role("button", name="Start")
        place, below = plan.bounding_box(), start.bounding_box()
        assert place and below and place["y"] + place["height"] <= below["y"]
        page.get_by_label("$ per million tokens in").fill("2")
        page.get_by_label("$ per million tokens out").fill("much")
        page.get_by_role("button", name="Keep the price").click()
        expect(page.get_by_role("alert")).to_contain_text("expected US dollars per million tokens")
        page.get_by_label("$ per million tokens out").fill("8")
        page.get_by_role("button", name="Keep the price").click()
        expect(row).not_to_contain_text("unknown")
        expect(row).to_contain_text("$")
        expect(page.get_by_role("alert")).to_have_count(0)
        page.reload()
        judges.fill("openai:own")
        judges.press("Enter")
        judges.press("Escape")
        expect(row).to_contain_text("$")
        page.get_by_text("Change the price of openai:own").click()
        expect(page.get_by_label("$ per million tokens in")).to_have_value("2")
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
