"""Files that come in on the Projects page, over plain HTTP: what its script sends, and what it is
told."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any
from urllib.parse import parse_qs

import httpx

from tests.support.opened import config_of, texts_in


def sent(http: httpx.Client, name: str, content: bytes | Iterable[bytes]) -> httpx.Response:
    """The reply to a file that is chosen."""
    return http.post("/api/upload", content=content, headers={"x-file-name": name})


def opened(http: httpx.Client, address: str) -> str:
    """All that the page shows at an address."""
    reply = http.get(f"/{address}")
    assert reply.status_code == 200, reply.text[:500]
    return "\n".join(texts_in(reply.text))


def does(http: httpx.Client, address: str, title: str = "", **said: Any) -> tuple[str, str]:
    """Do something on the page: the address that it leads to, and what it is refused for."""
    # without a parameter a visitor of a Space gets another page
    page = config_of(http.get("/", params={"import": "new"}).text)
    (event,) = (
        one
        for one in page["dependencies"]
        if one["backend_fn"] and [target[1] for target in one["targets"]] == ["act"]
    )
    reply = http.post(
        "/gradio_api/run/predict",
        json={
            "data": [address, title],
            "event_data": {**said, "n": 1},
            "fn_index": event["id"],
            "session_hash": "bringing",
        },
    )
    assert reply.status_code == 200, reply.text[:500]
    refused, *_, led = reply.json()["data"]
    return str(led).removeprefix("1").strip(), refused if isinstance(refused, str) else ""


def looked_at(http: httpx.Client, name: str, text: str) -> str:
    """The address of the page that asks how a file is to be read."""
    reply = sent(http, name, text.encode())
    assert reply.status_code == 200, reply.text
    address, refused = does(http, "?", do="sent", **reply.json())
    assert address and not refused, refused
    return address


def staged(http: httpx.Client, address: str, title: str = "") -> tuple[str, str]:
    """Have the rows of a file read, unseen: the address of their report, or what is wrong."""
    address, refused = does(http, address, title, do="read")
    assert not refused, refused
    address, deadline = address.removeprefix("="), time.monotonic() + 60
    while time.monotonic() < deadline:
        led, refused = does(http, address, title, do="tick", timer=True)
        if led or refused:
            return led.removeprefix("="), refused
        time.sleep(0.02)
    raise AssertionError("the file was not read in time")


def finished(http: httpx.Client, address: str) -> tuple[int, str]:
    """Bring the rows of a report in: the number of the import, and the project's name."""
    address, refused = does(http, address, do="finish")
    assert address and not refused, refused
    query = parse_qs(address.removeprefix("=").removeprefix("?"))
    return int(query["staged"][0]), query["project"][0]


def brought(http: httpx.Client, name: str, text: str, title: str) -> tuple[int, str]:
    """Bring a file in, all as it is guessed: the number of the import, and the project's name."""
    address, refused = staged(http, looked_at(http, name, text), title)
    assert not refused, refused
    return finished(http, address)
