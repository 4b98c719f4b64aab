"""One next step on every page, as a button; none where the page itself is that step."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.web.app import make_app, pages
from graders.web.serve import resolver_of
from graders.workflows.home import frame, overview
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.opened import texts_in

BUTTON = re.compile(r'<a class="btn p xs step"[^>]*href="([^"]+)"[^>]*>([^<]+)</a>')
#: Pages that are the next step in turn, and a project for which they are.
STEPS = {"/run": "fresh", "/review": "routed", "/results": "done"}
PATHS = sorted(page.path for page in pages() if page.nav)


def opened(scope: Scope) -> TestClient:
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    return TestClient(app, base_url="http://localhost")


def buttons(browser: TestClient, path: str) -> list[tuple[str, str]]:
    """The buttons in the head of a page: of the one that is drawn by the server, else as its script
    asks for it."""
    html = browser.get(f"{path}?project=study").text
    said = "\n".join(texts_in(html))
    if "k-head" not in html:
        asked = {"project": "study", "path": path}
        said = browser.get("/api/frame", params=asked).json()["nav"]
    return BUTTON.findall(said)


@pytest.fixture(scope="module")
def review(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    """A project whose screens wait."""
    folder = tmp_path_factory.mktemp("review")
    return small.study(folder, small.workspace(folder), count=2, models=("Ash",))


def test_every_page_has_the_next_step_but_the_one_that_it_is(review: Scope) -> None:
    step = overview.next_step(review, "study")
    assert (step.kind, step.href) == ("review", "/review?project=study")
    browser = opened(review)
    told = f"Next: {step.label[0].lower()}{step.label[1:]}"
    for path in PATHS:
        there = buttons(browser, path)
        if path in frame.SAY_IT:
            assert there == [], path
        else:
            assert there == [(step.href, told)], path
    # the page of projects has it in the project's card
    assert any(step.href in text for text in texts_in(browser.get("/?project=study").text))


def test_the_page_that_is_the_step_has_none(review: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = opened(review)
    for path in PATHS:
        if path in frame.SAY_IT:
            continue
        step = SimpleNamespace(href=f"{path}?project=study", label="Do it", why="it waits")
        monkeypatch.setattr(overview, "next_step", lambda *_, step=step: step)
        assert buttons(browser, path) == [], path
        other = next(one for one in PATHS if one not in (path, *frame.SAY_IT))
        assert [words for _, words in buttons(browser, other)] == ["Next: do it"]


def test_annotators_and_pages_without_a_project_have_none(tmp_path: Path, review: Scope) -> None:
    as_annotator = SimpleNamespace(actor=SimpleNamespace(role="annotator"))
    assert frame.next_for(as_annotator, "study", "/results") is None  # type: ignore[arg-type]
    assert frame.next_for(review, "", "/results") is None


def test_an_empty_workspace_leads_from_every_page_to_the_first_file(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    browser = opened(Scope(Actor(), ws))
    for page in pages():
        if page.build is None or page.path in ("/", "/visit"):
            continue
        drawn = "\n".join(texts_in(browser.get(page.path).text))
        assert re.search(r"<h1[^>]*>[^<]+</h1>", drawn) and 'role="alert"' not in drawn, page.path
        assert re.search(r'<a class="btn p" href="/', drawn), page.path
