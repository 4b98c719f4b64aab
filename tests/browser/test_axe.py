"""axe-core finds nothing serious on any page, light and dark, on a desk and on a telephone.

It comes from npm as the other tools for scripts do (tests/scripts); SKIPPED where npm is out of
reach.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.app import serve
from tests.browser.tabs import Tabs, drawn
from tests.scripts import tools
from tests.support.entering import enter

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]
PROJECT = "autumn-study"
CELL = "&model=Cedar&criterion=answer-quality/completeness"
#: Page -> what shows it.
PAGES = {
    "/": ".cgl h1",
    "/run": ".cgl h1",
    f"/results?{CELL}": ".cgl h1",
    "/agreement": ".cgl h1",
    "/report": ".cgl h1",
    "/results?view=answers": ".cgl h1",
    "/routing": ".cgl h1",
    "/leaderboard": ".cgl h1",
    "/anchoring": ".cgl h1",
    "/judges": ".cgl h1",
    "/workshop": ".cgl h1",
    "/diagnostics": ".cgl h1",
    "/questions": ".cgl h1",
    "/elements": ".cgl h1",
    "/rubrics": ".cgl h1",
    "/adjudicate": ".cgl h1",
    "/review": ".cg[data-ready='1']",
}
FOUND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.replace(/ href="[^"]*"/u, "").slice(0, 260)).slice(0, 4).join(" | ")}`)"""

#: No colour is on its way from one scheme to the other: what axe reads is what a person sees.
SETTLED = "() => !document.getAnimations().some((one) => one instanceof CSSTransition)"


@pytest.fixture(scope="module")
def axe() -> str:
    """The script."""
    folder = tools.install()
    if isinstance(folder, str):
        pytest.skip(folder)
    return (folder / "node_modules/axe-core/axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def tab(browser: Browser, demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder, tabs = tmp_path_factory.mktemp("axe"), Tabs(browser)
    with serve(folder, demo) as server, tabs.tab() as page:
        assert enter(page.context.request, server.url, "Ann").ok
        yield page, server.url
    tabs.close()


@pytest.mark.parametrize("name", PAGES)
def test_nothing_serious_is_found(name: str, tab: tuple[Page, str], axe: str) -> None:
    page, url = tab
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{url}{name}{'&' if '?' in name else '?'}project={PROJECT}")
    page.wait_for_selector(PAGES[name])
    drawn(page)
    page.evaluate(axe)
    found: dict[tuple[int, str], list[str]] = {}
    for width, scheme in ((1440, "light"), (1440, "dark"), (390, "dark"), (390, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("dark => document.body.classList.toggle('dark', dark)", scheme == "dark")
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.wait_for_function(SETTLED)
        found[width, scheme] = page.evaluate(FOUND)
    assert {held: some for held, some in found.items() if some} == {}
