"""The page Diagnostics: the cards of a judge as it is opened, the judge that an address names, what
is drawn of its leans, and the project's anchor questions and seeded faults."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient

from graders.core.errors import InputError
from graders.core.settings import Settings
from graders.core.words import say
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.kit.drawing import drawn
from graders.web.pages.diagnostics.lean import follows_of, leans_of
from graders.web.pages.diagnostics.own import _count, _share
from graders.web.serve import resolver_of
from graders.workflows.diagnostics.diagnose import diagnostics
from graders.workflows.diagnostics.judge_report import DiagnosedJudge, Name
from graders.workflows.projects.demo import ensure_demo
from graders.workflows.runs import drift_anchors
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.opened import texts_in

NAME = "autumn-study"


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    ws = open_workspace(tmp_path_factory.mktemp("diagnostics") / "work.db")
    ensure_demo(ws)
    return Scope(Actor(), ws)


def opened(scope: Scope, address: str = "") -> str:
    settings = Settings(workspace=scope.ws.path)
    with TestClient(
        make_app(resolver_of(scope.ws, settings), settings), base_url="http://localhost"
    ) as browser:
        return "\n".join(texts_in(browser.get(f"/diagnostics?project={NAME}{address}").text))


def test_the_page_has_every_figure_of_the_judge_that_its_address_names(scope: Scope) -> None:
    found = diagnostics(scope, NAME)
    first, second = found.judges[:2]
    texts = {judge.ref: opened(scope, f"&judge={judge.ref}") for judge in (first, second)}
    for judge in (first, second):
        text = texts[judge.ref]
        assert found.title in text and found.subtitle in text
        assert follows_of(judge)["lean"] in text
        for row in judge.criteria:
            for name, figure in row.figures.items():
                others = [r.figures[name] for r in judge.criteria if name in r.figures]
                alike = [f.sentence for f in others if f.reason == figure.reason]
                assert any(sentence in text for sentence in alike), (name, figure.sentence)
                if figure.value is not None:
                    assert figure.sentence in text, name
    assert texts[first.ref] != texts[second.ref]
    assert follows_of(first)["lean"] in opened(scope, "&judge=nobody")
    assert f"judge={second.name}" in texts[second.ref]  # its cells without a value


def test_filters_narrow_figures_down_and_a_wrong_one_is_refused(scope: Scope) -> None:
    assert "Filters: 1 set" in opened(scope, "&category=advice")
    refused = opened(scope, "&since=nonsense")
    assert 'role="alert"' in refused and "Show the page without filters" in refused


def test_an_axis_holds_every_interval_and_reasons_that_are_shared_are_said_once() -> None:
    def figure(*ends: float | None, **more: Any) -> Any:
        value, low, high = ends
        known = {"status": "OK", "reason": "", "words": "It gives more.", "sentence": "Whole."}
        return SimpleNamespace(value=value, low=low, high=high, real=False, **(known | more))

    def row(title: str, **figures: Any) -> Any:
        named = {Name(name): one for name, one in figures.items()}
        return SimpleNamespace(title=title, range=4.0, figures=named, findings=[])

    none = figure(None, None, None, status="INCONCLUSIVE", reason="it graded too few")
    judge = cast(
        DiagnosedJudge,
        SimpleNamespace(
            name="south",
            criteria=[row("Tone", leniency=figure(0.4, -0.2, 1.0)), row("Depth", leniency=none)],
        ),
    )
    leans = leans_of(judge)
    assert (leans.reach, leans.ticks) == (30, [-30, -20, -10, 0, 10, 20, 30])
    (kind,) = leans.kinds
    (line,), (without,) = kind.lines, kind.without
    assert line.at == (10.0, -5.0, 25.0) and line.told == ""
    assert line.label == "Tone: It gives more. 10 % of the scale, -5 to 25."
    assert (without.criteria, without.reason) == ("Depth", "It graded too few.")
    assert follows_of(judge)["lean"].startswith("No bias of south is significant.")


def test_anchor_questions_are_listed_each_with_a_way_to_take_it_out(scope: Scope) -> None:
    assert say("diagnostics.page.anchors.none") in opened(scope)
    found = drift_anchors.draw(scope, NAME, 3)
    texts = opened(scope)
    assert f"3 of {found.of} questions are anchors." in texts
    for one in found.questions:
        assert f'aria-label="Remove {one.id}"' in texts
    drift_anchors.name(scope, NAME, [])
    with pytest.raises(InputError, match="a whole number from 1 to 200"):
        _count("ten")


def test_a_share_is_typed_in_percent() -> None:
    assert [_share(text) for text in ("20", " 12,5 % ", "100")] == [0.2, 0.125, 1.0]
    with pytest.raises(InputError, match="at most 100"):
        _share("some")


def test_what_stands_in_a_project_without_judges_leads_to_a_run() -> None:
    from graders.web.kit import View

    made = drawn("diagnostics/nothing.html", plain=View({"project": ["<b>"]}))
    assert 'href="/run?project=%3Cb%3E"' in made
