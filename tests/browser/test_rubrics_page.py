"""Rubrics: form and text say the same, by keyboard; what changes is a draft of the browser until it
is put in force."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.app import serve
from tests.browser.tabs import Held, drawn
from tests.store import small
from tests.support.server import Server
from tests.support.studies import RUBRIC, bring, given, scope_at

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
SOURCE = RUBRIC.replace("5: everything}},", "5: everything}}, graders: [judge],")
EVIL = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("rubrics")
    scope = scope_at(folder)
    human = [given("q1", "Ash", "completeness", "mira", 2, comment="Two verses only.")]
    judge = [
        {
            "question_id": f"q{q}",
            "model": "Ash",
            "criterion": "small/completeness",
            "judge": "north",
            "value": 1,
            "rationale": "Thin.",
        }
        for q in (1, 2, 3)
    ]
    bring(
        scope,
        folder,
        SOURCE,
        questions=small.questions(3),
        answers=small.answers(3, ["Ash"], text=f"Ash says so. {EVIL}"),
        human=human,
        judge=judge,
        people=[{"id": "mira", "name": "Mira"}],
    )
    scope.ws.close()
    (folder / "work.db").rename(folder / "app.db")
    with serve(folder) as running:
        yield running


def card(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def test_a_rubric_is_changed_by_form_and_text_compared_and_put_in_force(
    page: Page, server: Server
) -> None:
    page.goto(f"{server.url}/rubrics?project=study&criterion=small/completeness")
    heading = page.locator("h1")
    expect(heading).to_have_text("3 criteria in 1 rubric.", timeout=30_000)
    form, text = card(page, "Form"), page.get_by_label("Text of the rubric small")
    expect(page.locator("#criterion-completeness")).to_be_focused()
    changes = card(page, "What would change")
    put = page.get_by_role("button", name="Put in force")
    expect(put).to_be_disabled()
    # the text is checked while it is typed; the error says where, and leads there
    source = text.input_value()
    text.fill(source.replace("scale: [irrelevant", "scalee: [irrelevant"))
    said = page.locator(".rub-said")
    expect(said).to_contain_text("line 4, criterion relevance: found the key 'scalee'")
    said.get_by_role("button", name="Go to line 4").press("Enter")
    assert "scalee" in page.evaluate(
        "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)"
    )
    text.fill(source)
    expect(said).to_contain_text("The text can be used.")
    # the form writes into the text
    form.get_by_label("Question of completeness").fill("Is all there: really?")
    page.keyboard.press("Control+Enter")
    expect(text).to_have_value(
        source.replace("question: Is all there?", 'question: "Is all there: really?"')
    )
    expect(changes).to_contain_text(
        "completeness, question: “Is all there?” becomes “Is all there: really?”."
    )
    expect(changes).to_contain_text("1 by people, 3 by judges")
    # and the text into the form
    text.fill(text.input_value().replace("really?", "truly?"))
    expect(form.get_by_label("Question of completeness")).to_have_value("Is all there: truly?")
    page.reload()
    expect(text).to_have_value(re.compile(r"truly\?"))
    expect(form.get_by_label("Question of completeness")).to_have_value("Is all there: truly?")
    # two fields one after the other, and a press that leaves a field
    form.get_by_label("Guide for people and judges of completeness").fill("All that was asked.")
    form.get_by_label("Guide for people and judges of tone").fill("Dry or warm.")
    page.keyboard.press("Tab")
    form.get_by_label("Question of tone").fill("How does it sound?")
    expect(put).to_be_enabled()
    put.click()
    expect(heading).to_have_text(
        "3 criteria in 1 rubric; 3 verdicts of judges are under an earlier wording."
    )
    expect(
        page.get_by_text("In force as version 2: another text had the version that it named.")
    ).to_be_visible()
    for words in ("How does it sound", "Dry or warm", "All that was asked"):
        expect(text).to_have_value(re.compile(words))
    versions = card(page, "Versions")
    versions.get_by_role("link", name="What has changed since").press("Enter")
    expect(versions).to_contain_text("becomes “Is all there: truly?”")
    page.keyboard.press("Escape")
    expect(versions.get_by_role("heading", name=re.compile("What has changed"))).to_have_count(0)
    again = card(page, "Under an earlier wording")
    again.get_by_role("button", name="What would it cost").press("Enter")
    expect(again).to_contain_text("No judge was asked here by name")
    attempt = page.get_by_role("button", name="Try", exact=True)
    attempt.press("Enter")
    expect(page.get_by_text("No rule of this text speaks of this answer")).to_be_visible()
    assert page.title() != "owned"
    gallery = card(page, "Start from the gallery")
    gallery.get_by_text("Start from the gallery").click()
    gallery.get_by_role("link", name="Take this one: correctness").click()
    add = page.get_by_role("button", name="Add to the project")
    expect(add).to_be_enabled()
    add.click()
    expect(heading).to_contain_text("4 criteria in 2 rubrics")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440


def test_what_is_typed_while_a_change_of_the_form_is_under_way_stays(
    page: Page, server: Server
) -> None:
    page.goto(f"{server.url}/rubrics?project=study")
    form, text = card(page, "Form"), page.get_by_label("Text of the rubric small")
    question = form.get_by_label("Question of completeness")
    expect(question).to_be_visible(timeout=30_000)
    drawn(page)
    source = text.input_value()
    change = Held(page, "**/gradio_api/run/**")
    question.fill("Is it whole?")
    text.focus()  # leaves the field
    change.sent()
    text.press("Control+Home")
    page.keyboard.type("# mine\n")
    change.go_on()
    both = "# mine\n" + source.replace("question: Is all there?", 'question: "Is it whole?"')
    expect(text).to_have_value(both)
    expect(question).to_have_value("Is it whole?")
    page.reload()  # the draft has both too
    expect(text).to_have_value(both)


def test_scale_graders_and_who_decides_are_chosen_by_keyboard(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/rubrics?project=study")
    form, text = card(page, "Form"), page.get_by_label("Text of the rubric small")
    expect(form).to_be_visible(timeout=30_000)
    source = text.input_value()
    # a scale of another kind, with labels of one's own
    kind = form.get_by_label("Scale of relevance")
    kind.focus()
    page.keyboard.press("ArrowDown")
    expect(text).to_have_value(
        source.replace(
            "scale: [irrelevant, relevant]",
            "scale: {labels: [irrelevant, relevant], ordered: false}",
        )
    )
    expect(kind).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(text).to_have_value(source)
    page.keyboard.press("Tab")
    labels = form.get_by_label("Labels, worst first, one to a line of relevance")
    expect(labels).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nvery relevant")
    page.keyboard.press("Tab")
    expect(text).to_have_value(re.compile(r"scale: \[irrelevant, relevant, very relevant\]"))
    # a value that cannot be is refused at its field, and the text stays
    labels.fill("relevant")
    page.keyboard.press("Tab")
    expect(form.get_by_role("alert")).to_contain_text(
        "found the labels ['relevant'], expected two or more"
    )
    expect(labels).to_have_attribute("aria-invalid", "true")
    expect(labels).to_have_value("relevant")
    expect(text).to_have_value(re.compile("very relevant"))
    labels.fill("irrelevant\nrelevant")
    page.keyboard.press("Control+Enter")
    expect(form.get_by_role("alert")).to_have_count(0)
    expect(text).to_have_value(source)
    # a grader is added, gets an option, and is taken out
    add = form.get_by_label("Add a grader of tone")
    add.select_option("length")
    expect(text).to_have_value(re.compile(r"tone: \{graders: \[length\], "))
    short = form.get_by_label("short of length of tone")
    expect(short).to_have_attribute("placeholder", "1100")
    short.fill("many")
    page.keyboard.press("Enter")
    expect(form.get_by_role("alert")).to_contain_text(
        "length, short: found 'many', expected a whole"
    )
    short.fill("90")
    page.keyboard.press("Enter")
    expect(text).to_have_value(re.compile(r"graders: \[\{length: \{short: 90\}\}\]"))
    add.select_option("judge")
    expect(text).to_have_value(re.compile(r"short: 90\}\}, judge\]"))
    expect(add).to_have_value("")
    form.get_by_role("button", name="Take out length of tone").press("Enter")
    expect(text).to_have_value(re.compile(r"tone: \{graders: \[judge\], "))
    # who decides
    form.get_by_label("Who decides, Creative questions of tone").select_option("automatic")
    expect(text).to_have_value(re.compile(r"review: \{default: people, creative: automatic\}"))
    page.get_by_label("Name of the new criterion").fill("wit")
    page.keyboard.press("Enter")
    expect(page.locator("#criterion-wit")).to_be_visible()
    expect(page.get_by_label("Name of the new criterion")).to_have_value("")
    form.get_by_role("button", name="Take out the criterion wit").press("Enter")
    expect(page.locator("#criterion-wit")).to_have_count(0)
    page.get_by_role("button", name="Drop the draft").press("Enter")
    expect(text).to_have_value(source)
    page.reload()
    expect(text).to_have_value(source)


def test_on_a_phone_nothing_is_wider_than_the_screen(phone: Page, server: Server) -> None:
    phone.goto(f"{server.url}/rubrics?project=study")
    expect(card(phone, "Form")).to_be_visible(timeout=30_000)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
