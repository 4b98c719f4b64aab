"""A lead manages a project in the browser: takes an import back, renames the project, exports and
deletes it, and brings it back."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store.workspace import open_workspace
from tests.browser.app import serve
from tests.store import small
from tests.support.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    ws = open_workspace(tmp_path / "small.db")
    scope = small.study(tmp_path, ws)
    texts = small.answers(5, ("Ash",), text="{model} <b>now</b> says {i}.")
    more = small.folder(tmp_path, "more <i>answers", questions=small.questions(5), answers=texts)
    small.bring(scope, more, rubric=None)
    ws.settle()
    (tmp_path / "app").mkdir()
    with serve(tmp_path / "app", tmp_path / "small.db") as running:
        yield running


def test_an_import_goes_a_project_is_renamed_and_deleted(
    own_page: Page, server: Server, tmp_path: Path
) -> None:
    page = own_page
    page.goto(server.url)
    page.get_by_role("link", name="Manage").click()
    rows = page.get_by_role("region", name="Imports").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("more <i>answers")
    expect(rows.nth(1)).to_contain_text("Take import 2 back first.")
    for width in (1440, 390):
        for scheme in ("light", "dark"):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{wide} px at {width} px"
            if folder := os.environ.get("SHOTS"):
                page.screenshot(path=f"{folder}/manage-{width}-{scheme}.png", full_page=True)
    page.set_viewport_size({"width": 1440, "height": 900})
    rows.nth(0).get_by_role("button", name="Take back").click()
    dialog = page.get_by_role("dialog", name="Take back an import")
    expect(dialog).to_contain_text(
        "It brought 1 question and 5 answers, 4 of the answers in a new version"
    )
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    rows.nth(0).get_by_role("button", name="Take back").click()
    dialog.get_by_role("button", name="Take back").click()
    expect(rows.nth(0)).to_contain_text("Taken back 20")
    expect(rows.nth(1).get_by_role("button", name="Take back")).to_be_visible()
    page.get_by_label("Title").fill("Support bot")
    page.get_by_label("Name in links and commands").fill("support")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", name="Manage Support bot")).to_be_visible()
    expect(page.get_by_label("Project", exact=True)).to_have_value("support")
    page.goto(f"{server.url}/results?project=study")
    page.wait_for_url("**/results?project=support")
    page.goto(f"{server.url}/?manage=support")
    end = page.get_by_role("button", name="2. Delete the project")
    page.get_by_label("Type “support” to delete it").fill("support")
    expect(end).to_be_disabled()
    with page.expect_download() as download:
        page.get_by_role("button", name="1. Export all of it").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    with zipfile.ZipFile(file) as archive:
        assert len(archive.read("answers.jsonl").splitlines()) == 12
    end.click()
    expect(page.get_by_role("heading", name="Deleted: Support bot")).to_be_visible()
    page.get_by_role("link", name="All projects").click()
    expect(page.get_by_role("link", name="Manage")).to_have_count(0)
    page.goto(f"{server.url}/results?project=support")
    expect(page.get_by_text("a project that was deleted on 20")).to_be_visible()
    page.goto(server.url)
    page.set_input_files("input[type=file]", file)
    page.get_by_role("button", name="Read all rows").click()
    page.get_by_role("button", name="Import 4 questions and 12 answers").click()
    expect(page.get_by_role("heading", name="Imported: Support bot.")).to_be_visible()
