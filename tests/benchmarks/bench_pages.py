"""The lead's pages in Chromium, on the demo: first load painted, repeated load, filter to painted.

Loads stand beside the review desk's, taken in turns with it in the same run, so that a slow or busy
machine weighs on both: their bar is half as long again as the desk's. Needs Chromium.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.benchmarks import STATES
from tests.benchmarks.bench_start import PAINTED, settled
from tests.support.chromium import ARGUMENTS, HOW, find
from tests.support.server import serve

PROJECT, TURNS = "autumn-study", 5
#: How much longer than the desk's a load may take, and milliseconds from a filter to its picture.
SLOWER, FILTER_BAR = 1.5, 120.0
DESK, SHOWN = "/review", "[data-ready='1'][data-screen], .cgl h1"
#: Page -> parameter and value of one of its filters; none where it has none, or is not yet of
#: Gradio's parts.
PAGES: dict[str, tuple[str, str] | None] = {
    "/": None,
    "/run": None,
    "/report": None,
    "/judges": None,
    "/rubrics": None,
    "/workshop": None,
    "/diagnostics": None,
    "/adjudicate": None,
    "/my-work": ("which", "changed"),
    "/questions": ("kind", "given"),
    "/elements": ("show", "without"),
    "/results": ("category", "science"),
    "/agreement": ("blind", "0"),
    "/routing": ("risk", "15"),
    "/leaderboard": ("category", "science"),
    "/anchoring": ("category", "science"),
}
#: Set a parameter of the address as a filter does; milliseconds until the page is drawn for it.
FILTER = f"""async ([name, value]) => {{
  const begun = performance.now();
  window.cograde.set([name], [value], []);
  while (document.body.classList.contains("k-busy")) await new Promise(requestAnimationFrame);
  await ({PAINTED})();
  return performance.now() - begun;
}}"""


def loaded(page: Page, address: str) -> float:
    """Milliseconds until a page is painted."""
    begun = time.perf_counter()
    page.goto(address, wait_until="commit")
    page.wait_for_selector(SHOWN, timeout=60_000)
    page.evaluate(PAINTED)
    return 1000 * (time.perf_counter() - begun)


def taken(browser: Browser, url: str) -> dict[tuple[str, str], list[float]]:
    """What is measured, of which page -> milliseconds of each turn; each page in turns with the
    desk."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    first = browser.new_context()
    first.request.post(f"{url}/api/me", data={"name": "Reader"})
    person = first.storage_state()
    for path in (DESK, *PAGES):  # nothing of the server's is made in what counts
        page = first.new_page()
        loaded(page, f"{url}{path}?project={PROJECT}")
        page.close()
    for _ in range(TURNS):
        for path in (DESK, *PAGES):
            context = browser.new_context(
                viewport={"width": 1440, "height": 900}, storage_state=person
            )
            page, address = context.new_page(), f"{url}{path}?project={PROJECT}"
            found["first load", path].append(loaded(page, address))
            found["repeated load", path].append(loaded(page, address))
            chosen = PAGES.get(path)
            if chosen:
                page.wait_for_selector(":root.k-on")
                page.wait_for_timeout(300)  # a person needs longer
                found["filter", path].append(page.evaluate(FILTER, list(chosen)))
            context.close()
    return found


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    chromium = find()
    if not chromium:
        print(HOW)
        return []
    with (
        tempfile.TemporaryDirectory() as folder,
        serve(Path(folder)) as server,
        sync_playwright() as play,
    ):
        settled(server.url)
        browser = play.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        found = taken(browser, server.url)
        browser.close()
    rows = []
    for (what, path), times in found.items():
        if path == DESK:
            continue
        bar = FILTER_BAR if what == "filter" else SLOWER * median(found[what, DESK])
        figure = median(times)
        rows.append(
            {
                "name": f"pages: {path}, {what} to painted, median ms",
                "figure": round(figure),
                "bar": round(bar),
                "ratio": round(figure / bar, 3),
                "met": figure <= bar,
            }
        )
    return sorted(rows, key=lambda row: row["name"])


if __name__ == "__main__":
    for row in main():
        print(
            f"{STATES[row['met']]:<7} {row['name']}: {row['figure']} (bar {row['bar']}, ratio {row['ratio']})"
        )
