"""Results and Agreement in the browser: the address carries everything, the back button works, data
never run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from graders.core.records import MetricValue
from graders.store import projects
from graders.store.answers import content, metric_values
from graders.store.workspace import open_workspace
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.app import serve
from tests.browser.tabs import Held, Tabs, drawn
from tests.support.electing import electing
from tests.support.entering import enter
from tests.support.routed import RUBRIC
from tests.support.server import Server
from tests.support.sheets import typed
from tests.support.studies import bring, given

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]
EVIL = "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"
TEXT = f"Ash says **plainly** so. {EVIL}"


def rows(questions: range) -> dict[str, list[dict[str, Any]]]:
    """Forty questions, Ash and Oak; Ash always 4 or 5, Oak 1 or 2; the judge is one off on every
    fourth; a hostile question."""
    human, judge = [], []
    for i in questions:
        for model, base in (("Ash", 4), ("Oak", 1)):
            value = base + i % 2
            human += [
                given(f"q{i}", model, "completeness", name, value, comment=EVIL if i == 0 else "")
                for name in ("mira", "jonas")
            ]
            judge.append(
                {
                    "question_id": f"q{i}",
                    "model": model,
                    "criterion": "small/completeness",
                    "judge": "north",
                    "value": value + (1 if i % 4 == 0 else 0),
                    "rationale": EVIL if i == 0 else "Because.",
                    "evidence": [{"quote": "says plainly so"}, {"quote": "not in it"}],
                }
            )
    return {
        "questions": [
            {
                "id": f"q{i}",
                "text": f"Question {i}? {EVIL if i == 0 else ''}",
                "category": ("sea", "sky")[i % 2],
            }
            for i in questions
        ],
        "answers": [
            {"question_id": f"q{i}", "model": m, "text": TEXT.replace("Ash", m)}
            for i in questions
            for m in ("Ash", "Oak")
        ],
        "human": human,
        "judge": judge,
    }


MEASURED = """
rubric: small
criteria:
  completeness:
    question: Is all there?
    scale: {from: 1, to: 5}
    graders: [judge, bertscore, answer_language]
    review: people
"""


def measured(scope: Scope, folder: Path) -> None:
    """A question in Chinese with two references: one measure took the second of them, one has no
    model for the language."""
    question = {
        "id": "zh",
        "text": "北京有多少人？",
        "language": "zh",
        "references": ["很多。", "两千多万。"],
    }
    north = {
        "question_id": "zh",
        "model": "Ash",
        "criterion": "small/completeness",
        "judge": "north",
        "status": "unscored",
    }
    said = [
        {**north, "reason": "refusal", "rationale": "I would rather not."},
        {**north, "judge": "south", "reason": "moon_phase"},
    ]
    bring(
        scope,
        folder,
        MEASURED,
        "measured",
        questions=[question],
        answers=[{"question_id": "zh", "model": "Ash", "text": "两千万。"}],
        judge=said,
    )
    project = projects.set_settings(
        scope.ws,
        scope.project("measured"),
        {"sampling": {"calibration": 0.0, "audit": 0.0, "blind": 0.0}},
    )
    [subject] = content.subject_ids(scope.ws.db, project)
    values = [
        MetricValue(metric="bertscore_f1", status="unscored", reason="language"),
        MetricValue(metric="embedding_cosine", value=0.81, reference=1),
    ]
    with scope.ws.write() as db:
        metric_values.put_metrics(db, project, [(subject, value, "") for value in values])
    route(scope, "measured")


def deciding(scope: Scope, folder: Path, name: str, answers: int) -> None:
    """Answers of which a judge says yes or no, as sure as it is; nobody has read one."""
    keys = [f"q{i}" for i in range(answers)]
    said = {"model": "Ash", "judge": "north", "criterion": "small/relevance", "value": "relevant"}
    bring(
        scope,
        folder,
        RUBRIC,
        name,
        questions=[{"id": key, "text": f"Question {key}?", "task_type": "factual"} for key in keys],
        answers=[{"question_id": key, "model": "Ash", "text": f"Reply to {key}."} for key in keys],
        judge=[
            {**said, "question_id": key, "confidence": 0.99 - i / answers / 5}
            for i, key in enumerate(keys)
        ],
    )
    projects.set_settings(
        scope.ws,
        scope.project(name),
        {"sampling": {"calibration": 0.0, "audit": 0.0, "blind": 0.0}},
    )
    route(scope, name)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("lead")
    scope = Scope(Actor(), open_workspace(folder / "app.db"))
    bring(scope, folder, **rows(range(40)))
    measured(scope, folder)
    electing(scope, folder)
    deciding(scope, folder, "deciding", 1_500)
    deciding(scope, folder, "short", 60)
    scope.ws.close()
    with serve(folder) as running:
        yield running


def opened(page: Page, server: Server, path: str) -> Page:
    page.goto(server.url + path)
    page.wait_for_selector(".cgl h1", timeout=30_000)
    return page


def test_results_lead_from_a_figure_to_one_answer_and_back(page: Page, server: Server) -> None:
    opened(page, server, "/results?project=study")
    # relevance, tone: 2 x 80
    expect(page.locator("h1")).to_have_text(
        "Oak trails on one criterion; 160 cells are still pending."
    )
    page.get_by_role("link", name="Oak, Completeness: 1.5").click()
    expect(page.get_by_role("heading", name="Oak, Completeness")).to_be_visible()
    expect(
        page.get_by_role(
            "button",
            name="Copy: Oak, Completeness (1 to 5): mean of final values 1.5 (95 % interval 1.3 to",
        )
    ).to_be_visible()
    page.get_by_role("link", name="Question 1?").click()
    drawer = page.get_by_role("complementary")
    # the quote is found across bold text
    expect(drawer.locator(".text strong mark")).to_have_text("plainly")
    drawer.get_by_text("3 verdicts").click()
    lost = drawer.get_by_text("not found in the answer").filter(visible=True)
    expect(lost).to_have_count(1)
    assert "question=q1" in page.url and "model=Oak" in page.url
    page.get_by_role("link", name="Question 3?").click()
    expect(drawer.get_by_role("heading", name="Question 3?")).to_be_visible()
    expect(drawer.get_by_text("3 verdicts")).to_have_count(1)
    # what was unfolded of one answer is not unfolded of the next
    expect(drawer.locator("details[open]")).to_have_count(0)
    page.go_back()
    page.go_back()
    expect(drawer).to_have_count(0)
    expect(page.get_by_role("heading", name="Oak, Completeness")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Oak, Completeness")).to_have_count(0)


NO_MODEL = "No BERTScore model reads Chinese; name one in the setting bertscore_multilingual."


def test_what_has_no_value_says_why_in_words(page: Page, server: Server) -> None:
    opened(
        page, server, "/results?project=measured&model=Ash&criterion=small/completeness&question=zh"
    )
    expect(page.get_by_text(f"bertscore f1 n/a for 1 of these: {NO_MODEL}")).to_be_visible()
    drawer = page.get_by_role("complementary")
    # its place is 1, counted from 0
    expect(drawer.get_by_text("best of the references: number 2")).to_be_visible()
    expect(drawer.get_by_text(NO_MODEL)).to_be_visible()
    drawer.get_by_text("2 verdicts").click()
    expect(drawer.get_by_text("The judge refused to answer.", exact=True)).to_be_visible()
    expect(drawer.get_by_text("I would rather not.", exact=True)).to_be_visible()
    # a reason that only its plug-in knows
    expect(drawer.get_by_text("moon phase", exact=True)).to_be_visible()
    assert enter(page.context.request, server.url, "Ann").ok
    page.goto(f"{server.url}/review?project=measured")
    page.wait_for_selector(".cg[data-ready='1']")
    page.keyboard.press("d")
    inspector = page.locator(".cg-who")
    expect(inspector).to_contain_text(NO_MODEL)
    expect(inspector).to_contain_text("The judge refused to answer.")


def test_results_by_keyboard_and_filter(page: Page, server: Server) -> None:
    opened(page, server, "/results?project=study")
    cell = page.get_by_role("link", name="Ash, Completeness")
    cell.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("40 values, 0 pending")).to_be_visible()
    category = page.get_by_label("Category")
    category.focus()
    category.press("Tab")
    expect(page).not_to_have_url(re.compile("category="))
    category.fill("sky")
    category.press("Enter")
    expect(page.get_by_text("20 values, 0 pending")).to_be_visible()
    assert "category=sky" in page.url
    page.get_by_role("link", name="Question 1?").press("Enter")
    expect(page.get_by_role("complementary")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("complementary")).to_have_count(0)


def test_hostile_texts_are_shown_and_never_run(page: Page, server: Server) -> None:
    opened(page, server, "/results?project=study&question=q0&model=Ash")
    drawer = page.get_by_role("complementary")
    drawer.get_by_text("3 verdicts").click()
    expect(drawer.get_by_text("<script>").first).to_be_visible()
    opened(
        page,
        server,
        "/agreement?project=study&criterion=small/completeness&a=judge:north&b=person:mira&value_a=5&value_b=4",
    )
    expect(page.locator(".an").first).to_contain_text("<script>")
    assert page.locator(".cgl img, .cgl script").count() == 0
    assert page.title() != "run"


def test_agreement_narrows_down_and_leads_from_a_point_to_where_they_differ(
    page: Page, server: Server
) -> None:
    opened(page, server, "/agreement?project=study")
    page.get_by_role("link", name="More figures").click()
    expect(page.get_by_role("row", name="Krippendorff's alpha")).to_be_visible()
    page.get_by_role("button", name="Filters").press("Enter")
    category = page.get_by_label("Category")
    category.click()
    page.get_by_role("option", name="sea", exact=True).click()
    # 20 of 40 questions, two models
    expect(page.locator(".crit", has_text="Completeness")).to_contain_text("40 cells, 20 questions")
    expect(page.get_by_role("button", name="Filters: 1 set")).to_be_visible()
    assert "category=sea" in page.url
    page.locator(".pt").first.press("Enter")
    # off by one on each fourth question, which are all in sea: 10 questions x 2 models x 2 people
    expect(page.locator("h1")).to_have_text(
        "40 verdicts of people differ from north on Completeness."
    )
    page.get_by_role("link", name="text similarity").click()
    expect(page.locator(".gr").first).to_contain_text("like “Question 0?")
    assert "grouping=text" in page.url and "category=sea" in page.url
    page.locator(".gr").first.click()
    expect(page.locator(".gr").first).to_have_attribute("aria-current", "true")
    answer = page.locator(".an").first
    expect(answer).to_contain_text("north")
    expect(page.locator(".ag")).to_have_count(0)
    answer.get_by_role("button", name="Send to review").click()
    expect(answer.get_by_role("status").first).to_contain_text("It is the next screen, blind")
    answer.get_by_role("link", name="Mend the reference").press("Enter")
    answer.get_by_label("Reference 1").fill("A reply.")
    answer.get_by_role("button", name="Keep").click()
    expect(answer.get_by_role("status")).to_contain_text("Kept.")
    # the answers of two models to it
    expect(page.locator(".an", has_text="reference: A reply.")).to_have_count(2)
    page.locator(".an").nth(1).get_by_role("link", name="Mend the reference").press("Enter")
    # not the old one, which Keep would bring back
    expect(page.locator(".an").nth(1).get_by_label("Reference 1")).to_have_value("A reply.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Keep")).to_have_count(0)
    page.get_by_role("link", name="People and progress").click()
    page.get_by_role("button", name="Set aside: jonas").press("Enter")
    expect(page.locator("h1")).to_have_text("2 people have graded, the verdicts of 1 set aside.")
    page.get_by_role("button", name="Let in again: jonas").press("Enter")
    expect(page.locator("h1")).to_have_text("2 people have graded.")
    page.get_by_role("link", name="Clear filters").click()
    expect(page.get_by_role("link", name="Clear filters")).to_have_count(0)
    page.get_by_role("link", name="Judges", exact=True).click()
    expect(page.locator(".crit", has_text="Completeness")).to_contain_text("80 cells")


def test_agreement_leads_from_a_judge_to_the_answers(page: Page, server: Server) -> None:
    opened(page, server, "/agreement?project=study")
    expect(page.get_by_text("human–human agreement: 1.00")).to_be_visible()
    page.get_by_role("link", name="north 5, mira 4: 10").click()  # Ash, every fourth question
    expect(page.get_by_text("north 5, mira 4: 10 answers")).to_be_visible()
    expect(page.locator(".an")).to_have_count(10)
    page.get_by_role("group", name="with").get_by_role("link", name="jonas").click()
    expect(page.get_by_role("link", name="north 5, jonas 4: 10")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("north 5, mira 4: 10 answers")).to_be_visible()
    page.locator(".an a").first.click()
    page.wait_for_url("**/results**")
    expect(page.get_by_role("complementary")).to_contain_text("Question 0?")


def test_the_switch_says_what_it_does(page: Page, server: Server) -> None:
    opened(page, server, "/agreement?project=study")
    page.get_by_label("All, assisted marked").click()
    expect(
        page.get_by_text(
            "Assisted verdicts are included: they lean towards the suggestion that was shown."
        )
    ).to_be_visible()
    assert "blind=0" in page.url
    expect(page.locator(".card").first).to_contain_text("best judges first · 1 judge in all")
    expect(page.locator(".card").first).not_to_contain_text("blind")


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_leaves_the_screen_sideways(
    tabs: Tabs, server: Server, width: int, scheme: Any
) -> None:
    with tabs.tab(viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
        for path in (
            "/results?project=study&model=Oak&criterion=small/completeness&question=q1",
            "/agreement?project=study",
        ):
            opened(page, server, path)
            drawn(page)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, path


def test_a_project_that_is_not_there_is_said_in_a_sentence(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/results?project=nowhere")
    expect(page.get_by_role("alert")).to_contain_text(
        "project 'nowhere': found no such project, expected one of study, measured"
    )
    page.goto(f"{server.url}/run?project=nowhere")
    expect(page.get_by_role("alert")).to_contain_text("project 'nowhere': found no such project")
    drawn(page)
    expect(page.get_by_role("alert")).to_have_count(1)
    expect(page.get_by_role("heading", name="Plan a run")).to_have_count(0)
    page.goto(f"{server.url}/reviews/<i>old</i>?project=study")
    expect(
        page.get_by_role("heading", name="There is no page at /reviews/<i>old</i>.")
    ).to_be_visible()
    expect(page).to_have_title("There is no page at /reviews/<i>old</i>. · Cograde")
    expect(page.get_by_role("link", name="Review", exact=True).last).to_be_focused()
    page.goto(f"{server.url}/projects")
    expect(page).to_have_url(f"{server.url}/?project=study")


def test_a_lead_sees_who_was_elected_and_appoints_another_with_the_keyboard(
    page: Page, server: Server
) -> None:
    opened(page, server, "/questions?project=electing")
    expect(page.locator("h1")).to_have_text("The question that elects a reference has one.")
    page.get_by_role("link", name="Why does a lid help?").press("Enter")
    card = page.get_by_role("region", name="lid")
    expect(card.get_by_text("elected with 2 of 2")).to_be_visible()
    expect(card.get_by_text("clarity: pending")).to_be_visible()
    assert "question=lid" in page.url
    card.locator(".cand", has_text="Elm").locator("summary").press("Enter")
    card.get_by_role("button", name="Appoint Oak").press("Enter")
    expect(page.locator(".cgl p.s[role=status]")).to_contain_text(
        "Oak is the reference. Measures that changed: token f1 ("
    )
    expect(card.get_by_text("appointed by lead")).to_be_visible()
    # what came of it is read out where the button was
    expect(card.get_by_role("status")).to_be_focused()
    expect(card.locator("details[open]")).to_contain_text("Elm says")  # one was unfolded, one is
    expect(page.locator("h1")).to_have_text(
        "The question that elects a reference has one, 1 by appointment."
    )
    card.get_by_role("button", name="Back to the numbers: Ash").press("Enter")
    expect(page.locator(".cgl p.s[role=status]")).to_contain_text("Given back to the numbers.")
    expect(card.get_by_text("elected with 2 of 2")).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    detail = page.get_by_role("combobox", name="Detail asked for: lid")
    expect(page.get_by_text("not stated; counts as short")).to_be_visible()
    saved = Held(page, "**/gradio_api/run/**")
    detail.select_option("detailed")
    saved.sent()
    page.get_by_role("link", name="Why does a lid help?").focus()
    saved.go_on()
    expect(page.locator(".cgl p.s[role=status]")).to_contain_text(
        "Saved: lid asks for a detailed answer; "
    )
    # who has gone on is not called back
    expect(page.get_by_role("link", name="Why does a lid help?")).to_be_focused()
    expect(page.get_by_text("by lead")).to_be_visible()
    detail.select_option("as before")
    expect(page.get_by_text("not stated; counts as short")).to_be_visible()
    opened(page, server, "/results?project=electing&model=Oak&criterion=small/brevity")
    expect(page.get_by_role("columnheader", name="length ratio").first).to_be_visible()


def test_a_sheet_comes_back_on_the_page(page: Page, server: Server, tmp_path: Path) -> None:
    opened(page, server, "/results?project=electing")
    reply = page.context.request.get(f"{server.url}/api/export?project=electing&format=sheet")
    path = tmp_path / "study.xlsx"
    path.write_bytes(reply.body())
    typed(path, ("lid", "clarity", "Elm", 2), ("lid", "completeness", "Oak", 9))
    page.get_by_role("button", name="Bring back a sheet").press("Enter")
    dialog = page.locator(".k-fold")
    dialog.get_by_label("The sheet (XLSX)").set_input_files(str(path))
    dialog.get_by_label("Who changed the values").fill("Nora")
    dialog.get_by_label("Who changed the values").press("Enter")
    expect(dialog.get_by_text("Nora (new): 1 new verdict, 1 bad value.")).to_be_visible()
    expect(dialog.get_by_role("row").filter(has_text="Elm")).to_contain_text("2 was pending")
    expect(dialog.get_by_text("found 9, expected a whole number from 1 to 5.")).to_be_visible()
    dialog.get_by_role("button", name="Take in").press("Enter")
    expect(dialog.get_by_text("1 verdict taken in.")).to_be_visible()
    # the page as it is now
    expect(page.locator("h1")).to_contain_text("3 cells are still pending")
    opened(page, server, "/questions?project=electing&question=lid")
    expect(page.get_by_text("Values changed since the votes were counted.")).to_be_visible()
    page.get_by_role("button", name="Count again").press("Enter")
    expect(page.locator(".cgl p.s[role=status]")).to_contain_text("Votes counted again.")


def test_numbers_of_the_routing_sentence_move_by_keyboard_and_are_fixed(
    page: Page, server: Server
) -> None:
    opened(page, server, "/routing?project=study")
    expect(page.locator("h1")).to_contain_text("90 %")
    risk = page.get_by_role("slider", name="Accepted risk")
    risk.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("h1")).to_contain_text("11 %")
    expect(risk).to_be_focused()
    page.get_by_role("slider", name="Confidence").press("ArrowLeft")
    expect(page.locator("h1")).to_contain_text("89 %")
    # what is tried is in the address, and a row of the table leads to it too
    page.wait_for_url("**risk=11&sure=89")
    page.get_by_text("As a table").click()
    page.get_by_role("link", name="20 %").press("Enter")
    expect(page.locator("h1")).to_contain_text("20 %")
    page.go_back()
    expect(page.locator("h1")).to_contain_text("11 %")
    expect(risk).to_have_value("11")
    page.get_by_role("button", name="Fix these terms").press("Enter")
    expect(page.get_by_role("region", name="Terms")).to_contain_text(
        "at most 11 %, with 89 % confidence"
    )
    page.get_by_role("button", name="What will be known?").press("Enter")
    expect(
        page.get_by_text("Assumed: 36 seconds per answer, the pace of the demo project")
    ).to_be_visible()


def test_labels_are_placed_where_they_decide_and_no_more_asked_for(
    page: Page, server: Server
) -> None:
    opened(page, server, "/routing?project=deciding")
    labels = page.get_by_label("Labels to place")
    labels.fill("800")
    labels.press("Tab")
    expect(page.get_by_text("Recommended: sample actively")).to_be_visible()
    expect(page.get_by_text("They say nothing about agreement, the leaderboard")).to_be_visible()
    page.get_by_role("button", name="Place them").press("Enter")
    expect(
        page.get_by_text("Relevance, factual: 270 labels are open, 800 at most.")
    ).to_be_visible()
    page.get_by_role("button", name="Ask for no more").press("Enter")
    expect(
        page.get_by_text("The draw was stopped before all its labels were there.")
    ).to_be_visible()


def test_placing_is_not_offered_where_it_gains_nothing(page: Page, server: Server) -> None:
    opened(page, server, "/routing?project=short")
    labels = page.get_by_label("Labels to place")
    labels.fill("40")
    labels.press("Tab")
    expect(page.get_by_text("Neither is worth it")).to_be_visible()
    expect(page.get_by_role("button", name="Place them")).to_have_count(0)
    labels.fill("10")
    labels.press("Tab")
    expect(
        page.get_by_text("10 labels prove nothing; sampling actively begins with")
    ).to_be_visible()
    expect(page.get_by_role("button", name="Place them")).to_have_count(0)
