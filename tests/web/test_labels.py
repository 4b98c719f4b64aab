"""How imported labels were chosen, over HTTP: shown with the leaderboard, stated, refused."""

from __future__ import annotations

from pathlib import Path

from tests.support.ranked import study, values
from tests.support.server import serve
from tests.web.client import Client


def test_a_statement_changes_the_leaderboard_at_once(tmp_path: Path) -> None:
    right, judged = values(30)
    scope = study(tmp_path, right, judged, 15, chosen="unknown")
    scope.ws.close()
    (tmp_path / "app").mkdir()
    with serve(tmp_path / "app", tmp_path / "work.db") as running:
        client = Client(running.url)
        found = client.get("/api/leaderboard", project="study")
        (one,) = found["choice"]["imports"]
        assert (one["chosen"], found["counts"]["within"]) == ("unknown", 45)
        body = {"project": "study", "import": one["id"], "chosen": "all"}
        assert [row["chosen"] for row in client.post("/api/labels", body)] == ["all"]
        assert client.get("/api/leaderboard", project="study")["counts"]["within"] == 0
        for wrong in ({"chosen": "some"}, {"import": True}, {"import": "1; DROP"}, {"import": 99}):
            refused = client.http.post("/api/labels", json=body | wrong)
            assert refused.status_code in (400, 404, 422) and "error" in refused.json()
