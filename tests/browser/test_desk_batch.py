"""The end of a batch of blind screens: shown when it is full, amended with one key, left with
Enter."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ToyServer, open_desk, open_desk_with_three_ahead, press

pytestmark = pytest.mark.browser


def said(page: Page) -> list[str]:
    return [text for text in page.locator(".cg-batch-first").all_inner_texts() if text]


def grade(page: Page) -> None:
    """Relevance 2 and completeness 3 of the first answer; the rest stays open."""
    press(page, "2", "3", "Control+Enter", "Control+Enter")


def to_the_end_of_a_batch(page: Page, server: ToyServer) -> None:
    """Two blind screens, s3 and s12, with an ordinary one between them."""
    server.set(batch=2)
    open_desk(page, server, "q3")
    grade(page)
    expect(page.locator(".cg")).not_to_have_attribute("data-screen", "s3")
    page.goto(f"{server.url}/review?project=autumn&question=q12")
    page.wait_for_selector("[data-screen=s12][data-ready='1']")
    assert page.locator(".cg-batch").count() == 0
    grade(page)
    page.wait_for_selector(".cg-batch")


def test_nothing_is_revealed_unless_the_lead_wants_it(page: Page, server: ToyServer) -> None:
    open_desk(page, server, "q3")
    grade(page)
    expect(page.locator(".cg")).not_to_have_attribute("data-screen", "s3")
    server.saves(1)
    assert not [path for path in server.state()["requests"] if "reveal" in path]


def test_a_full_batch_is_shown_with_my_values_beside_the_judges(
    page: Page, server: ToyServer
) -> None:
    to_the_end_of_a_batch(page, server)
    expect(page.get_by_role("heading", level=1)).to_have_text("End of the batch: 2 blind screens")
    # Of every screen answer A has two cells. The judges chose the lowest and the highest value, so
    # none is the same as both.
    expect(page.locator(".cg-batch [role=status]").first).to_have_text(
        "You and the judges agree on 0 of 4 ratings."
    )
    assert page.locator(".cg-batch [role=radiogroup]").count() == 4
    first = page.locator(".cg-batch [data-cell='s3a.completeness']")
    expect(first.locator(".cg-said")).to_have_text("main points")
    expect(first.locator(".cg-batch-judges")).to_have_text(
        "north: 1 most is missing · south: 5 nothing is missing"
    )


def test_one_key_amends_and_enter_goes_on(page: Page, server: ToyServer) -> None:
    to_the_end_of_a_batch(page, server)
    before = len(server.saves(2))
    press(page, "ArrowDown", "5")
    assert said(page) == ["Your first verdict: 3 main points"]
    press(page, "ArrowUp", "1", "u")
    assert said(page) == ["Your first verdict: 3 main points"]  # the other amendment was taken back
    press(page, "Enter")
    expect(page.locator(".cg-batch")).to_have_count(0)
    page.wait_for_selector("[data-screen][data-ready='1']")
    last = server.saves(before + 1)[-1]
    assert (last["screen"], last["after_reveal"]) == ("s3", True)
    assert [(v["cell"], v["value"]) for v in last["verdicts"]] == [("s3a.completeness", 5)]
    assert [save["after_reveal"] for save in server.saves(before)[:before]] == [False] * before
    expect(page.locator(".cg-status")).to_have_text("Saved")
    assert sum(path.startswith("/api/reveal/close") for path in server.state()["requests"]) == 1


def test_a_reload_comes_back_to_the_batch_with_its_amendments(
    page: Page, server: ToyServer
) -> None:
    to_the_end_of_a_batch(page, server)
    press(page, "1")
    page.reload()
    page.wait_for_selector(".cg-batch")
    assert said(page) == ["Your first verdict: 2 relevant"]


def test_without_a_server_work_goes_on_and_the_batch_waits(page: Page, server: ToyServer) -> None:
    server.set(batch=1)
    open_desk_with_three_ahead(page, server, "q3")
    server.set(fail=503)
    grade(page)
    page.wait_for_selector("[data-screen][data-ready='1']:not([data-screen=s3])", timeout=10_000)
    assert page.locator(".cg-batch").count() == 0
    server.set(fail=0)
    expect(page.locator(".cg-status")).to_have_text("Saved", timeout=15_000)
    press(page, "2", "Control+Enter", "Control+Enter")
    page.wait_for_selector(".cg-batch")
