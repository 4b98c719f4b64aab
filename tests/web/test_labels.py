"""How far labels are, and consent to drawing more than half, over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.server import Server, serve
from tests.web.client import Client

PROJECT = "autumn-study"


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("app"), demo) as running:
        yield running


def test_the_desk_projects_and_agreement_say_the_same_of_the_labels(server: Server) -> None:
    client = Client(server.url)
    client.enter("Greta")
    work = client.get("/api/my-work", project=PROJECT)
    found = work["first_answers"]
    assert work["brought"] == "" and 0 <= found["labels"] <= found["needed"] > 0
    assert f"{found['needed']:,}" in found["words"]
    assert client.get("/api/agreement", project=PROJECT)["first_answers"] == found
    cards = {card["name"]: card for card in client.get("/api/projects")["projects"]}
    assert cards[PROJECT]["first_answers"] == found
    (screen,) = client.get("/api/next", project=PROJECT, n=1)["screens"]
    cells = [cell for answer in screen["answers"] for cell in answer["cells"] if cell["open"]]
    one = next(cell for cell in cells if cell["criterion"] == "answer-quality/completeness")
    body = {"project": PROJECT, "screen": screen["id"], "save_id": "save-of-greta"}
    client.post(
        "/api/save", {**body, "verdicts": [{"cell": one["id"], "value": 3, "action": "typed"}]}
    )
    counted = screen["design"] == "calibration"
    assert client.get("/api/my-work", project=PROJECT)["brought"] == (
        f"Your screen today brought {int(counted)} blind label{'' if counted else 's'} for "
        f"Agreement{'' if counted else ' and 1 other rating'}."
    )


def test_more_than_half_is_refused_until_the_lead_agrees(server: Server) -> None:
    client = Client(server.url)
    body = {"project": PROJECT, "changes": {"calibration": 1.0}}
    before = client.get("/api/settings", project=PROJECT)
    refused = client.http.post("/api/settings", json=body)
    assert refused.status_code == 428
    assert refused.json()["error"] == (
        "calibration sample: found all answers, expected at most 50% without the lead's consent. "
        "Drawn answers get no suggestion, and a whole draw leaves nothing to automate. Agree on "
        "the page, or with --yes."
    )
    assert client.get("/api/settings", project=PROJECT) == before
    drawn = client.http.post("/api/routing/draw", json={"project": PROJECT, "answers": 500})
    assert drawn.status_code == 428
    agreed = client.post("/api/settings", {**body, "consent": True})
    assert (
        agreed["sample"]["added"] and "Drawn answers get no suggestion" in agreed["sample"]["words"]
    )
