"""The session of a page in a frame that keeps no cookies: what it takes, and what it never takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from graders.store.workspace import open_workspace
from graders.web.tokens import HEADER, KEPT
from tests.store import small
from tests.support.server import Server, serve

OPENS = {"accept": "text/html", "sec-fetch-mode": "navigate"}
MARK = re.compile(r'<meta name="cograde-session" content="([^"]+)">')


def study(folder: Path) -> None:
    ws = open_workspace(folder / "data" / "demo.db")
    small.study(folder, ws, count=2, models=("Ash",))
    ws.close()


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("tokens")
    study(folder)
    with serve(folder, SPACE_ID="team/cograde", COGRADE_HOST="127.0.0.1") as running:
        yield running


def opened(space: Server, **headers: str) -> httpx.Response:
    """The review page as a browser opens it, that keeps nothing."""
    return httpx.get(f"{space.url}/review/", headers={**OPENS, **headers}, trust_env=False)


def named(space: Server, token: str, name: str, **headers: str) -> httpx.Response:
    return httpx.post(
        f"{space.url}/api/me",
        json={"name": name},
        headers={HEADER: token, **headers},
        trust_env=False,
    )


def who(space: Server, **headers: str) -> httpx.Response:
    return httpx.get(f"{space.url}/api/frame", headers=headers, trust_env=False)


def test_a_page_without_a_cookie_carries_its_session(space: Server) -> None:
    page = opened(space)
    (token,) = MARK.findall(page.text)
    assert page.headers["cache-control"] == "no-store"
    assert int(page.headers["content-length"]) == len(page.content)
    said = named(space, token, "Ann")
    assert said.status_code == 200
    renewed = said.headers[HEADER]
    assert renewed not in ("", KEPT, token)
    assert who(space, **{HEADER: renewed}).json()["person"]["name"] == "Ann"
    assert who(space, **{HEADER: token}).json()["person"] is None


def test_a_cookie_comes_first_and_says_so(space: Server) -> None:
    page = opened(space)
    cookie = page.headers["set-cookie"].split(";")[0]
    assert "partitioned" in page.headers["set-cookie"]
    (other,) = MARK.findall(opened(space).text)
    renewed = named(space, other, "Ben").headers[HEADER]
    told = who(space, cookie=cookie, **{HEADER: renewed})
    assert told.json()["person"] is None and told.headers[HEADER] == KEPT
    assert not MARK.findall(opened(space, cookie=cookie).text), (
        "who keeps cookies needs nothing else"
    )
    assert HEADER not in who(space, cookie=cookie).headers


def test_what_was_not_signed_here_is_nobody(space: Server) -> None:
    (token,) = MARK.findall(opened(space).text)
    for forged in (
        token[:-2] + "AA",
        "a.b.c",
        token.split(".")[0],
        "null",
        "x; cograde=" + token[1:],
    ):
        assert named(space, forged, "Eve").status_code == 403, forged


def test_another_site_cannot_use_it(space: Server) -> None:
    (token,) = MARK.findall(opened(space).text)
    assert named(space, token, "Eve", **{"sec-fetch-site": "cross-site"}).status_code == 403
    asked = httpx.options(
        f"{space.url}/api/frame",
        headers={
            "origin": "https://huggingface.co",
            "access-control-request-method": "GET",
            "access-control-request-headers": HEADER,
        },
        trust_env=False,
    )
    assert "access-control-allow-origin" not in asked.headers


def test_programs_get_no_session_and_an_own_app_has_no_header(
    space: Server, tmp_path: Path
) -> None:
    assert not MARK.findall(opened(space, accept="*/*").text)
    study(tmp_path)
    with serve(tmp_path) as app:
        page = opened(app)
        assert page.status_code == 200 and not MARK.findall(page.text)
        token = httpx.post(f"{app.url}/api/me", json={"name": "Ann"}, trust_env=False)
        value = token.headers["set-cookie"].split(";")[0].partition("=")[2]
        assert who(app, **{HEADER: value}).json()["person"] is None
