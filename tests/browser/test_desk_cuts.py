"""On the desk nothing is cut, broken or covered: tables and code keep to their place, names of
criteria their words, dots of judges lie on no letter, and a telephone's criteria stay below the
text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import ToyServer, open_desk, press
from tests.browser.measures import overflow
from tests.browser.tabs import Tabs

pytestmark = pytest.mark.browser

HEADS = ("Programming language", "Characteristic", "Implementation", "Misunderstandings", "Notes")
CELLS = "".join(f"<td>Incomprehensibilities of {head.lower()}</td>" for head in HEADS)
WIDE = f"""<p>Use <code>{"collections.OrderedDict." * 6}fromkeys</code>:</p>
<table><thead><tr>{"".join(f"<th>{head}</th>" for head in HEADS)}</tr></thead>
<tbody>{f"<tr>{CELLS}</tr>" * 3}</tbody></table>
<pre><code>{"value = transform(value, key=identity) " * 8}</code></pre>
<ul><li>First<ul><li><pre><code>{"nested(" * 40}</code></pre></li></ul></li></ul>
<blockquote><table><tbody><tr>{CELLS}</tr></tbody></table></blockquote>"""
#: A window enlarged to 200 % is half as wide, and its pixels twice as dense.
WINDOWS = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "small": {"viewport": {"width": 768, "height": 1024}},
    "zoomed": {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
#: Words of these elements that stand on two lines.
BROKEN = r"""(where) => [...document.querySelectorAll(where)].filter((n) => n.checkVisibility()).flatMap((n) => {
  const walk = document.createTreeWalker(n, NodeFilter.SHOW_TEXT), found = [];
  while (walk.nextNode()) for (const word of walk.currentNode.data.matchAll(/[\p{L}\p{N}]+/gu)) {
    const range = document.createRange();
    range.setStart(walk.currentNode, word.index);
    range.setEnd(walk.currentNode, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) found.push(word[0]);
  }
  return found;
})"""


def wide(route: Route) -> None:
    """The next screens, with tables and code that are wider than any window."""
    found = route.fetch().json()
    for screen in found.get("screens", []):
        for answer in screen["answers"]:
            answer["html"] = WIDE
    route.fulfill(json=found)


@pytest.mark.parametrize("window", WINDOWS)
def test_tables_and_code_scroll_in_their_place(tabs: Tabs, server: ToyServer, window: str) -> None:
    with tabs.tab(own=True, **WINDOWS[window]) as page:
        page.route(re.compile("/api/next"), wide)
        open_desk(page, server)
        assert overflow(page) == 0
        assert page.evaluate("innerWidth") == WINDOWS[window]["viewport"]["width"], (
            "not made smaller"
        )
        assert page.evaluate(BROKEN, ".cg-text :is(td, th)") == []
        scrolls = """(where) => [...document.querySelectorAll(where)].filter((n) => n.checkVisibility())
          .map((n) => n.scrollWidth > n.clientWidth + 20 && (n.scrollLeft = 90, n.scrollLeft > 0))"""
        for where in (".cg-wide", ".cg-text pre"):
            found = page.evaluate(scrolls, where)
            assert found and all(found), where
        outside = """() => [...document.querySelectorAll('.cg-scroll')].filter((n) => n.checkVisibility() && n.scrollWidth > n.clientWidth).length"""
        assert page.evaluate(outside) == 0, "the text itself goes sideways nowhere"


@pytest.mark.parametrize("width", [1024, 1366, 1440])
@pytest.mark.parametrize("keys", [(), ("d",)])
def test_no_word_of_a_criterion_is_broken(
    page: Page, server: ToyServer, width: int, keys: tuple[str, ...]
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for question in ("q1", "q6"):
        open_desk(page, server, question)
        press(page, *keys)
        assert page.evaluate(BROKEN, ".cg-name") == []
        cut = "[...document.querySelectorAll('.cg-row.on .cg-name')].filter((n) => n.scrollHeight > n.clientHeight + 1).length"
        assert page.evaluate(cut) == 0, "the name of the row with the focus stands whole"
        press(page, "Escape")


#: Dots of judges whose box meets that of letters in the same row.
COVERED = """() => [...document.querySelectorAll('.cg-seg')].filter((n) => n.checkVisibility()).flatMap((row) => {
  const letters = [...row.querySelectorAll('b, small, .cg-tick, .cg-end-low, .cg-end-high')].filter((n) => n.checkVisibility()).map((n) => {
    const range = document.createRange();
    range.selectNodeContents(n);
    return [n.textContent, range.getBoundingClientRect()];
  });
  return [...row.querySelectorAll('em i, .cg-dot')].flatMap((dot) => {
    const d = dot.getBoundingClientRect();
    return letters.filter(([, l]) => Math.min(d.right, l.right) - Math.max(d.left, l.left) > 0.5 && Math.min(d.bottom, l.bottom) - Math.max(d.top, l.top) > 0.5).map(([text]) => text);
  });
})"""


@pytest.mark.parametrize("window", WINDOWS)
def test_no_dot_of_a_judge_lies_on_letters(tabs: Tabs, server: ToyServer, window: str) -> None:
    with tabs.tab(own=True, **WINDOWS[window]) as page:
        for question in ("q1", "q6", "q10"):
            open_desk(page, server, question)
            assert page.locator(".cg-seg em i").count() > 3
            assert page.evaluate(COVERED) == []


def test_on_a_telephone_the_criteria_are_a_sheet_that_stays(phone: Page, server: ToyServer) -> None:
    page = phone
    open_desk(page, server, "q11")  # long texts
    box = """() => { const at = (n) => document.querySelector(n).getBoundingClientRect();
      return { sheet: at('.cg-a.on .cg-crit').toJSON(), foot: at('.cg-foot').top, end: at('.cg-a.on .cg-end').top } }"""
    for way in (0, 500, 500):
        page.mouse.wheel(0, way)
        page.wait_for_timeout(100)
        at = page.evaluate(box)
        assert abs(at["sheet"]["bottom"] - at["foot"]) < 2, "it stays above the buttons"
        assert (at["sheet"]["left"], at["sheet"]["width"]) == (0, 390)
        assert at["sheet"]["top"] > 0.55 * 844, "the text has the greater part"
    why = page.get_by_role("button", name="Confirm all")
    expect(why).to_have_attribute("aria-disabled", "true")
    for _ in range(page.locator(".cg-a.on .cg-row").count()):
        on = page.locator(".cg-a.on .cg-row.on")
        row = on.evaluate("n => n.getBoundingClientRect().toJSON()")
        assert at["sheet"]["top"] <= row["top"] and row["bottom"] <= at["foot"], (
            "in sight by itself"
        )
        if not on.locator(".cg-seg input[type=radio]").count():
            break
        on.locator(".cg-seg label").first.tap()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_timeout(100)
    at = page.evaluate(box)
    assert abs(at["sheet"]["bottom"] - at["foot"]) < 2
    assert at["end"] <= at["sheet"]["top"] + 1, "the text can be read to its end above the sheet"
