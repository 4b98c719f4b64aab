"""The keyboard's place: whatever is pressed draws a part of the page anew, and the focus is where
it was, or where it goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.tabs import Held, drawn
from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

#: What Gradio's pages ask the server.
EVENT = re.compile(r"/gradio_api/run/")
#: Page -> what is pressed there, with which key, and what has the focus then; where that is empty,
#: the very same control.
WALK: dict[str, list[tuple[str, str, str]]] = {
    "adjudicate": [
        ("[aria-label=Criterion]", "ArrowDown", ""),
        ("[aria-label=Criterion]", "ArrowDown", ""),
        ("[aria-label='Cells shown'] button:last-child", "Enter", ""),
        ("[aria-label='Cells shown'] button:first-child", "Enter", ""),
    ],
    "diagnostics": [
        (".skip", "Enter", "h1"),
        ("label:has-text('judge-south') input", "Space", ""),
        ("button:has-text('Filters')", "Enter", ""),
    ],
    "leaderboard": [
        (".skip", "Enter", "h1"),
        ("[data-key='weight answer-quality/relevance']", "ArrowUp", ""),
        ("[aria-label='Set quality against'] a:last-child", "Enter", ""),
        ("text=Compare their answers", "Enter", "h1"),
        ("[data-key='lead answer-quality/relevance']", "Enter", ""),
        (".pager a:last-child", "Enter", ""),
    ],
    "anchoring": [
        (".skip", "Enter", "h1"),
        ("button:has-text('Filters')", "Enter", ""),
    ],
    "agreement": [
        ("a.cmc >> nth=-1", "Enter", ".k-behind.block h2"),
        ("text=People and progress", "Enter", ""),
        ("[data-key='aside mira']", "Enter", ""),
        ("[aria-label=Views] a:first-child", "Enter", ""),
        (".pt >> nth=0", "Enter", "h1"),
        ("text=fault of the answer", "Enter", ""),
        (".gr >> nth=0", "Enter", ""),
    ],
}


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("place"), demo) as running:
        yield running


def opened(page: Page, server: Server, name: str) -> None:
    page.goto(f"{server.url}/{name}?project=autumn-study")
    page.wait_for_selector(".cgl h1")
    drawn(page)


def press(page: Page, key: str) -> None:
    """Press a key and wait until what follows from it is drawn."""
    page.evaluate("begun()")
    page.keyboard.press(key)
    drawn(page)


def has_focus(page: Page, which: str) -> None:
    expect(
        page.locator(which),
        f"{which} of {page.url}, not {page.evaluate('document.activeElement.outerHTML.slice(0, 90)')}",
    ).to_be_focused()


def test_what_is_pressed_keeps_the_focus_through_a_new_drawing(page: Page, server: Server) -> None:
    for name, steps in WALK.items():
        opened(page, server, name)
        for pressed, key, then in steps:
            page.locator(pressed).focus()
            press(page, key)
            has_focus(page, then or pressed)
            expect(page.locator(then or pressed)).to_be_in_viewport()
    # Diagnostics: two anchors are taken out before the first reply has come.
    opened(page, server, "diagnostics")
    page.get_by_label("How many to draw").fill("5")
    press(page, "Enter")
    page.get_by_role("button", name="Show them").press("Enter")
    expect(page.get_by_label("Remove", exact=False)).to_have_count(5)
    page.evaluate(
        "[...document.querySelectorAll('[aria-label^=Remove]')].slice(0, 2).forEach((button) => button.click())"
    )
    expect(page.get_by_text("3 of 120 questions are anchors.")).to_be_visible()
    expect(page.get_by_label("Remove", exact=False)).to_have_count(3)
    # A plan says that there are anchors, so that a run can leave them out.
    opened(page, server, "run")
    page.get_by_role("button", name="Panel, text scores, faults, batches").press("Enter")
    expect(page.get_by_label("grade anchor questions first")).to_be_visible()
    # Routing: a slider goes up as well as down, and what was not sent yet is still there after
    # another button's work.
    opened(page, server, "routing")
    # An arrow passes a project; Enter would open it.
    address, projects = page.url, page.get_by_label("Project", exact=True)
    projects.focus()
    press(page, "ArrowDown")
    expect(page.get_by_text("Enter opens this project")).to_be_visible()
    expect(projects).to_be_focused()
    assert page.url == address
    read, tick = (
        page.get_by_role("slider", name="Answers read, at most"),
        page.get_by_label("What is proven is the machine's"),
    )
    read.focus()
    press(page, "ArrowLeft")
    fewer = int(read.input_value())
    press(page, "ArrowRight")
    assert int(read.input_value()) > fewer
    tick.uncheck()
    page.get_by_text("As a table").click()
    page.get_by_role("button", name="Use this order").focus()
    press(page, "Enter")
    expect(tick).not_to_be_checked()
    expect(page.get_by_role("columnheader", name="At most")).to_be_visible()
    # Who turned the wheel while the server worked is not pulled back.
    settings = Held(page, EVENT)
    page.keyboard.press("Enter")
    settings.sent()
    page.mouse.wheel(0, -9_000)
    page.wait_for_function("scrollY === 0")
    settings.go_on()
    expect(page.get_by_role("button", name="Use this order")).to_be_focused()
    expect(page.get_by_role("button", name="Use this order")).not_to_be_in_viewport()
    # A second press does nothing while the first one's work is under way.
    route = Held(page, EVENT)
    asked: list[int] = []
    page.on(
        "request",
        lambda request: (
            asked.append(request.post_data_json["fn_index"]) if EVENT.search(request.url) else None
        ),
    )
    page.get_by_role("button", name="Route again").focus()
    page.keyboard.press("Enter")
    route.sent()
    page.keyboard.press("Enter")
    route.go_on()
    expect(page.get_by_text("Routed: ")).to_be_visible()
    # routed once; drawn anew, and what labels would bring
    assert asked.count(asked[0]) == 1 and len(asked) <= 3
    expect(page.get_by_role("button", name="Route again")).to_be_focused()
    # What a further draw costs is said before it is pressed, and a plan that was asked for follows
    # the draw.
    terms = page.get_by_role("region", name="Terms")
    expect(terms).to_contain_text(re.compile(r"\d proofs end with it \(Relevance, factual; "))
    drawn_before = re.search(r"(\d+) answers drawn", terms.inner_text())
    assert drawn_before
    page.get_by_role("button", name="What will be known?").click()
    planned = page.get_by_role("button", name=re.compile(r"^Draw \d+ answers$"))
    expect(planned).to_be_visible()
    count = page.get_by_label("Further answers to draw")
    count.fill("1000")  # all that are left
    page.get_by_role("button", name="Draw a new calibration sample").click()
    expect(page.get_by_role("alert").filter(has_text="expected at most 50%")).to_be_in_viewport()
    expect(page.locator("body.k-busy")).to_have_count(0)
    page.get_by_role("button", name="Draw them without suggestions").press(
        "Enter"
    )  # more than half asks for consent
    expect(terms).to_contain_text(
        f"{drawn_before[1]} answers of earlier draws are in no test under these terms."
    )
    expect(page.get_by_text("Every answer was drawn already")).to_be_visible()


def test_a_date_is_typed_as_slowly_as_one_likes(page: Page, server: Server) -> None:
    opened(page, server, "agreement")
    page.get_by_role("button", name="Filters").click()
    since = page.get_by_label("From", exact=True)
    since.focus()
    for sign in "2026-10-10":
        press(page, sign)
        assert "since=" not in page.url, sign
        expect(since).to_be_focused()
    press(page, "Enter")
    page.wait_for_url("**since=2026-10-10*")
    expect(since).to_be_focused()
    since.fill("2026-13")
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text("2026-13")
