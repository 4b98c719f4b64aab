"""Adjudicate by keyboard: what is hidden, what is kept, what a settled cell looks like elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from graders.store import projects
from tests.browser.app import serve
from tests.browser.tabs import Held, Tabs
from tests.store import small
from tests.support.entering import enter
from tests.support.server import Server
from tests.support.studies import RUBRIC, bring, given, scope_at

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
EVIL = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("adjudicate")
    scope = scope_at(folder)
    human = [
        given(
            f"q{q}",
            "Ash",
            "completeness",
            name,
            value,
            comment=f"Two verses only. {EVIL}",
            seconds=41,
            arm="blind",
        )
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
        RUBRIC.replace("5: everything}},", "5: everything}}, graders: [judge],"),
        questions=small.questions(3),
        answers=small.answers(3, ["Ash"], text=f"Ash says so. {EVIL}"),
        human=human,
        judge=judge,
        people=people,
    )
    projects.set_settings(
        scope.ws, scope.project("study"), {"judges": {"north": {"judge": "openai:stub"}}}
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
    # not in the page at all until asked for
    expect(page.locator(".adj-main")).not_to_contain_text("Thin.")
    # the decision: no value yet, then no reason, then no name
    page.keyboard.press("Control+Enter")
    expect(status).to_have_text("Choose a value first.")
    for _ in range(3):  # the values that people gave, one after the other
        page.keyboard.press("a")
    expect(page.get_by_role("radio", checked=True)).to_have_attribute(
        "aria-label", "5, everything, Lena"
    )
    page.keyboard.press("2")
    page.keyboard.press("c")
    page.keyboard.type("Two of three verses.")
    page.keyboard.press("Control+Enter")
    expect(status).to_contain_text("annotator name")
    assert enter(page.context.request, server.url, "Vera").ok
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
    mine = page.get_by_role("region", name="Your decision")
    expect(mine).to_contain_text("Settled by Vera as 2")
    judges = Held(page, "**/api/judges/example*")
    mine.get_by_role("button", name="Use as example").press("Enter")
    mine.get_by_role("textbox").focus()
    judges.go_on()
    # who has gone on is not called back to choose
    expect(mine.get_by_role("textbox")).to_be_focused()
    mine.get_by_role("button", name="north").click()
    expect(mine).to_contain_text("north has 1 example from corrections.")


def test_a_value_goes_to_the_cell_that_is_shown_however_late_another_comes(
    page: Page, server: Server
) -> None:
    assert enter(page.context.request, server.url, "Vera").ok
    page.goto(f"{server.url}/adjudicate?project=study")
    rows = page.get_by_role("region", name="Cells").locator("li button")
    expect(rows).to_have_count(2)
    names = rows.locator(".q").all_inner_texts()
    rows.nth(1).click()  # the last one: nothing is asked for in advance beside it
    expect(page.get_by_role("region", name="Question and answer")).to_contain_text(names[1])
    page.reload()
    expect(page.get_by_role("region", name="Question and answer")).to_contain_text(names[1])
    other = Held(page, re.compile(r"/api/adjudicate/cell\?"))
    rows.nth(0).click()
    other.sent()
    rows.nth(1).click()
    other.go_on()
    expect(page.get_by_role("region", name="Question and answer")).to_contain_text(names[1])
    # what judges said comes while the reason is typed: the keyboard stays in the field
    judges = Held(page, "**/api/adjudicate/judges")
    for key in "4jc":
        page.keyboard.press(key)
    page.keyboard.type("Two of ")
    judges.go_on()
    expect(page.get_by_role("region", name="What judges and rules said")).to_be_visible()
    page.keyboard.type("three.")
    expect(page.get_by_role("textbox")).to_have_value("Two of three.")
    with page.expect_response("**/api/adjudicate/settle") as settled:
        page.keyboard.press("Control+Enter")
    assert settled.value.ok
    page.goto(f"{server.url}/adjudicate?project=study&show=settled")
    expect(rows.filter(has_text="Two of three.").locator(".q")).to_have_text(names[1])


def test_from_an_answer_of_agreement_to_its_cell_its_criterion_and_the_examples(
    page: Page, server: Server
) -> None:
    address = f"{server.url}/agreement?project=study&view=disagreements"
    page.goto(address)
    answer = page.locator("li.an").first
    answer.get_by_role("link", name="Use as example").click(timeout=30_000)
    expect(answer.get_by_role("status").first).to_contain_text("north")
    answer.get_by_role("link", name="Adjudicate").click()
    expect(page.get_by_role("region", name="Your decision")).to_contain_text("Completeness")
    expect(page).to_have_url(re.compile(r"subject=\d+&criterion=small(%2F|/)completeness"))
    page.goto(address)
    answer.get_by_role("link", name="Open the rubric").click()
    expect(page.locator("#criterion-completeness")).to_be_focused()


def test_on_a_phone_nothing_is_wider_than_the_screen(phone: Page, server: Server) -> None:
    phone.goto(f"{server.url}/adjudicate?project=study&cell=2")
    expect(phone.locator("h1")).to_contain_text("People say", timeout=30_000)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    small_ones = phone.evaluate(
        "[...document.querySelectorAll('.adj button, .adj-foot button, .adj-seg label')].filter(e => e.offsetParent && e.getBoundingClientRect().height < 43.5)"
        ".map(e => e.textContent)"
    )
    assert small_ones == []
