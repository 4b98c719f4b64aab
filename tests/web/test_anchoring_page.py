"""The page Anchoring: figures of both arms as it is opened, and what it says where there are none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.statistics.resampling import Estimate
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.pages.anchoring import pointed, pulls_of
from graders.web.serve import resolver_of
from graders.workflows.diagnostics.anchoring import anchoring
from graders.workflows.opinions.narrowing import filters_of
from graders.workflows.projects.demo import ensure_demo
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.opened import texts_in

NAME = "autumn-study"


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    ws = open_workspace(tmp_path_factory.mktemp("anchoring") / "work.db")
    ensure_demo(ws)
    return Scope(Actor(), ws)


def opened(scope: Scope, address: str = "") -> str:
    settings = Settings(workspace=scope.ws.path)
    with TestClient(
        make_app(resolver_of(scope.ws, settings), settings), base_url="http://localhost"
    ) as browser:
        return "\n".join(texts_in(browser.get(f"/anchoring?project={NAME}{address}").text))


def test_each_criterion_has_its_effect_and_a_sentence_to_copy(scope: Scope) -> None:
    found, texts = anchoring(scope, NAME), opened(scope)
    assert found.rows and found.title in texts and found.subtitle in texts
    for row in found.rows:
        assert row.sentences.pull in texts and row.sentences.rest in texts
        assert f"{row.arms.blind:,} blind, {row.arms.assisted:,} assisted" in texts
    narrowed = anchoring(scope, NAME, filters_of({"category": ["advice"]}))
    texts = opened(scope, "&category=advice")
    assert narrowed.subtitle in texts and "Filters: 1 set" in texts
    refused = opened(scope, "&action=typed")
    assert 'role="alert"' in refused and "Show the page without filters" in refused


def test_the_axis_holds_every_interval_and_nought_has_no_sign() -> None:
    def row(*figure: float | None) -> Any:
        pull = SimpleNamespace(value=figure[0], low=figure[1], high=figure[2], reason="too few")
        return SimpleNamespace(title="Tone", pull=pull, words="INCONCLUSIVE: too few")

    pulls = pulls_of(
        cast(Any, SimpleNamespace(rows=[row(0.1, -0.32, 0.61), row(None, None, None)]))
    )
    assert (pulls.low, pulls.high, pulls.ticks) == (-0.4, 0.7, [0.0, 0.5])
    assert [line.value for line in pulls.lines] == ["+10 (-32 to +61)", "–"]
    assert [line.label for line in pulls.lines][1] == "Tone: too few"
    assert {line.sentence for line in pulls.lines} == {"too few"}
    none = pulls_of(cast(Any, SimpleNamespace(rows=[])))
    assert (none.low, none.high, none.ticks) == (-0.1, 0.3, [-0.1, 0.0, 0.1, 0.2, 0.3])
    assert pointed(cast(Estimate, row(-0.001, None, None).pull)) == "0"
