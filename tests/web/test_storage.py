"""A full disk, a shut file and one that others hold say so; nothing is lost, and nobody sees a
traceback."""

from __future__ import annotations

import errno
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import psutil
import pytest
from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.store.trouble import storage_error
from graders.store.workspace import Workspace, open_workspace
from graders.web.app import make_app
from graders.web.session import Resolver
from tests.store import small
from tests.support.server import Server, serve

PROJECT = "study"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    ws = open_workspace(tmp_path / "app.db")
    small.study(tmp_path, ws, count=3, models=("Ash",))
    ws.close()
    with serve(tmp_path) as running:
        yield running


def raised(statement: str, *settings: str) -> sqlite3.OperationalError:
    """What SQLite raises for `statement` under `settings`."""
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE TABLE t (x)")
        db.execute("INSERT INTO t VALUES (1)")
        db.commit()
        for setting in settings:
            db.execute(setting)
        with pytest.raises(sqlite3.OperationalError) as found:
            db.execute(statement)
        return found.value


def test_each_trouble_is_named() -> None:
    full = storage_error(
        raised("INSERT INTO t VALUES (zeroblob(9000000))", "PRAGMA max_page_count = 3")
    )
    shut = storage_error(raised("INSERT INTO t VALUES (1)", "PRAGMA query_only = 1"))
    assert full and "a full disk" in str(full) and shut and "a read-only file" in str(shut)
    assert "a full disk" in str(storage_error(OSError(errno.ENOSPC, "No space left on device")))
    assert "a read-only file" in str(storage_error(OSError(errno.EROFS, "Read-only file system")))
    assert storage_error(raised("SELECT nothing FROM t")) is None, (
        "a mistake of ours is none of them"
    )
    assert storage_error(ConnectionResetError(errno.ECONNRESET, "gone")) is None


class Refusing(Workspace):
    """Connections made from now on are under a setting by which SQLite itself refuses to write."""

    setting = ""

    @property
    def db(self) -> sqlite3.Connection:
        db = super().db
        db.execute(self.setting or "PRAGMA query_only = 0")
        return db


@pytest.mark.parametrize(
    ("setting", "trouble", "words"),
    [
        ("PRAGMA max_page_count = 1", "full", "workspace: found a full disk, expected room"),
        ("PRAGMA query_only = 1", "read_only", "workspace: found a read-only file, "),
    ],
)
def test_every_route_answers_507_and_names_the_trouble(
    setting: str, trouble: str, words: str, tmp_path: Path
) -> None:
    with closing(open_workspace(tmp_path / "app.db")) as made:
        small.study(tmp_path, made, count=2)
    ws = Refusing(tmp_path / "app.db")
    app = make_app(Resolver(ws), Settings(workspace=ws.path))
    client = TestClient(app, "http://localhost", raise_server_exceptions=False)
    ws.setting = setting
    for number in range(200):  # until the last page is full
        client.cookies.clear()
        before = people(ws)
        name = {"name": f"{number:060}"}
        if (refused := client.post("/api/me", json=name)).status_code != 200:
            break
    assert refused.status_code == 507, refused.text
    assert refused.json()["trouble"] == trouble and refused.json()["error"].startswith(words)
    assert people(ws) == before
    ws.setting = ""
    assert client.post("/api/me", json=name).status_code == 200 and people(ws) == before + 1


def people(ws: Workspace) -> int:
    return int(ws.db.execute("SELECT count(*) FROM person").fetchone()[0])


def test_a_storage_error_that_a_use_case_raises_is_507_too(tmp_path: Path) -> None:
    with closing(open_workspace(tmp_path / "app.db")) as ws:
        app = make_app(Resolver(ws), Settings(workspace=ws.path))

    @app.get("/refused")
    def refused(number: int) -> None:
        raise storage_error(OSError(number, "no")) or AssertionError

    app.router.routes.insert(0, app.router.routes.pop())  # before the pages, which take the rest
    client = TestClient(app, "http://localhost", raise_server_exceptions=False)
    codes = {
        name: client.get("/refused", params={"number": number}).status_code
        for name, number in (("full", errno.ENOSPC), ("read-only", errno.EROFS))
    }
    assert codes == {"full": 507, "read-only": 507}


def test_a_save_that_finds_no_room_says_so_and_counts_later(server: Server) -> None:
    """The real server may write no byte more, as on a full disk; with room again the same save is
    taken."""
    app = psutil.Process(server.process.pid)
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
        client.post("/api/me", json={"name": "Ann"})
        screen = client.get("/api/next", params={"project": PROJECT, "n": 1}).json()["screens"][0]
        verdict = {
            "cell": screen["answers"][0]["cells"][0]["id"],
            "value": None,
            "reason": "not_applicable",
        }
        save = {
            "save_id": "save-full-disk",
            "project": PROJECT,
            "screen": screen["id"],
            "verdicts": [verdict],
        }
        before = app.rlimit(psutil.RLIMIT_FSIZE)
        app.rlimit(psutil.RLIMIT_FSIZE, (1, before[1]))
        refused = client.post("/api/save", json=save)
        app.rlimit(psutil.RLIMIT_FSIZE, before)
        assert (
            refused.status_code == 507 and "Nothing of this was stored" in refused.json()["error"]
        ), refused.text
        again = client.post("/api/save", json=save)
        assert again.status_code == 200, again.text
        assert len(client.get("/api/my-work", params={"project": PROJECT}).json()["rows"]) == 1
    assert "Traceback" not in server.log.read_text("utf-8")


def test_a_command_says_so_in_a_sentence(tmp_path: Path) -> None:
    """A process of its own that may write no byte."""
    ws = open_workspace(tmp_path / "w.db")
    small.study(tmp_path, ws, count=2)
    ws.close()
    line = [
        sys.executable,
        "-m",
        "graders",
        "export",
        "--output",
        tmp_path / "out.csv",
        "--workspace",
        tmp_path / "w.db",
    ]
    done = subprocess.run(
        line,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1, -1)),
    )
    assert (
        done.returncode == 1
        and "workspace w.db: found a" in done.stderr
        and "Traceback" not in done.stderr
    ), done.stderr
