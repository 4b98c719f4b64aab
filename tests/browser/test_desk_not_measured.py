"""The desk folds a cell that nobody can know anything about, and says why."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.support.entering import enter
from tests.workflows.measuring.test_measure_not_measured import graded

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.mark.parametrize("sampling", [{}, {"calibration": 1.0}], ids=["assisted", "blind"])
def test_an_unmeasured_speed_is_folded_with_its_reason(
    page: Page, tmp_path: Path, sampling: dict[str, float]
) -> None:
    ws = graded(tmp_path, **sampling)
    ws.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = ws.path
    ws.close()
    path.rename(tmp_path / "app.db")
    with serve(tmp_path) as server:
        assert enter(page.context.request, server.url, "Ann").ok
        page.goto(f"{server.url}/review?project=study")
        page.wait_for_selector(".cg[data-ready='1']")
        fold = page.get_by_role("button", name="1 not applicable")
        expect(fold).to_have_count(1)  # Oak's; Ash was timed
        expect(page.locator("[data-criterion='quick/speed']")).to_have_count(1)
        fold.click()
        expect(page.locator("[data-criterion='quick/speed']")).to_have_count(2)
        expect(page.get_by_text("not applicable: not measured")).to_be_visible()
