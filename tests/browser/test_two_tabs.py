"""Two tabs of one person at the desk: each has screens of its own, and what both say of one screen
is stored once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store.workspace import open_workspace
from tests.browser.app import serve
from tests.browser.conftest import press
from tests.browser.tabs import Tabs
from tests.store import small
from tests.support.entering import enter
from tests.support.server import Server

pytestmark = pytest.mark.browser

#: A tab that the browser has put to sleep: it neither hears the others nor answers them.
DEAF = "window.BroadcastChannel = class { postMessage() {} close() {} }"


@contextmanager
def study(folder: Path, questions: int) -> Iterator[Server]:
    """The app with so many screens."""
    with closing(small.workspace(folder, "app")) as ws:
        small.study(folder, ws, count=questions)
    with serve(folder) as server:
        yield server


def named(page: Page, server: Server) -> None:
    enter(page.request, server.url, "Mira")


def desk(page: Page, server: Server, question: str = "") -> str:
    """Open the desk; returns the screen that it shows, or nothing."""
    page.goto(f"{server.url}/review?project=study{question and f'&question={question}'}")
    page.wait_for_selector(".cg[data-ready='1']")
    return page.locator(".cg").get_attribute("data-screen") or ""


def decide(page: Page, value: str) -> None:
    """The same value for all that is open on the screen, then save."""
    for _ in range(page.locator(".cg-row:not([hidden])").count()):
        press(page, value)
    press(page, "Control+Enter")
    if page.locator(".cg-say").inner_text():
        press(page, "Control+Enter")


def saves(server: Server) -> list[tuple[int, int]]:
    """(screen, how many stand) of all that was saved, and nothing is doubled."""
    with closing(open_workspace(server.folder / "app.db")) as ws:
        twice = "SELECT count(*) - count(DISTINCT cell_id) FROM verdict WHERE screen_id IS NOT NULL AND kind = 'given'"
        assert ws.db.execute(twice).fetchone()[0] == 0
        return [
            tuple(row)
            for row in ws.db.execute(
                "SELECT screen_id, count(*) FROM save WHERE undone = 0 GROUP BY 1 ORDER BY 1"
            )
        ]


def test_the_second_tab_has_other_screens(page: Page, tmp_path: Path) -> None:
    with study(tmp_path, 12) as server:
        named(page, server)
        first = desk(page, server)
        page.wait_for_selector(".cg:not([data-ahead='0'])")
        other = page.context.new_page()
        second = desk(other, server)
        assert first and second and first != second
        shown = {page: {first}, other: {second}}
        for _ in range(3):  # both go on, and never meet
            for tab in (page, other):
                was = tab.locator(".cg").get_attribute("data-screen")
                decide(tab, "1")
                expect(tab.locator(".cg")).not_to_have_attribute("data-screen", str(was))
                shown[tab].add(str(tab.locator(".cg").get_attribute("data-screen")))
        assert not shown[page] & shown[other]
        expect(other.locator(".cg-status")).to_have_text("Saved")
        expect(page.locator(".cg-status")).to_have_text("Saved")
        assert [n for _, n in saves(server)] == [1] * 6
        reloaded = other.locator(".cg").get_attribute("data-screen")
        other.reload()
        other.wait_for_selector(".cg[data-ready='1']")
        assert other.locator(".cg").get_attribute("data-screen") not in shown[page] and reloaded


def test_the_second_tab_says_that_the_first_has_the_last_screens(
    page: Page, tmp_path: Path
) -> None:
    with study(tmp_path, 2) as server:
        named(page, server)
        first = desk(page, server)
        page.wait_for_selector(".cg[data-ahead='1']")
        other = page.context.new_page()
        assert desk(other, server) == ""
        expect(other.get_by_role("heading", name="Your other tab has the rest")).to_be_visible()
        expect(other.locator(".cg-plain")).to_contain_text("your last 2 screens")
        expect(other.get_by_text("Well done")).to_have_count(0)
        page.close()
        expect(other.locator(".cg")).to_have_attribute("data-screen", first)  # by itself


def test_two_tabs_opened_at_once_part(page: Page, tmp_path: Path) -> None:
    """As a browser does that brings back its last session: both ask before either has a screen."""
    with study(tmp_path, 12) as server:
        named(page, server)
        other = page.context.new_page()
        for tab in (page, other):
            tab.goto(f"{server.url}/review?project=study", wait_until="commit")
        for tab in (page, other):
            tab.wait_for_selector(".cg[data-ready='1'][data-screen]")
        names = [tab.locator(".cg").get_attribute("data-screen") for tab in (page, other)]
        if names[0] == names[1]:  # the younger one yields
            expect(other.locator(".cg")).not_to_have_attribute("data-screen", str(names[0]))
            names[1] = other.locator(".cg").get_attribute("data-screen")
        page.wait_for_timeout(300)
        assert [tab.locator(".cg").get_attribute("data-screen") for tab in (page, other)] == names


def test_work_that_was_begun_is_not_thrown_away_for_an_older_tab(
    page: Page, tmp_path: Path
) -> None:
    with study(tmp_path, 12) as server:
        named(page, server)
        screen = desk(page, server)
        older = {"tab": "0", "since": 0, "screens": [[int(screen), "q1"]]}
        say = "(told) => new BroadcastChannel('cograde-desk').postMessage(told)"
        other = page.context.new_page()
        other.goto(f"{server.url}/healthz")
        press(page, "f")
        other.evaluate(say, older)
        page.wait_for_timeout(300)
        expect(page.locator(".cg")).to_have_attribute("data-screen", screen)
        press(page, "f")  # nothing is on it any more
        other.evaluate(say, older)
        expect(page.locator(".cg")).not_to_have_attribute("data-screen", screen)
        expect(
            page.get_by_text("That screen is open in another tab; here is the next one.")
        ).to_be_visible()


def test_a_question_that_the_first_tab_has_is_not_opened_twice(page: Page, tmp_path: Path) -> None:
    with study(tmp_path, 12) as server:
        named(page, server)
        first = desk(page, server, "q5")
        other = page.context.new_page()
        assert desk(other, server, "q5") not in ("", first)
        expect(
            other.get_by_text("That question is open in another tab; here is the next one.")
        ).to_be_visible()


@pytest.mark.parametrize("value", ["1", "2"])
def test_a_screen_that_both_have_is_stored_once(tabs: Tabs, tmp_path: Path, value: str) -> None:
    with tabs.tab(own=True) as page, study(tmp_path, 12) as server:
        page.context.add_init_script(DEAF)
        other = page.context.new_page()
        named(page, server)
        screen = desk(page, server, "q3")
        assert desk(other, server, "q3") == screen, "neither knows of the other"
        decide(page, "1")
        expect(page.locator(".cg-status")).to_have_text("Saved")
        decide(other, value)
        said = other.locator(".cg-say")
        if value == "1":
            expect(said).to_have_text(
                "You saved this screen in another tab already. Nothing was stored twice."
            )
            expect(other.locator(".cg-status")).to_have_text("Saved")
            assert saves(server) == [(int(screen), 1)]
            return
        expect(said).to_contain_text("with other values; those stand")
        # nothing was held up
        expect(other.locator(".cg")).not_to_have_attribute("data-screen", screen)
        expect(other.locator(".cg-status")).to_have_text("Draft kept here")
        assert saves(server) == [(int(screen), 1)]
        press(other, "ArrowLeft")
        expect(other.locator(".cg")).to_have_attribute("data-screen", screen)
        assert other.locator(".cg-row input:checked").first.get_attribute("value") != ""
        press(other, "Control+Enter")
        expect(other.locator(".cg-status")).to_have_text("Saved")
        assert saves(server) == [(int(screen), 2)], "a second save, which amends the first"
        with closing(open_workspace(server.folder / "app.db")) as ws:
            kinds = {
                row[0]
                for row in ws.db.execute(
                    "SELECT kind FROM verdict WHERE save_id = (SELECT id FROM save WHERE after <> '' AND undone = 0)"
                )
            }
        assert kinds == {"amends"}


def test_what_a_closed_tab_left_in_the_outbox_is_stored_once(tabs: Tabs, tmp_path: Path) -> None:
    with tabs.tab(own=True) as page, study(tmp_path, 12) as server:
        page.context.add_init_script(DEAF)
        named(page, server)
        screen = desk(page, server, "q3")
        page.route("**/api/save", lambda route: route.abort())  # it is kept
        decide(page, "1")
        expect(page.locator(".cg-status")).to_contain_text("Offline: 1")
        kept = page.evaluate(
            "Object.entries(localStorage).filter(([key]) => key.includes('.out.'))"
        )
        page.unroute("**/api/save")
        other = page.context.new_page()
        page.close()
        other.goto(f"{server.url}/review?project=study&question=q9")
        other.wait_for_selector(".cg[data-ready='1']")
        expect(other.locator(".cg-status")).to_have_text("Saved")
        assert saves(server) == [(int(screen), 1)]
        # its acknowledgement was lost
        other.evaluate(
            "kept => kept.forEach(([key, value]) => localStorage.setItem(key, value))", kept
        )
        other.reload()
        other.wait_for_selector(".cg[data-ready='1']")
        expect(other.locator(".cg-status")).to_have_text("Saved")
        other.wait_for_function("!Object.keys(localStorage).some((key) => key.includes('.out.'))")
        assert saves(server) == [(int(screen), 1)]
