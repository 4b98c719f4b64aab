"""The Run page while a judge is at work: pause, go on, stop; a page that was closed; a judge tried
on five answers first."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from graders.core.rubric import read_rubric
from graders.store import projects
from graders.store.workspace import open_workspace
from graders.workflows.runs import runs
from graders.workflows.scope.named_rubrics import read_named_rubric
from tests.browser.app import serve
from tests.browser.tabs import Held
from tests.store import small
from tests.support.entering import enter
from tests.support.server import Server
from tests.support.stub import StubProvider, provider_stub
from tests.web.client import Client

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


#: One call an answer.
QUESTIONS, MODELS = 40, ("Ash", "Oak", "Elm")
CALLS = QUESTIONS * len(MODELS)
EVENT = "**/gradio_api/run/**"
JUDGES = "Judges, as PROVIDER:MODEL"
#: The question of a project whose answers are split into claims.
CLAIMS = {"id": "q1", "text": "When?", "context": ["It opens at 8."]}


@pytest.fixture
def stub() -> Iterator[StubProvider]:
    with provider_stub(latency=0.8) as running:
        yield running


@pytest.fixture
def server(tmp_path: Path, stub: StubProvider) -> Iterator[Server]:
    ws = open_workspace(tmp_path / "app.db")
    scope = small.study(tmp_path, ws, count=QUESTIONS, models=MODELS)
    claims = small.folder(
        tmp_path,
        "claims",
        questions=[CLAIMS],
        answers=[{"question_id": "q1", "model": "Ash", "text": "At 8. Not at 7."}],
    )
    small.bring(scope, claims, "claims", rubric=read_named_rubric("grounded").source)
    ws.close()
    with serve(tmp_path, OPENAI_API_KEY="nobody", OPENAI_BASE_URL=stub.base_url) as running:
        yield running


def opened(page: Page, server: Server) -> Page:
    page.goto(f"{server.url}/run?project=study")
    page.wait_for_selector(".cgl h1", timeout=30_000)
    return page


def name_judges(page: Page, names: str) -> None:
    """Type judges into the list that they are picked from."""
    field = page.get_by_label(JUDGES)
    field.fill(names)
    field.press("Enter")
    field.press("Escape")


def chosen(page: Page) -> Locator:
    """The judges of the plan."""
    return page.locator(".k-plan").first.locator(".token")


def planned(page: Page, at_once: int) -> None:
    name_judges(page, "openai:stub")
    page.get_by_label("Max concurrent requests").fill(str(at_once))
    settled(page)
    expect(page.get_by_role("row", name="openai:stub").first).to_be_visible()


def settled(page: Page) -> None:
    """Wait for the plan of what was typed."""
    with page.expect_response(EVENT):
        page.keyboard.press("Enter")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("button", name="Start")).to_be_visible()


def read(page: Page) -> int:
    """Replies read, as the page says."""
    found = re.search(
        r"Replies read\s*([\d,]+)\s*of\s*([\d,]+)", page.locator(".figs").first.inner_text()
    )
    if found is None:  # nothing of the run is known yet
        return 0
    assert found[2] == str(CALLS), "the whole run, not what is left of it"
    return int(found[1].replace(",", ""))


def until(page: Page, least: int) -> int:
    """Wait until so many replies are read; returns how many."""
    page.wait_for_selector(".figs")
    deadline = time.monotonic() + 60
    while (count := read(page)) < least:
        assert time.monotonic() < deadline, f"{count} of {least} replies after a minute"
        page.wait_for_timeout(100)
    return count


def named(page: Page, server: Server) -> None:
    """Say a name in this browser."""
    assert enter(page.context.request, server.url, "Ann").ok


def test_pause_go_on_and_stop_from_the_page(page: Page, server: Server, stub: StubProvider) -> None:
    named(page, server)
    opened(page, server)
    # some twenty seconds: far enough that a slow machine stops before it
    a_plan_that_comes_late_starts_nothing(page, stub)
    page.get_by_label("Max concurrent requests").fill("4")
    settled(page)
    page.get_by_role("button", name="Start").click()
    # a worker starts
    expect(page.locator("h1")).to_have_text(re.compile("^Judging"), timeout=60_000)
    until(page, 5)
    early: list[tuple[Route, APIResponse]] = []
    page.route(EVENT, lambda route: early.append((route, route.fetch())), times=1)
    while not early:
        page.wait_for_timeout(50)
    page.keyboard.press("p")
    page.wait_for_timeout(500)
    early[0][0].fulfill(response=early[0][1])  # what was so before the key comes after what it did
    expect(page.locator("h1")).to_have_text(re.compile(r"^Paused: \d+ replies read"))
    page.wait_for_timeout(500)
    assert page.locator("h1").inner_text().startswith("Paused")
    resting, asked = read(page), stub.stats()["requests"]
    page.wait_for_timeout(1_500)
    assert (read(page), stub.stats()["requests"]) == (resting, asked), "a pause is a pause"
    assert asked == resting, "what was on its way is taken in"
    page.get_by_role("button", name="Go on where it was").click()
    # a worker starts
    expect(page.locator("h1")).to_have_text(re.compile("^Judging"), timeout=60_000)
    assert read(page) >= resting
    later = until(page, resting + 5)
    page.get_by_role("button", name="Stop, keep everything").click()
    expect(page.locator("h1")).to_have_text(re.compile(r"^The run was stopped: \d+ replies read"))
    assert later <= read(page) < CALLS
    assert stub.stats()["requests"] == read(page) == stub.stats()["paid_distinct"], (
        "nothing was asked twice"
    )
    page.get_by_role("button", name="Go on where it was").click()
    # a worker starts
    expect(page.locator("h1")).to_have_text(re.compile("^Judging"), timeout=60_000)
    page.keyboard.press("p")
    expect(page.locator("h1")).to_have_text(re.compile("^Paused"))
    asked = stub.stats()["requests"]
    stub.configure(latency=0.02)
    expect(page.get_by_role("heading", name="Plan a run")).to_be_hidden()
    page.get_by_role("button", name="Stop, keep everything").click()  # what rests can be ended too
    expect(page.locator("h1")).to_have_text(re.compile(r"^The run was stopped: \d+ replies read"))
    expect(page.locator(".top p")).to_contain_text("Stopped; everything is kept.")
    expect(page.get_by_role("button", name="Stop, keep everything")).to_have_count(0)
    expect(page.get_by_role("heading", name="Plan a run")).to_be_visible()
    page.get_by_role("button", name="Go on where it was").click()
    limit = page.get_by_label("Call limit (100 made)")
    expect(limit).to_have_value(str(CALLS), timeout=60_000)
    limit.fill("100")
    limit.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("expected more than 100")
    limit.fill("104")
    limit.press("Enter")
    expect(page.get_by_label("Call limit (104 made)")).to_be_visible(timeout=60_000)
    assert asked + stub.stats()["requests"] == read(page) == 104
    page.reload()
    expect(chosen(page)).to_have_text(["openai:stub"])
    for label, value in (("Max concurrent requests", "4"), ("Call limit", "104")):
        expect(page.locator(".k-plan").get_by_label(label).first).to_have_value(value)


def a_plan_that_comes_late_starts_nothing(page: Page, stub: StubProvider) -> None:
    """Nothing can be started by a plan of settings that were changed before it came: theirs is
    shown first."""
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    plan = Held(page, EVENT)
    name_judges(page, "openai:stub")
    plan.sent()
    page.get_by_label("Call limit").fill("99")
    plan.go_on()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    assert stub.stats()["requests"] == 0
    page.get_by_label("Call limit").fill("100")


def test_a_closed_page_changes_nothing(page: Page, server: Server, stub: StubProvider) -> None:
    named(page, server)
    opened(page, server)
    planned(page, 4)
    page.get_by_role("button", name="Start").click()
    left = until(page, 5)
    by = page.locator("h1 + p").inner_text()
    context = page.context
    page.close()
    asked = stub.stats()["requests"]
    while stub.stats()["requests"] <= asked + 4:  # more than what was on its way
        time.sleep(0.05)
    again = opened(context.new_page(), server)
    assert again.locator("h1 + p").inner_text() == by, "the same run"
    assert until(again, left + 1) < CALLS, "it goes on"
    stub.configure(latency=0.02)
    expect(again.locator("h1")).to_have_text(
        f"The run is done: {CALLS} replies read, for a price that is not known.", timeout=60_000
    )
    assert read(again) == CALLS


def test_five_answers_are_tried_before_the_rest(
    page: Page, server: Server, stub: StubProvider
) -> None:
    named(page, server)
    page.goto(f"{server.url}/run?project=claims")
    page.get_by_text("Panel, text scores, faults, batches").click()
    page.get_by_label("Split answers into claims by").fill("openai:stub")
    planned(page, 4)
    expect(page.get_by_role("row", name="openai:stub, splitting answers")).to_contain_text(
        "0 known, not paid again"
    )
    opened(page, server)
    # its criteria have no claims
    expect(page.get_by_label("Split answers into claims by")).to_be_hidden()
    planned(page, 64)
    expect(page.get_by_text("time assumed until the first replies")).to_be_visible()
    page.get_by_role("button", name="Try five answers first").click()
    expect(page.locator("h1")).to_have_text(
        re.compile("^The judges were tried: 5 replies read"), timeout=60_000
    )
    card = page.locator(".tried")
    expect(card).to_contain_text(
        re.compile(
            r"5 replies came back, each after \d\.\d s and for an unknown price\. The plan goes by these calls"
        )
    )
    expect(card.locator("article")).to_have_count(5)
    first = card.locator("article").first
    for name in ("Relevance", "Completeness", "Tone"):
        expect(first.get_by_text(f"{name}: ")).to_be_visible()
    # the stub's rationale
    expect(
        first.get_by_text("The answer names the place that was asked for.").first
    ).to_be_visible()
    expect(page.get_by_text("time assumed until the first replies")).to_have_count(0)
    assert stub.stats()["requests"] == 5
    page.reload()
    expect(card.locator("article")).to_have_count(5)
    expect(chosen(page)).to_have_text(["openai:stub"])
    expect(page.get_by_text("5 answers done already; 0 known, not paid again")).to_be_visible()
    stub.configure(faults={"refusal": 1.0})
    page.get_by_role("button", name="Start").click()
    lost = 3 * (CALLS - 5)  # three criteria an answer
    expect(page.locator("h1")).to_have_text(
        f"The run is done: {CALLS - 5} replies read, for a price that is not known; {lost} cells got no verdict of a judge.",
        timeout=60_000,
    )
    expect(
        page.get_by_text(f"{lost} cells without a verdict: The judge refused to answer.")
    ).to_be_visible()
    expect(page.get_by_text("Not loaded")).to_have_count(0)  # all parts of the house are sound
    assert stub.stats()["requests"] == CALLS - 5, "the five are not bought again"


def test_reasons_lead_to_their_answers_and_a_failed_judge_has_no_tick(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    ws = open_workspace(tmp_path / "app.db")
    scope = small.study(tmp_path, ws, count=4)
    small.bring(
        scope,
        small.folder(
            tmp_path, "other", questions=small.questions(1), answers=small.answers(1, ["Ash"])
        ),
        "other",
    )
    for project, faults in (("study", {"refusal": 0.5}), ("other", {"wrong_key": 1.0})):
        with provider_stub(faults=faults, seed=7) as stub:
            run = runs.start(
                scope, project, {"judges": ["openai:stub"], "base_url": stub.base_url}
            ).run
            # Playwright's loop lets nobody else run one in this thread
            with ThreadPoolExecutor(1) as elsewhere:
                elsewhere.submit(runs.execute, ws, run).result()
    refused = runs.status(scope, "study").progress["reasons"]["refusal"]
    assert 0 < refused < 36 and refused % 3 == 0  # three criteria a call
    ws.close()
    with serve(tmp_path) as server:
        opened(page, server)
        expect(page.locator(".st.done")).to_have_count(3)
        all_of_them = (
            page.locator(".figs")
            .get_by_role("link", name="see which and why")
            .get_attribute("href")
        )
        assert all_of_them == "/results?project=study&unscored=any"
        why = "The judge refused to answer."
        page.get_by_role("row", name="openai:stub").get_by_role(
            "link", name=f"{refused} cells without a verdict: {why}"
        ).click()
        card = page.locator(".unscored")
        expect(card.get_by_role("heading")).to_have_text("Without a verdict by openai:stub")
        expect(card.get_by_role("link", name=f"{refused} cells: {why}")).to_be_visible()
        expect(card.locator("tbody tr").first).to_contain_text(why)
        expect(card).to_contain_text(f"{refused} cells")
        expect(card.locator("tbody tr")).to_have_count(refused)
        card.locator("tbody tr a").first.click()
        expect(page.get_by_role("complementary")).to_contain_text("Relevance")
        page.goto(f"{server.url}/run?project=other")
        failed = page.locator(".st.failed")
        expect(failed).to_contain_text("Judge")
        expect(failed.get_by_role("img", name="failed")).to_have_text("!")
        expect(page.locator(".st.done")).to_have_count(2)


#: A key that somebody types; it shall be found nowhere.
TYPED = "sk-typed-0123456789abcdef"
#: All that the browser keeps of a page, and all that stands in it.
KEPT = "() => JSON.stringify([location.href, {...localStorage}, {...sessionStorage}, document.cookie, history.state]) + document.documentElement.outerHTML"


def test_a_missing_key_is_said_before_the_run_and_a_typed_one_is_in_no_address_and_kept_nowhere(
    page: Page, tmp_path: Path, stub: StubProvider
) -> None:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=2)
    ws.close()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url + str(request.headers)))
    with serve(tmp_path, OPENAI_BASE_URL=stub.base_url) as server:
        named(page, server)
        opened(page, server)
        planned(page, 4)
        plan = page.locator(".k-plan").first
        missing = "No key: the variable OPENAI_API_KEY is not set, and none was typed."
        expect(plan.get_by_text(missing)).to_have_count(1)
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("alert")).to_contain_text(
            "found no key: the variable OPENAI_API_KEY is not set, and none was typed"
        )
        page.get_by_text("Another address, or a key of your own", exact=True).click()
        page.get_by_label("Key of the provider").press_sequentially(TYPED)
        page.keyboard.press("Tab")
        expect(plan.get_by_text(missing)).to_have_count(0)
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=60_000)
        assert asked and not [one for one in asked if TYPED in one]
        assert TYPED not in page.evaluate(KEPT)
        assert not page.evaluate(
            "key => [...document.querySelectorAll('input')].some((field) => field.value.includes(key))",
            TYPED,
        )
    assert not [
        file
        for file in tmp_path.rglob("*")
        if file.is_file() and TYPED.encode() in file.read_bytes()
    ]


def test_a_plan_shows_which_judge_grades_what(
    page: Page, server: Server, stub: StubProvider, tmp_path: Path
) -> None:
    """Judges that the rubric names, and judges that are typed for a criterion."""
    ws = open_workspace(tmp_path / "app.db")
    model = "Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, graders: ["
    text = small.RUBRIC.replace(f"{model}judge]", f"{model}{{judge: {{model: openai:own}}}}]")
    projects.save_rubric(ws, projects.get_project(ws, "study"), read_rubric(text))
    ws.close()
    named(page, server)
    opened(page, server)
    expect(page.get_by_text("Grades tone, as the rubric says.")).to_be_visible()
    expect(page.get_by_role("cell", name="openai:own")).to_be_visible()
    name_judges(page, "relevance=openai:stub, anthropic:claude-stub")
    expect(chosen(page)).to_have_text(["relevance=openai:stub", "anthropic:claude-stub"])
    page.get_by_text("Another address, or a key of your own").click()
    expect(page.locator(".k-ways fieldset.way legend")).to_have_text(["openai", "anthropic"])
    expect(page.get_by_text("Grades relevance.")).to_be_visible()
    expect(page.get_by_text("Grades completeness.")).to_be_visible()


def test_a_space_refuses_an_inner_address(tmp_path: Path) -> None:
    small.study(tmp_path, open_workspace(tmp_path / "data" / "demo.db"), count=1)
    with serve(tmp_path, SPACE_ID="somebody/cograde") as server:
        client = Client(server.url)
        # A Space is reached over https: its cookie is Secure, and handed on by hand here.
        opened = client.http.get("/run", headers={"accept": "text/html"})
        client.http.headers["cookie"] = opened.headers["set-cookie"].split(";")[0]
        client.enter("Visitor")
        client.http.headers["x-cograde-key"] = "sk-visitor-key"
        given: Any = {"judge": ["openai:stub"], "base_url": "http://127.0.0.1:9/v1"}
        project = client.get("/api/frame")["projects"][0]["name"]
        for name in ("plan", "grade"):
            with pytest.raises(
                AssertionError, match=r"found http, expected https \(this is a public Space\)"
            ):
                client.call(name, project=project, **given)


def test_a_changed_share_says_what_it_added_and_what_it_costs(page: Page, server: Server) -> None:
    opened(page, server)
    page.get_by_text("Who decides, and what is drawn").click()
    share = page.get_by_label("Answers drawn for calibration, %")
    for value, said in (
        ("80", "more than half are drawn"),
        ("100", "nothing is left to automate"),
        ("50", "were given back. 60 of 120 answers are in the calibration sample."),
    ):
        share.fill(value)
        agree, keep = (
            page.get_by_label("Draw more than half"),
            page.get_by_role("button", name="Keep", exact=True),
        )
        expect(agree).to_be_hidden()
        keep.click()
        if value != "50":
            expect(page.get_by_role("alert")).to_be_visible()
            agree.check()
            keep.click()
        expect(page.get_by_text(said)).to_be_visible(timeout=20_000)


def test_judges_are_picked_from_a_list_with_prices(page: Page, tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=2)
    ws.close()
    with serve(tmp_path) as server:
        named(page, server)
        opened(page, server)
        page.get_by_label(JUDGES).fill("gpt-4o-mini")
        page.get_by_role("option", name="openai:gpt-4o-mini  $0.15 / $0.60").click()
        expect(chosen(page)).to_have_text([re.compile("openai:gpt-4o-mini")])
        expect(page.get_by_role("row", name="openai:gpt-4o-mini")).to_contain_text("under $0.01")
        # the plan stands above the button that starts it
        plan, start = page.get_by_role("table").first, page.get_by_role("button", name="Start")
        above, below = plan.bounding_box(), start.bounding_box()
        assert above and below and above["y"] + above["height"] <= below["y"]
