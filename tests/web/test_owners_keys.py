"""The owner's key goes to addresses that were set on the machine, never to one that came in a
request."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import CogradeError, InputError
from graders.store.workspace import open_workspace
from graders.web import run_requests
from graders.web.worker import Supervisor
from graders.workflows.runs import judges
from graders.workflows.scope.permissions import Actor, Scope
from tests.store import small
from tests.support.server import Server, serve
from tests.support.stub import StubProvider, provider_stub
from tests.web.client import Client

OWNER = "sk-owner-0b51c7e2aa49"
SECRET = "gate-owner-77d1"
PROJECT = "study"


@pytest.fixture
def stub() -> Iterator[StubProvider]:
    with provider_stub(latency=0.01) as running:
        yield running


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=3, models=("Ash",))
    ws.close()
    with serve(tmp_path, OPENAI_API_KEY=OWNER, ANTHROPIC_API_KEY=OWNER, GATE=SECRET) as running:
        yield running


def finished(client: Client, seconds: float = 60.0) -> dict[str, Any]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        run = client.get("/api/run", project=PROJECT)["run"]
        if run and run["state"] in ("done", "stopped", "failed", "waiting_for_key"):
            return dict(run)
        time.sleep(0.1)
    raise AssertionError("the run did not end")


def heard(stub: StubProvider) -> str:
    """All that the listener was told beside the texts."""
    return str(stub.stats()["keys"]) + str(stub.stats()["last_headers"])


def refused(client: Client, path: str, body: dict[str, Any]) -> str:
    reply = client.http.post(path, json=body)
    assert reply.status_code == 422, reply.text
    return str(reply.json()["error"])


@pytest.mark.timeout(240)
def test_an_address_of_a_request_gets_no_key_of_the_owner(
    server: Server, stub: StubProvider
) -> None:
    client = Client(server.url)
    client.enter("Lead")
    for options in (
        {"judges": ["openai:stub"], "base_url": stub.base_url},
        {"judges": ["openai:stub"], "base_urls": {"openai": stub.base_url}},
        {"judges": [f"openai:stub@{stub.base_url}"]},
        {"judges": ["anthropic:stub"], "base_url": stub.root},
    ):
        body = {"project": PROJECT, "options": {**options, "tries": 1}}
        (judge,) = client.post("/api/run/plan", body)["judges"]
        assert judge["key"].startswith("No key goes to http://127.0.0.1:"), judge["key"]
        assert "COGRADE_ADDRESSES" in judge["key"] or "@" in judge["name"]
        client.post("/api/run/start", body)
        finished(client)
    assert stub.stats()["requests"] > 0 and OWNER not in heard(stub)


@pytest.mark.timeout(240)
def test_a_judge_that_a_page_set_up_gets_none_either(
    tmp_path: Path, server: Server, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(server.url)
    client.enter("Lead")
    ws = open_workspace(tmp_path / "app.db")
    through = Scope(Actor(role="lead", through_page=True), ws)
    where = {"base_url": stub.base_url}
    with pytest.raises(InputError, match="from_page"):
        judges.set_up(through, PROJECT, "mine", "openai:stub", {**where, "from_page": ""})
    with pytest.raises(CogradeError, match="typed on a page"):
        judges.set_up(
            through, PROJECT, "mine", "openai:stub", {**where, "headers": "X-Gate: $GATE"}
        )
    judges.set_up(through, PROJECT, "mine", "openai:stub", where)
    for name, value in (("OPENAI_API_KEY", OWNER), ("GATE", SECRET)):
        monkeypatch.setenv(name, value)  # the worker is this process's
    subject = client.get("/api/judges/answers", project=PROJECT)[0]["id"]
    supervisor = Supervisor({"english": "", "multilingual": "", "bertscore_multilingual": ""})
    for judge, more in (("mine", {}), ("openai:stub", where)):
        run_requests.start_try(through, supervisor, PROJECT, judge, subject, more, {})
        finished(client)
    ws.close()
    assert stub.stats()["requests"] > 0 and OWNER not in heard(stub) and SECRET not in heard(stub)


def test_headers_from_variables_go_to_no_address_of_a_request(
    server: Server, stub: StubProvider
) -> None:
    client = Client(server.url)
    client.enter("Lead")
    options = {
        "judges": ["openai:stub"],
        "base_url": stub.base_url,
        "headers": {"": "X-Gate: $GATE"},
    }
    for path in ("/api/run/plan", "/api/run/start"):
        assert "typed on a page" in refused(client, path, {"project": PROJECT, "options": options})
    asked = {
        "models": ["openai:gpt"],
        "base_url": stub.base_url,
        "headers": {"openai": "X-Gate: $GATE"},
    }
    for path in ("/api/collect/plan", "/api/collect/start"):
        assert "typed on a page" in refused(client, path, {"project": PROJECT, "options": asked})
    assert stub.stats()["requests"] == 0


@pytest.mark.timeout(240)
def test_collecting_gets_none_and_a_typed_key_goes_where_it_was_typed_for(
    server: Server, stub: StubProvider
) -> None:
    client = Client(server.url)
    client.enter("Lead")
    body = {"project": PROJECT, "options": {"models": ["openai:gpt"], "base_url": stub.base_url}}
    assert "No key goes to" in client.post("/api/collect/plan", body)["models"][0]["key"]
    client.post("/api/collect/start", body)
    finished(client)
    assert stub.stats()["requests"] > 0 and OWNER not in heard(stub)
    body = {
        "project": PROJECT,
        "options": {"judges": ["openai:stub"], "base_url": stub.base_url, "tries": 1},
        "key": "sk-mine-12345678",
    }
    plan = client.post("/api/run/start", body)["plan"]
    assert plan["judges"][0]["key"] == f"The key that was typed goes to {stub.base_url}."
    finished(client)
    assert stub.stats()["keys"][-1] == "sk-mine-12345678" and OWNER not in heard(stub)


@pytest.mark.timeout(240)
def test_after_a_restart_the_address_is_still_a_strangers(
    server: Server, stub: StubProvider
) -> None:
    client = Client(server.url)
    client.enter("Lead")
    stub.configure(latency=2.0)
    options = {"judges": ["openai:stub"], "base_url": stub.base_url, "concurrency": 1}
    run = client.post("/api/run/start", {"project": PROJECT, "options": options})["run"]
    while not stub.stats()["requests"]:
        time.sleep(0.05)
    server.kill()
    stub.configure(latency=0.01)
    server.restart()
    client.post("/api/run/wish", {"project": PROJECT, "run": run, "want": "run"})
    time.sleep(0.5)
    finished(client)
    assert OWNER not in heard(stub)


@pytest.mark.timeout(240)
def test_an_address_that_the_owner_listed_gets_the_owners_key(
    tmp_path: Path, stub: StubProvider
) -> None:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=1, models=("Ash",))
    ws.close()
    (tmp_path / "cograde.toml").write_text(f'addresses = ["{stub.root}"]\n', "utf-8")
    with serve(tmp_path, OPENAI_API_KEY=OWNER) as running:
        client = Client(running.url)
        client.enter("Lead")
        body = {
            "project": PROJECT,
            "options": {"judges": ["openai:stub"], "base_url": stub.base_url},
        }
        found = client.post("/api/run/start", body)
        assert (
            found["plan"]["judges"][0]["key"]
            == f"The key in OPENAI_API_KEY goes to {stub.base_url}."
        )
        finished(client)
        assert stub.stats()["keys"] == [OWNER]
        usual = client.post(
            "/api/run/plan", {"project": PROJECT, "options": {"judges": ["openai:gpt-4o-mini"]}}
        )
        assert (
            usual["judges"][0]["key"]
            == "The key in OPENAI_API_KEY goes to https://api.openai.com/v1."
        )
