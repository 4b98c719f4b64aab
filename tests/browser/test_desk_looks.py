"""The review desk for every eye and hand: names for a screen reader, contrast, window sizes,
touch."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ToyServer, open_desk

pytestmark = pytest.mark.browser


def test_every_cell_and_button_has_a_name_and_a_key(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    expect(
        page.get_by_role(
            "radiogroup", name="Answer A, Clarity: Can it be read once and understood?"
        )
    ).to_be_visible()
    # answers A and C
    expect(page.get_by_role("radio", name="2, relevant, suggested")).to_have_count(2)
    expect(
        page.get_by_role("slider", name="Answer A, Accuracy: Which share of its claims is right?")
    ).to_have_count(1)
    # "More" is for fingers, and not on this screen
    for button in page.locator(".cg-foot button:not(.more), .cg-head button").all():
        assert button.get_attribute("aria-keyshortcuts"), button.inner_text()
        assert button.locator("kbd").count() == 1, button.inner_text()
    assert page.locator("[role=status][aria-live=polite]").count() >= 2
    expect(page.get_by_role("button", name="Show the whole question")).to_be_hidden()  # it fits
    page.route("**/api/next*", long_question)
    page.set_viewport_size({"width": 1440, "height": 900})
    open_desk(page, server)
    text, fold = (
        page.locator(".cg-q h1"),
        page.get_by_role("button", name="Show the whole question"),
    )
    folded = text.bounding_box()
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.press("Enter")
    less = page.get_by_role("button", name="Show less of the question")
    expect(less).to_be_focused()
    opened = text.bounding_box()
    assert folded and opened and opened["height"] > 1.5 * folded["height"]
    open_desk(page, server)
    expect(less).to_have_attribute("aria-expanded", "true")  # as it was left
    less.press("Space")
    assert text.bounding_box() == folded
    page.set_viewport_size({"width": 390, "height": 844})
    expect(fold).to_be_visible()


def long_question(route: Route) -> None:
    """The next screens, with questions of 1,800 characters."""
    found = route.fetch().json()
    for screen in found["screens"]:
        screen["question"]["text"] = "Why do leaves turn? " * 90
    route.fulfill(json=found)


def contrast(one: str, other: str) -> float:
    """WCAG 2: (lighter + .05) / (darker + .05) of the relative luminances."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("dark", [False, True])
def test_contrast_is_aa(page: Page, server: ToyServer, dark: bool) -> None:
    open_desk(page, server, dark=dark)
    names = [
        "bg",
        "surface",
        "sunk",
        "ink",
        "muted",
        "accent",
        "accent-ink",
        "warn",
        "warn-soft",
        "h0",
        "h1",
        "h2",
        "h3",
        "h4",
    ]
    token = page.evaluate(
        "names => { const s = getComputedStyle(document.querySelector('.cg')); return names.map(n => s.getPropertyValue('--' + n).trim()) }",
        names,
    )
    colour = dict(zip(names, token, strict=True))
    pairs = [
        ("ink", "bg"),
        ("ink", "sunk"),
        ("muted", "bg"),
        ("muted", "sunk"),
        ("muted", "surface"),
        ("accent-ink", "accent"),
        ("accent", "surface"),
        ("warn", "warn-soft"),
    ]
    for one, other in [*pairs, *((f"h{i}", "surface") for i in range(5))]:
        assert contrast(colour[one], colour[other]) >= 4.5, (one, other)


@pytest.mark.parametrize("width", [390, 768, 1024, 1100, 1440, 2560])
def test_nothing_is_wider_than_the_window(page: Page, server: ToyServer, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for question in ("q1", "q8", "q10"):
        open_desk(page, server, question)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_one_answer_at_a_time_with_large_targets(phone: Page, server: ToyServer) -> None:
    page = phone
    open_desk(page, server)
    visible = "[...document.querySelectorAll('article')].filter(a => a.offsetParent).map(a => a.dataset.answer)"
    assert page.evaluate(visible) == ["s1a"]
    page.evaluate(
        """() => { const node = document.querySelector('.cg-text');
          const touch = (x) => new Touch({identifier: 1, target: node, clientX: x, clientY: 300});
          node.dispatchEvent(new TouchEvent('touchstart', {touches: [touch(300)], changedTouches: [touch(300)], bubbles: true}));
          node.dispatchEvent(new TouchEvent('touchend', {touches: [], changedTouches: [touch(120)], bubbles: true})); }"""
    )
    assert page.evaluate(visible) == ["s1b"]
    page.get_by_role("tab", name="Answer C").tap()
    assert page.evaluate(visible) == ["s1c"]
    small = page.evaluate(
        "[...document.querySelectorAll('.cg-btn, .cg-tabs button, .cg-seg label, .cg-mini')].filter(b => b.offsetParent && b.getBoundingClientRect().height < 43.5).map(b => b.innerText)"
    )
    assert small == []


def test_on_a_phone_question_and_answer_have_the_screen(phone: Page, server: ToyServer) -> None:
    page = phone
    open_desk(page, server)
    box = page.evaluate(
        "Object.fromEntries(['.cg-q h1', '.cg-foot'].map(n => [n, document.querySelector(n).getBoundingClientRect().toJSON()]))"
    )
    assert box[".cg-q h1"]["top"] < 150 - 45, "the pages' own navigation is another 45 px"
    assert box[".cg-foot"]["height"] <= 72 and box[".cg-foot"]["bottom"] == 844
    expect(page.locator(".cg-status")).to_have_text("Saved")
    expect(page.locator(".cg-count")).to_contain_text("0 / 40")
    for name, seen in (("Details", "judge one"), ("Guide", "Guide of Relevance")):
        page.get_by_role("button", name="More").tap()
        sheet = page.get_by_role("dialog", name="More")
        expect(sheet).to_contain_text("Autumn study · Nature · factual")
        expect(sheet).to_contain_text("These verdicts were written for a test.")
        sheet.get_by_role("button", name=name).tap()
        expect(sheet).to_have_count(0)
        expect(page.locator(".cg-dock")).to_contain_text(seen)
        page.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="More").tap()
    small = "[...document.querySelectorAll('dialog button')].filter(b => b.getBoundingClientRect().height < 43.5).map(b => b.innerText)"
    assert page.evaluate(small) == []
    page.get_by_role("dialog").get_by_role("button", name="Keys").tap()
    expect(page.get_by_role("dialog", name="All keys")).to_be_visible()


def long_words(route: Route) -> None:
    """The desk, with long words for values; its screens, with long names for parts and a chance for
    each suggestion."""
    found = route.fetch().json()
    for screen in found.get("screens", []):
        for answer in screen["answers"]:
            for cell in answer["cells"]:
                cell["part"] = "That the kitchen tap has been dripping for two whole weeks"
                if cell["suggestion"]:
                    cell["suggestion"]["chance"] = 0.87
    for criterion in found.get("criteria", []):
        scale = criterion["scale"]
        scale["words"] = ["The main points are all there, with gaps" for _ in scale["words"]]
    route.fulfill(json=found)


CUT = """() => [...document.querySelectorAll('.cg-said, .cg-name')].filter((n) => n.offsetParent)
  .flatMap((n) => [n, ...n.querySelectorAll('.cg-chance')].filter((one) => {
    const inner = one.getBoundingClientRect(), outer = n.closest('.cg-row').getBoundingClientRect(),
      own = n.getBoundingClientRect();
    return !inner.width || inner.bottom > own.bottom + 1 || inner.right > outer.right + 1 ||
      (n.matches('.cg-name') && innerWidth < 700 && n.scrollWidth > n.clientWidth);
  })).map((n) => n.textContent)"""


@pytest.mark.parametrize("width", [390, 1440])
def test_no_confidence_is_cut_and_on_a_phone_no_name(
    own_page: Page, server: ToyServer, width: int
) -> None:
    page = own_page
    page.route(re.compile("/api/(next|desk)"), long_words)
    page.set_viewport_size({"width": width, "height": 900})
    open_desk(page, server)
    expect(page.locator(".cg-chance:visible").first).to_have_text("confidence 87 %", timeout=5_000)
    assert page.evaluate(CUT) == []
    if width > 390:
        page.keyboard.press("d")
        expect(page.locator(".cg-dock")).to_be_visible()
        assert page.evaluate(CUT) == []
