"""The desk in the real application: the header above it, and the switch of the reveal where a lead
looks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store.workspace import open_workspace
from graders.workflows.projects.settings import settings
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.app import serve
from tests.support.entering import enter
from tests.support.server import Server

PROJECT = "autumn-study"
pytestmark = pytest.mark.browser
#: Half a minute has passed, as a person needs it to read: work that is too fast to have read is told
#: of in a dialog.
READS = "() => { const now = performance.now.bind(performance); performance.now = () => now() + 30_000 }"


@pytest.fixture(scope="module")
def app(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("app"), demo) as running:
        yield running


def test_the_project_stands_once_and_the_badge_follows_the_saves(app: Server, page: Page) -> None:
    enter(page.request, app.url, "Jonas Vik")
    page.goto(f"{app.url}/review?project={PROJECT}")
    page.wait_for_selector("[data-ready='1'][data-screen]", timeout=30_000)
    page.wait_for_selector(".rv-head .pick")
    expect(page.locator(".cg-project")).to_be_hidden()
    badge = page.locator(".rv-head nav [aria-current=page] i")
    waiting = int(badge.inner_text())

    def head() -> int:
        done, total = page.locator(".cg-count").inner_text().split(" · ")[0].split(" / ")
        return int(total) - int(done)

    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        notice = page.locator(".cg-notice")
        expect(notice).to_have_text("Sample verdicts written for the demo, no live model gave them")
        assert notice.evaluate(
            "n => n.scrollHeight <= n.clientHeight && n.scrollWidth <= n.clientWidth && n.clientHeight > 10"
        ), "not cut"
        expect(notice).to_have_attribute("title", re.compile("north and south"))
    page.set_viewport_size({"width": 1280, "height": 800})
    assert (
        head()
        == waiting
        == page.request.get(f"{app.url}/api/frame?project={PROJECT}").json()["waiting"]
    )
    page.keyboard.press("Control+Enter")
    # nothing decided: mine is done, and somebody else is waited for
    page.keyboard.press("Control+Enter")
    expect(page.locator(".cg-count")).to_contain_text("1 / ")
    expect(page.locator(".cg-status")).to_have_text("Saved")
    expect(badge).to_have_text(str(waiting - 1))
    assert head() == waiting - 1
    page.evaluate(READS)
    while page.locator(".cg-left", has_text="to decide").count():
        page.keyboard.press("x")  # not applicable
    page.keyboard.press("Control+Enter")
    expect(badge).to_have_text(str(waiting - 2))
    expect(page.locator(".cg-status")).to_have_text("Saved")
    assert head() == waiting - 2
    known = page.request.get(f"{app.url}/api/frame?project={PROJECT}").json()
    assert (known["mine"], known["waiting"]) == (waiting - 2, waiting - 1), (
        "the one with open cells waits for somebody else"
    )
    page.keyboard.press("?")
    tick = page.get_by_label("Move to the next open cell after a decision")
    # Gradio takes it from all ticks, and draws none that is seen here
    expect(tick).to_have_css("appearance", "auto")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(tick).to_be_focused()
    expect(tick).to_have_css("outline-style", "solid")


def test_the_lead_finds_the_switch_with_what_it_costs(app: Server, page: Page) -> None:
    page.goto(f"{app.url}/run?project={PROJECT}")
    page.get_by_text("Who decides, and what is drawn").click()
    switch = page.get_by_label("Show what the judges chose at the end of a batch of blind screens")
    expect(switch).not_to_be_checked()
    expect(page.locator("body")).to_contain_text(
        "It costs labels: seeing the judges sways people towards them, so what somebody grades blind after the first batch no longer counts as blind in Agreement."
    )
    switch.check()
    page.get_by_label("Blind screens in a batch").fill("7")
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(
        page.get_by_text(
            "Kept. The share drawn for calibration holds at once; other shares, sizes and routes take effect when the cells are routed again."
        )
    ).to_be_visible()
    scope = Scope(Actor(), open_workspace(app.folder / "app.db"))
    kept = settings(scope, PROJECT).settings
    scope.ws.close()
    assert (kept["reveal"], kept["reveal_batch"]) == (True, 7)


def test_practice_is_explained_after_the_save_and_can_be_left_out(app: Server, page: Page) -> None:
    api, at = page.request, {"project": PROJECT}
    enter(api, app.url, "Vera")
    rows = api.get(f"{app.url}/api/adjudicate?project={PROJECT}").json()["rows"]
    by_question = {
        row["question_id"]: row["cell"] for row in rows if row["title"] == "Completeness"
    }
    for cell in list(by_question.values())[:6]:  # those whose answer waits on no screen come
        said = {
            **at,
            "cell": cell,
            "value": 5,
            "reason": "It does <b>what</b> was asked.",
            "save_id": f"settle-{cell}-x",
            "before": "",
        }
        assert api.post(f"{app.url}/api/adjudicate/settle", data=said).ok
        assert api.post(f"{app.url}/api/gold", data={**at, "cell": cell, "use": "practice"}).ok
    page.context.clear_cookies()
    enter(api, app.url, "Nina")
    page.goto(f"{app.url}/review?project={PROJECT}")
    note, told = (
        page.locator(".cg-note"),
        page.get_by_role("dialog", name="The correct value, and why"),
    )
    expect(note).to_contain_text(
        re.compile(r"Practice 1 of [2-5]\. Practice verdicts are not counted")
    )
    page.wait_for_selector("[data-ready='1'][data-screen]")
    page.keyboard.press("1")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Control+Enter")  # the rest is left open
    expect(told).to_contain_text("you chose 1 Nearly everything is missing")
    expect(told).to_contain_text("It does <b>what</b> was asked.")
    page.keyboard.press("Enter")
    expect(told).to_have_count(0)
    expect(note).to_contain_text("Practice 2 of")
    page.get_by_role("button", name="Skip the practice").click()
    expect(page.locator(".cg-count")).to_contain_text("0 / ")
    expect(page.locator(".cg-note:not([hidden])", has_text="Practice")).to_have_count(0)
