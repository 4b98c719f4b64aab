"""The owner's key goes to addresses that were set on the machine, never to one that came in a
request."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.core.errors import CogradeError, InputError
from graders.store.workspace import open_workspace
from graders.web import run_requests
from graders.workflows.runs import judges, try_judge
from tests.store import small
from tests.support.server import Server, serve
from tests.support.stub import StubProvider, provider_stub
from tests.web.asking import Lead
from tests.web.client import Client, over

OWNER = "sk-owner-0b51c7e2aa49"
SECRET = "gate-owner-77d1"
PROJECT = "study"
VARIABLES = {"OPENAI_API_KEY": OWNER, "ANTHROPIC_API_KEY": OWNER, "GATE": SECRET}


@pytest.fixture
def stub() -> Iterator[StubProvider]:
    with provider_stub(latency=0.01) as running:
        yield running


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A workspace with three answers that no judge has seen."""
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=3, models=("Ash",))
    ws.close()
    return tmp_path / "app.db"


@pytest.fixture
def server(study: Path) -> Iterator[Server]:
    with serve(study.parent, **VARIABLES) as running:
        yield running


@pytest.fixture
def lead(study: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lead]:
    """Somebody at the pages of a machine with the owner's keys."""
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)  # workers are this process's
    made = Lead(study, PROJECT)
    yield made
    made.scope.ws.close()


def heard(stub: StubProvider) -> str:
    """All that the listener was told beside the texts."""
    return str(stub.stats()["keys"]) + str(stub.stats()["last_headers"])


@pytest.mark.timeout(240)
def test_an_address_of_a_request_gets_no_key_of_the_owner(lead: Lead, stub: StubProvider) -> None:
    for options in (
        {"judges": ["openai:stub"], "base_url": stub.base_url},
        {"judges": ["openai:stub"], "base_urls": {"openai": stub.base_url}},
        {"judges": [f"openai:stub@{stub.base_url}"]},
        {"judges": ["anthropic:stub"], "base_url": stub.root},
    ):
        (judge,) = lead.plan(**options, tries=1).judges
        assert judge.key.startswith("No key goes to http://127.0.0.1:"), judge.key
        assert "COGRADE_ADDRESSES" in judge.key or "@" in judge.name
        lead.start(**options, tries=1)
        lead.finished()
    assert stub.stats()["requests"] > 0 and OWNER not in heard(stub)


@pytest.mark.timeout(240)
def test_an_address_that_a_program_names_gets_none_either(
    server: Server, stub: StubProvider
) -> None:
    client = Client(server.url)
    for given in (
        {"judge": ["openai:stub"], "base_url": stub.base_url},
        {"judge": [f"openai:stub@{stub.base_url}"]},
    ):
        (judge,) = client.call("plan", project=PROJECT, **given, tries=1)["judges"]
        assert judge["key"].startswith("No key goes to http://127.0.0.1:"), judge["key"]
        client.call("grade", project=PROJECT, **given, tries=1)
        over(client, PROJECT)
    assert stub.stats()["requests"] > 0 and OWNER not in heard(stub)


@pytest.mark.timeout(240)
def test_a_judge_that_a_page_set_up_gets_none_either(lead: Lead, stub: StubProvider) -> None:
    through = lead.scope
    where = {"base_url": stub.base_url}
    with pytest.raises(InputError, match="from_page"):
        judges.set_up(through, PROJECT, "mine", "openai:stub", {**where, "from_page": ""})
    with pytest.raises(CogradeError, match="typed on a page"):
        judges.set_up(
            through, PROJECT, "mine", "openai:stub", {**where, "headers": "X-Gate: $GATE"}
        )
    judges.set_up(through, PROJECT, "mine", "openai:stub", where)
    subject = try_judge.offered(through, PROJECT)[0].id
    for judge, more in (("mine", {}), ("openai:stub", where)):
        run_requests.start_try(through, lead.supervisor, PROJECT, judge, subject, more, {})
        lead.finished()
    assert stub.stats()["requests"] > 0 and OWNER not in heard(stub) and SECRET not in heard(stub)


def test_headers_from_variables_go_to_no_address_of_a_request(
    lead: Lead, stub: StubProvider
) -> None:
    where = {"base_url": stub.base_url}
    options = {"judges": ["openai:stub"], **where, "headers": {"": "X-Gate: $GATE"}}
    asked = {"models": ["openai:gpt"], **where, "headers": {"openai": "X-Gate: $GATE"}}
    for ask, given in (
        (lead.plan, options),
        (lead.start, options),
        (lead.collect_plan, asked),
        (lead.collect, asked),
    ):
        with pytest.raises(CogradeError, match="typed on a page"):
            ask(**given)
    assert stub.stats()["requests"] == 0


@pytest.mark.timeout(240)
def test_collecting_gets_none_and_a_typed_key_goes_where_it_was_typed_for(
    lead: Lead, stub: StubProvider
) -> None:
    asked = {"models": ["openai:gpt"], "base_url": stub.base_url}
    assert "No key goes to" in lead.collect_plan(**asked).models[0].key
    lead.collect(**asked)
    lead.finished()
    assert stub.stats()["requests"] > 0 and OWNER not in heard(stub)
    begun, _ = lead.start(
        "sk-mine-12345678", judges=["openai:stub"], base_url=stub.base_url, tries=1
    )
    assert begun.plan.judges[0].key == f"The key that was typed goes to {stub.base_url}."
    lead.finished()
    assert stub.stats()["keys"][-1] == "sk-mine-12345678" and OWNER not in heard(stub)


@pytest.mark.timeout(240)
def test_after_a_restart_the_address_is_still_a_strangers(
    server: Server, lead: Lead, stub: StubProvider
) -> None:
    client = Client(server.url)
    stub.configure(latency=2.0)
    given = {"judge": ["openai:stub"], "base_url": stub.base_url, "concurrency": 1}
    run = client.call("grade", project=PROJECT, **given)["run"]
    while not stub.stats()["requests"]:
        time.sleep(0.05)
    server.kill()
    stub.configure(latency=0.01)
    server.restart()
    lead.resume(run)
    time.sleep(0.5)
    lead.finished()
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
        given = {"judge": ["openai:stub"], "base_url": stub.base_url}
        (judge,) = client.call("plan", project=PROJECT, **given)["judges"]
        assert judge["key"] == f"The key in OPENAI_API_KEY goes to {stub.base_url}."
        client.call("grade", project=PROJECT, **given)
        over(client, PROJECT)
        assert stub.stats()["keys"] == [OWNER]
        (usual,) = client.call("plan", project=PROJECT, judge=["openai:gpt-4o-mini"])["judges"]
        assert usual["key"] == "The key in OPENAI_API_KEY goes to https://api.openai.com/v1."
