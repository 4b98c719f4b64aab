"""Collecting from a page: a run with a plan, paused and resumed, nothing bought twice."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError, InputError, NotAllowed
from graders.store.calls import runs as run_store
from graders.workflows.collecting import collect_run
from graders.workflows.runs import run_page, runs
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.stub import StubProvider

KEYS = {"openai": "key-of-openai"}


def asking(scope: Scope, tmp_path: Path, count: int = 6) -> Scope:
    """A project of questions that nobody has answered."""
    small.bring(
        scope, small.folder(tmp_path, "asked", questions=small.questions(count), answers=[])
    )
    return scope


def options(stub: StubProvider, **more: Any) -> dict[str, Any]:
    return {
        "models": ["gpt=openai:gpt", "other=openai:other"],
        "base_urls": {"openai": stub.base_url},
        "temperature": "0.5",
        **more,
    }


def answers(scope: Scope) -> list[tuple[Any, ...]]:
    return [
        tuple(row)
        for row in scope.ws.db.execute(
            "SELECT model, count(*) FROM answer GROUP BY model ORDER BY model"
        )
    ]


def test_a_plan_then_a_run_then_answers(scope: Scope, stub: StubProvider, tmp_path: Path) -> None:
    stub.configure(say="Four.", faults={})
    asking(scope, tmp_path)
    planned = collect_run.plan(scope, "study", options(stub))
    assert (planned.calls, stub.stats()["requests"]) == (12, 0)
    assert planned.models[0].key.startswith(
        f"No key goes to {stub.base_url}. It was typed on a page."
    )
    assert (
        collect_run.plan(scope, "study", options(stub), list(KEYS)).models[0].key
        == f"The key that was typed goes to {stub.base_url}."
    )
    run = collect_run.start(scope, "study", options(stub), list(KEYS)).run
    with pytest.raises(InputError, match="expected one run at a time"):
        collect_run.start(scope, "study", options(stub), list(KEYS))
    assert runs.execute(scope.ws, run) == "waiting_for_key"
    runs.wish(scope, "study", run, "run")
    assert runs.execute(scope.ws, run, key=KEYS) == "done"
    assert (
        answers(scope) == [("gpt", 6), ("other", 6)]
        and stub.stats()["requests"] == 12
        and stub.stats()["keys"] == ["key-of-openai"]
    )
    page = run_page.run_page(scope, "study")
    assert (
        page.title == "The answers are collected: 12 replies read, for a price that is not known."
    )
    assert [(one["name"], one["done"], one["total"]) for one in page.run.progress["judges"]] == [
        ("gpt", 6, 6),
        ("other", 6, 6),
    ]
    assert "12 answers came in." in page.subtitle and page.run.collects
    again = collect_run.plan(scope, "study", options(stub))
    assert (again.calls, again.known) == (0, 12)


def test_headers_go_with_every_call_and_those_with_a_key_wait_to_be_typed_again(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="Four.", faults={})
    asking(scope, tmp_path, count=1)
    wanted = options(stub, models=["openai:gpt"], headers={"openai": "X-Team: blue"})
    typed = {**KEYS, "header:openai:X-Gate": "t0ken-of-the-gate"}
    with pytest.raises(InputError, match="a value for X-Gate-Token"):
        collect_run.plan(scope, "study", {**wanted, "headers": {"openai": "X-Gate-Token: abc"}})
    visitor = Scope(Actor(role="lead", own_key_only=True), scope.ws)
    with pytest.raises(NotAllowed, match="a variable of this installation"):
        collect_run.start(
            visitor, "study", {**wanted, "headers": {"openai": "X-A: $OPENAI_API_KEY"}}, list(KEYS)
        )
    run = collect_run.start(scope, "study", wanted, list(typed)).run
    assert runs.execute(scope.ws, run, key=KEYS) == "waiting_for_key"
    runs.wish(scope, "study", run, "run")
    assert runs.execute(scope.ws, run, key=typed) == "done"
    sent = stub.stats()["last_headers"]
    assert (sent["x-team"], sent["x-gate"]) == ("blue", "t0ken-of-the-gate")


def test_it_is_paused_and_resumed_and_nothing_is_bought_twice(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="Four.", faults={}, latency=0.5)
    asking(scope, tmp_path, count=12)
    run = collect_run.start(
        scope, "study", options(stub, concurrency=1, models=["gpt=openai:gpt"]), list(KEYS)
    ).run
    worker = threading.Thread(
        target=lambda: (runs.execute(scope.ws, run, key=KEYS), scope.ws.close())
    )
    worker.start()
    deadline = time.monotonic() + 60
    while not stub.stats()["requests"] and time.monotonic() < deadline:
        time.sleep(0.05)
    runs.wish(scope, "study", run, "pause")
    worker.join(60)
    found = run_store.get_run(scope.ws, run)
    assert found.state == "paused", found.message
    resting = answers(scope)[0][1]
    assert 0 < resting < 12, "what came is in the project"
    stub_before = stub.stats()["requests"]
    stub.configure(latency=0.0)
    runs.wish(scope, "study", run, "run")
    assert runs.execute(scope.ws, run, key=KEYS) == "done"
    assert answers(scope) == [("gpt", 12)] and stub_before + stub.stats()["requests"] == 12


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"models": []}, "option models: found none"),
        ({"models": ["gpt"]}, "found no model"),
        ({"models": ["openai:gpt"], "temperature": "warm"}, "option temperature: found 'warm'"),
        ({"models": ["openai:gpt"], "base_urls": []}, ""),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(
    scope: Scope, tmp_path: Path, given: dict[str, Any], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    asking(scope, tmp_path, count=1)
    with pytest.raises(CogradeError) as refused:
        collect_run.start(scope, "study", given)
    assert said in str(refused.value)


def test_a_visitor_needs_a_key_of_his_own(scope: Scope, stub: StubProvider, tmp_path: Path) -> None:
    asking(scope, tmp_path, count=1)
    visitor = Scope(Actor(role="visitor", own_key_only=True), scope.ws)
    with pytest.raises(NotAllowed):
        collect_run.start(visitor, "study", options(stub))


@pytest.mark.parametrize("keyed", [["anthropic"], []])
def test_a_visitors_key_for_one_provider_opens_no_other(
    scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keyed: list[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "the installation's own")
    small.study(tmp_path, scope.ws, count=1)
    visitor = Scope(Actor(role="visitor", own_key_only=True), scope.ws)
    with pytest.raises(NotAllowed, match="a key of your own for every judge"):
        runs.start(
            visitor,
            "study",
            {"judges": ["openai:gpt-4o"], "needs_key": bool(keyed), "keyed": keyed},
        )


def test_two_starts_at_once_are_one_run(scope: Scope, tmp_path: Path) -> None:
    small.study(tmp_path, scope.ws, count=1)
    project, together = scope.project("study"), threading.Barrier(6)
    made: list[int] = []

    def begin() -> None:
        together.wait()
        try:
            made.append(run_store.add_only_run(scope.ws, project, {}, {}, "somebody"))
        except InputError:
            return
        finally:
            scope.ws.close()

    threads = [threading.Thread(target=begin) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
