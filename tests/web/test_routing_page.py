"""The Routing page: which point its address asks for, what its buttons say to use cases, how it is
drawn while much is read, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from graders.core.errors import CogradeError, InputError
from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.kit import Asked, View
from graders.web.pages import routing as routing_page
from graders.web.pages.routing.curve import chosen, curve_of, sentence
from graders.web.pages.routing.doing import do
from graders.web.serve import resolver_of
from graders.workflows.projects.settings import settings
from graders.workflows.routing import page as use
from graders.workflows.routing.consent import NeedsConsent
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support import kept
from tests.support.opened import texts_in
from tests.support.routed import routed
from tests.support.studies import bring


class Sorted:
    """Notes that orders are to be made."""

    def __init__(self) -> None:
        self.asked = 0

    def sort(self, *_: object) -> None:
        """What the supervisor of workers does."""
        self.asked += 1


@pytest.fixture(scope="module")
def scope(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    return routed(tmp_path_factory.mktemp("routing"), creative=False, calibration=0.7)


def asked(scope: Scope) -> Asked:
    return Asked(scope, View.of("?project=study"))


def test_the_address_names_a_risk_or_the_most_answers_that_are_read(scope: Scope) -> None:
    found = use.routing(scope, "study")
    assert chosen(found, View({})).alpha == found.alpha == 0.1
    assert chosen(found, View({"risk": ["25"]})).alpha == 0.25
    assert chosen(found, View({"risk": ["999"]})).alpha == found.curve[-1].alpha
    assert chosen(found, View({"risk": ["x"]})).alpha == 0.1
    most = found.curve[0].answers - 1
    point = chosen(found, View({"read": [str(most)]}))
    assert point.answers <= most
    assert all(one.answers > most for one in found.curve if one.alpha < point.alpha)
    # fewer than at any risk: as few as there can be
    assert chosen(found, View({"read": ["1"]})) == found.curve[-1]
    # who moved the risk afterwards is shown the risk
    assert chosen(found, View({"read": ["1"], "risk": ["5"]})).alpha == 0.05


def test_the_sentence_is_said_alone_and_with_its_numbers_marked(scope: Scope) -> None:
    found = replace(use.routing(scope, "study"), people=0.92)
    told, marked = sentence(found, chosen(found, View({})))
    assert told.startswith("People read ") and told.endswith(
        " on at most 10 %, with 90 % confidence; human–human disagreement is 8 %."
    )
    assert marked.count('<span class="num">') == 3 and marked.striptags() == told


def test_every_part_of_the_chart_leads_to_its_risk(scope: Scope) -> None:
    found = use.routing(scope, "study")
    curve = curve_of(found, chosen(found, View({})))
    assert [strip.risk for strip in curve.strips] == list(range(1, 31))
    assert curve.strips[0].left == 0 and sum(strip.width for strip in curve.strips) == (
        pytest.approx(100)
    )
    assert [strip.risk for strip in curve.wide] == [3, 9, 15, 21, 27]
    assert curve.line.count("L") == len(found.curve) - 1 and 0 <= curve.y <= 100


@pytest.mark.parametrize(
    "deed",
    [
        {"do": "draw", "answers": "many"},
        {"do": "draw", "answers": 1.5},
        {"do": "draw", "answers": float("nan")},
        {"do": "draw", "answers": "1e400"},
        {"do": "draw", "answers": 0},
        {"do": "draw", "answers": 3, "alpha": None, "delta": 0.1, "within": 0},
        {"do": "draw", "answers": 3, "task": "other"},
        {"do": "fix", "alpha": 2, "delta": 0.1, "within": "0"},
        {"do": "fix", "alpha": 0.1, "delta": float("nan"), "within": "0"},
        {"do": "fix", "alpha": 0.1, "delta": 0.1, "within": "x"},
        {"do": "open", "import": True},
        {"do": "open", "import": "2"},
        {"do": "open", "import": 99},
        {"do": "open"},
        {"do": "place", "criterion": "nowhere", "labels": 5, "task": "factual"},
        {"do": "place", "criterion": {}, "labels": [], "task": []},
        {"do": "stop", "criterion": "small/relevance", "task": "factual"},
        {"do": "order", "order": "backwards"},
        {"do": "order", "order": ["came"]},
        {"do": "route", "promises": "yes", "whole": 3},
    ],
)
def test_what_a_button_cannot_mean_is_refused(scope: Scope, deed: dict[str, Any]) -> None:
    before = settings(scope, "study")
    with pytest.raises(CogradeError):
        do(asked(scope), deed, Sorted())  # type: ignore[arg-type]
    assert settings(scope, "study") == before


def test_buttons_fix_terms_draw_and_route(tmp_path: Path) -> None:
    scope, supervisor = routed(tmp_path, creative=False, calibration=0.3), Sorted()

    def done(**deed: Any) -> str:
        return do(asked(scope), deed, supervisor)  # type: ignore[arg-type]

    assert done(do="fix", alpha=0.2, delta=0.15, within="1") == ""
    terms = use.routing(scope, "study").terms
    assert terms and (terms.alpha, terms.delta, terms.within) == (0.2, 0.15, 1)
    drawn = terms.drawn
    assert done(do="draw", answers="4", task="factual") == ""
    with pytest.raises(NeedsConsent):
        done(do="draw", answers=80)
    done(do="draw", answers=80, consent=True)
    terms = use.routing(scope, "study").terms
    assert terms and terms.drawn == drawn + 84
    assert done(do="order", order="came") == ""
    assert use.routing(scope, "study").order.setting == "came"
    said = done(do="route", promises=True, whole=True)
    assert said.startswith("Routed: ") and said.endswith(" to the machine.")
    assert use.routing(scope, "study").settings == use.PromiseSettings(promises=True, whole=True)
    assert supervisor.asked == 4


def test_kept_labels_are_shown_and_opened_for_their_test(tmp_path: Path) -> None:
    wrong = np.random.default_rng(3).random((200, 2)) < 0.03
    labelled = [(i, k) for i in range(0, 200, 3) for k in range(2)]
    scope = kept.study(tmp_path, wrong, labelled)
    human = kept.labels(wrong, [(i, 0) for i in range(1, 90, 3)], person="jon")
    bring(scope, tmp_path, kept.RUBRIC, labels_blind=True, questions=[], human=human)
    first, second = use.routing(scope, "study").kept
    assert first.ready and first.labels > 40 and "no figure has shown them" in first.words
    with page(scope) as client:
        told = "\n".join(texts_in(client.get("/routing?project=study").text))
    assert first.words in told and told.count("Fix terms and order, then open") == 2
    supervisor = Sorted()
    do(asked(scope), {"do": "open", "import": first.id}, supervisor)  # type: ignore[arg-type]
    found = use.routing(scope, "study")
    assert [one.id for one in found.kept] == [second.id] and supervisor.asked == 1
    assert found.rows[0].state == "PROVEN" and found.kept[0].stake


def page(scope: Scope) -> TestClient:
    made = Settings(workspace=scope.ws.path)
    return TestClient(make_app(resolver_of(scope.ws, made), made), base_url="http://localhost")


def test_an_address_without_sense_is_refused_in_a_sentence(scope: Scope) -> None:
    with page(scope) as client:
        texts = list(texts_in(client.get("/routing?project=study&sure=200").text))
        assert any("delta: found -1, expected a share from" in text for text in texts)
        told = "\n".join(texts_in(client.get("/routing?project=study&people=x&hours=1").text))
        # the rest of the page stands
        assert "People: found x, expected a number." in told and "Who decides what" in told


def test_a_workspace_without_projects_leads_to_the_first_file(tmp_path: Path) -> None:
    with page(Scope(Actor(), small.workspace(tmp_path))) as client:
        told = "\n".join(texts_in(client.get("/routing").text))
        assert "There is nothing to route yet." in told and 'href="/"' in told


def test_a_page_says_how_far_reading_is_before_it_draws(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = use.routing_so_far
    begun: list[bool] = []

    def so_far(*args: Any, **more: Any) -> Any:
        begun.append(more["begun"])
        found = whole(*args, **{**more, "patience": None})
        return found if more["begun"] else use.StillReading(found.project, use.Read(1, 3))

    monkeypatch.setattr(routing_page.use, "routing_so_far", so_far)
    with page(scope) as client:
        told = "\n".join(texts_in(client.get("/routing?project=study").text))
    assert "Reading what machines and people said: 1 of 3 criteria." in told
    assert "Who decides what" not in told and begun == [False]


def test_a_number_is_called_by_its_field() -> None:
    with pytest.raises(InputError, match=r"^Hours each: found x, expected a number\.$"):
        routing_page.cards.number("each", "x")
