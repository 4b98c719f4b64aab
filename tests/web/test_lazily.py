"""A page's application is made once, when it is asked for, sees the address as it came, and ends with the app around it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest
from fastapi import FastAPI, Request
from starlette.testclient import TestClient

from graders.web.lazily import Lazily, closing


def test_it_is_made_once_and_ends_with_the_app() -> None:
    told: list[str] = []

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        told.append("begun")
        yield
        told.append("ended")

    def make() -> FastAPI:
        told.append("made")
        if told == ["made"]:
            raise OSError("a file of the page is missing")
        inner = FastAPI(lifespan=life)
        inner.get("/run/here")(where)
        return inner

    pages: list[Lazily] = []
    app = FastAPI(lifespan=closing(pages))
    for path in ("/run", "/never"):
        pages.append(Lazily(path, make))
        app.mount(path, pages[-1])
    with TestClient(app) as client:
        assert told == []
        with pytest.raises(OSError, match="missing"):  # only this page fails, and the next visit tries again
            client.get("/run/here")
        with ThreadPoolExecutor(4) as threads:
            replies = list(threads.map(lambda _: client.get("/run/here").json(), range(8)))
        assert replies == ["/run/here"] * 8
        assert told == ["made", "made", "begun"]
    assert told == ["made", "made", "begun", "ended"]


def where(request: Request) -> str:
    return request.url.path
