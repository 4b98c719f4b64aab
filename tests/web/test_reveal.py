"""The reveal over HTTP: refused before its time, silent where it is off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graders.store.workspace import open_workspace
from graders.workflows.projects.settings import change_settings
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.server import Server, serve
from tests.web.client import Client

PROJECT = "autumn-study"


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("app"), demo) as running:
        yield running


def blind_screens(client: Client) -> Iterator[dict[str, Any]]:
    """Blind screens that ask for completeness, on which judges spoke."""
    for screen in client.get("/api/next", project=PROJECT, n=40)["screens"]:
        asked = {cell["criterion"] for answer in screen["answers"] for cell in answer["cells"]}
        if screen["arm"] == "blind" and "answer-quality/completeness" in asked:
            yield screen


def save(client: Client, screen: dict[str, Any]) -> str:
    """Save a screen with every completeness as 3; returns the reply's text."""
    cells = [
        cell
        for answer in screen["answers"]
        for cell in answer["cells"]
        if cell["criterion"].endswith("/completeness")
    ]
    verdicts = [{"cell": cell["id"], "value": 3, "action": "typed"} for cell in cells]
    body = {
        "save_id": f"save-{screen['id']}-{len(client.http.cookies)}",
        "project": PROJECT,
        "screen": screen["id"],
        "verdicts": verdicts,
    }
    return json.dumps(client.post("/api/save", body))


def test_not_one_byte_of_the_judges_before_the_batch_is_saved(server: Server) -> None:
    client = Client(server.url)
    client.enter("Greta")  # the demo's own people have graded most screens
    body = {"project": PROJECT}
    off = client.http.post("/api/reveal", json=body)
    assert (off.status_code, off.json()) == (
        403,
        {
            "error": "reveal: found a project whose lead left it off, expected blind screens to stay blind."
        },
    )
    scope = Scope(Actor(), open_workspace(server.folder / "app.db"))
    change_settings(scope, PROJECT, {"reveal": True, "reveal_batch": 2, "blind": 1})
    screens = blind_screens(client)
    first = next(screens)
    sent = [json.dumps(first), save(client, first)]
    early = client.http.post("/api/reveal", json=body)
    assert early.status_code == 422
    second = next(screens)
    sent += [
        early.text,
        json.dumps(second),
        json.dumps(client.get("/api/desk", project=PROJECT)),
        save(client, second),
    ]
    shown = client.post("/api/reveal", body)
    judges = {
        j["name"]
        for screen in shown["screens"]
        for a in screen["answers"]
        for cell in a["cells"]
        for j in cell["judges"]
    }
    judges.discard("learned")  # it speaks where two judges and labels let it
    assert [screen["id"] for screen in shown["screens"]] == [first["id"], second["id"]]
    assert len(judges) == 2
    for name in judges:
        assert not [text for text in sent if name in text]
    assert {
        cell["mine"]["value"]
        for screen in shown["screens"]
        for a in screen["answers"]
        for cell in a["cells"]
    } == {3}
    assert client.post("/api/reveal/close", body)["counts"]["to_reveal"] == 2
    assert client.http.post("/api/reveal", json=body).status_code == 422
    change_settings(scope, PROJECT, {"reveal": False})
    scope.ws.close()
