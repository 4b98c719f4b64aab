"""The app does not start on a file that is damaged or no workspace; while it runs it looks again,
and says what it finds."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.store.damage import look_again
from graders.web import watch
from graders.web.app import make_app
from graders.web.session import Resolver
from tests.store import small
from tests.support import damaged, forked
from tests.support.older import files
from tests.support.server import free_port


@pytest.mark.parametrize("foreign", [True, False], ids=["notes", "damaged"])
def test_the_app_does_not_start_and_says_why(foreign: bool, tmp_path: Path) -> None:
    path = tmp_path / "app.db"
    if foreign:
        path.write_bytes(b"These are my notes. " * 300)
    else:
        ws = small.workspace(tmp_path, "app")
        small.study(tmp_path / "files", ws)
        ws.settle()
        damaged.overwrite(path, damaged.page_of(path, "question"))
    before = path.read_bytes()[100:]
    done = forked.run(
        ["-m", "graders", "serve", "--workspace", path, "--port", free_port()],
        cwd=tmp_path,
        modules=forked.WEB,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        f"workspace app.db: found {'a file that is no workspace (it is not' if foreign else 'damage ('}"
    ), done.stderr
    assert len(done.stderr.splitlines()) == 1 and path.read_bytes()[100:] == before
    assert [name for name in files(tmp_path) if name.startswith("app.db")] == ["app.db"]


HARM: dict[str, Callable[[Path], object]] = {
    "a page": lambda path: damaged.overwrite(path, damaged.page_of(path, "answer")),
    "the head": lambda path: damaged.overwrite(path, 1),
    "moved": lambda path: path.rename(path.with_name("elsewhere.db")),
}


@pytest.mark.parametrize("harm", HARM)
def test_damage_that_comes_while_the_app_runs_is_found_at_the_next_look(
    harm: str, tmp_path: Path
) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws)
    ws.settle()
    over = threading.Event()
    watch.watch(ws, over, every=0.05)
    time.sleep(0.3)
    assert ws.damage == ""
    HARM[harm](ws.path)
    deadline = time.monotonic() + 20
    while not ws.damage and time.monotonic() < deadline:
        time.sleep(0.02)
    over.set()
    moved = harm == "moved"
    assert ws.damage.startswith(
        f"workspace work.db: found {'no file any more: it was moved' if moved else 'damage ('}"
    )
    assert ws.path.exists() != moved, "no empty workspace in the place of the one that is gone"


@pytest.mark.parametrize("harm", ["a page", "moved"])
def test_a_request_that_meets_it_says_so_and_so_does_every_page(harm: str, tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws)
    ws.settle()
    app = make_app(Resolver(ws), Settings(workspace=ws.path))
    client = TestClient(app, "http://localhost", raise_server_exceptions=False)
    assert client.post("/api/me", json={"name": "Ann"}).status_code == 200
    HARM[harm](ws.path)
    met = client.get("/api/next", params={"project": "study", "n": 3})
    assert met.status_code == 500 and met.json()["trouble"] == "damaged", met.text
    assert met.json()["error"].startswith("workspace work.db: found ") and (
        "docs/workspaces.md says how to go back" in met.json()["error"]
    )
    assert ws.damage == met.json()["error"]


def test_a_file_that_cannot_be_looked_at_just_now_is_not_called_damaged(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    ws.settle()

    def held() -> sqlite3.Connection:
        with (
            closing(sqlite3.connect(ws.path, isolation_level=None)) as other,
            closing(sqlite3.connect(ws.path, timeout=0)) as db,
        ):
            other.execute("BEGIN EXCLUSIVE")
            db.execute("SELECT count(*) FROM project")
            return db

    assert look_again(held, ws.path) is None
    assert look_again(lambda: ws.db, ws.path) == ""
