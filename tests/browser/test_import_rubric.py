"""The import recommends a rubric from the columns, and the gallery has others to pick from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store import projects
from graders.store.workspace import open_workspace
from tests.browser.app import serve
from tests.browser.measures import tab_to
from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

EXAMPLE = Path(__file__).parents[2] / "data/examples/answers.csv"


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("rubric"), demo) as running:
        yield running


def criteria(server: Server, name: str) -> list[str]:
    ws = open_workspace(server.folder / "app.db")
    try:
        found = projects.rubrics(ws, projects.get_project(ws, name))
        return [c.name for rubric in found for c in rubric.criteria if rubric.name != "faults"]
    finally:
        ws.close()


def bring(page: Page) -> None:
    page.get_by_role("button", name="Read all rows").click()
    page.get_by_role("button", name="Import 6 questions and 18 answers").click(timeout=30_000)
    expect(page.get_by_role("heading", name="Imported: ")).to_be_visible(timeout=30_000)


def test_the_recommended_rubric_is_taken_unless_another_is_picked_by_keyboard(
    page: Page, server: Server
) -> None:
    page.goto(server.url)
    page.set_input_files("input[type=file]", EXAMPLE)
    graded = page.locator("#graded")
    expect(graded.get_by_role("heading", name="Recommended: correctness")).to_be_visible()
    expect(graded).to_contain_text("4 of 6 questions have references, and answers are short")
    expect(graded).to_contain_text("Is the answer right? One criterion against")
    expect(graded.locator("header .r")).to_have_text("18 cells")
    expect(graded).to_contain_text("2 of 6 questions have no reference")
    bring(page)
    assert criteria(server, "answers") == ["correctness"]

    page.goto(server.url)
    page.set_input_files("input[type=file]", EXAMPLE)
    expect(graded).to_be_visible()
    tab_to(page, "Choose another: 11 rubrics, described")
    page.keyboard.press("Enter")
    tab_to(page, "Take answer-quality")
    page.keyboard.press("Enter")
    expect(graded.get_by_role("heading", name="Rubric: answer-quality")).to_be_visible()
    expect(graded.locator("header .r")).to_have_text("108 cells")
    expect(graded.locator("> ul")).to_contain_text("Speed is off: The time to the first token")
    bring(page)  # its title is taken: it gets a number
    assert "speed" not in criteria(server, "answers-2") and "brevity" in criteria(
        server, "answers-2"
    )

    # a project that is there keeps its rubric
    page.goto(server.url)
    page.set_input_files("input[type=file]", EXAMPLE)
    field = page.get_by_role("main").locator(".k-card").get_by_label("Project", exact=True)
    field.click()
    page.get_by_role("option", name="Autumn study").last.click()
    expect(graded).to_contain_text("The project keeps its rubric")
