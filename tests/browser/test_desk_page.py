"""The review desk in a real browser: what is on the screen, and what each key does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ToyServer, open_desk, press

pytestmark = pytest.mark.browser


def row(page: Page, cell: str) -> str:
    """What stands under the name of a cell."""
    return page.locator(f"[data-cell='{cell}'] .cg-said").inner_text()


def said(page: Page) -> str:
    """The last word to the person."""
    return page.locator(".cg-say").inner_text()


def test_a_screen_is_graded_with_the_keyboard_alone(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    # Relevance: suggested "relevant", confirmed. Completeness: suggested 4, corrected to 3.
    # Clarity: typed as suggested (5). Accuracy: no suggestion, 6 is 0.6. Brevity: not applicable.
    press(page, "Enter", "3", "5", "6", "x")
    assert row(page, "s1a.relevance") == "relevant"
    assert row(page, "s1a.completeness") == "main points"
    assert page.locator("[data-cell='s1a.completeness'] .cg-ai").inner_text() == "AI: 4"
    assert row(page, "s1a.accuracy") == "0.6"
    assert row(page, "s1a.brevity") == "not applicable"
    expect(page.locator("[data-answer=s1a] .cg-left")).to_have_text("all decided")
    press(page, "Control+Enter")  # ten cells of B and C are open: said once, the second press saves
    assert (
        said(page)
        == "10 ratings are still open. Press again to save as incomplete; the rest goes to another annotator."
    )
    press(page, "Control+Enter")
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s2")
    [save] = server.saves(1)
    assert [(v["cell"], v["value"], v["status"], v["action"]) for v in save["verdicts"]] == [
        ("s1a.relevance", "relevant", "ok", "accepted"),
        ("s1a.completeness", 3, "ok", "edited"),
        ("s1a.clarity", "crystal clear", "ok", "typed"),
        ("s1a.accuracy", 0.6, "ok", "typed"),
        ("s1a.brevity", None, "unscored", "edited"),
    ]
    assert save["verdicts"][4]["reason"] == "not_applicable"
    assert save["order"] == ["s1a", "s1b", "s1c"]
    assert 0 < save["seconds"] < 20


@pytest.mark.parametrize(
    ("key", "code", "effect"),
    [
        ("а", "KeyF", "flag"),  # Russian: the key of f
        ("с", "KeyC", "comment"),
        ("?", "Slash", "help"),
        ("é", "Digit2", "digit"),  # AZERTY: the key of 2 without Shift
        ("ㅇ", "KeyD", "details"),
    ],
)
def test_keys_are_physical_and_work_in_every_layout(
    page: Page, server: ToyServer, key: str, code: str, effect: str
) -> None:
    open_desk(page, server)
    event = "new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true})"
    page.evaluate(f"([key, code]) => document.activeElement.dispatchEvent({event})", [key, code])
    if effect == "flag":
        expect(page.get_by_role("button", name="Flag")).to_have_attribute("aria-pressed", "true")
    elif effect == "digit":
        assert row(page, "s1a.relevance") == "relevant"
    elif effect == "details":
        expect(page.locator(".cg-dock")).to_contain_text("judge one")
    else:
        name = {"comment": "Comment", "help": "All keys"}[effect]
        expect(page.get_by_role("dialog", name=name)).to_be_visible()


def test_keys_of_an_input_method_are_left_alone(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    page.evaluate(
        "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'f', code: 'KeyF', isComposing: true, bubbles: true}))"
    )
    expect(page.get_by_role("button", name="Flag")).to_have_attribute("aria-pressed", "false")


def test_a_blind_screen_shows_nothing_of_the_machines_and_says_why(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server, "q3")
    expect(page.locator(".cg")).to_have_attribute("data-arm", "blind")
    expect(page.locator(".cg-note")).to_contain_text(
        "measures how well the judges agree with people"
    )
    press(page, "d")
    text = page.locator(".cg").inner_text()
    for word in (
        "judge one",
        "BERTScore",
        "suggested",
        "first token",
        "characters",
        "no suggestion",
    ):
        assert word not in text
    assert page.locator(".sug, mark, .cg-hollow, .cg-dot, .cg-seg em, .cg-faults li").count() == 0
    assert refusal(page) == "A blind screen has nothing to confirm."


def refusal(page: Page) -> str:
    """What "Confirm all" says when it is not offered: the same on the button, to a screen reader,
    and when its key is pressed."""
    button = page.get_by_role("button", name="Confirm all")
    expect(button).to_have_attribute("aria-disabled", "true")
    reason = page.locator("#cg-why").text_content() or ""
    expect(button).to_have_accessible_description(reason)
    before = page.locator(".cg-seg input:checked").count()
    press(page, "Shift+A")
    assert said(page) == reason
    assert page.locator(".cg-seg input:checked").count() == before
    return reason


def test_on_creative_questions_nothing_is_confirmed_beforehand(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server, "q2")
    assert page.locator(".cg-seg input:checked").count() == 0
    # both poems fit: read
    expect(page.get_by_role("button", name="Confirm all")).to_have_attribute(
        "aria-disabled", "false"
    )
    press(page, "Enter")
    assert page.locator(".cg-seg input:checked").count() == 1


def test_unread_answers_are_not_confirmed_as_a_whole(page: Page, server: ToyServer) -> None:
    open_desk(page, server, "q11")
    assert refusal(page) == "Read to the end first (Space scrolls): answers A, B, C."
    # it can be pressed, and says why
    page.get_by_role("button", name="Confirm all").click(force=True)
    assert page.locator(".cg-seg input:checked").count() == 0
    page.evaluate(
        "for (const one of document.querySelectorAll('[data-answer=s11a].cg-scroll, [data-answer=s11b].cg-scroll')) one.scrollTop = 1e6"
    )
    expect(page.locator("#cg-why")).to_have_text("Read to the end first (Space scrolls): answer C.")
    assert refusal(page).endswith("answer C.")
    press(page, "[")  # around to the last answer
    page.emulate_media(reduced_motion="reduce")
    for _ in range(60):
        press(page, "Space")
    expect(page.get_by_role("button", name="Confirm all")).to_have_attribute(
        "aria-disabled", "false"
    )
    press(page, "]", "Shift+A")
    # four of the five cells have a suggestion; accuracy waits, and has the focus
    assert page.locator("[data-answer=s11a] .cg-seg input:checked").count() == 4
    assert page.locator(".cg-row.on").get_attribute("data-cell") == "s11a.accuracy"
    assert refusal(page) == "This answer has no open suggestion to confirm."


def test_a_text_that_fits_counts_as_read(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    press(page, "Shift+A")
    expect(page.locator("[data-answer=s1a] .cg-left")).to_have_text("1 to decide")


def test_numbers_and_yes_no(page: Page, server: ToyServer) -> None:
    open_desk(page, server, "q6")
    press(page, "ArrowDown", "ArrowDown", "ArrowDown", ".")
    page.keyboard.type("1,5")
    press(page, "Enter")
    expect(page.locator(".cg-strip [role=status]")).to_have_text("Out of range: from 0 to 1")
    page.keyboard.press("Control+A")
    page.keyboard.type("0,85")
    press(page, "Enter")
    assert row(page, "s6a.accuracy") == "0.85"
    press(page, "ArrowDown", "n", "y")  # brevity has the focus: down to the first fact
    assert row(page, "s6a.factsChloroph") == "No"
    assert row(page, "s6a.factsYellow w") == "Yes"


def test_one_key_gives_all_open_parts_the_value_just_given(page: Page, server: ToyServer) -> None:
    open_desk(page, server, "q6")
    # accuracy, from 0 to 1: y is its upper end
    press(page, "ArrowDown", "ArrowDown", "ArrowDown", "y")
    assert row(page, "s6a.accuracy") == "1"
    press(page, "p")  # brevity has no parts
    assert said(page) == "No part here has a value yet, or none is left open."
    press(page, "ArrowDown", "p")  # none of the parts has one yet
    assert row(page, "s6a.factsChloroph") != "No"
    press(page, "n", "p")
    assert [row(page, f"s6a.facts{name}") for name in ("Chloroph", "Yellow w", "Red is m")] == [
        "No"
    ] * 3
    press(page, "u")  # one step
    assert [
        row(page, f"s6a.facts{name}") == "No" for name in ("Chloroph", "Yellow w", "Red is m")
    ] == [True, False, False]


def test_what_a_digit_means_on_each_scale(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    table = page.evaluate(
        """async () => {
          const { digitValue, yesNoValue } = await import("/assets/desk/scale.js");
          const whole = (low, high) => ({kind: "integer", low, high, values: Array.from({length: high - low + 1}, (_, i) => low + i)});
          const labels = (...values) => ({kind: "ordered", values, words: values});
          const numeric = (low, high) => ({kind: "numeric", low, high, values: []});
          return [[whole(1, 5), 3], [whole(1, 5), 0], [whole(0, 4), 0], [whole(1, 10), 0], [whole(0, 100), 7], [labels("bad", "good"), 2],
            [labels("bad", "good"), 3], [numeric(0, 1), 6], [numeric(0, 1), 0], [numeric(1, 5), 4], [numeric(0, 100), 4]]
            .map(([scale, digit]) => JSON.stringify(digitValue(scale, digit)))
            .concat([JSON.stringify(yesNoValue(labels("Yes", "No"), true)), JSON.stringify(yesNoValue(labels("bad", "good"), true))]);
        }"""
    )
    assert table == [
        '{"value":3}', "null", '{"value":0}', '{"value":10}', '{"field":"7"}', '{"value":"good"}',
        "null", '{"value":0.6}', '{"value":0}', '{"value":4}', '{"field":"4"}', '{"value":"Yes"}', '{"value":"good"}',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "cell", "marked"),
    [
        ("q1", "s1a.clarity", "Chlorophyll breaks down faster than it is replaced"),  # across bold
        ("q8", "s8a.clarity", "لأن اليخضور يتحلّل"),  # right to left, across bold
        # across bold and a line break
        (
            "q9",
            "s9a.clarity",
            "クロロフィルが分解され、 黄色の色素",
        ),
        ("q10", "s10a.clarity", "dict.fromkeyskept"),  # a row of a table, quoted as Markdown
    ],
)
def test_quotes_are_found_in_the_text_as_rendered(
    page: Page, server: ToyServer, question: str, cell: str, marked: str
) -> None:
    open_desk(page, server, question)
    marks = page.locator(f"mark[data-owners~='{cell}']").all_text_contents()
    assert "".join(marks).replace("\n", " ") == marked


def test_quotes_that_are_not_there_are_listed_beside(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    assert (
        page.locator("[data-answer=s1c] .cg-missing").inner_text()
        == "Not in the text: “this was never said” judge one"
    )
    marks = page.locator("[data-answer=s1c] mark[data-owners~='s1c.clarity']").all_text_contents()
    assert {"sugars trapped", "cool nights"} <= set(marks), (
        "what a quote leaves out is not marked, what it says is"
    )
    page.locator("[data-cell='s1c.clarity'] .cg-cut").click()
    for words in (
        "The judge quoted words that are not in the answer.",
        "Sent to you: the judge quoted words that are not in the answer",
    ):
        expect(page.locator(".cg-dock")).to_contain_text(words)


def test_hostile_texts_do_nothing(page: Page, server: ToyServer) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_desk(page, server, "q7")
    page.wait_for_timeout(200)
    assert page.evaluate("window.pwned") is None
    assert "onerror" in page.locator("h1").inner_text()  # shown as text
    assert [url for url in asked if not url.startswith((server.url, "data:"))] == []
    assert page.locator(".cg img, .cg script, .cg iframe, .cg a[href^=javascript]").count() == 0


def test_equal_answers_are_judged_once_and_can_be_taken_apart(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server, "q4")
    assert page.locator("article").count() == 2
    press(page, "Enter", "=")
    assert page.locator("article").count() == 3
    assert (row(page, "s4a.relevance"), row(page, "s4b.relevance")) == ("relevant", "relevant")
    press(page, "=")
    press(page, "Control+Enter", "Control+Enter")
    [save] = server.saves(1)
    assert sorted(v["cell"] for v in save["verdicts"]) == ["s4a.relevance", "s4b.relevance"]


def test_cells_of_the_machine_are_folded_and_can_be_overruled(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server, "q5")
    assert page.locator("[data-answer=s5a] .cg-row").count() == 2
    expect(page.locator(".cg-fold")).to_contain_text("3 graded automatically")
    press(page, "o", "2")
    assert row(page, "s5a.clarity") == "hard work"
    press(page, "Control+Enter", "Control+Enter")
    assert [v["cell"] for v in server.saves(1)[0]["verdicts"]] == ["s5a.clarity"]


def test_faults_are_confirmed_rejected_and_added_with_the_selected_words(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server)
    press(page, "]")
    page.evaluate(
        "getSelection().selectAllChildren(document.querySelector('[data-answer=s1b] .cg-text p:nth-child(2)'))"
    )
    press(page, "e")
    expect(page.get_by_role("dialog")).to_contain_text("A dry, sunny autumn")
    press(page, "Delete")
    expect(page.locator("[role=option].absent")).to_have_count(1)
    page.keyboard.type("empty")
    expect(page.get_by_role("option")).to_have_count(1)
    press(page, "Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # the selected words, marked like a machine's
    marks = page.locator("[data-answer=s1b] .cg-text mark[data-owners*=added]")
    assert "".join(marks.all_text_contents()).startswith("A dry, sunny autumn with cool nights")
    page.get_by_role("button", name="+ ").click()
    expect(marks.first).to_have_class("now")
    press(page, "Control+Enter", "Control+Enter")
    rejected, added = server.saves(1)[0]["faults"]
    assert (rejected["cell"], rejected["value"]) == ("s1b.f", "absent")
    assert (added["cell"], added["answer"], added["name"]) == (None, "s1b", "empty_phrase")
    assert added["quote"].startswith("A dry, sunny autumn with cool nights")


def test_whose_fault_a_correction_was(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    # relevance corrected, the focus went on, j asks about the correction
    press(page, "1", "j", "2")
    assert (
        page.locator("[data-cell='s1a.relevance'] .cg-ai").inner_text() == "AI: 2 · rubric unclear"
    )
    assert page.locator("[data-cell='s1a.completeness'] .cg-seg input:checked").count() == 0
    press(page, "Control+Enter", "Control+Enter")
    assert [(v["value"], v["fault_of"]) for v in server.saves(1)[0]["verdicts"]] == [
        ("irrelevant", "rubric unclear")
    ]


def test_the_automatic_move_can_be_switched_off_and_stays_off(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server)
    press(page, "m", "2")
    assert page.locator(".cg-row.on").get_attribute("data-cell") == "s1a.relevance"
    page.reload()
    page.wait_for_selector("[data-ready='1']")
    expect(page.get_by_role("button", name="Auto-move")).to_have_attribute("aria-pressed", "false")


def test_details_guide_reference_and_evidence(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    expect(page.locator(".cg-head .cg-notice")).to_have_text(
        "These verdicts were written for a test."
    )
    press(page, "ArrowDown", "d", "g", "r")
    dock = page.locator(".cg-dock")
    for words in (
        "These verdicts were written for a test.",
        "Guide of Completeness",
        "judge two",
        "confidence 61 %",
        "BERTScore",
        "Sent to you: judges disagree",
        "nothing is missing",
    ):
        expect(dock).to_contain_text(words)
    expect(page.locator(".cg-helps")).to_contain_text("Carotenoids were there all summer.")
    press(page, "ArrowDown", "v")
    expect(page.locator("mark.now").first).to_be_visible()
    press(page, "Escape")
    expect(dock).to_be_hidden()


def test_tab_moves_between_answers_and_then_on(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    press(page, "Tab", "Tab")
    assert page.locator(".cg-row.on").get_attribute("data-cell") == "s1c.relevance"
    press(page, "Tab")
    expect(page.get_by_role("button", name="Comment")).to_be_focused()
    press(page, "Shift+Tab")
    assert page.evaluate("document.activeElement.closest('.cg-row') !== null")
    page.locator(".cg-foot button:visible").last.focus()
    press(page, "Tab", "Tab", "Tab")  # past the end of the page, and round to its head
    assert page.evaluate("document.activeElement.closest('.cg-head') !== null")


PULSES = """() => { window.pulses = []; const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.pulses.push([this.querySelector(".cg-btn-text")?.textContent, timing.duration]); return animate.call(this, frames, timing) } }"""


def test_a_key_pulses_its_button_for_160_ms(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    page.evaluate(PULSES)
    press(page, "f", "ArrowDown", "d", "m")
    assert page.evaluate("window.pulses") == [["Flag", 160], ["Details", 160], ["Auto-move", 160]]
    page.evaluate("window.pulses = []")
    page.emulate_media(reduced_motion="reduce")
    press(page, "f")
    assert page.evaluate("window.pulses") == []


@pytest.mark.parametrize("key", ["Control+z", "Meta+z"])
def test_undo_as_everywhere_else(page: Page, server: ToyServer, key: str) -> None:
    open_desk(page, server)
    press(page, "3", "1", "f", key, key)  # relevance has no third value; 1 decides it, f flags
    expect(page.get_by_role("button", name="Flag")).to_have_attribute("aria-pressed", "false")
    assert page.locator(".cg-seg input:checked").count() == 0
    assert page.locator(".cg-row.on").get_attribute("data-cell") == "s1a.relevance"
    press(page, "1", "Control+Enter", "Control+Enter")
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s2")
    press(page, key)  # also a save
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s1")
    assert row(page, "s1a.relevance") == "irrelevant"


def test_the_fold_remembers_whether_it_was_open(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    fold = page.locator(".cg-q details")
    expect(fold).not_to_have_attribute("open", "")
    press(page, "r")
    expect(fold).to_have_attribute("open", "")
    press(page, "ArrowRight")  # another screen, then another visit
    expect(fold).to_have_attribute("open", "")
    page.reload()
    page.wait_for_selector("[data-ready='1']")
    expect(fold).to_have_attribute("open", "")
    fold.locator("summary").click()
    page.reload()
    page.wait_for_selector("[data-ready='1']")
    expect(fold).not_to_have_attribute("open", "")
    kept = page.evaluate("""() => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "r", code: "KeyR", bubbles: true }));
      return localStorage.getItem("cograde.pref.fold");
    }""")
    assert kept == "true", "kept with the key itself: whoever leaves at once finds it so"
