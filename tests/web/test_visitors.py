"""Visitors of a public Space: who gets a copy of the demo, when, how many, and what is given back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from graders.core.settings import Settings
from graders.store.copies import Limits
from graders.store.workspace import open_workspace
from graders.web.app import make_app
from graders.web.rates import Rates
from graders.web.session import Resolver
from tests.store import small

PAGE = {"accept": "text/html,application/xhtml+xml", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
DAY = 24 * 3600.0


class Space:
    """An application for visitors in this process, with a clock that can be moved."""

    def __init__(self, folder: Path, limits: Limits | None = None, rates: Rates | None = None) -> None:
        self.folder, self.later = folder, 0.0
        self.settings = Settings(space="team/cograde", data=folder, proxies=("203.0.113.0/24",))
        self.limits, self.rates = limits, rates
        self.start()

    def start(self) -> None:
        """Start the application, as after a restart of its process."""
        self.ws = open_workspace(self.folder / "demo.db")
        self.resolver = Resolver(self.ws, self.folder / "visitors", lambda: time.time() + self.later, self.limits, self.rates)
        self.app: FastAPI = make_app(self.resolver, self.settings)

    def visitor(self, address: str = "198.51.100.1", page: bool = True) -> TestClient:
        """A browser with a cookie of its own, or with `page` False a program."""
        client = TestClient(self.app, "https://localhost", client=(address, 1), raise_server_exceptions=False)
        if page:
            assert client.get("/review", headers=PAGE).status_code == 200
        return client

    def copies(self) -> list[Path]:
        return sorted((self.folder / "visitors").glob("*.db"))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Space]]:
    ws = open_workspace(tmp_path / "demo.db")
    small.study(tmp_path, ws, count=4)
    ws.close()
    yield lambda **given: Space(tmp_path, **given)


def enter(client: TestClient, name: str = "Ann") -> Any:
    return client.post("/api/me", json={"name": name})


def save(client: TestClient, save_id: str = "visitor-save-1") -> httpx.Response:
    """Take the next screen and save it."""
    (screen,) = client.get("/api/next", params={"project": "study", "n": 1}).json()["screens"]
    body = {
        "save_id": save_id,
        "project": "study",
        "screen": screen["id"],
        "order": [answer["id"] for answer in screen["answers"]],
        "verdicts": small.marks(screen, small.VALUES),
    }
    return client.post("/api/save", json=body)


def done(client: TestClient) -> int:
    """How many screens a person has saved."""
    return len(client.get("/api/my-work", params={"project": "study"}).json()["rows"])


def test_it(make):
    space = make()
    c = space.visitor()
    print(c.cookies, space.copies())
    print(enter(c).text, space.copies())
    r = save(c)
    print(r.status_code, r.text[:300], done(c))
    p = space.visitor(page=False)
    print(p.get("/api/frame").text[:200], enter(p).text, p.cookies)
