"""A file comes in by keyboard alone: choose it, look, change a role, say yes to the bad rows,
arrive at what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.measures import focused, tab_to
from tests.browser.tabs import drawn
from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

# Seven rows; one has no question, one a cell less than the header.
TABLE = """question,category,task_type,note,Alder,Cedar
What is the capital of France?,geography,factual,a,"Paris, on the Seine.","Lyon, I think."
How many legs has a spider?,biology,factual,b,"Eight, in four pairs.",Six of them.
Write two lines about rain.,verse,creative,c,Rain on my window. Dark is the garden.,Rain is water.
,geography,factual,d,Rome.,Rome.
Which metal is liquid?,chemistry,riddle,e,It is mercury.,"Iron, once it is heated."
How many planets are there?,astronomy,factual,f,There are eight planets.
Name a bird that cannot fly.,biology,factual,g,The ostrich cannot.,A penguin.
"""


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("keys"), demo) as running:
        yield running


def test_a_file_comes_in_by_keyboard_alone(page: Page, server: Server, tmp_path: Path) -> None:
    table = tmp_path / "garden.csv"
    table.write_text(TABLE, "utf-8")
    # a browser told only with the key press to hand over its dialog may be told too late
    page.on("filechooser", lambda chooser: None)
    page.goto(server.url)
    expect(page.get_by_role("button", name="Choose a file")).to_be_visible()
    tab_to(page, "Choose a file")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(table)

    expect(page.get_by_role("heading", name="Check the column mapping")).to_be_focused()
    role = page.get_by_label("Role of column note")
    was = role.input_value()
    tab_to(page, "Role of column note")
    page.keyboard.type("ignore")
    expect(role).to_have_value("ignore")
    expect(role).to_be_focused()  # the table was drawn anew meanwhile
    assert was != "ignore"
    tab_to(page, "Read all rows")
    page.keyboard.press("Enter")

    expect(
        page.get_by_role("heading", name="2 rows cannot come in; the others can.")
    ).to_be_focused(timeout=30_000)
    tab_to(page, "Download as CSV")
    tab_to(page, "Import 5 questions and 10 answers")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Imported: garden.")).to_be_focused(timeout=30_000)
    # 7 rows less 2 are 5 questions, each with the answers of Alder and Cedar: 10.
    expect(
        page.get_by_text(
            "Imported 5 questions and 10 answers; 2 rows were left out. All rows became visible at once."
        )
    ).to_be_visible()
    came = page.get_by_role("region", name="What came in")
    for label, count in (
        ("Questions", "5"),
        ("Answers", "10"),
        ("Verdicts", "0"),
        ("Rows left out", "2"),
    ):
        expect(came.locator(".figs > div", has_text=label).locator("b")).to_have_text(count)
    assert page.title() == "Imported: garden. · Cograde"
    tab_to(page, "which ones (CSV)")
    tab_to(page, "Next: run the graders")
    page.keyboard.press("Enter")
    page.wait_for_url("**/run?project=garden")
    expect(page.get_by_role("button", name="Start")).to_be_visible()


def test_whose_verdicts_they_are_is_guessed_in_sight_and_an_import_is_dropped_by_keyboard(
    page: Page, server: Server, tmp_path: Path
) -> None:
    table = tmp_path / "dropped.csv"
    rows = TABLE.replace(",note,", ",reviewer,").splitlines()
    table.write_text(
        "".join(f"{row},{1.5 if n else 'Cedar waited'}\n" for n, row in enumerate(rows) if n != 6),
        "utf-8",
    )
    page.goto(server.url)
    page.set_input_files("input[type=file]", table)
    expect(page.get_by_role("heading", name="Check the column mapping")).to_be_focused()
    reviewer = page.get_by_label("Role of column reviewer")
    expect(reviewer).to_have_value("metadata")
    page.get_by_label("Role of column category").select_option("verdict")
    expect(reviewer).to_have_value("annotator")
    # what somebody chose stays, also at the next look
    for column, role in (
        ("reviewer", "metadata"),
        ("task_type", "ignore"),
    ):
        with page.expect_response("**/gradio_api/run/**"):
            page.get_by_label(f"Role of column {column}").select_option(role)
        drawn(page)
        expect(reviewer).to_have_value("metadata")
    # A column of figures says of which model it speaks, like one of verdicts: its header does, or a
    # person.
    figures, model = (
        page.get_by_label("Role of column Cedar waited"),
        page.get_by_label("Model of column Cedar waited"),
    )
    expect(figures).to_have_value("metadata")
    figures.select_option("total_seconds")
    expect(model).to_have_value("Cedar")
    page.get_by_label("Role of column category").select_option("cost")
    expect(page.get_by_label("Model of column category")).to_have_value("")
    page.get_by_role("button", name="Read all rows").click()
    expect(
        page.get_by_text(
            "found cost in 'category' on answers of no stated model, expected one of the models Alder, Cedar."
        )
    ).to_be_visible()
    expect(model).to_have_value("Cedar")
    # Whose answers a column holds is known again when it holds answers again.
    page.get_by_label("Role of column Cedar", exact=True).select_option("ignore")
    expect(page.get_by_label("Model of column Cedar", exact=True)).to_have_count(0)
    page.get_by_label("Role of column Cedar", exact=True).select_option("answer")
    expect(page.get_by_label("Model of column Cedar", exact=True)).to_have_value("Cedar")
    tab_to(page, "Cancel")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Choose a file")).to_be_visible()
    now = focused(page)
    assert now is not None and now["name"] == page.locator("h1").inner_text()[:40]
    assert page.locator(".proj", has_text="dropped").count() == 0


def test_ratings_by_the_chosen_rubric_are_seen_at_once_by_keyboard(
    page: Page, server: Server, tmp_path: Path
) -> None:
    table = tmp_path / "rated.csv"
    table.write_text("question,answer,correctness\nDoes it rain?,It does.,Yes\n", "utf-8")
    page.goto(server.url)
    page.set_input_files("input[type=file]", table)
    role = page.get_by_label("Role of column correctness")
    expect(role).to_have_value("metadata")
    tab_to(page, "Choose another")
    page.keyboard.press("Enter")
    tab_to(page, "Take correctness")
    page.keyboard.press("Enter")
    expect(role).to_have_value("verdict")
    expect(page.get_by_role("button", name="✓ correctness is chosen")).to_be_focused()
    page.get_by_role("button", name="Keep what is recommended").click()
    expect(role).to_have_value("metadata")
    tab_to(page, "Choose a file")
    page.keyboard.press("Enter")
    own = tmp_path / "own.yaml"
    own.write_text(
        "rubric: own\nversion: 1\ncriteria:\n  correctness:\n    question: Is it right?\n"
        "    scale: ['No', 'Yes']\n",
        "utf-8",
    )
    page.get_by_label("Rubric file").set_input_files(own)
    expect(role).to_have_value("verdict")
    assert page.get_by_label("Rubric file").evaluate("field => field.files[0].name") == "own.yaml"
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
