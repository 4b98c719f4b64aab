"""A verdict is found on My work and reopened on the desk by one key."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from graders.store.workspace import open_workspace
from graders.workflows.review import grading
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.app import serve
from tests.store import small
from tests.support.entering import enter

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


def test_a_verdict_is_filtered_and_reopened_by_one_key(page: Page, tmp_path: Path) -> None:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=4, models=("Ash",))
    with serve(tmp_path) as server:
        who = enter(page.request, server.url, "Vera").json()
        vera = Scope(Actor(who["person"]["id"]), ws)
        first, second = grading.next_screens(vera, "study", 2)
        small.save(vera, first, "save-first")
        small.save(vera, second, "save-second", {}, skipped="too long")
        ws.close()
        page.goto(f"{server.url}/my-work?project=study")
        expect(page.get_by_role("heading", name="4 verdicts of yours.")).to_be_visible()
        page.get_by_label("Criterion", exact=True).click()
        page.get_by_role("option", name="Tone").click()
        expect(page.get_by_role("heading", name="1 verdict of yours.")).to_be_visible()
        expect(page).to_have_url(re.compile("criterion=small%2Ftone"))
        page.get_by_role("link", name=first.question.text).focus()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(rf"/review\?.*question={first.question.id}"))
        expect(page.get_by_text("all decided").first).to_be_visible()
        page.goto(f"{server.url}/my-work?project=study")
        page.get_by_label("skipped screens").check()
        expect(page.get_by_role("heading", name="You skipped 1 screen.")).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_role("link", name=second.question.text).click()
        expect(page).to_have_url(re.compile(rf"question={second.question.id}"))
