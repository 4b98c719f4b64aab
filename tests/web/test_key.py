"""A typed key reaches the provider and nothing else: not the disk, the logs, the database,
arguments, the environment or an address."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from graders.store.workspace import open_workspace
from tests.store import small
from tests.support.server import Server, serve
from tests.support.stub import provider_stub
from tests.web.client import Client

KEY = "sk-visitor-5e1f0c9a7b"
#: The same key in a header, beside one that is none.
HEADERS = f"X-Team: blue\nX-Gate: Bearer {KEY}"
PROJECT = "study"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """An app with 120 answers that no judge has seen."""
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=40, models=("Ash", "Oak", "Elm"))
    ws.close()
    with serve(tmp_path) as running:
        yield running


def finished(client: Client, seconds: float = 90.0) -> dict[str, object]:
    """The run's page once it is over."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        run = client.get("/api/run", project=PROJECT)["run"]
        if run and run["state"] in ("done", "stopped", "failed", "waiting_for_key"):
            return dict(run)
        time.sleep(0.3)
    raise AssertionError("the run did not end")


def where_the_key_is(server: Server) -> list[str]:
    """Files below the server's folder, and processes of this machine, that hold the key."""
    found = [
        str(path)
        for path in Path(server.folder).rglob("*")
        if path.is_file() and KEY.encode() in path.read_bytes()
    ]
    for process in psutil.process_iter():
        try:
            if KEY in " ".join(process.cmdline()) or KEY in " ".join(process.environ().values()):
                found.append(f"process {process.pid}")
        except (psutil.Error, OSError):
            continue
    return found


@pytest.mark.timeout(240)
def test_a_typed_key_is_kept_nowhere(server: Server) -> None:
    with provider_stub(latency=0.02) as stub:
        client = Client(server.url)
        client.enter("Visitor")
        options = {
            "judges": ["openai:stub"],
            "base_url": stub.base_url,
            "concurrency": 8,
            "headers": {"": HEADERS},
        }
        started = client.post(
            "/api/run/start", {"project": PROJECT, "options": options, "key": KEY}
        )
        assert started["headers"] == {"": "X-Team: blue"}, "what is no key is kept"
        during = where_the_key_is(server)
        run = finished(client)
        assert run["state"] == "done", run["message"]
        assert (
            stub.stats()["keys"] == [KEY]
            and stub.stats()["requests"] >= 100
            and started["plan"]["judges"][0]["calls"] >= 100
        )
        sent = stub.stats()["last_headers"]
        assert (sent["x-team"], sent["x-gate"]) == ("blue", f"bearer {KEY}")
        assert during == [] and where_the_key_is(server) == []


@pytest.mark.timeout(240)
def test_after_a_restart_a_run_waits_for_its_key(server: Server) -> None:
    with provider_stub(latency=0.5) as stub:
        client = Client(server.url)
        client.enter("Visitor")
        options = {
            "judges": ["openai:stub"],
            "base_url": stub.base_url,
            "concurrency": 2,
            "headers": {"openai": HEADERS},
        }
        run_id = client.post(
            "/api/run/start", {"project": PROJECT, "options": options, "key": KEY}
        )["run"]
        deadline = time.monotonic() + 60
        while stub.stats()["requests"] < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        for worker in psutil.Process(server.process.pid).children():
            worker.kill()
        server.kill()
        server.restart()
        run = finished(client)
        assert (run["id"], run["state"], run["keyed"]) == (
            run_id,
            "waiting_for_key",
            ["header:openai:X-Gate"],
        )
        assert where_the_key_is(server) == []
        stub.configure(latency=0.01)
        typed = {"": KEY, "header:openai:X-Gate": f"Bearer {KEY}"}
        client.post(
            "/api/run/wish", {"project": PROJECT, "run": run_id, "want": "run", "keys": typed}
        )
        time.sleep(0.5)
        assert finished(client)["state"] == "done"
        assert stub.stats()["last_headers"]["x-gate"] == f"bearer {KEY}"
