"""What the desk says about its own state: drafts, flags, skips, equal answers, one answer alone,
and what fits a narrow column."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import ToyServer, open_desk, press

pytestmark = pytest.mark.browser

#: What can be pressed and lies on the screen, smaller than 43.5 pixels either way. A radio is
#: pressed through its label.
SMALL = """() => [...document.querySelectorAll('.cg button, .cg a[href], .cg select, .cg summary, .cg label:has(input), .cg input:not([type=radio]):not([type=range]):not([type=checkbox]), .cg textarea')]
  .filter(node => node.checkVisibility() && !node.closest('.cg-text'))
  .map(node => [node.className || node.tagName, node.innerText, node.getBoundingClientRect()])
  .filter(([, , box]) => box.height && (box.height < 43.5 || box.width < 43.5))
  .map(([name, text, box]) => `${name} ${text} ${Math.round(box.width)}x${Math.round(box.height)}`)"""


def count(page: Page) -> str:
    return page.locator(".cg-count").inner_text()


def test_a_draft_is_not_called_saved(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    status = page.locator(".cg-status")
    expect(status).to_have_text("Saved")
    press(page, "c")
    page.keyboard.type("odd")
    expect(status).to_have_text("Draft kept here")
    press(page, "Escape", "u")  # the comment is taken back
    expect(status).to_have_text("Saved")
    press(page, "f", "ArrowRight", "2")
    expect(status).to_have_text("2 drafts kept here")
    press(page, "Control+Enter", "Control+Enter")
    server.saves(1)
    expect(status).to_have_text("Draft kept here")  # the flag of the first screen
    page.reload()
    page.wait_for_selector("[data-ready='1']")
    expect(status).to_have_text("Draft kept here")


def test_the_head_counts_a_flag_at_once_and_once(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    assert "flagged" not in count(page)
    press(page, "f")
    assert "1 flagged" in count(page)
    server.set(latency=400)
    press(page, "Control+Enter", "Control+Enter")
    for _ in range(8):  # on its way, acknowledged, counted by the server: one flag all the time
        assert "1 flagged" in count(page)
        page.wait_for_timeout(100)
    server.set(latency=0)
    press(page, "u", "f")
    assert "flagged" not in count(page)


def test_a_skip_is_announced_and_is_no_screen_done(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    server.set(fail=503)
    press(page, "s", "1")
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s2")
    expect(page.locator(".cg-say[role=status]")).to_have_text("Skipped.")
    assert count(page).startswith("0 / 40")


def test_a_fault_of_equal_answers_is_judged_once_and_saved_to_each(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server, "q4")
    faults = page.locator("[data-answer=s4a] .cg-faults li")
    # both have an invented number, only the second a dangling reference
    expect(faults).to_have_count(2)
    page.get_by_role("button", name="Confirm: Invented number").click()
    page.get_by_role("button", name="Reject: Dangling reference").click()
    press(page, "e")
    page.keyboard.type("empty")
    press(page, "Enter", "Control+Enter", "Control+Enter")
    [save] = server.saves(1)
    assert sorted((f["answer"], f["cell"] or f["name"], f["value"]) for f in save["faults"]) == [
        ("s4a", "empty_phrase", "present"),
        ("s4a", "s4a.f", "present"),
        ("s4b", "empty_phrase", "present"),
        ("s4b", "s4b.f", "present"),
        ("s4b", "s4b.g", "absent"),
    ]


def test_equal_answers_taken_apart_keep_their_own_faults(page: Page, server: ToyServer) -> None:
    open_desk(page, server, "q4")
    press(page, "e")
    page.keyboard.type("empty")
    press(page, "Enter")
    page.get_by_role("button", name="Remove Empty phrase").click()  # taken back for both
    press(page, "=")
    expect(page.locator("[data-answer=s4a] .cg-faults li")).to_have_count(1)
    expect(page.locator("[data-answer=s4b] .cg-faults li")).to_have_count(2)
    page.locator("[data-answer=s4b]").get_by_role("button", name="Confirm: Invented number").click()
    press(page, "Control+Enter", "Control+Enter")
    assert [(f["cell"], f["value"]) for f in server.saves(1)[0]["faults"]] == [("s4b.f", "present")]


@pytest.mark.parametrize("width", [1100, 1440, 2560])
def test_one_answer_alone_is_readable_with_its_criteria_beside_it(
    page: Page, server: ToyServer, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_desk(page, server, "q6")
    box = page.evaluate(
        """() => { const of = (name) => document.querySelector(name).getBoundingClientRect().toJSON(), node = document.querySelector('.cg-text');
          const ruler = node.appendChild(Object.assign(document.createElement('i'), {style: 'display:inline-block;width:1ch'}));
          const ch = ruler.getBoundingClientRect().width; ruler.remove();
          return {text: of('.cg-text'), criteria: of('.cg-crit'), question: of('.cg-q'), card: of('.cg-a'), chips: of('.cg-chips'), ch}; }"""
    )
    assert 0 <= box["chips"]["top"] - box["text"]["bottom"] < 40, (
        "chips and faults stand next to the text"
    )
    assert box["card"]["bottom"] - max(box["criteria"]["bottom"], box["chips"]["bottom"]) < 30, (
        "no empty card below"
    )
    assert box["text"]["width"] <= 75.5 * box["ch"]
    gap = box["criteria"]["left"] - box["text"]["right"]
    assert 0 < gap < 120, "the eye need not travel"
    assert box["criteria"]["top"] - box["text"]["top"] < 20
    assert box["criteria"]["width"] <= 620


@pytest.mark.parametrize("width", [390, 1024, 1100, 1300, 1440])
def test_labels_of_a_scale_are_not_cut(page: Page, server: ToyServer, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    open_desk(page, server)
    press(page, "Shift+A")
    press(page, "1", "5", "d")  # also with the panel beside the answers
    cut = page.evaluate(
        """() => [...document.querySelectorAll('.cg-said, .cg-seg small, .cg-end-low, .cg-end-high')].filter(n => n.checkVisibility())
          .filter(n => n.scrollWidth > n.clientWidth + 1 || n.scrollHeight > n.clientHeight + 1).map(n => n.className + ' ' + n.innerText)"""
    )
    assert cut == []


@pytest.mark.parametrize("keys", [(), ("d",)])
def test_there_is_room_to_read_and_a_text_that_goes_on_fades(
    page: Page, server: ToyServer, keys: tuple[str, ...]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900 - 52})  # less the pages' own navigation
    open_desk(page, server, "q2")
    press(page, *keys)
    heights = page.evaluate("[...document.querySelectorAll('.cg-scroll')].map(n => n.clientHeight)")
    assert min(heights) >= 200, heights
    fades = page.evaluate(
        "[...document.querySelectorAll('.cg-scroll')].map(n => getComputedStyle(n, '::after').position)"
    )
    assert set(fades) == {"sticky"}


def test_a_corrected_cell_keeps_the_name_of_its_criterion(page: Page, server: ToyServer) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    open_desk(page, server)
    press(page, "ArrowDown", "1", "j", "1")
    expect(page.locator(".cg-ai:visible").first).to_have_attribute(
        "title", re.compile("judge wrong")
    )
    cut = "[...document.querySelectorAll('.cg-name')].filter(n => n.checkVisibility() && n.scrollWidth > n.clientWidth + 1).map(n => n.innerText)"
    assert page.evaluate(cut) == []


def test_details_of_a_blind_screen_say_why_there_are_none(page: Page, server: ToyServer) -> None:
    open_desk(page, server, "q3")
    press(page, "d")
    expect(page.locator(".cg-dock-body")).to_have_text(
        "This screen is blind: what judges, rules and metrics say is not sent to this browser, so that your verdict is your own. "
        "What rules measure and decide, such as seconds and length, is not asked here."
    )


@pytest.mark.parametrize("question", ["q1", "q4", "q5", "q6"])
def test_everything_is_large_enough_for_a_finger(
    phone: Page, server: ToyServer, question: str
) -> None:
    page = phone
    open_desk(page, server, question)
    assert page.evaluate(SMALL) == []
    press(page, "1", "j")  # a correction, and whose fault it was
    assert page.evaluate(SMALL) == []
    for key in ("e", "c", "s", "w", "?", "d"):
        press(page, key)
        page.wait_for_timeout(150)
        assert page.evaluate(SMALL) == [], key
        press(page, "Escape")


def test_the_batch_is_large_enough_for_a_finger(phone: Page, server: ToyServer) -> None:
    page = phone
    server.set(batch=1)
    open_desk(page, server, "q3")
    press(page, "2", "3", "Control+Enter", "Control+Enter")
    page.wait_for_selector(".cg-batch")
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
