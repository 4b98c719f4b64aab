"""A person with a browser's cookie, over plain HTTP."""

from __future__ import annotations

from typing import Any

import httpx


class Client:
    """Keeps the session cookie; `get` and `post` return the JSON of routes."""

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

    def enter(self, name: str) -> str:
        """Say one's name; returns the person's id."""
        return str(self.post("/api/me", {"name": name})["person"]["id"])
