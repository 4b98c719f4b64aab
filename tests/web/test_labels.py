"""Labels that came with a file, stated at import to be blind, over HTTP."""

from __future__ import annotations

from pathlib import Path

from tests.support.server import serve
from tests.web.client import Client
from tests.web.test_app import brought, uploaded


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
