"""What is half typed outlives the server: Gradio loads a page anew after it was away."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import serve
from tests.browser.tabs import drawn

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def test_half_typed_forms_and_choices_outlive_the_server(
    own_page: Page, demo: Path, tmp_path: Path
) -> None:
    page, table = own_page, tmp_path / "garden.csv"
    table.write_text("question,note,Alder\nWhich metal is liquid?,e,It is mercury.\n", "utf-8")
    folder = tmp_path / "app"
    folder.mkdir()
    with serve(folder, demo) as server:
        page.goto(server.url)
        page.set_input_files("input[type=file]", table)
        page.get_by_label("Role of column note").select_option("ignore")
        drawn(page)
        title, model = (
            page.get_by_label("Title of the new project"),
            page.get_by_label("Model of column Alder"),
        )
        model.fill("Alder half ty")
        drawn(page)
        server.kill()
        title.fill("My gard")
        page.get_by_label("Role of column question").select_option("detail")  # nobody answers
        title.focus()
        page.keyboard.press("End")
        page.keyboard.type("en, half")
        page.wait_for_function("JSON.stringify(sessionStorage).includes('My garden, half')")
        with page.expect_event("load", timeout=60_000):
            server.restart()
        expect(title).to_have_value("My garden, half")
        expect(model).to_have_value("Alder half ty")
        expect(page.get_by_label("Role of column note")).to_have_value("ignore")
        expect(page.get_by_label("Role of column question")).to_have_value("detail")
        drawn(page)
        page.reload()  # all of it, but what is half typed, is at the server by now
        expect(page.get_by_label("Role of column question")).to_have_value("detail")
        expect(title).to_have_value("My garden, half")
