"""A page's application is made once, when it is asked for, sees the address as it came, and ends
with the app around it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial

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
        # only this page fails, and the next visit tries again
        with pytest.raises(OSError, match="missing"):
            client.get("/run/here")
        with ThreadPoolExecutor(4) as threads:
            replies = list(threads.map(lambda _: client.get("/run/here").json(), range(8)))
        assert replies == ["/run/here"] * 8
        assert told == ["made", "made", "begun"]
    assert told == ["made", "made", "begun", "ended"]


def test_pages_that_are_asked_for_at_once_are_made_one_by_one() -> None:
    making: list[int] = [0]
    most: list[int] = []

    def make(path: str) -> FastAPI:
        making[0] += 1
        time.sleep(0.05)
        most.append(making[0])
        making[0] -= 1
        inner = FastAPI()
        inner.get(path + "/here")(where)
        return inner

    app = FastAPI()
    paths = [f"/page{number}" for number in range(4)]
    for path in paths:
        app.mount(path, Lazily(path, partial(make, path)))
    with TestClient(app) as client, ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda path: client.get(f"{path}/here").json(), paths)) == [
            f"{path}/here" for path in paths
        ]
    assert most == [1, 1, 1, 1]


def where(request: Request) -> str:
    return request.url.path
