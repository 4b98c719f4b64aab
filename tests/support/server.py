"""The real app in a process of its own, on a free port, for tests over HTTP and in the browser."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support import forked
from tests.support.forked import Forked

ROOT = Path(__file__).parents[2]


@dataclass
class Server:
    """A running app: its address, process, log file and environment."""

    url: str
    process: Forked
    log: Path
    port: int
    environment: dict[str, str]
    folder: Path

    def kill(self) -> None:
        """SIGKILL, as a crash would."""
        self.process.kill()
        self.process.wait()

    def restart(self) -> None:
        """Start again on the same port and workspace."""
        self.process = _start(self.environment, self.folder, self.log)
        _wait(self)


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


_KEPT: dict[str, socket.socket] = {}


def kept_port(name: str) -> int:
    """A port of this process's own, the same each time: it is bound here but not listened on, so
    nobody else is given it meanwhile."""
    if name not in _KEPT:
        _KEPT[name] = socket.socket()
        # servers set it too, and may then listen there
        _KEPT[name].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _KEPT[name].bind(("127.0.0.1", 0))
    return int(_KEPT[name].getsockname()[1])


@contextmanager
def serve(
    folder: Path, workspace: Path | None = None, port: int = 0, **environment: str
) -> Iterator[Server]:
    """The app with its workspace `app.db` in `folder`; ended afterwards. It begins as a copy of
    `workspace`; `environment` adds variables.

    `port` is one of the caller's own, by default a new one.
    """
    if workspace is not None:
        shutil.copy(workspace, folder / "app.db")
    port = port or free_port()
    given = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("COGRADE_", "OPENAI_", "SPACE_", "SYSTEM"))
    }
    given |= {
        "GRADIO_SERVER_PORT": str(port),
        "COGRADE_WORKSPACE": str(folder / "app.db"),
        "COGRADE_DATA": str(folder / "data"),
        "PYTHONPATH": str(ROOT),
        "GRADIO_TEMP_DIR": str(folder / "gradio"),
        **environment,
    }
    server = Server(
        f"http://127.0.0.1:{port}",
        _start(given, folder, folder / "app.log"),
        folder / "app.log",
        port,
        given,
        folder,
    )
    try:
        _wait(server)
        yield server
    finally:
        if server.process.poll() is None:
            server.process.send_signal(signal.SIGTERM)
            try:
                server.process.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()


def _start(environment: dict[str, str], folder: Path, log: Path) -> Forked:
    return forked.start(
        [ROOT / "app.py"], cwd=folder, env=environment, out=log, err=log, modules=forked.WEB
    )


def _wait(server: Server, seconds: float = 150.0) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if server.process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{server.url}/", timeout=5) as reply:
                if reply.status == 200:
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise AssertionError(
        "the app did not answer:\n" + server.log.read_text("utf-8", "replace")[-3000:]
    )
