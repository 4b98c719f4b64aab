"""The provider stub in a process of its own, as a context manager."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class StubProvider:
    """A running stub: `base_url` for clients (with /v1; `root` without), and its controls."""

    base_url: str
    pid: int

    @property
    def root(self) -> str:
        """The address without the version, as Anthropic's and Ollama's clients want it."""
        return self.base_url.removesuffix("/v1")

    def stats(self) -> dict[str, Any]:
        """Counts since the start, the last reset or the last configuration."""
        return self._ask("stats")

    def reset(self) -> None:
        """Counts and the generator of faults back to the start."""
        self._ask("reset", {})

    def release(self) -> None:
        """Answer what was held (see `hold`), and hold nothing more; counts go on."""
        self._ask("release", {})

    def configure(self, **options: Any) -> None:
        """Change options (see provider_stub.Options); counts start anew."""
        self._ask("config", options)

    def _ask(self, what: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        url = self.base_url.replace("/v1", f"/stub/{what}")
        data = None if body is None else json.dumps(body).encode()
        with urllib.request.urlopen(urllib.request.Request(url, data=data), timeout=30) as response:
            return dict(json.load(response))


@contextmanager
def provider_stub(**options: Any) -> Iterator[StubProvider]:
    """A stub with these options, such as ``latency=0.2, faults={"rate_limited": 0.1}``; ended at
    the end of the block."""
    command = [sys.executable, "-m", "tests.support.provider_stub", json.dumps(options)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    )
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield StubProvider(base_url=f"http://127.0.0.1:{port}/v1", pid=process.pid)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
