"""Each person reads their own language: as the browser asks, or as they chose, side by side."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from graders.core import words
from graders.core.settings import Settings
from graders.core.words import WORDS
from graders.web.app import make_app
from graders.web.languages import wanted
from graders.web.serve import resolver_of
from tests.store import small
from tests.support.opened import config_of


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A browser that asks for Russian, where a made-up Russian has all words."""
    shutil.copytree(WORDS / "en", tmp_path / "words/en")
    (tmp_path / "words/ru").mkdir()
    for file in (WORDS / "en").glob("*.json"):
        own = {key: f"‹{text}›" for key, text in json.loads(file.read_text("utf-8")).items()}
        (tmp_path / "words/ru" / file.name).write_text(json.dumps(own), "utf-8")
    (tmp_path / "words/ru/pages.json").write_text('{"results.nav": "‹Results›"}', "utf-8")
    monkeypatch.setattr(words, "WORDS", tmp_path / "words")
    scope = small.study(tmp_path, small.workspace(tmp_path), count=1)
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    headers = {"accept-language": "ru-RU,ru;q=0.9,en;q=0.8"}
    with TestClient(app, base_url="http://localhost", headers=headers) as made:
        yield made


def labels(browser: TestClient, **headers: str) -> list[str]:
    """The labels of the parts that Gradio makes on Results."""
    config = browser.get("/results/config", headers=headers).json()
    return [one["props"].get("label") or "" for one in config["components"]]


def drawn(browser: TestClient, **headers: str) -> str:
    """The head of Results as it is opened: a page comes with its first drawing in it."""
    page = browser.get("/results?project=study", headers=headers).text
    components = config_of(page)["components"]
    return next(
        value for one in components if "<header" in (value := str(one["props"].get("value") or ""))
    )


def test_two_people_read_one_page_in_two_languages(browser: TestClient) -> None:
    own, english = labels(browser), labels(browser, **{"accept-language": "de,en;q=0.5"})
    assert any("‹" in one for one in own)
    assert [one.strip("‹›") for one in own] == english
    assert "‹Results›" in drawn(browser)
    assert "‹" not in drawn(browser, **{"accept-language": "en"})
    assert "‹" in drawn(browser), "a neighbour's language stays theirs"


def test_the_desk_brings_the_words_of_its_person(browser: TestClient) -> None:
    desk = browser.get("/api/desk?project=study").json()
    assert desk["language"] == "ru"
    assert desk["words"]["answer.name"].startswith("‹")
    desk = browser.get("/api/desk?project=study", headers={"accept-language": "ja"}).json()
    assert desk["language"] == "en"


def test_what_a_person_chose_goes_before_what_the_browser_asks(browser: TestClient) -> None:
    assert 'name="language"' in drawn(browser)
    browser.post("/api/me", json={"name": "Mira", "language": "en"})
    assert "‹" not in drawn(browser)
    browser.post("/api/me", json={"name": "Mira", "language": "xx"})
    assert "‹" not in drawn(browser), "what has no words is not chosen"


def test_one_language_has_nothing_to_choose(tmp_path: Path) -> None:
    scope = small.study(tmp_path, small.workspace(tmp_path), count=1)
    settings = Settings(workspace=scope.ws.path)
    app = make_app(resolver_of(scope.ws, settings), settings)
    with TestClient(app, base_url="http://localhost") as browser:
        assert 'name="language"' not in drawn(browser)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("ru", "ru"),
        ("ru-RU, en;q=0.9", "ru"),
        ("en;q=0.5, zh-Hant-TW;q=0.9", "zh"),
        ("de, ja;q=0", "en"),
        ("pt-br", "pt-BR"),
        ("*;q=x, ru;q=1", "ru"),
    ],
)
def test_a_browser_asks_in_order_of_weight(accepted: str, language: str) -> None:
    assert wanted(accepted, ("en", "ru", "zh", "ja", "pt-BR")) == language
