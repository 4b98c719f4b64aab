"""The Workshop page: what its address opens, that nothing is asked before its price was shown, and
that keys are kept nowhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from graders.core.errors import InputError
from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.kit import Asked, View
from graders.web.pages.workshop import asking, form, tries
from graders.web.pages.workshop.tries import Told
from graders.web.serve import resolver_of
from graders.workflows.runs import judges, runs
from graders.workflows.scope.permissions import Scope
from graders.workflows.workshop import workshop
from tests.store import small
from tests.support.opened import config_of, texts_in
from tests.support.stub import StubProvider, provider_stub

NOTE = "<img src=x onerror=alert(1)>"
RUBRIC = (
    "rubric: small\ncriteria:\n  relevance: {question: Does it do what was asked?, "
    "scale: [irrelevant, relevant], graders: [judge]}\n"
)
QUESTIONS = 8


@pytest.fixture
def stub() -> Iterator[StubProvider]:
    with provider_stub(latency=0.0) as running:
        yield running


@pytest.fixture
def scope(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stub: StubProvider) -> Scope:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
    scope = small.scope_of(small.workspace(tmp_path))
    tables = {
        "questions": small.questions(QUESTIONS),
        "answers": small.answers(QUESTIONS, ["Ash"]),
        "human": [
            small.human(f"q{n}", "Ash", "relevance", "ann", "relevant")
            for n in range(1, QUESTIONS + 1)
        ],
    }
    small.bring(scope, small.folder(tmp_path, "study", **tables), rubric=RUBRIC)
    judges.set_up(scope, "study", "strict", "openai:stub", {"persona": "a strict teacher"})
    return scope


class Started:
    """Notes which runs were given a worker, and with which keys."""

    def __init__(self) -> None:
        self.runs: list[tuple[int, dict[str, str]]] = []

    def start(self, ws: object, run: int, keys: dict[str, str]) -> None:
        """What the supervisor of workers does."""
        self.runs.append((run, keys))


def asked(scope: Scope, address: str = "", **event: Any) -> Asked:
    return Asked(scope, View.of(f"?project=study&{address}"), None, event)


def card() -> form.Form:
    """The card, its parts by their names."""
    fields = {name: name for pair in (("persona",), *form.PAIRS) for name in pair}
    about = ("examples", "judge", "note", "answers", "budget_money", "budget_calls")
    parts = ("reached", "plan", "ask", "said", "agreed", "filled")
    return form.Form("box", "pick", fields, {name: name for name in about}, *parts)


def typed(made: form.Form, **values: str) -> list[str]:
    """What stands in the fields, from the judge on."""
    given = {"pick": "strict", "judge": "openai:stub", "examples": "same", **values}
    return [given.get(name, "") for name in ("pick", *made.fields, *made.about)]


def tried(scope: Scope, **options: Any) -> None:
    change = {"fields": {"persona": "a kind teacher"}, "note": NOTE}
    begun = workshop.start(scope, "study", "strict", change, options)
    runs.execute(scope.ws, begun.run)


def test_nothing_is_asked_before_its_price_is_on_the_button(
    scope: Scope, stub: StubProvider
) -> None:
    started, made = Started(), card()
    site: Any = SimpleNamespace(supervisor=started)
    frame: Any = SimpleNamespace(alert="alert")
    begin = asking.Asking(site, "running", "timer")
    reached = {"address": "", "key": "sk-typed"}
    values = typed(made, persona="a kind teacher", budget_calls="5")

    def press(agreed: str, running: str = "", values: list[str] = values) -> Any:
        return form._asked(frame, made, begin, asked(scope), running, agreed, reached, *values)

    parts = press("")
    assert started.runs == [] and "nothing was sent" in parts["alert"]
    assert parts["ask"]["value"] == "Ask both: 16 calls, price unknown"
    parts = form._planned(made, asked(scope), "", reached, *values)
    assert "persona: a strict teacher → a kind teacher" in parts["plan"]
    other = typed(made, persona="a mild teacher", budget_calls="5")
    assert press(parts["agreed"], "", other)["alert"] and started.runs == []
    assert workshop.workshop(scope, "study").tries == []
    begun = press(parts["agreed"])
    ((run, keys),) = started.runs
    assert keys == {"": "sk-typed"} and "sk-typed" not in str(begun)
    assert json.loads(begun["running"]) == {
        "run": run,
        "judge": "strict",
        "number": 1,
        "again": False,
    }
    assert press(parts["agreed"], begun["running"]) == {} and len(started.runs) == 1
    assert "sk-typed" not in "\n".join(scope.ws.db.iterdump())
    assert stub.stats()["requests"] == 0


def test_the_address_opens_the_price_of_what_is_missing(scope: Scope, stub: StubProvider) -> None:
    tried(scope, budget_calls=10, concurrency=1)
    bought = stub.stats()["requests"]
    settings = Settings(workspace=scope.ws.path)
    with TestClient(
        make_app(resolver_of(scope.ws, settings), settings), base_url="http://localhost"
    ) as browser:
        browser.post("/api/me", json={"name": "Ann"})
        address = "/workshop?project=study&judge=strict&again=1"
        page = browser.get(address).text
        shown = next(text for text in texts_in(page) if "What is missing of try 1" in text)
        assert f"Ask: {16 - bought} calls, price unknown" in shown
        assert NOTE not in json.dumps(config_of(page))
        plain = list(texts_in(browser.get("/workshop?project=study").text))
        assert not any("What is missing of try 1" in text for text in plain)
        lost = list(texts_in(browser.get("/workshop?project=study&judge=nobody").text))
        assert any("no judge that is set up" in text for text in lost)
    assert stub.stats()["requests"] == bought


def test_what_is_missing_is_asked_for_the_price_that_stood_there(
    scope: Scope, stub: StubProvider
) -> None:
    tried(scope, budget_calls=10, concurrency=1)
    left = 16 - stub.stats()["requests"]
    started = Started()
    begin = asking.Asking(SimpleNamespace(supervisor=started), "running", "timer")  # type: ignore[arg-type]
    said = {"judge": "strict", "again": 1, "budget_calls": "", "key": "sk-typed"}
    with pytest.raises(InputError, match="a plan that has changed"):
        begin.again(asked(scope, **said, agreed=left - 1), "")
    assert begin.again(asked(scope, **said, agreed=left), "at work") == {}
    with pytest.raises(InputError):
        begin.again(asked(scope, **{**said, "again": "1"}, agreed=left), "")
    assert started.runs == []
    parts = begin.again(asked(scope, **said, agreed=left), "")
    assert json.loads(parts["running"])["again"] is True
    assert started.runs[0][1] == {"": "sk-typed"}
    runs.execute(scope.ws, started.runs[0][0], key={"": "sk-typed"})
    assert stub.stats()["requests"] == 16, "what was bought is not bought again"


def test_a_try_is_kept_or_dropped_by_its_button(scope: Scope) -> None:
    tried(scope)
    told = tries.ended(asked(scope, state="dropped", judge="strict", **{"try": 1}))
    assert Told.of(told.text) == told and "Try 1 of strict is dropped" in told.words
    kept = tries.ended(asked(scope, state="kept", judge="strict", **{"try": 1}))
    assert "strict is now what try 1 of 1 was." in kept.words
    with pytest.raises(InputError, match="kept or dropped"):
        tries.ended(asked(scope, state="burnt", judge="strict", **{"try": 1}))
    assert Told.of("no JSON") == Told("", 0, "")
    # the judge is another now: the form holds it, and what was typed for the earlier one is gone
    made, found = card(), workshop.workshop(scope, "study", "strict")
    parts = made.draw(asked(scope), found, "before")
    assert parts["persona"] == "a kind teacher"
    assert set(made.draw(asked(scope), found, parts["filled"])) == {"pick"}


def test_without_a_project_the_page_leads_to_the_first_file(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    settings = Settings(workspace=ws.path)
    with TestClient(
        make_app(resolver_of(ws, settings), settings), base_url="http://localhost"
    ) as browser:
        for path, heading in (
            ("/workshop", "no judges to change"),
            ("/judges", "no answers to judge"),
        ):
            shown = list(texts_in(browser.get(path).text))
            assert any(heading in text and "Choose a file" in text for text in shown), path
