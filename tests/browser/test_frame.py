"""The desk of a Space in a frame of the Hub, in browsers that keep no cookies of other sites."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from graders.store.workspace import open_workspace
from tests.browser.conftest import press
from tests.store import small
from tests.support.chromium import ARGUMENTS, FEATURES, find
from tests.support.server import Server, serve

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]
HUB = "https://huggingface.co/spaces/team/cograde"


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("frame")
    ws = open_workspace(folder / "data" / "demo.db")
    small.study(folder, ws, count=12, models=("Ash",))
    ws.close()
    with serve(folder, SPACE_ID="team/cograde", COGRADE_HOST="127.0.0.1") as running:
        yield running


@contextmanager
def hub(
    browser: Browser, folder: Path, space: Server, width: int, keeps: str, path: str = "/review"
) -> Iterator[Page]:
    """A page of the Hub that shows the desk, or the page at `path`, in a frame. The browser `keeps`
    only partitioned cookies there, or nothing at all."""
    profile = folder / "profile" / "Default"
    profile.mkdir(parents=True)
    blocked = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (profile / "Preferences").write_text(json.dumps({} if keeps == "partitioned" else blocked))
    features = [name for name in FEATURES if name != "ThirdPartyStoragePartitioning"]
    context: BrowserContext = browser.browser_type.launch_persistent_context(
        profile.parent,
        executable_path=find(),
        args=[
            *ARGUMENTS[1:],
            f"--disable-features={','.join([*features, 'LocalNetworkAccessChecks'])}",
            "--test-third-party-cookie-phaseout",
        ],
        viewport={"width": width, "height": 844},
    )
    shown = (
        f"<iframe src='{space.url}{path}?project=study' style='border:0;width:100%;height:800px'>"
    )
    context.route(
        "https://huggingface.co/**",
        lambda route: route.fulfill(body=shown, content_type="text/html"),
    )
    with closing(context):
        page = context.new_page()
        page.goto(HUB)
        yield page


def say_name(desk: FrameLocator, name: str) -> None:
    desk.get_by_role("textbox", name="Your name").fill(name)
    desk.get_by_role("button", name="Start").click()
    desk.locator(".cg[data-ready='1'][data-screen]").wait_for()


def save_screens(page: Page, desk: FrameLocator, count: int) -> None:
    for _ in range(count):
        shown = desk.locator(".cg").get_attribute("data-screen")
        desk.locator("[data-cell]").first.click()
        for _ in range(desk.locator(".cg-row:not([hidden])").count()):
            press(page, "1")
        press(page, "Control+Enter")
        if desk.locator(".cg-say").inner_text():
            press(page, "Control+Enter")
        expect(desk.locator(".cg")).not_to_have_attribute("data-screen", str(shown))
    expect(desk.locator(".cg-status")).to_have_text("Saved")


def saves(space: Server, name: str) -> list[int]:
    """How many screens stand as saved, in each copy that somebody of that name has."""
    found = []
    for copy in (space.folder / "data" / "visitors").glob("*.db"):
        with closing(open_workspace(copy)) as ws:
            if ws.db.execute("SELECT 1 FROM person WHERE name = ?", (name,)).fetchone():
                found.append(
                    ws.db.execute("SELECT count(*) FROM save WHERE undone = 0").fetchone()[0]
                )
    return found


@pytest.mark.parametrize("width", [1440, 390])
def test_partitioned_cookies_serve_the_frame(
    browser: Browser, tmp_path: Path, space: Server, width: int
) -> None:
    name = f"Mira {width}"
    with hub(browser, tmp_path, space, width, "partitioned") as page:
        [cookie] = [one for one in page.context.cookies(space.url) if one["name"] == "cograde"]
        assert cookie["sameSite"] == "None" and cookie["secure"] and cookie["httpOnly"]
        desk = page.frame_locator("iframe")
        say_name(desk, name)
        save_screens(page, desk, 3)
        assert saves(space, name) == [3]
        page.reload()
        desk.locator(".cg[data-ready='1'][data-screen]").wait_for()
        expect(desk.get_by_role("textbox", name="Your name")).to_have_count(0)
        expect(desk.get_by_role("link", name="Open Cograde in its own tab")).to_have_count(0)


@pytest.mark.parametrize("width", [1440, 390])
def test_a_browser_that_keeps_nothing_grades_all_the_same(
    browser: Browser, tmp_path: Path, space: Server, width: int
) -> None:
    name = f"Tom {width}"
    with hub(browser, tmp_path, space, width, "nothing") as page:
        desk = page.frame_locator("iframe")
        say_name(desk, name)
        save_screens(page, desk, 3)
        assert page.context.cookies() == []
        assert saves(space, name) == [3]
        own = desk.get_by_role("link", name="Open Cograde in its own tab")
        expect(own).to_be_visible()
        expect(own).to_have_attribute("target", "_blank")
        with page.context.expect_page() as opened:
            own.click()
        opened.value.wait_for_url(f"{space.url}/review**")


@pytest.mark.parametrize("width", [1440, 390])
def test_a_name_said_on_another_page_is_not_asked_for_again(
    browser: Browser, tmp_path: Path, space: Server, width: int
) -> None:
    with hub(browser, tmp_path, space, width, "nothing", "/adjudicate") as page:
        other = page.frame_locator("iframe")
        other.get_by_role("button", name="Enter your name").click()
        other.get_by_label("The name that colleagues know you by").fill("Ada Quill")
        other.get_by_role("button", name="Keep name").click()
        expect(other.locator(".hd .nm")).to_have_text("Ada Quill")
        expect(other.get_by_role("button", name="Enter your name")).to_have_count(0)
        expect(other.get_by_role("link", name="Open Cograde in its own tab")).to_be_visible()
        assert page.context.cookies() == []
