"""Agreement in the browser at real size: figures before intervals, published kappas, every number
of a matrix leads to its answers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from graders.store.workspace import open_workspace
from graders.workflows.agreement import agree
from graders.workflows.agreement.matrix import ANSWERS_A_PAGE
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.app import serve
from tests.browser.tabs import drawn
from tests.support.server import Server
from tests.support.studies import bring, given

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


QUESTIONS, PEOPLE = 1_760, ("ada", "ben", "cleo")


def many(folder: Path) -> None:
    """1,760 questions x 2 models x 3 people = 10,560 opinions, and a judge beside them: it is one
    too high on every fourth question."""
    answers = [
        (f"q{i}", model, base + i % 2, i % 4 == 0)
        for i in range(QUESTIONS)
        for model, base in (("Ash", 3), ("Oak", 1))
    ]
    scope = Scope(Actor(), open_workspace(folder / "app.db"))
    bring(
        scope,
        folder,
        questions=[{"id": f"q{i}", "text": f"Question {i}?"} for i in range(QUESTIONS)],
        answers=[
            {"question_id": q, "model": model, "text": f"{model} to {q}."}
            for q, model, _, _ in answers
        ],
        human=[
            given(q, model, "completeness", name, value)
            for q, model, value, _ in answers
            for name in PEOPLE
        ],
        judge=[
            {
                "question_id": q,
                "model": model,
                "criterion": "small/completeness",
                "judge": "north",
                "value": value + off,
            }
            for q, model, value, off in answers
        ],
    )
    scope.ws.close()


def test_above_ten_thousand_opinions_figures_come_first_and_intervals_follow(
    page: Page, tmp_path: Path
) -> None:
    assert QUESTIONS * 2 * len(PEOPLE) > agree.FEW_OPINIONS
    many(tmp_path)
    held: list[Route] = []  # what asks for the intervals is an act; drawing is none

    def hold(route: Route) -> None:
        asked = route.request.post_data_json or {}
        held.append(route) if (asked.get("event_data") or {}).get(
            "intervals"
        ) else route.continue_()

    page.route("**/gradio_api/run/*", hold)
    with serve(tmp_path) as server:
        page.goto(f"{server.url}/agreement?project=study")
        expect(
            page.get_by_text(
                "The intervals, and the finding that hangs on them, are being computed."
            )
        ).to_be_visible(timeout=30_000)
        row = page.locator(".vl")
        expect(row).to_contain_text("75 % raw agreement")  # wrong on every fourth
        early = row.locator("b").inner_text()
        assert "–" not in row.inner_text()
        # Ash's 3 on every fourth of 1,760
        expect(page.get_by_role("link", name="north 4, ada 3: 440")).to_be_visible()
        expect(page.locator(".vd")).to_contain_text("…")

        page.wait_for_function("() => document.querySelector('.cgl .cm')")
        held[0].continue_()
        expect(page.get_by_text("are being computed")).to_have_count(0, timeout=60_000)
        expect(row).to_contain_text(re.compile(r"0\.\d\d–0\.\d\d"))
        assert row.locator("b").inner_text() == early
        expect(page.locator(".vd")).to_contain_text("worse")  # people are always one
        expect(page.get_by_role("heading", level=1)).to_contain_text(
            "less than people do with each other"
        )
        drawn(page)
        page.set_viewport_size({"width": 300, "height": 800})
        matrix = page.get_by_role("group", name="north in rows, ada in columns")
        assert matrix.evaluate(
            "n => n.scrollWidth > n.clientWidth && getComputedStyle(n).backgroundImage.includes('gradient')"
        )
        empty = matrix.locator("span.cmc").first
        # the shade at the edge is seen through it
        expect(empty).to_have_css("background-color", re.compile(r"/ 0\)|, 0\)"))
        matrix.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('.cgl .cmw').scrollLeft > 0")


@pytest.fixture(scope="module")
def summeval(tmp_path_factory: pytest.TempPathFactory, public: Path) -> Iterator[Server]:
    """The public set of 100 articles x 12 summaries x 4 criteria, with verdicts of experts, of a
    crowd and of ten judges."""
    folder = tmp_path_factory.mktemp("summeval")
    with serve(folder, public) as running:
        yield running


# Computed apart from this code with scikit-learn: cohen_kappa_score(expert0, expert1,
# weights="quadratic").
@pytest.mark.parametrize(
    "criterion, kappa",
    [
        ("coherence", "0.6868"),
        ("consistency", "0.8778"),
        ("fluency", "0.7218"),
        ("relevance", "0.6099"),
    ],
)
def test_the_first_two_experts_agree_as_published(
    page: Page, summeval: Server, criterion: str, kappa: str
) -> None:
    page.goto(f"{summeval.url}/agreement?project=summeval&criterion=summary-quality/{criterion}")
    page.get_by_text(re.compile(r"All pairs \(\d+\)")).click(timeout=60_000)
    page.get_by_role("link", name="expert0 · expert1").click()
    expect(page.get_by_role("region", name="Matrix and its answers")).to_contain_text(
        f"quadratic kappa {kappa}"
    )
    expect(page.get_by_role("link", name="expert0 · expert1")).to_be_focused()


def test_every_number_of_a_matrix_opens_just_these_answers(page: Page, summeval: Server) -> None:
    page.goto(f"{summeval.url}/agreement?project=summeval&criterion=summary-quality/relevance")
    expect(page.locator(".cm .cmc").first).to_be_visible(timeout=60_000)
    expect(page.get_by_text("are being computed")).to_have_count(0, timeout=60_000)
    drawn(page)  # nothing is drawn anew under the clicks
    numbers = [
        page.locator(".cm .cmc").nth(i).get_attribute("aria-label") or ""
        for i in range(page.locator(".cm .cmc").count())
    ]
    assert len(numbers) == 5 * 5
    seen = 0
    for name in numbers:
        values, count = name.rsplit(": ", 1)
        total = int(count)
        link = page.locator(".cm").get_by_role("link", name=name, exact=True)
        if total == 0:
            expect(link).to_have_count(0)
            continue
        link.press("Enter")
        expect(
            page.get_by_role(
                "heading",
                name=f"{values}: {total} {'answer' if total == 1 else 'answers'}",
                exact=True,
            )
        ).to_be_visible()
        expect(page.locator(".an")).to_have_count(min(total, ANSWERS_A_PAGE))
        judge, expert = values.split(", ")
        # Each answer shows the two values of the cell: "alttest/gpt-4o 4" stands as
        # "alttest/gpt-4o: 4".
        for side in (judge, expert):
            author, value = side.rsplit(" ", 1)
            expect(
                page.locator(".an b", has_text=re.compile(f"^{re.escape(author)}: {value}$"))
            ).to_have_count(min(total, ANSWERS_A_PAGE))
        seen += total
    assert seen == 100 * 12  # every summary of the set stands in one cell
