"""The review desk keeps everything: drafts, the outbox, undo, two tabs, a killed server; and it is
fast."""

from __future__ import annotations

import json
import re
from pathlib import Path
from statistics import median, quantiles

import pytest
from playwright.sync_api import Page, Route, expect

from graders.core.words import file_of
from tests.browser.conftest import ToyServer, open_desk, open_desk_with_three_ahead, press
from tests.browser.tabs import Tabs

pytestmark = pytest.mark.browser
ASSETS = Path(__file__).parents[2] / "graders" / "web" / "assets"

# Starts at the key's own time stamp, ends just after the frame that follows it.
MEASURE = """() => { window.took = [];
  addEventListener('keydown', (event) => requestAnimationFrame(() => { const c = new MessageChannel();
    c.port1.onmessage = () => {
      const m = performance.measure('key to paint', {start: event.timeStamp, end: performance.now()}); window.took.push(m.duration); };
    c.port2.postMessage(0); }), true) }"""

# Replies to addresses with this in them are kept back until they are let go; a save is sent once
# one is kept.
HOLD = """(part) => {
  const real = window.fetch.bind(window); window.kept = [];
  const one = () => new Promise((go) => { const look = () => !window.kept || window.kept.length ? go() : setTimeout(look, 5); look(); });
  window.fetch = async (url, ...rest) => {
    if (window.kept && String(url).includes('/api/save')) await one();
    const reply = await real(url, ...rest);
    if (window.kept && String(url).includes(part)) await new Promise((go) => window.kept.push(go));
    return reply; } }"""
COUNT = """() => { const real = window.fetch.bind(window); window.asked = 0;
  window.fetch = async (...words) => { window.asked += 1; try { return await real(...words) } finally { window.asked -= 1 } } }"""
LET_GO = "() => { const { kept } = window; window.kept = null; kept.forEach((go) => go()); return kept.length }"


def save_anyway(page: Page) -> None:
    """Save with open cells: the first press points them out."""
    press(page, "Control+Enter", "Control+Enter")


def status(page: Page) -> str:
    return page.locator(".cg-status").inner_text()


def save_the_four_in_hand(page: Page) -> None:
    for screen in ("s1", "s2", "s3", "s4"):
        expect(page.locator(".cg")).to_have_attribute("data-screen", screen)
        press(page, "Enter")
        save_anyway(page)


def test_undo_goes_back_on_the_screen_and_over_a_save(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    press(page, "Enter", "3", "u")
    assert page.locator("[data-cell='s1a.completeness'] input:checked").count() == 0
    save_anyway(page)
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s2")
    press(page, "u")
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s1")
    # the decision is still there to be changed
    assert page.locator("[data-cell='s1a.relevance'] input:checked").count() == 1
    [first] = server.saves(1)
    # taken back: what is on the screen is not saved any more
    expect(page.locator(".cg-status")).to_have_text("Draft kept here")
    assert list(server.state()["undone"].values()) == [first["save_id"]]
    press(page, "ArrowUp", "1")
    save_anyway(page)
    second = server.saves(2)[1]
    assert second["save_id"] != first["save_id"]
    assert [(v["cell"], v["value"]) for v in second["verdicts"]] == [
        ("s1a.relevance", "irrelevant")
    ]


def test_the_browsers_back_button_goes_through_the_screens_that_were_seen(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server)
    shown = page.locator(".cg")
    press(page, "Enter")
    save_anyway(page)
    expect(page).to_have_url(re.compile("question=q2"))
    press(page, "f", "c")  # flagged, and a comment begun
    page.go_back()
    expect(shown).to_have_attribute("data-screen", "s1")
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.locator("[data-cell='s1a.relevance'] input:checked").count() == 1
    page.go_forward()
    expect(shown).to_have_attribute("data-screen", "s2")
    expect(page).to_have_url(re.compile("question=q2"))
    expect(page.get_by_role("button", name="Flag")).to_have_attribute("aria-pressed", "true")
    page.reload()
    page.wait_for_selector("[data-screen=s2][data-ready='1']")
    page.go_back()
    expect(shown).to_have_attribute("data-screen", "s1")
    assert len(server.saves(1)) == 1  # looking back saves nothing again


def test_a_reload_keeps_the_screen_in_progress_and_undo_after_it_still_works(
    page: Page, server: ToyServer
) -> None:
    server.set(controls=True)
    checks = page.get_by_text("Some screens are quality checks")
    for _ in range(2):  # it is said until its screen was left
        open_desk(page, server)
        expect(checks).to_be_visible()
    save_anyway(page)
    page.wait_for_selector("[data-screen=s2]")
    expect(checks).to_be_hidden()
    press(page, "Enter", "f")
    expect(page).to_have_url(re.compile("question=q2"))
    page.reload()
    page.wait_for_selector("[data-screen=s2][data-ready='1']")
    assert page.locator("[data-cell='s2a.relevance'] input:checked").count() == 1
    expect(page.get_by_role("button", name="Flag")).to_have_attribute("aria-pressed", "true")
    page.evaluate(
        "Object.keys(localStorage).filter(k => k.includes('draft')).forEach(k => localStorage.removeItem(k))"
    )
    page.reload()
    page.wait_for_selector("[data-ready='1']")
    expect(checks).to_be_hidden()
    press(page, "u")
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s1")
    server.set(person={"id": "p2", "name": "Grace"})
    open_desk(page, server)
    expect(checks).to_be_visible()  # somebody else was not told


def test_a_killed_server_costs_nothing(page: Page, server: ToyServer) -> None:
    open_desk_with_three_ahead(page, server)
    server.kill()
    for screen in ("s2", "s3"):
        press(page, "Enter", "2")
        save_anyway(page)
        expect(page.locator(".cg")).to_have_attribute("data-screen", screen)
    expect(page.locator(".cg-status")).to_have_text("Offline: 2 kept here")
    server.start()
    saves = server.saves(2)
    expect(page.locator(".cg-status")).to_have_text("Saved", timeout=15_000)
    assert [save["screen"] for save in saves] == ["s1", "s2"]
    assert server.state()["received"] == 2
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s3")  # nobody was moved


def test_what_is_kept_survives_closing_the_page(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    server.set(fail=503)
    press(page, "Enter")
    save_anyway(page)
    expect(page.locator(".cg-status")).to_have_text("Not saved yet: 1 kept here")
    again = page.context.new_page()
    page.close()
    server.set(fail=0)
    open_desk(again, server, "q2")
    assert [save["screen"] for save in server.saves(1)] == ["s1"]


def test_two_tabs_send_each_save_once(page: Page, server: ToyServer) -> None:
    other = page.context.new_page()
    open_desk(page, server, "q1")
    open_desk(other, server, "q13")
    server.set(fail=503)
    for tab in (page, other):
        press(tab, "Enter", "Enter")
        save_anyway(tab)
    expect(page.locator(".cg-status")).to_contain_text("Not saved yet: 2")
    server.set(fail=0)
    server.saves(2)
    for tab in (page, other):
        expect(tab.locator(".cg-status")).to_have_text("Saved", timeout=15_000)
    assert sorted(save["screen"] for save in server.state()["saves"]) == ["s1", "s13"]
    assert server.state()["received"] == 2


def test_without_locks_and_random_ids_of_the_browser_it_works_too(
    tabs: Tabs, server: ToyServer
) -> None:
    with tabs.tab(own=True) as page:
        page.context.add_init_script(
            "Object.defineProperty(Navigator.prototype, 'locks', {value: undefined}); delete crypto.__proto__.randomUUID"
        )
        other = page.context.new_page()
        open_desk(page, server, "q1")
        open_desk(other, server, "q13")
        for tab in (page, other):
            press(tab, "Enter")
            save_anyway(tab)
        saves = server.saves(2)
        expect(page.locator(".cg-status")).to_have_text("Saved", timeout=15_000)
        assert sorted(save["screen"] for save in saves) == ["s1", "s13"]
        assert all(
            re.fullmatch(
                r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}",
                save["save_id"],
            )
            for save in saves
        )


def test_what_the_server_will_never_take_is_said_and_given_back(
    page: Page, server: ToyServer
) -> None:
    open_desk(page, server)
    press(page, "c")
    page.keyboard.type("refuse me")
    save_anyway(page)  # also while typing
    expect(page.locator(".cg-say")).to_have_text("Not saved: This comment is not accepted.")
    # not a word of "Saved": the server does not have it
    expect(page.locator(".cg-status")).to_have_text("Draft kept here")
    press(page, "ArrowLeft", "c")
    expect(page.locator("dialog textarea")).to_have_value("refuse me")
    page.keyboard.press("Control+A")
    page.keyboard.type("better")
    save_anyway(page)
    assert [save["comment"] for save in server.saves(1)] == ["better"]


def test_skip_asks_for_a_reason(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    press(page, "Enter", "s", "2")
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s2")
    [save] = server.saves(1)
    assert (save["skipped"], save["verdicts"]) == ("unknown_language", [])


def test_the_next_three_screens_are_there_and_unopened_ones_are_given_back(
    page: Page, server: ToyServer
) -> None:
    open_desk_with_three_ahead(page, server, "q13")
    server.set(fail=503)
    for _ in range(3):
        save_anyway(page)
    expect(page.locator(".cg")).to_have_attribute("data-ready", "1")
    assert page.locator("article").count() > 0
    save_anyway(page)  # the fourth is not in hand
    expect(page.locator(".cg-plain")).to_contain_text("4 saves are kept in this browser")
    server.set(fail=0)
    expect(page.locator("article").first).to_be_visible(timeout=15_000)
    expect(page.locator(".cg")).to_have_attribute("data-ahead", "3")
    page.goto("about:blank")
    assert len(server.released(3)) == 3


def test_a_name_is_asked_for_once(page: Page, nameless_server: ToyServer) -> None:
    page.goto(f"{nameless_server.url}/review?project=autumn")
    asked = page.get_by_role("dialog", name="Enter your name")
    expect(asked).to_be_visible()
    page.keyboard.type("Gra")
    press(page, *["Escape"] * 4)  # Chromium closes a dialog that refused, from the third on
    asked.get_by_role("heading").click()  # nothing has the focus now
    press(page, *["Escape"] * 4)
    expect(asked).to_be_visible()
    page.get_by_role("textbox", name="Your name").press("End")
    page.keyboard.type("ce")
    press(page, "Enter")
    page.wait_for_selector("[data-screen=s1]")


def test_signing_out_in_the_middle_loses_nothing(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    server.set(person=None)
    press(page, "Enter")
    save_anyway(page)
    expect(page.get_by_role("dialog", name="Enter your name")).to_be_visible()
    page.keyboard.type("Ada")
    press(page, "Enter")
    assert [save["screen"] for save in server.saves(1)] == ["s1"]


def test_when_nothing_is_left_it_says_what_was_done(page: Page, server: ToyServer) -> None:
    # twelve screens show something each; of those that are all alike, the last four are left to do
    # here
    plain = range(13, 37)
    for n in plain:
        body = {
            "save_id": f"before{n}",
            "screen": f"s{n}",
            "verdicts": [],
            "comment": "",
            "flagged": False,
        }
        assert page.request.post(f"{server.url}/api/save", data=body).ok
    open_desk(page, server)
    for done in range(len(plain) + 1, 41):
        press(page, "Enter")
        save_anyway(page)
        expect(page.locator(".cg-count")).to_contain_text(f"{done} / 40")
        page.wait_for_function(
            "document.querySelector('.cg').dataset.screen || document.querySelector('.cg-mark')"
        )
    expect(page.get_by_role("heading", name="All done.")).to_be_visible()
    expect(page.locator(".cg-tiles")).to_contain_text("40")
    expect(page.locator(".cg-brought")).to_have_text(
        re.compile(r"^Your 40 screens today brought \d+ blind labels\. 12 of 30 labels for the ")
    )
    bar = page.get_by_role("progressbar", name="12 of 30 labels for the first answer on Clarity")
    expect(bar).to_have_attribute("value", "12")
    expect(bar).to_have_attribute("max", "30")
    expect(page.get_by_role("link", name="See the results")).to_have_attribute(
        "href", "/results?project=autumn"
    )
    assert len({save["screen"] for save in server.saves(40)}) == 40
    press(page, "ArrowLeft")
    expect(page.locator(".cg")).to_have_attribute("data-screen", re.compile("s"))


def test_who_comes_when_nothing_is_left_is_not_praised(page: Page, server: ToyServer) -> None:
    server.set(held={"screens": 0, "back_in": None})
    page.goto(f"{server.url}/review?project=autumn")
    expect(page.get_by_role("heading", name="No screen for you at the moment")).to_be_focused()
    expect(page.locator(".cg-plain")).to_contain_text(
        "No screen is waiting for you. New ones appear here by themselves."
    )
    expect(page.locator(".cg-plain")).not_to_contain_text("done")


def test_the_empty_page_says_who_holds_the_rest_and_looks_again(
    page: Page, server: ToyServer
) -> None:
    open_desk_with_three_ahead(page, server)
    server.set(held={"screens": 11, "back_in": 2.0})
    save_the_four_in_hand(page)
    expect(page.get_by_role("heading", name="No screen for you at the moment")).to_be_focused()
    expect(page.locator(".cg-held")).to_have_text(
        re.compile(
            r"11 screens are with colleagues; the first comes back at \d\d:\d\d if it is not saved\."
        )
    )
    expect(page.locator(".cg-count")).to_have_text("4 / 15 · 11 with colleagues")
    expect(page.locator(".cg-plain")).to_contain_text("All your screens are saved.")
    page.get_by_role("link", name="See the results").focus()
    page.wait_for_timeout(3500)  # the lease ended, the page looked, and they went on
    expect(page.get_by_role("link", name="See the results")).to_be_focused()
    server.set(routed=False)  # nothing was ever sent to people: what is to be done comes first
    expect(page.get_by_role("heading", name="Nothing has been sent to review yet")).to_be_visible()
    expect(page.get_by_role("link", name="Route the answers")).to_have_attribute(
        "href", re.compile(r"^/run\?project=")
    )
    server.set(held=None)
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s5")


@pytest.mark.parametrize(
    ("held", "sentence"),
    [
        (1, "A colleague has that question open; here is the next one."),
        (0, "You have finished that question; here is the next one."),
    ],
)
def test_a_question_with_a_colleague_is_told_from_one_that_is_done(
    phone: Page, server: ToyServer, held: int, sentence: str
) -> None:
    reply = {"screens": [], "counts": None, "held": held}
    phone.route("**/api/next*question=q9*", lambda route: route.fulfill(json=reply))
    open_desk(phone, server, "q9")
    word = phone.locator(".cg-word")
    expect(word).to_have_text(sentence)
    box, answer = word.bounding_box(), phone.locator(".cg-a.on").bounding_box()
    assert box and answer and box["y"] + box["height"] <= answer["y"], "it covers no answer"
    phone.get_by_role("button", name="Next screen, without saving").tap()
    expect(word).to_be_hidden()


def test_an_error_is_a_sentence_with_a_way_on(page: Page, server: ToyServer) -> None:
    server.set(fail=500)
    page.goto(f"{server.url}/review?project=autumn")
    expect(page.get_by_role("heading", name="The review desk could not open")).to_be_visible()
    expect(page.locator(".cg-plain")).to_contain_text("out of order")
    server.set(fail=0)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("[data-ready='1']")
    sentence = (
        "question 'nope': found no such question, expected the id of a question of this project."
    )
    page.route(
        "**/api/next*question=nope*",
        lambda route: route.fulfill(status=404, json={"error": sentence}),
    )
    page.goto(f"{server.url}/review?project=autumn&question=nope")
    expect(page.locator(".cg-plain")).to_contain_text(sentence)
    expect(page.get_by_role("button", name="Go to the next screen")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"question=q1$"))


def test_a_reply_made_before_a_save_arrived_takes_no_count_back(
    page: Page, server: ToyServer
) -> None:
    open_desk_with_three_ahead(page, server)
    count = page.locator(".cg-count")
    page.evaluate(HOLD, "/api/next")
    save_anyway(page)
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s2")
    expect(page.locator(".cg-status")).to_have_text("Saved")
    expect(count).to_contain_text("1 / 40")
    assert page.evaluate(LET_GO) == 1
    page.wait_for_timeout(200)
    assert "1 / 40" in count.inner_text()


def test_what_the_last_save_let_go_of_is_not_waited_for(page: Page, server: ToyServer) -> None:
    open_desk_with_three_ahead(page, server)
    page.evaluate(COUNT)
    # with nothing known of its end the page would look again in a minute
    server.set(held={"screens": 1, "back_in": None})
    for screen in ("s1", "s2", "s3"):
        expect(page.locator(".cg")).to_have_attribute("data-screen", screen)
        save_anyway(page)
    server.saves(3)
    expect(page.locator(".cg-status")).to_have_text("Saved")
    page.wait_for_function("window.asked === 0")
    page.evaluate(HOLD, "/api/next")
    save_anyway(page)
    expect(page.locator(".cg-status")).to_have_text("Saved")
    server.set(held=None)  # the fourth save arrived behind the question for more
    assert page.evaluate(LET_GO) == 1
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s5")


def test_another_order_gives_back_what_came_in_the_old_one(tabs: Tabs, server: ToyServer) -> None:
    def offer(route: Route) -> None:
        info = route.fetch().json()
        info["settings"]["orders"] = [
            {"key": "came", "title": "As they came"},
            {"key": "hard", "title": "Hardest first"},
        ]
        route.fulfill(json=info)

    with tabs.tab(own=True) as page:
        page.route("**/api/desk*", offer)
        page.add_init_script(f"({HOLD})('n=3')")  # the three behind the first
        open_desk(page, server)
        page.get_by_label("Which questions come").select_option("hard")
        page.wait_for_function("window.kept.length === 1")
        with page.expect_response(re.compile("order=hard")):
            page.evaluate(LET_GO)
        assert server.released(3) == ["s2", "s3", "s4"]
        assert ["order=hard" in one for one in server.state()["requests"] if "n=3" in one] == [
            False,
            True,
        ]


def test_my_work_is_searched_and_opened(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    press(page, "Enter", "3")
    save_anyway(page)
    server.saves(1)
    press(page, "w")
    page.keyboard.type("completeness")
    expect(page.locator(".cg-work li")).to_have_count(1)
    page.locator(".cg-work button").click()
    expect(page.locator(".cg")).to_have_attribute("data-screen", "s1")


def test_seconds_count_only_while_seen_and_used(page: Page, server: ToyServer) -> None:
    open_desk(page, server)
    counted = page.evaluate(
        """async () => {
          const { Clock } = await import("/assets/desk/clock.js");
          let now = 0, sum = 0;
          const clock = new Clock((ms) => (sum += ms), () => now);
          const at = (seconds) => { now = seconds * 1000; };
          const sums = [];
          at(10); clock.input(); sums.push(sum);             // 0-10
          at(200); clock.tick(); sums.push(sum);             // 10-70: input was at 10
          at(210); clock.input(); at(215); clock.setVisible(false); sums.push(sum);  // 210-215
          at(220); clock.setVisible(true); at(230); clock.tick(); sums.push(sum);    // 220-230
          return sums.map((ms) => ms / 1000);
        }"""
    )
    assert counted == [10, 70, 75, 85]


def frames(page: Page, rounds: int, pause: int) -> tuple[list[float], list[float]]:
    """Milliseconds from a key to the frame that shows its effect: of decisions, and of saves to the
    next screen."""
    page.evaluate(MEASURE)
    keys, nexts = [], []
    for _ in range(rounds):
        for key in ("Enter", "2", "3", "ArrowUp"):
            press(page, key)
            page.wait_for_timeout(15)
        press(page, "Control+Enter")
        page.wait_for_timeout(30)
        before = page.locator(".cg").get_attribute("data-screen")
        keys += page.evaluate("window.took.splice(0)")
        press(page, "Control+Enter")
        page.wait_for_function("window.took.length > 0")
        nexts += page.evaluate("window.took.splice(0)")
        # the frame measured shows the next screen
        assert page.locator(".cg").get_attribute("data-screen") not in (
            before,
            None,
        )
        page.wait_for_timeout(pause)
        page.wait_for_selector(".cg:not([data-ahead='0'])")
    return keys, nexts


def test_no_key_waits_for_the_server(page: Page, server: ToyServer) -> None:
    open_desk_with_three_ahead(page, server, "q13")
    server.set(latency=10_000)  # whatever waited for an answer would take ten seconds
    keys, nexts = frames(page, rounds=2, pause=0)
    # The bars, 50 and 100 ms, are the benchmark's: beside other tests on two cores only a wait for
    # the server would show.
    assert max(keys + nexts) < 10_000
    assert median(keys) < 3_000 and median(nexts) < 3_000


@pytest.mark.bench
@pytest.mark.parametrize("latency", [0, 80])
def test_keys_and_saves_are_painted_in_time(page: Page, server: ToyServer, latency: int) -> None:
    open_desk_with_three_ahead(page, server, "q13")
    server.set(latency=latency)
    # a person needs longer; the prefetch has this long
    keys, nexts = frames(page, rounds=20, pause=200)
    key, following = (quantiles(values, n=20)[18] for values in (keys, nexts))
    print(
        f"\nlatency {latency} ms, p50/p95: key to paint {median(keys):.0f}/{key:.0f} ms, save to next {median(nexts):.0f}/{following:.0f} ms"
    )
    assert key < 500 and following < 1_000


def test_every_word_of_the_desk_is_in_the_list_of_words() -> None:
    words = set(json.loads(file_of("desk").read_text("utf-8")))
    source = "\n".join(file.read_text() for file in sorted((ASSETS / "desk").glob("*.js")))
    used = set(re.findall(r'"([a-z_]+\.[a-z_]+)"', source)) - {
        "pref.fold",
        "pref.marks",
        "pref.question",
        "pref.show",
        "mark.now",
    }
    missing = {key for key in used if key not in words and f"{key}.other" not in words}
    assert missing == set()
    # their second half comes from data
    made = (
        "blind.",
        "task.",
        "status.",
        "fault_of.",
        "skip.",
        "reason.",
        "lead.",
        "trouble.",
    )
    unused = {
        key
        for key in words
        if not key.startswith(made) and re.sub(r"\.(one|few|many|other)$", "", key) not in used
    }
    assert unused == set()


def test_the_files_are_small() -> None:
    sizes = {
        file.name: len(file.read_text().splitlines()) for file in (ASSETS / "desk").glob("*.js")
    }
    assert {name: lines for name, lines in sizes.items() if lines > 400} == {}
