"""Adjudicate by keyboard: what is hidden, what is kept, what a settled cell looks like elsewhere.
Rubrics: form and text say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

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


def test_a_rubric_is_changed_by_form_and_text_compared_and_put_in_force(
    page: Page, server: Server
) -> None:
    page.goto(f"{server.url}/rubrics?project=study&criterion=small/completeness")
    heading = page.locator("h1")
    expect(heading).to_have_text("3 criteria in 1 rubric.", timeout=30_000)
    form, text = (
        page.get_by_role("region", name="Form"),
        page.get_by_label("Text of the rubric small"),
    )
    expect(page.locator("#criterion-completeness")).to_be_focused()
    changes = page.get_by_role("region", name="What would change")
    expect(changes.get_by_role("button", name="Put in force")).to_be_disabled()
    # the text is checked while it is typed; the error says where, and leads there
    source = text.input_value()
    text.fill(source.replace("scale: [irrelevant", "scalee: [irrelevant"))
    alert = page.locator(".rub-said")
    expect(alert).to_contain_text("line 4, criterion relevance: found the key 'scalee'")
    alert.get_by_role("button", name="Go to line 4").click()
    assert "scalee" in page.evaluate(
        "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    )
    text.fill(source)
    expect(alert).to_contain_text("The text can be used.")
    # the form writes into the text
    form.get_by_label("Question of completeness").fill("Is all there: really?")
    page.keyboard.press("Control+Enter")
    expect(text).to_have_value(
        source.replace("question: Is all there?", 'question: "Is all there: really?"')
    )
    expect(changes).to_contain_text(
        "completeness, question: “Is all there?” becomes “Is all there: really?”."
    )
    expect(changes).to_contain_text("by people, 3 by judges")
    looks: list[Route] = []  # the text is looked at late: who works elsewhere by then stays there
    page.route("**/api/rubrics/look", lambda route: looks.append(route))
    page.reload()
    expect(page.get_by_text("A draft of yours is kept in this browser.")).to_be_visible()
    attempt = page.get_by_role("region", name="Try it on an answer")
    expect(attempt.get_by_role("button", name="Try")).to_be_enabled()
    attempt.get_by_role("button", name="Try").press("Enter")
    expect(attempt).to_contain_text("No rule of this text speaks of this answer")
    looks[0].continue_()
    page.unroute("**/api/rubrics/look")
    expect(page.locator("#criterion-completeness")).to_be_visible()
    expect(attempt.get_by_role("button", name="Try")).to_be_focused()
    # A field that is changed while the last one's reply is late keeps both, and so does a press
    # that leaves a field.
    edit = Held(page, "**/api/rubrics/edit")
    form.get_by_label("Guide for people and judges of completeness").fill("All that was asked.")
    form.get_by_label("Guide for people and judges of tone").fill("Dry or warm.")
    page.keyboard.press("Tab")
    form.get_by_label("Question of tone").fill("How does it sound?")
    edit.go_on()
    expect(text).to_have_value(re.compile("Dry or warm"))
    expect(text).to_have_value(re.compile("All that was asked"))
    expect(form.get_by_label("Question of tone")).to_have_value("How does it sound?")
    changes.get_by_role("button", name="Put in force").click()
    expect(heading).to_have_text(
        "3 criteria in 1 rubric; 3 verdicts of judges are under an earlier wording."
    )
    expect(
        page.get_by_text("In force as version 2: another text had the version that it named.")
    ).to_be_visible()
    expect(text).to_have_value(re.compile(r"How does it sound\?"))
    versions = page.get_by_role("region", name="Versions")
    versions.get_by_role("button", name="What has changed since").click()
    expect(versions).to_contain_text("becomes “Is all there: really?”")
    again = page.get_by_role("region", name="Under an earlier wording")
    again.get_by_role("button", name="What would it cost").click()
    expect(again).to_contain_text("No judge was asked here by name")
    gallery = page.get_by_role("region", name="Start from the gallery")
    gallery.get_by_text("Start from the gallery").click()
    gallery.get_by_role("button", name="Take this one: correctness").click()
    expect(changes.get_by_role("button", name="Add to the project")).to_be_enabled()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
