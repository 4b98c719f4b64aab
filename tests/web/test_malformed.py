"""Calls that no page of ours makes: every route answers with a sentence and a status below 500, and
the log stays clean.

Routes come from the application's own tables, the names that they read from the modules that hold
them.
"""

from __future__ import annotations

import ast
import inspect
import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.routing import Mount

from graders.core import discovery
from graders.core.errors import InputError
from graders.core.settings import Settings
from graders.web import app as web_app
from graders.web.called import calls
from graders.web.malformed import check
from graders.web.page import shell
from tests.support.server import Server, serve

PROJECT = "autumn-study"
#: What an address or body may hold so that a route reads on; anything else is "x", or 1 in an
#: address.
PLAUSIBLE: dict[str, Any] = {
    "project": PROJECT,
    "criterion": "accuracy",
    "question": "q01",
    "screen": 1,
    "cell": 1,
    "subject": 1,
}
HUGE, DEEP = 10**30, 3_000
WRONG: tuple[Any, ...] = (
    None, True, -1, HUGE, 10**400, 1e308, float("nan"), "", "\x00", "\ud800", "a" * 100_000, "²", "9" * 30, "9" * 5_000, "nan",
    [], [[]], [HUGE], ["\ud800"], {}, {"a": {}}, {"\ud800": 1}, [None], [{}],
)  # fmt: skip
JSON = "application/json"
BODIES: tuple[tuple[str, bytes], ...] = (
    *(
        (JSON, body)
        for body in (b"", b"{", b"null", b"[]", b'"text"', b"\x00", b'{"project":"\xff\xfe"}')
    ),
    (JSON, b"[" * DEEP),
    (JSON, b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    (JSON, b'{"project":' + b"9" * 5_000 + b"}"),
    (JSON, "{}".encode("utf-16")),
    ("text/plain", b'{"project":"autumn-study"}'),
    ("multipart/form-data", b"no boundary"),
    (
        "multipart/form-data; boundary=x",
        b'--x\r\nContent-Disposition: form-data; name="files"\r\n\r\n',
    ),
    ("", b"{}"),
    ("\x80/\xff", b"{}"),
)
QUERIES = (
    "%ff=%ff",
    "page=%00",
    "page=nope",
    "deep_link=%00",
    "&&==&",
    "a" * 20_000,
    "__theme=%F0%9F%98",
    "[]=1&{}=2",
)
IN_QUERIES = (
    "",
    "\x00",
    "²",
    "9" * 30,
    "9" * 5_000,
    "-1",
    "nan",
    "1e400",
    "a" * 5_000,
    "[]",
    "1.5",
)
SEGMENTS = (
    "x",
    "9" * 30,
    "%00",
    "%ff",
    "%2e%2e%2f",
    "a" * 3_000,
    "%F0%9F%98%80",
    "http:%2f%2f127.0.0.1%2f",
)
ASSET = f"/assets/{web_app.assets_version()}/nope"
MODULES = discovery.load_modules("routes", "graders.web.routes", ("router",))[0]


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("malformed"), demo) as running:
        yield running


@pytest.fixture(scope="module")
def caller(server: Server) -> Iterator[httpx.Client]:
    """Somebody with a name: without one most routes refuse before they read."""
    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client:
        client.post("/api/me", json={"name": "Fay"})
        yield client


def call(
    caller: httpx.Client,
    route: str,
    method: str,
    address: str,
    content: bytes = b"",
    kind: str = "",
) -> None:
    headers = [(b"content-type", kind.encode("latin-1"))] if kind else []
    reply = caller.request(method, address, content=content, headers=headers)
    shown = f"{method} {route}: {address[-80:]!r} {content[:80]!r} as {kind!r}"
    assert reply.status_code < 500, f"{shown}: {reply.status_code} {reply.text[:300]}"
    if reply.status_code >= 400 and method != "HEAD":
        assert len(said := reply.json()["error"]) > 10 and "Traceback" not in said, shown


def names_in(module: ModuleType) -> list[str]:
    """All words that a module writes out: what its routes read from a body is among them."""
    texts = (
        node.value
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Constant)
    )
    return sorted(
        {text for text in texts if isinstance(text, str) and re.fullmatch(r"[a-z_]{1,24}", text)}
    )


def bodies(names: list[str], chance: random.Random) -> Iterable[dict[str, Any]]:
    """Wrong values everywhere, and in one place each among plausible ones."""
    good = {name: PLAUSIBLE.get(name, "x") for name in names}
    for wrong in chance.sample(WRONG, 12):
        yield {**dict.fromkeys(names, wrong), "project": chance.choice((PROJECT, wrong))}
    for name in chance.sample(names, min(len(names), 12)):
        yield {**good, name: chance.choice(WRONG)}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_own_routes_answer_malformed_calls_in_a_sentence(
    server: Server, caller: httpx.Client, name: str
) -> None:
    chance = random.Random(name)
    before = len(server.log.read_text("utf-8", "replace"))
    for route in MODULES[name].router.routes:
        assert isinstance(route, APIRoute)
        method = next(iter(route.methods))
        for query in chance.sample(QUERIES, 2):
            call(caller, route.path, method, f"{route.path}?{query}")
        known = {
            field.alias: str(PLAUSIBLE.get(field.alias, 1))
            for field in route.dependant.query_params
        }
        for field in known:
            for text in chance.sample(IN_QUERIES, 3):
                call(
                    caller,
                    route.path,
                    method,
                    f"{route.path}?{httpx.QueryParams({**known, field: text})}",
                )
        if route.body_field is not None:
            for kind, body in chance.sample(BODIES, 6):
                call(caller, route.path, method, route.path, body, kind)
            for value in bodies(names_in(MODULES[name]), chance):
                call(caller, route.path, method, route.path, json.dumps(value).encode(), JSON)
    assert "Traceback" not in server.log.read_text("utf-8", "replace")[before:]


def table(routes: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """(method, path) of everything that an application answers."""
    for route in routes:
        if hasattr(route, "original_router"):  # FastAPI keeps what was included as it came
            yield from table(route.original_router.routes)
        elif isinstance(route, Mount):
            yield from table(route.routes)
        else:
            yield from ((method, route.path) for method in route.methods or ())


@pytest.mark.parametrize("path", ["", "/review"])
def test_gradios_routes_answer_malformed_calls_in_a_sentence(
    server: Server, caller: httpx.Client, path: str
) -> None:
    page = next(page for page in web_app.pages() if page.path == (path or "/"))
    mounted = web_app._mounted(FastAPI(), shell(page, "/assets/x"), path, Settings())
    found = sorted(set(table(mounted.routes)))
    assert len(found) > 60
    for method, route in found:
        for part in SEGMENTS:
            address = path + re.sub(r"\{[^}]*\}", lambda _, part=part: part, route)  # type: ignore[misc]
            call(caller, route, method, address)
        for query in QUERIES:
            call(caller, route, method, f"{address}?{query}")
        for kind, body in BODIES if method == "POST" else ():
            call(caller, route, method, address, body, kind)
    assert "Traceback" not in server.log.read_text("utf-8", "replace")


def test_functions_for_programs_answer_malformed_calls_in_a_sentence(
    server: Server, caller: httpx.Client
) -> None:
    before = len(server.log.read_text("utf-8", "replace"))
    for name, function in calls().items():
        if name == "grade":  # it takes what `plan` takes, and would begin a run
            continue
        wanted, chance = list(inspect.signature(function).parameters)[1:], random.Random(name)
        address = f"/call/gradio_api/run/{name}"
        for place, argument in enumerate(wanted):
            good = [PROJECT if one == "project" else None for one in wanted]
            for wrong in chance.sample(WRONG, 8):
                good[place] = wrong
                body = json.dumps({"data": good}).encode()
                reply = caller.post(address, content=body, headers={"content-type": JSON})
                shown = f"{name}, {argument}: {wrong!r:.80} {reply.status_code} {reply.text[:300]}"
                assert reply.status_code in (200, 422), shown
                assert reply.status_code == 200 or len(reply.json()["error"]) > 10, shown
        for kind, body in BODIES:
            call(caller, name, "POST", address, body, kind)
    assert "Traceback" not in server.log.read_text("utf-8", "replace")[before:]


@pytest.mark.parametrize(
    "body, sentence",
    [
        (
            {"a": {"b": [HUGE]}},
            "b: found a number that is too large, or no number, expected a smaller one. Reload the page.",
        ),
        (
            {"a": float("inf")},
            "a: found a number that is too large, or no number, expected a smaller one. Reload the page.",
        ),
        (
            {"comment": "half \ud83d"},
            "comment: found half a character, expected text. Write it again.",
        ),
        (
            {"\ud83d": 1},
            "call: found a name with half a character, expected text. Reload the page.",
        ),
    ],
)
def test_what_nothing_can_keep_is_named(body: Any, sentence: str) -> None:
    with pytest.raises(InputError) as error:
        check(body)
    assert str(error.value) == sentence


def test_nests_are_bounded_and_all_else_passes() -> None:
    nest: Any = 1
    for _ in range(63):
        nest = [nest]
    check(
        {
            "text": "whole \N{WINKING FACE}\x00",
            "number": 2**63 - 1,
            "small": -0.5,
            "none": None,
            "yes": True,
        }
    )
    check(nest)
    with pytest.raises(InputError, match="lists in lists, more than 64 levels"):
        check([nest])


def test_ids_that_are_none_are_passed_over_where_screens_are_listed(caller: httpx.Client) -> None:
    assert (
        caller.get(
            "/api/next", params={"project": PROJECT, "have": "²," + "9" * 30, "sent": "٣,x"}
        ).status_code
        == 200
    )
    for screens in (True, "²", ["²", "9" * 5_000, {}, None, -1]):
        assert caller.post(
            "/api/release", json={"project": PROJECT, "screens": screens}
        ).json() == {"ok": True}


@pytest.mark.parametrize(
    "method, address, body, status, sentence",
    [
        (
            "GET",
            "/api/screen",
            None,
            422,
            "project: found nothing, expected a value. Reload the page.",
        ),
        (
            "GET",
            "/api/screen?project=a&id=b",
            None,
            422,
            "id: found 'b', expected a whole number. Reload the page.",
        ),
        (
            "GET",
            f"/api/screen?project=a&id={HUGE}",
            None,
            422,
            "id: found a number that is too large, expected a smaller one. Reload the page.",
        ),
        (
            "POST",
            "/api/me",
            b"{",
            422,
            "call: found text that is not JSON, expected JSON. Reload the page.",
        ),
        (
            "POST",
            "/api/me",
            b"[]",
            422,
            "call: found [], expected names with their values, as application/json. Reload the page.",
        ),
        (
            "POST",
            "/api/me",
            b"\xff",
            400,
            "call: found something that cannot be read, expected JSON in UTF-8. Reload the page.",
        ),
        (
            "PUT",
            ASSET,
            b"{}",
            405,
            "address: found a call by PUT, expected another kind. Reload the page.",
        ),
        (
            "GET",
            ASSET,
            None,
            404,
            "address: found nothing here, expected an address of Cograde. Reload the page.",
        ),
        (
            "PUT",
            "/api/me",
            b"{}",
            404,
            "address: found nothing here, expected an address of a page of Cograde. Open the page again.",
        ),
        (
            "GET",
            "/api/nope",
            None,
            404,
            "address: found nothing here, expected an address of a page of Cograde. Open the page again.",
        ),
    ],
)
def test_what_is_said(
    caller: httpx.Client, method: str, address: str, body: bytes | None, status: int, sentence: str
) -> None:
    reply = caller.request(method, address, content=body, headers={"content-type": JSON})
    assert (reply.status_code, reply.json()) == (status, {"error": sentence})
