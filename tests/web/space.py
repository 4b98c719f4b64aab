"""A Space in this process for tests of visitors, and what its visitors do."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.testclient import TestClient

from graders.core.settings import Settings
from graders.store.copies import Limits
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.copy_rates import Rates
from graders.web.session import Resolver
from tests.store import small

PAGE = {
    "accept": "text/html,application/xhtml+xml",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
}
DAY = 24 * 3600.0


class Space:
    """An application for visitors in this process, with a clock that can be moved."""

    def __init__(
        self, folder: Path, limits: Limits | None = None, rates: Rates | None = None
    ) -> None:
        self.folder, self.later = folder, 0.0
        self.settings = Settings(space="team/cograde", data=folder, proxies=("203.0.113.0/24",))
        self.limits, self.rates = limits, rates
        self.start()

    def start(self) -> None:
        """Start the application, as after a restart of its process."""
        self.ws = open_workspace(self.folder / "demo.db")
        self.resolver = Resolver(
            self.ws,
            self.folder / "visitors",
            lambda: time.time() + self.later,
            self.limits,
            self.rates,
        )
        self.app: FastAPI = make_app(self.resolver, self.settings)

    def visitor(self, address: str = "198.51.100.1", page: bool = True) -> TestClient:
        """A browser with a cookie of its own, or with `page` False a program."""
        client = TestClient(
            self.app, "https://localhost", client=(address, 1), raise_server_exceptions=False
        )
        if page:
            assert client.get("/review", headers=PAGE).status_code == 200
        return client

    def copies(self) -> list[Path]:
        return sorted((self.folder / "visitors").glob("*.db"))


class Browser(httpx.Client):
    """A browser that opened a page over plain HTTP: the cookie is for https, so it is handed on
    here."""

    def __init__(self, url: str) -> None:
        super().__init__(base_url=url, trust_env=False, timeout=60)
        self.event_hooks["response"].append(self._keep)
        assert self.get("/review", headers=PAGE).status_code == 200

    def _keep(self, reply: httpx.Response) -> None:
        if "set-cookie" in reply.headers:
            self.headers["cookie"] = reply.headers["set-cookie"].split(";")[0]


def enter(client: httpx.Client, name: str = "Ann") -> Any:
    return client.post("/api/me", json={"name": name})


def save(client: httpx.Client, save_id: str = "visitor-save-1") -> httpx.Response:
    """Take the next screen and save it."""
    (screen,) = client.get("/api/next", params={"project": "study", "n": 1}).json()["screens"]
    body = {
        "save_id": save_id,
        "project": "study",
        "screen": screen["id"],
        "order": [answer["id"] for answer in screen["answers"]],
        "verdicts": small.marks_sent(screen, small.VALUES),
    }
    return client.post("/api/save", json=body)


def done(client: httpx.Client) -> int:
    """How many screens a person has saved."""
    return int(client.get("/api/desk", params={"project": "study"}).json()["counts"]["done"])
