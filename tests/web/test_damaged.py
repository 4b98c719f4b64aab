"""The app does not start on a file that is damaged or no workspace; while it runs it looks again,
and says what it finds."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from graders.web import watch
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


def test_damage_that_comes_while_the_app_runs_is_found_at_the_next_look(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path)
    small.study(tmp_path, ws)
    ws.settle()
    over = threading.Event()
    watch.watch(ws, over, every=0.05)
    time.sleep(0.3)
    assert ws.damage == ""
    damaged.overwrite(ws.path, damaged.page_of(ws.path, "answer"))
    deadline = time.monotonic() + 20
    while not ws.damage and time.monotonic() < deadline:
        time.sleep(0.02)
    over.set()
    assert ws.damage.startswith("workspace work.db: found damage (")
