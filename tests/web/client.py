"""A person with a browser's cookie, or a program, over plain HTTP."""

from __future__ import annotations

import inspect
import time
from importlib import import_module
from typing import Any

import httpx


def called(http: httpx.Client, name: str, headers: Any = None, **given: Any) -> httpx.Response:
    """The reply of a function for programs (`graders/web/calls`) to arguments by their names."""
    module = import_module(f"graders.web.calls.{'import_' if name == 'import' else name}")
    _, *wanted = inspect.signature(module.call).parameters
    assert set(given) <= set(wanted), name
    data = [given.get(one) for one in wanted]
    return http.post(f"/call/gradio_api/run/{name}", json={"data": data}, headers=headers)


class Client:
    """Keeps the session cookie; `get` and `post` return the JSON of routes, `call` what a function
    for programs gives."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=60, trust_env=False)

    def get(self, path: str, **query: Any) -> Any:
        reply = self.http.get(path, params=query)
        assert reply.status_code == 200, f"{path}: {reply.status_code} {reply.text[:500]}"
        return reply.json()

    def post(self, path: str, body: dict[str, Any]) -> Any:
        reply = self.http.post(path, json=body)
        assert reply.status_code == 200, f"{path}: {reply.status_code} {reply.text[:500]}"
        return reply.json()

    def call(self, name: str, **given: Any) -> Any:
        reply = called(self.http, name, **given)
        assert reply.status_code == 200, f"{name}: {reply.status_code} {reply.text[:500]}"
        return reply.json()["data"][0]

    def enter(self, name: str) -> str:
        """Say one's name; returns the person's id."""
        return str(self.post("/api/me", {"name": name})["person"]["id"])


def over(client: Client, project: str, seconds: float = 280.0) -> Any:
    """The latest run of a project once it goes on no more."""
    deadline = time.monotonic() + seconds
    while (run := client.call("run", project=project))["at_work"]:
        assert time.monotonic() < deadline, run
        time.sleep(0.2)
    return run
