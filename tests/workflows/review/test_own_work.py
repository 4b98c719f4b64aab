"""My work: a person's own verdicts under filters, and the screens that they skipped."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from graders.core.errors import CogradeError
from graders.core.settings import Settings
from graders.store import projects
from graders.store.desk.own_verdicts import OwnFilters
from graders.web.app import make_app
from graders.web.serve import resolver_of
from graders.workflows.review import grading, own_work
from graders.workflows.review.own_work import OwnWork
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.opened import texts_in

MODELS = ("Ash", "Oak")


@pytest.fixture
def mira(tmp_path: Path) -> Scope:
    """Mira saved one screen, changed a verdict on it, and skipped another."""
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws, count=3, models=MODELS)
    small.sample(ws, blind=1.0)
    scope = small.scope_of(ws, "mira")
    first, second = grading.next_screens(scope, "study", 2)
    small.save(scope, first, "save-s1-00")
    small.save(scope, first, "save-s2-00", {**small.VALUES, "completeness": 2})
    small.save(scope, second, "save-s3-00", {}, skipped="too long")
    other = small.scope_of(ws, "jonas")
    (third,) = grading.next_screens(other, "study", 1)
    small.save(other, third, "save-s4-00")
    return scope


def found(scope: Scope, page: int = 1, **wanted: object) -> OwnWork:
    return own_work.own_work(scope, "study", OwnFilters(**wanted), page)  # type: ignore[arg-type]


def test_verdicts_are_found_by_criterion_category_words_and_change(mira: Scope) -> None:
    everything = found(mira)
    assert everything.count == len(everything.rows) > 0
    assert everything.today.screens == 1
    title, key = next(pair for pair in everything.criteria if pair[1] == "small/completeness")
    only = found(mira, criterion=key)
    assert {row.criterion for row in only.rows} == {title} and only.count < everything.count
    assert {row.word for row in only.rows} == {"2"}
    changed = found(mira, changed=True)
    assert {row.criterion for row in changed.rows} == {title}
    assert all(row.changed for row in changed.rows) and changed.count == only.count
    (category,) = {row.category for row in everything.rows}
    assert found(mira, category=category).count == everything.count
    assert found(mira, category="elsewhere").count == 0
    assert found(mira, query="100%_").count == 0
    assert found(mira, query=everything.rows[0].question[:12]).count == everything.count


def test_models_are_told_only_where_annotators_may_know_them(mira: Scope) -> None:
    blind = found(mira, model="Ash")
    assert blind.count == found(mira).count and not blind.models
    assert {row.model for row in blind.rows} == {""}
    assert all(row.answer.startswith("[model] says") for row in blind.rows)
    assert found(mira, query="Ash").count == 0
    projects.set_settings(mira.ws, mira.project("study"), {"show_models": True})
    told = found(mira, model="Ash")
    assert {row.model for row in told.rows} == {"Ash"} and list(told.models) == list(MODELS)
    assert all(row.answer.startswith("Ash says") for row in told.rows)
    assert found(mira, query="Ash says").count == told.count


def test_skipped_screens_and_pages(mira: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = found(mira).skipped
    assert grading.one_screen(mira, "study", one.screen_id).question.text == one.question
    count = found(mira).count
    monkeypatch.setattr(own_work, "ROWS", 3)
    pages = [found(mira, page) for page in range(1, -(-count // 3) + 1)]
    assert sum(len(one.rows) for one in pages) == count and pages[0].pages == len(pages)
    assert found(mira, 99).page == len(pages)


def test_others_and_nobody_have_none_of_it(mira: Scope) -> None:
    jonas = small.scope_of(mira.ws, "jonas")
    mine = {(row.screen, row.criterion) for row in found(mira).rows}
    assert not mine & {(row.screen, row.criterion) for row in found(jonas).rows}
    assert found(jonas).skipped == []
    with pytest.raises(CogradeError):
        found(small.scope_of(mira.ws))


def test_the_page_shows_them_and_each_leads_to_its_screen(mira: Scope) -> None:
    settings = Settings(workspace=mira.ws.path)
    browser = TestClient(
        make_app(resolver_of(mira.ws, settings), settings), base_url="http://localhost"
    )
    person = browser.post("/api/me", json={"name": "Vera"}).json()["person"]["id"]
    vera = Scope(Actor(person), mira.ws)
    (screen,) = grading.next_screens(vera, "study", 1)
    small.save(vera, screen, "save-v1-00")
    rows = found(vera).rows
    assert rows and {row.screen for row in rows} == {screen.id}
    said = "\n".join(texts_in(browser.get("/my-work?project=study").text))
    assert said.count(f"/review?project=study&screen={screen.id}") == len(rows)
    assert f"{len(rows)} verdicts of yours." in said
    narrowed = "criterion=small%2Fcompleteness&which=changed"
    said = "\n".join(texts_in(browser.get(f"/my-work?project=study&{narrowed}").text))
    assert "0 verdicts of yours." in said and "No verdict of yours is like that." in said
