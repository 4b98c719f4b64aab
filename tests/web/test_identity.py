"""Who a browser is: its cookie knows it again, a name in use asks for its code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from graders.core.settings import Settings
from graders.store import projects
from graders.store.workspace import Workspace
from graders.web.app import make_app
from graders.web.serve import resolver_of
from tests.store import small
from tests.support.opened import config_of


class Tab:
    """A browser with cookies of its own, beside others of one app."""

    def __init__(self, client: TestClient) -> None:
        self.client, self.cookies = client, dict[str, str]()

    def __call__(self, method: str, path: str, body: object = None) -> httpx.Response:
        self.client.cookies.clear()
        sent = {"cookie": "; ".join(f"{name}={text}" for name, text in self.cookies.items())}
        reply = self.client.request(method, path, json=body, headers=sent)
        self.cookies.update(reply.cookies)
        return reply

    def get(self, path: str) -> httpx.Response:
        return self("GET", path)

    def post(self, path: str, json: object = None) -> httpx.Response:
        return self("POST", path, json)


Browser = Callable[[], Tab]


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return small.study(tmp_path, small.workspace(tmp_path), count=1).ws


@pytest.fixture
def browser(ws: Workspace) -> Iterator[Browser]:
    settings = Settings(workspace=ws.path)
    app = make_app(resolver_of(ws, settings), settings)
    with TestClient(app, base_url="http://localhost") as client:
        yield lambda: Tab(client)


def head(client: Tab) -> str:
    components = config_of(client.get("/results?project=study").text)["components"]
    return next(
        value for one in components if "<header" in (value := str(one["props"].get("value") or ""))
    )


def test_a_name_in_use_asks_for_its_code_and_the_cookie_needs_none(
    ws: Workspace, browser: Browser
) -> None:
    mine, other = browser(), browser()
    first = mine.post("/api/me", json={"name": "Vera Lind"}).json()
    code = first["told"].split("Your code is ")[1].split(".")[0]
    assert first["told"] in head(mine) and first["told"] == mine.get("/api/frame").json()["code"]
    assert code not in head(other) and other.get("/api/frame").json()["code"] == ""
    again = mine.post("/api/me", json={"name": "Vera Lind"}).json()
    assert again == {"person": first["person"], "told": ""}, "the same browser, the code told once"
    before = len(projects.people(ws))
    refused = other.post("/api/me", json={"name": "vera lind"})
    assert refused.status_code == 409
    assert refused.json()["ask"].startswith("Are you the same Vera Lind?")
    assert other.get("/api/frame").json()["person"] is None, "nobody yet"
    wrong = other.post("/api/me", json={"name": "vera lind", "code": "AAA-AAA"})
    assert wrong.status_code == 409 and "another code" in wrong.json()["error"]
    here = other.post("/api/me", json={"name": "vera lind", "code": code.lower()}).json()
    assert here == {"person": first["person"], "told": ""}
    assert first["told"] == other.get("/api/frame").json()["code"], "shown again under the name"
    assert len(projects.people(ws)) == before


def test_a_new_code_replaces_the_one_before(browser: Browser) -> None:
    mine, other, third = browser(), browser(), browser()
    old = mine.post("/api/me", json={"name": "Vera"}).json()["told"]
    typed = old.split("Your code is ")[1].split(".")[0]
    other.post("/api/me", json={"name": "Vera", "code": typed})
    new = other.post("/api/me/code").json()["told"]
    assert new != old and other.get("/api/frame").json()["code"] == new
    assert mine.get("/api/frame").json()["code"] == "", "that one is none any more"
    assert mine.get("/api/frame").json()["person"]["name"] == "Vera", "still known"
    assert "This browser does not show your code" in head(mine)
    assert third.post("/api/me", json={"name": "Vera", "code": typed}).status_code == 409
    assert third.post("/api/me/code").status_code == 401, "a stranger has none"


def test_a_cookie_of_an_earlier_version_stays_known(ws: Workspace, browser: Browser) -> None:
    mine = browser()
    person = mine.post("/api/me", json={"name": "Vera"}).json()["person"]
    with ws.write() as db:  # as it was before codes were there
        db.execute("UPDATE person SET code = '' WHERE id = ?", (person["id"],))
    assert mine.get("/api/frame").json()["person"] == person
    assert mine.get("/api/frame").json()["code"] == ""
    assert "Your code is" in mine.post("/api/me", json={"name": "Vera"}).json()["told"]
