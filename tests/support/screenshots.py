"""Takes the README's picture: the review desk on the demo project, as a person sees it. Run by
`make screenshots`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.support.chromium import ARGUMENTS, HOW, find
from tests.support.entering import enter
from tests.support.server import ROOT, serve

PICTURE = ROOT / "data" / "pictures" / "desk.png"
PROJECT = "autumn-study"
SIZE = {"width": 1440, "height": 640}
#: Keys that make a picture of work under way: a suggestion that is confirmed, one that is corrected.
KEYS = ("Enter", "2")
NAMES = ("Mira Holm", "Jonas Vik", "Aiko Mori", "Noor Aziz")


def desk(page: Page, url: str) -> None:
    """Open screens until one shows three answers with suggestions. About half of a
    person's screens are blind, by chance, and ten may wait undone: then somebody else looks."""
    for name in NAMES:
        enter(page.request, url, name)
        page.goto(f"{url}/review?project={PROJECT}")
        for _ in range(10):
            page.wait_for_selector("[data-ready='1'][data-screen]", timeout=30_000)
            if page.locator("[data-arm='assisted'] .cg-a").count() == 3:
                for key in KEYS:
                    page.keyboard.press(key)
                return
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(300)


def take(page: Page, url: str, picture: Path) -> None:
    """Write the picture of the desk."""
    page.set_viewport_size({"width": SIZE["width"], "height": SIZE["height"]})
    desk(page, url)
    page.wait_for_timeout(1_000)  # what the last key changed has settled
    picture.parent.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=picture)


def main() -> None:
    """Write the picture."""
    path = find()
    if not path:
        raise SystemExit(HOW)
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder)) as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        page = browser.new_page()
        page.wait_for_timeout(15_000)  # the demo's run computes its metrics first
        take(page, server.url, PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
