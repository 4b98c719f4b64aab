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
from tests.support.server import serve
from tests.support.stub import provider_stub
from tests.web.asking import Lead

KEY = "sk-visitor-5e1f0c9a7b"
#: The same key in a header, beside one that is none.
HEADERS = f"X-Team: blue\nX-Gate: Bearer {KEY}"
PROJECT = "study"


@pytest.fixture
def lead(tmp_path: Path) -> Iterator[Lead]:
    """Somebody at the pages, with 120 answers that no judge has seen."""
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=40, models=("Ash", "Oak", "Elm"))
    ws.close()
    made = Lead(tmp_path / "app.db", PROJECT)
    yield made
    made.scope.ws.close()


def where_the_key_is(folder: Path) -> list[str]:
    """Files in a folder, and processes of this machine, that hold the key."""
    found = [
        str(path)
        for path in folder.rglob("*")
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
def test_a_typed_key_is_kept_nowhere(
    lead: Lead, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with provider_stub(latency=0.02) as stub:
        started, kept = lead.start(
            KEY,
            judges=["openai:stub"],
            base_url=stub.base_url,
            concurrency=8,
            headers={"": HEADERS},
        )
        assert kept == {"": "X-Team: blue"}, "what is no key is kept"
        during = where_the_key_is(tmp_path)
        run = lead.finished()
        assert run.state == "done", run.message
        assert (
            stub.stats()["keys"] == [KEY]
            and stub.stats()["requests"] >= 100
            and started.plan.judges[0].calls >= 100
        )
        sent = stub.stats()["last_headers"]
        assert (sent["x-team"], sent["x-gate"]) == ("blue", f"bearer {KEY}")
        assert during == [] and where_the_key_is(tmp_path) == []
        assert KEY not in "".join(capfd.readouterr()), "what the worker said"


@pytest.mark.timeout(240)
def test_after_a_restart_a_run_waits_for_its_key(lead: Lead, tmp_path: Path) -> None:
    with provider_stub(latency=0.5) as stub:
        started, _ = lead.start(
            KEY,
            judges=["openai:stub"],
            base_url=stub.base_url,
            concurrency=2,
            headers={"openai": HEADERS},
        )
        deadline = time.monotonic() + 60
        while stub.stats()["requests"] < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        for worker in lead.supervisor._workers.values():
            worker.kill()
        with serve(tmp_path):  # it gives a worker to what was under way
            run = lead.finished()
            assert (run.id, run.state, run.keyed) == (
                started.run,
                "waiting_for_key",
                ["header:openai:X-Gate"],
            )
            assert where_the_key_is(tmp_path) == []
            stub.configure(latency=0.01)
            lead.resume(run.id, **{"": KEY, "header:openai:X-Gate": f"Bearer {KEY}"})
            time.sleep(0.5)
            assert lead.finished().state == "done"
            assert stub.stats()["last_headers"]["x-gate"] == f"bearer {KEY}"
