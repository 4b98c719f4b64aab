"""The Adjudicate page by keyboard: what is hidden, what is kept, what a settled cell looks like on the other pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.tabs import Tabs
from tests.store import small
from tests.support.server import Server, serve
from tests.support.studies import bring, given, scope_at

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
EVIL = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("adjudicate")
    scope = scope_at(folder)
    human = [
        given(f"q{q}", "Ash", "completeness", name, value, comment=f"Two verses only. {EVIL}", seconds=41, arm="blind")
        for q, values in ((1, (2, 3, 5)), (2, (3, 4)), (3, (4, 5)))
        for name, value in zip(("mira", "jonas", "lena"), values, strict=False)
    ]
    judge = [
        {
            "question_id": f"q{q}",
            "model": "Ash",
            "criterion": "small/completeness",
            "judge": "north",
            "value": 1,
            "rationale": f"Thin. {EVIL}",
        }
        for q in (1, 2, 3)
    ]
    people = [{"id": name, "name": name.title()} for name in ("mira", "jonas", "lena")]
    bring(
        scope,
        folder,
        questions=small.questions(3),
        answers=small.answers(3, ["Ash"], text=f"Ash says so. {EVIL}"),
        human=human,
        judge=judge,
        people=people,
    )
    scope.ws.close()
    (folder / "work.db").rename(folder / "app.db")
    with serve(folder) as running:
        yield running


def test_a_morning_of_adjudication_by_keyboard(page: Page, server: Server, tabs: Tabs) -> None:
    page.goto(f"{server.url}/adjudicate?project=study")
    heading, status = page.locator("h1"), page.get_by_role("status").first
    expect(heading).to_have_text("Is all there? People say 2, 3 and 5.", timeout=30_000)
    cells = page.get_by_role("region", name="Cells")
    expect(cells.locator("li")).to_have_count(3)
    people = page.get_by_role("group", name="What people said")
    expect(people).to_contain_text("Lena")
    expect(people).to_contain_text("Two verses only. <img")
    expect(page.locator(".adj-main")).not_to_contain_text("Thin.")  # not in the page at all until asked for
    # the decision: no value yet, then no reason, then no name
    page.keyboard.press("Control+Enter")
    expect(status).to_have_text("Choose a value first.")
    for _ in range(3):  # the values that people gave, one after the other
        page.keyboard.press("a")
    expect(page.get_by_role("radio", checked=True)).to_have_attribute("aria-label", "5, everything, Lena")
    page.keyboard.press("2")
    page.keyboard.press("c")
    page.keyboard.type("Two of three verses.")
    page.keyboard.press("Control+Enter")
    expect(status).to_contain_text("who are you")
    assert page.context.request.post(f"{server.url}/api/me", data={"name": "Vera"}, headers={"origin": server.url}).ok
    page.reload()
    # what was decided and typed is still there
    page.goto(f"{server.url}/adjudicate?project=study")
    expect(heading).to_have_text("Is all there? People say 2, 3 and 5.")
    expect(page.get_by_role("textbox")).to_have_value("Two of three verses.")
    expect(page.get_by_role("radio", checked=True)).to_have_attribute("aria-label", "2, Mira")
    page.keyboard.press("Control+Enter")
    expect(heading).to_have_text("Is all there? People say 3 and 4.")
    expect(cells).to_contain_text("People differ on 2 cells; 1 is settled.")
    # the judges, on request, noted
    page.keyboard.press("j")
    shown = page.get_by_role("region", name="What judges and rules said")
    expect(shown).to_contain_text("north 1")
    expect(shown).to_contain_text("does not count as blind")
    page.keyboard.press("ArrowDown")
    expect(heading).to_have_text("Is all there? People say 4 and 5.")
    # undo brings back cell, value and reason
    page.keyboard.press("u")
    expect(heading).to_have_text("Is all there? People say 2, 3 and 5.")
    expect(page.get_by_role("textbox")).to_have_value("Two of three verses.")
    expect(cells).to_contain_text("People differ on 3 cells.")
    page.keyboard.press("Control+Enter")
    expect(cells).to_contain_text("1 is settled.")
    cells.get_by_role("button", name="Settled").click()
    expect(cells.locator("li")).to_have_count(1)
    expect(cells.locator("li")).to_contain_text("Vera: Two of three verses.")
    assert page.title() != "owned"
    # from the answer in Results to the very cell, and there the way it came about
    page.goto(f"{server.url}/results?project=study&question=q1&model=Ash")
    page.get_by_role("link", name="Adjudicate Completeness").click()
    expect(page.get_by_role("region", name="Your decision")).to_contain_text("Settled by Vera as 2")


def test_on_a_phone_nothing_is_wider_than_the_screen(phone: Page, server: Server) -> None:
    phone.goto(f"{server.url}/adjudicate?project=study&cell=2")
    expect(phone.locator("h1")).to_contain_text("People say", timeout=30_000)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    small_ones = phone.evaluate(
        "[...document.querySelectorAll('.adj button, .adj-foot button, .adj-seg label')].filter(e => e.offsetParent && e.getBoundingClientRect().height < 43.5)"
        ".map(e => e.textContent)"
    )
    assert small_ones == []
