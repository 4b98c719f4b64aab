"""The Judges page: what its address opens, what its forms say to use cases, that nothing is asked
before its price was shown, and that what is stored is bought once."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from graders.core.errors import InputError, NotAllowed
from graders.core.settings import Settings
from graders.web.app import make_app
from graders.web.kit import Asked, View
from graders.web.pages.judges import examples, listing, setup, trying
from graders.web.serve import resolver_of
from graders.workflows.runs import judges, try_judge
from graders.workflows.runs.shown_run import status
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.opened import config_of, texts_in

HOSTILE = "<img src=x onerror=alert(1)>"
PARTS = ("judges", "panel", "answer", "ways", "show", "ask", "out", "agreed", "running")


class Started:
    """Notes which runs were given a worker, and with which keys."""

    def __init__(self) -> None:
        self.runs: list[tuple[int, dict[str, str]]] = []

    def start(self, ws: object, run: int, keys: dict[str, str]) -> None:
        """What the supervisor of workers does."""
        self.runs.append((run, keys))


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return small.study(tmp_path, small.workspace(tmp_path), count=2, models=("Ash", HOSTILE))


def asked(scope: Scope, address: str = "", **event: Any) -> Asked:
    return Asked(scope, View.of(f"?project=study&{address}"), None, event)


def card() -> trying.Attempt:
    """The card of a try, its parts by their names."""
    return trying.Attempt(*PARTS, "replied", "timer")


def test_the_address_opens_a_judge_its_corrections_and_the_question_before_deleting(
    scope: Scope,
) -> None:
    persona = "<b onclick=alert(2)>"
    given = {"persona": persona, "temperature": "0.5", "reference": "no"}
    judges.set_up(scope, "study", "strict", "openai:gpt-4o-mini", given)
    settings = Settings(workspace=scope.ws.path)
    with TestClient(
        make_app(resolver_of(scope.ws, settings), settings), base_url="http://localhost"
    ) as browser:
        browser.post("/api/me", json={"name": "Ann"})

        def shown(address: str) -> list[str]:
            return list(texts_in(browser.get(f"/judges?project=study&{address}").text))

        plain = shown("")
        listed = next(text for text in plain if "jlist" in text)
        assert "temperature 0.5" in listed and "no reference" in listed
        written = json.dumps(config_of(browser.get("/judges?project=study").text))
        assert persona not in written and "persona &lt;b onclick" in written
        changed = shown("change=strict")
        assert "openai:gpt-4o-mini" in changed and "0.5" in changed and persona in changed
        assert any("Change strict</h2>" in text for text in changed)
        like = shown("like=strict")
        assert "0.5" in like and any("Set up a judge</h2>" in text for text in like)
        assert any("Examples for strict</h2>" in text for text in shown("examples=strict"))
        assert any("no judge that is set up" in text for text in shown("examples=nobody"))
        assert "failed on the server" not in str(shown("change=nobody&forget=nobody"))


def test_what_is_set_of_a_judge_stands_in_the_form_as_it_is_typed(scope: Scope) -> None:
    given = {"temperature": "0,5", "per": "criterion", "reference": "no", "samples": "3"}
    form = setup.Form("head", "name", "judge", {name: name for name in given}, "fold", "said")
    parts = setup._kept(form, asked(scope), " strict ", "openai:gpt-4o-mini", *given.values())
    assert "Kept: strict. A run takes it by this name." in parts["said"]
    found = judges.judge_list(scope, "study")
    (one,) = [row for row in found.judges if row.set_up]
    assert one.options == {"temperature": 0.5, "per": "criterion", "reference": False, "samples": 3}
    shown = form.draw(asked(scope, "change=strict"), found)
    assert (shown["temperature"], shown["per"], shown["reference"]) == ("0.5", "criterion", "no")
    assert shown["samples"] == "3" and shown["name"] == "strict"
    assert form.draw(asked(scope, "like=strict"), found)["name"] == ""
    # what is half typed is left alone where the page is looked at again
    again = Asked(scope, View.of("?project=study"), View.of("?project=study"))
    assert form.draw(again, found) == {}
    with pytest.raises(InputError, match="temperature: found 'hot', expected a number"):
        setup._kept(form, asked(scope), "strict", "openai:gpt-4o-mini", "hot", "", "", "")


def test_nothing_is_asked_before_its_price_is_on_the_button(
    scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    started, made = Started(), card()
    frame: Any = SimpleNamespace(alert="alert", site=SimpleNamespace(supervisor=started))
    answer = try_judge.offered(scope, "study")[0].id
    fields = ({"key.": "sk-typed"}, ["openai:gpt-4o-mini"], "median", answer)

    def press(agreed: str, running: str = "", *others: Any) -> Any:
        return trying._asked(frame, made, asked(scope), agreed, running, *(others or fields))

    parts = press("")
    assert started.runs == [] and "nothing was sent" in parts["alert"]
    assert status(scope, "study") is None and "sk-typed" not in str(parts)
    assert parts["ask"]["value"].startswith("Ask: 1 call, $0.0")
    parts = trying._shown(made, asked(scope), "", "", *fields)
    other = (*fields[:1], ["openai:gpt-4o"], *fields[2:])
    assert press(parts["agreed"], "", *other)["alert"] and started.runs == []
    begun = press(parts["agreed"])
    ((run, keys),) = started.runs
    assert keys == {"": "sk-typed"} and "sk-typed" not in str(begun)
    told = json.loads(begun["running"])
    assert (told["run"], told["judge"], told["subject"]) == (run, "openai:gpt-4o-mini", answer)
    # while it is asked the button asks for nothing, and the clock sees nothing yet
    assert press(parts["agreed"], begun["running"]) == {} and len(started.runs) == 1
    assert trying._replied(frame, made, asked(scope), "", begun["running"]) == {}
    assert "sk-typed" not in "\n".join(scope.ws.db.iterdump())


def test_whoever_may_not_run_sends_nothing(scope: Scope) -> None:
    annotator = Scope(Actor(role="annotator"), scope.ws)
    answer = try_judge.offered(scope, "study")[0].id
    with pytest.raises(NotAllowed):
        trying._shown(card(), asked(annotator), "", "", {}, ["openai:gpt-4o"], "median", answer)
    with pytest.raises(NotAllowed):
        judges.take_down(annotator, "study", "strict")


@pytest.mark.parametrize("answer", [None, "7", True, 0, 2**60])
def test_an_answer_that_is_none_is_refused(answer: object) -> None:
    with pytest.raises(InputError):
        trying._wanted({}, ["openai:a"], "median", answer)


def test_a_panel_is_named_as_it_is_listed_and_several_with_commas() -> None:
    def names(typed: object) -> tuple[str, str]:
        wanted = trying._wanted({}, typed, "majority", 1)
        return wanted.judge, wanted.panel

    assert names(["panel(a, b)"]) == ("panel(a, b)", "")
    assert names(["openai:a, openai:b", "strict"]) == ("openai:a, openai:b, strict", "majority")
    assert names(["strict"]) == ("strict", "")
    with pytest.raises(InputError, match="no judge"):
        names([])


def test_ticked_corrections_are_read_from_the_form() -> None:
    fields = {"cell.3": "on", "cell.4": "", "cell.x": "on", "other": "", f"cell.{'9' * 40}": "on"}
    assert examples.ticked(fields) == [3] and examples.ticked("no") == []


def test_the_figures_are_asked_for_each_time_that_the_page_is_drawn() -> None:
    assert "data-now" in listing.later() and listing.later() != listing.later()
