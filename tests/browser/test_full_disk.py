"""The desk of a server whose disk is full: what is the matter is said, and nothing is lost."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.conftest import ToyServer, open_desk, open_desk_with_three_ahead, press
from tests.store import small
from tests.support.entering import enter

pytestmark = pytest.mark.browser


def test_a_full_disk_is_named_and_what_waited_is_saved_later(page: Page, tmp_path: Path) -> None:
    with closing(small.workspace(tmp_path, "app")) as ws:
        small.study(tmp_path, ws, count=4, models=("Ash",))
    with serve(tmp_path) as server:
        enter(page.request, server.url, "Mira")
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
        expect(page.locator(".cg-word")).to_contain_text("which may be full or broken")
        expect(page.locator(".cg-word")).to_contain_text("nothing is lost")
        app.rlimit(psutil.RLIMIT_FSIZE, before)
        expect(page.locator(".cg-status")).to_have_text(re.compile("^Saved"), timeout=30_000)
        expect(page.locator(".cg-word")).to_be_hidden()
        rows = page.request.get(f"{server.url}/api/my-work?project=study").json()["rows"]
        assert {str(row["screen"]) for row in rows} == {first}


@pytest.mark.parametrize(
    ("trouble", "status", "word"),
    [
        ("full", "Disk full: 1 kept here", "The server's disk is full: "),
        ("read_only", "Read-only: 1 kept here", "The server's file is read-only: "),
    ],
)
def test_the_status_names_what_the_server_names(
    trouble: str, status: str, word: str, page: Page, server: ToyServer
) -> None:
    open_desk_with_three_ahead(page, server)
    server.set(fail=507, trouble=trouble)
    press(page, "Enter", "Control+Enter", "Control+Enter")
    expect(page.locator(".cg-status")).to_have_text(status)
    expect(page.locator(".cg-word")).to_contain_text(word)
    press(page, "Enter", "Control+Enter", "Control+Enter")
    expect(page.locator(".cg-status")).to_have_text(status.replace("1", "2"))
    # the next screen says it as well, at once
    assert "nothing is lost" in page.locator(".cg-word").inner_text()
    server.set(fail=0)
    expect(page.locator(".cg-status")).to_have_text("Saved", timeout=30_000)
    expect(page.locator(".cg-word")).to_be_hidden()
    assert [save["screen"] for save in server.saves(2)] == ["s1", "s2"]


def test_where_no_screen_is_left_in_hand_the_reason_is_said_and_work_goes_on_by_itself(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server)
    server.set(fail=507, trouble="full")
    page.reload()
    expect(page.locator(".cg-plain")).to_contain_text("The server's disk is full: ")
    server.set(fail=0)
    open_desk_with_three_ahead(page, server)
    server.set(fail=507, trouble="full")
    for _ in range(4):
        press(page, "Enter", "Control+Enter", "Control+Enter")
    expect(page.locator(".cg-plain")).to_contain_text("The server's disk is full: ")
    expect(page.locator(".cg-plain")).to_contain_text("nothing is lost")
    expect(page.locator(".cg-status")).to_have_text("Disk full: 4 kept here")
    server.set(fail=0)
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s5", timeout=30_000)
    assert len(server.saves(4)) == 4
