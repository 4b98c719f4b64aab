"""The real app at one address, for tests in the browser: a tab that was at an earlier one has the
scripts, fetched and compiled."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support import server
from tests.support.server import Server, kept_port


@contextmanager
def serve(folder: Path, workspace: Path | None = None, **environment: str) -> Iterator[Server]:
    """As ``tests.support.server.serve``, one app at a time."""
    port = kept_port("app")
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0, (
            "another app of this process still answers"
        )
    with server.serve(folder, workspace, port, **environment) as running:
        yield running
