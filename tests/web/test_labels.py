"""Labels that came with a file and wait for a test, over HTTP: shown, opened, stated at import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tests.support import kept
from tests.support.server import serve
from tests.support.studies import bring
from tests.web.client import Client
from tests.web.test_app import brought, uploaded


def routing(client: Client) -> Any:
    """The page, once all is read."""
    while "progress" in (found := client.get("/api/routing", project="study", begun=1)):
        pass
    return found


def test_kept_labels_are_shown_and_opened_on_routing(
    tmp_path: Path,
) -> None:
    wrong = np.random.default_rng(3).random((200, 2)) < 0.03
    labelled = [(i, k) for i in range(0, 200, 3) for k in range(2)]
    scope = kept.study(tmp_path, wrong, labelled)
    name = "study"
    human = kept.labels(wrong, [(i, 0) for i in range(1, 90, 3)], person="jon")
    bring(scope, tmp_path, kept.RUBRIC, labels_blind=True, questions=[], human=human)
    scope.ws.close()
    (tmp_path / "app").mkdir()
    with serve(tmp_path / "app", tmp_path / "work.db") as running:
        client = Client(running.url)
        first, second = routing(client)["kept"]
        assert (
            first["ready"] and first["labels"] > 40 and "no figure has shown them" in first["words"]
        )
        for bad in ({"import": True}, {"import": "2"}, {"import": 99}, {}):
            refused = client.http.post("/api/routing/open", json={"project": name} | bad)
            assert refused.status_code in (400, 404, 422) and "error" in refused.json()
        done = client.post("/api/routing/open", {"project": name, "import": first["id"]})
        assert done["labels"] == first["labels"] and done["id"] == first["id"]
        page = routing(client)
        assert [one["id"] for one in page["kept"]] == [second["id"]]
        assert page["rows"][0]["state"] == "PROVEN" and page["kept"][0]["stake"]


def test_the_page_states_at_import_that_ratings_are_blind(tmp_path: Path) -> None:
    rows = "".join(f"What is {i}?,It is {i}.,Yes,mira\n" for i in range(60))
    with serve(tmp_path) as running:
        client = Client(running.url)
        seen = uploaded(client, "rated.csv", "question,answer,correctness,rater\n" + rows)
        rubric = {"kind": "bundled", "name": "correctness"}
        body = {"token": seen["token"], "look": {**seen["look"], "chosen": []}, "rubric": rubric}
        seen["look"] = client.post("/api/import/look", body)["look"]
        found = brought(
            client, seen, title="Rated", rubric=rubric, chosen="random", labels_blind=True
        )["report"]
        assert found["labels_blind"] and 10 < found["labels_kept"] < 50
        assert "are kept for a test" in found["labels_note"]
