"""The desk of a server whose disk is full: what is the matter is said, and nothing is lost."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.conftest import press
from tests.store import small

pytestmark = pytest.mark.browser


def test_a_full_disk_is_named_and_what_waited_is_saved_later(page: Page, tmp_path: Path) -> None:
    with closing(small.workspace(tmp_path, "app")) as ws:
        small.study(tmp_path, ws, count=4, models=("Ash",))
    with serve(tmp_path) as server:
        page.request.post(f"{server.url}/api/me", data={"name": "Mira"})
        page.goto(f"{server.url}/review?project=study")
        page.wait_for_selector(".cg[data-ready='1']:not([data-ahead='0'])")
        app = psutil.Process(server.process.pid)
        before = app.rlimit(psutil.RLIMIT_FSIZE)
        app.rlimit(psutil.RLIMIT_FSIZE, (1, before[1]))
        first = page.locator(".cg").get_attribute("data-screen")
        for _ in range(page.locator(".cg-row:not([hidden])").count()):
            press(page, "1")
        press(page, "Control+Enter")
        expect(page.locator(".cg")).not_to_have_attribute("data-screen", str(first))
        expect(page.locator(".cg-status")).to_have_text("Not saved yet: 1 kept here")
        expect(page.locator(".cg-word")).to_contain_text("Look whether the disk is full")
        app.rlimit(psutil.RLIMIT_FSIZE, before)
        expect(page.locator(".cg-status")).to_have_text(re.compile("^Saved"), timeout=30_000)
        expect(page.locator(".cg-word")).to_be_hidden()
        rows = page.request.get(f"{server.url}/api/my-work?project=study").json()["rows"]
        assert {str(row["screen"]) for row in rows} == {first}
