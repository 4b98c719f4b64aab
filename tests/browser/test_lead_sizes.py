"""The lead's pages at 390, 1280 and 1440 pixels, light and dark: nothing sticks out, fingers can
hit, focus and texts can be seen."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from graders.store.workspace import open_workspace
from graders.web.kit import View
from graders.web.kit import drawn as drawn_html
from graders.workflows.results.cell_answers import answers
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.app import serve
from tests.browser.measures import (
    focused,
    overflow,
    pale_texts,
    small_targets,
    texts_outside,
    texts_over_texts,
    unclear_fields,
)
from tests.browser.tabs import Tabs, drawn
from tests.support import screenshots
from tests.support.entering import enter
from tests.support.server import Server
from tests.web.bringing import brought, looked_at, staged
from tests.web.client import Client
from tests.workflows.leaderboard.test_preferences import compared

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

DEMO = {"project": "autumn-study"}
#: Pairs of thirty questions, compared by a person and by a judge.
PAIRS = {"project": "study"}
CELL = {"model": "Cedar", "criterion": "answer-quality/completeness"}
JUDGE = {"criterion": "answer-quality/relevance", "a": "judge:judge-south"}
#: Name -> path and query; `question`, `b` and the value of a matrix's cell are asked of the server.
PAGES: dict[str, tuple[str, dict[str, str]]] = {
    "projects": ("/", {}),
    "a file that is looked at": ("/", {"import": "TOKEN"}),
    "an import's report": ("/", {"staged": "IMPORT"}),
    "run": ("/run", DEMO),
    "results": ("/results", DEMO),
    "answers of a cell": ("/results", {**DEMO, **CELL}),
    "a list of answers": ("/results", {**DEMO, "view": "answers", "having": "judges_differ"}),
    "report": ("/report", DEMO),
    "one answer": ("/results", {**DEMO, **CELL, "question": "QUESTION"}),
    "leaderboard": ("/leaderboard", DEMO),
    "two models beside each other": (
        "/leaderboard",
        {**DEMO, "compare": "1", "a": "Cedar", "b": "Alder"},
    ),
    "what people prefer": ("/leaderboard", {**PAIRS, "preferences": "1"}),
    "routing": ("/routing", DEMO),
    "anchoring": ("/anchoring", DEMO),
    "judges": ("/judges", DEMO),
    "diagnostics": ("/diagnostics", DEMO),
    "workshop": ("/workshop", DEMO),
    "questions": ("/questions", DEMO),
    "elements": ("/elements", DEMO),
    "rubrics": ("/rubrics", DEMO),
    "agreement": ("/agreement", DEMO),
    "answers of a matrix": (
        "/agreement",
        {**DEMO, **JUDGE, "value_a": "relevant", "value_b": "relevant"},
    ),
    "a project with nothing to compare": ("/agreement", {"project": "brought"}),
    "a project that is not there": ("/results", {"project": "nowhere"}),
}
#: No more is read that a page waits for.
READ = "!document.querySelector('.cgl h1')?.textContent.includes('being computed')"
TABLE = (
    "question;category;Cedar;Alder\n"
    + "".join(f"What is {n}?;{'abc'[n % 3]};It is {n}.;Nobody knows.\n" for n in range(9))
    + ";a;b;c\n"
)


class Lead:
    """A server with the demo, a file that waits for its look, and an import that waits for a
    word."""

    def __init__(self, server: Server, tabs: Tabs, page: Page) -> None:
        self.server, self.tabs = server, tabs
        self.told: dict[Page, CDPSession] = {}
        ask = page.request
        enter(ask, server.url, "Mira Holm")
        page.goto(f"{server.url}/run?project=autumn-study")
        # rules and metrics of the demo
        expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=90_000)
        http = Client(server.url).http
        looked = parse_qs(looked_at(http, "answers.csv", TABLE)[1:])
        scope = Scope(Actor(), open_workspace(server.folder / "app.db"))
        rows = answers(scope, DEMO["project"], CELL["model"], CELL["criterion"], {}, 1).rows
        scope.ws.close()
        brought(http, "answers.csv", TABLE, "Brought")
        report, _ = staged(http, looked_at(http, "answers.csv", TABLE), "Staged")
        self.known = {
            "TOKEN": looked["import"][0],
            "IMPORT": parse_qs(report[1:])["staged"][0],
            "QUESTION": next(row.question_id for row in rows if row.source == "people"),
        }
        self.cookies: Any = page.context.cookies()

    def hold(self, page: Page, width: int) -> None:
        """As a telephone of that width, touched with fingers, or as a window that is pointed into;
        whichever it was before."""
        fingers = width < 500
        if page not in self.told:
            self.told[page] = page.context.new_cdp_session(page)
        self.told[page].send("Emulation.setTouchEmulationEnabled", {"enabled": fingers})
        page.set_viewport_size({"width": width, "height": 844 if fingers else 900})
        so = "([width, fingers]) => innerWidth === width && matchMedia('(pointer: coarse)').matches === fingers"
        page.wait_for_function(so, arg=[width, fingers])

    @contextmanager
    def held(self, width: int, scheme: Any = "light") -> Iterator[Page]:
        """A tab with nothing in it."""
        with self.tabs.tab(color_scheme=scheme) as page:
            self.hold(page, width)
            yield page

    @contextmanager
    def open(self, name: str, width: int, scheme: Any = "light") -> Iterator[Page]:
        """The page of that name, all that can be unfolded unfolded."""
        with self.held(width, scheme) as page:
            page.context.add_cookies(self.cookies)
            path, query = PAGES[name]
            page.goto(
                f"{self.server.url}{path}?{urlencode({key: self.known.get(value, value) for key, value in query.items()})}"
            )
            page.wait_for_selector(".cgl h1, .cgl [role=alert]")
            page.wait_for_function(READ)
            drawn(page)
            page.evaluate(
                "document.querySelectorAll('.cgl details').forEach((part) => (part.open = true))"
            )
            page.evaluate("document.querySelector('.cgl .ff[aria-expanded=false]')?.click()")
            yield page


@pytest.fixture(scope="module")
def lead(browser: Browser, demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lead]:
    folder, tabs = tmp_path_factory.mktemp("sizes"), Tabs(browser)
    shutil.copy(demo, folder / "work.db")
    compared(folder).ws.close()
    with serve(folder, folder / "work.db") as server:
        with tabs.tab() as page:
            made = Lead(server, tabs, page)
        yield made
    tabs.close()


#: The navigation is one row that a finger moves; the page that one is on stands in it.
PRESENT_IN_VIEW = """(() => { const nav = document.querySelector('.cgl nav').getBoundingClientRect()
  const here = document.querySelector('.cgl nav [aria-current]')?.getBoundingClientRect()
  return !here || (here.left >= nav.left - 1 && here.right <= nav.right + 1) })()"""


#: Frames that anybody asked for in a tenth of a second: their numbers follow one another.
FRAMES = "new Promise((done) => { const first = requestAnimationFrame(() => {}); setTimeout(() => done(requestAnimationFrame(() => {}) - first - 1), 100) })"


@pytest.fixture(scope="module", params=PAGES)
def shown(lead: Lead, request: pytest.FixtureRequest) -> Iterator[tuple[str, Page]]:
    """Each page, loaded on a telephone and then held in other ways: both tests of looks see the
    same one."""
    with lead.open(request.param, 390) as page:
        yield request.param, page


def test_on_a_telephone_nothing_sticks_out_and_a_finger_finds_everything(
    lead: Lead, shown: tuple[str, Page]
) -> None:
    _, page = shown
    lead.hold(page, 390)
    page.wait_for_function(PRESENT_IN_VIEW)
    assert any(page.evaluate(FRAMES) == 0 for _ in range(30)), (
        "a page comes to rest, and then draws nothing"
    )
    assert (overflow(page), texts_outside(page), texts_over_texts(page)) == (0, [], [])
    assert (small_targets(page), unclear_fields(page)) == ([], [])


def test_on_a_desk_nothing_sticks_out_all_can_be_read_light_and_dark_and_the_tab_tells_the_finding(
    lead: Lead, shown: tuple[str, Page]
) -> None:
    name, page = shown
    lead.hold(page, 1440)
    assert not page.evaluate("document.body.classList.contains('dark')")
    assert pale_texts(page) == []
    if name != "a project that is not there":  # which has found nothing
        heading = page.locator("h1").inner_text()
        # numbers to drag stand on lines of their own
        assert "".join(page.title().split()) == "".join(f"{heading}·Cograde".split())
        assert heading.endswith((".", "?")) and len(heading.split()) >= 3, heading
    for width in (1440, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.evaluate("new Promise(requestAnimationFrame)")
        assert (overflow(page), texts_outside(page)) == (0, []), width
    # as Gradio does before a page is drawn; that costs another load of it
    page.evaluate("document.body.classList.add('dark')")
    assert pale_texts(page) == []


def test_the_picture_of_the_readme_is_taken_by_its_script(lead: Lead, tmp_path: Path) -> None:
    with lead.held(1440) as page:
        screenshots.take(page, lead.server.url, tmp_path / "desk.png")
        assert page.locator("[data-arm='assisted'] .cg-a").count() == 3
    kept = screenshots.PICTURE.read_bytes()
    # a PNG of the same width and height
    assert (tmp_path / "desk.png").read_bytes()[:24] == kept[:24]
    assert (
        str(screenshots.PICTURE.relative_to(screenshots.ROOT))
        in (screenshots.ROOT / "README.md").read_text()
    )


@pytest.mark.parametrize("name", ["agreement", "leaderboard", "one answer"])
def test_in_the_dark_every_text_stands_out_from_its_ground(lead: Lead, name: str) -> None:
    with lead.open(name, 1440, "dark") as page:
        assert page.evaluate("document.body.classList.contains('dark')")
        assert pale_texts(page) == []


@pytest.mark.parametrize(
    "name", ["projects", "a file that is looked at", "run", "one answer", "answers of a matrix"]
)
def test_tab_shows_where_it_is(lead: Lead, name: str) -> None:
    with lead.open(name, 1440) as page:
        met = []
        for _ in range(40):
            page.keyboard.press("Tab")
            now = focused(page)
            if now:
                met.append(now["name"])
                assert now["seen"], now["name"]
        # brand, picker, five pages, a name, and at least three of the page's own
        assert len(set(met)) >= 11


def test_answers_of_a_matrix_have_the_width_of_the_page(lead: Lead) -> None:
    with lead.open("agreement", 1440) as page:
        page.locator("a.cmc").last.click()
        expect(page.locator(".an").first).to_be_in_viewport()
        box = page.locator(".k-behind.block").bounding_box()
        # of 1440, less the margins of 28 on both sides
        assert box is not None and box["width"] > 1300
        page.get_by_role("link", name="Back to the matrix").press("Enter")
        expect(page.locator(".cm :focus")).to_have_count(1)


def test_what_rests_on_too_few_cells_is_grey_and_says_so(lead: Lead) -> None:
    with lead.open("anchoring", 1440) as page:
        relevance = page.get_by_role("row", name="Relevance")
        right = relevance.get_by_role("cell").nth(4)
        expect(right).to_have_text(re.compile(r"/ 0 cells, .*INCONCLUSIVE$"))
        expect(right.locator("b")).to_have_count(0)
        expect(right).to_have_attribute("title", "fewer than 100 blind cells")
        same = page.get_by_role("row", name="Completeness").get_by_role("cell").nth(1)
        expect(same.locator("b")).to_be_visible()  # more than a hundred of both suffice
        expect(same).not_to_contain_text("INCONCLUSIVE")
        address = {**DEMO, "blind": "0", "criterion": "answer-quality/completeness"}
        page.goto(f"{lead.server.url}/agreement?{urlencode(address)}")
        drawn(page)
        few = "fewer than 10 questions"
        told = page.locator(".vl", has_text=re.compile(r"adjudicated \d"))
        doubtful = told.filter(has_text="INCONCLUSIVE")
        expect(doubtful.first.get_by_text("INCONCLUSIVE")).to_have_attribute("title", few)
        assert 0 < doubtful.count() < told.count()
        matrix = page.get_by_role("region", name="Matrix and its answers")
        page.get_by_text("All pairs (").click()
        pair = matrix.get_by_role("row", name="judge-south · adjudicated").first
        expect(pair.get_by_role("cell").last).to_have_text(re.compile(r"^\d\.\d\d .*\?$"))
        pair.get_by_role("link").click()
        expect(matrix).to_contain_text(
            re.compile(rf"kappa \d\.\d{{4}} .*INCONCLUSIVE: {few} · \d+ cells")
        )


def test_figures_are_said_once_and_nought_has_no_sign(lead: Lead) -> None:
    with lead.open("routing", 1440) as page:
        said = page.get_by_text("Always saying").inner_text()
        told = re.findall(r"Always saying (.+?) would be off on (.+?) of (.+?) \(.+?\)\.", said)
        # task types that are tested together share it
        assert told and len(set(told)) == len(told) == said.count("Always saying")
        page.goto(f"{lead.server.url}/agreement?{urlencode({**DEMO, 'view': 'people'})}")
        # a little below the others, up to not at all
        severity = page.get_by_role("row", name="Mira").get_by_role("cell").nth(5)
        expect(severity).to_have_text(re.compile(r"^-\d %.* 0 %"))
        expect(page.locator(".k-page")).not_to_contain_text(re.compile(r"[-+]0 %"))
        assert page.locator(".cp[title*='-0 %']").count() == 0


def test_the_leaderboard_keeps_its_switches_in_the_address(lead: Lead) -> None:
    with lead.open("leaderboard", 1440) as page:
        expect(page.get_by_role("heading", level=1)).to_contain_text("Cedar")
        expect(page.locator(".lb .nm span").first).to_have_text("Cedar")
        expect(page.locator(".lb .br").first).to_be_visible()  # models that cannot be told apart
        named = page.locator(".plot .nm")
        # the best one, though Rowan and Birch stand close to it
        expect(named.filter(has_text="Cedar")).to_be_visible()
        boxes = named.evaluate_all(
            "all => all.map((n) => n.getBoundingClientRect()).map((b) => [b.left, b.top, b.right, b.bottom])"
        )
        assert not [
            (a, b)
            for a, b in combinations(boxes, 2)
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        ]
        # Copy as sentence: the first model on the first criterion
        told = page.locator(".byc .cp").first
        expect(told).to_have_attribute(
            "title",
            re.compile(
                r"Cedar, Relevance \(relevant, %\): .*rank 1.* of 5\. .*Counted: people's blind"
            ),
        )
        page.goto(f"{page.url}&category=advice")
        drawn(page)
        expect(page.locator(".top p").first).to_contain_text("Only category advice.")
        expect(page.locator(".lb .cp").first).to_have_attribute(
            "title", re.compile("only category advice")
        )
        page.get_by_role("button", name="Filters: 1 set").press("Enter")
        page.get_by_role("link", name="Clear filters").press("Enter")
        expect(page.locator(".top p").first).not_to_contain_text("Only category")
        page.go_back()
        expect(page.locator(".top p").first).to_contain_text("Only category advice.")
        page.go_forward()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Cedar")
        page.goto(f"{page.url}&model=Cedar")  # a filter that standings do not have
        expect(page.get_by_role("alert")).to_contain_text(
            "filter model: found one that these figures do not have"
        )
        page.get_by_role("link", name="Show the page without filters").press("Enter")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Cedar")
        page.get_by_role("radio", name="People only").check()
        page.wait_for_url("**show=people*")
        expect(page.get_by_role("radio", name="People only")).to_be_focused()
        weight = page.get_by_label("Weight in the overall mean: Clarity")
        weight.fill("3")
        weight.press("Enter")
        page.wait_for_url("**weights=*clarity*3*")
        drawn(page)
        expect(weight).to_have_value("3")
        page.get_by_label("Second model").select_option("Elm")
        page.wait_for_url("**b=Elm*")
        drawn(page)
        address = page.url
        value = page.locator(".lb .cv").first.inner_text()
        page.goto(f"{lead.server.url}/leaderboard?project=autumn-study")
        page.goto(address)
        expect(page.get_by_label("Second model")).to_have_value("Elm")
        expect(page.locator(".lb .cv").first).to_have_text(value)
        page.get_by_role("link", name="length").press("Enter")
        expect(page.get_by_role("heading", name="Quality against length")).to_be_visible()
        page.get_by_role("link", name="Relevance", exact=True).press("Enter")
        expect(page.get_by_role("heading", name="Relevance", level=2)).to_be_visible()
        shares = page.get_by_role("link", name="Shares by Rogan and Gladen")
        shares.press("Enter")
        expect(
            page.get_by_role("region", name="Shares by Rogan and Gladen").get_by_role("row")
        ).to_have_count(5)
        expect(shares).to_be_focused()
        page.get_by_role("link", name="Compare two").press("Enter")
        page.wait_for_url("**compare=1*")
        expect(page.get_by_role("heading", level=1)).to_contain_text(re.compile(r"better|worse"))
        page.get_by_label("Second side").select_option("Birch")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Birch on Relevance")
        page.get_by_role("link", name="Got better first").press("Enter")
        page.wait_for_url("**order=better*")
        expect(page.get_by_role("link", name="Got better first")).to_be_focused()
        expect(page.locator(".case .side b").nth(1)).to_have_text("Birch")
        page.get_by_role("link", name="Open Birch").first.click()
        expect(page.get_by_label("Answer", exact=True).locator(".bar b").first).to_have_text(
            "Birch"
        )


def test_a_long_reason_wraps_on_a_telephone(lead: Lead) -> None:
    why = "The judge's reply had not the form that was asked for, and neither had any of the four that came after it."
    row = {
        "question_id": "q",
        "question": "Why is the sky blue?",
        "model": "Ash",
        "criterion": "Clarity",
        "part": "",
        "judge": "openai:m",
        "why": why,
        "detail": why,
    }
    reason = {"reason": "malformed", "cells": 1, "why": why}
    found = {"reason": "malformed", "judge": "", "total": 1, "page": 1, "pages": 1}
    view = View.of("?project=study&unscored=any")
    html = drawn_html(
        "results/unscored.html",
        found=SimpleNamespace(**found, reasons=[reason], rows=[row]),
        view=view,
    )
    with lead.held(390) as page:
        page.goto(lead.server.url + "/results?unscored=any")
        card = page.locator(".cgl.k:has(> .unscored)")
        card.evaluate("(card, html) => void (card.outerHTML = html)", html)
        expect(page.locator(".unscored .chip").nth(1)).to_have_text(f"1 cell: {why}")
        assert (overflow(page), texts_outside(page), small_targets(page)) == (0, [], [])


def test_preferences_of_people_and_of_a_judge_are_ranked_apart_by_keyboard(lead: Lead) -> None:
    with lead.open("what people prefer", 1440) as page:
        # no answer has a grade of its own: the page leads to what there is
        page.goto(f"{lead.server.url}/leaderboard?project=study")
        heading, names = page.get_by_role("heading", level=1), page.locator(".lb .nm > span")
        expect(heading).to_have_text("Ash leads; the next two cannot be told apart.")
        expect(names.first).to_have_text("Ash")
        expect(page.get_by_text("Counted: people's blind verdicts")).to_contain_text(
            "Left out: 1 given with suggestions in view."
        )
        page.get_by_role("radio", name="People", exact=True).focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.wait_for_url("**by=north*")
        expect(heading).to_contain_text("By north alone, Cedar leads")
        expect(page.get_by_role("radio", name="north")).to_be_focused()
        expect(page.get_by_text("Counted: the judge's verdicts")).to_contain_text(
            "Each pair was asked about in both orders: 10 ties in place of a verdict that changed with the order."
        )
        expect(names.first).to_have_text("Cedar")
        wins = page.locator(
            "section.card", has=page.get_by_role("heading", name="Won, tied, lost")
        ).locator("tbody tr")
        # against both others on thirty questions
        expect(wins.first.locator("td")).to_have_text(["Cedar", "60", "0", "0"])
        which = page.get_by_label("Which pairs")
        which.focus()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        expect(page.get_by_label("Pairs on each question")).to_be_hidden()
        page.get_by_role("button", name="Draw pairs").press("Enter")
        # two models on a question meet once, whoever draws
        expect(page.get_by_text("0 pairs drawn, 90 were there.")).to_be_visible()
        page.go_back()
        expect(names.first).to_have_text("Ash")
