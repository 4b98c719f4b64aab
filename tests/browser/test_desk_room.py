"""Room to read on the desk: how much of the window the texts have, where the focus stands, what is
marked."""

from __future__ import annotations

import copy
import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ToyServer, open_desk, press

pytestmark = pytest.mark.browser

NAVIGATION = 52  # the pages' own, above the desk
NAMES = ("Accuracy of facts", "Completeness", "Instruction following", "Clarity", "Tone")
WORDS = [
    "Nearly everything is missing",
    "Much is missing",
    "The main points are there, with gaps",
    "Little is missing",
    "Nothing is missing",
]


def five_criteria(route: Route, *, doubt: bool = False) -> None:
    """The desk, with five criteria from 1 to 5; its screens, with a question of 300 characters and
    three long answers."""
    found = route.fetch().json()
    if found.get("criteria"):
        one = found["criteria"][0]
        scale = {"kind": "integer", "low": 1, "high": 5, "values": [1, 2, 3, 4, 5], "words": WORDS}
        found["criteria"] = [
            {**one, "key": f"c{i}", "title": name, "scale": scale} for i, name in enumerate(NAMES)
        ]
    for screen in found.get("screens", []):
        screen["question"]["text"] = ("Why do leaves turn in autumn, and what of it? " * 7)[:300]
        for answer in screen["answers"]:
            answer["html"] = f"<p>{'As days shorten, chlorophyll goes first. ' * 90}</p>"
            judge = next((j for c in answer["cells"] for j in c["judges"]), {})
            first, answer["faults"] = answer["cells"][0], []
            answer["cells"] = []
            for i in range(len(NAMES)):
                cell = copy.deepcopy(first)
                cell |= {"id": f"{answer['id']}.c{i}", "criterion": f"c{i}", "part": ""}
                cell |= {"open": True, "final": None, "metrics": [], "mine": None}
                cell["suggestion"] = {"value": 1 + i, "chance": 0.87} if i % 2 == 0 else None
                if doubt:
                    cell["suggestion"] = {"value": 2, "reason": "", "chance": 0.16}
                    cell["judges"] = [{**judge, "value": 2}, {**judge, "value": 4 if i else 2}]
                answer["cells"].append(cell)
    route.fulfill(json=found)


@pytest.mark.parametrize(("width", "height", "share"), [(1366, 768, 0.45), (1440, 900, 0.55)])
def test_three_long_answers_have_half_of_the_window(
    own_page: Page, server: ToyServer, width: int, height: int, share: float
) -> None:
    page = own_page
    page.route(re.compile("/api/(next|desk)"), five_criteria)
    page.set_viewport_size({"width": width, "height": height - NAVIGATION})
    open_desk(page, server)
    expect(page.locator(".cg-row")).to_have_count(15)
    heights = page.evaluate("[...document.querySelectorAll('.cg-scroll')].map(n => n.clientHeight)")
    assert len(heights) == 3 and min(heights) >= share * height, heights
    tops = page.evaluate(
        "[...document.querySelectorAll('.cg-foot .cg-btn')].filter(n => n.offsetParent).map(n => n.getBoundingClientRect().top)"
    )
    assert len(set(tops)) == 1, "the foot is one row"
    # The words of the cell with the focus stand whole below the rows, also those of five words.
    press(page, "ArrowDown", "ArrowDown")
    said = page.locator(".cg-row.on .cg-said")
    expect(said).to_contain_text("The main points are there, with gaps confidence 87 %")
    cut = "n => n.scrollWidth > n.clientWidth + 1 || n.scrollHeight > n.clientHeight + 1"
    assert not said.evaluate(cut)
    inside = "n => { const a = n.getBoundingClientRect(), b = n.closest('.cg-crit').getBoundingClientRect(); return a.bottom <= b.bottom + 1 && a.right <= b.right + 1 }"
    assert said.evaluate(inside)
    below = "n => n.getBoundingClientRect().top >= [...n.closest('.cg-crit').querySelectorAll('.cg-seg')].at(-1).getBoundingClientRect().bottom - 1"
    assert said.evaluate(below), "it covers no value"


def test_a_key_enlarges_one_answer_and_back(page: Page, server: ToyServer) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    open_desk(page, server)
    visible = "[...document.querySelectorAll('article')].filter(a => a.offsetParent).map(a => [a.dataset.answer, Math.round(a.offsetWidth / innerWidth * 10)])"
    assert page.evaluate(visible) == [["s1a", 3], ["s1b", 3], ["s1c", 3]]
    press(page, "z")
    assert page.evaluate(visible) == [["s1a", 10]]
    press(page, "]")
    assert page.evaluate(visible) == [["s1b", 10]]
    press(page, "z")
    assert len(page.evaluate(visible)) == 3


def first_two_decided(route: Route) -> None:
    """The next screens, with nothing open in the first answer and one cell less in the second."""
    found = route.fetch().json()
    for screen in found["screens"]:
        for place, answer in enumerate(screen["answers"][:2]):
            for cell in answer["cells"][: None if place == 0 else 1]:
                cell["open"], cell["final"] = False, {"value": None, "source": "closed"}
    route.fulfill(json=found)


def test_the_focus_is_on_the_first_open_cell_and_no_key_is_dead(
    own_page: Page, server: ToyServer
) -> None:
    page = own_page
    page.route("**/api/next*", first_two_decided)
    open_desk(page, server)
    focused = page.locator(".cg-row.on")
    expect(focused).to_have_count(1)
    second = page.locator("[data-answer=s1b] .cg-row").first.get_attribute("data-cell")
    assert focused.get_attribute("data-cell") == second
    press(page, "[")  # to read the answer that needs nothing
    expect(focused).to_have_count(0)
    press(page, "2")
    expect(page.locator(".cg-say")).to_contain_text("Nothing to decide in that answer")
    assert focused.get_attribute("data-cell") == second
    press(page, "[", "Enter")
    assert focused.get_attribute("data-cell") == second


def test_quotes_are_marked_for_the_open_criterion_with_the_focus(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server)
    drawn = "[...document.querySelectorAll('mark')].filter(m => getComputedStyle(m).borderBottomStyle === 'solid').map(m => m.dataset.owners)"
    page.locator("[data-answer=s1a] .cg-row:has(.cg-quote:not(.cg-cut)) .cg-name").first.click()
    own, every = page.evaluate(drawn), page.locator("mark").count()
    focused = str(page.locator(".cg-row.on").get_attribute("data-cell"))
    assert own and all(focused in owners.split() for owners in own) and len(own) < every
    press(page, "Shift+V")
    assert len(page.evaluate(drawn)) == every
    press(page, "Shift+V")
    assert page.evaluate(drawn) == []
    press(page, "Shift+V")
    assert page.evaluate(drawn) == own
    press(page, "m", "x")  # without the move the focus stays on what is decided now
    page.locator(f"[data-cell='{focused}'] input:checked").wait_for(state="attached")
    assert all(focused not in owners.split() for owners in page.evaluate(drawn))


def test_a_doubtful_suggestion_is_said_and_not_filled_in(own_page: Page, server: ToyServer) -> None:
    page = own_page
    page.route(re.compile("/api/(next|desk)"), lambda route: five_criteria(route, doubt=True))
    open_desk(page, server)
    said = page.locator(".cg-row.on .cg-said")
    expect(said).to_have_text("unsure: Much is missing, confidence 16 %")
    expect(page.locator("label.sug")).to_have_count(0)
    press(page, "Enter")
    expect(page.locator(".cg-say")).to_contain_text("No suggestion to confirm here")
    press(page, "3")
    expect(said).to_have_text("judges disagree: Much is missing / Little is missing")


def test_a_scale_from_0_to_1_shows_what_a_key_sets(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    row = page.locator("[data-answer=s1a] .cg-row:has(.cg-track)").first
    expect(row.locator(".cg-tick")).to_have_text([f".{digit}" for digit in range(1, 10)])
    row.locator(".cg-name").click()
    press(page, "m", "6")
    expect(row.get_by_role("slider")).to_have_value("0.6")
    offset = "n => { const middle = (e) => { const b = e.getBoundingClientRect(); return b.left + b.width / 2 }; return Math.abs(middle(n.querySelectorAll('.cg-tick')[5]) - middle(n.querySelector('.cg-handle'))) }"
    assert row.evaluate(offset) < 2
