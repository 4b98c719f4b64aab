"""The whole job on real answers: import, grade, route, two people at once by keyboard alone,
export, import again, same figures."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from graders.core.shapes import writable
from graders.store.workspace import open_workspace
from graders.workflows.agreement import agree
from graders.workflows.results.grid import grid
from graders.workflows.scope.permissions import Actor, Scope
from tests.support import forked
from tests.support.server import ROOT, serve

NQ301 = ROOT.parent / "shared" / "data" / "nq301"
PROJECT = "nq301"
SCREENS_EACH = 10

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]


def cograde(*words: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    run = forked.run(["-m", "graders", *words], cwd=folder)
    assert run.returncode == 0, run.stderr
    return run


def enter(browser: Browser, url: str, name: str) -> Page:
    """Open the desk as a new person, typing the name and nothing but keys."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"{url}/review?project={PROJECT}")
    page.wait_for_selector(".cg input", timeout=30_000)
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.get_by_text("Your code is").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-ready='1'][data-screen]", timeout=30_000)
    return page


def grade_screen(page: Page, digit: str) -> str:
    """Give every open cell of the screen a value by its digit, and save; returns the screen. It
    does not wait for what comes next."""
    screen = page.get_attribute("[data-ready='1']", "data-screen") or ""
    cells = page.locator("[data-ready='1'] [role=radiogroup]").count()
    assert cells >= 1
    for _ in range(cells):
        page.keyboard.press(digit)
    page.keyboard.press("Control+Enter")
    return screen


def wait_for_next(page: Page, screen: str) -> None:
    """Wait until another screen is there."""
    page.wait_for_function(
        "was => document.querySelector(\"[data-ready='1']\")?.dataset.screen !== was",
        arg=screen,
        timeout=15_000,
    )


def results_page_their_models(page: Page, url: str) -> None:
    """1,490 models do not stand below each other, neither their values nor their text scores, and
    the next ones are a click away."""
    page.goto(f"{url}/results?project={PROJECT}")
    for card in (
        page.locator(".cgl section.card:has(table.gd)"),
        page.get_by_role("region", name="Text scores"),
    ):
        rows = card.locator("tbody tr")
        expect(rows).to_have_count(50)
        first = rows.first.inner_text()
        card.get_by_role("link", name="Next").click()
        expect(rows.first).not_to_have_text(first, use_inner_text=True)


@pytest.mark.skipif(not NQ301.is_dir(), reason="the optional data folder nq301 is not there")
def test_the_whole_job(browser: Browser, tmp_path: Path) -> None:
    workspace = ("--workspace", str(tmp_path / "app.db"))
    cograde("import", str(NQ301), *workspace, "--project", PROJECT, "--yes")
    # the look for slipped rows encoded all answers: nothing does so again
    with closing(sqlite3.connect(tmp_path / "app.db")) as db:
        assert db.execute("SELECT count(*) FROM vector").fetchone()[0] > 1_000
    cograde("grade", *workspace, "--yes")
    with serve(tmp_path) as server:
        people = [enter(browser, server.url, "Aiko"), enter(browser, server.url, "Jonas")]
        seen: list[str] = []
        for turn in range(SCREENS_EACH):
            # both are on the way at once
            saved = [
                grade_screen(page, "12"[(turn + place) % 2]) for place, page in enumerate(people)
            ]
            for page, screen in zip(people, saved, strict=True):
                wait_for_next(page, screen)
            seen += saved
        for page in people:
            page.wait_for_function(
                "() => [...document.querySelectorAll('[role=status]')].some(n => n.textContent.includes('Saved'))",
                timeout=15_000,
            )
        # two people get the same drawn screens first, each once
        assert len(set(seen)) == SCREENS_EACH and sorted(seen) == sorted(2 * list(set(seen)))
        results_page_their_models(people[0], server.url)
        before = figures(tmp_path)
    cograde("export", *workspace, "--output", str(tmp_path / "one.zip"))
    other = tmp_path / "empty"
    other.mkdir()
    again = ("--workspace", str(other / "app.db"))
    # the same answers were looked at: not encoded again
    (other / "cograde.toml").write_text("encoder = ''\nmultilingual = ''\n", "utf-8")
    cograde("import", str(tmp_path / "one.zip"), *again, "--project", PROJECT, folder=other)
    cograde("export", *again, "--output", str(tmp_path / "two.zip"))
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    assert figures(other) == before
    report = json.loads(cograde("agree", *again, "--json").stdout)
    judge = next(j for j in report["criteria"][0]["judges"] if j["name"] == "gpt-4")["adjudicated"][
        "lead"
    ]
    assert [round(judge[k], 3) for k in ("value", "low", "high")] == [0.695, 0.643, 0.740]
    assert abs(judge["value"] - 0.6951) < 5e-5


def figures(folder: Path) -> dict[str, Any]:
    """What Results and Agreement show, without the file and the time of each import."""
    scope = Scope(Actor(), open_workspace(folder / "app.db"))
    agreed = agree.agreement(scope, PROJECT, everyone=True)
    agreement = json.loads(json.dumps(agreed, default=writable))
    for brought in agreement["choice"]["imports"]:
        del brought["source"], brought["at"]
    found = {"results": json.dumps(grid(scope, PROJECT), default=writable), "agreement": agreement}
    scope.ws.close()
    return found
